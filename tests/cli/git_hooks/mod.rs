//! Git's hooks, by real commits and pushes through what `init --git-hooks` installs.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{AUTH, DELTA, SPECWARD, Sandbox};

mod commits;
mod installing;
mod managers;
mod messages;
mod pushes;
mod server;

/// A repository with a spec, whose hooks find the program under test.
fn repository() -> Sandbox {
    with_program(Sandbox::repository())
}

/// The same with hooks.
fn hooked() -> Sandbox {
    let sandbox = repository();
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("create .git/hooks/pre-commit");
    sandbox
}

/// The same, with a bare repository that is pushed to and has `main`.
fn pushed() -> Sandbox {
    let sandbox = hooked();
    bare(&sandbox, "origin.git");
    sandbox.git(&["remote", "add", "origin", "../origin.git"]);
    sandbox.git(&["push", "-q", "-u", "origin", "main"]);
    sandbox
}

/// Makes a bare repository beside the sandbox's.
fn bare(sandbox: &Sandbox, name: &str) -> PathBuf {
    sandbox.git(&["init", "-q", "--bare", "-b", "main", &format!("../{name}")]);
    sandbox.top.join(name)
}

fn with_program(mut sandbox: Sandbox) -> Sandbox {
    let path = path_without_program();
    let folder = Path::new(SPECWARD).parent().expect("a folder").to_owned();
    let path = std::iter::once(folder).chain(std::env::split_paths(&path));
    sandbox.set("PATH", std::env::join_paths(path).expect("a PATH"));
    sandbox
}

fn without_program(mut sandbox: Sandbox) -> Sandbox {
    sandbox.set("PATH", path_without_program());
    sandbox
}

#[expect(clippy::disallowed_methods, reason = "programs are found by it")]
fn path_without_program() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("specward{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::split_paths(&path).filter(|folder| !folder.join(&name).exists());
    std::env::join_paths(folders).expect("a PATH")
}

/// A change without any fault.
fn propose(sandbox: &Sandbox, id: &str) {
    let why = "People on shared machines have to be able to leave, which nobody can do today.";
    sandbox.write(format!("openspec/changes/{id}/proposal.md"), format!("## Why\n{why}\n\n## What Changes\n- x\n"));
    sandbox.write(format!("openspec/changes/{id}/tasks.md"), "- [ ] 1.1 Write it\n");
    sandbox.write(format!("openspec/changes/{id}/specs/auth/spec.md"), DELTA);
}

/// A spec edited with no change that explains it.
fn edited() -> String {
    crate::support::SPEC.replace("a password", "a passkey")
}

/// Edits the spec and commits that past all hooks.
fn commit_edit(sandbox: &Sandbox) {
    sandbox.write(AUTH, edited());
    sandbox.git(&["commit", "-qanm", "edit"]);
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes a program.
#[cfg(unix)]
fn program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
}
