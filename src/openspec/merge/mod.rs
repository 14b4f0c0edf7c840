//! Applies a delta to a main spec in memory, as archiving the change would, down to the bytes it would write.

mod blocks;
mod check;
mod purpose;
mod rebuild;
mod retire;

use super::delta::{Delta, Operation};
use super::spec::{Spec, StructureIssue};

pub use check::{Conflict, conflicts};
pub use purpose::purpose_section;
pub use retire::{Unnamed, unnamed_content};

/// Why a delta cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// 0-based line of the entry in the delta.
    pub line: usize,
    /// What stops it.
    pub reason: Reason,
}

/// Kinds of [`Refusal`]. Names are as the delta writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// FROM without TO or the reverse.
    UnpairedRename(String),
    /// One section names a requirement twice.
    Duplicate(Operation, String),
    /// Two sections claim one requirement.
    Conflict(Operation, Operation, String),
    /// Nothing to apply.
    Empty,
    /// MODIFIED or RENAMED and no main spec.
    NoTarget(Operation),
    /// The main spec has a structural fault.
    BrokenTarget(StructureIssue),
    /// The requirement is not in the main spec; one there that differs only in case or spacing.
    NotFound(Operation, String, Option<String>),
    /// The name is taken, or nearly so.
    Taken(Operation, String, String),
    /// MODIFIED leaves out scenarios.
    DropsScenarios(String, Vec<String>),
    /// The block's header has no name left once trimmed.
    NamelessHeader(String),
}

/// What a merge needs to name things in the file it writes.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// The capability; the title of a spec that is new.
    pub capability: &'a str,
    /// The change; named in the purpose of a new spec that brings none.
    pub change: &'a str,
}

/// A main spec after a delta was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The file as archiving writes it, when [`Merged::applied`] has anything.
    pub text: String,
    /// Operations that changed something.
    pub applied: Applied,
    /// Whether the capability had no main spec.
    pub is_new: bool,
    /// Whether no requirement is left that a delta can address.
    pub has_no_blocks: bool,
}

/// How many operations changed something. What was there already does not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Applied {
    /// ADDED.
    pub added: usize,
    /// MODIFIED.
    pub modified: usize,
    /// REMOVED.
    pub removed: usize,
    /// RENAMED.
    pub renamed: usize,
}

impl Applied {
    /// Whether the main spec said everything before. Archiving then leaves the file as it is.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

/// Applies a delta to its target, none when the capability is new.
///
/// # Errors
/// What the reference would refuse, at least one thing. It stops at the first; here an operation that cannot be applied
/// is passed over to find the others, and what only follows from it is not told.
pub fn apply(delta: &Delta, target: Option<&Spec>, names: Names<'_>) -> Result<Merged, Vec<Refusal>> {
    check::check_delta(delta).map_err(|refusal| vec![refusal])?;
    let Some(spec) = target else {
        if let Some((operation, line)) = first_needing_target(delta) {
            return Err(vec![Refusal { line, reason: Reason::NoTarget(operation) }]);
        }
        let skeleton = purpose::skeleton(delta, names);
        return merge(delta, &skeleton, true);
    };
    if !spec.structure.is_empty() {
        let line = delta.sections.first().map_or(0, |section| section.line);
        let refusal = |issue: &StructureIssue| Refusal { line, reason: Reason::BrokenTarget(issue.clone()) };
        return Err(spec.structure.iter().map(refusal).collect());
    }
    merge(delta, spec, false)
}

fn merge(delta: &Delta, spec: &Spec, is_new: bool) -> Result<Merged, Vec<Refusal>> {
    let mut blocks = blocks::Blocks::new(spec);
    blocks.rename(delta);
    blocks.remove(delta, is_new);
    blocks.modify(delta);
    blocks.add(delta);
    let (applied, raws) = blocks.finish()?;
    let text = rebuild::rebuild(spec, &raws);
    // A new file is written with `\n`, whatever the delta has.
    let text = if is_new { text } else { rebuild::with_line_ends_of(text, spec.text.original()) };
    Ok(Merged { text, applied, is_new, has_no_blocks: raws.is_empty() })
}

fn first_needing_target(delta: &Delta) -> Option<(Operation, usize)> {
    let modified = delta.modified.first().map(|block| (Operation::Modified, block.line));
    modified.or_else(|| delta.renamed.first().map(|rename| (Operation::Renamed, rename.from_line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names<'static> = Names { capability: "auth", change: "c1" };

    fn merged(main: &str, delta: &str) -> Result<Merged, Vec<Refusal>> {
        let spec = Spec::parse(format!("# T\n\n## Purpose\np\n\n## Requirements\n{main}").into_bytes());
        apply(&Delta::parse(delta.as_bytes().to_vec()), Some(&spec), NAMES)
    }

    fn run(main: &str, delta: &str) -> Result<(), Reason> {
        merged(main, delta).map(|_| ()).map_err(|refusals| refusals[0].reason.clone())
    }

    #[test]
    fn near_misses_are_named() {
        let found =
            run("### Requirement: Widget  state\nx\n", "## MODIFIED Requirements\n### Requirement: widget state\ny\n");
        assert_eq!(
            found,
            Err(Reason::NotFound(Operation::Modified, "widget state".into(), Some("Widget  state".into())))
        );
    }

    #[test]
    fn a_rename_already_there_is_accepted() {
        let delta = "## RENAMED Requirements\nFROM: ### Requirement: A\nTO: ### Requirement: B\n";
        assert_eq!(run("### Requirement: B\nx\n", delta), Ok(()));
        assert_eq!(run("### Requirement: A\nx\n", delta), Ok(()));
        assert!(matches!(run("### Requirement: A\nx\n### Requirement: B\n", delta), Err(Reason::Taken(..))));
    }

    #[test]
    fn identical_addition_is_accepted() {
        assert_eq!(run("### Requirement: A\nx\n", "## ADDED Requirements\n### Requirement: A\nx\n"), Ok(()));
        assert!(run("### Requirement: A\nx\n", "## ADDED Requirements\n### Requirement: A\ny\n").is_err());
    }

    #[test]
    fn a_dropped_scenario_is_refused() {
        let main = "### Requirement: A\nx\n#### Scenario: one\n- a\n#### Scenario: two\n- b\n";
        let delta = "## MODIFIED Requirements\n### Requirement: A\nx\n#### Scenario: two\n- b\n";
        assert_eq!(run(main, delta), Err(Reason::DropsScenarios("A".into(), vec!["one".into()])));
    }

    #[test]
    fn every_refusal_is_told_and_no_consequence_of_one() {
        let delta = "## RENAMED Requirements\nFROM: ### Requirement: X\nTO: ### Requirement: Y\n\
                     ## MODIFIED Requirements\n### Requirement: Y\ny\n### Requirement: Z\nz\n";
        let reasons: Vec<Reason> = merged("### Requirement: A\nx\n", delta)
            .err()
            .into_iter()
            .flatten()
            .map(|refusal| refusal.reason)
            .collect();
        let missing = |operation, name: &str| Reason::NotFound(operation, name.to_owned(), None);
        assert_eq!(reasons, [missing(Operation::Renamed, "X"), missing(Operation::Modified, "Z")]);
    }

    #[test]
    fn text_keeps_order_and_single_blank_lines() {
        let main = "intro\n\n\n### Requirement: A\na\n### Requirement: B\nb\n\n\n## Notes\nn\n";
        let delta = "## RENAMED Requirements\nFROM: ### Requirement: A\nTO: ### Requirement: C\n\
                     ## REMOVED Requirements\n### Requirement: B\n## ADDED Requirements\n### Requirement: D\nd\n";
        let text = merged(main, delta).map(|merged| merged.text);
        let wanted = "# T\n\n## Purpose\np\n\n## Requirements\n\nintro\n\n### Requirement: C\na\n\n### Requirement: D\nd\n\n## Notes\nn\n";
        assert_eq!(text.as_deref(), Ok(wanted));
    }

    #[test]
    fn line_ends_are_those_of_the_main_spec() {
        let spec = Spec::parse(b"\xef\xbb\xbf## Purpose\r\np\r\n## Requirements\r\n".to_vec());
        let delta = Delta::parse(b"## ADDED Requirements\n### Requirement: D\nd\n".to_vec());
        let text = apply(&delta, Some(&spec), NAMES).map(|merged| merged.text);
        assert_eq!(text.as_deref(), Ok("## Purpose\r\np\r\n\r\n## Requirements\r\n\r\n### Requirement: D\r\nd\r\n"));
    }

    #[test]
    fn a_new_spec_has_the_purpose_of_the_delta() {
        let new = |head: &str| {
            let delta = Delta::parse(format!("{head}## ADDED Requirements\n### Requirement: D\nd\n").into_bytes());
            apply(&delta, None, NAMES).map(|merged| merged.text)
        };
        let spec = |purpose: &str| {
            format!("# auth Specification\n\n## Purpose\n{purpose}\n\n## Requirements\n\n### Requirement: D\nd\n")
        };
        assert_eq!(new(""), Ok(spec("TBD - created by archiving change c1. Update Purpose after archive.")));
        assert_eq!(new("## Purpose\n\nWhy.\n\n"), Ok(spec("Why.")));
        assert_eq!(
            new("## Purpose\nWhy <!-- x -->\n"),
            Ok(spec("TBD - created by archiving change c1. Update Purpose after archive."))
        );
    }
}
