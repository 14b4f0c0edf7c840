//! Inside git's hooks, which run with variables of git's own.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{AUTH, FAULT, Outcome, SPEC, SPECWARD, Sandbox, faulty};

/// Installs a hook that runs the program and writes what it says and the variables it got beside the repository.
fn install(sandbox: &Sandbox, hook: &str, args: &str) {
    let script = format!(
        "#!/bin/sh\nenv | grep ^GIT_ > '{top}/hook.env'\n'{SPECWARD}' verify --format agent {args} > '{top}/hook.out' 2>&1\n\
         code=$?\necho $code > '{top}/hook.code'\nexit $code\n",
        top = sandbox.top.display(),
    );
    let folder = sandbox.git(&["rev-parse", "--git-path", "hooks"]);
    let path = sandbox.path(folder).join(hook);
    fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    fs::write(&path, script).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
}

/// Runs git and returns what the hook did, and the variables it saw.
fn hooked(sandbox: &Sandbox, args: &[&str]) -> (Outcome, Outcome, String) {
    fs::remove_file(sandbox.top.join("hook.code")).unwrap_or_default();
    let git = sandbox.try_git(args);
    let read = |name: &str| {
        fs::read_to_string(sandbox.top.join(name)).unwrap_or_else(|error| panic!("{name}: {error}; {git:?}"))
    };
    let code = read("hook.code").trim().parse().ok();
    let hook = Outcome { code, stdout: read("hook.out"), stderr: String::new() };
    let env = read("hook.env");
    (git, hook, env)
}

const OTHER: &str = "openspec/specs/other/spec.md";

/// Two committed specs, both edited in the work tree, `auth` so that it is wrong.
fn edited() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write(OTHER, SPEC);
    sandbox.init(&[]);
    sandbox.commit("first");
    install(&sandbox, "pre-commit", "--staged");
    sandbox.write(AUTH, faulty());
    sandbox.write(OTHER, SPEC.replace("keeps", "leaves"));
    sandbox
}

#[test]
fn a_commit_of_what_was_staged() {
    let sandbox = edited();
    sandbox.git(&["add", OTHER]);
    let (git, hook, env) = hooked(&sandbox, &["commit", "-qm", "second"]);
    assert!(env.contains("GIT_INDEX_FILE="), "{env}");
    hook.exits(0).says("1 judged, 1 left alone").says(&format!("SPEC CHANGED IN THIS DIFF: {OTHER}"));
    assert_eq!(git.code, Some(0), "{git:?}");
    sandbox.git(&["add", AUTH]);
    let (git, hook, _) = hooked(&sandbox, &["commit", "-qm", "third"]);
    hook.exits(1).says("spec/no-scenario at openspec/specs/auth/spec.md:8");
    assert_eq!(git.code, Some(1), "{git:?}");
}

#[test]
fn commit_all_takes_what_was_not_staged() {
    let sandbox = edited();
    let (git, hook, env) = hooked(&sandbox, &["commit", "-qam", "second"]);
    assert!(env.contains("index.lock"), "{env}");
    hook.exits(1).says("spec/no-scenario at openspec/specs/auth/spec.md:8").says("2 judged");
    assert_eq!(git.code, Some(1), "{git:?}");
}

#[test]
fn a_commit_of_one_file_takes_only_that() {
    let sandbox = edited();
    // Staged, and not part of this commit.
    sandbox.git(&["add", AUTH]);
    let (git, hook, env) = hooked(&sandbox, &["commit", "-qm", "second", OTHER]);
    assert!(env.contains("next-index"), "{env}");
    hook.exits(0).says("1 judged").never_says(AUTH);
    assert_eq!(git.code, Some(0), "{git:?}");
    let (git, hook, _) = hooked(&sandbox, &["commit", "-qm", "third", AUTH]);
    hook.exits(1).says(AUTH);
    assert_eq!(git.code, Some(1), "{git:?}");
}

#[test]
fn a_commit_from_a_folder_below() {
    let sandbox = edited();
    let below = sandbox.at("openspec/specs");
    let (_, hook, _) = hooked(&below, &["commit", "-qam", "second"]);
    hook.exits(1).says("spec/no-scenario at openspec/specs/auth/spec.md:8");
}

#[test]
fn the_first_commit_of_all() {
    let sandbox = Sandbox::project();
    sandbox.init(&[]);
    install(&sandbox, "pre-commit", "--staged");
    sandbox.git(&["add", "-A"]);
    let (git, hook, _) = hooked(&sandbox, &["commit", "-qm", "first"]);
    hook.exits(0).says("1 judged");
    assert_eq!(git.code, Some(0), "{git:?}");
}

#[test]
fn a_commit_in_a_linked_work_tree() {
    let sandbox = edited();
    sandbox.git(&["worktree", "add", "-q", "-b", "work", "../linked"]);
    let linked = sandbox.at("../linked");
    linked.write(AUTH, faulty());
    for args in [&["commit", "-qam", "second"][..], &["commit", "-qm", "second", AUTH]] {
        let (git, hook, env) = hooked(&linked, args);
        assert!(env.contains("worktrees/linked"), "{env}");
        hook.exits(1).says("spec/no-scenario at openspec/specs/auth/spec.md:8");
        assert_eq!(git.code, Some(1), "{git:?}");
    }
}

#[test]
fn a_commit_in_a_submodule() {
    let sandbox = Sandbox::bare_folder();
    let inner = Sandbox::repository();
    sandbox.init(&[]);
    let url = inner.root.to_str().expect("a path");
    sandbox.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, "sub"]);
    let sub = sandbox.at("sub");
    install(&sub, "pre-commit", "--staged");
    sub.write(AUTH, faulty());
    let (git, hook, _) = hooked(&sub, &["commit", "-qam", "second"]);
    hook.exits(1).says("spec/no-scenario at openspec/specs/auth/spec.md:8");
    assert_eq!(git.code, Some(1), "{git:?}");
}

#[test]
fn changed_before_a_push() {
    let sandbox = Sandbox::on_branch();
    sandbox.git(&["clone", "-q", "--bare", ".", "../remote.git"]);
    sandbox.git(&["remote", "add", "origin", "../remote.git"]);
    sandbox.git(&["fetch", "-q"]);
    install(&sandbox, "pre-push", "--changed --frozen-spec");
    sandbox.write(AUTH, faulty());
    sandbox.git(&["commit", "-qam", "second"]);
    let (git, hook, _) = hooked(&sandbox, &["push", "-q", "origin", "work"]);
    hook.exits(1).says("freeze/spec-changed");
    assert_eq!(git.code, Some(1), "{git:?}");
}

#[test]
fn git_dir_of_this_repository_is_understood() {
    let mut sandbox = Sandbox::on_branch();
    sandbox.write(AUTH, faulty());
    sandbox.set("GIT_DIR", ".git");
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    let mut below = sandbox.at("openspec");
    below.set("GIT_DIR", "../.git");
    below.set("GIT_WORK_TREE", "..");
    below.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
}

#[test]
fn variables_that_point_elsewhere_are_refused() {
    let other = Sandbox::repository();
    for (name, path) in [("GIT_DIR", ".git"), ("GIT_WORK_TREE", ""), ("GIT_INDEX_FILE", ".git/index")] {
        let mut sandbox = Sandbox::on_branch();
        sandbox.write(AUTH, faulty());
        sandbox.git(&["add", "-A"]);
        sandbox.set(name, other.path(path));
        sandbox.json(&["--staged", "--frozen-spec"]).is("UNVERIFIABLE").reasons(name, "unset");
        if name != "GIT_INDEX_FILE" {
            sandbox.json(&["--changed", "--frozen-spec"]).is("UNVERIFIABLE").reasons(name, "unset");
        }
    }
}

#[test]
fn an_index_file_that_is_not_there() {
    let mut sandbox = Sandbox::on_branch();
    sandbox.set("GIT_INDEX_FILE", sandbox.path(".git/nothing"));
    // An index without files: git would commit that every file is deleted.
    sandbox.json(&["--staged", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, 1);
    sandbox.json(&["--staged"]).is("UNVERIFIABLE");
}
