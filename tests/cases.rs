//! Runs the documents in `tests/cases/<group>/<rule>.md`. How to write one: `tests/cases/README.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

#[path = "cases/scenarios.rs"]
mod scenarios;
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
            found.push((id.to_str().expect("a name in ASCII").replace('\\', "/"), read(&path)));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}

/// The document in a file.
fn read(path: &Path) -> Document {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Document::parse(&text).unwrap_or_else(|error| panic!("{}:{error}", path.display()))
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
    assert_eq!(without_document(&documented), [""; 0], "rules without a document");
    assert!(NOT_YET.iter().all(|id| specward::rules::find(id).is_some()), "NOT_YET names rules");
    let rules: BTreeSet<String> =
        specward::rules::all().map(|rule| rule.id.to_owned()).filter(|id| !NOT_YET.contains(&id.as_str())).collect();
    assert_eq!(documented.difference(&rules).collect::<Vec<_>>(), [""; 0], "documents about no rule, or in NOT_YET");
}

/// Rules that no document is about and that could have one.
fn without_document(documented: &BTreeSet<String>) -> Vec<&'static str> {
    let all = specward::rules::all().map(|rule| rule.id);
    all.filter(|id| !documented.contains(*id) && !NOT_YET.contains(id)).collect()
}

#[test]
fn a_rule_whose_document_is_missing_is_named() {
    let mut documented: BTreeSet<String> = documents().into_iter().map(|(id, _)| id).collect();
    assert!(documented.remove("merge/lost-step"), "it has one");
    assert_eq!(without_document(&documented), ["merge/lost-step"]);
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
