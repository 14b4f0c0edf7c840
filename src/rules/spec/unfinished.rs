//! `spec/unfinished`

use crate::openspec::placeholder::{Placeholder, placeholders};
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports `TBD`, `TBC`, `TKTK`, `???`, `TODO:`, `[TODO]`, `FIXME:` and
    /// `[NEEDS CLARIFICATION: …]` among the words of a requirement of a main spec. Text in code
    /// fences, backticks and quotes is left alone.
    ///
    /// ## Why it matters
    /// What is not decided cannot be built nor checked, and it is found out when somebody tries.
    ///
    /// ## How to fix
    /// Decide, or move the question to `design.md`.
    "spec/unfinished", Warning, Own, "Something in a requirement is still to be decided", Check::Spec(check),
    Weight::completeness("R-TBD", 30)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    for block in &view.spec.blocks {
        for (line, waiting) in placeholders(&view.spec.text, block) {
            if let Placeholder::Mark(found) = waiting {
                let message = format!("`{found}` is still to be decided");
                sink.report(line, "requirements", message, "decide it, or move the question to design.md").about(&block.name);
            }
        }
    }
}
