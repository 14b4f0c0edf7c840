//! The pages of rules, which are generated from the program. `UPDATE=1 cargo test --test docs` writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use specward::rules::{self, Origin, Rule};

use crate::pages::is_update;

/// The folder of rule pages. Everything in it is generated.
const RULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rules");

#[test]
fn rule_pages_are_up_to_date() {
    let mut pages: BTreeMap<String, String> =
        rules::all().map(|rule| (format!("{}.md", rule.id), page(rule))).collect();
    pages.insert("README.md".to_owned(), index());
    let written = written(Path::new(RULES));
    if is_update() {
        for stale in written.keys().filter(|name| !pages.contains_key(*name)) {
            fs::remove_file(format!("{RULES}/{stale}")).expect("stale pages can be removed");
        }
        for (name, page) in pages.iter().filter(|(name, page)| written.get(*name) != Some(page)) {
            let path = format!("{RULES}/{name}");
            let folder = Path::new(&path).parent().expect("pages lie in a folder");
            fs::create_dir_all(folder).expect("folders can be made");
            fs::write(&path, page).expect("pages can be written");
        }
        return;
    }
    let outdated = outdated(&pages, &written);
    assert!(outdated.is_empty(), "docs/rules: out of date {outdated:?}; run `UPDATE=1 cargo test --test docs`");
}

/// Names of the files that are not there, not as they should be, or about no rule.
fn outdated(pages: &BTreeMap<String, String>, written: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<&String> = pages.keys().chain(written.keys()).collect();
    names.into_iter().filter(|name| pages.get(*name) != written.get(*name)).cloned().collect()
}

#[test]
fn an_edited_doc_comment_makes_its_page_out_of_date() {
    let rule = rules::find("spec/no-scenario").expect("a rule");
    let name = format!("{}.md", rule.id);
    let written = written(Path::new(RULES));
    let pages = |rule: &Rule| {
        let mut pages = written.clone();
        pages.insert(name.clone(), page(rule));
        pages
    };
    assert_eq!(outdated(&pages(rule), &written), [""; 0]);
    let docs: &'static str = rule.docs.to_owned().replacen("Reports", "Tells of", 1).leak();
    assert_ne!(docs, rule.docs, "an edit");
    let Rule { id, level, origin, summary, check, weight, .. } = *rule;
    assert_eq!(outdated(&pages(&Rule { id, level, origin, summary, docs, check, weight }), &written), [name.as_str()]);
}

/// A rule's page, with a link to its cases.
fn page(rule: &Rule) -> String {
    let cases = format!("tests/cases/{}.md", rule.id);
    let has_cases = Path::new(env!("CARGO_MANIFEST_DIR")).join(&cases).exists();
    rule.page(has_cases.then(|| format!("../../../{cases}")).as_deref())
}

/// The table of all rules.
fn index() -> String {
    let mut page =
        "# Rules\n\nGenerated from the rules' doc comments by `UPDATE=1 cargo test --test docs`.\n\n".to_owned();
    page += "Origin *reference*: `openspec validate` reports it too. Origin *own*: only specward does.\n\n";
    page += "*Lint*: the rule's code and the points a finding costs in [`specward lint`](../lint.md).\n\n";
    page += "| rule | level | origin | lint | summary |\n|---|---|---|---|---|\n";
    for rule in rules::all() {
        let origin = if rule.origin == Origin::Reference { "reference" } else { "own" };
        let (id, level, summary) = (rule.id, rule.level.word(), rule.summary);
        let lint = rule.weight.map(|weight| format!("{} {}", weight.code, weight.points)).unwrap_or_default();
        _ = writeln!(page, "| [`{id}`]({id}.md) | {level} | {origin} | {lint} | {summary} |");
    }
    page
}

/// The Markdown files below a folder, by their path in it.
fn written(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(written(&path).into_iter().map(|(inner, text)| (format!("{name}/{inner}"), text)));
        } else if name.ends_with(".md") {
            found.insert(name, fs::read_to_string(&path).expect("UTF-8").replace("\r\n", "\n"));
        }
    }
    found
}
