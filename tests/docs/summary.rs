//! `docs/SUMMARY.md` is the book's table of contents: it has every page once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use specward::rules;

use crate::links::resolved;
use crate::pages::{self, Page, TOP, is_update, read};

const SUMMARY: &str = "docs/SUMMARY.md";

/// The line below which the pages of rules are listed.
const RULES: &str = "](rules/README.md)\n";

#[test]
fn the_summary_has_every_page_once() {
    let faults = faults(&read(SUMMARY), &pages::all());
    assert!(faults.is_empty(), "{SUMMARY}:\n{}", faults.join("\n"));
}

#[test]
fn a_page_that_is_forgotten_or_listed_twice_is_told() {
    let pages = ["docs/a.md", "docs/b.md", "docs/c/d.md", "README.md", SUMMARY];
    let pages = pages.map(|path| (path.to_owned(), Page::default())).into();
    assert_eq!(faults("- [A](a.md)\n- [B](./b.md)\n  - [D](c/d.md)\n", &pages), [""; 0]);
    let found = faults("- [A](a.md)\n- [A](a.md)\n- [E](e.md)\n- [B](b.md)\n", &pages);
    assert_eq!(found, ["a.md: listed 2 times", "e.md: no such page", "docs/c/d.md: not listed"]);
}

/// Pages that are not listed, listed twice or not there.
fn faults(summary: &str, pages: &BTreeMap<String, Page>) -> Vec<String> {
    let links = Page::parse(summary).links;
    let mut faults = Vec::new();
    for (index, link) in links.iter().enumerate() {
        let count = links.iter().filter(|other| other.text == link.text).count();
        if count > 1 && links[..index].iter().all(|other| other.text != link.text) {
            faults.push(format!("{}: listed {count} times", link.text));
        }
        if !resolved(SUMMARY, &link.text).is_some_and(|path| pages.contains_key(&path)) {
            faults.push(format!("{}: no such page", link.text));
        }
    }
    for path in pages.keys().filter(|path| path.starts_with("docs/") && *path != SUMMARY) {
        if !links.iter().any(|link| resolved(SUMMARY, &link.text).as_ref() == Some(path)) {
            faults.push(format!("{path}: not listed"));
        }
    }
    faults
}

#[test]
fn the_rules_of_the_summary_are_up_to_date() {
    let summary = read(SUMMARY);
    let (before, after) = summary.split_once(RULES).expect("the summary lists the rules");
    let others: String = after.split_inclusive('\n').skip_while(|line| line.contains("](rules/")).collect();
    let mut listed = String::new();
    for rule in rules::all() {
        _ = writeln!(listed, "  - [{id}](rules/{id}.md)", id = rule.id);
    }
    let expected = format!("{before}{RULES}{listed}{others}");
    if is_update() && summary != expected {
        return fs::write(format!("{TOP}/{SUMMARY}"), expected).expect("the summary can be written");
    }
    assert_eq!(summary, expected, "out of date; run `UPDATE=1 cargo test --test docs`");
}
