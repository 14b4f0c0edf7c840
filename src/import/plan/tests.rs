use super::*;
use crate::import::detect::read;

type Files = BTreeMap<String, String>;

const SOURCE: &str = "# Requirements Document

## Introduction

Lets people in who can prove who they are, and keeps everybody else out of the house.

## Glossary

- **User**: who

## Requirements

### Requirement 1: Sign in

#### Acceptance Criteria

1. WHEN the password is right THEN the system SHALL let in
2. WHEN the password is wrong THEN the system SHALL keep out

### Requirement 2: Sign out

#### Acceptance Criteria

1. WHEN a user leaves THEN the system SHALL close the door
";

fn target(change: Option<&str>) -> Target {
    Target {
        origin: Origin { capability: "auth".to_owned(), source: "requirements.md".to_owned() },
        source_path: "requirements.md".to_owned(),
        change: change.map(str::to_owned),
        criteria_path: "openspec/verify/auth.yaml".to_owned(),
        has_main_spec: false,
        is_forced: false,
    }
}

fn planned(source: &str, target: &Target, files: &Files) -> Plan {
    let Ok(document) = read(source.into(), "requirements.md", None) else { return Plan::default() };
    plan(&document, target, files).unwrap_or_default()
}

fn apply(plan: &Plan, files: &mut Files) {
    for edit in &plan.edits {
        files.insert(edit.path.clone(), edit.after.clone());
    }
}

fn imported(target: &Target) -> Files {
    let mut files = Files::new();
    apply(&planned(SOURCE, target, &files), &mut files);
    files
}

const SPEC: &str = "openspec/specs/auth/spec.md";
const CRITERIA: &str = "openspec/verify/auth.yaml";

fn outcome(plan: &Plan, name: &str) -> Option<Outcome> {
    plan.parts.iter().find(|part| part.name == name).map(|part| part.outcome)
}

fn edit(files: &mut Files, path: &str, from: &str, to: &str) {
    if let Some(text) = files.get_mut(path) {
        assert!(text.contains(from), "{text}");
        *text = text.replacen(from, to, 1);
    }
}

#[test]
fn a_second_time_changes_nothing() {
    for change in [None, Some("add-auth")] {
        let target = target(change);
        let files = imported(&target);
        assert_eq!(files.len(), if change.is_some() { 6 } else { 3 }, "{files:#?}");
        assert_eq!(planned(SOURCE, &target, &files).edits, []);
    }
}

#[test]
fn a_change_of_the_source_is_taken_over() {
    let target = target(None);
    let mut files = imported(&target);
    let source = SOURCE.replace("password is right", "password is correct");
    let plan = planned(&source, &target, &files);
    assert_eq!(outcome(&plan, "REQ 1"), Some(Outcome::Updated));
    assert_eq!(outcome(&plan, "REQ 2"), Some(Outcome::Unchanged));
    assert!(plan.parts.iter().any(|part| part.diff.contains("+- **WHEN** the password is correct")));
    edit(&mut files, CRITERIA, "verify: []", "verify: [{file: {path: x, exists: true}}] # mine");
    let plan = planned(&source, &target, &files);
    apply(&plan, &mut files);
    let criteria = &files[CRITERIA];
    assert!(criteria.contains("scenario: \"REQ 1.1 the password is correct\""), "{criteria}");
    assert!(criteria.contains("exists: true}}] # mine"), "{criteria}");
    assert_eq!(planned(&source, &target, &files).edits, []);
}

#[test]
fn edits_by_hand_stay() {
    let target = target(None);
    let mut files = imported(&target);
    edit(&mut files, SPEC, "- **THEN** the system SHALL let in", "- **THEN** the system SHALL open");
    let plan = planned(SOURCE, &target, &files);
    assert_eq!((outcome(&plan, "REQ 1"), plan.edits.len()), (Some(Outcome::LeftEdited), 0));
    let source = SOURCE.replace("let in", "let pass").replace("a user leaves", "a user goes");
    let plan = planned(&source, &target, &files);
    assert_eq!(outcome(&plan, "REQ 1"), Some(Outcome::Kept));
    assert_eq!(outcome(&plan, "REQ 2"), Some(Outcome::Updated));
    apply(&plan, &mut files);
    assert!(
        files[SPEC].contains("SHALL open") && !files[SPEC].contains("let pass") && files[SPEC].contains("a user goes")
    );
    // It stays a difference until somebody decides.
    let again = planned(&source, &target, &files);
    assert_eq!((again.kept().count(), again.edits.len()), (1, 0));
    let forced = planned(&source, &Target { is_forced: true, ..target }, &files);
    assert_eq!(outcome(&forced, "REQ 1"), Some(Outcome::Overwritten));
}

#[test]
fn what_was_deleted_stays_deleted() {
    let target = target(None);
    let mut files = imported(&target);
    let text = files[SPEC].clone();
    let (start, end) = (text.find("### Requirement: REQ 2").unwrap_or(0), text.find("## Notes").unwrap_or(0));
    files.insert(SPEC.to_owned(), format!("{}{}", &text[..start], &text[end..]));
    let plan = planned(SOURCE, &target, &files);
    assert_eq!(outcome(&plan, "REQ 2"), Some(Outcome::LeftDeleted));
    // Its entries would mean a scenario that is not there.
    apply(&plan, &mut files);
    assert!(!files[CRITERIA].contains("req-2.1") && files[CRITERIA].contains("req-1.1"));
    assert_eq!(planned(SOURCE, &target, &files).edits, []);
    let plan = planned(&SOURCE.replace("leaves", "goes"), &target, &files);
    assert_eq!(outcome(&plan, "REQ 2"), Some(Outcome::Created));
}

#[test]
fn what_the_source_drops_is_told_and_stays() {
    let target = target(None);
    let mut files = imported(&target);
    let at = SOURCE.find("### Requirement 2").unwrap_or(0);
    let plan = planned(&SOURCE[..at], &target, &files);
    assert_eq!((outcome(&plan, "REQ 2"), plan.edits.len()), (Some(Outcome::Gone), 0));
    // A criterion that is gone takes its empty entry along.
    let source = SOURCE.replace("2. WHEN the password is wrong THEN the system SHALL keep out\n", "");
    apply(&planned(&source, &target, &files), &mut files);
    assert!(!files[CRITERIA].contains("req-1.2") && files[CRITERIA].contains("req-2.1"));
}

#[test]
fn a_spec_of_others_keeps_what_it_says() {
    let target = target(None);
    let own = "# Auth\n\n## Purpose\nOurs.\n\n## Requirements\n\n### Requirement: REQ 1 Ours\nIt MUST.\n\n## Notes\n\nOurs too.\n";
    let mut files = Files::from([(SPEC.to_owned(), own.to_owned())]);
    let plan = planned(SOURCE, &target, &files);
    assert_eq!(outcome(&plan, "REQ 1"), Some(Outcome::Kept));
    assert_eq!(outcome(&plan, "REQ 2"), Some(Outcome::Created));
    apply(&plan, &mut files);
    let text = &files[SPEC];
    assert!(text.contains("Ours.") && text.contains("It MUST.") && text.contains("Ours too."), "{text}");
    assert!(text.contains("## Notes of the import") && text.contains("keeps everybody else out"), "{text}");
    assert_eq!(planned(SOURCE, &target, &files).edits, []);
}

#[test]
fn ticked_boxes_are_no_edit_and_stay_ticked() {
    let target = target(Some("add-auth"));
    let mut files = imported(&target);
    let path = "openspec/changes/add-auth/tasks.md";
    edit(&mut files, path, "- [ ] 1.1", "- [x] 1.1");
    assert_eq!(planned(SOURCE, &target, &files).edits, []);
    let plan = planned(&SOURCE.replace("2: Sign out", "2: Leave"), &target, &files);
    apply(&plan, &mut files);
    assert!(files[path].contains("- [x] 1.1 Meet REQ 1") && files[path].contains("- [ ] 1.2 Meet REQ 2 Leave"));
}

#[test]
fn line_ends_and_marks_stay() {
    let target = target(None);
    let mut files = imported(&target);
    let windows = format!("\u{feff}{}", files[SPEC].replace('\n', "\r\n"));
    files.insert(SPEC.to_owned(), windows);
    assert_eq!(planned(SOURCE, &target, &files).edits, []);
    let plan = planned(&SOURCE.replace("leaves", "goes"), &target, &files);
    apply(&plan, &mut files);
    let text = &files[SPEC];
    assert!(text.starts_with('\u{feff}') && text.matches('\n').count() == text.matches("\r\n").count());
}
