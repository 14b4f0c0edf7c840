//! Which sources are read, and what they may be called.

use std::fs;

use super::super::support::Sandbox;
use super::{CRITERIA, KIRO, KIRO_FILE, RECORD, SPEC_FILE, SPEC_KIT, SPEC_KIT_FILE, kiro, project, text, tree};

#[test]
fn a_source_that_is_not_normative_is_kept_word_for_word() {
    let source = KIRO.replace("SHALL", "should");
    let sandbox = project(KIRO_FILE, &source);
    let outcome = sandbox.run(&["import", KIRO_FILE]);
    outcome.exits(1).says("Does not validate strictly").says("no-normative-keyword");
    assert!(text(&sandbox, SPEC_FILE).contains("THEN the system should let the user in"));
}

#[test]
fn sources_that_cannot_be_read() {
    let sandbox = Sandbox::project();
    sandbox.write("empty.md", "\n");
    sandbox.write("readme.md", "# Readme\n\nWords.\n");
    sandbox.write("latin.md", b"### Requirement 1\n\xe9\n");
    sandbox.write("folder/x.md", "x");
    sandbox.write("large.md", vec![b'x'; 5 * 1024 * 1024]);
    let before = tree(&sandbox.root);
    for (file, words) in [
        ("empty.md", "empty"),
        ("readme.md", "neither Kiro's requirements nor a Spec Kit spec"),
        ("latin.md", "line 2 is not UTF-8"),
        ("folder", "is a folder"),
        ("large.md", "are more than"),
        ("none.md", "none.md"),
    ] {
        sandbox.run(&["import", file]).exits(2).complains(words).complains("fix: ");
    }
    sandbox.write("kiro.md", KIRO);
    sandbox.run(&["import", "kiro.md", "--from", "speckit"]).exits(2).complains("Spec Kit");
    fs::remove_file(sandbox.path("kiro.md")).expect("a file");
    assert_eq!(tree(&sandbox.root), before);
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_change_nothing() {
    let plain = kiro();
    plain.run(&["import", KIRO_FILE]).exits(0);
    let odd = project(KIRO_FILE, &format!("\u{feff}{}", KIRO.replace('\n', "\r\n")));
    odd.run(&["import", KIRO_FILE]).exits(0);
    for path in [SPEC_FILE, CRITERIA, RECORD] {
        assert_eq!(text(&odd, path), text(&plain, path), "{path}");
    }
}

#[test]
fn names_stay_inside() {
    let sandbox = project("requirements.md", KIRO);
    for name in ["../x", "a/../b", "/x", "A b", "."] {
        sandbox.run(&["import", "requirements.md", "--capability", name]).exits(2).complains("fix: ");
        sandbox.run(&["import", "requirements.md", "--capability", "x", "--change", name]).exits(2);
    }
    sandbox.run(&["import", "requirements.md", "--capability", "x", "--change", "archive"]).exits(2);
    sandbox.run(&["import", "requirements.md", "--capability", "house/door"]).exits(0);
    assert!(sandbox.path("openspec/specs/house/door/spec.md").exists());
}

#[test]
fn no_project() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write("requirements.md", KIRO);
    sandbox.run(&["import", "requirements.md"]).exits(2).complains("openspec init");
}

#[test]
fn another_source_does_not_take_the_place_of_the_first() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    sandbox.write("other/requirements.md", KIRO.replace("password", "pass phrase"));
    let before = tree(&sandbox.root);
    let args = ["import", "other/requirements.md", "--capability", "sign-in"];
    sandbox.run(&args).exits(2).complains(KIRO_FILE).complains("--capability").complains("--force");
    assert_eq!(tree(&sandbox.root), before);
    // One that was moved is still the same.
    fs::rename(sandbox.path(KIRO_FILE), sandbox.path("moved.md")).expect("a file");
    sandbox.run(&["import", "moved.md", "--capability", "sign-in"]).exits(2);
    sandbox.run(&["import", "moved.md", "--capability", "sign-in", "--force"]).exits(0);
    sandbox.run(&["import", "moved.md", "--capability", "sign-in"]).exits(0).says("nothing to write");
    assert!(text(&sandbox, RECORD).contains("\"path\": \"moved.md\""));
}

#[test]
fn sources_of_the_same_name_outside_are_told_apart() {
    let sandbox = Sandbox::project();
    for folder in ["one", "two"] {
        fs::create_dir(sandbox.top.join(folder)).expect("a folder");
        fs::write(sandbox.top.join(folder).join("requirements.md"), KIRO).expect("a file");
    }
    let path = |folder: &str| sandbox.top.join(folder).join("requirements.md").display().to_string();
    sandbox.run(&["import", &path("one"), "--capability", "sign-in"]).exits(0);
    sandbox.run(&["import", &path("two"), "--capability", "sign-in"]).exits(2).complains("one/requirements.md");
}

#[test]
fn comments_are_no_requirements() {
    let comment = "<!--\n### Requirement 9: Hidden\n\n#### Acceptance Criteria\n\n1. THE System SHALL hide\n- **FR-009**: System MUST hide\n### User Story 9 - Hidden\n-->\n";
    let kiro = KIRO.replacen("### Requirement 2", &format!("{comment}\n### Requirement 2"), 1);
    let kit = SPEC_KIT.replacen("- **FR-002**", &format!("{comment}- **FR-002**"), 1);
    for (file, source, told) in
        [(KIRO_FILE, kiro, "2 requirements, 4 criteria"), (SPEC_KIT_FILE, kit, "4 requirements, 5 criteria")]
    {
        let sandbox = project(file, &source);
        sandbox.run(&["import", file]).says(told);
        let spec = text(&sandbox, SPEC_FILE);
        assert!(spec.contains("Hidden") && !spec.contains("Requirement: REQ 9"), "{spec}");
        assert!(!text(&sandbox, CRITERIA).contains("hide"), "{}", text(&sandbox, CRITERIA));
        sandbox.run(&["import", file]).says("nothing to write");
    }
}

#[test]
fn a_requirement_without_words_is_left_out_and_told() {
    let source = SPEC_KIT.replace("- **FR-002**: System", "- **FR-002**:\n- **FR-003**: System");
    let sandbox = project(SPEC_KIT_FILE, &source);
    sandbox.run(&["import", SPEC_KIT_FILE]).says(":29: FR-002 is left out").says("4 requirements, 5 criteria");
    assert!(text(&sandbox, SPEC_FILE).contains("### Requirement: FR-003"));
}
