//! `spec/unfinished`

use crate::openspec::placeholder::{Placeholder, placeholder};
use crate::rules::rule::rule;
use crate::rules::{Check, SpecView, Sink};

rule! {
    /// ## What it does
    /// Reports `TBD`, `TODO:`, `[TODO]` and `FIXME:` among the words of a requirement of a main spec. Text in code fences, backticks and quotes is
    /// left alone.
    ///
    /// ## Why it matters
    /// What is not decided cannot be built nor checked, and it is found out when somebody tries.
    ///
    /// ## How to fix
    /// Decide, or move the question to `design.md`.
    "spec/unfinished", Warning, Own, "Something in a requirement is still to be decided", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    let text = &view.spec.text;
    for block in view.spec.blocks.iter() {
        for (line, written) in (block.line..).zip(view.spec.raw(block).split('\n')) {
            if text.fenced(line) {
                continue;
            }
            if let Some(Placeholder::Mark(found)) = placeholder(written) {
                sink.report(line, "requirements", format!("`{found}` is still to be decided"), "decide it, or move the question to design.md").about(&block.name);
            }
        }
    }
}
