//! The rules: one file, one rule. Each looks at parsed documents and reports findings; none does I/O.
//!
//! To add one: a file in its group's folder with a `rule!` and a `check` function, its name in the group's `group!`
//! line, and a Markdown case in `tests/cases/`.

use std::collections::HashMap;
use std::sync::LazyLock;

mod criteria_view;
mod page;
mod quality_view;
mod rule;
mod sink;
mod spec_diff;
mod view;
mod weight;

pub mod change;
pub mod criteria;
pub mod delta;
pub mod freeze;
pub mod merge;
pub mod quality;
pub mod repo;
pub mod scenario;
pub mod spec;
pub mod suppress;
pub mod task;

pub use criteria_view::{CriteriaView, CriterionIds, CriterionPlace};
pub use freeze::{Archived, Freeze};
pub use quality_view::QualityView;
pub use rule::{Check, Group, Origin, Rule};
pub use sink::{Place, Sink};
pub use spec_diff::{ProjectPair, SpecDiffView};
pub use view::{ArchiveView, ChangeView, DeltaView, DiffView, EditPlace, MergeView, ScenarioView, SpecEdit, SpecView};
pub use weight::{Dimension, Weight};

/// All groups, in the order their findings are reported for one line.
pub const GROUPS: &[Group] = &[
    spec::GROUP,
    change::GROUP,
    delta::GROUP,
    scenario::GROUP,
    merge::GROUP,
    task::GROUP,
    criteria::GROUP,
    quality::GROUP,
    freeze::GROUP,
    repo::GROUP,
    suppress::GROUP,
];

/// Every rule there is.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    GROUPS.iter().flat_map(|group| group.rules.iter().copied())
}

/// A rule by its id.
pub fn find(id: &str) -> Option<&'static Rule> {
    static BY_ID: LazyLock<HashMap<&str, &'static Rule>> =
        LazyLock::new(|| all().map(|rule| (rule.id, rule)).collect());
    BY_ID.get(id).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_in_their_group() {
        let mut seen = HashSet::new();
        for group in GROUPS {
            for rule in group.rules {
                assert!(seen.insert(rule.id), "{} stands twice", rule.id);
                let (prefix, name) = rule.id.split_once('/').unwrap_or_default();
                assert_eq!(prefix, group.name);
                assert!(
                    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                    "{}",
                    rule.id
                );
            }
        }
    }

    #[test]
    fn every_rule_is_documented() {
        for rule in all() {
            for heading in ["## What it does", "## Why it matters", "## How to fix"] {
                assert!(rule.docs.contains(heading), "{} has no `{heading}`", rule.id);
            }
            assert!(!rule.summary.is_empty() && !rule.summary.ends_with('.'), "{}", rule.id);
        }
    }
}
