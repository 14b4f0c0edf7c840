//! `merge/broken-spec`

use crate::openspec::merge::Reason;
use crate::openspec::spec::StructureKind;
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
    for refusal in view.refusals() {
        let Reason::BrokenTarget(issue) = &refusal.reason else { continue };
        let what = match issue.kind {
            StructureKind::DeltaHeader => "is a delta header".to_owned(),
            StructureKind::RequirementOutside => "is outside of `## Requirements`".to_owned(),
            StructureKind::Duplicate { first } => format!("repeats the requirement of line {}", first + 1),
        };
        let message =
            format!("archiving would refuse this: `{}` in {} {what}", issue.header, view.target_place(issue.line));
        sink.report(refusal.line, view.file.entry(), message, "mend the main spec first");
    }
}
