//! `specward ci` where no GitHub is: GitLab, other systems, and none.

use std::fs;

use crate::support::{AUTH, Outcome, SPEC, SPECWARD, Sandbox, faulty, run};

/// A faulty spec on `work`, with `main` known as the remote's.
fn worked() -> (Sandbox, String) {
    let sandbox = Sandbox::on_branch();
    let main = sandbox.head();
    sandbox.git(&["update-ref", "refs/remotes/origin/main", &main]);
    sandbox.write(AUTH, faulty());
    sandbox.commit("work");
    (sandbox, main)
}

fn ci(sandbox: &Sandbox, variables: &[(&str, &str)], args: &[&str]) -> Outcome {
    run(sandbox.command(SPECWARD).arg("ci").args(args).envs(variables.iter().copied()))
}

#[test]
fn it_is_verify_with_an_explained_freeze() {
    let (sandbox, main) = worked();
    let outcome = ci(&sandbox, &[], &[]);
    outcome.exits(1).says("freeze/direct-edit").says("spec/no-scenario").says("FAIL: ").never_says("::");
    let verified = sandbox.run(&["verify", "--changed", "--frozen-spec=explained"]);
    assert_eq!(outcome.stdout, verified.stdout);
    // What base is can be said, and that edits are let pass.
    let outcome = ci(&sandbox, &[], &["--base", &main, "--no-frozen-spec", "--format", "json"]);
    outcome.exits(1).says("\"base_source\": \"--base").says("\"frozen_spec\": false").never_says("freeze/");
    // A branch that is the default one has nothing to compare, which is no PASS here.
    sandbox.git(&["switch", "-q", "main"]);
    ci(&sandbox, &[], &[]).exits(3).says("nothing was compared");
    sandbox.run(&["verify", "--changed"]).exits(0);
}

/// CI asks for no less than the project does.
#[test]
fn base_says_how_strict_it_is() {
    for (frozen, code) in [("", 0), ("frozen: explained\n", 0), ("frozen: strict\n", 1)] {
        let sandbox = Sandbox::bare_folder();
        sandbox.write(AUTH, SPEC);
        sandbox.write("openspec/specward.yaml", frozen);
        sandbox.init(&[]);
        sandbox.commit("first");
        sandbox.git(&["switch", "-qc", "work"]);
        sandbox.write(
            "openspec/changes/add-out/proposal.md",
            "## Why\n\nPeople who are in want to get out again, every day.\n\n## What Changes\n\n- Signing out\n",
        );
        sandbox.write("openspec/changes/add-out/tasks.md", "## 1. Work\n\n- [ ] 1.1 Do it\n");
        sandbox.write("openspec/changes/add-out/specs/auth/spec.md", crate::support::DELTA);
        sandbox.commit("a new change");
        ci(&sandbox, &[], &[]).exits(code);
        ci(&sandbox, &[], &["--frozen-spec=explained"]).exits(0);
    }
}

#[test]
fn gitlab_has_its_files_and_no_commands() {
    let (sandbox, main) = worked();
    let variables = [("GITLAB_CI", "true"), ("CI_MERGE_REQUEST_DIFF_BASE_SHA", main.as_str())];
    // GitHub's files are nothing to another system.
    let summary = sandbox.top.join("summary");
    let stray = [("GITHUB_STEP_SUMMARY", summary.to_str().expect("ASCII"))];
    let args = ["--format=gitlab=quality.json", "--format=junit=junit.xml"];
    let outcome = ci(&sandbox, &[&variables[..], &stray[..]].concat(), &args);
    outcome.exits(1).says("FAIL: ").never_says("::group").never_says("stop-commands");
    for file in ["quality.json", "junit.xml"] {
        assert!(!fs::read_to_string(sandbox.path(file)).expect("a report").is_empty());
    }
    assert!(!summary.exists());
    // The target was merged in to try it out: what it has got since is not this work's.
    sandbox.git(&["switch", "-q", "--detach", "main"]);
    sandbox.write("openspec/specs/other/spec.md", SPEC);
    let into = sandbox.commit("later");
    sandbox.write("src/a.rs", "");
    sandbox.commit("merged");
    ci(&sandbox, &variables, &[]).exits(1).says("openspec/specs/other/spec.md");
    let merged = [&variables[..], &[("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", into.as_str())]].concat();
    ci(&sandbox, &merged, &[]).exits(0).says("CI_MERGE_REQUEST_TARGET_BRANCH_SHA");
}

#[test]
fn gitlab_branches_and_schedules() {
    let (sandbox, main) = worked();
    let of = |branch: &str, source: &str, before: &str| {
        let variables = [
            ("GITLAB_CI", "true"),
            ("CI_DEFAULT_BRANCH", "main"),
            ("CI_COMMIT_BRANCH", branch),
            ("CI_PIPELINE_SOURCE", source),
            ("CI_COMMIT_BEFORE_SHA", before),
        ];
        ci(&sandbox, &variables, &["--format", "json"])
    };
    of("work", "push", &"0".repeat(40)).exits(1).says("CI_DEFAULT_BRANCH");
    of("main", "push", &main).exits(1).says("CI_COMMIT_BEFORE_SHA");
    of("main", "schedule", &"0".repeat(40)).exits(1).says("\"kind\": \"tree\"").says("were not looked for");
}

#[test]
fn other_systems_name_the_target_of_a_pull_request() {
    let (sandbox, main) = worked();
    let short = &main[..12];
    let systems: [&[(&str, &str)]; 4] = [
        &[("CHANGE_ID", "7"), ("CHANGE_TARGET", "main")],
        &[("TF_BUILD", "True"), ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main")],
        &[("BUILDKITE_PULL_REQUEST", "7"), ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main")],
        &[("BITBUCKET_PR_DESTINATION_COMMIT", short)],
    ];
    for variables in systems {
        let outcome = ci(&sandbox, variables, &["--format", "json"]);
        outcome.exits(1).says(&format!("\"base\": \"{main}\"")).says(variables.last().expect("one").0);
    }
    // A tag that is called like the first digits of the commit is not what was meant.
    sandbox.git(&["tag", short, "HEAD"]);
    ci(&sandbox, systems[3], &[]).exits(3).says("ambiguous");
}

#[test]
fn a_run_that_cannot_happen() {
    let (sandbox, _) = worked();
    ci(&sandbox, &[], &["--bogus"]).exits(2).complains("--bogus");
    ci(&sandbox, &[], &["--format", "human", "--format", "json"]).exits(2).complains("standard output");
    let file = sandbox.top.join("nowhere/report.json");
    let outcome = ci(&sandbox, &[], &["--format", &format!("json={}", file.display())]);
    outcome.exits(2).complains("nowhere");
    // Every other report says so.
    let file = file.display().to_string();
    let args = ["--format", &format!("sarif={file}"), "--format", "junit=junit.xml", "--comment", "comment.md"];
    ci(&sandbox, &[], &args).exits(2).says("error: not written").says("\nFAIL: ");
    for path in ["junit.xml", "comment.md"] {
        let text = fs::read_to_string(sandbox.path(path)).expect("a report");
        assert!(text.contains("not written"), "{text}");
    }
    // And a comment says that there was no run.
    ci(&sandbox, &[], &["--comment=comment.md", "--bogus"]).exits(2);
    let text = fs::read_to_string(sandbox.path("comment.md")).expect("a comment");
    assert!(text.starts_with("<!-- specward -->\n") && text.contains("--bogus"), "{text}");
    ci(&sandbox, &[], &["--override-label", " "]).exits(2).complains("override-label");
    ci(&Sandbox::bare_folder(), &[], &[]).exits(2).complains("not a git repository");
}

#[test]
fn handoff_and_comment() {
    let (sandbox, _) = worked();
    ci(&sandbox, &[], &["--handoff", "handoff.md", "--comment", "comment.md"]).exits(1);
    let read = |path: &str| fs::read_to_string(sandbox.path(path)).unwrap_or_default();
    assert!(read("handoff.md").starts_with("SPECWARD VERDICT: FAIL"));
    assert!(read("comment.md").starts_with("<!-- specward -->\n"));
    let sandbox = Sandbox::on_branch();
    sandbox.write("src/a.rs", "");
    sandbox.commit("work");
    ci(&sandbox, &[], &["--handoff", "handoff.md"]).exits(0);
    assert!(!sandbox.path("handoff.md").exists());
}

/// `ci/verify`, with a stand-in for what installs a release.
#[cfg(unix)]
#[test]
fn the_script_installs_what_is_missing() {
    let (sandbox, _) = worked();
    let script = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/ci/verify")).expect("the script");
    sandbox.write("../ci/verify", script);
    let verify = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = sandbox.command("sh");
        run(command.arg("../ci/verify").args(args).envs(variables.iter().copied()))
    };
    verify(&[], &[]).exits(2).complains("is not here");
    let install = format!(
        "[ \"$1 $2 $3\" = '--version {} --to' ] && mkdir -p \"$4\" && ln -s '{SPECWARD}' \"$4/specward\"\n",
        env!("CARGO_PKG_VERSION")
    );
    sandbox.write("../ci/install.sh", install);
    verify(&[], &[]).exits(1).says("freeze/direct-edit");
    verify(&["--format", "agent"], &[]).exits(1).says("SPECWARD VERDICT: FAIL");
    // Nothing is left behind, unless a folder was named.
    let (temp, kept) = (sandbox.top.join("temp"), sandbox.top.join("kept"));
    fs::create_dir(&temp).expect("a folder");
    let (temp, kept) = (temp.to_str().expect("ASCII"), kept.to_str().expect("ASCII"));
    verify(&[], &[("TMPDIR", temp)]).exits(1).says("freeze/direct-edit");
    let left = fs::read_dir(temp).expect("a folder").count();
    assert_eq!(left, 0, "a folder is left behind");
    verify(&[], &[("TMPDIR", temp), ("SPECWARD_TO", kept)]).exits(1);
    assert!(fs::symlink_metadata(format!("{kept}/specward")).is_ok());
    verify(&[], &[("SPECWARD_VERSION", "999.0.0")]).exits(2).complains("could not be installed");
}

/// `ci/specward.mk` adds a goal, and does not become what `make` alone does.
#[cfg(unix)]
#[test]
fn a_makefile_keeps_its_own_goal() {
    let (sandbox, _) = worked();
    if run(sandbox.command("sh").args(["-c", "command -v make"])).code != Some(0) {
        eprintln!("skipped: there is no `make` here");
        return;
    }
    let goals = concat!("include ", env!("CARGO_MANIFEST_DIR"), "/ci/specward.mk\nall:\n\t@echo all of it\n");
    sandbox.write("Makefile", goals);
    run(&mut sandbox.command("make")).exits(0).says("all of it");
    let mut verify = sandbox.command("make");
    run(verify.arg("verify").arg(format!("SPECWARD={SPECWARD}"))).exits(2).says("freeze/direct-edit");
}
