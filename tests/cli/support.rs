//! A scratch repository and the program in it, both cut off from the machine.

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The program under test.
pub const SPECWARD: &str = env!("CARGO_BIN_EXE_specward");

/// Who runs longer than this hangs. Far above what anything here takes, so that a slow machine fails nothing.
const PATIENCE: Duration = Duration::from_secs(90);

/// A main spec without any fault.
pub const SPEC: &str = "# Auth

## Purpose
Lets people in who can prove who they are, and keeps everybody else out.

## Requirements

### Requirement: Sign in
The system SHALL let users sign in with a password.

#### Scenario: Right password
- **WHEN** the password is right
- **THEN** the user is in
";

/// A main spec whose requirement, on line 8, has no scenario.
pub fn faulty() -> String {
    SPEC[..SPEC.find("#### Scenario").expect("it is there")].to_owned()
}

/// Where [`faulty`] begins to differ from [`SPEC`]: it ends there.
pub const FAULT: u64 = 10;

/// A delta without any fault that adds a requirement to whatever spec it is for.
pub const DELTA: &str = "## ADDED Requirements

### Requirement: Sign out
The system SHALL let users sign out.

#### Scenario: Signed out
- **WHEN** a user signs out
- **THEN** the session ends
";

/// Where the main spec `auth` lies.
pub const AUTH: &str = "openspec/specs/auth/spec.md";

/// A folder with a repository in it (or not), a home, and nothing else.
pub struct Sandbox {
    _folder: tempfile::TempDir,
    /// Everything of this sandbox.
    pub top: PathBuf,
    /// Where commands run.
    pub root: PathBuf,
    env: Vec<(String, std::ffi::OsString)>,
}

impl Sandbox {
    /// An empty folder, no repository.
    pub fn bare_folder() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        // Links resolved: the program prints real paths, and on macOS the folder for temporary files is a link.
        let top = fs::canonicalize(folder.path()).expect("a path");
        let root = top.join("root");
        for folder in [&root, &top.join("home")] {
            fs::create_dir(folder).expect("a folder");
        }
        Self { _folder: folder, top, root, env: Vec::new() }
    }

    /// A project with one good spec and no repository.
    pub fn project() -> Self {
        let sandbox = Self::bare_folder();
        sandbox.write(AUTH, SPEC);
        sandbox
    }

    /// A repository with one good spec, committed on `main`.
    pub fn repository() -> Self {
        let sandbox = Self::project();
        sandbox.init(&[]);
        sandbox.commit("first");
        sandbox
    }

    /// A repository as [`Sandbox::repository`], with the branch `work` checked out on top of `main`.
    pub fn on_branch() -> Self {
        let sandbox = Self::repository();
        sandbox.git(&["switch", "-qc", "work"]);
        sandbox
    }

    /// Makes the folder a repository.
    pub fn init(&self, options: &[&str]) {
        self.git(&[&["init", "-q", "-b", "main"], options].concat());
    }

    /// The same files seen from another folder below the sandbox.
    pub fn at(&self, folder: impl AsRef<Path>) -> Self {
        // The new value keeps no folder alive: the one it comes from must live longer, as it does in every test.
        let own = tempfile::tempdir().expect("a scratch folder");
        Self { _folder: own, top: self.top.clone(), root: self.root.join(folder), env: self.env.clone() }
    }

    /// A path inside.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// Writes a file and the folders above it.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Makes a symbolic link and the folders above it.
    #[cfg(unix)]
    pub fn link(&self, path: impl AsRef<Path>, target: impl AsRef<Path>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::os::unix::fs::symlink(target, &path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Sets a variable for every command to come.
    pub fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.env.push((name.to_owned(), value.as_ref().to_owned()));
    }

    /// Runs git and demands that it works.
    pub fn git(&self, args: &[&str]) -> String {
        let outcome = self.try_git(args);
        assert_eq!(outcome.code, Some(0), "git {args:?}: {}{}", outcome.stdout, outcome.stderr);
        outcome.stdout.trim_end().to_owned()
    }

    /// Runs git.
    pub fn try_git(&self, args: &[&str]) -> Outcome {
        run(self.command("git").args(args))
    }

    /// Commits everything and returns the commit's id.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.head()
    }

    /// The commit that is checked out.
    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs the program. Whatever it does, it must not crash and must end with one of its four exit codes.
    pub fn run(&self, args: &[&str]) -> Outcome {
        let outcome = run(self.command(SPECWARD).args(args));
        let what = format!("specward {args:?}\n{}\n{}", outcome.shown(), outcome.stderr);
        assert!(matches!(outcome.code, Some(0..=3)), "ended with {:?}: {what}", outcome.code);
        assert!(!outcome.stderr.contains("panicked") && !outcome.stderr.contains("specward crashed"), "{what}");
        assert!(!outcome.stdout.contains("repo/crashed"), "{what}");
        outcome
    }

    /// Runs the program with something on standard input.
    pub fn feed(&self, args: &[&str], input: impl AsRef<[u8]>) -> Outcome {
        let mut file = tempfile::tempfile().expect("a scratch file");
        file.write_all(input.as_ref()).and_then(|()| file.rewind()).expect("it can be written");
        let outcome = run_on(self.command(SPECWARD).args(args), file.into());
        assert!(!outcome.stderr.contains("panicked"), "specward {args:?}\n{}\n{}", outcome.shown(), outcome.stderr);
        outcome
    }

    /// `verify --format agent` with further words.
    pub fn agent(&self, args: &[&str]) -> Outcome {
        self.run(&[&["verify", "--format", "agent"], args].concat())
    }

    /// `verify --format json` with further words.
    pub fn json(&self, args: &[&str]) -> Judged {
        let outcome = self.run(&[&["verify", "--format", "json"], args].concat());
        let report: Value = serde_json::from_str(&outcome.stdout)
            .unwrap_or_else(|error| panic!("{args:?}: {error}\n{}\n{}", outcome.shown(), outcome.stderr));
        assert_eq!(report["exit_code"].as_i64(), outcome.code.map(i64::from), "{report:#}");
        assert_eq!(outcome.code == Some(0), report["verdict"] == "PASS", "{report:#}");
        Judged { report, outcome }
    }

    /// A command in this folder with nothing of our environment but what a program needs to start.
    #[expect(clippy::disallowed_methods, reason = "these tests run programs")]
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear();
        let needed = ["PATH", "SystemRoot", "TMPDIR", "TEMP", "TMP", "LLVM_PROFILE_FILE"];
        command.envs(needed.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        let home = self.top.join("home");
        command.env("HOME", &home).env("USERPROFILE", &home).env("XDG_CONFIG_HOME", &home);
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Test").env(format!("GIT_{role}_EMAIL"), "test@example.com");
            command.env(format!("GIT_{role}_DATE"), "2026-01-02T03:04:05Z");
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value))).current_dir(&self.root);
        command
    }
}

/// What a command did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Exit code, none when it was killed.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Outcome {
    /// The start of standard output, for messages.
    pub fn shown(&self) -> &str {
        let end = self.stdout.char_indices().nth(4000).map_or(self.stdout.len(), |(at, _)| at);
        &self.stdout[..end]
    }

    /// Demands an exit code.
    #[track_caller]
    pub fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.shown(), self.stderr);
        self
    }

    /// Demands that standard output contains something.
    #[track_caller]
    pub fn says(&self, words: &str) -> &Self {
        assert!(self.stdout.contains(words), "`{words}` is missing in\n{}\n{}", self.shown(), self.stderr);
        self
    }

    /// Demands that standard error contains something.
    #[track_caller]
    pub fn complains(&self, words: &str) -> &Self {
        assert!(self.stderr.contains(words), "`{words}` is missing in\n{}", self.stderr);
        self
    }

    /// Demands that neither stream contains something.
    #[track_caller]
    pub fn never_says(&self, words: &str) -> &Self {
        assert!(!self.stdout.contains(words), "`{words}` is in\n{}", self.shown());
        assert!(!self.stderr.contains(words), "`{words}` is in\n{}", self.stderr);
        self
    }
}

/// A JSON report and the run it is of.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The report.
    pub report: Value,
    /// The run.
    pub outcome: Outcome,
}

impl Judged {
    /// Demands a verdict. The exit code is compared with it.
    #[track_caller]
    pub fn is(&self, verdict: &str) -> &Self {
        assert_eq!(self.report["verdict"], verdict, "{:#}", self.report);
        let code = match verdict {
            "PASS" => 0,
            "FAIL" => 1,
            _ => 3,
        };
        assert_eq!(self.outcome.code, Some(code), "{:#}", self.report);
        self
    }

    /// Demands a finding of a rule in a file at a line. Every finding says what to do.
    #[track_caller]
    pub fn finds(&self, rule: &str, path: &str, line: u64) -> &Self {
        let all = self.report["findings"].as_array().expect("a list");
        for finding in all {
            assert!(finding["fix"].as_str().is_some_and(|fix| !fix.is_empty()), "{finding:#}");
            assert!(finding["line"].as_u64().is_some_and(|line| line > 0), "{finding:#}");
        }
        let is_it = |finding: &&Value| finding["rule"] == rule && finding["path"] == path && finding["line"] == line;
        assert!(all.iter().any(|finding| is_it(&finding)), "{rule} {path}:{line} is missing in {:#}", self.report);
        self
    }

    /// Demands that an item has a verdict.
    #[track_caller]
    pub fn judges(&self, id: &str, verdict: &str) -> &Self {
        let all = self.report["items"].as_array().expect("a list");
        let found = all.iter().find(|item| item["id"] == id).map(|item| item["verdict"].as_str().expect("a word"));
        assert_eq!(found, Some(verdict), "{id} in {:#}", self.report);
        self
    }

    /// Demands that exactly these items were judged, as `type/id`, in any order.
    #[track_caller]
    pub fn judges_only(&self, expected: &[&str]) -> &Self {
        let mut expected: Vec<String> = expected.iter().map(|id| (*id).to_owned()).collect();
        expected.sort();
        assert_eq!(self.items(), expected, "{:#}", self.report);
        self
    }

    /// Judged specs and changes as `type/id`, with `root:` before it when there is one; sorted.
    pub fn items(&self) -> Vec<String> {
        let word = |item: &Value, key: &str| item[key].as_str().expect("a word").to_owned();
        let name = |item: &Value| {
            let (root, name) = (word(item, "root"), format!("{}/{}", word(item, "type"), word(item, "id")));
            if root.is_empty() { name } else { format!("{root}:{name}") }
        };
        let all = self.report["items"].as_array().expect("a list");
        let mut items: Vec<String> = all.iter().filter(|item| item["type"] != "project").map(name).collect();
        items.sort();
        items
    }

    /// Demands a reason that contains some words, with a way out that contains others.
    #[track_caller]
    pub fn reasons(&self, message: &str, fix: &str) -> &Self {
        let all = self.report["reasons"].as_array().expect("a list");
        let has = |value: &Value, words: &str| value.as_str().is_some_and(|text| text.contains(words));
        let is_there = all.iter().any(|reason| has(&reason["message"], message) && has(&reason["fix"], fix));
        assert!(is_there, "`{message}` / `{fix}` is missing in {:#}", self.report);
        self
    }

    /// Where the base came from.
    #[track_caller]
    pub fn compared_from(&self, commit: &str, source: &str) -> &Self {
        assert_eq!(self.report["scope"]["base"], commit, "{:#}", self.report);
        let found = self.report["scope"]["base_source"].as_str().expect("a source");
        assert!(found.contains(source), "`{source}` is missing in {:#}", self.report);
        self
    }

    /// Spec-set files in the diff.
    pub fn spec_changes(&self) -> Vec<&str> {
        self.report["spec_changes"].as_array().expect("a list").iter().filter_map(Value::as_str).collect()
    }
}

/// Runs a command to its end, or kills it when it hangs.
pub fn run(command: &mut Command) -> Outcome {
    run_on(command, Stdio::null())
}

fn run_on(command: &mut Command, stdin: Stdio) -> Outcome {
    let mut child = command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let stdout = collect(child.stdout.take().expect("a pipe"));
    let stderr = collect(child.stderr.take().expect("a pipe"));
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a status") {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().expect("it can be killed");
            child.wait().expect("a status");
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = |thread: std::thread::JoinHandle<Vec<u8>>| {
        let bytes = thread.join().expect("a reader");
        String::from_utf8(bytes).unwrap_or_else(|error| panic!("{command:?} printed no UTF-8: {error}"))
    };
    Outcome { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

fn collect(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a readable pipe");
        bytes
    })
}

/// Whether permissions mean nothing to us, as for root.
#[cfg(unix)]
pub fn ignores_permissions(sandbox: &Sandbox) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let probe = sandbox.top.join("probe");
    fs::write(&probe, "x").expect("a file");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).expect("permissions");
    fs::read(&probe).is_ok()
}

/// Makes a named pipe. Whoever opens it for reading waits for ever.
#[cfg(unix)]
pub fn pipe(sandbox: &Sandbox, path: impl AsRef<Path>) {
    let path = sandbox.path(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    let outcome = run(sandbox.command("mkfifo").arg(&path));
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}
