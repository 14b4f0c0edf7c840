//! `--staged`: what will be committed, and nothing else.

use std::fs;

use crate::support::{AUTH, DELTA, SPEC, Sandbox, faulty};

#[test]
fn contents_come_from_the_index() {
    let sandbox = Sandbox::repository();
    sandbox.write(AUTH, faulty());
    sandbox.git(&["add", "-A"]);
    // The work tree is good again; the index is not.
    sandbox.write(AUTH, SPEC);
    sandbox.json(&["--staged"]).is("FAIL").finds("spec/no-scenario", AUTH, 8);
    // And the other way round.
    sandbox.write(AUTH, SPEC.replace("keeps", "leaves"));
    sandbox.git(&["add", "-A"]);
    sandbox.write(AUTH, faulty());
    let judged = sandbox.json(&["--staged"]);
    judged.is("PASS").judges_only(&["spec/auth"]);
    assert_eq!(judged.report["scope"]["kind"], "staged");
    assert_eq!(judged.report["scope"]["head"], "index");
    // Not even its being there matters.
    fs::remove_dir_all(sandbox.path("openspec")).expect("it is there");
    sandbox.json(&["--staged"]).is("PASS").judges_only(&["spec/auth"]);
}

#[test]
fn untracked_files_do_not_count() {
    let sandbox = Sandbox::repository();
    sandbox.write("openspec/specs/new/spec.md", "nothing\n");
    sandbox.write("openspec/specward.yaml", "nonsense: [\n");
    let judged = sandbox.json(&["--staged"]);
    judged.is("PASS").judges_only(&[]);
    assert_eq!(judged.report["spec_changed_in_diff"], false);
    assert_eq!(judged.report["left_alone"], 1);
}

#[test]
fn configuration_comes_from_the_index() {
    let sandbox = Sandbox::repository();
    sandbox.write("openspec/specward.yaml", "strict: true\n");
    sandbox.git(&["add", "-A"]);
    sandbox.write("openspec/specward.yaml", "strict: false\n");
    assert_eq!(sandbox.json(&["--staged"]).report["scope"]["strict"], true);
    sandbox.write("openspec/specward.yaml", "strikt: true\n");
    sandbox.git(&["add", "-A"]);
    fs::remove_file(sandbox.path("openspec/specward.yaml")).expect("it is there");
    sandbox.agent(&["--staged"]).exits(2).says("openspec/specward.yaml:1").says("strikt");
}

#[test]
fn an_intention_to_add_is_nothing_staged() {
    let sandbox = Sandbox::repository();
    sandbox.write("openspec/specs/new/spec.md", "nothing\n");
    sandbox.git(&["add", "-N", "openspec/specs/new/spec.md"]);
    sandbox.json(&["--staged", "--frozen-spec"]).is("PASS").judges_only(&[]);
}

#[test]
fn an_unfinished_merge() {
    let sandbox = Sandbox::on_branch();
    sandbox.write(AUTH, SPEC.replace("keeps", "leaves"));
    sandbox.commit("ours");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write(AUTH, SPEC.replace("keeps", "holds"));
    sandbox.commit("theirs");
    assert_ne!(sandbox.try_git(&["merge", "-q", "work"]).code, Some(0));
    sandbox.json(&["--staged"]).is("UNVERIFIABLE").reasons(AUTH, "finish the merge");
}

#[test]
fn a_staged_deletion() {
    let sandbox = Sandbox::repository();
    sandbox.write("openspec/specs/other/spec.md", SPEC);
    sandbox.commit("second");
    sandbox.git(&["rm", "-q", "--cached", AUTH]);
    let judged = sandbox.json(&["--staged", "--frozen-spec"]);
    judged.is("FAIL").finds("freeze/spec-changed", AUTH, 1);
    assert_eq!(judged.spec_changes(), [AUTH]);
}

#[test]
fn a_staged_link() {
    let sandbox = Sandbox::repository();
    let blob = {
        sandbox.write("target", "/etc/passwd");
        sandbox.git(&["hash-object", "-w", "target"])
    };
    sandbox.git(&["update-index", "--cacheinfo", &format!("120000,{blob},{AUTH}")]);
    let judged = sandbox.json(&["--staged"]);
    judged.is("FAIL").finds("repo/outside-tree", AUTH, 1);
    judged.outcome.never_says("root:");
}

#[test]
fn a_staged_delta_pulls_in_its_change_and_spec() {
    let sandbox = Sandbox::repository();
    sandbox.write("openspec/changes/add/specs/auth/spec.md", DELTA);
    sandbox.write("openspec/specs/other/spec.md", SPEC);
    sandbox.git(&["add", "openspec/changes"]);
    let judged = sandbox.json(&["--staged"]);
    judged.is("PASS").judges_only(&["change/add", "spec/auth"]);
    assert_eq!(judged.report["left_alone"], 0, "what is not in the index is not there");
}

#[test]
fn staged_and_changed_exclude_each_other() {
    let sandbox = Sandbox::repository();
    sandbox.agent(&["--staged", "--changed"]).exits(2);
    sandbox.agent(&["--staged", "--base", "HEAD"]).exits(2);
    sandbox.agent(&["--base", "HEAD"]).exits(2);
    sandbox.agent(&["--head", "HEAD"]).exits(2);
}
