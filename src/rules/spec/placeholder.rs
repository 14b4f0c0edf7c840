//! `spec/placeholder`

use crate::openspec::placeholder::whole_placeholders;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a name, step or statement in a requirement of a main spec that is nothing but a placeholder: a comment
    /// of the template, `<requirement text>`, `[TBD]`, `TODO`, "The system SHALL TBD." Text in code fences, backticks
    /// and quotes is left alone.
    ///
    /// ## Why it matters
    /// It demands nothing, and everything that checks for a requirement or scenario finds one.
    ///
    /// ## How to fix
    /// Write what is meant, or delete it.
    "spec/placeholder", Error, Own, "A placeholder of the template is left", Check::Spec(check),
    Weight::completeness("R-TBD", 30)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    for block in &view.spec.blocks {
        // A template nobody touched has one on every line: the first stands for all of the requirement.
        if let Some((line, message)) = whole_placeholders(&view.spec.text, block) {
            sink.report(line, "requirements", message, "write what is meant, or delete it").about(&block.name);
        }
    }
}
