use std::fs;

use super::*;

/// A folder that looks like a repository with a project.
fn project() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let top = fs::canonicalize(folder.path()).expect("a path");
    for path in [".git", "openspec/specs/auth", "openspec/changes/mine", "openspec/changes/theirs"] {
        fs::create_dir_all(top.join(path)).expect("folders");
    }
    fs::write(top.join("openspec/specward.yaml"), "frozen: explained\n").expect("a file");
    (folder, top)
}

fn refused(top: &Path, target: Target, known: &Known<'_>) -> bool {
    let mut touched = Touched::default();
    touched.targets.push(target);
    refusal(&touched, top, known).is_some()
}

/// What there was when the session began is for the caller to say, whatever is on disk by now.
#[test]
fn the_record_says_what_was_there() {
    let (_folder, top) = project();
    let was_there = |path: &BStr| path != "openspec/changes/mine" && !path.starts_with(b"openspec/changes/mine/");
    let known = Known { was_there: &was_there, is_old: &is_usual_base };
    let write = |path: &str| refused(&top, Target::new(top.join(path), Action::Write), &known);
    let remove = |path: &str| refused(&top, Target::new(top.join(path), Action::Tree), &known);
    assert!(!write("openspec/changes/mine/proposal.md") && !write("openspec/changes/mine/specs/auth/spec.md"));
    assert!(!remove("openspec/changes/mine"));
    assert!(write("openspec/changes/theirs/proposal.md") && remove("openspec/changes/theirs"));
    assert!(write("openspec/specs/auth/spec.md"));
}

/// So is what git would put back.
#[test]
fn the_record_says_what_is_old() {
    let (_folder, top) = project();
    let is_old = |rev: Option<&str>| rev == Some("abc");
    let known = Known { was_there: &|_| true, is_old: &is_old };
    let restore = |rev: Option<&str>| {
        let action = Action::Restore(rev.map(str::to_owned));
        refused(&top, Target::new(top.join("openspec/specs/auth/spec.md"), action), &known)
    };
    assert!(!restore(Some("abc")) && restore(Some("abcd")) && restore(None));
    for (rev, expected) in [(None, true), (Some("HEAD"), true), (Some("origin/main"), true), (Some("HEAD~1"), false)] {
        assert_eq!(is_usual_base(rev), expected, "{rev:?}");
    }
}

#[test]
fn memory_is_found_in_any_git_folder() {
    let at = |path: &str, action: Action| memory(Path::new(path), &action).is_some();
    assert!(at("/r/.git/specward/sessions/s", Action::Write));
    assert!(at("/r/.git/modules/m/specward/s", Action::Write));
    assert!(at("/bare.git/specward", Action::Tree));
    assert!(!at("/r/specward/src/main.rs", Action::Write));
    assert!(!at("/r/.git/config", Action::Write));
    assert!(!at("/r/.git", Action::Tree), "it holds none");
}
