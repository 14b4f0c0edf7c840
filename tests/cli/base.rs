//! What is compared with what, when nobody says.

use crate::support::{AUTH, Judged, SPEC, Sandbox, faulty};

/// `main` has one commit, `work` is one ahead with a faulty spec and checked out, and a commit beside both is known as
/// `side`. Returns the commits of `main` and `work`.
fn branched() -> (Sandbox, String, String) {
    let sandbox = Sandbox::repository();
    let first = sandbox.head();
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(AUTH, faulty());
    let second = sandbox.commit("second");
    (sandbox, first, second)
}

/// The three commits of a line: `first` on main, `middle` and `last` on work.
fn line() -> (Sandbox, [String; 3]) {
    let (sandbox, first, middle) = branched();
    sandbox.write(AUTH, SPEC.replace("keeps", "leaves"));
    let last = sandbox.commit("third");
    (sandbox, [first, middle, last])
}

fn changed(sandbox: &Sandbox) -> Judged {
    sandbox.json(&["--changed"])
}

/// Writes a GitHub event file and says that it is there.
fn event(sandbox: &mut Sandbox, name: &str, content: &str) {
    let path = sandbox.top.join("event.json");
    std::fs::write(&path, content).expect("a file");
    sandbox.set("CI", "true");
    sandbox.set("GITHUB_ACTIONS", "true");
    sandbox.set("GITHUB_EVENT_NAME", name);
    sandbox.set("GITHUB_EVENT_PATH", path);
}

#[test]
fn a_flag_wins_over_everything() {
    let (mut sandbox, [first, middle, _]) = line();
    sandbox.set("SPECWARD_BASE", &first);
    event(&mut sandbox, "push", &format!(r#"{{"before":"{first}"}}"#));
    sandbox.json(&["--changed", "--base", &middle]).is("PASS").compared_from(&middle, "--base");
}

#[test]
fn our_own_variable() {
    let (mut sandbox, [first, middle, _]) = line();
    event(&mut sandbox, "push", &format!(r#"{{"before":"{first}"}}"#));
    sandbox.set("SPECWARD_BASE", &middle);
    changed(&sandbox).is("PASS").compared_from(&middle, "SPECWARD_BASE");
    sandbox.set("SPECWARD_BASE", "nothing");
    changed(&sandbox).is("UNVERIFIABLE").reasons("`nothing` is no commit", "--base REV");
    // Set and empty is not set.
    sandbox.set("SPECWARD_BASE", "");
    changed(&sandbox).compared_from(&first, "push");
}

#[test]
fn github_events() {
    let (sandbox, [_, middle, last]) = line();
    drop(sandbox);
    for (name, content) in [
        ("pull_request", r#"{"pull_request":{"base":{"sha":"BASE"},"head":{"sha":"HEAD"}}}"#),
        ("pull_request_target", r#"{"pull_request":{"base":{"sha":"BASE"},"head":{"sha":"HEAD"}}}"#),
        ("merge_group", r#"{"merge_group":{"base_sha":"BASE","head_sha":"HEAD"}}"#),
        ("push", r#"{"before":"BASE","after":"HEAD"}"#),
    ] {
        let (mut sandbox, _) = line();
        event(&mut sandbox, name, &content.replace("BASE", &middle).replace("HEAD", &last));
        sandbox.set("CI_MERGE_REQUEST_DIFF_BASE_SHA", "nothing");
        changed(&sandbox).is("PASS").compared_from(&middle, name);
    }
}

#[test]
fn a_push_of_a_new_branch_is_compared_with_the_default_branch() {
    let (mut sandbox, first, _) = branched();
    event(&mut sandbox, "push", r#"{"before":"0000000000000000000000000000000000000000"}"#);
    changed(&sandbox).is("FAIL").compared_from(&first, "default branch");
}

#[test]
fn a_base_that_was_forced_away_is_not_here() {
    let (mut sandbox, _, _) = branched();
    event(&mut sandbox, "push", r#"{"before":"1111111111111111111111111111111111111111"}"#);
    changed(&sandbox).is("UNVERIFIABLE").reasons("1111111111", "");
}

#[test]
fn github_event_files_nobody_can_use() {
    for content in ["", "{", "[]", "{}", r#"{"pull_request":{"base":{"sha":""}}}"#, r#"{"pull_request":null}"#] {
        let (mut sandbox, _, _) = branched();
        event(&mut sandbox, "pull_request", content);
        changed(&sandbox).is("UNVERIFIABLE").reasons("event", "--base REV");
    }
    let (mut sandbox, _, _) = branched();
    event(&mut sandbox, "pull_request", "{}");
    sandbox.set("GITHUB_EVENT_PATH", "/nowhere/event.json");
    changed(&sandbox).is("UNVERIFIABLE").reasons("/nowhere/event.json", "--base REV");
}

#[test]
fn github_base_ref_is_the_remotes_branch() {
    let (mut sandbox, [first, middle, _]) = line();
    sandbox.set("GITHUB_BASE_REF", "release");
    changed(&sandbox).is("UNVERIFIABLE").reasons("origin/release", "");
    sandbox.git(&["update-ref", "refs/remotes/origin/release", &middle]);
    // A branch or tag of that name is not meant.
    sandbox.git(&["branch", "release", &first]);
    sandbox.git(&["tag", "origin/release", &first]);
    changed(&sandbox).is("PASS").compared_from(&middle, "GITHUB_BASE_REF");
}

#[test]
fn gitlab() {
    let (mut sandbox, [first, middle, _]) = line();
    sandbox.set("GITLAB_CI", "true");
    sandbox.set("CI", "true");
    sandbox.set("PRE_COMMIT_FROM_REF", &first);
    sandbox.set("CI_MERGE_REQUEST_DIFF_BASE_SHA", &middle);
    changed(&sandbox).is("PASS").compared_from(&middle, "CI_MERGE_REQUEST_DIFF_BASE_SHA");
}

#[test]
fn pre_commit() {
    let (mut sandbox, [first, middle, last]) = line();
    sandbox.set("PRE_COMMIT_FROM_REF", &first);
    sandbox.set("PRE_COMMIT_TO_REF", &middle);
    let judged = changed(&sandbox);
    judged.is("FAIL").compared_from(&first, "PRE_COMMIT_FROM_REF");
    assert_eq!(judged.report["scope"]["head"], *middle);
    sandbox.set("PRE_COMMIT_FROM_REF", &middle);
    sandbox.set("PRE_COMMIT_TO_REF", &last);
    changed(&sandbox).is("PASS").compared_from(&middle, "PRE_COMMIT_FROM_REF");
}

#[test]
fn the_upstreams_default_branch_in_order() {
    let (sandbox, first, second) = branched();
    let other = sandbox.git(&["commit-tree", "-m", "other", "-p", &first, &format!("{first}^{{tree}}")]);
    sandbox.git(&["branch", "-m", "main", "master"]);
    changed(&sandbox).is("FAIL").compared_from(&first, "heads/master");
    sandbox.git(&["branch", "main", &first]);
    changed(&sandbox).is("FAIL").compared_from(&first, "heads/main");
    sandbox.git(&["update-ref", "refs/remotes/origin/master", &other]);
    changed(&sandbox).is("FAIL").compared_from(&first, "remotes/origin/master");
    sandbox.git(&["update-ref", "refs/remotes/origin/main", &other]);
    changed(&sandbox).is("FAIL").compared_from(&first, "remotes/origin/main");
    sandbox.git(&["update-ref", "refs/remotes/origin/trunk", &other]);
    sandbox.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]);
    changed(&sandbox).is("FAIL").compared_from(&first, "remotes/origin/trunk");
    // One that leads nowhere is none.
    sandbox.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone"]);
    changed(&sandbox).is("FAIL").compared_from(&first, "remotes/origin/main");
    assert_eq!(sandbox.head(), second);
}

#[test]
fn no_default_branch_at_all() {
    let (sandbox, _, _) = branched();
    sandbox.git(&["branch", "-m", "main", "whatever"]);
    changed(&sandbox).is("UNVERIFIABLE").reasons("there is no base", "--base REV");
}

#[test]
fn always_from_the_merge_base() {
    let sandbox = Sandbox::project();
    sandbox.write("openspec/specs/edited/spec.md", SPEC);
    sandbox.init(&[]);
    let first = sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(AUTH, faulty());
    sandbox.commit("second");
    // The default branch went on, and what it did is not this branch's doing.
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("openspec/specs/new/spec.md", SPEC);
    sandbox.write("openspec/specs/edited/spec.md", SPEC.replace("keeps", "leaves"));
    let theirs = sandbox.commit("theirs");
    sandbox.git(&["switch", "-q", "work"]);
    for args in
        [&["--changed"][..], &["--changed", "--base", &theirs], &["--changed", "--base", "main", "--head", "work"]]
    {
        let judged = sandbox.json(args);
        judged.is("FAIL").compared_from(&first, "");
        assert_eq!(judged.spec_changes(), [AUTH]);
    }
}

#[test]
fn a_graft_makes_no_other_merge_base() {
    let (sandbox, first, second) = branched();
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("README.md", "read me\n");
    let main = sandbox.commit("main went on");
    sandbox.git(&["switch", "-q", "work"]);
    // Main is said to come after work, which would make HEAD the merge base.
    sandbox.write(".git/info/grafts", format!("{main} {second}\n"));
    assert_eq!(sandbox.git(&["merge-base", "main", "work"]), second, "git believes it");
    for args in [&["--changed"][..], &["--changed", "--base", "main", "--head", "work"]] {
        let judged = sandbox.json(args);
        judged.is("FAIL").compared_from(&first, "");
        assert_eq!(judged.spec_changes(), [AUTH]);
    }
}

#[test]
fn on_the_default_branch_itself() {
    let sandbox = Sandbox::repository();
    let first = sandbox.head();
    changed(&sandbox).is("PASS").compared_from(&first, "HEAD, which is the default branch (main)");
    sandbox.write(AUTH, faulty());
    changed(&sandbox).is("FAIL").finds("spec/no-scenario", AUTH, 8);
    // What is committed on it was not compared with anything.
    sandbox.commit("second");
    changed(&sandbox).is("PASS");
}

#[test]
fn on_the_default_branch_with_commits_that_upstream_has_not() {
    let sandbox = Sandbox::repository();
    let first = sandbox.head();
    sandbox.git(&["update-ref", "refs/remotes/origin/main", &first]);
    changed(&sandbox).is("PASS").compared_from(&first, "HEAD, which is the default branch");
    sandbox.write(AUTH, faulty());
    sandbox.commit("second");
    let judged = changed(&sandbox);
    judged.is("FAIL").finds("spec/no-scenario", AUTH, 8).compared_from(&first, "origin/main");
    assert_eq!(judged.spec_changes(), [AUTH]);
}

#[test]
fn on_the_default_branch_in_ci_nothing_compared_is_no_pass() {
    let mut sandbox = Sandbox::repository();
    sandbox.set("CI", "true");
    changed(&sandbox).is("UNVERIFIABLE").reasons("nothing was compared", "--base REV");
}

#[test]
fn base_and_head_are_the_same() {
    let (sandbox, first, second) = branched();
    let judged = sandbox.json(&["--changed", "--base", "work", "--head", "work"]);
    judged.is("UNVERIFIABLE").reasons("same commit", "--base REV");
    sandbox
        .json(&["--changed", "--base", "HEAD", "--head", "HEAD"])
        .is("UNVERIFIABLE")
        .reasons("same commit", "--base REV");
    // The work tree of the base itself, as long as nothing of the specs differs in it.
    sandbox.write("src/main.rs", "fn main() {}\n");
    let judged = sandbox.json(&["--changed", "--base", "HEAD"]);
    judged.is("UNVERIFIABLE").reasons("nothing was compared", "--base REV");
    sandbox.write(AUTH, SPEC);
    sandbox.json(&["--changed", "--base", "HEAD"]).is("PASS");
    // The other way round there is nothing either: head is an ancestor.
    let judged = sandbox.json(&["--changed", "--base", &second, "--head", &first]);
    judged.is("UNVERIFIABLE").reasons("base has all of head", "--base REV");
}

#[test]
fn a_detached_head() {
    let (sandbox, first, second) = branched();
    sandbox.git(&["switch", "-q", "--detach", &second]);
    changed(&sandbox).is("FAIL").compared_from(&first, "heads/main");
    // Detached at the default branch's tip: nothing differs and nobody can tell what was meant.
    sandbox.git(&["switch", "-q", "--detach", &first]);
    let judged = changed(&sandbox);
    assert!(judged.report["spec_changed_in_diff"] == false || judged.report["verdict"] == "UNVERIFIABLE");
}

#[test]
fn a_branch_without_commits() {
    let sandbox = Sandbox::project();
    sandbox.init(&[]);
    changed(&sandbox).is("UNVERIFIABLE").reasons("no commit yet", "--staged");
    sandbox.json(&["--changed", "--base", "HEAD"]).is("UNVERIFIABLE").reasons("no commit yet", "--staged");
    let judged = sandbox.json(&["--staged"]);
    assert_eq!(judged.spec_changes(), [""; 0]);
    sandbox.git(&["add", "-A"]);
    let judged = sandbox.json(&["--staged", "--frozen-spec"]);
    judged.is("FAIL").judges_only(&["spec/auth"]).finds("freeze/spec-changed", AUTH, 1);
    sandbox.json(&[]).is("PASS");
}

#[test]
fn an_orphan_branch() {
    let (sandbox, _, _) = branched();
    sandbox.git(&["switch", "-q", "--orphan", "alone"]);
    sandbox.write(AUTH, SPEC);
    sandbox.commit("alone");
    changed(&sandbox).is("UNVERIFIABLE").reasons("no common ancestor", "--base REV");
}

/// A clone of the last commits of `work`.
fn shallow(origin: &Sandbox, depth: &str) -> Sandbox {
    let url = format!("file://{}", origin.root.display());
    let args = ["clone", "-q", "--depth", depth, "--no-single-branch", "--branch", "work", &url, "../shallow"];
    origin.git(&args);
    origin.at("../shallow")
}

#[test]
fn a_shallow_clone() {
    let (origin, [first, middle, _]) = line();
    origin.git(&["switch", "-q", "main"]);
    origin.write("other", "x");
    origin.commit("main went on");
    let clone = shallow(&origin, "1");
    changed(&clone).is("UNVERIFIABLE").reasons("shallow clone", "fetch-depth: 0");
    for base in [&first, &middle] {
        let judged = clone.json(&["--changed", "--base", base]);
        judged.is("UNVERIFIABLE").reasons("shallow clone", "fetch-depth: 0");
    }
    clone.agent(&["--changed"]).exits(3).says("shallow clone").says("fetch-depth: 0");
    // The index and the tree need no history.
    clone.json(&["--staged"]).is("PASS");
    clone.json(&[]).is("PASS");
    clone.git(&["fetch", "-q", "--unshallow"]);
    changed(&clone).is("PASS").compared_from(&first, "origin/");
}

#[test]
fn a_shallow_clone_of_the_default_branch() {
    let origin = Sandbox::repository();
    origin.git(&["switch", "-qc", "work"]);
    origin.write(AUTH, faulty());
    origin.commit("second");
    origin.git(&["branch", "-M", "main"]);
    let url = format!("file://{}", origin.root.display());
    origin.git(&["clone", "-q", "--depth", "1", &url, "../shallow"]);
    let clone = origin.at("../shallow");
    changed(&clone).is("UNVERIFIABLE").reasons("shallow clone", "fetch-depth: 0");
}

#[test]
fn names_that_mean_two_things() {
    let (sandbox, _, second) = branched();
    sandbox.git(&["tag", "main", &second]);
    let judged = sandbox.json(&["--changed", "--base", "main"]);
    judged.is("UNVERIFIABLE").reasons("ambiguous", "refs/heads/main");
    sandbox.json(&["--changed", "--base", "refs/heads/main"]).is("FAIL");
    // The default branch is looked up by its full name.
    changed(&sandbox).is("FAIL");
}

#[test]
fn revisions_that_are_no_commits() {
    let (sandbox, first, _) = branched();
    let tree = format!("{first}^{{tree}}");
    for revision in
        ["", " ", "-", "--", "-x", "main..work", "HEAD:openspec", "@{-9}", "HEAD~99", &tree, "main\nwork", ":/"]
    {
        let base = format!("--base={revision}");
        let judged = sandbox.json(&["--changed", &base]);
        assert_ne!(judged.report["verdict"], "PASS", "{revision:?} {:#}", judged.report);
        assert!(matches!(judged.outcome.code, Some(2 | 3)), "{revision:?} {:#}", judged.report);
    }
}
