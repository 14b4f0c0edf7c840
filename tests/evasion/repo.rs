//! A repository in a scratch folder, cut off from the machine it runs on, and the gate run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::session::Session;

/// A main spec.
pub const AUTH: &str = "openspec/specs/auth/spec.md";

/// A delta of an open change for [`AUTH`].
pub const DELTA: &str = "openspec/changes/add-logout/specs/auth/spec.md";

/// The tasks of that change.
pub const TASKS: &str = "openspec/changes/add-logout/tasks.md";

/// Its proposal.
pub const PROPOSAL: &str = "openspec/changes/add-logout/proposal.md";

/// Where [`Repo::archive`] moves that change.
pub const MOVED: &str = "openspec/changes/archive/2026-02-02-add-logout";

/// A file of an archived change.
pub const ARCHIVED: &str = "openspec/changes/archive/2026-01-01-add-auth/proposal.md";

/// A file that is no spec.
pub const SOURCE: &str = "src/main.rs";

/// A spec in the reference's form, with one requirement of that name.
pub fn spec(requirement: &str) -> String {
    format!(
        "# Spec\n\n## Purpose\nLets people who have an account prove who they are before anything is shown to \
         them.\n\n## Requirements\n\n### Requirement: {requirement}\nThe system SHALL answer within 1 second and MUST NOT \
         store a password.\n\n#### Scenario: Right password\n- **WHEN** the password is right\n- **THEN** the user is \
         let in\n- **AND** the sign-in is logged\n\n#### Scenario: Wrong password\n- **WHEN** the password is wrong\n- \
         **THEN** the user is refused\n"
    )
}

const DELTA_TEXT: &str = "## ADDED Requirements\n\n### Requirement: Sign out\nThe system SHALL end the session within 1 \
    second.\n\n#### Scenario: Sign out\n- **WHEN** the user signs out\n- **THEN** the session ends\n";

const PROPOSAL_TEXT: &str = "# Add logout\n\n## Why\nPeople who share a computer need a way to end their session before \
    they leave it to others.\n\n## What Changes\n- Sign out\n- End sessions on the server\n";

const TASKS_TEXT: &str = "## 1. Work\n- [ ] 1.1 Write it\n- [ ] 1.2 Test it\n\n```\n- [ ] 1.3 An example\n```\n";

/// What every repository starts with.
fn files() -> Vec<(&'static str, String)> {
    vec![
        (AUTH, spec("Sign in")),
        ("openspec/specs/billing/spec.md", spec("Pay")),
        (DELTA, DELTA_TEXT.to_owned()),
        (TASKS, TASKS_TEXT.to_owned()),
        (PROPOSAL, PROPOSAL_TEXT.to_owned()),
        (ARCHIVED, "# Add auth\n\n## Why\nNobody could sign in.\n".to_owned()),
        ("openspec/config.yaml", "schema: spec-driven\n".to_owned()),
        (SOURCE, "fn main() {}\n".to_owned()),
        ("tests/auth.rs", "#[test]\nfn signs_in() {}\n".to_owned()),
    ]
}

/// A repository with a work tree.
pub struct Repo {
    scratch: TempDir,
    top: PathBuf,
}

impl Repo {
    /// One without any commit or file.
    pub fn empty(init: &[&str]) -> Self {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let top = fs::canonicalize(scratch.path()).expect("a real path").join("work");
        fs::create_dir(&top).expect("a folder");
        fs::create_dir(top.with_file_name("home")).expect("a folder");
        let repo = Self { scratch, top };
        repo.git(&[&["init", "-q", "-b", "main"], init].concat());
        repo
    }

    /// One with a project on `main`, and a branch `work` from there checked out.
    pub fn new() -> Self {
        Self::with(&[])
    }

    /// The same, made with these arguments of `git init`.
    pub fn with(init: &[&str]) -> Self {
        let repo = Self::empty(init);
        for (path, text) in files() {
            repo.write(path, text);
        }
        repo.commit("base");
        repo.git(&["checkout", "-q", "-b", "work"]);
        repo
    }

    /// The same, with further files on `main`.
    pub fn based_on(further: &[(&str, &str)]) -> Self {
        let repo = Self::empty(&[]);
        for (path, text) in files() {
            repo.write(path, text);
        }
        for (path, text) in further {
            repo.write(path, text);
        }
        repo.commit("base");
        repo.git(&["checkout", "-q", "-b", "work"]);
        repo
    }

    /// The top of the work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// A path in the scratch folder, outside the repository.
    pub fn outside(&self, name: &str) -> PathBuf {
        self.top.with_file_name(name)
    }

    /// A path in the work tree.
    pub fn path(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    /// Writes a file and the folders above it.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
        fs::write(path, content).expect("a file");
    }

    /// Reads a text file.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("a text file")
    }

    /// Replaces text that must be there.
    pub fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no `{from}`");
        self.write(path, text.replace(from, to));
    }

    /// Weakens the main spec.
    pub fn weaken(&self) {
        self.replace(AUTH, " within 1 second", "");
    }

    /// Changes what may be changed.
    pub fn edit_source(&self) {
        self.write(SOURCE, "fn main() { println!(\"done\"); }\n");
    }

    /// Removes a file or folder.
    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
            .expect("removable");
    }

    /// Renames a file or folder.
    pub fn rename(&self, from: &str, to: &str) {
        let to = self.path(to);
        fs::create_dir_all(to.parent().expect("a folder above")).expect("folders");
        fs::rename(self.path(from), to).expect("renamable");
    }

    /// Makes a symbolic link.
    pub fn link(&self, target: impl AsRef<Path>, path: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
        std::os::unix::fs::symlink(target, path).expect("a link");
    }

    /// Runs git, which must succeed, and returns what it prints.
    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.top, &[], args)
    }

    /// Runs git in a folder, with variables.
    pub fn git_in(&self, folder: &Path, env: &[(&str, &str)], args: &[&str]) -> String {
        let output = self.try_git(folder, env, args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {stderr}");
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Runs git, which may fail.
    pub fn try_git(&self, folder: &Path, env: &[(&str, &str)], args: &[&str]) -> Output {
        let mut command = self.clean("git", folder);
        // Commits get the same id in every run, and the machine's own configuration has no say.
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_TEMPLATE_DIR", "");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Eve").env(format!("GIT_{role}_EMAIL"), "eve@example.com");
            command.env(format!("GIT_{role}_DATE"), "2026-01-02T03:04:05Z");
        }
        command.args([
            "-c",
            "protocol.file.allow=always",
            "-c",
            "advice.detachedHead=false",
            "-c",
            "gc.auto=0",
            "-c",
            "core.fsync=none",
        ]);
        command.args(args).envs(env.iter().copied()).output().expect("git runs")
    }

    /// Commits everything there is.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.id("HEAD")
    }

    /// The id of a revision.
    pub fn id(&self, revision: &str) -> String {
        self.git(&["rev-parse", revision])
    }

    /// Writes an object whatever it holds, and returns its id.
    pub fn object(&self, kind: &str, content: &[u8]) -> String {
        let file = self.outside("object");
        fs::write(&file, content).expect("a file");
        let file = file.to_str().expect("a name in ASCII");
        self.git(&["hash-object", "-w", "--literally", "-t", kind, file])
    }

    /// Runs `specward verify` at the top.
    pub fn verify(&self, args: &[&str]) -> Outcome {
        self.verify_in(&self.top, &[], args)
    }

    /// Runs it with variables.
    pub fn verify_env(&self, env: &[(&str, &str)], args: &[&str]) -> Outcome {
        self.verify_in(&self.top, env, args)
    }

    /// Runs it in a folder, with variables.
    pub fn verify_in(&self, folder: &Path, env: &[(&str, &str)], args: &[&str]) -> Outcome {
        let mut command = self.clean(env!("CARGO_BIN_EXE_specward"), folder);
        command.args(["verify", "--format", "agent"]).args(args).envs(env.iter().copied());
        Outcome::of(&command.output().expect("specward runs"))
    }

    /// Runs another command, with variables.
    pub fn run_env(&self, env: &[(&str, &str)], args: &[&str]) -> Outcome {
        let mut command = self.clean(env!("CARGO_BIN_EXE_specward"), &self.top);
        Outcome::of(&command.args(args).envs(env.iter().copied()).output().expect("specward runs"))
    }

    /// The work tree against `main`, frozen.
    pub fn frozen(&self) -> Outcome {
        self.verify(&["--changed", "--frozen-spec"])
    }

    /// What a CI runs: HEAD against `main`, frozen.
    pub fn frozen_commits(&self) -> Outcome {
        self.verify(&["--changed", "--frozen-spec", "--base", "main", "--head", "HEAD"])
    }

    /// What a commit hook runs.
    pub fn frozen_index(&self) -> Outcome {
        self.verify(&["--staged", "--frozen-spec"])
    }

    /// The work tree against `main`, what the workflow explains aside. Checks are not what these tests are about.
    pub fn explained(&self) -> Outcome {
        self.verify(&["--changed", "--frozen-spec=explained", "--no-checks"])
    }

    /// The same in a CI.
    pub fn explained_commits(&self) -> Outcome {
        self.verify(&["--changed", "--frozen-spec=explained", "--no-checks", "--base", "main", "--head", "HEAD"])
    }

    /// The same in a commit hook.
    pub fn explained_index(&self) -> Outcome {
        self.verify(&["--staged", "--frozen-spec=explained", "--no-checks"])
    }

    /// Archives the open change as the reference does: its folder moves, its delta is merged.
    pub fn archive(&self) {
        let delta = self.read(DELTA);
        self.rename("openspec/changes/add-logout", MOVED);
        let merged = self.read(AUTH) + &delta.replace("## ADDED Requirements\n", "");
        self.write(AUTH, merged);
    }

    /// A command with nothing of our environment but what a program needs to start.
    pub fn clean(&self, program: &str, folder: &Path) -> Command {
        #[expect(clippy::disallowed_methods, reason = "tests run programs")]
        let mut command = Command::new(program);
        command.env_clear();
        let needed = ["PATH", "TMPDIR", "LLVM_PROFILE_FILE"];
        #[expect(clippy::disallowed_methods, reason = "a program needs these to start")]
        command.envs(needed.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        let home = self.outside("home");
        command.env("HOME", &home).env("XDG_CONFIG_HOME", &home).env("NO_COLOR", "1").current_dir(folder);
        command
    }

    /// Keeps the folder, to look at it.
    #[allow(dead_code, reason = "for whoever debugs a test")]
    pub fn keep(self) -> PathBuf {
        self.scratch.keep()
    }
}

/// What a run came to.
#[derive(Debug)]
pub struct Outcome {
    code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}

impl Outcome {
    /// Reads a finished process.
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    #[track_caller]
    fn check(&self, verdict: &str, code: i32, names: &[&str]) {
        let first = self.stdout.split('\n').next().unwrap_or_default();
        assert_eq!((first, self.code), (format!("SPECWARD VERDICT: {verdict}").as_str(), Some(code)), "{self}");
        // The head of a report names what changed in any case; the reason has to name it too.
        let reasons: String = self.stdout.lines().skip(3).collect::<Vec<_>>().join("\n");
        for name in names {
            assert!(reasons.contains(name), "no reason names `{name}`:\n{self}");
        }
    }

    /// This exit code, and it prints all of this.
    #[track_caller]
    pub fn exits(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{self}");
        for words in says {
            assert!(self.stdout.contains(words), "`{words}` is missing:\n{self}");
        }
    }

    /// PASS, exit code 0.
    #[track_caller]
    pub fn passes(&self) {
        self.check("PASS", 0, &[]);
    }

    /// FAIL, exit code 1, and the reason names all of this.
    #[track_caller]
    pub fn fails(&self, names: &[&str]) {
        self.check("FAIL", 1, names);
    }

    /// FAIL because these files of the spec set were edited.
    #[track_caller]
    pub fn fails_frozen(&self, paths: &[&str]) {
        let paths: Vec<String> = paths.iter().map(|path| format!("freeze/spec-changed at {path}:")).collect();
        self.fails(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// UNVERIFIABLE, exit code 3, and the reason names all of this.
    #[track_caller]
    pub fn is_unverifiable(&self, names: &[&str]) {
        self.check("UNVERIFIABLE", 3, &[]);
        for name in names {
            assert!(self.stdout.contains(name), "no reason names `{name}`:\n{self}");
        }
    }

    /// Exit code 2, and the reason names all of this.
    #[track_caller]
    pub fn could_not_run(&self, names: &[&str]) {
        self.check("UNVERIFIABLE", 2, &[]);
        for name in names {
            assert!(self.stdout.contains(name), "no reason names `{name}`:\n{self}");
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {:?}\n{}\n{}", self.code, self.stdout, self.stderr)
    }
}

/// Does something to the specs that must fail wherever it is seen: in the work tree, in the index, in commits. The same
/// repository passes before.
#[track_caller]
pub fn must_fail(repo: &Repo, cheat: impl FnOnce(&Repo), paths: &[&str]) {
    repo.edit_source();
    repo.frozen().passes();
    let session = Session::begin(repo);
    session.passes();
    cheat(repo);
    session.is_blocked(paths);
    repo.frozen().fails_frozen(paths);
    repo.git(&["add", "-A"]);
    repo.frozen_index().fails_frozen(paths);
    repo.git(&["commit", "-q", "-m", "cheat"]);
    repo.frozen().fails_frozen(paths);
    repo.frozen_commits().fails_frozen(paths);
    session.is_blocked(paths);
}

/// Does something that nothing explains: it must fail wherever it is seen, by these `rule at path`. The same repository
/// passes before.
#[track_caller]
pub fn must_fail_explained(repo: &Repo, cheat: impl FnOnce(&Repo), reasons: &[&str]) {
    repo.edit_source();
    repo.explained().passes();
    let session = Session::explained(repo);
    cheat(repo);
    repo.explained().fails(reasons);
    repo.git(&["add", "-A"]);
    repo.explained_index().fails(reasons);
    repo.git(&["commit", "-q", "-m", "cheat"]);
    repo.explained().fails(reasons);
    repo.explained_commits().fails(reasons);
    if let Some(session) = session {
        session.is_blocked(reasons);
    }
}

/// Does something legitimate: it must pass wherever it is seen.
#[track_caller]
pub fn must_pass_explained(repo: &Repo, work: impl FnOnce(&Repo)) {
    let session = Session::explained(repo);
    work(repo);
    repo.explained().passes();
    repo.git(&["add", "-A"]);
    repo.explained().passes();
    repo.explained_index().passes();
    repo.git(&["commit", "-q", "--allow-empty", "-m", "work"]);
    repo.explained().passes();
    repo.explained_commits().passes();
    // The end of a turn runs new checks too, which is not what these tests are about.
    if let Some(session) = session.filter(|_| !repo.path("openspec/verify").exists()) {
        session.passes();
    }
}
