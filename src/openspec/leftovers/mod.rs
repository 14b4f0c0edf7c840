//! Accounts for every line of a delta: what the merge applies, what explains that, and what is left over.
//!
//! The invariant: each line that is not blank is claimed or lies in a [`Leftover`]. Rules report the leftovers, each its
//! kind.

use std::ops::Range;

use super::delta::{Delta, Operation};
use super::near_forms::Flaw;

mod accountant;
mod copies;
mod lines;
mod listed;
mod named;
mod outside;
mod written;

use accountant::Accountant;
pub use copies::Copies;
pub use named::{Named, Place, named};

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Nothing stands on it.
    Blank,
    /// The merge applies it.
    Applied,
    /// It explains what the merge applies, to whoever reads the change.
    Explains,
    /// Titles, the introduction, rules between sections.
    Frame,
    /// A comment outside of what is applied.
    Hidden,
    /// Nobody takes it.
    Left,
}

/// Lines that do not do what their author may think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// 0-based lines.
    pub lines: Range<usize>,
    /// What they are.
    pub reason: Reason,
}

/// Kinds of [`Leftover`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A delta section with content of which nothing is read.
    EmptySection(Operation, String),
    /// A level-3 heading inside a written requirement: it is merged and cuts the requirement in two.
    StrayHeading {
        /// The heading's text.
        title: String,
        /// The requirement it stands in.
        inside: String,
    },
    /// A heading and what stands under it before the first requirement of a section: one of level 3, or a scenario.
    DroppedHeading {
        /// The heading's text.
        title: String,
        /// Whether scenarios stand under it.
        has_scenario: bool,
    },
    /// Something that was meant as a requirement header.
    NearHeader {
        /// The name it gives.
        name: String,
        /// What keeps it from being one.
        flaw: Flaw,
        /// What a word before `Requirement` says is to be done with it.
        operation: Option<Operation>,
        /// The requirement it becomes a part of.
        inside: Option<String>,
    },
    /// Something that was meant as a delta section's title.
    NearSection(Operation, String),
    /// Requirements, scenarios or renames outside of the delta sections.
    Lost {
        /// The section they stand in, none above the first.
        section: Option<String>,
        /// 0-based lines of the requirements and renames, and of scenarios above the first requirement.
        entries: Vec<usize>,
    },
    /// A line of REMOVED or RENAMED that reads as an entry and is none.
    UnreadEntry(Operation, String),
    /// A line that the merge applies although it is commented out.
    Commented(String),
    /// A line that the reader takes for the start of a fence although it is inline code, with the line of the first
    /// thing it hides.
    FalseFence(Option<usize>),
    /// A fence that opens behind a bullet, where the reader does not see it.
    ItemFence,
    /// A fence that is never closed.
    OpenFence,
    /// An entry inside a fence, where no requirement is that it could be an example of.
    Fenced(String),
    /// A level-1 heading inside a delta section.
    TopHeading(String),
    /// Words of ADDED or MODIFIED above the first requirement, and those of RENAMED that explain nothing.
    Prose(Operation),
    /// A section that is not a delta's, with its words. Empty for text outside of any section.
    OtherSection(String),
    /// A short remark that is all a delta section holds.
    Remark(Operation, String),
    /// A scenario under two hashes, which cuts it off from its requirement.
    ScenarioSection(String),
    /// One whose title begins with ADDED, MODIFIED, REMOVED or RENAMED.
    OperationSection(String),
    /// A `## Purpose` section. A new capability takes it over.
    Purpose,
}

/// The account of a delta.
#[derive(Debug)]
pub struct Account {
    /// One for each line.
    pub claims: Vec<Claim>,
    /// By line.
    pub leftovers: Vec<Leftover>,
}

impl Account {
    /// Accounts for a delta's lines.
    pub fn of(delta: &Delta) -> Self {
        Accountant::new(delta).run()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::openspec::heading;
    use crate::openspec::requirement::Block;

    pub(super) fn account(content: &str) -> Vec<(usize, Reason)> {
        let delta = Delta::parse(content.as_bytes().to_vec());
        delta.account().leftovers.iter().map(|leftover| (leftover.lines.start, leftover.reason.clone())).collect()
    }

    #[test]
    fn a_plain_delta_leaves_nothing() {
        let left = account(
            "---\nx: y\n---\n# Delta\n\nWords.\n\n## ADDED Requirements\n\n### Requirement: A\nIt SHALL.\n#### Scenario: S\n- x\n\n```md\n### Requirement: example\n```\n---\n\n## MODIFIED Requirements\n- None\n\n## REMOVED Requirements\n<!-- none -->\n### Requirement: B\n**Reason**: old -> new\n\n## RENAMED Requirements\n**Reason**: A → B.\n- FROM: `### Requirement: C`\n- TO: `### Requirement: D`\n",
        );
        assert_eq!(left, []);
    }

    /// Lines that say everything a delta can say, rightly and wrongly.
    const LINES: [&str; 34] = [
        "",
        "## ADDED Requirements",
        "## MODIFIED Requirements",
        "## REMOVED Requirements",
        "## RENAMED Requirements",
        "## Notes",
        "## Purpose",
        "## ADDED  Requirements",
        "## ADDED Criteria",
        "# Title",
        "# ADDED Requirements",
        "### Requirement: A",
        "### Requirement: B",
        "###Requirement: C",
        "### Stray",
        "#### Scenario: S",
        "- **WHEN** x",
        "words",
        "- FROM: `### Requirement: A`",
        "- TO: `### Requirement: B`",
        "- from: x",
        "- `### Requirement: C`",
        " ### Requirement: D",
        "**Requirement: E**",
        "## Requirement: F",
        "<!--",
        "-->",
        "<!-- x -->",
        "None",
        "## ",
        "---",
        "```",
        "```x```",
        "~~~~ md",
    ];

    fn deltas(kinds: usize) -> impl Strategy<Value = String> {
        proptest::collection::vec(0..kinds, 0..24)
            .prop_map(|lines| lines.into_iter().map(|line| LINES[line]).collect::<Vec<_>>().join("\n"))
    }

    proptest! {
        #[test]
        fn every_line_is_claimed_or_left_over(content in deltas(LINES.len())) {
            let delta = Delta::parse(content.into_bytes());
            let account = delta.account();
            for (line, claim) in account.claims.iter().enumerate() {
                let is_reported = account.leftovers.iter().any(|leftover| leftover.lines.contains(&line));
                prop_assert!(*claim != Claim::Left || is_reported, "line {}", line + 1);
            }
        }

        /// What is not called applied can go without a difference to the merge. Fences are left out: they change what
        /// other lines are.
        #[test]
        fn only_what_is_applied_matters(content in deltas(LINES.len() - 3)) {
            let delta = Delta::parse(content.into_bytes());
            let is_kept = |line: &usize| {
                matches!(delta.account().claims[*line], Claim::Applied | Claim::Blank)
                    || heading::section_break(delta.text.line(*line)) == Some(2)
            };
            let kept: Vec<&str> = (0..delta.text.len()).filter(is_kept).map(|line| delta.text.line(line)).collect();
            let again = Delta::parse(kept.join("\n").into_bytes());
            let raws = |delta: &Delta, blocks: &[Block]| {
                blocks.iter().map(|block| delta.raw(block).to_owned()).collect::<Vec<_>>()
            };
            prop_assert_eq!(raws(&delta, &delta.added), raws(&again, &again.added));
            prop_assert_eq!(raws(&delta, &delta.modified), raws(&again, &again.modified));
            let removed = |delta: &Delta| delta.removed.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
            prop_assert_eq!(removed(&delta), removed(&again));
            let renamed = |delta: &Delta| {
                delta.renamed.iter().map(|entry| (entry.from.clone(), entry.to.clone())).collect::<Vec<_>>()
            };
            prop_assert_eq!(renamed(&delta), renamed(&again));
        }
    }
}
