//! What becomes of checks when the source changes: they prove one sentence and no other.

use super::super::support::Sandbox;
use super::{CRITERIA, KIRO_FILE, SPEC_KIT_FILE, project, text};

/// Fills in each entry with a check that is named after its sentence's last word.
fn fill(sandbox: &Sandbox) {
    let mut filled = String::new();
    let mut word = String::new();
    for line in text(sandbox, CRITERIA).lines() {
        if let Some(sentence) = line.trim().strip_prefix("ears: ") {
            word = sentence.trim_matches('"').rsplit(' ').next().unwrap_or_default().to_owned();
        }
        let check = format!("verify: [{{file: {{path: {word}, exists: true}}}}]");
        filled.push_str(&line.replace("verify: []", &check));
        filled.push('\n');
    }
    sandbox.write(CRITERIA, filled);
}

/// `id sentence-word check-word` of each entry, sorted.
fn entries(sandbox: &Sandbox) -> Vec<String> {
    let mut found = Vec::new();
    let (mut id, mut word) = (String::new(), String::new());
    for line in text(sandbox, CRITERIA).lines().map(str::trim) {
        if let Some(value) = line.strip_prefix("id: sign-in/") {
            id = value.to_owned();
        } else if let Some(sentence) = line.strip_prefix("ears: ") {
            word = sentence.trim_matches('"').rsplit(' ').next().unwrap_or_default().to_owned();
        } else if let Some(checks) = line.strip_prefix("verify: ") {
            let check = checks.split("path: ").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or("-");
            found.push(format!("{id} {word} {check}"));
        }
    }
    found.sort();
    found
}

/// A source of either kind with a sentence for each word.
fn source(file: &str, words: &[&str]) -> String {
    let lines = words.iter().enumerate().map(|(at, word)| match file {
        KIRO_FILE => format!("{}. THE system SHALL {word}\n", at + 1),
        _ => format!("- **FR-{:03}**: System MUST {word}\n", at + 1),
    });
    let lines: String = lines.collect();
    match file {
        KIRO_FILE => format!("# Requirements\n\n### Requirement 1: A\n\n#### Acceptance Criteria\n\n{lines}"),
        _ => format!("# Feature Specification: A\n\n## Requirements\n\n{lines}"),
    }
}

#[test]
fn checks_follow_their_sentence_to_another_number() {
    for (file, numbers) in
        [(KIRO_FILE, ["req-1.1", "req-1.2", "req-1.3"]), (SPEC_KIT_FILE, ["fr-001", "fr-002", "fr-003"])]
    {
        for words in [["new", "alpha", "beta"], ["alpha", "new", "beta"], ["beta", "alpha", "new"]] {
            let sandbox = project(file, &source(file, &["alpha", "beta"]));
            sandbox.run(&["import", file]);
            fill(&sandbox);
            sandbox.write(file, source(file, &words));
            sandbox.run(&["import", file]).exits(0).says("its checks followed its sentence");
            let expected: Vec<String> = numbers
                .iter()
                .zip(words)
                .map(|(number, word)| format!("{number} {word} {}", if word == "new" { "-" } else { word }))
                .collect();
            assert_eq!(entries(&sandbox), expected, "{file} {words:?}");
            sandbox.run(&["import", file]).exits(0).says("nothing to write");
        }
    }
}

#[test]
fn checks_of_a_sentence_that_is_gone_prove_no_other() {
    let sandbox = project(KIRO_FILE, &source(KIRO_FILE, &["alpha", "beta", "gamma"]));
    sandbox.run(&["import", KIRO_FILE]);
    fill(&sandbox);
    sandbox.write(KIRO_FILE, source(KIRO_FILE, &["alpha", "gamma"]));
    sandbox.run(&["import", KIRO_FILE]).exits(1).says("`sign-in/req-1.2-was` has no scenario any more");
    assert_eq!(entries(&sandbox), ["req-1.1 alpha alpha", "req-1.2 gamma gamma", "req-1.2-was beta beta"]);
    sandbox.json(&["sign-in"]).finds("criteria/no-match", CRITERIA, 9);
}

#[test]
fn a_sentence_that_changed_is_told_when_it_has_checks() {
    for file in [KIRO_FILE, SPEC_KIT_FILE] {
        let sandbox = project(file, &source(file, &["alpha", "beta"]));
        sandbox.run(&["import", file]);
        let changed = source(file, &["alpha", "NOT beta"]);
        sandbox.write(file, &changed);
        sandbox.run(&["import", file]).exits(0).never_says("has another sentence");
        fill(&sandbox);
        sandbox.write(file, changed.replace("NOT beta", "NEVER beta"));
        sandbox.run(&["import", file]).exits(1).says("has another sentence than the one its checks were written for");
        sandbox.run(&["import", file]).exits(0);
    }
}
