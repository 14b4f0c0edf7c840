//! Requirements of other tools, imported.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::support::{SPEC, Sandbox};

mod any;
mod checks;
mod sources;

const KIRO: &str = "# Requirements Document

## Introduction

Lets people in who can prove who they are, and keeps everybody else out of the house.

## Glossary

- **User**: somebody with a key

## Requirements

### Requirement 1: Sign in

**User Story:** As a user, I want to sign in, so that I can work.

#### Acceptance Criteria

1. WHEN the password is right THEN the system SHALL let the user in
2. IF the password is wrong three times
   in a row, THEN THE System SHALL lock the account:
   - for an hour
   - and tell the owner
3. WHILE the house is closed, WHEN a user rings, THE System SHALL say so

### Requirement 2: Sign out

**User Story:** As a user, I want to leave.

#### Acceptance Criteria

1. THE System SHALL close the door behind everybody
";

const SPEC_KIT: &str = "# Feature Specification: Sign in

**Feature Branch**: `001-sign-in`
**Input**: User description: \"let people in who can prove who they are, and nobody else\"

## User Scenarios & Testing *(mandatory)*

### User Story 1 - Password (Priority: P1)

People sign in with a password.

**Why this priority**: nothing works without.

**Acceptance Scenarios**:

1. **Given** a user, **When** the password is right, **Then** the user is in
2. **Given** a user, **When** the password is wrong, **Then** the user is out

### Edge Cases

- What happens when the clock is wrong?

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: System MUST let users in
  - with a password
- **FR-002**: System MUST lock an account when it is attacked [NEEDS CLARIFICATION: how often?]

## Success Criteria *(mandatory)*

- **SC-001**: 95% of users sign in at once
";

const KIRO_FILE: &str = ".kiro/specs/sign-in/requirements.md";
const SPEC_KIT_FILE: &str = "specs/001-sign-in/spec.md";
const SPEC_FILE: &str = "openspec/specs/sign-in/spec.md";
const CRITERIA: &str = "openspec/verify/sign-in.yaml";
const RECORD: &str = "openspec/imports/sign-in.json";

fn project(file: &str, source: &str) -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write(file, source);
    sandbox
}

fn kiro() -> Sandbox {
    project(KIRO_FILE, KIRO)
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn edit(sandbox: &Sandbox, path: &str, from: &str, to: &str) {
    let before = text(sandbox, path);
    assert!(before.contains(from), "`{from}` is missing in {before}");
    sandbox.write(path, before.replacen(from, to, 1));
}

/// All files below a folder with what they hold and when they were written.
fn tree(folder: &Path) -> BTreeMap<String, (Vec<u8>, std::time::SystemTime)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let modified = fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("a time");
                files.insert(path.display().to_string(), (fs::read(&path).expect("a file"), modified));
            }
        }
    }
    files
}

#[test]
fn kiro_becomes_a_main_spec() {
    let sandbox = kiro();
    sandbox
        .run(&["import", KIRO_FILE])
        .exits(0)
        .says("(Kiro) into capability `sign-in`")
        .says("2 requirements, 4 criteria, 1 line without a place noted")
        .says("Next: fill in `verify` for 4 criteria");
    let spec = text(&sandbox, SPEC_FILE);
    for words in [
        "## Purpose\nLets people in",
        "### Requirement: REQ 1 Sign in\n**User Story:** As a user",
        "- REQ 1.2: IF the password is wrong three times\n   in a row, THEN THE System SHALL lock the account:\n   - for an hour",
        "#### Scenario: REQ 1.1 the password is right\n- **WHEN** the password is right\n- **THEN** the system SHALL let the user in\n",
        "- **THEN** THE System SHALL lock the account:\n- **AND** for an hour\n- **AND** tell the owner\n",
        "- **GIVEN** the house is closed\n- **WHEN** a user rings\n- **THEN** THE System SHALL say so\n",
        "- **WHEN** at any time\n- **THEN** THE System SHALL close the door",
        "## Notes\n\n**Glossary**\n\n- **User**: somebody with a key",
    ] {
        assert!(spec.contains(words), "`{words}` is missing in {spec}");
    }
    sandbox.run(&["validate", "sign-in", "--strict"]).exits(0);
}

#[test]
fn spec_kit_becomes_a_main_spec() {
    let sandbox = project(SPEC_KIT_FILE, SPEC_KIT);
    let outcome = sandbox.run(&["import", SPEC_KIT_FILE]);
    outcome.says("(Spec Kit) into capability `sign-in`").says("4 requirements, 5 criteria, 2 lines without a place");
    outcome.says(&format!("{SPEC_KIT_FILE}:29: [NEEDS CLARIFICATION: how often?]"));
    let spec = text(&sandbox, SPEC_FILE);
    for words in [
        "### Requirement: US1 Password\n(Priority: P1)\n\nPeople sign in",
        "The system MUST satisfy the acceptance scenarios of user story 1.",
        "#### Scenario: US1.2 the password is wrong\n- **GIVEN** a user\n- **WHEN** the password is wrong\n- **THEN** the user is out",
        "### Requirement: FR-001 Let users in\nSystem MUST let users in\n  - with a password",
        "- **WHEN** it is attacked [NEEDS CLARIFICATION: how often?]",
        "### Requirement: SC-001 95% of users sign in at once",
        "**Edge Cases**\n\n- What happens when the clock is wrong?",
    ] {
        assert!(spec.contains(words), "`{words}` is missing in {spec}");
    }
    sandbox.run(&["validate", "sign-in", "--strict"]).exits(0);
}

#[test]
fn criteria_without_checks_prove_nothing() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    let criteria = text(&sandbox, CRITERIA);
    assert!(criteria.contains("id: sign-in/req-1.2\n") && criteria.contains("verify: []"), "{criteria}");
    let judged = sandbox.json(&["sign-in"]);
    judged.is("UNVERIFIABLE");
    for line in [4, 9, 14, 19] {
        judged.finds("criteria/no-check", CRITERIA, line);
    }
}

#[test]
fn a_change_of_its_own() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE, "--change", "add-sign-in"]).exits(0).says("noted in design.md");
    let folder = "openspec/changes/add-sign-in";
    let delta = text(&sandbox, &format!("{folder}/specs/sign-in/spec.md"));
    assert!(delta.starts_with("## Purpose\n") && delta.contains("\n## ADDED Requirements\n"), "{delta}");
    assert!(text(&sandbox, &format!("{folder}/proposal.md")).contains("- `sign-in`"));
    assert!(text(&sandbox, &format!("{folder}/tasks.md")).contains("- [ ] 1.2 Meet REQ 2 Sign out"));
    assert!(text(&sandbox, &format!("{folder}/design.md")).contains("somebody with a key"));
    assert!(!sandbox.path(SPEC_FILE).exists());
    sandbox.run(&["validate", "add-sign-in", "--strict"]).exits(0);
    sandbox.run(&["merge", "add-sign-in"]).exits(0).says("2 added");
    let before = tree(&sandbox.root);
    sandbox.run(&["import", KIRO_FILE, "--change", "add-sign-in"]).exits(0).says("nothing to write");
    assert_eq!(tree(&sandbox.root), before);
}

#[test]
fn a_second_import_writes_nothing() {
    for (file, source) in [(KIRO_FILE, KIRO), (SPEC_KIT_FILE, SPEC_KIT)] {
        let sandbox = project(file, source);
        let first = sandbox.run(&["import", file]).code;
        let before = tree(&sandbox.root);
        assert_eq!(sandbox.run(&["import", file]).says("nothing to write").code, first);
        assert_eq!(tree(&sandbox.root), before);
    }
}

#[test]
fn a_changed_source_is_brought_in() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    edit(&sandbox, CRITERIA, "verify: []", "verify:\n      - file: { path: x, exists: true } # mine");
    edit(&sandbox, KIRO_FILE, "password is right", "password is correct");
    sandbox
        .run(&["import", KIRO_FILE])
        .exits(1)
        .says("`sign-in/req-1.1` has another sentence than the one its checks were written for: WHEN the password is correct")
        .says("REQ 1 (openspec/specs/sign-in/spec.md): updated")
        .says("  -- **WHEN** the password is right")
        .says("  +- **WHEN** the password is correct");
    let criteria = text(&sandbox, CRITERIA);
    assert!(criteria.contains("scenario: \"REQ 1.1 the password is correct\""), "{criteria}");
    assert!(criteria.contains("      - file: { path: x, exists: true } # mine\n"), "{criteria}");
}

#[test]
fn edits_by_hand_are_kept() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    edit(&sandbox, SPEC_FILE, "close the door behind everybody", "lock the door behind everybody");
    let before = tree(&sandbox.root);
    sandbox.run(&["import", KIRO_FILE]).exits(0).never_says("kept");
    assert_eq!(tree(&sandbox.root), before);
    edit(&sandbox, KIRO_FILE, "close the door", "shut the door");
    sandbox
        .run(&["import", KIRO_FILE])
        .exits(1)
        .says("REQ 2 (openspec/specs/sign-in/spec.md): kept, since it was edited by hand")
        .says("shut the door")
        .says("--force");
    assert!(text(&sandbox, SPEC_FILE).contains("lock the door"));
    sandbox.run(&["import", KIRO_FILE, "--force"]).exits(0).says("overwritten");
    let spec = text(&sandbox, SPEC_FILE);
    assert!(spec.contains("shut the door") && !spec.contains("lock the door"), "{spec}");
    sandbox.run(&["import", KIRO_FILE]).exits(0).says("nothing to write");
}

#[test]
fn without_a_record_everything_counts_as_edited() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    fs::remove_file(sandbox.path(RECORD)).expect("a record");
    edit(&sandbox, KIRO_FILE, "close the door", "shut the door");
    sandbox.run(&["import", KIRO_FILE]).exits(1).says("REQ 2").says("kept");
    sandbox.write(RECORD, "{}");
    sandbox.run(&["import", KIRO_FILE]).exits(2).complains(RECORD).complains("fix: ");
}

#[test]
fn a_spec_of_others_is_added_to() {
    let sandbox = kiro();
    sandbox.write(SPEC_FILE, SPEC);
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    let spec = text(&sandbox, SPEC_FILE);
    assert!(spec.starts_with(SPEC.trim_end()), "{spec}");
    assert!(
        spec.contains("### Requirement: REQ 2") && spec.contains("keeps everybody else out of the house"),
        "{spec}"
    );
    sandbox.run(&["import", KIRO_FILE]).exits(0).says("nothing to write");
}

#[test]
fn what_the_source_drops_stays() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    let at = KIRO.find("### Requirement 2").expect("it is there");
    sandbox.write(KIRO_FILE, &KIRO[..at]);
    sandbox.run(&["import", KIRO_FILE]).exits(0).says("REQ 2").says("kept, though the source no longer has it");
    assert!(text(&sandbox, SPEC_FILE).contains("### Requirement: REQ 2"));
}

#[test]
fn a_dry_run_writes_nothing() {
    let sandbox = kiro();
    let before = tree(&sandbox.root);
    let args = ["import", KIRO_FILE, "--dry-run"];
    sandbox.run(&args).exits(0).says("Would import").says("--- /dev/null\n+++ b/openspec/specs/sign-in/spec.md");
    assert_eq!(tree(&sandbox.root), before);
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    let sandbox = kiro();
    fs::create_dir(sandbox.top.join("outside")).expect("a folder");
    sandbox.link("openspec/verify", sandbox.top.join("outside"));
    sandbox.run(&["import", KIRO_FILE]).exits(2).complains("leads out of the project");
    assert_eq!(fs::read_dir(sandbox.top.join("outside")).expect("a folder").count(), 0);
    assert!(!sandbox.path(SPEC_FILE).exists());
}

#[cfg(unix)]
#[test]
fn all_files_or_none() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = kiro();
    sandbox.write("openspec/verify/other.yaml", "version: 1\ncriteria: []\n");
    let folder = sandbox.path("openspec/verify");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).expect("permissions");
    let is_root = fs::write(folder.join("probe"), "").is_ok();
    let before = tree(&sandbox.root);
    if !is_root {
        sandbox.run(&["import", KIRO_FILE]).exits(2).complains(CRITERIA);
        assert_eq!(tree(&sandbox.root), before);
        assert!(!sandbox.path("openspec/imports").exists());
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("permissions");
}

#[test]
fn criteria_of_others_that_cannot_be_edited_stop_it() {
    let sandbox = kiro();
    sandbox.write(CRITERIA, "version: 1\ncriteria: [{requirement: R, scenario: x, id: sign-in/x}]\n");
    let before = tree(&sandbox.root);
    sandbox.run(&["import", KIRO_FILE]).exits(2).complains(CRITERIA).complains("lines of its own");
    assert_eq!(tree(&sandbox.root), before);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_no_file() {
    let sandbox = kiro();
    super::support::pipe(&sandbox, SPEC_FILE);
    sandbox.run(&["import", KIRO_FILE]).exits(2).complains("is no regular file");
}

#[cfg(unix)]
#[test]
fn linked_folders_inside_are_refused() {
    let sandbox = kiro();
    fs::create_dir(sandbox.path("elsewhere")).expect("a folder");
    sandbox.link("openspec/verify", sandbox.path("elsewhere"));
    sandbox.run(&["import", KIRO_FILE]).exits(2).complains("linked folder");
    fs::remove_dir(sandbox.path("elsewhere")).expect("a folder");
    sandbox.run(&["import", KIRO_FILE]).exits(2).complains("leads nowhere");
}

#[test]
fn what_was_deleted_by_hand_is_told() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    let spec = text(&sandbox, SPEC_FILE);
    let (start, end) = (spec.find("### Requirement: REQ 2"), spec.find("## Notes"));
    sandbox.write(SPEC_FILE, format!("{}{}", &spec[..start.expect("REQ 2")], &spec[end.expect("notes")..]));
    sandbox.run(&["import", KIRO_FILE]).exits(0).says("REQ 2").says("stays deleted").says("--force");
    assert!(!text(&sandbox, CRITERIA).contains("req-2.1"));
    sandbox.run(&["import", KIRO_FILE]).exits(0).says("nothing to write").never_says("everything is as it was");
    sandbox.run(&["import", KIRO_FILE, "--force"]).exits(0);
    assert!(text(&sandbox, CRITERIA).contains("req-2.1"));
}

#[test]
fn a_lost_record_alone_is_written_again() {
    let sandbox = kiro();
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    let before = [SPEC_FILE, CRITERIA, RECORD].map(|path| text(&sandbox, path));
    fs::remove_file(sandbox.path(RECORD)).expect("a record");
    sandbox.run(&["import", KIRO_FILE]).exits(0);
    assert_eq!([SPEC_FILE, CRITERIA, RECORD].map(|path| text(&sandbox, path)), before);
}
