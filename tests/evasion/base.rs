//! C. Move the base. What a CI sees: base..head from the merge base, the base named by the CI.

use std::path::{Path, PathBuf};

use crate::repo::{AUTH, Outcome, PROPOSAL, Repo, spec};

/// What a CI does with a range of commits.
fn range(repo: &Repo, base: &str, head: &str) -> Outcome {
    repo.verify(&["--changed", "--frozen-spec", "--base", base, "--head", head])
}

/// "28 commit, then stop"
#[test]
fn row_28_commit_then_stop() {
    let repo = Repo::new();
    repo.edit_source();
    repo.commit("source");
    repo.frozen().passes();
    repo.weaken();
    repo.commit("weaken");
    repo.edit_source();
    repo.commit("more");
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
    // On a default branch that others have: what is not there yet counts.
    let mine = repo.outside("mine");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["clone", "-q", ".", mine.to_str().expect("ASCII")]);
    repo.git_in(&mine, &[], &["merge", "-q", "origin/work"]);
    repo.verify_in(&mine, &[], &["--changed", "--frozen-spec"]).fails_frozen(&[AUTH]);
}

/// "29 amend, rebase, squash, reset --soft"
#[test]
fn row_29_rewrite_commits() {
    let cheats: [fn(&Repo); 4] = [
        |repo| {
            repo.git(&["commit", "-q", "-a", "--amend", "-m", "amended"]);
        },
        |repo| {
            repo.commit("weaken");
            repo.git(&["rebase", "-q", "--root"]);
        },
        |repo| {
            repo.commit("weaken");
            repo.git(&["checkout", "-q", "-B", "squashed", "main"]);
            repo.git(&["merge", "-q", "--squash", "work"]);
            repo.git(&["commit", "-q", "-m", "squashed"]);
        },
        |repo| {
            repo.commit("weaken");
            repo.git(&["reset", "-q", "--soft", "main"]);
            repo.git(&["commit", "-q", "-m", "soft"]);
        },
    ];
    for cheat in cheats {
        let repo = Repo::new();
        repo.edit_source();
        repo.commit("source");
        let main = repo.id("main");
        range(&repo, &main, "HEAD").passes();
        repo.weaken();
        cheat(&repo);
        range(&repo, &main, "HEAD").fails_frozen(&[AUTH]);
    }
    // Back to the commit the base names, with the edit left in index and work tree.
    let repo = Repo::new();
    repo.weaken();
    repo.commit("weaken");
    repo.git(&["reset", "-q", "--soft", "main"]);
    repo.frozen().fails_frozen(&[AUTH]);
}

/// "30 move `origin/main`, the upstream setting or a tag/branch named like it"
#[test]
fn row_30_names_like_the_base() {
    let repo = Repo::new();
    let main = repo.id("main");
    repo.weaken();
    repo.commit("weaken");
    repo.edit_source();
    repo.commit("source");
    // A CI names the commit: what references say does not matter.
    for reference in ["refs/remotes/origin/main", "refs/tags/main", "refs/heads/origin/main"] {
        repo.git(&["update-ref", reference, "HEAD~1"]);
        range(&repo, &main, "HEAD").fails_frozen(&[AUTH]);
        repo.git(&["update-ref", "-d", reference]);
    }
    repo.git(&["config", "branch.work.remote", "."]);
    repo.git(&["config", "branch.work.merge", "refs/heads/work"]);
    range(&repo, &main, "HEAD").fails_frozen(&[AUTH]);
    repo.frozen().fails_frozen(&[AUTH]);

    // A name that could be two things is refused, whatever suffix it has.
    repo.git(&["update-ref", "refs/remotes/origin/main", &main]);
    for (reference, name) in [
        ("refs/tags/main", "main"),
        ("refs/tags/main", "main~0"),
        ("refs/tags/main", "main^{commit}"),
        ("refs/tags/origin/main", "origin/main"),
        ("refs/heads/origin/main", "origin/main"),
        ("refs/main", "main"),
    ] {
        range(&repo, name, "HEAD").fails_frozen(&[AUTH]);
        repo.git(&["update-ref", reference, "HEAD~1"]);
        range(&repo, name, "HEAD").is_unverifiable(&["ambiguous", name]);
        repo.git(&["update-ref", "-d", reference]);
    }
    repo.write(".git/main", format!("{}\n", repo.id("HEAD~1")));
    range(&repo, "main", "HEAD").fails_frozen(&[AUTH]);
    repo.remove(".git/main");

    // A reference called like the commit.
    for reference in ["tags", "heads"] {
        let reference = format!("refs/{reference}/{main}");
        repo.git(&["update-ref", &reference, "HEAD~1"]);
        range(&repo, &main, "HEAD").fails_frozen(&[AUTH]);
        repo.git(&["update-ref", "-d", &reference]);
    }
    // A branch called as the default branch is.
    repo.git(&["branch", "-q", "-M", "main"]);
    repo.frozen().fails_frozen(&[AUTH]);
}

/// "31 orphan branch, detached head, unrelated history"
#[test]
fn row_31_unrelated_history() {
    let repo = Repo::new();
    repo.weaken();
    repo.commit("weaken");
    repo.git(&["checkout", "-q", "--detach"]);
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
    repo.git(&["checkout", "-q", "--orphan", "fresh"]);
    repo.frozen().is_unverifiable(&["no commit yet"]);
    repo.commit("orphan");
    repo.frozen().is_unverifiable(&["no common ancestor"]);
    repo.frozen_commits().is_unverifiable(&["no common ancestor"]);
    // Unrelated history merged in: base is still there.
    repo.git(&["merge", "-q", "--allow-unrelated-histories", "-s", "ours", "-m", "both", "main"]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
}

/// "32 merge that takes "ours" for the specs"
#[test]
fn row_32_merge_takes_ours() {
    let repo = Repo::new();
    repo.edit_source();
    repo.commit("source");
    repo.git(&["checkout", "-q", "main"]);
    repo.replace(AUTH, "MUST NOT store a password", "MUST NOT store or print a password");
    repo.commit("stricter");
    repo.git(&["checkout", "-q", "work"]);
    repo.frozen_commits().passes();
    repo.git(&["merge", "-q", "-s", "ours", "-m", "merge main", "main"]);
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
}

/// "32": where branches merged one another, from one of the merge bases "ours" is no edit
#[test]
fn row_32_ours_in_a_criss_cross() {
    let crossed = |stricter: bool, strategy: &str| {
        let repo = Repo::new();
        repo.edit_source();
        let early = repo.commit("early");
        repo.git(&["checkout", "-q", "main"]);
        if stricter {
            repo.replace(AUTH, "store a password", "store or print a password");
        }
        repo.write("README.md", "read me\n");
        let strict = repo.commit("stricter");
        repo.git(&["merge", "-q", "-m", "early work", &early]);
        repo.git(&["checkout", "-q", "work"]);
        repo.git(&["merge", "-q", "-s", strategy, "-m", "main as it was", &strict]);
        assert_eq!(repo.git(&["merge-base", "--all", "main", "work"]).lines().count(), 2);
        repo
    };
    crossed(false, "ort").frozen_commits().passes();
    for strategy in ["ours", "ort"] {
        let repo = crossed(true, strategy);
        repo.frozen_commits().is_unverifiable(&["several merge bases", AUTH]);
        repo.git(&["merge", "-q", "-m", "main", "main"]);
    }
    let repo = crossed(true, "ours");
    repo.git(&["merge", "-q", "-s", "ours", "-m", "main", "main"]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
    let repo = crossed(true, "ort");
    repo.git(&["merge", "-q", "-m", "main", "main"]);
    repo.edit_source();
    repo.write("src/more.rs", "");
    repo.commit("more");
    repo.frozen_commits().passes();
}

/// "33 merge main in to hide a stale delta"
#[test]
fn row_33_stale_delta() {
    let repo = Repo::new();
    let delta = "openspec/changes/tighten/specs/auth/spec.md";
    let modified = spec("Sign in").split_once("## Requirements").expect("the section").1.to_owned();
    repo.write(delta, format!("## MODIFIED Requirements{modified}"));
    repo.write("openspec/changes/tighten/proposal.md", repo.read(PROPOSAL));
    repo.write("openspec/changes/tighten/tasks.md", "## 1. Work\n- [ ] 1.1 Do it\n");
    repo.commit("a delta");
    let args = ["--changed", "--base", "main", "--head", "HEAD"];
    repo.verify(&args).passes();
    repo.git(&["checkout", "-q", "main"]);
    let scenario =
        "\n#### Scenario: Locked account\n- **WHEN** the account is locked\n- **THEN** the user is refused\n";
    repo.write(AUTH, spec("Sign in") + scenario);
    repo.commit("stricter");
    repo.git(&["checkout", "-q", "work"]);
    repo.git(&["merge", "-q", "-m", "merge main", "main"]);
    repo.verify(&args).fails(&["merge/lost-scenario", delta]);
    repo.frozen_commits().fails_frozen(&[delta]);
}

/// "33": a sentence, which archiving would drop without a word, and other ways to bring main in than a plain merge
#[test]
fn row_33_stale_sentence() {
    let delta = "openspec/changes/tighten/specs/auth/spec.md";
    let args = ["--changed", "--base", "main", "--head", "HEAD"];
    let bring_in: [&[&[&str]]; 5] = [
        &[],
        &[&["merge", "-q", "-m", "merge main", "main"]],
        &[
            &["merge", "-q", "-X", "ours", "-m", "merge main", "main"],
            &["commit", "-q", "--allow-empty", "-m", "later"],
        ],
        &[&["cherry-pick", "main"], &["merge", "-q", "-m", "merge main", "main"]],
        &[&["checkout", "-q", "-b", "other", "main"], &["merge", "-q", "-m", "merge work", "work"]],
    ];
    for commands in bring_in {
        let repo = Repo::new();
        let modified = spec("Sign in").split_once("## Requirements").expect("the section").1.to_owned();
        repo.write(delta, format!("## MODIFIED Requirements{}", modified.replace("is logged", "is written down")));
        repo.commit("a delta");
        repo.verify(&args).passes();
        repo.git(&["checkout", "-q", "main"]);
        repo.replace(AUTH, "store a password.", "store a password. It MUST NOT print one.");
        repo.commit("stricter");
        repo.git(&["checkout", "-q", "work"]);
        for command in commands {
            repo.git(command);
        }
        let sentence = ["merge/stale-base", delta, "It MUST NOT print one."];
        repo.verify(&args).fails(&sentence);
        repo.verify(&["--changed", "--base", "main"]).fails(&sentence);
        // With the sentence in the delta's own block there is nothing to hide.
        repo.replace(delta, "store a password.", "store a password. It MUST NOT print one.");
        repo.commit("with the sentence");
        repo.verify(&args).passes();
    }
}

/// "34 `SPECWARD_BASE`, `GITHUB_BASE_REF`, event file set by the agent (S: ignored, the record decides)". In a CI the
/// base is the CI's, and what does not make sense is no base.
#[test]
fn row_34_variables() {
    let repo = Repo::new();
    let main = repo.id("main");
    repo.weaken();
    let head = repo.commit("weaken");
    let args = ["--changed", "--frozen-spec"];
    // `--base` is the workflow's own word, and none of them changes it.
    repo.write(
        "../event.json",
        format!("{{\"pull_request\":{{\"base\":{{\"sha\":\"{head}\"}},\"head\":{{\"sha\":\"{head}\"}}}}}}"),
    );
    let event = repo.outside("event.json");
    let event = event.to_str().expect("ASCII");
    let set = [
        ("SPECWARD_BASE", head.as_str()),
        ("GITHUB_BASE_REF", "work"),
        ("GITHUB_EVENT_NAME", "pull_request"),
        ("GITHUB_EVENT_PATH", event),
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", &head),
        ("PRE_COMMIT_FROM_REF", &head),
    ];
    repo.verify_env(&set, &["--changed", "--frozen-spec", "--base", &main]).fails_frozen(&[AUTH]);
    // Alone, each of them leaves nothing to compare, which is never a PASS.
    for variables in [&set[..1], &set[2..4], &set[4..5], &set[5..6]] {
        repo.verify_env(variables, &args).is_unverifiable(&["nothing was compared"]);
    }
    for base in [
        "0000000000000000000000000000000000000000",
        "1234567890123456789012345678901234567890",
        "gone",
        "HEAD..main",
        "^main",
        "",
    ] {
        range(&repo, base, "HEAD").is_unverifiable(&["base"]);
        if !base.is_empty() {
            repo.verify_env(&[("SPECWARD_BASE", base)], &args).is_unverifiable(&["base"]);
        }
    }
    // Event files: broken, missing, without a base, of a base that is not here.
    for (name, text) in [
        ("pull_request", "{"),
        ("pull_request", "{}"),
        ("merge_group", "{\"merge_group\":{}}"),
        ("pull_request", "{\"pull_request\":{\"base\":{\"sha\":\"1234567890123456789012345678901234567890\"}}}"),
        ("push", "{\"before\":\"1234567890123456789012345678901234567890\"}"),
        ("push", "\u{0}"),
    ] {
        repo.write("../event.json", text);
        let set = [("GITHUB_EVENT_NAME", name), ("GITHUB_EVENT_PATH", event), ("CI", "true")];
        repo.verify_env(&set, &args).is_unverifiable(&["base"]);
    }
    let missing = [("GITHUB_EVENT_NAME", "pull_request"), ("GITHUB_EVENT_PATH", "/nowhere/event.json")];
    repo.verify_env(&missing, &args).is_unverifiable(&["/nowhere/event.json"]);
    repo.verify_env(&[("GITHUB_BASE_REF", "main")], &args).is_unverifiable(&["refs/remotes/origin/main"]);
    // A push of a new branch is compared with the default branch.
    repo.write("../event.json", "{\"before\":\"0000000000000000000000000000000000000000\"}");
    let set = [("GITHUB_EVENT_NAME", "push"), ("GITHUB_EVENT_PATH", event), ("CI", "true")];
    repo.verify_env(&set, &args).fails_frozen(&[AUTH]);
}

/// "34": a merge that the author made is no test merge, whatever it looks like
#[test]
fn row_34_a_merge_of_ones_own() {
    let repo = Repo::new();
    let main = repo.id("main");
    repo.edit_source();
    let source = repo.commit("source");
    repo.weaken();
    repo.commit("weaken");
    repo.git(&["merge", "-q", "--no-ff", "-s", "ours", "-m", "merge", &source]);
    repo.git(&["checkout", "-q", "-b", "other", &source]);
    repo.write("src/more.rs", "");
    repo.commit("more");
    repo.git(&["checkout", "-q", "work"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "other"]);
    let (head, second) = (repo.id("HEAD"), repo.id("HEAD^2"));
    let event = repo.outside("event.json");
    // Where GITHUB_SHA is the head itself, and where it is another commit than what is checked out.
    for (sha, of_head) in [(&head, &head), (&second, &second), (&main, &second)] {
        let text = format!(r#"{{"pull_request":{{"base":{{"sha":"{main}"}},"head":{{"sha":"{of_head}"}}}}}}"#);
        repo.write("../event.json", text);
        let set = [
            ("GITHUB_EVENT_NAME", "pull_request"),
            ("GITHUB_EVENT_PATH", event.to_str().expect("ASCII")),
            ("GITHUB_SHA", sha),
        ];
        repo.verify_env(&set, &["--changed", "--frozen-spec"]).fails_frozen(&[AUTH]);
    }
}

/// A clone of a repository, which then has a remote `origin`.
fn clone(repo: &Repo, args: &[&str]) -> PathBuf {
    let place = repo.outside("clone");
    drop(std::fs::remove_dir_all(&place));
    let url = format!("file://{}", repo.top().display());
    let all = [&["-c", "uploadpack.allowFilter=true", "clone", "-q"], args, &[&url, place.to_str().expect("ASCII")]];
    repo.git_in(repo.top(), &[], &all.concat());
    place
}

fn range_in(repo: &Repo, folder: &Path, base: &str) -> Outcome {
    repo.verify_in(folder, &[], &["--changed", "--frozen-spec", "--base", base, "--head", "HEAD"])
}

/// "35 shallow or partial clone, deleted object"
#[test]
fn row_35_missing_history() {
    let repo = Repo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let main = repo.id("main");
    repo.weaken();
    repo.commit("weaken");
    repo.edit_source();
    repo.commit("source");
    let shallow = clone(&repo, &["--depth", "1"]);
    range_in(&repo, &shallow, &main).is_unverifiable(&["shallow", "fetch-depth: 0"]);
    repo.verify_in(&shallow, &[], &["--changed", "--frozen-spec"]).is_unverifiable(&["shallow", "fetch-depth: 0"]);
    // Deep enough to see one commit of the two.
    let shallow = clone(&repo, &["--depth", "2"]);
    range_in(&repo, &shallow, &main).is_unverifiable(&["shallow"]);
    range_in(&repo, &clone(&repo, &["--depth", "3"]), &main).fails_frozen(&[AUTH]);
    // The base is here, what joins it with HEAD is not.
    let shallow = clone(&repo, &["--depth", "1", "--no-single-branch"]);
    range_in(&repo, &shallow, "origin/main").is_unverifiable(&["shallow", "fetch-depth: 0"]);

    // Objects that were left out are fetched; when their remote is gone, nothing is believed.
    for filter in ["blob:none", "tree:0"] {
        let partial = clone(&repo, &["--filter", filter]);
        range_in(&repo, &partial, "origin/main").fails_frozen(&[AUTH]);
        let partial = clone(&repo, &["--no-checkout", "--filter", filter]);
        repo.git_in(&partial, &[], &["remote", "set-url", "origin", "/nowhere"]);
        let outcome = range_in(&repo, &partial, "origin/main");
        if filter == "tree:0" {
            outcome.is_unverifiable(&["is not here"]);
        } else {
            outcome.fails_frozen(&[AUTH]);
        }
    }

    // A deleted object: of the base's commit, its folder.
    for object in ["main", "main^{tree}", "main:openspec", "main:openspec/specs"] {
        let id = repo.id(object);
        let file = repo.path(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
        let content = std::fs::read(&file).expect("a loose object");
        std::fs::remove_file(&file).expect("removable");
        range(&repo, &main, "HEAD").is_unverifiable(&[&id]);
        std::fs::write(&file, content).expect("restored");
    }
    // Of the base's file: what it said is gone, that it was edited is not.
    let id = repo.id(&format!("main:{AUTH}"));
    std::fs::remove_file(repo.path(&format!(".git/objects/{}/{}", &id[..2], &id[2..]))).expect("removable");
    range(&repo, &main, "HEAD").fails_frozen(&[AUTH]);
}

/// "35": a history that is only said to be shallow
#[test]
fn row_35_forged_shallow_file() {
    let repo = Repo::new();
    let main = repo.id("main");
    repo.weaken();
    let head = repo.commit("weaken");
    for text in [format!("{head}\n"), format!("{main}\n"), format!("{head}\n{main}\n")] {
        repo.write(".git/shallow", text);
        range(&repo, &main, "HEAD").fails_frozen(&[AUTH]);
        repo.frozen().fails_frozen(&[AUTH]);
    }
}

/// "36 base equals head (empty selection)."
#[test]
fn row_36_empty_selection() {
    let repo = Repo::new();
    repo.weaken();
    let head = repo.commit("weaken");
    for base in ["HEAD", "work", head.as_str()] {
        range(&repo, base, "HEAD").is_unverifiable(&["the same commit"]);
        repo.verify(&["--changed", "--frozen-spec", "--base", base]).is_unverifiable(&["nothing was compared"]);
    }
    // A base that lies ahead of head.
    range(&repo, "work", "main").is_unverifiable(&["base has all of head"]);
    // The default branch itself, in a CI.
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "work"]);
    repo.verify_env(&[("CI", "true")], &["--changed", "--frozen-spec"]).is_unverifiable(&["nothing was compared"]);
    // A named item the diff does not touch.
    repo.git(&["checkout", "-q", "work"]);
    repo.verify(&["--changed", "--frozen-spec", "--base", "main~1", "billing"]).is_unverifiable(&["billing"]);
}
