//! `delta/unfinished`

use crate::openspec::placeholder::{Placeholder, placeholders};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports `TBD`, `TBC`, `TKTK`, `???`, `TODO:`, `[TODO]`, `FIXME:` and
    /// `[NEEDS CLARIFICATION: …]` among the words of a requirement of a delta. Text in code fences,
    /// backticks and quotes is left alone.
    ///
    /// ## Why it matters
    /// What is not decided cannot be built nor checked, and it is found out when somebody tries.
    ///
    /// ## How to fix
    /// Decide, or move the question to `design.md`.
    "delta/unfinished", Warning, Own, "Something in a requirement is still to be decided", Check::Delta(check),
    Weight::completeness("R-TBD", 30)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for (_, block) in view.written_blocks() {
        for (line, waiting) in placeholders(&view.delta.text, block) {
            if let Placeholder::Mark(found) = waiting {
                let message = format!("`{found}` is still to be decided");
                sink.report(line, view.file.entry(), message, "decide it, or move the question to design.md").about(&block.name);
            }
        }
    }
}
