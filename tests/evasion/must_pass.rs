//! Must pass: false alarms are defects too. As far as the strict freeze allows.

use crate::repo::{AUTH, Repo, TASKS, spec};

/// "ticked boxes"
#[test]
fn ticked_boxes() {
    for (from, to) in [("- [ ] 1.1", "- [x] 1.1"), ("- [ ] 1.2", "- [X] 1.2")] {
        let repo = Repo::new();
        repo.replace(TASKS, from, to);
        repo.frozen().passes();
        repo.git(&["add", "-A"]);
        repo.frozen_index().passes();
        // Ticked in the index, and one more in the work tree.
        repo.edit_source();
        repo.frozen().passes();
        repo.commit("ticked");
        repo.frozen().passes();
        repo.frozen_commits().passes();
    }
}

/// Source-only diffs; "rename of source files"
#[test]
fn source_only() {
    let repo = Repo::new();
    repo.edit_source();
    repo.rename("src/main.rs", "lib/main.rs");
    repo.write("openspec.md", "not ours\n");
    repo.write("docs/openspec/notes.md", "not ours\n");
    repo.write("src/specs/auth/spec.md", spec("Not ours"));
    repo.frozen().passes();
    repo.git(&["add", "-A"]);
    repo.frozen_index().passes();
    repo.commit("source");
    repo.frozen().passes();
    repo.frozen_commits().passes();
}

/// "main moved on after the branch"
#[test]
fn main_moved_on() {
    let repo = Repo::new();
    repo.edit_source();
    repo.commit("source");
    repo.git(&["checkout", "-q", "main"]);
    repo.weaken();
    repo.write("openspec/specs/new/spec.md", spec("New"));
    repo.commit("main moves on");
    repo.git(&["checkout", "-q", "work"]);
    repo.frozen().passes();
    repo.frozen_commits().passes();
    // Merged in, what main has is no edit of this branch.
    repo.git(&["merge", "-q", "-m", "merge main", "main"]);
    repo.frozen().passes();
    repo.frozen_commits().passes();
}

/// "merge commit from main without spec edits"
#[test]
fn merge_from_main() {
    let repo = Repo::new();
    repo.edit_source();
    repo.commit("source");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("README.md", "read me\n");
    repo.commit("main moves on");
    repo.git(&["checkout", "-q", "work"]);
    repo.git(&["merge", "-q", "-m", "merge main", "main"]);
    repo.frozen().passes();
    repo.frozen_commits().passes();
}

/// "revert of an own earlier edit"
#[test]
fn revert_of_own_edit() {
    let repo = Repo::new();
    repo.weaken();
    repo.commit("weaken");
    repo.git(&["revert", "--no-edit", "HEAD"]);
    repo.edit_source();
    repo.commit("source");
    repo.frozen().passes();
    repo.frozen_commits().passes();
}

/// "a submodule bump outside `openspec/`"
#[test]
fn submodule_bump() {
    let other = Repo::new();
    let repo = Repo::new();
    let url = other.top().to_str().expect("ASCII").to_owned();
    repo.git(&["submodule", "-q", "add", &url, "vendor/other"]);
    repo.commit("submodule");
    repo.git(&["branch", "-f", "main"]);
    other.weaken();
    let bumped = other.commit("next");
    let inside = repo.path("vendor/other");
    repo.git_in(&inside, &[], &["fetch", "-q", "origin"]);
    repo.git_in(&inside, &[], &["checkout", "-q", &bumped]);
    repo.frozen().passes();
    repo.git(&["add", "-A"]);
    repo.frozen_index().passes();
    repo.commit("bump");
    repo.frozen().passes();
    repo.frozen_commits().passes();
    // Inside the submodule its own repository counts.
    repo.git_in(&inside, &[], &["checkout", "-q", "-b", "mine"]);
    repo.verify_in(&inside, &[], &["--changed", "--frozen-spec", "--base", "HEAD~1"]).fails_frozen(&[AUTH]);
}

/// "first commit of a repository", via `--staged`
#[test]
fn first_commit() {
    let repo = Repo::empty(&[]);
    repo.write(AUTH, spec("Sign in"));
    repo.write("pkg/openspec/specs/a/spec.md", spec("A"));
    repo.git(&["add", "-A"]);
    let outcome = repo.verify(&["--staged"]);
    outcome.passes();
    assert!(outcome.stdout.contains("2 passed"), "{outcome}");
    repo.write(AUTH, "nothing\n");
    repo.git(&["add", "-A"]);
    repo.verify(&["--staged"]).fails(&[AUTH]);
}

/// "CRLF/LF": a checkout by `core.autocrlf` of files nobody touched
#[test]
fn line_ends_by_checkout() {
    for (name, value) in [("core.autocrlf", "true"), ("core.eol", "crlf")] {
        let repo = Repo::new();
        if name == "core.eol" {
            repo.write(".gitattributes", "* text=auto\n");
            repo.commit("attributes");
        }
        repo.git(&["config", name, value]);
        repo.remove("openspec");
        repo.git(&["checkout", "-q", "--", "openspec"]);
        assert!(repo.read(AUTH).contains("\r\n"));
        repo.frozen().passes();
        repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
        repo.weaken();
        repo.frozen().fails_frozen(&[AUTH]);
    }
}

/// Ticked boxes in a file with other line ends, which git makes of it
#[test]
fn ticked_boxes_with_crlf() {
    let repo = Repo::new();
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.remove("openspec");
    repo.git(&["checkout", "-q", "--", "openspec"]);
    assert!(repo.read(TASKS).contains("\r\n"));
    repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
    repo.frozen().passes();
    repo.replace(TASKS, "1.2 Test", "1.2 Look at");
    repo.frozen().fails_frozen(&[TASKS]);
}

/// Repositories of other kinds: SHA-256, reftable, linked work trees, one behind a `.git` file, split and sparse index
#[test]
fn kinds_of_repositories() {
    for init in [
        &["--object-format=sha256"][..],
        &["--ref-format=reftable"],
        &["--object-format=sha256", "--ref-format=reftable"],
    ] {
        let repo = Repo::with(init);
        repo.edit_source();
        repo.frozen().passes();
        repo.commit("source");
        repo.frozen_commits().passes();
        repo.weaken();
        repo.frozen().fails_frozen(&[AUTH]);
        repo.git(&["add", "-A"]);
        repo.frozen_index().fails_frozen(&[AUTH]);
        repo.commit("weaken");
        repo.frozen_commits().fails_frozen(&[AUTH]);
    }
    let repo = Repo::new();
    let linked = repo.outside("linked");
    repo.git(&["worktree", "add", "-q", "-b", "other", linked.to_str().expect("ASCII"), "main"]);
    repo.weaken();
    repo.git(&["add", "-A"]);
    repo.verify_in(&linked, &[], &["--changed", "--frozen-spec"]).passes();
    repo.verify_in(&linked, &[], &["--staged", "--frozen-spec"]).passes();
    std::fs::write(linked.join(AUTH), spec("Sign in").replace("SHALL", "MAY")).expect("a file");
    repo.verify_in(&linked, &[], &["--changed", "--frozen-spec"]).fails_frozen(&[AUTH]);
    repo.git_in(&linked, &[], &["add", "-A"]);
    repo.verify_in(&linked, &[], &["--staged", "--frozen-spec"]).fails_frozen(&[AUTH]);

    let repo = Repo::with(&["--separate-git-dir", "../separate"]);
    repo.frozen().passes();
    repo.weaken();
    repo.frozen().fails_frozen(&[AUTH]);
    for enable in ["--split-index", "--index-version=4", "--untracked-cache"] {
        let repo = Repo::new();
        repo.git(&["update-index", enable]);
        repo.frozen().passes();
        repo.frozen_index().passes();
        repo.write("src/more.rs", "");
        repo.git(&["add", "-A"]);
        repo.frozen_index().passes();
        repo.weaken();
        let text = repo.git(&["show", &format!("main:{AUTH}")]);
        repo.git(&["add", "-A"]);
        repo.write(AUTH, text + "\n");
        repo.frozen().fails_frozen(&[AUTH]);
        repo.frozen_index().fails_frozen(&[AUTH]);
    }
}

/// A bare repository with `--base` and `--head`, also while its own HEAD has no commit
#[test]
fn bare_repository() {
    let repo = Repo::new();
    repo.edit_source();
    repo.commit("source");
    let bare = repo.outside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("ASCII")]);
    let args = ["--changed", "--frozen-spec", "--base", "main", "--head", "work"];
    repo.verify_in(&bare, &[], &args).passes();
    repo.git_in(&bare, &[], &["symbolic-ref", "HEAD", "refs/heads/nothing"]);
    repo.verify_in(&bare, &[], &args).passes();
    repo.weaken();
    repo.commit("weaken");
    repo.git(&["push", "-q", bare.to_str().expect("ASCII"), "work"]);
    repo.verify_in(&bare, &[], &args).fails_frozen(&[AUTH]);
    repo.verify_in(&bare, &[], &["--changed", "--frozen-spec", "--base", "main"]).is_unverifiable(&["--head"]);
}
