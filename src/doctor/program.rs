//! Which program hooks would run.

use std::ffi::{OsStr, OsString};
#[cfg(unix)]
use std::fs;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::check::Check;
use super::surroundings::{Surroundings, real};

/// What hooks call.
const NAME: &str = "specward";

/// What the program is called when a message is about it.
const SUBJECT: &str = "PATH";

/// Whether hooks find this very program.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let Some(path) = around.env.path("PATH") else {
        let message = "there is no PATH, so that no hook finds specward";
        return vec![Check::problem(None, SUBJECT, message, "set PATH")];
    };
    let Some((folder, found)) = find(path.as_os_str(), around.env.get("PATHEXT"), around.top()) else {
        let message = "no folder of PATH has specward: hooks run, find nothing and let everything pass";
        let fix =
            "install specward into a folder that PATH has in a shell which is neither a login shell nor interactive";
        return vec![Check::problem(None, SUBJECT, message, fix)];
    };
    let shown = around.shown(&found);
    if folder.is_relative() {
        let message = format!("{shown} is found by `{}`, which is another folder in each place", folder.display());
        let fix = "take that out of PATH: whoever writes into the work tree decides there which program runs";
        return vec![Check::problem(None, SUBJECT, message, fix)];
    }
    let mut checks = vec![same(around, &found, &shown)];
    if real(&found).starts_with(around.top()) {
        let message = format!("{shown} is in the work tree: an agent that writes there can replace it");
        checks.push(Check::info(None, SUBJECT, message).fix("install specward outside of the repository"));
    }
    checks
}

fn same(around: &Surroundings, found: &Path, shown: &str) -> Check {
    let Some(program) = around.program.as_deref() else {
        return Check::info(None, SUBJECT, format!("hooks run {shown}; what runs now cannot be told"));
    };
    match is_same(program, found) {
        Ok(true) => Check::ok(None, SUBJECT, format!("hooks run {shown}, which is this version")),
        Ok(false) => {
            let message =
                format!("hooks run {shown}, which is another program than this one, {}", around.shown(program));
            let fix = format!("run `{shown} --version`, and install the version you mean there or before it in PATH");
            Check::problem(None, SUBJECT, message, fix)
        }
        Err(error) => {
            let message = format!("hooks run {shown}, which cannot be read: {error}");
            Check::problem(None, SUBJECT, message, "make it readable, or install it anew")
        }
    }
}

/// The first program in the folders of PATH, with the folder as PATH has it. An empty folder is the one a shell is in.
fn find(path: &OsStr, endings: Option<&str>, top: &Path) -> Option<(PathBuf, PathBuf)> {
    let names: Vec<OsString> = match endings {
        Some(endings) if cfg!(windows) => endings.split(';').map(|ending| format!("{NAME}{ending}").into()).collect(),
        _ => vec![format!("{NAME}{}", std::env::consts::EXE_SUFFIX).into()],
    };
    std::env::split_paths(path).find_map(|folder| {
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let found = names.iter().map(|name| top.join(&folder).join(name)).find(|file| is_program(file))?;
        Some((folder, found))
    })
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// Whether two programs are one, or the same to the byte.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    if real(one) == real(other) {
        return Ok(true);
    }
    let (one, other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    let (mut left, mut right) = ([0; 8192], [0; 8192]);
    loop {
        let count = one.read(&mut left)?;
        if count == 0 {
            return Ok(true);
        }
        other.read_exact(&mut right[..count])?;
        if left[..count] != right[..count] {
            return Ok(false);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    fn program(folder: &Path, text: &str, mode: u32) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let path = folder.join("specward");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn the_first_that_may_be_run_is_what_hooks_run() {
        let mut scratch = Scratch::new();
        let home = scratch.around.home.clone().unwrap();
        let [dead, one, other, copy] = ["dead", "one", "other", "copy"].map(|name| home.join(name));
        program(&dead, "1", 0o644);
        scratch.around.program = Some(program(&one, "1", 0o755));
        program(&other, "2", 0o755);
        program(&copy, "1", 0o755);
        let (dead, one, other, copy) = (dead.display(), one.display(), other.display(), copy.display());
        for (path, line) in [
            (format!("{dead}:{one}:{other}"), "ok PATH: hooks run ~/one/specward, which is this version"),
            (format!("{copy}:{one}"), "ok PATH: hooks run ~/copy/specward, which is this version"),
            (format!("{other}:{one}"), "problem PATH: hooks run ~/other/specward, which is another program than"),
            (dead.to_string(), "problem PATH: no folder of PATH has specward"),
            (String::new(), "problem PATH: there is no PATH"),
        ] {
            scratch.set("PATH", &path);
            has(&checks(&scratch.around), &[line]);
        }
    }

    #[test]
    fn a_program_in_the_work_tree() {
        let mut scratch = Scratch::new();
        let folder = scratch.around.top().join("bin");
        scratch.around.program = Some(program(&folder, "1", 0o755));
        scratch.set("PATH", "/nowhere:bin");
        has(&checks(&scratch.around), &["problem PATH: bin/specward is found by `bin`"]);
        scratch.set("PATH", &folder.display().to_string());
        has(&checks(&scratch.around), &["ok PATH", "info PATH: bin/specward is in the work tree"]);
    }
}
