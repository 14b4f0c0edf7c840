//! Any document at all, imported.

use proptest::prelude::*;

use super::{CRITERIA, KIRO_FILE, SPEC_FILE, SPEC_KIT_FILE, edit, project, text, tree};

/// A generated document: its text, and the number of criteria in it.
#[derive(Debug, Clone)]
struct Generated {
    file: &'static str,
    source: String,
    criteria: usize,
}

fn words() -> impl Strategy<Value = String> {
    // Words that are no keywords, with what is special in Markdown and YAML.
    let word = prop_oneof![
        8 => "[b-d]{2,6}[0-9]?",
        1 => Just("`x: \"y\" # z`".to_owned()),
        1 => Just("ünï \\ 'q' {w}".to_owned()),
        1 => Just("**bold**".to_owned()),
        1 => Just("<!-- q".to_owned()),
        1 => Just("(a|b)".to_owned()),
    ];
    prop::collection::vec(word, 1..6).prop_map(|words| format!("x{}", words.join(" ")))
}

fn criterion() -> impl Strategy<Value = String> {
    prop_oneof![
        (words(), words()).prop_map(|(a, b)| format!("WHEN {a} THEN the system SHALL {b}")),
        (words(), words()).prop_map(|(a, b)| format!("IF {a}, THEN THE System SHALL {b}")),
        (words(), words(), words()).prop_map(|(a, b, c)| format!("WHILE {a}, WHEN {b}, THE System SHALL {c}")),
        words().prop_map(|a| format!("THE System SHALL {a}")),
        (words(), words(), words())
            .prop_map(|(a, b, c)| format!("WHEN {a}\n   THEN the system SHALL {b}\n   - {c}\n   - # deep")),
        words().prop_map(|a| format!("THE System SHALL show\n\n   ```\n   # {a}\n   1. no entry\n   ```\n")),
    ]
}

fn kiro_documents() -> impl Strategy<Value = Generated> {
    let requirement = (words(), prop::collection::vec(criterion(), 1..5));
    (words(), prop::collection::vec(requirement, 1..5), words()).prop_map(|(intro, requirements, note)| {
        let mut source = format!(
            "# Requirements Document\n\n## Introduction\n\n{intro}\n\n## Glossary\n\n- {note}\n\n## Requirements\n\n"
        );
        let mut criteria = 0;
        for (at, (title, list)) in requirements.iter().enumerate() {
            source.push_str(&format!("### Requirement {}: {title}\n\n#### Acceptance Criteria\n\n", at + 1));
            for (at, criterion) in list.iter().enumerate() {
                source.push_str(&format!("{}. {criterion}\n", at + 1));
                criteria += 1;
            }
            source.push('\n');
        }
        Generated { file: KIRO_FILE, source, criteria }
    })
}

fn spec_kit_documents() -> impl Strategy<Value = Generated> {
    let scenario = (words(), words(), words());
    let story = (words(), words(), prop::collection::vec(scenario, 1..4));
    let item = (words(), prop::option::of(words()));
    (prop::collection::vec(story, 1..4), prop::collection::vec(item, 1..5), words(), words()).prop_map(
        |(stories, items, edge, success)| {
            let mut source = "# Feature Specification: Sign in\n\n## User Scenarios & Testing\n\n".to_owned();
            let mut criteria = 1;
            for (at, (title, body, scenarios)) in stories.iter().enumerate() {
                source.push_str(&format!(
                    "### User Story {} - {title} (Priority: P1)\n\n{body}\n\n**Acceptance Scenarios**:\n\n",
                    at + 1
                ));
                for (at, (given, when, then)) in scenarios.iter().enumerate() {
                    source.push_str(&format!("{}. **Given** {given}, **When** {when}, **Then** {then}\n", at + 1));
                    criteria += 1;
                }
                source.push_str("\n---\n\n");
            }
            source
                .push_str(&format!("### Edge Cases\n\n- {edge}\n\n## Requirements\n\n### Functional Requirements\n\n"));
            for (at, (text, nested)) in items.iter().enumerate() {
                source.push_str(&format!("- **FR-{:03}**: System MUST {text}\n", at + 1));
                criteria += 1;
                if let Some(nested) = nested {
                    source.push_str(&format!("  - {nested}\n"));
                }
            }
            source.push_str(&format!("\n## Success Criteria\n\n- **SC-001**: {success}\n"));
            Generated { file: SPEC_KIT_FILE, source, criteria }
        },
    )
}

/// Emphasis inside of a word makes no two of it.
fn all_words(text: &str) -> Vec<String> {
    let bare = text.replace("**", "");
    bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_of_any_document(document in prop_oneof![kiro_documents(), spec_kit_documents()]) {
        let sandbox = project(document.file, &document.source);
        let outcome = sandbox.run(&["import", document.file]);
        prop_assert!(matches!(outcome.code, Some(0 | 1)), "{}", outcome.stderr);
        let counted = format!(" {} criteri", document.criteria);
        prop_assert!(outcome.stdout.contains(&counted), "{counted}: {}\n{}", outcome.stdout, document.source);
        let spec = text(&sandbox, SPEC_FILE);
        prop_assert_eq!(spec.matches("\n#### Scenario: ").count(), document.criteria);
        let written: std::collections::HashSet<String> = all_words(&spec).into_iter().collect();
        for word in all_words(&document.source) {
            prop_assert!(written.contains(&word), "`{word}` is lost:\n{}\n{spec}", document.source);
        }
        let list = text(&sandbox, CRITERIA);
        prop_assert_eq!(list.matches("    verify: []\n").count(), document.criteria);
        // The gate reads each of them and ties it to its scenario.
        let judged = sandbox.json(&["sign-in"]);
        let shown = format!("{:#}", judged.report);
        for rule in ["criteria/no-match", "criteria/ambiguous", "criteria/bad-file", "criteria/duplicate-id"] {
            prop_assert!(!shown.contains(rule), "{shown}\n{spec}");
        }
        let before = tree(&sandbox.root);
        sandbox.run(&["import", document.file]).says("nothing to write");
        prop_assert_eq!(tree(&sandbox.root), before);
    }

    #[test]
    fn only_what_nobody_edited_is_brought_up_to_date(document in kiro_documents(), first in words()) {
        let extra = format!("### Requirement 90: edited\n\n#### Acceptance Criteria\n\n1. THE System SHALL {first}\n\n### Requirement 91: changed\n\n#### Acceptance Criteria\n\n1. THE System SHALL stand\n");
        let sandbox = project(KIRO_FILE, &format!("{}\n{extra}", document.source));
        sandbox.run(&["import", KIRO_FILE]);
        edit(&sandbox, SPEC_FILE, "### Requirement: REQ 90 edited", "### Requirement: REQ 90 edited by hand");
        let before = text(&sandbox, SPEC_FILE);
        edit(&sandbox, KIRO_FILE, "SHALL stand", "SHALL fall");
        sandbox.run(&["import", KIRO_FILE]);
        let expected = before.replace("SHALL stand", "SHALL fall").replace("REQ 91.1 Stand", "REQ 91.1 Fall");
        prop_assert_eq!(text(&sandbox, SPEC_FILE), expected);
    }
}
