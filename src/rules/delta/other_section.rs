//! `delta/other-section`

use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Notes a section of a delta that is none of the four and holds text, and one of the four that holds nothing but a remark.
    ///
    /// ## Why it matters
    /// It is for the readers of the change. Archiving does not take it over to the main spec.
    ///
    /// ## How to fix
    /// Nothing, when it is meant as a note. Else move it into a requirement.
    "delta/other-section", Info, Own, "A section of a delta is dropped when it is archived", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    // Where there is no delta section at all, `delta/no-sections` says so.
    if view.delta.sections.is_empty() {
        return;
    }
    for leftover in &view.delta.account().leftovers {
        // What names a requirement is an error already.
        if view.named().iter().any(|named| named.is_certain && leftover.lines.contains(&named.line)) {
            continue;
        }
        let what = match &leftover.reason {
            Reason::OtherSection(title) if title.is_empty() => "this text".to_owned(),
            Reason::OtherSection(title) => format!("`## {title}`"),
            Reason::Remark(operation, line) => format!("`{line}` in {}", operation.word()),
            _ => continue,
        };
        let message = format!("{what} is not taken over to the main spec");
        sink.report(leftover.lines.start, view.file.entry(), message, "move what is binding into a requirement");
    }
}
