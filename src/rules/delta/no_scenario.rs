//! `delta/no-scenario`

use crate::openspec::requirement::{after_header, count_scenarios};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports an added or modified requirement without a `####` heading that has something below it. A heading inside
    /// a code fence does not count.
    ///
    /// ## Why it matters
    /// A requirement nobody can play through can be neither implemented nor checked with confidence, and archiving
    /// refuses it.
    ///
    /// ## How to fix
    /// Add `#### Scenario: <name>` with `- **WHEN** …` and `- **THEN** …` below it.
    "delta/no-scenario", Error, Reference, "A requirement of a delta has no scenario", Check::Delta(check),
    Weight::completeness("S-NONE", 40)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for (operation, block) in view.written_blocks() {
        let count = count_scenarios(after_header(view.delta.raw(block)));
        if count.with_body > 0 {
            continue;
        }
        let but = if count.empty > 0 { "; a scenario header with nothing below it does not count" } else { "" };
        let message = format!("{} `{}` has no scenario{but}", operation.word(), block.name);
        let fix = "add `#### Scenario: <name>` with `- **WHEN** …` and `- **THEN** …` below it";
        sink.report(block.line, view.file.entry(), message, fix).about(&block.name);
    }
}
