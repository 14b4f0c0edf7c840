//! Rules as code scanning shows them, with two of our own for criteria, which no rule of a document stands for.

use std::collections::HashMap;

use super::super::ranked::{FAILED, UNVERIFIABLE};
use super::model::{Configuration, Descriptor, Help, Properties};
use super::{level_word, words};
use crate::report::Level;
use crate::rules;

/// Characters of a description that code scanning shows.
const MAX_DESCRIPTION: usize = 1024;

const FAILED_PAGE: &str = "# `criterion/failed`

A criterion does not hold.

## What it does

Tells that a check which is attached to a scenario was run and said no.

## Why it matters

What the scenario demands is not there, or not any more.

## How to fix

Read what the check saw: `specward explain` with the id of the criterion. Fix the implementation, not the spec and not the
criterion. If the criterion is wrong, report it to the human.
";

const UNVERIFIABLE_PAGE: &str = "# `criterion/unverifiable`

A criterion could not be checked.

## What it does

Tells that a check which is attached to a scenario could not be run, or gave no answer that counts.

## Why it matters

Nobody knows whether the scenario holds, so the run does not pass.

## How to fix

Read why: `specward explain` with the id of the criterion. Often a program, a file or a report of tests is missing.
";

/// The rules of a document, in the order of their first use.
#[derive(Default)]
pub(super) struct Used {
    rules: Vec<Descriptor>,
    index: HashMap<&'static str, usize>,
}

impl Used {
    /// The place of a rule in the list; none for an id that nobody knows.
    pub fn index(&mut self, id: &str) -> Option<usize> {
        if let Some(index) = self.index.get(id) {
            return Some(*index);
        }
        let descriptor = descriptor(id)?;
        let index = self.rules.len();
        self.index.insert(descriptor.id, index);
        self.rules.push(descriptor);
        Some(index)
    }

    /// The list.
    pub fn into_list(self) -> Vec<Descriptor> {
        self.rules
    }
}

fn descriptor(id: &str) -> Option<Descriptor> {
    let (id, level, summary, page) = match id {
        FAILED => (FAILED, Level::Error, "A criterion does not hold", FAILED_PAGE.to_owned()),
        UNVERIFIABLE => (UNVERIFIABLE, Level::Error, "A criterion could not be checked", UNVERIFIABLE_PAGE.to_owned()),
        _ => {
            let rule = rules::find(id)?;
            (rule.id, rule.level, rule.summary, rule.page(None))
        }
    };
    Some(Descriptor {
        id,
        short_description: words(summary),
        full_description: words(&full_description(summary, &page)),
        help: Help { text: page.clone(), markdown: page },
        default_configuration: Configuration { level: level_word(level) },
        properties: Properties {
            tags: vec!["openspec", id.split('/').next().unwrap_or_default()],
            precision: "high",
            severity: match level {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Info => "recommendation",
            },
        },
    })
}

/// The summary, and what the page says the rule does.
fn full_description(summary: &str, page: &str) -> String {
    let rest = page.split_once("## What it does\n").map(|(_, rest)| rest.trim_start()).unwrap_or_default();
    let paragraph = rest.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let text = format!("{summary}. {paragraph}");
    match text.char_indices().nth(MAX_DESCRIPTION - 1) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_keeps_the_limits_of_code_scanning() {
        let mut used = Used::default();
        let ids: Vec<&str> = rules::all().map(|rule| rule.id).chain([FAILED, UNVERIFIABLE]).collect();
        for (at, id) in ids.iter().enumerate() {
            assert_eq!(used.index(id), Some(at));
            assert_eq!(used.index(id), Some(at));
        }
        assert_eq!(used.index("no/such-rule"), None);
        for rule in used.into_list() {
            assert!(rule.short_description.text.chars().count() <= MAX_DESCRIPTION, "{}", rule.id);
            assert!(rule.full_description.text.chars().count() <= MAX_DESCRIPTION, "{}", rule.id);
            assert!(rule.full_description.text.len() > rule.short_description.text.len() + 10, "{}", rule.id);
            assert!(rule.help.text.len() < 20_000 && rule.help.text.contains("## How to fix"), "{}", rule.id);
            assert!(rule.properties.tags.len() <= 20);
        }
    }
}
