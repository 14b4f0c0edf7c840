//! What is checked out has to be what the event is about, and base what everybody agreed to.

use serde_json::{Value, json};

use super::Request;
use super::runner::{Done, Job, has};
use crate::support::{AUTH, SPEC, Sandbox, faulty};

/// Runs an event with `checkout` checked out and GITHUB_SHA as given.
fn at(request: &Request, event: &str, checkout: &str, sha: &str, payload: &Value) -> Done {
    request.sandbox.git(&["checkout", "-q", "--detach", checkout]);
    let job = Job::new(&request.sandbox, event, payload).set("GITHUB_SHA", sha).with("checks", "false");
    job.set("GITHUB_REF", "refs/heads/main").run()
}

const ANOTHER: &str = "is not what this event is about";

#[test]
fn another_commit_than_the_event_is_about_is_no_pass() {
    let request = Request::new(&[(AUTH, &faulty())]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let (merge, main) = (request.sandbox.head(), request.sandbox.git(&["rev-parse", "main"]));
    request.sandbox.git(&["update-ref", "refs/remotes/origin/main", &main]);
    let mut payload = request.payload();
    payload["merge_group"] = json!({ "base_sha": request.old, "head_sha": merge });
    payload["workflow_run"] = json!({ "head_sha": request.head });
    // Event, what is checked out in error, GITHUB_SHA.
    let cases = [
        ("pull_request_target", &main, &main),
        ("pull_request", &main, &merge),
        ("pull_request", &request.old, &merge),
        ("pull_request_review", &main, &merge),
        ("merge_group", &main, &merge),
        ("merge_group", &request.head, &merge),
        ("workflow_run", &main, &main),
        ("workflow_dispatch", &request.head, &main),
        ("schedule", &request.head, &main),
        ("push", &request.head, &main),
        ("issue_comment", &request.head, &main),
    ];
    for (event, checkout, sha) in cases {
        let done = at(&request, event, checkout, sha, &payload);
        done.is("UNVERIFIABLE", 3).says(ANOTHER).says("--base REV --head REV");
        let is_told = done.log.contains("github.event.pull_request.head.sha");
        assert_eq!(is_told, event == "pull_request_target", "{done:#?}");
    }
    for (event, checkout, sha) in [
        ("pull_request_target", &request.head, &main),
        ("pull_request_target", &merge, &main),
        ("pull_request", &request.head, &merge),
        ("pull_request", &merge, &merge),
        ("merge_group", &merge, &merge),
        ("workflow_run", &request.head, &main),
    ] {
        let done = at(&request, event, checkout, sha, &payload);
        done.is("FAIL", 1).says("freeze/");
    }
    // Who names base or head means it.
    request.sandbox.git(&["checkout", "-q", "--detach", &main]);
    let job = || request.job("pull_request").set("GITHUB_SHA", &merge);
    job().with("args", &format!("--head={}", request.head)).run().is("FAIL", 1);
    job().with("base", &request.old).run().says("--base").is("FAIL", 1);
    // An event that does not name its head is not understood.
    payload["pull_request"]["head"] = json!({});
    at(&request, "pull_request", &merge, &merge, &payload).is("UNVERIFIABLE", 3).says("has no head commit");
}

#[test]
fn verify_looks_at_what_is_checked_out_too() {
    let request = Request::new(&[(AUTH, &faulty())]);
    let sandbox = &request.sandbox;
    let event = sandbox.top.join("event.json");
    std::fs::write(&event, request.payload().to_string()).expect("a file");
    sandbox.git(&["checkout", "-q", "main"]);
    let verify = |args: &[&str]| {
        let variables = [("GITHUB_EVENT_NAME", "pull_request"), ("GITHUB_EVENT_PATH", event.to_str().expect("ASCII"))];
        let mut command = sandbox.command(crate::support::SPECWARD);
        crate::support::run(command.arg("verify").args(args).envs(variables))
    };
    verify(&["--changed"]).exits(3).says(ANOTHER);
    verify(&[]).exits(0);
}

#[test]
fn a_repository_that_the_pull_request_put_into_a_folder() {
    let request = Request::new(&[("src/a.rs", "")]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    // A clone that has the base commit, and whatever its author put on top.
    let url = request.sandbox.root.display().to_string();
    request.sandbox.git(&["clone", "-q", "--branch", "main", &url, "sub"]);
    let sub = request.sandbox.at("sub");
    sub.write("src/b.rs", "");
    sub.git(&["-c", "user.name=a", "-c", "user.email=a@example.org", "add", "-A"]);
    sub.git(&["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "on top"]);
    let done = request.job("pull_request").with("working-directory", "sub").run();
    done.is("UNVERIFIABLE", 3).says(ANOTHER);
}

#[test]
fn the_default_branch_is_the_one_that_the_event_names() {
    let sandbox = Sandbox::repository();
    if !has(&sandbox, &["bash"]) {
        return;
    }
    let first = sandbox.head();
    sandbox.git(&["branch", "-m", "main", "develop"]);
    sandbox.write(AUTH, SPEC.replace("with a password", "without a password"));
    let weak = sandbox.commit("weak");
    // Somebody pushed a branch that is called as default branches often are.
    sandbox.git(&["update-ref", "refs/remotes/origin/main", &weak]);
    sandbox.write("src/a.rs", "");
    sandbox.commit("work");
    let payload = json!({
        "ref": "refs/heads/work", "before": "0".repeat(40), "after": sandbox.head(),
        "repository": { "default_branch": "develop" },
    });
    let job = |event: &str| Job::new(&sandbox, event, &payload).set("GITHUB_REF", "refs/heads/work").run();
    for event in ["push", "workflow_dispatch", "workflow_run", "issue_comment"] {
        let done = job(event);
        done.is("UNVERIFIABLE", 3).says("refs/remotes/origin/develop").says("fetch-depth: 0");
    }
    sandbox.git(&["update-ref", "refs/remotes/origin/develop", &first]);
    for event in ["push", "workflow_dispatch"] {
        let done = job(event);
        done.is("FAIL", 1);
        assert_eq!(done.report()["scope"]["base"], first);
    }
}

#[test]
fn what_main_got_meanwhile_is_not_the_pull_requests() {
    let request = Request::new(&[("src/a.rs", "")]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let sandbox = &request.sandbox;
    let main = sandbox.git(&["rev-parse", "main"]);
    // Main, which has an edit of the spec by now, is merged into the work.
    sandbox.git(&["checkout", "-q", "work"]);
    sandbox.git(&["merge", "-q", "--no-ff", "-m", "with main", "main"]);
    let head = sandbox.head();
    let mut payload = request.payload();
    payload["pull_request"]["head"]["sha"] = json!(head);
    // Where main is not known, its edits cannot be told from the author's.
    at(&request, "pull_request", &head, &main, &payload).is("FAIL", 1);
    sandbox.git(&["update-ref", "refs/remotes/origin/main", &main]);
    let done = at(&request, "pull_request", &head, &main, &payload);
    done.is("PASS", 0);
    assert_eq!(done.report()["scope"]["base"], main);
    // A clone of a fork has a branch `main` that is its author's.
    let mut of_fork = payload.clone();
    of_fork["pull_request"]["head"]["repo"]["full_name"] = json!("stranger/project");
    at(&request, "pull_request", &head, &main, &of_fork).is("FAIL", 1);
    // A test merge that is not GITHUB_SHA, as `pull_request_target` has it.
    sandbox.git(&["checkout", "-q", "--detach", "main"]);
    sandbox.git(&["merge", "-q", "--no-ff", "-m", "test merge", &request.head]);
    let merge = sandbox.head();
    let done = at(&request, "pull_request_target", &merge, &main, &request.payload());
    done.is("PASS", 0);
    assert_eq!(done.report()["scope"]["base"], main);
    // One into another commit than main's is its author's own.
    sandbox.git(&["checkout", "-q", "-b", "weak", "main"]);
    sandbox.write(AUTH, faulty());
    sandbox.commit("weak");
    sandbox.git(&["merge", "-q", "--no-ff", "-m", "no test merge", &request.head]);
    let merge = sandbox.head();
    at(&request, "pull_request_target", &merge, &main, &request.payload()).is("FAIL", 1).says("freeze/");
}

#[test]
fn pushes_without_a_commit_of_their_own_are_judged_as_a_whole() {
    let sandbox = Sandbox::repository();
    if !has(&sandbox, &["bash"]) {
        return;
    }
    let first = sandbox.head();
    sandbox.write("src/a.rs", "");
    let second = sandbox.commit("second");
    sandbox.git(&["update-ref", "refs/remotes/origin/main", &second]);
    let pushed = |reference: &str| {
        let payload = json!({
            "ref": reference, "before": "0".repeat(40), "after": sandbox.head(),
            "repository": { "default_branch": "main" },
        });
        Job::new(&sandbox, "push", &payload).run()
    };
    for commit in [&second, &first] {
        sandbox.git(&["checkout", "-q", "--detach", commit]);
        for reference in ["refs/tags/v1", "refs/heads/new"] {
            let done = pushed(reference);
            done.is("PASS", 0).says("the whole tree was judged");
            assert_eq!(done.report()["scope"]["kind"], "tree");
        }
    }
    // The default branch has always something it was at before.
    sandbox.git(&["checkout", "-q", "main"]);
    pushed("refs/heads/main").is("UNVERIFIABLE", 3);
    // What has commits of its own is compared.
    sandbox.write(AUTH, SPEC.replace("with a password", "without a password"));
    sandbox.commit("weak");
    for reference in ["refs/tags/v1", "refs/heads/new"] {
        let done = pushed(reference);
        done.is("FAIL", 1).says("freeze/");
    }
    // A pull request that changes nothing has nothing to pass with.
    sandbox.git(&["checkout", "-q", "--detach", &second]);
    let request = json!({ "pull_request": { "base": { "sha": second }, "head": { "sha": second } } });
    Job::new(&sandbox, "pull_request", &request).run().is("UNVERIFIABLE", 3).says("nothing was compared");
    let group = json!({ "merge_group": { "base_sha": second, "head_sha": second } });
    Job::new(&sandbox, "merge_group", &group).run().is("UNVERIFIABLE", 3).says("nothing was compared");
}
