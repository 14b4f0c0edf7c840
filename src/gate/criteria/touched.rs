//! What a check relies on, by what it names, and which of that the diff changes.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};
use globset::GlobSet;

use super::plan::Planned;
use crate::config::{Config, globs};
use crate::criteria::{Check, CheckKind, CommandLine, NewerThan};
use crate::gate::frozen::is_at_or_below;
use crate::gate::work::Judged;
use crate::openspec::project::Project;
use crate::openspec::text::Text;
use crate::repo::changes::{ChangeKind, FileChange};
use crate::report::{Item, ItemKind};
use crate::rules::{self, Place, Sink};

/// Words of one command that are taken for paths. More would be a list of files, of which some are enough.
const MAX_WORDS: usize = 64;

/// Files that are named of those a criterion's checks rely on.
const MAX_SHOWN: usize = 10;

/// Files that decide what a program's tests are, by the program.
const SETTINGS: &[(&[&str], &[&str])] = &[
    (
        &["cargo", "cargo-nextest", "nextest"],
        &[
            "Cargo.toml",
            ".cargo/config.toml",
            ".cargo/config",
            ".config/nextest.toml",
            "rust-toolchain",
            "rust-toolchain.toml",
        ],
    ),
    (
        &["pytest", "py.test", "python", "python3", "tox", "nox", "uv", "poetry"],
        &[
            "pytest.ini",
            ".pytest.ini",
            "pyproject.toml",
            "setup.cfg",
            "tox.ini",
            "noxfile.py",
            "conftest.py",
            "sitecustomize.py",
            "usercustomize.py",
        ],
    ),
    (
        &["npm", "npx", "pnpm", "yarn", "bun", "bunx", "node", "jest", "vitest", "mocha", "ava"],
        &[
            "package.json",
            ".npmrc",
            "jest.config.js",
            "jest.config.ts",
            "jest.config.mjs",
            "jest.config.cjs",
            "jest.config.json",
            "vitest.config.ts",
            "vitest.config.js",
            "vitest.config.mts",
            "vite.config.ts",
            "vite.config.js",
            ".mocharc.json",
            ".mocharc.js",
            ".mocharc.cjs",
            ".mocharc.yml",
        ],
    ),
    (&["go"], &["go.mod"]),
    (&["make", "gmake"], &["Makefile", "makefile", "GNUmakefile"]),
    (&["just"], &["justfile", "Justfile", ".justfile"]),
    (&["task"], &["Taskfile.yml", "Taskfile.yaml"]),
    (&["mvn", "mvnw"], &["pom.xml"]),
    (&["gradle", "gradlew"], &["build.gradle", "build.gradle.kts", "settings.gradle"]),
];

/// Folders that come with every checkout, build and test run and hold nothing of the difference's own.
const BY_PRODUCTS: &[&str] = &["target", "node_modules", "__pycache__", ".venv", "venv", ".pytest_cache"];

/// What a check relies on.
#[derive(Debug, Default)]
pub(super) struct Reliance {
    /// Files and folders, from the top of the tree.
    paths: Vec<BString>,
    /// Globs of further files.
    globs: GlobSet,
    /// Where these are.
    starts: Vec<BString>,
}

impl Reliance {
    /// What a check names.
    pub(super) fn of(check: &Check) -> Self {
        match &check.kind {
            CheckKind::Command(command) => Self::of_words(&words(&command.command)),
            CheckKind::File(file) => Self { paths: path(&file.path).into_iter().collect(), ..Self::default() },
            CheckKind::Search(search) => Self::default().with_globs(&search.files),
            CheckKind::Junit(junit) => match &junit.newer_than {
                NewerThan::Run => Self::default(),
                NewerThan::Files(globs) => Self::default().with_globs(globs),
            },
            CheckKind::Judge(_) => Self::default(),
        }
    }

    fn with_globs(self, list: &[String]) -> Self {
        let starts =
            list.iter().map(|glob| globs::literal_prefix(globs::from_top(glob))).filter(|path| !path.is_empty());
        Self { starts: starts.collect(), globs: globs::set("files", list).unwrap_or_default(), ..self }
    }

    fn of_words(words: &[String]) -> Self {
        let mut reliance = Self::default();
        let paths = &mut reliance.paths;
        for (programs, settings) in SETTINGS {
            let is_it = |word: &String| programs.contains(&word.rsplit('/').next().unwrap_or(word));
            if words.iter().take(8).any(is_it) {
                paths.extend(settings.iter().map(|path| BString::from(*path)));
            }
        }
        for (at, word) in words.iter().enumerate().take(MAX_WORDS) {
            let next = words.get(at + 1);
            match (word.as_str(), next.and_then(|name| path(name))) {
                ("--test" | "--bench" | "--example", Some(name)) => {
                    paths.push(BString::from(format!("tests/{name}.rs")));
                    paths.push(BString::from(format!("tests/{name}")));
                }
                // `python -m pytest` runs a `pytest.py` of the working directory before any other.
                ("-m", Some(name)) => {
                    let module = name.split_str(".").next().unwrap_or_default().as_bstr();
                    paths.push(BString::from(format!("{module}.py")));
                    paths.push(module.to_owned());
                }
                _ => {}
            }
            paths.extend(path(word));
        }
        if words.iter().any(|word| word.contains("pytest")) {
            let anywhere = ["tests/**/conftest.py", "test/**/conftest.py", "src/**/conftest.py"].map(str::to_owned);
            return reliance.with_globs(&anywhere);
        }
        reliance
    }

    /// Files and folders to compare.
    pub(super) fn compared(&self) -> impl Iterator<Item = &BString> {
        self.paths.iter().chain(&self.starts)
    }

    /// Whether a file that differs is one of those.
    pub(super) fn has(&self, change: &FileChange) -> bool {
        let (file, is_new) = (&change.path, change.kind == ChangeKind::Added);
        let is_by_product = |part: &[u8]| BY_PRODUCTS.iter().any(|name| name.as_bytes() == part);
        if is_new && file.split_str("/").any(is_by_product) {
            return false;
        }
        self.names(file.as_ref())
    }

    fn names(&self, file: &BStr) -> bool {
        let is_named = self.paths.iter().any(|path| is_at_or_below(file, path.as_ref()));
        is_named || self.globs.is_match(file.to_path_lossy())
    }
}

/// Tells which checks rely on what differs between base and head.
pub(super) fn judge(projects: &[Project<'_>], configs: &[Config], planned: &[Planned], strict: bool) -> Vec<Judged> {
    let mut judged = Vec::new();
    for (at, (project, config)) in projects.iter().zip(configs).enumerate() {
        let item = Item::new(project.root(), ItemKind::Project, "touched-checks");
        let mut findings = Vec::new();
        // Criteria that share their tests are told once.
        let mut groups: BTreeMap<&[String], Vec<&Planned>> = BTreeMap::new();
        for one in planned.iter().filter(|one| one.project == at && !one.touched.is_empty()) {
            groups.entry(&one.touched).or_default().push(one);
        }
        for (touched, criteria) in groups {
            let one = criteria[0];
            let path: &BStr = one.criterion.path.as_ref();
            let side = project.compared().filter(|_| one.is_of_base).map_or(project, |compared| &compared.base);
            let text = side.snapshot().read(path).ok().map(Text::from_bytes);
            let place = Place { file: path, line: one.criterion.line, anchor: "criteria", text: text.as_ref() };
            let (shown, rest) = touched.split_at(touched.len().min(MAX_SHOWN));
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            let others = match criteria.len() {
                1 => String::new(),
                number => format!(" and {} more", number - 1),
            };
            let message = format!(
                "the diff changes {}{more}, and the checks of `{}`{others} rely on that",
                shown.join(", "),
                one.criterion.id
            );
            let fix = "read that part of the diff; list the files in `protect` to forbid such edits";
            Sink::new(&rules::criteria::touched::RULE, &item, path, None, &mut findings)
                .report_at(place, message, fix)
                .about(&one.criterion.requirement);
        }
        config.apply(&mut findings);
        if !findings.is_empty() {
            judged.push(Judged::without_scenarios(item, "what checks rely on differs".to_owned(), findings, strict));
        }
    }
    judged
}

/// The words of a command; of a shell line what is left of it without the shell's own characters.
fn words(command: &CommandLine) -> Vec<String> {
    match command {
        CommandLine::Argv(argv) => {
            // `sh -c '…'`, or a list in one argument.
            let parts =
                |word: &String| if word.contains(char::is_whitespace) { parts(word) } else { vec![word.clone()] };
            argv.iter().flat_map(parts).collect()
        }
        CommandLine::Shell(line) => parts(line),
    }
}

fn parts(line: &str) -> Vec<String> {
    let is_end = |c: char| c.is_whitespace() || "\"'`;|&()<>{}$=".contains(c);
    line.split(is_end).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A word as a path from the top of the tree, when it can be one.
fn path(word: &str) -> Option<BString> {
    let word = word.rsplit('=').next().unwrap_or(word);
    // `tests/test_a.py::test_b`
    let word = word.split("::").next().unwrap_or(word);
    let word = word.trim_end_matches("/...").trim_end_matches("/**");
    let is_path = |c: char| c.is_alphanumeric() || "_./-@+".contains(c);
    if word.starts_with(['-', '/', '~']) || !word.chars().all(is_path) {
        return None;
    }
    let parts: Vec<&str> = word.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.is_empty() || parts.iter().any(|part| part.starts_with("..")) {
        return None;
    }
    Some(BString::from(parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_paths() {
        assert_eq!(path("./tests/test_a.py::test_b"), Some("tests/test_a.py".into()));
        assert_eq!(path("--config=conf/jest.js"), Some("conf/jest.js".into()));
        assert_eq!(path("./pkg/..."), Some("pkg".into()));
        for word in ["--test", "/usr/bin/cargo", "../x", ".", "./...", "a b", "test(x)"] {
            assert_eq!(path(word), None, "{word}");
        }
    }

    #[test]
    fn a_program_brings_its_settings() {
        let argv = ["cargo", "test", "--test", "cli"].map(str::to_owned);
        let reliance = Reliance::of_words(&argv);
        for file in [".cargo/config.toml", "tests/cli.rs", "tests/cli/a.rs", "Cargo.toml"] {
            assert!(reliance.names(BStr::new(file)), "{file}");
        }
        assert!(!reliance.names(BStr::new("tests/client.rs")));
        let argv = ["python", "-m", "pytest"].map(str::to_owned);
        for file in ["pytest.py", "conftest.py", "tests/unit/conftest.py", "pyproject.toml"] {
            assert!(Reliance::of_words(&argv).names(BStr::new(file)), "{file}");
        }
        let line = "cd x && ./scripts/check.sh 'a'".to_owned();
        let argv = ["sh", "-c", &line].map(str::to_owned).to_vec();
        for command in [CommandLine::Argv(argv), CommandLine::Shell(line)] {
            assert!(Reliance::of_words(&words(&command)).names(BStr::new("scripts/check.sh")));
        }
    }
}
