//! A repository whose implementation is proved by a check, and what a run of it says.

use serde_json::Value;

use crate::repo::{Outcome, Repo, SOURCE};

/// The criteria of the capability `auth`.
pub const FILE: &str = "openspec/verify/auth.yaml";

/// What their check runs: it looks at the implementation.
pub const SCRIPT: &str = "tests/sign-in.sh";

/// The gate's configuration.
pub const CONFIG: &str = "openspec/specward.yaml";

/// The criteria base has.
pub const CRITERIA: &str = "version: 1
criteria:
  - requirement: Sign in
    scenario: Right password
    id: sign-in
    verify:
      - command: [sh, tests/sign-in.sh]
        name: acceptance
        timeout: 60s
        expect: { exit: 0, stdout: { contains: it works } }
";

/// The implementation that does what the scenario says, and one that does not.
pub const GOOD: &str = "fn main() { sign_in(); }\n";
pub const BROKEN: &str = "fn main() { todo!(); }\n";

/// Passes with [`GOOD`] and with nothing else.
pub const LOOKS: &str =
    "if grep -q 'sign_in()' src/main.rs; then echo it works; else echo sign-in is broken; exit 1; fi\n";

/// Passes with everything.
pub const NODS: &str = "echo it works\n";

/// Criteria of `auth` with one check, which is this.
pub fn criteria(check: &str) -> String {
    format!(
        "version: 1\ncriteria:\n  - requirement: Sign in\n    scenario: Right password\n    id: sign-in\n    verify:\n      - \
         {check}\n"
    )
}

/// One with a script that tells a good implementation from a bad one, and a good one.
pub fn repo() -> Repo {
    with(&[])
}

/// The same with further files, or others, on `main`.
pub fn with(further: &[(&str, &str)]) -> Repo {
    Repo::based_on(&[&[(FILE, CRITERIA), (SCRIPT, LOOKS), (SOURCE, GOOD)], further].concat())
}

/// One whose only check on `main` is this, with further files.
pub fn checked_by(check: &str, further: &[(&str, &str)]) -> Repo {
    with(&[&[(FILE, criteria(check).as_str())], further].concat())
}

/// Ways to look at a repository: arguments of `verify`.
pub const WORKTREE: &[&str] = &["--changed", "--frozen-spec"];
pub const INDEX: &[&str] = &["--staged", "--frozen-spec"];
pub const COMMITS: &[&str] = &["--changed", "--frozen-spec", "--base", "main", "--head", "HEAD"];

/// Makes a file a program.
pub fn executable(repo: &Repo, path: &str) {
    let status = repo.clean("chmod", repo.top()).args(["+x", path]).status().expect("chmod runs");
    assert!(status.success());
}

/// Runs the criterion `sign-in` alone, against `main`.
pub fn run(repo: &Repo) -> Outcome {
    repo.verify(&[WORKTREE, &["--only", "sign-in"]].concat())
}

/// Runs a command of specward at the top.
pub fn specward(repo: &Repo, args: &[&str]) -> Outcome {
    specward_with(repo, &[], args)
}

/// Runs it with variables.
pub fn specward_with(repo: &Repo, env: &[(&str, &str)], args: &[&str]) -> Outcome {
    let mut command = repo.clean(env!("CARGO_BIN_EXE_specward"), repo.top());
    Outcome::of(&command.args(args).envs(env.iter().copied()).output().expect("specward runs"))
}

/// The JSON report of a run.
pub fn json(repo: &Repo, args: &[&str]) -> Value {
    let outcome = specward(repo, &[&["verify", "--format", "json"], args].concat());
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}\n{outcome}"))
}

/// A criterion of a JSON report.
#[track_caller]
pub fn criterion<'r>(report: &'r Value, id: &str) -> &'r Value {
    let all = report["criteria"].as_array().expect("a list");
    all.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("`{id}` was not run: {report:#}"))
}

/// The implementation is broken and the criterion tampered with: base's check says so wherever it is seen. With
/// `--only`, the same.
#[track_caller]
pub fn must_fail_by_base(repo: &Repo, cheat: impl FnOnce(&Repo)) {
    run(repo).passes();
    repo.write(SOURCE, BROKEN);
    run(repo).fails(&["sign-in is broken"]);
    cheat(repo);
    says_base_failed(repo, WORKTREE);
    repo.git(&["add", "-A"]);
    says_base_failed(repo, INDEX);
    repo.git(&["commit", "-q", "-m", "cheat"]);
    says_base_failed(repo, WORKTREE);
    says_base_failed(repo, COMMITS);
}

#[track_caller]
fn says_base_failed(repo: &Repo, args: &[&str]) {
    let outcome = repo.verify(args);
    outcome.fails(&["## sign-in: ", "Failed check: 1 command acceptance\n", "  | sign-in is broken"]);
    let only = repo.verify(&[args, &["--only", "sign-in"]].concat());
    only.fails(&["  | sign-in is broken"]);
}
