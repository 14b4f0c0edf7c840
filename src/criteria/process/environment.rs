//! What a check's program sees of the environment.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// Variables that are passed on. With a star at the end, all that begin so.
const ALLOWED: &[&str] = &[
    "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TERM", "TZ", "TMPDIR", "TEMP", "TMP", "CI",
    "XDG_*", "CARGO_*", "RUSTUP_*",
];

/// What programs on Windows need to start.
const ALLOWED_ON_WINDOWS: &[&str] = &[
    "SystemRoot",
    "SystemDrive",
    "windir",
    "ComSpec",
    "PATHEXT",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "USERNAME",
    "APPDATA",
    "LOCALAPPDATA",
    "ALLUSERSPROFILE",
    "PUBLIC",
    "ProgramData",
    "ProgramFiles*",
    "ProgramW6432",
    "CommonProgram*",
    "OS",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_*",
];

/// Cargo's variables that put another program in the place of the compiler or the tests, or change what is compiled.
const REPLACING: &[&str] = &[
    "*_RUNNER",
    "*_WRAPPER",
    "*_LINKER",
    "*RUSTFLAGS",
    "*RUSTDOCFLAGS",
    "CARGO_ALIAS_*",
    "CARGO_BUILD_RUSTC*",
    "CARGO_BUILD_RUSTDOC*",
];

/// Cargo's variables that it sets for a program it starts itself, and its secrets.
const OF_OTHERS: &[&str] = &[
    "CARGO_PKG_*",
    "CARGO_MANIFEST_*",
    "CARGO_BIN_*",
    "CARGO_CRATE_NAME",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_MAKEFLAGS",
    "*_TOKEN",
    "CARGO_REGISTR*_CREDENTIAL_PROVIDER",
];

/// The variables of a check's program, and where programs are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckEnvironment {
    variables: BTreeMap<OsString, OsString>,
    folders: Vec<PathBuf>,
    inside: Vec<PathBuf>,
    is_configured: bool,
    /// The top of the judged tree, links resolved.
    top: PathBuf,
}

impl CheckEnvironment {
    /// Takes from `all` what may be passed on. `extra` are further names from the configuration (`NAME` or `PREFIX_*`);
    /// they are passed on whatever they are. `top` is the top of the judged tree: programs inside it are not found by
    /// name, because whoever is judged can put them there, unless `path` says so, which is then all of PATH, with
    /// relative folders from `top`.
    pub fn new(
        all: impl IntoIterator<Item = (OsString, OsString)>,
        extra: &[String],
        top: &Path,
        path: Option<&[String]>,
    ) -> Self {
        let mut variables = BTreeMap::new();
        let mut given = OsString::new();
        for (name, value) in all {
            let Some(text) = name.to_str() else { continue };
            if same(text, "PATH") {
                given = value;
            } else if is_passed(text, extra) && !(is_program_home(text, extra) && points_into(&value, top)) {
                variables.insert(name, value);
            }
        }
        let (folders, inside) = match path {
            Some(configured) => (configured.iter().map(|folder| top.join(folder)).collect(), Vec::new()),
            None => searched(&given, top),
        };
        // A name with a separator in it can stand in no PATH; such a folder is left out.
        let folders: Vec<PathBuf> = folders.into_iter().filter(|folder| env::join_paths([folder]).is_ok()).collect();
        variables.insert(OsString::from("PATH"), env::join_paths(&folders).unwrap_or_default());
        Self { variables, folders, inside, is_configured: path.is_some(), top: real(top) }
    }

    /// Names and values.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables()
            .find(|(other, _)| other.to_str().is_some_and(|other| same(other, name)))
            .map(|(_, value)| value)
    }

    /// Folders where a program is looked for by its name, in their order.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Folders of PATH that are inside the judged tree, where no program is looked for.
    pub fn left_out(&self) -> &[PathBuf] {
        &self.inside
    }

    /// Whether a program that was found by its name lies in the judged tree after all, behind a link, where nobody said
    /// that programs may lie.
    pub fn is_smuggled(&self, program: &Path) -> bool {
        !self.is_configured && real(program).starts_with(&self.top)
    }

    /// Whether the configuration says what PATH is.
    pub fn is_path_configured(&self) -> bool {
        self.is_configured
    }
}

/// Names of variables differ by case, but not on Windows.
fn same(one: &str, other: &str) -> bool {
    if cfg!(windows) { one.eq_ignore_ascii_case(other) } else { one == other }
}

/// Whether a name is one that a pattern with a star at its beginning or end means.
fn matches(name: &str, pattern: &str) -> bool {
    let folded = |text: &str| if cfg!(windows) { text.to_ascii_uppercase() } else { text.to_owned() };
    let (name, pattern) = (folded(name), folded(pattern));
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (_, Some(start)) => name.starts_with(start),
        _ => name == pattern,
    }
}

/// Whether the configuration gives a variable to checks.
pub fn is_given(name: &str, extra: &[String]) -> bool {
    extra.iter().any(|pattern| matches(name, pattern))
}

fn is_passed(name: &str, extra: &[String]) -> bool {
    let is_one_of = |patterns: &[&str]| patterns.iter().any(|pattern| matches(name, pattern));
    if is_given(name, extra) {
        return true;
    }
    let is_allowed = is_one_of(ALLOWED) || cfg!(windows) && is_one_of(ALLOWED_ON_WINDOWS);
    is_allowed && !(name.starts_with("CARGO_") && (is_one_of(REPLACING) || is_one_of(OF_OTHERS)))
}

/// Variables that say where programs, or what they are told to do, are looked for.
const PROGRAM_HOMES: &[&str] = &["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "SHELL", "XDG_CONFIG_*"];

/// Whether a variable is one of those, and not named by the configuration.
fn is_program_home(name: &str, extra: &[String]) -> bool {
    PROGRAM_HOMES.iter().any(|pattern| matches(name, pattern)) && !is_given(name, extra)
}

/// Whether a value is a path into the judged tree, or a relative one.
fn points_into(value: &OsStr, top: &Path) -> bool {
    env::split_paths(value).any(|path| {
        let is_path = path.components().count() > 1;
        is_path && (!path.is_absolute() || real(&path).starts_with(real(top)))
    })
}

/// Folders of PATH, those outside the judged tree and those inside. Empty and relative ones depend on where a program
/// runs, which is inside.
fn searched(given: &OsStr, top: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let top = real(top);
    let folders = env::split_paths(given).filter(|folder| !folder.as_os_str().is_empty());
    folders
        .partition(|folder| folder.is_absolute() && !real(folder).starts_with(&top) && !plain(folder).starts_with(&top))
}

/// Links resolved as far as the folder is there.
fn real(folder: &Path) -> PathBuf {
    let mut rest = Vec::new();
    let mut there = folder;
    loop {
        if let Ok(mut path) = there.canonicalize() {
            path.extend(rest.iter().rev());
            return plain(&path);
        }
        let (Some(name), Some(parent)) = (there.components().next_back(), there.parent()) else { return plain(folder) };
        rest.push(name.as_os_str());
        there = parent;
    }
}

/// Without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::fs;

    use super::*;

    fn of(all: &[(&str, &str)], extra: &[&str]) -> Vec<String> {
        let all = all.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let extra: Vec<String> = extra.iter().map(|name| (*name).to_owned()).collect();
        let env = CheckEnvironment::new(all, &extra, Path::new("/tree"), None);
        env.variables().map(|(name, _)| name.to_string_lossy().into_owned()).filter(|name| name != "PATH").collect()
    }

    #[test]
    fn only_what_is_allowed_is_passed_on() {
        let all = ["HOME", "LC_ALL", "CARGO_HOME", "CARGO_TERM_COLOR", "RUSTUP_HOME", "XDG_CACHE_HOME", "CI", "TMPDIR"];
        let other = ["RUSTFLAGS", "LD_PRELOAD", "RUSTC_WRAPPER", "GIT_DIR", "SPECWARD_BASE", "GITHUB_TOKEN", "HOMER"];
        let both: Vec<_> = all.iter().chain(&other).map(|name| (*name, "1")).collect();
        let mut expected = all.to_vec();
        expected.sort_unstable();
        assert_eq!(of(&both, &[]), expected);
    }

    #[test]
    fn what_replaces_cargos_programs_is_not_passed_on_unless_it_is_named() {
        let names = [
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
            "CARGO_BUILD_RUSTC_WRAPPER",
            "CARGO_ALIAS_TEST",
            "CARGO_BUILD_RUSTC",
            "CARGO_TARGET_X_LINKER",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_PKG_NAME",
            "CARGO_MANIFEST_DIR",
            "CARGO_BIN_EXE_specward",
            "CARGO_REGISTRY_TOKEN",
        ];
        for name in names {
            assert!(of(&[(name, "1")], &[]).is_empty(), "{name}");
            assert_eq!(of(&[(name, "1")], &[name]), [name]);
            assert_eq!(of(&[(name, "1")], &["CARGO_*"]), [name]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn folders_of_the_judged_tree_are_not_searched() {
        let folder = tempfile::tempdir().expect("a folder");
        let base = folder.path().canonicalize().expect("a path");
        let (tree, outside) = (base.join("tree"), base.join("outside"));
        fs::create_dir_all(tree.join("bin")).expect("a folder");
        fs::create_dir(&outside).expect("a folder");
        std::os::unix::fs::symlink(tree.join("bin"), base.join("link")).expect("a link");
        let link = base.join("link");
        let missing = tree.join("not/there/yet");
        let round = outside.join("../tree/bin");
        let given = env::join_paths([
            &tree.join("bin"),
            Path::new(""),
            Path::new("."),
            Path::new("bin"),
            &link,
            &missing,
            &round,
            &outside,
        ])
        .expect("a path");
        let variables = || [(OsString::from("PATH"), given.clone())];
        let env = CheckEnvironment::new(variables(), &["PATH".to_owned()], &tree, None);
        assert_eq!(env.get("PATH"), Some(outside.as_os_str()));
        assert_eq!(env.folders(), [outside]);
        let left_out = [tree.join("bin"), PathBuf::from("."), PathBuf::from("bin"), link, missing, round];
        assert_eq!(env.left_out(), left_out);

        let configured = ["bin".to_owned(), "/usr/bin".to_owned()];
        let env = CheckEnvironment::new(variables(), &[], &tree, Some(&configured));
        assert_eq!(env.folders(), [tree.join("bin"), PathBuf::from("/usr/bin")]);
        assert!(env.left_out().is_empty());
    }

    #[test]
    fn names_that_are_not_text_and_no_path_at_all() {
        let env = CheckEnvironment::new([], &[], Path::new("/tree"), None);
        assert_eq!(env.get("PATH"), Some(OsStr::new("")));
        assert!(env.folders().is_empty());
    }
}
