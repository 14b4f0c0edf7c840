//! `delta/unfinished`

use crate::openspec::placeholder::{Placeholder, placeholder};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports `TBD`, `TODO:`, `[TODO]` and `FIXME:` among the words of a requirement of a delta. Text in code fences, backticks and quotes is
    /// left alone.
    ///
    /// ## Why it matters
    /// What is not decided cannot be built nor checked, and it is found out when somebody tries.
    ///
    /// ## How to fix
    /// Decide, or move the question to `design.md`.
    "delta/unfinished", Warning, Own, "Something in a requirement is still to be decided", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let text = &view.delta.text;
    for block in view.written_blocks().map(|(_, block)| block) {
        for (line, written) in (block.line..).zip(view.delta.raw(block).split('\n')) {
            if text.fenced(line) {
                continue;
            }
            if let Some(Placeholder::Mark(found)) = placeholder(written) {
                sink.report(line, view.file.entry(), format!("`{found}` is still to be decided"), "decide it, or move the question to design.md").about(&block.name);
            }
        }
    }
}
