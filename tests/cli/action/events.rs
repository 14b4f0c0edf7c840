//! Other events than a pull request, and clones without their history.

use serde_json::json;

use super::Request;
use super::runner::{Done, Job, has};
use crate::support::{AUTH, Sandbox, faulty};

#[test]
fn a_merge_group_is_compared_with_its_base() {
    let request = Request::new(&[(AUTH, &faulty())]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let group = |base: &str| {
        let payload = json!({ "merge_group": { "base_sha": base, "head_sha": request.sandbox.head() } });
        Job::new(&request.sandbox, "merge_group", &payload).run()
    };
    let into = request.sandbox.git(&["rev-parse", "HEAD^1"]);
    let done = group(&into);
    done.is("FAIL", 1);
    assert_eq!(done.report()["spec_changes"], json!([AUTH]));
    let payload = json!({ "merge_group": {} });
    Job::new(&request.sandbox, "merge_group", &payload).run().is("UNVERIFIABLE", 3);
}

/// A push of `to` where `from` was.
fn push(sandbox: &Sandbox, branch: &str, from: &str, forced: bool) -> Done {
    let payload = json!({
        "ref": format!("refs/heads/{branch}"), "before": from, "after": sandbox.head(), "forced": forced,
        "repository": { "default_branch": "main" },
    });
    Job::new(sandbox, "push", &payload).run()
}

#[test]
fn pushes() {
    let sandbox = Sandbox::repository();
    if !has(&sandbox, &["bash"]) {
        return;
    }
    let first = sandbox.head();
    sandbox.write("src/a.rs", "");
    let second = sandbox.commit("second");
    push(&sandbox, "main", &first, false).is("PASS", 0);
    // The default branch itself is new: there is nothing to compare with, which is no PASS.
    let zeros = "0".repeat(40);
    sandbox.git(&["update-ref", "refs/remotes/origin/main", &second]);
    push(&sandbox, "main", &zeros, false).is("UNVERIFIABLE", 3).says("nothing was compared");
    let done = push(&sandbox, "main", &"1".repeat(40), true);
    done.is("UNVERIFIABLE", 3).says("the push replaced history");
    // A commit that was there and is left out, though it is still in the clone.
    sandbox.git(&["tag", "kept"]);
    sandbox.git(&["reset", "-q", "--hard", &first]);
    sandbox.write("src/b.rs", "");
    sandbox.commit("instead");
    push(&sandbox, "main", &second, true).is("UNVERIFIABLE", 3).says("the push replaced history");
    sandbox.git(&["reset", "-q", "--hard", &second]);
    // A branch of its own is work since it left the default branch, whatever was pushed before.
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(AUTH, faulty());
    let third = sandbox.commit("third");
    sandbox.write("src/b.rs", "");
    sandbox.commit("fourth");
    for before in [&zeros, &third] {
        let done = push(&sandbox, "work", before, false);
        done.is("FAIL", 1);
        assert_eq!(done.report()["scope"]["base"], second);
    }
}

#[test]
fn events_about_everything_judge_the_whole_tree() {
    let sandbox = Sandbox::repository();
    if !has(&sandbox, &["bash"]) {
        return;
    }
    let payload = json!({ "repository": { "default_branch": "main" } });
    let job = |event: &str, branch: &str| {
        Job::new(&sandbox, event, &payload).set("GITHUB_REF", &format!("refs/heads/{branch}")).run()
    };
    for event in ["schedule", "workflow_dispatch"] {
        let done = job(event, "main");
        done.is("PASS", 0).says("edits of the spec were not looked for");
        assert_eq!(done.report()["scope"]["kind"], "tree");
    }
    // On another branch there is something to compare, and nothing was.
    job("workflow_dispatch", "work").is("UNVERIFIABLE", 3);
    sandbox.write(AUTH, faulty());
    job("schedule", "main").is("FAIL", 1);
}

#[test]
fn shallow_clones_fail_with_the_way_out() {
    let request = Request::new(&[("src/a.rs", "")]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    request.sandbox.git(&["branch", "merged"]);
    let (old, merge) = (request.old.as_str(), request.sandbox.head());
    let push = |branch: &str, before: &str| json!({ "ref": format!("refs/heads/{branch}"), "before": before, "repository": { "default_branch": "main" } });
    let events = [
        ("pull_request", request.payload()),
        ("pull_request_target", request.payload()),
        ("merge_group", json!({ "merge_group": { "base_sha": old } })),
        ("push", push("main", old)),
        ("push", push("merged", old)),
        ("push", push("merged", &"0".repeat(40))),
    ];
    let url = format!("file://{}", request.sandbox.root.display());
    for (at, (event, payload)) in events.iter().enumerate() {
        let folder = format!("clone-{at}");
        request.sandbox.git(&["clone", "-q", "--depth", "1", "--branch", "merged", &url, &format!("../{folder}")]);
        let clone = request.sandbox.at(format!("../{folder}"));
        assert_eq!(clone.head(), merge);
        let done = Job::new(&clone, event, payload).run();
        assert_eq!((done.output("verdict"), done.code), ("UNVERIFIABLE", 3), "{event}: {done:#?}");
        done.says("fetch-depth: 0");
    }
    // Two commits are enough for a test merge.
    request.sandbox.git(&["clone", "-q", "--depth", "2", "--branch", "merged", &url, "../deeper"]);
    Job::new(&request.sandbox.at("../deeper"), "pull_request", &request.payload()).run().is("PASS", 0);
}
