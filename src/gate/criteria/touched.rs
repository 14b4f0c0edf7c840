//! What a check relies on, by what it names, and which of that the diff changes.

use bstr::{BStr, BString, ByteSlice};
use globset::GlobSet;

use super::plan::Planned;
use crate::config::{Config, globs};
use crate::criteria::{Check, CheckKind, CommandLine, NewerThan};
use crate::gate::work::Judged;
use crate::openspec::project::Project;
use crate::openspec::text::Text;
use crate::report::{Item, ItemKind, count};
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
            "tests/conftest.py",
            "test/conftest.py",
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

/// What a check relies on.
#[derive(Debug, Default)]
pub(super) struct Reliance {
    /// Files and folders, from the top of the tree.
    pub(super) paths: Vec<BString>,
    /// Globs among which files count; the paths to compare for them are in `paths` too.
    globs: GlobSet,
}

impl Reliance {
    /// What a check names.
    pub(super) fn of(check: &Check) -> Self {
        match &check.kind {
            CheckKind::Command(command) => Self::of_words(&words(&command.command)),
            CheckKind::File(file) => Self { paths: path(&file.path).into_iter().collect(), globs: GlobSet::empty() },
            CheckKind::Search(search) => Self::of_globs(&search.files),
            CheckKind::Junit(junit) => match &junit.newer_than {
                NewerThan::Run => Self::default(),
                NewerThan::Files(globs) => Self::of_globs(globs),
            },
            CheckKind::Judge(_) => Self::default(),
        }
    }

    fn of_globs(list: &[String]) -> Self {
        let paths =
            list.iter().map(|glob| globs::literal_prefix(globs::from_top(glob))).filter(|path| !path.is_empty());
        Self { paths: paths.collect(), globs: globs::set("files", list).unwrap_or_default() }
    }

    fn of_words(words: &[String]) -> Self {
        let mut paths = Vec::new();
        for (programs, settings) in SETTINGS {
            let is_it = |word: &String| programs.contains(&word.rsplit('/').next().unwrap_or(word));
            if words.iter().take(8).any(is_it) {
                paths.extend(settings.iter().map(|path| BString::from(*path)));
            }
        }
        for (at, word) in words.iter().enumerate().take(MAX_WORDS) {
            if matches!(word.as_str(), "--test" | "--bench" | "--example")
                && let Some(name) = words.get(at + 1).and_then(|name| path(name))
            {
                paths.push(BString::from(format!("tests/{name}.rs")));
                paths.push(BString::from(format!("tests/{name}")));
            }
            paths.extend(path(word));
        }
        Self { paths, globs: GlobSet::empty() }
    }

    /// Whether a file that differs is one of those.
    pub(super) fn has(&self, file: &BString) -> bool {
        if !self.globs.is_empty() {
            return self.globs.is_match(file.to_path_lossy());
        }
        self.paths.iter().any(|path| crate::gate::frozen::is_at_or_below(file.as_ref(), path.as_ref()))
    }
}

/// Tells which checks rely on what differs between base and head.
pub(super) fn judge(projects: &[Project<'_>], configs: &[Config], planned: &[Planned], strict: bool) -> Vec<Judged> {
    let mut judged = Vec::new();
    for (at, (project, config)) in projects.iter().zip(configs).enumerate() {
        let item = Item::new(project.root(), ItemKind::Project, "touched-checks");
        let mut findings = Vec::new();
        for one in planned.iter().filter(|one| one.project == at && !one.touched.is_empty()) {
            let path: &BStr = one.criterion.path.as_ref();
            let side = project.compared().filter(|_| one.is_of_base).map_or(project, |compared| &compared.base);
            let text = side.snapshot().read(path).ok().map(Text::from_bytes);
            let place = Place { file: path, line: one.criterion.line, anchor: "criteria", text: text.as_ref() };
            let (shown, rest) = one.touched.split_at(one.touched.len().min(MAX_SHOWN));
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            let message = format!(
                "the diff changes {}{more}, and the checks of `{}` rely on that",
                shown.join(", "),
                one.criterion.id
            );
            Sink::new(&rules::criteria::touched::RULE, &item, path, None, &mut findings)
                .report_at(
                    place,
                    message,
                    "read that part of the diff; list the files in `protect` to forbid such edits",
                )
                .about(&one.criterion.requirement);
        }
        config.apply(&mut findings);
        if !findings.is_empty() {
            let title = count(findings.len(), "criterion").replace("criterions", "criteria");
            judged.push(Judged::without_scenarios(item, format!("{title} whose inputs differ"), findings, strict));
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
            assert!(reliance.has(&BString::from(file)), "{file}");
        }
        assert!(!reliance.has(&BString::from("tests/client.rs")));
        let line = "cd x && ./scripts/check.sh 'a'".to_owned();
        let argv = ["sh", "-c", &line].map(str::to_owned).to_vec();
        for command in [CommandLine::Argv(argv), CommandLine::Shell(line)] {
            assert!(Reliance::of_words(&words(&command)).has(&BString::from("scripts/check.sh")));
        }
    }
}
