//! Which file a check's program is.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use bstr::ByteSlice;

use super::{CheckEnvironment, End};

/// The way out when a program is where it is not looked for.
const WAY_OUT: &str =
    "write the program's path in the check, or name its folder under `checks: path:` in openspec/specward.yaml";

/// A path as people write it: without `.` in it. What `..` leads out of may be a link, so it stays.
fn tidy(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// The file of a program. One with a slash is from `folder`, any other is looked for in PATH.
///
/// # Errors
/// How the run ends when there is none, or when it is no program.
pub(super) fn resolve(program: &str, folder: &Path, env: &CheckEnvironment) -> Result<PathBuf, End> {
    if program.is_empty() {
        return Err(End::NotFound("no program is named; write it as the first word of the check's command".to_owned()));
    }
    if program.contains('\0') {
        return Err(End::NotFound("the program's name has a NUL in it".to_owned()));
    }
    if program.contains('/') || cfg!(windows) && program.contains('\\') {
        return at_path(program, folder);
    }
    let (mut not_executable, mut smuggled) = (None, None);
    for candidate in env.folders().iter().flat_map(|folder| candidates(&folder.join(program), env)) {
        match kind(&candidate) {
            Kind::Program if env.is_smuggled(&candidate) => smuggled = smuggled.or(Some(candidate)),
            Kind::Program => return Ok(candidate),
            Kind::NotExecutable => not_executable = not_executable.or(Some(candidate)),
            Kind::Folder | Kind::Nothing => {}
        }
    }
    if let Some(link) = smuggled {
        let link = link.display();
        return Err(End::NotFound(format!(
            "`{link}` is a link into the judged tree, and therefore not run; {WAY_OUT}"
        )));
    }
    if let Some(file) = not_executable {
        return Err(End::NotStarted(not_executable_message(&file)));
    }
    Err(End::NotFound(not_found(program, folder, env)))
}

fn at_path(program: &str, folder: &Path) -> Result<PathBuf, End> {
    let path = tidy(&folder.join(program));
    match kind(&path) {
        Kind::Program => Ok(path),
        Kind::NotExecutable => Err(End::NotStarted(not_executable_message(&path))),
        Kind::Folder => Err(End::NotStarted(format!("`{program}` is a folder; name the program in it"))),
        Kind::Nothing if Path::new(program).is_absolute() => {
            Err(End::NotFound(format!("`{program}` does not exist; install it, or correct the check's command")))
        }
        Kind::Nothing => Err(End::NotFound(format!(
            "`{program}` does not exist in `{}`, where the check runs; build it with a check before this one, or correct the \
             command",
            folder.display()
        ))),
    }
}

fn not_found(program: &str, folder: &Path, env: &CheckEnvironment) -> String {
    let found = env.left_out().iter().find(|left_out| {
        let place = folder.join(left_out).join(program);
        candidates(&place, env).any(|candidate| matches!(kind(&candidate), Kind::Program))
    });
    if let Some(inside) = found {
        let inside = inside.display();
        return format!(
            "`{program}` is only in `{inside}`, which is inside the judged tree and therefore not searched; {WAY_OUT}"
        );
    }
    if env.is_path_configured() {
        return format!(
            "`{program}` is in no folder of `checks: path:` in openspec/specward.yaml ({}); add its folder, or install it",
            listed(env.folders())
        );
    }
    if env.left_out().is_empty() {
        return format!("`{program}` is not in PATH; install it, or {WAY_OUT}");
    }
    format!(
        "`{program}` is not in PATH, of which the folders inside the judged tree ({}) are not searched; install it, or {WAY_OUT}",
        listed(env.left_out())
    )
}

fn listed(folders: &[PathBuf]) -> String {
    let names: Vec<String> = folders.iter().map(|folder| format!("`{}`", folder.display())).collect();
    if names.is_empty() { "none is named".to_owned() } else { names.join(", ") }
}

fn not_executable_message(file: &Path) -> String {
    let file = file.display();
    format!("`{file}` is not executable; run `chmod +x` on it, or name its interpreter in the check's command")
}

/// Why a program that is there does not start, and what to do.
pub(super) fn why_not_started(program: &Path, error: &io::Error) -> String {
    let name = program.display();
    if let Some((interpreter, has_carriage_return)) = interpreter(program) {
        // The system takes the carriage return for a part of the interpreter's name.
        if has_carriage_return && error.kind() == io::ErrorKind::NotFound {
            return format!(
                "`{name}` does not start: its lines end with CRLF, so that its first line names no interpreter that exists; save \
                 it with LF (`dos2unix`, and `*.sh text eol=lf` in .gitattributes)"
            );
        }
        let is_missing = error.kind() == io::ErrorKind::NotFound && !Path::new(&interpreter).exists();
        if is_missing {
            return format!(
                "`{name}` names the interpreter `{interpreter}`, which does not exist; install it, or correct the first line"
            );
        }
    }
    // No kind of its own: what the kernel does not recognise as a program.
    if error.raw_os_error() == Some(8) && cfg!(unix) {
        return format!(
            "`{name}` is no program for this machine; when it is a script, its first line has to name the interpreter (`#!/bin/sh`)"
        );
    }
    if error.kind() == io::ErrorKind::NotFound {
        return format!("`{name}` does not start: it, its loader or the folder it runs in does not exist");
    }
    if error.kind() == io::ErrorKind::ArgumentListTooLong {
        return format!("`{name}` does not start: its arguments and variables are too long; write them to a file");
    }
    format!("`{name}` does not start: {error}")
}

/// What `#!` names in the first line of a script, and whether that line ends with a carriage return.
fn interpreter(program: &Path) -> Option<(String, bool)> {
    use io::Read;
    let mut start = Vec::new();
    fs::File::open(program).ok()?.take(512).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?;
    let line = line.find_byte(b'\n').and_then(|end| line.get(..end)).unwrap_or(line);
    let word = line.trim().split(|byte| byte.is_ascii_whitespace()).next()?;
    Some((word.to_str_lossy().into_owned(), line.ends_with(b"\r")))
}

enum Kind {
    Program,
    NotExecutable,
    Folder,
    Nothing,
}

fn kind(path: &Path) -> Kind {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Kind::Folder,
        Ok(metadata) if is_executable(&metadata) => Kind::Program,
        Ok(_) => Kind::NotExecutable,
        Err(_) => Kind::Nothing,
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(metadata: &fs::Metadata) -> bool {
    metadata.is_file()
}

/// Names a program can have at a place: on Windows also with the endings of PATHEXT.
fn candidates(place: &Path, env: &CheckEnvironment) -> std::vec::IntoIter<PathBuf> {
    let mut candidates = Vec::new();
    if cfg!(windows) {
        let endings = env.get("PATHEXT").and_then(|endings| endings.to_str()).unwrap_or(".COM;.EXE;.BAT;.CMD");
        if place.extension().is_some() {
            candidates.push(place.to_owned());
        }
        for ending in endings.split(';').filter(|ending| !ending.is_empty()) {
            let mut name = place.as_os_str().to_owned();
            name.push(ending);
            candidates.push(PathBuf::from(name));
        }
    } else {
        candidates.push(place.to_owned());
    }
    candidates.into_iter()
}
