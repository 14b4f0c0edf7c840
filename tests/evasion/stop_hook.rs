//! B, C and D at the stop hook: the record of the session decides, whatever git says by then.

use std::fs;

use crate::repo::{AUTH, DELTA, Repo, spec};
use crate::session::Session;

const NEW: &str = "openspec/specs/extra/spec.md";

/// Does something during a session that begins in a repository, and expects the end of its turn to be refused for that.
/// The same session passes before.
#[track_caller]
fn must_block(cheat: impl FnOnce(&Repo), names: &[&str]) {
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.edit_source();
    session.passes();
    cheat(&repo);
    session.is_blocked(names);
}

/// "18 `update-index --assume-unchanged` / `--skip-worktree`"
#[test]
fn row_18_at_the_stop_hook() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let cheat = |repo: &Repo| {
            repo.git(&["update-index", flag, AUTH]);
            repo.weaken();
        };
        must_block(cheat, &["freeze/spec-changed", AUTH]);
    }
}

/// "19 `.gitignore`, `.git/info/exclude`, `core.excludesFile` for a new file"
#[test]
fn row_19_at_the_stop_hook() {
    let cheat = |repo: &Repo| {
        repo.write(".git/info/exclude", "extra/\n");
        repo.write(NEW, spec("Anything goes"));
    };
    must_block(cheat, &[NEW]);
}

/// "20 sparse checkout without the specs"
#[test]
fn row_20_at_the_stop_hook() {
    let cheat = |repo: &Repo| drop(repo.git(&["sparse-checkout", "set", "--no-cone", "/src/"]));
    must_block(cheat, &[AUTH]);
}

/// "21 `.gitattributes` filters", "22 nested `.git`"
#[test]
fn row_21_and_22_at_the_stop_hook() {
    let cheat = |repo: &Repo| {
        repo.git(&["config", "filter.restore.clean", "git cat-file blob main:%f"]);
        repo.write(".git/info/attributes", "spec.md filter=restore -diff\n");
        repo.weaken();
    };
    must_block(cheat, &[AUTH]);
    let cheat = |repo: &Repo| {
        repo.git(&["init", "-q", "openspec"]);
        repo.weaken();
    };
    must_block(cheat, &[]);
}

/// "23 `core.worktree` … pointing elsewhere"
#[test]
fn row_23_at_the_stop_hook() {
    let cheat = |repo: &Repo| {
        fs::create_dir(repo.outside("other")).expect("a folder");
        repo.git(&["config", "core.worktree", repo.outside("other").to_str().expect("ASCII")]);
    };
    must_block(cheat, &["core.worktree"]);
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    let index = repo.outside("index");
    session.stop_env(&[("GIT_INDEX_FILE", index.to_str().expect("ASCII"))]).blocks(&[AUTH]);
}

/// "24 racy timestamps (same size and mtime)"
#[test]
fn row_24_at_the_stop_hook() {
    let cheat = |repo: &Repo| {
        let time = fs::metadata(repo.path(AUTH)).and_then(|metadata| metadata.modified()).expect("a time");
        repo.replace(AUTH, "within 1 second", "within 9 second");
        let file = fs::File::options().append(true).open(repo.path(AUTH)).expect("a file");
        file.set_modified(time).expect("a time");
    };
    must_block(cheat, &[AUTH]);
}

/// "25 intent-to-add, index-only edits (work tree reverted, index kept) and the reverse"
#[test]
fn row_25_at_the_stop_hook() {
    let index_only = |repo: &Repo| {
        let text = repo.read(AUTH);
        repo.weaken();
        repo.git(&["add", AUTH]);
        repo.write(AUTH, text);
    };
    must_block(index_only, &["in the index", AUTH]);
    let commit_only = |repo: &Repo| {
        let text = repo.read(AUTH);
        repo.weaken();
        repo.commit("weaken");
        repo.write(AUTH, text);
        repo.git(&["add", AUTH]);
    };
    must_block(commit_only, &[AUTH]);
}

/// "26 `git replace`, grafts, alternates"
#[test]
fn row_26_at_the_stop_hook() {
    let cheat = |repo: &Repo| {
        let before = repo.id(&format!("HEAD:{AUTH}"));
        repo.weaken();
        repo.commit("weaken");
        repo.git(&["replace", &before, &repo.id(&format!("HEAD:{AUTH}"))]);
    };
    must_block(cheat, &[AUTH]);
}

/// "27 non-ASCII, newline, tab, trailing-space, `::error::` path names"
#[test]
fn row_27_at_the_stop_hook() {
    for name in ["ünï", "a\nb", "a\tb", "a ", "::error::x"] {
        let repo = Repo::new();
        let path = format!("openspec/specs/{name}/spec.md");
        repo.write(&path, spec("Odd"));
        let session = Session::begin(&repo);
        session.passes();
        repo.replace(&path, "SHALL", "MAY");
        session.is_blocked(&["freeze/spec-changed"]);
        repo.remove(&path);
        session.is_blocked(&["freeze/spec-changed"]);
    }
}

/// "28 commit, then stop", "29 amend, rebase, squash, reset --soft", "31 orphan branch, detached head"
#[test]
fn row_28_to_31_at_the_stop_hook() {
    let cheats: [fn(&Repo); 7] = [
        |repo| drop(repo.commit("weaken")),
        |repo| drop(repo.git(&["commit", "-q", "-a", "--amend", "-m", "amended"])),
        |repo| {
            repo.commit("weaken");
            repo.git(&["rebase", "-q", "--root"]);
        },
        |repo| {
            repo.commit("weaken");
            repo.git(&["reset", "-q", "--soft", "main"]);
            repo.git(&["commit", "-q", "-m", "soft"]);
        },
        |repo| {
            // "30 move `origin/main`, the upstream setting or a tag/branch named like it"
            repo.commit("weaken");
            for reference in ["refs/heads/main", "refs/remotes/origin/main", "refs/tags/main"] {
                repo.git(&["update-ref", reference, "HEAD"]);
            }
        },
        |repo| {
            repo.git(&["checkout", "-q", "--orphan", "fresh"]);
            repo.commit("all new");
        },
        |repo| {
            repo.commit("weaken");
            repo.git(&["checkout", "-q", "--detach"]);
        },
    ];
    for cheat in cheats {
        must_block(
            |repo| {
                repo.weaken();
                cheat(repo);
            },
            &[AUTH],
        );
    }
}

/// "32 merge that takes "ours" for the specs", "33 merge main in to hide a stale delta"
#[test]
fn row_32_at_the_stop_hook() {
    let cheat = |repo: &Repo| {
        repo.git(&["checkout", "-q", "-B", "side", "main"]);
        repo.weaken();
        repo.commit("weaken");
        repo.git(&["checkout", "-q", "work"]);
        repo.git(&["merge", "-q", "-X", "theirs", "-m", "merge", "side"]);
    };
    must_block(cheat, &[AUTH]);
}

/// "34 `SPECWARD_BASE`, `GITHUB_BASE_REF`, event file set by the agent (S: ignored, the record decides)"
#[test]
fn row_34_at_the_stop_hook() {
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    repo.commit("weaken");
    for env in [("SPECWARD_BASE", "HEAD"), ("GITHUB_BASE_REF", "work"), ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "HEAD")] {
        Session::begin(&repo).stop_env(&[env]).blocks(&[AUTH]);
    }
    session.stop().lets_go(&["FAIL"]);
    let further = [
        ("GITHUB_EVENT_NAME", "pull_request_target"),
        ("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "HEAD"),
        ("BITBUCKET_PR_DESTINATION_COMMIT", "HEAD"),
    ];
    for env in further {
        let repo = Repo::new();
        let session = Session::begin(&repo);
        repo.weaken();
        repo.commit("weaken");
        session.stop_env(&[env]).blocks(&[AUTH]);
    }
}

/// "35 shallow or partial clone, deleted object"
#[test]
fn row_35_at_the_stop_hook() {
    let repo = Repo::new();
    let session = Session::begin(&repo);
    session.passes();
    let tree = repo.id("HEAD^{tree}");
    let object = format!(".git/objects/{}/{}", &tree[..2], &tree[2..]);
    repo.remove(&object);
    session.is_blocked(&["UNVERIFIABLE"]);
}

/// "37 `specward.yaml`: rule off, frozen list emptied, roots moved"
#[test]
fn row_37_at_the_stop_hook() {
    let config = "openspec/specward.yaml";
    for text in
        ["frozen: off\n", "rules: { freeze: off, spec: off }\n", "roots: [elsewhere]\n", "hooks: { same-failure: 1 }\n"]
    {
        let repo = Repo::based_on(&[(config, "frozen: explained\n")]);
        let session = Session::begin(&repo);
        session.passes();
        repo.write(config, text);
        repo.write("elsewhere/openspec/specs/a/spec.md", spec("A"));
        session.is_blocked(&["freeze/gate-edited", config]);
        session.is_blocked(&[]);
    }
}

/// "43 hooks: entry removed, `disableAllHooks`": another hook of the same client still sees it.
#[test]
fn row_43_at_the_stop_hook() {
    let settings = ".claude/settings.json";
    let ours = "{ \"hooks\": { \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"specward hook stop --agent claude\" }] }] } }\n";
    for text in ["{}\n", &ours.replacen("{ \"hooks\"", "{ \"disableAllHooks\": true, \"hooks\"", 1)] {
        for config in ["frozen: explained\n", "# every edit fails\n"] {
            let repo = Repo::new();
            repo.write("openspec/specward.yaml", config);
            repo.write(settings, ours);
            let session = Session::begin(&repo);
            session.passes();
            repo.write(settings, text);
            session.is_blocked(&["freeze/gate-edited", settings]);
        }
    }
}

/// "43": settings under which hooks are left to another client, or run other programs
#[test]
fn row_43_environment_of_hooks() {
    let settings = ".claude/settings.json";
    let ours = "{ \"hooks\": { \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"specward hook stop --agent claude\" }] }] } }\n";
    for (path, env) in
        [(settings, "COPILOT_CLI"), (settings, "PATH"), (".claude/settings.local.json", "CURSOR_VERSION")]
    {
        let repo = Repo::new();
        repo.write(settings, ours);
        let session = Session::begin(&repo);
        session.passes();
        let text = if path == settings { ours.to_owned() } else { "{ }".to_owned() };
        repo.write(
            path,
            text.replacen(
                '{',
                &format!("{{ \"env\": {{ \"{env}\": \"1\" }}{}", if path == settings { "," } else { "" }),
                1,
            ),
        );
        session.is_blocked(&["freeze/gate-edited", path]);
    }
}

/// "44 session record … deleted, edited, or forged"
#[test]
fn row_44_session_record() {
    // Deleted: compared with the merge base, which the edit is not in.
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.remove(".git/specward/sessions");
    session.is_blocked(&["UNVERIFIABLE", "no record", "specward accept"]);
    repo.weaken();
    session.is_blocked(&["FAIL", AUTH]);
    // Edited.
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    let record =
        fs::read_dir(repo.path(".git/specward/sessions")).expect("a folder").flatten().next().expect("a session");
    let record = record.path().join("record");
    let text = fs::read_to_string(&record).expect("a record");
    fs::write(&record, text.replace("work", "wurk")).expect("it is written");
    session.is_blocked(&["FAIL", "it was edited", AUTH]);
    // Gone for good, with the specs: they were there where the work started from.
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.remove("openspec");
    repo.commit("nothing is left");
    repo.remove(".git/specward");
    session.is_blocked(&["FAIL", AUTH]);
    // Made anew: the client's transcript is older, and a client that resumes began earlier.
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    repo.commit("weaken");
    repo.remove(".git/specward");
    session.event("session-start", &[], ",\"source\":\"resume\"").exits_silently();
    session.is_blocked(&["FAIL", "was resumed", AUTH]);
    // An empty folder of a session somewhere else makes that no place of it.
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    let key = fs::read_dir(repo.path(".git/specward/sessions")).expect("a folder").flatten().next().expect("a session");
    let other = repo.outside("other");
    fs::create_dir_all(other.join(".git/specward/sessions").join(key.file_name())).expect("folders");
    repo.git_in(&other, &[], &["init", "-q"]);
    let top = repo.top().to_str().expect("ASCII");
    session.stop_in_env(&other, &[("CLAUDE_PROJECT_DIR", top)]).blocks(&[AUTH]);
    // Forged by calling the hook again: what is recorded stays.
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    repo.commit("weaken");
    Session::begin(&repo).is_blocked(&[AUTH]);
    session.is_blocked(&[AUTH]);
}

/// A check's own program edits the spec once it was read.
#[test]
fn row_40_a_check_that_edits_the_spec() {
    let criteria = "version: 1\ncriteria:\n  - requirement: Sign in\n    scenario: Right password\n    verify:\n      - command: [sh, check.sh]\n";
    let repo = Repo::based_on(&[
        ("openspec/verify/auth.yaml", criteria),
        ("check.sh", "grep -q main src/main.rs && echo 1 passed\n"),
    ]);
    let session = Session::begin(&repo);
    session.passes();
    repo.write(
        "check.sh",
        format!("sed -i 's/within 1 second/soon/' {AUTH}; grep -q main src/main.rs && echo 1 passed\n"),
    );
    session.is_blocked(&["changed while the checks ran"]);
}

/// The agent goes to another work tree and leaves its edit behind.
#[test]
fn row_16_another_work_tree() {
    let repo = Repo::new();
    let session = Session::begin(&repo);
    let other = repo.outside("other");
    repo.git(&["worktree", "add", "-q", "-b", "other", other.to_str().expect("ASCII")]);
    repo.weaken();
    session.stop_in(&other).blocks(&[AUTH]);
    repo.commit("weaken");
    session.stop_in(&other).blocks(&[AUTH]);
    // The one the session began in is gone: nobody can tell.
    let repo = Repo::new();
    let other = repo.outside("other");
    repo.git(&["worktree", "add", "-q", "-b", "other", other.to_str().expect("ASCII")]);
    let session = Session::begin_in(&repo, &other);
    session.stop_in(&other).exits_silently();
    repo.git(&["worktree", "remove", "--force", other.to_str().expect("ASCII")]);
    session.is_blocked(&["UNVERIFIABLE", "is gone"]);
}

/// "46 make the gate slow", "47 make it crash" during a session
#[test]
fn row_47_at_the_stop_hook() {
    for content in [b"\xff\xfe\x00bad".as_slice(), b"a\0b", &b"x".repeat(1 << 20)] {
        must_block(|repo| repo.write(DELTA, content), &[DELTA]);
    }
}

/// "48 two gates at once, lock held for ever": then the client's own word bounds it.
#[test]
fn row_48_at_the_stop_hook() {
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    let sessions: Vec<_> = fs::read_dir(repo.path(".git/specward/sessions")).expect("a folder").flatten().collect();
    let lock = fs::File::options().append(true).create(true).open(sessions[0].path().join("lock")).expect("a lock");
    lock.lock().expect("it is ours");
    session.is_blocked(&[AUTH]);
    session.event("stop", &[], ",\"stop_hook_active\":true").lets_go(&["FAIL"]);
}

/// "49 `specward accept` from the agent (refused)"
#[test]
fn row_49_accept() {
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    for env in [&[][..], &[("CLAUDECODE", "1")]] {
        let accept = repo.run_env(env, &["accept", "--reason", "it is fine"]);
        assert!(accept.stdout.is_empty() && accept.stderr.contains("error: "), "{accept}");
        accept.exits(2, &[]);
    }
    session.is_blocked(&[AUTH]);
}

/// "50 answering the stop hook until its bound is used up (lets go, says so, leaves a handoff, CI still fails)"
#[test]
fn row_50_bound() {
    let repo = Repo::new();
    let session = Session::begin(&repo);
    repo.weaken();
    for _ in 0..3 {
        session.is_blocked(&[AUTH]);
    }
    session.stop().lets_go(&["FAIL", AUTH, "unfinished.md"]);
    session.stop().lets_go(&["FAIL"]);
    let left =
        fs::read_dir(repo.path(".git/specward/sessions")).expect("a folder").flatten().next().expect("a session");
    let left = fs::read_to_string(left.path().join("unfinished.md")).expect("it is left");
    assert!(left.starts_with("SPECWARD VERDICT: FAIL\n") && left.contains(AUTH), "{left}");
    repo.commit("weaken");
    repo.frozen_commits().fails_frozen(&[AUTH]);
    // Another failure each time: eight in all.
    let repo = Repo::new();
    let session = Session::begin(&repo);
    for number in 0..8 {
        repo.write(&format!("openspec/specs/x{number}/spec.md"), spec("X"));
        session.is_blocked(&[&format!("x{number}")]);
    }
    repo.write("openspec/specs/last/spec.md", spec("X"));
    session.stop().lets_go(&["FAIL"]);
}
