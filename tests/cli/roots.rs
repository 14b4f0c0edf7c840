//! Several projects in one repository.

#[cfg(unix)]
use std::fs;

use crate::support::{AUTH, SPEC, Sandbox, faulty};

/// `a` and `b/deep` each hold a project with a good spec; the top does not.
fn monorepo() -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    for root in ["a", "b/deep"] {
        sandbox.write(format!("{root}/{AUTH}"), SPEC);
        sandbox.write(format!("{root}/src/main.rs"), "fn main() {}\n");
    }
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox
}

fn roots(sandbox: &Sandbox, args: &[&str]) -> Vec<String> {
    let report = sandbox.json(args).report;
    let roots = report["scope"]["roots"].as_array().expect("a list");
    roots.iter().map(|root| root.as_str().expect("a path").to_owned()).collect()
}

#[test]
fn several_below_are_all_judged() {
    let sandbox = monorepo();
    let judged = sandbox.json(&[]);
    judged.is("PASS").judges_only(&["a:spec/auth", "b/deep:spec/auth"]);
    assert_eq!(roots(&sandbox, &[]), ["a", "b/deep"]);
    let below = sandbox.at("b");
    below.json(&[]).is("PASS").judges_only(&["b/deep:spec/auth"]);
}

#[test]
fn the_nearest_wins() {
    let sandbox = monorepo();
    sandbox.write(AUTH, faulty());
    sandbox.json(&[]).is("FAIL").judges_only(&["spec/auth"]);
    let inside = sandbox.at("a/src");
    inside.json(&[]).is("PASS").judges_only(&["a:spec/auth"]);
    let beside = sandbox.at("b");
    beside.json(&[]).is("FAIL").judges_only(&["spec/auth"]);
}

#[test]
fn a_diff_finds_every_project_it_touches() {
    let sandbox = monorepo();
    sandbox.write(format!("a/{AUTH}"), faulty());
    sandbox.write(format!("b/deep/{AUTH}"), faulty());
    let second = |args: &[&str]| {
        let judged = sandbox.json(&[&["--frozen-spec"], args].concat());
        judged.is("FAIL").judges_only(&["a:spec/auth", "b/deep:spec/auth"]);
        assert_eq!(judged.spec_changes(), [format!("a/{AUTH}"), format!("b/deep/{AUTH}")]);
    };
    second(&["--changed"]);
    sandbox.git(&["add", "-A"]);
    second(&["--staged"]);
    sandbox.git(&["commit", "-qm", "second"]);
    second(&["--changed", "--base", "main", "--head", "work"]);
}

#[test]
fn a_diff_seen_from_inside_one_project_finds_the_others() {
    let sandbox = monorepo();
    sandbox.write(format!("a/{AUTH}"), faulty());
    let inside = sandbox.at("b/deep/src");
    inside.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", &format!("a/{AUTH}"), 10);
}

#[test]
fn a_new_project_nearer_to_the_code_does_not_hide_the_old_one() {
    let sandbox = Sandbox::on_branch();
    sandbox.write(AUTH, faulty());
    sandbox.write(format!("sub/{AUTH}"), SPEC);
    let inside = sandbox.at("sub");
    let judged = inside.json(&["--changed", "--frozen-spec"]);
    judged.is("FAIL").finds("freeze/spec-changed", AUTH, 10);
}

#[test]
fn listed_roots() {
    let sandbox = monorepo();
    sandbox.write("openspec/specward.yaml", "roots: [./b/deep/]\n");
    assert_eq!(roots(&sandbox, &[]), ["b/deep"]);
    sandbox.json(&[]).is("PASS").judges_only(&["b/deep:spec/auth"]);
}

#[test]
fn listed_roots_that_are_not_there() {
    let sandbox = Sandbox::bare_folder();
    for root in ["services/a", "services/b"] {
        sandbox.write(format!("{root}/{AUTH}"), SPEC);
    }
    sandbox.write("openspec/specward.yaml", "strict: true\nroots: [services/a, services/b]\n");
    sandbox.json(&[]).is("PASS").judges_only(&["services/a:spec/auth", "services/b:spec/auth"]);
    sandbox.write("openspec/specward.yaml", "strict: true\nroots: [services/a, sevices/b]\n");
    let outcome = sandbox.run(&["verify"]);
    outcome.exits(2).complains("openspec/specward.yaml:2: ").complains("sevices/b").never_says("services/a");
}

#[cfg(unix)]
#[test]
fn listed_roots_outside_of_the_tree_are_not_read() {
    let sandbox = monorepo();
    let outside = sandbox.top.join("outside/openspec/specs/auth");
    fs::create_dir_all(&outside).expect("folders");
    fs::write(outside.join("spec.md"), "# the secret nobody may read\n").expect("a file");
    sandbox.link("linked", sandbox.top.join("outside"));
    for root in ["../outside", "a/../../outside", "linked"] {
        sandbox.write("openspec/specward.yaml", format!("roots: [{root}]\n"));
        let outcome = sandbox.agent(&[]);
        assert_ne!(outcome.code, Some(0), "{root}: {}", outcome.stdout);
        outcome.never_says("the secret");
    }
}

#[test]
fn dependencies_are_no_projects_of_ours() {
    let sandbox = monorepo();
    sandbox.write(format!("node_modules/x/{AUTH}"), faulty());
    sandbox.write(format!("vendor/x/{AUTH}"), faulty());
    sandbox.json(&[]).is("PASS").judges_only(&["a:spec/auth", "b/deep:spec/auth"]);
}

#[test]
fn no_project_anywhere() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write("src/main.rs", "fn main() {}\n");
    sandbox.agent(&[]).exits(2).says("no OpenSpec project").says("openspec init");
    for folder in [".", "src"] {
        let outcome = sandbox.at(folder).run(&["verify"]);
        outcome.exits(2).complains("no OpenSpec project").complains("openspec init");
        assert_eq!(outcome.stdout, "");
    }
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.agent(&["--changed"]).exits(2).says("no OpenSpec project");
    sandbox.agent(&["--staged"]).exits(2).says("no OpenSpec project");
}
