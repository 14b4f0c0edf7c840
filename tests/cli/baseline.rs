//! `specward baseline`, and what a baseline does to `verify`.

use crate::support::{AUTH, DELTA, SPEC, Sandbox, faulty};

const FILE: &str = "openspec/specward-baseline.yaml";

const RULE: &str = "spec/no-normative-keyword";

/// A spec with a warning for each name.
fn warned(names: &[&str]) -> String {
    let mut spec = SPEC[..SPEC.find("### Requirement").expect("it is there")].to_owned();
    for name in names {
        spec += &format!(
            "### Requirement: {name}\nThe system will do it.\n\n#### Scenario: It\n- **WHEN** a\n- **THEN** b\n\n"
        );
    }
    spec
}

fn text(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.path(FILE)).expect("a baseline")
}

#[test]
fn old_findings_do_not_fail_and_new_ones_do() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned(&["A", "B"]));
    sandbox.json(&["--strict"]).is("FAIL");
    sandbox.run(&["baseline"]).exits(0).says(&format!("{FILE}: 2 entries, 2 new, 0 dropped"));
    let judged = sandbox.json(&["--strict"]);
    judged.is("PASS");
    assert_eq!(judged.report["baselined"], 2);
    sandbox.agent(&["--strict"]).exits(0).says("\nLet through: 2 in the baseline\n");
    sandbox.run(&["verify", "--strict"]).exits(0).says(", 2 in the baseline\n");
    // Lines that move, other line ends and other white space change nothing, nor does the order.
    for spec in [
        warned(&["A", "B"]).replace("## Requirements", "More.\n\n\n## Requirements"),
        warned(&["A", "B"]).replace('\n', "\r\n"),
        warned(&["A", "B"]).replace("### Requirement: A", "###  Requirement:  A "),
        warned(&["B", "A"]),
    ] {
        sandbox.write(AUTH, spec);
        let judged = sandbox.json(&["--strict"]);
        judged.is("PASS");
        assert_eq!(judged.report["baselined"], 2);
    }
    sandbox.write(AUTH, warned(&["A", "C", "B"]));
    let judged = sandbox.json(&["--strict"]);
    judged.is("FAIL").finds(RULE, AUTH, 15);
    assert_eq!(judged.report["findings"].as_array().map(Vec::len), Some(1));
    // The same in another file is new.
    sandbox.write(AUTH, warned(&["A", "B"]));
    sandbox.write("openspec/specs/billing/spec.md", warned(&["A"]));
    sandbox.json(&["--strict"]).is("FAIL").finds(RULE, "openspec/specs/billing/spec.md", 8);
}

#[test]
fn a_new_finding_of_the_rule_below_one_that_moved() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned(&["A"]));
    sandbox.json(&["--strict"]).is("FAIL").finds(RULE, AUTH, 8);
    sandbox.run(&["baseline"]).exits(0).says("1 entry");
    sandbox.write(AUTH, warned(&["A", "B"]).replace("## Requirements", "More.\n\n\n## Requirements"));
    let judged = sandbox.json(&["--strict"]);
    judged.is("FAIL").finds(RULE, AUTH, 18);
    assert_eq!(judged.report["findings"].as_array().map(Vec::len), Some(1), "{:#}", judged.report);
    assert_eq!(judged.report["baselined"], 1);
}

#[test]
fn the_same_finding_twice_is_two() {
    let sandbox = Sandbox::project();
    let tasks = "openspec/changes/add/tasks.md";
    sandbox.write("openspec/changes/add/specs/auth/spec.md", DELTA);
    sandbox.write(tasks, "## 1. A\n- [ ] 1.1 a\n- [ ] 1.1 a\n");
    sandbox.run(&["baseline"]).exits(0);
    let before = sandbox.json(&["--strict"]).report["baselined"].as_u64().expect("a number");
    for same in ["## 1. A\r\n- [ ] 1.1 a\r\n- [ ] 1.1 a\r\n", "\n## 1. A\n\n\t- [ ]\t1.1 a\n\t- [ ]\t1.1 a\n"] {
        sandbox.write(tasks, same);
        assert_eq!(sandbox.json(&["--strict"]).report["baselined"], before, "{same}");
    }
    sandbox.write(tasks, "## 1. A\n- [ ] 1.1 a\n- [ ] 1.1 a\n- [ ] 1.1 a\n");
    let judged = sandbox.json(&["--strict"]);
    judged.is("FAIL").finds("task/duplicate-id", tasks, 4);
    assert_eq!(judged.report["baselined"], before);
}

#[test]
fn what_is_gone_can_be_dropped() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned(&["A", "B"]));
    sandbox.run(&["baseline", "--check"]).exits(0).says("there is none");
    sandbox.run(&["baseline"]).exits(0);
    sandbox.run(&["baseline", "--check"]).exits(0).says("0 of 2 entries");
    sandbox.write(AUTH, warned(&["B", "C"]));
    let before = text(&sandbox);
    sandbox.run(&["baseline", "--check"]).exits(1).says(&format!("{AUTH}: {RULE} (A) no longer occurs"));
    sandbox.run(&["verify"]).exits(0).says("Note: ").says("no longer occur: 1");
    assert_eq!(text(&sandbox), before);
    let pruned = sandbox.run(&["baseline", "--prune"]);
    pruned.exits(0).says("1 entry, 0 new, 1 dropped").says("Not recorded: 1 finding");
    sandbox.json(&["--strict"]).is("FAIL").finds(RULE, AUTH, 15);
    sandbox.run(&["baseline"]).exits(0).says("2 entries, 1 new, 0 dropped");
    sandbox.json(&["--strict"]).is("PASS");
    sandbox.write(AUTH, SPEC);
    sandbox.run(&["baseline"]).exits(0).says("0 entries, 0 new, 2 dropped");
    sandbox.run(&["baseline", "--check", "--prune"]).exits(2);
}

#[test]
fn writing_twice_changes_nothing() {
    let sandbox = Sandbox::bare_folder();
    let names: Vec<String> = (0..40).map(|number| format!("R{number}")).collect();
    for capability in ["z", "a", "m"] {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        sandbox.write(format!("openspec/specs/{capability}/spec.md"), warned(&names));
    }
    sandbox.run(&["baseline"]).exits(0).says("120 entries");
    let first = text(&sandbox);
    sandbox.run(&["baseline"]).exits(0).says("120 entries, 0 new, 0 dropped");
    assert_eq!(text(&sandbox), first);
    let left: Vec<_> = std::fs::read_dir(sandbox.path("openspec"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn nothing_to_record_leaves_no_file() {
    let sandbox = Sandbox::project();
    sandbox.run(&["baseline"]).exits(0).says("nothing to record");
    assert!(!sandbox.path(FILE).exists());
}

#[test]
fn errors_of_the_reference_are_not_taken() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, faulty().replace("SHALL", "will"));
    sandbox.run(&["baseline"]).exits(0).says("1 entry").says("Not taken: 1 finding");
    let judged = sandbox.json(&[]);
    judged.is("FAIL").finds("spec/no-scenario", AUTH, 8);
    assert_eq!(judged.report["baselined"], 1);
    // Nor by hand.
    let forged = text(&sandbox).replace(RULE, "spec/no-scenario");
    sandbox.write(FILE, forged);
    sandbox.json(&[]).is("FAIL").finds("spec/no-scenario", AUTH, 8);
}

#[test]
fn nothing_is_recorded_where_something_was_not_judged() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned(&["A"]));
    std::fs::create_dir_all(sandbox.path("openspec/specs/broken/spec.md")).expect("a folder");
    sandbox.run(&["baseline"]).exits(3).complains("openspec/specs/broken/spec.md could not be judged");
    assert!(!sandbox.path(FILE).exists());
    let empty = Sandbox::bare_folder();
    empty.run(&["baseline"]).exits(2).complains("no OpenSpec project");
    empty.write("openspec/specs/.keep", "");
    empty.run(&["baseline"]).exits(3).complains("nothing to judge");
}

#[test]
fn a_baseline_that_cannot_be_read_names_its_line() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned(&["A"]));
    sandbox.run(&["baseline"]).exits(0);
    let good = text(&sandbox);
    let line = good.lines().count();
    for (content, line) in [
        (good.replace("    fingerprint:", "    fingerprnt:"), line),
        (good.replace("version: 1", "version: 7"), 2),
        (good.replace("findings:", "<<<<<<< HEAD\nfindings:"), 3),
        (String::new(), 1),
        ("\u{0}".to_owned(), 1),
    ] {
        sandbox.write(FILE, &content);
        let place = format!("{FILE}:{line}: ");
        sandbox.json(&[]).outcome.exits(2).complains(&place);
        sandbox.run(&["baseline"]).exits(2).complains(&place);
        assert_eq!(text(&sandbox), content);
    }
    std::fs::remove_file(sandbox.path(FILE)).expect("removable");
    std::fs::create_dir(sandbox.path(FILE)).expect("a folder");
    sandbox.agent(&[]).exits(2).says(FILE);
}

#[test]
fn a_comparison_uses_it_too() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned(&["A"]));
    sandbox.run(&["baseline"]).exits(0);
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(AUTH, warned(&["A", "B"]));
    let judged = sandbox.json(&["--changed", "--strict"]);
    judged.is("FAIL").finds(RULE, AUTH, 15);
    assert_eq!(judged.report["baselined"], 1);
    sandbox.write(AUTH, warned(&["A"]).replace("b\n", "c\n"));
    sandbox.json(&["--changed", "--strict"]).is("PASS");
}

#[test]
fn every_project_has_its_own() {
    let sandbox = Sandbox::bare_folder();
    for root in ["a", "b"] {
        sandbox.write(format!("{root}/{AUTH}"), warned(&[root]));
    }
    sandbox.run(&["baseline"]).exits(0).says(&format!("a/{FILE}: 1 entry")).says(&format!("b/{FILE}: 1 entry"));
    sandbox.json(&["--strict"]).is("PASS");
    // A project that is moved as a whole keeps its baseline.
    std::fs::rename(sandbox.path("a"), sandbox.path("c")).expect("movable");
    let judged = sandbox.json(&["--strict"]);
    judged.is("PASS");
    assert_eq!(judged.report["baselined"], 2);
    sandbox.at("b").run(&["baseline", "--check"]).exits(0).says(&format!("{FILE}: 0 of 1 entry"));
}

#[test]
fn what_a_comment_allows_is_not_recorded() {
    let sandbox = Sandbox::bare_folder();
    let comment = format!("<!-- specward: allow {RULE} -- known -->\n### Requirement: A");
    sandbox.write(AUTH, warned(&["A", "B"]).replace("### Requirement: A", &comment));
    sandbox.run(&["baseline"]).exits(0).says("1 entry");
    let judged = sandbox.json(&["--strict"]);
    judged.is("PASS");
    assert_eq!(
        (judged.report["baselined"].as_u64(), judged.report["suppressed"].as_array().map(Vec::len)),
        (Some(1), Some(1))
    );
}
