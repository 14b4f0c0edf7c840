//! `delta/ignored-entry`

use crate::openspec::delta::Operation;
use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a line of a REMOVED or RENAMED section that reads as a removal or rename and is none for the merge: `From:` in
    /// lower case, `A → B`, a name without `### Requirement:`, an indented header, bold text in place of a header.
    ///
    /// ## Why it matters
    /// The rest of the section is applied and this line is not, without a word.
    ///
    /// ## How to fix
    /// REMOVED takes `### Requirement: <name>` as a header or in a bullet. RENAMED takes ``- FROM: `### Requirement: <old>` ``
    /// and ``- TO: `### Requirement: <new>` ``, the words in capitals.
    "delta/ignored-entry", Error, Own, "A line of REMOVED or RENAMED is not read", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let Reason::UnreadEntry(operation, line) = &leftover.reason else { continue };
        let message = format!("{} does not read `{line}`, so archiving passes over it", operation.word());
        let fix = match operation {
            Operation::Renamed => "write `- FROM: ### Requirement: <old>` and `- TO: ### Requirement: <new>`",
            _ => "write `### Requirement: <name>` at the start of the line",
        };
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
}
