//! Runs the documents in `tests/cases/<group>/<rule>.md`. How to write one: `tests/cases/README.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

#[path = "cases/support/mod.rs"]
mod support;

use support::document::Document;
use support::{diff, run};

/// Rules that report a fault or a gap of specward itself, so that no case can be written until one is found.
const NOT_YET: &[&str] = &["merge/aborts", "repo/crashed"];

/// Where the documents lie.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");

/// Every document with its rule's id, sorted.
fn documents() -> Vec<(String, Document)> {
    let mut found = Vec::new();
    for folder in entries(Path::new(FOLDER)) {
        if folder.file_name().is_some_and(|name| name == "support") || !folder.is_dir() {
            continue;
        }
        for path in entries(&folder) {
            let id = path.strip_prefix(FOLDER).expect("below the folder").with_extension("");
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let document = Document::parse(&text).unwrap_or_else(|error| panic!("{}:{error}", path.display()));
            found.push((id.to_str().expect("a name in ASCII").replace('\\', "/"), document));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn commands_print_what_the_documents_say() {
    let reports: Vec<String> = documents().par_iter().map(|(id, document)| check(id, document)).collect();
    let report = reports.concat();
    assert!(
        support::is_update() || report.is_empty(),
        "\n{report}\nlook at each difference, then `UPDATE=1 cargo test --test cases`\n"
    );
}

/// Runs a document's cases. Returns where they print something else; writes that into the document on request.
fn check(id: &str, document: &Document) -> String {
    let mut report = String::new();
    let mut differing = Vec::new();
    for case in &document.cases {
        let consoles = run::case(&document.shared, case)
            .unwrap_or_else(|error| panic!("tests/cases/{id}.md, `{}`: {error}", case.name));
        for (expected, actual) in consoles.into_iter().filter(|(expected, actual)| expected.body != *actual) {
            _ = writeln!(report, "tests/cases/{id}.md:{}: {}", expected.lines.start + 1, case.name);
            report += &diff::lines(&expected.body, &actual);
            differing.push((expected, actual));
        }
    }
    if support::is_update() && !differing.is_empty() {
        fs::write(format!("{FOLDER}/{id}.md"), document.updated(&differing)).expect("documents can be written");
    }
    report
}

#[test]
fn every_rule_has_a_document_and_every_document_a_rule() {
    let documented: BTreeSet<String> = documents().into_iter().map(|(id, _)| id).collect();
    let rules: BTreeSet<String> = specward::rules::all().map(|rule| rule.id.to_owned()).collect();
    let missing: Vec<&String> = rules.difference(&documented).collect();
    assert_eq!(missing, NOT_YET, "rules without a document against NOT_YET");
    assert_eq!(documented.difference(&rules).collect::<Vec<_>>(), [""; 0], "documents about no rule");
}

#[test]
fn every_document_shows_its_rule_report_and_be_silent() {
    if support::is_update() {
        return; // Outputs are being written.
    }
    for (id, document) in documents() {
        assert_eq!(document.title, id, "tests/cases/{id}.md: the title is the rule's id");
        // As `validate` names the rule, and as `verify` does for people and for agents.
        let mentions = [format!("({id})"), format!("[{id}]"), format!(": {id} at ")];
        let (fires, silent): (Vec<_>, Vec<_>) = document.cases.iter().partition(|case| {
            case.consoles().any(|console| mentions.iter().any(|mention| console.body.contains(mention)))
        });
        assert!(!fires.is_empty(), "tests/cases/{id}.md: no case reports the rule");
        assert!(!silent.is_empty(), "tests/cases/{id}.md: no case is free of the rule");
    }
}
