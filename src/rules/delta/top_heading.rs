//! `delta/top-heading`

use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a `# heading` inside a delta section.
    ///
    /// ## Why it matters
    /// To every Markdown reader it ends the section. The delta reader goes on, and writes the heading into the main spec when it
    /// stands in a requirement; there it ends `## Requirements`, so what follows is lost.
    ///
    /// ## How to fix
    /// Move the title to the top of the file, or use bold text.
    "delta/top-heading", Warning, Own, "A level-1 heading stands in a delta section", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let Reason::TopHeading(title) = &leftover.reason else { continue };
        let message = format!("`{title}` stands in a delta section, which it does not end");
        let fix = "move it above the first section, or delete it";
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
}
