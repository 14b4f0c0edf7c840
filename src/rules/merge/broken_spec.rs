//! `merge/broken-spec`

use crate::openspec::merge::Reason;
use crate::openspec::spec::{StructureIssue, StructureKind};
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, MergeView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta for a main spec that archiving refuses to touch: it has a requirement outside of
    /// `## Requirements`, a requirement name twice, or a header of a delta.
    ///
    /// ## Why it matters
    /// One stray heading blocks every change for that capability, and the reference's `validate` says so about the spec
    /// only, not about the changes.
    ///
    /// ## How to fix
    /// Mend the main spec at the line that is named, in a pull request of its own.
    "merge/broken-spec", Error, Own, "The main spec of a delta has a fault that stops archiving", Check::Merge(check)
}

fn check(view: &MergeView<'_>, sink: &mut Sink<'_>) {
    let issues: Vec<&StructureIssue> = view
        .refusals()
        .iter()
        .filter_map(|refusal| match &refusal.reason {
            Reason::BrokenTarget(issue) => Some(issue),
            _ => None,
        })
        .collect();
    // A delta header is why the requirements below it are outside.
    let is_header = |issue: &&&StructureIssue| issue.kind == StructureKind::DeltaHeader;
    let Some(cause) = issues.iter().find(is_header).or(issues.first()) else { return };
    let (what, fix) = match cause.kind {
        StructureKind::DeltaHeader => ("is a delta header".to_owned(), "write `## Requirements` in its place"),
        StructureKind::RequirementOutside => {
            ("is outside of `## Requirements`".to_owned(), "move it below the `## Requirements` of the main spec")
        }
        StructureKind::Duplicate { first } => {
            (format!("repeats the requirement of line {}", first + 1), "join the two in the main spec")
        }
    };
    let more = match issues.len() - 1 {
        0 => String::new(),
        others => format!(", and {} more", count(others, "fault")),
    };
    let place = view.target_place(cause.line);
    let message = format!("archiving would refuse this: `{}` in {place} {what}{more}", cause.header);
    sink.report(view.refusals()[0].line, view.file.entry(), message, fix);
}
