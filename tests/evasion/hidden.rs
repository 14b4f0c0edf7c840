//! B. Hide it from git. Contents are compared, whatever git was told.

use std::fs;
use std::time::SystemTime;

use crate::repo::{AUTH, Repo, TASKS, must_fail, spec};

const NEW: &str = "openspec/specs/extra/spec.md";

/// "18 `update-index --assume-unchanged` / `--skip-worktree`"
#[test]
fn row_18_assume_unchanged() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let repo = Repo::new();
        repo.git(&["update-index", flag, AUTH]);
        repo.frozen().passes();
        repo.weaken();
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "git sees it");
        repo.frozen().fails_frozen(&[AUTH]);
        repo.remove(AUTH);
        repo.frozen().fails_frozen(&[AUTH]);
    }
}

/// "19 `.gitignore`, `.git/info/exclude`, `core.excludesFile` for a new file"
#[test]
fn row_19_ignored() {
    let hides: [fn(&Repo); 3] = [
        |repo| repo.write(".gitignore", "extra/\n"),
        |repo| repo.write(".git/info/exclude", "extra/\n"),
        |repo| {
            repo.write("../ignore", "extra/\n");
            repo.git(&["config", "core.excludesFile", "../ignore"]);
        },
    ];
    for hide in hides {
        let repo = Repo::new();
        hide(&repo);
        repo.frozen().passes();
        repo.write(NEW, spec("Anything goes"));
        assert!(!repo.git(&["status", "--porcelain", "-uall"]).contains("extra"), "git sees it");
        repo.frozen().fails_frozen(&[NEW]);
    }
}

/// "20 sparse checkout without the specs"
#[test]
fn row_20_sparse_checkout() {
    for args in [&["set", "src"][..], &["set", "--sparse-index", "src"], &["set", "--no-cone", "/src/"]] {
        let repo = Repo::new();
        repo.frozen().passes();
        repo.git(&[&["sparse-checkout"], args].concat());
        assert!(!repo.path(AUTH).exists());
        repo.frozen().fails_frozen(&[AUTH]);
        // What lies there although git does not look.
        repo.write(AUTH, spec("Sign in").replace("SHALL", "MAY"));
        repo.frozen().fails_frozen(&[AUTH]);
    }
}

/// "21 `.gitattributes` filters, `ident`, `working-tree-encoding`, `-diff`, `binary`, merge=ours"
#[test]
fn row_21_attributes() {
    for attributes in
        ["filter=restore", "ident", "-diff", "binary", "merge=ours", "-text", "working-tree-encoding=UTF-16"]
    {
        for file in [".gitattributes", "openspec/.gitattributes", ".git/info/attributes"] {
            let repo = Repo::new();
            repo.git(&["config", "filter.restore.clean", "git cat-file blob main:./%f"]);
            repo.write(file, format!("spec.md {attributes}\n"));
            repo.frozen().passes();
            repo.weaken();
            repo.frozen().fails_frozen(&[AUTH]);
        }
    }
    // A filter that shows the base's text to git and a weaker one to everybody else.
    let repo = Repo::new();
    repo.git(&["config", "filter.restore.clean", "git cat-file blob main:%f"]);
    repo.write(".gitattributes", "spec.md filter=restore\n");
    repo.commit("attributes");
    repo.weaken();
    repo.git(&["add", "-A"]);
    assert_eq!(repo.git(&["status", "--porcelain"]), "", "git sees it");
    repo.frozen().fails_frozen(&[AUTH]);
}

/// "22 nested `.git` in `openspec/`"
#[test]
fn row_22_nested_git() {
    for folder in ["openspec/specs", "openspec/specs/auth", "openspec/changes/add-logout"] {
        let repo = Repo::new();
        repo.frozen().passes();
        repo.git_in(&repo.path(folder), &[], &["init", "-q"]);
        repo.frozen().fails(&[&format!("{folder}/.git"), "repository of its own"]);
        repo.weaken();
        repo.frozen().fails_frozen(&[AUTH]);
    }
    let repo = Repo::new();
    repo.git_in(&repo.path("openspec"), &[], &["init", "-q"]);
    repo.weaken();
    repo.frozen().fails_frozen(&[AUTH]);
    // A `.git` that is a file, as a submodule's is.
    let repo = Repo::new();
    repo.write("openspec/specs/auth/.git", "gitdir: ../../../.git\n");
    repo.frozen().fails(&["openspec/specs/auth/.git"]);
}

/// "23 `core.worktree`, `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE` pointing elsewhere"
#[test]
fn row_23_pointing_elsewhere() {
    let repo = Repo::new();
    let clean = repo.outside("clean");
    repo.git(&["worktree", "add", "-q", "--detach", clean.to_str().expect("ASCII"), "main"]);
    repo.git(&["clone", "-q", ".", repo.outside("other").to_str().expect("ASCII")]);
    repo.weaken();
    let args = ["--changed", "--frozen-spec"];
    let other_git = repo.outside("other/.git");
    let (other, clean_text) = (other_git.to_str().expect("ASCII"), clean.to_str().expect("ASCII"));
    repo.verify_env(&[("GIT_DIR", other)], &args).is_unverifiable(&["GIT_DIR", other]);
    repo.verify_env(&[("GIT_WORK_TREE", clean_text)], &args).is_unverifiable(&[clean_text]);
    repo.git(&["add", "-A"]);
    let index = repo.outside("other/.git/index");
    let index = index.to_str().expect("ASCII");
    repo.verify_env(&[("GIT_INDEX_FILE", index)], &["--staged", "--frozen-spec"])
        .is_unverifiable(&["GIT_INDEX_FILE", index]);
    // For the work tree the repository's own index counts, whatever is said.
    repo.verify_env(&[("GIT_INDEX_FILE", index)], &args).fails_frozen(&[AUTH]);
    // What git sets for its hooks is understood.
    let own = repo.path(".git");
    let hook = [("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index"), ("GIT_WORK_TREE", ".")];
    assert!(own.is_dir());
    repo.verify_env(&hook, &["--staged", "--frozen-spec"]).fails_frozen(&[AUTH]);
    repo.git(&["config", "core.worktree", clean_text]);
    repo.frozen().is_unverifiable(&["core.worktree", clean_text]);
}

/// "23 `core.worktree`": one whose folder is around or below the one the gate runs in
#[test]
fn row_23_worktree_setting_near_by() {
    let repo = Repo::new();
    repo.write("sub/note.txt", "");
    repo.commit("sub");
    repo.weaken();
    // A clean copy where the setting points.
    for copied in ["openspec", "src"] {
        assert!(copy(&repo, &format!("main:{copied}"), &format!("sub/{copied}")));
    }
    repo.git(&["config", "core.worktree", "../sub"]);
    repo.verify_in(&repo.path("sub"), &[], &["--changed", "--frozen-spec"]).is_unverifiable(&["core.worktree"]);
    repo.git_in(&repo.path(".git"), &[], &["config", "core.worktree", "../.."]);
    repo.frozen().is_unverifiable(&["core.worktree"]);
}

fn copy(repo: &Repo, tree: &str, to: &str) -> bool {
    let archive = repo.outside("copy.tar");
    let archive = archive.to_str().expect("ASCII");
    repo.git(&["archive", "-o", archive, &format!("--prefix={to}/"), tree]);
    repo.clean("tar", repo.top()).args(["xf", archive]).status().expect("tar runs").success()
}

/// "24 fsmonitor or untracked cache that lies, racy timestamps (same size and mtime)"
#[test]
fn row_24_lying_caches() {
    let repo = Repo::new();
    repo.write(".git/hooks/lies", "#!/bin/sh\nprintf 'token\\0'\n");
    let hook = repo.path(".git/hooks/lies");
    let executable: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&hook, executable).expect("executable");
    repo.git(&["config", "core.fsmonitor", hook.to_str().expect("ASCII")]);
    repo.git(&["config", "core.untrackedCache", "true"]);
    repo.git(&["update-index", "--fsmonitor"]);
    repo.git(&["status"]);
    repo.frozen().passes();
    repo.write(NEW, spec("Anything goes"));
    repo.frozen().fails_frozen(&[NEW]);
    repo.remove("openspec/specs/extra");

    // As many bytes, and the times of before.
    let path = repo.path(AUTH);
    let before = fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("a time");
    let length = |repo: &Repo| repo.read(AUTH).len();
    let was = length(&repo);
    repo.replace(AUTH, "SHALL answer within 1 second", "MAY   answer within 9 second");
    assert_eq!(length(&repo), was);
    let file = fs::File::options().write(true).open(&path).expect("the file");
    file.set_times(fs::FileTimes::new().set_modified(before).set_accessed(SystemTime::UNIX_EPOCH)).expect("times");
    repo.frozen().fails_frozen(&[AUTH]);
}

/// "25 intent-to-add, index-only edits (work tree reverted, index kept) and the reverse"
#[test]
fn row_25_index_and_work_tree_differ() {
    let repo = Repo::new();
    repo.write(NEW, spec("Anything goes"));
    repo.git(&["add", "-N", NEW]);
    repo.frozen().fails_frozen(&[NEW]);

    let repo = Repo::new();
    let text = repo.read(AUTH);
    repo.weaken();
    repo.git(&["add", "-A"]);
    repo.write(AUTH, &text);
    repo.frozen().fails(&[&format!("freeze/spec-changed at {AUTH}:"), "in the index"]);
    repo.frozen_index().fails_frozen(&[AUTH]);

    // The reverse: the index is clean, the work tree is not.
    let repo = Repo::new();
    repo.weaken();
    repo.frozen_index().passes();
    repo.frozen().fails_frozen(&[AUTH]);
    // Deleted in one of the two.
    let repo = Repo::new();
    repo.git(&["rm", "-q", "--cached", AUTH]);
    repo.frozen().fails(&[&format!("freeze/spec-changed at {AUTH}:"), "deleted in the index"]);
    repo.frozen_index().fails_frozen(&[AUTH]);
}

/// "25": only the commit has the edit, index and work tree are as base has them
#[test]
fn row_25_only_the_commit_differs() {
    let repo = Repo::new();
    repo.weaken();
    repo.commit("weaken");
    repo.git(&["checkout", "-q", "main", "--", "."]);
    repo.frozen().fails(&[&format!("freeze/spec-changed at {AUTH}:"), "in the commit"]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
    repo.commit("undo");
    repo.frozen().passes();
}

/// "26 `git replace`, grafts, alternates"
#[test]
fn row_26_replaced_objects() {
    let repo = Repo::new();
    let main = repo.id("main");
    repo.weaken();
    let head = repo.commit("weaken");
    // The base is shown as the weak one: the commit, its tree, the file's content.
    for (object, by) in [
        (main.clone(), head.clone()),
        (repo.id("main^{tree}"), repo.id("HEAD^{tree}")),
        (repo.id(&format!("main:{AUTH}")), repo.id(&format!("HEAD:{AUTH}"))),
    ] {
        repo.git(&["replace", "-f", &object, &by]);
        repo.frozen().fails_frozen(&[AUTH]);
        repo.frozen_commits().fails_frozen(&[AUTH]);
        repo.git(&["replace", "-d", &object]);
    }

    // A graft, and a replaced commit, that make HEAD an ancestor of main.
    repo.edit_source();
    let tip = repo.commit("source");
    repo.write(".git/info/grafts", format!("{main} {tip}\n"));
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
    repo.remove(".git/info/grafts");
    repo.git(&["replace", "-f", "--graft", &main, &head]);
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
    repo.git(&["replace", "-d", &main]);

    // Objects that lie in another repository are the same objects.
    let other = repo.outside("borrowing");
    repo.git(&["clone", "-q", "--shared", ".", other.to_str().expect("ASCII")]);
    repo.verify_in(&other, &[], &["--changed", "--frozen-spec", "--base", "origin/main"]).fails_frozen(&[AUTH]);
}

/// "26": an object file overwritten in place
#[test]
fn row_26_overwritten_objects() {
    let repo = Repo::new();
    let main = repo.id("main");
    repo.weaken();
    let head = repo.commit("weaken");
    let file = |id: &str| repo.path(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    let overwrite = |id: &str, by: &str| {
        let (target, source) = (file(id), file(by));
        let before = fs::read(&target).expect("a loose object");
        fs::remove_file(&target).expect("removable");
        fs::copy(source, &target).expect("copied");
        before
    };
    for (object, by) in [
        (main.clone(), head.clone()),
        (repo.id("main^{tree}"), repo.id("HEAD^{tree}")),
        (repo.id("main:openspec/specs"), repo.id("HEAD:openspec/specs")),
    ] {
        let before = overwrite(&object, &by);
        repo.frozen_commits().is_unverifiable(&[&object, "damaged"]);
        fs::remove_file(file(&object)).expect("removable");
        fs::write(file(&object), before).expect("restored");
    }
    // Main's commit is said to descend from HEAD, so that HEAD would be the merge base.
    let text = repo.git(&["cat-file", "commit", "main"]);
    let tree = text.lines().next().expect("a tree line");
    let forged =
        repo.object("commit", format!("{}\n", text.replacen(tree, &format!("{tree}\nparent {head}"), 1)).as_bytes());
    overwrite(&main, &forged);
    repo.frozen().is_unverifiable(&[&main, "damaged"]);
    repo.edit_source();
    repo.commit("source");
    repo.frozen_commits().is_unverifiable(&[&main, "damaged"]);
}

/// "27 non-ASCII, newline, tab, trailing-space, `::error::` path names"
#[test]
fn row_27_odd_names() {
    for (name, shown) in [
        ("größe", "größe"),
        ("a\nb", "a\\nb"),
        ("a\tb", "a\\tb"),
        ("trailing ", "trailing "),
        ("::error::x", "::error::x"),
        ("-rf", "-rf"),
        ("\"quoted\"", "\"quoted\""),
        ("a\\b", "a\\b"),
    ] {
        let path = format!("openspec/specs/{name}/spec.md");
        let shown = format!("openspec/specs/{shown}/spec.md");
        must_fail(&Repo::new(), |repo| repo.write(&path, spec("Anything goes")), &[&shown]);
    }
    // Bytes that are no UTF-8.
    let repo = Repo::new();
    let name = std::ffi::OsStr::new("openspec/specs/");
    let mut name = name.to_owned();
    name.push(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff\xfe"));
    fs::create_dir(repo.top().join(&name)).expect("a folder");
    fs::write(repo.top().join(&name).join("spec.md"), spec("Anything goes")).expect("a file");
    repo.frozen().fails_frozen(&["openspec/specs/\u{fffd}\u{fffd}/spec.md"]);
    repo.commit("odd");
    repo.frozen_commits().fails_frozen(&["openspec/specs/\u{fffd}\u{fffd}/spec.md"]);
    // An odd name that base has and nobody touched is nothing.
    let repo = Repo::based_on(&[("openspec/specs/a\nb/spec.md", &spec("Odd"))]);
    repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
    repo.frozen().passes();
}
