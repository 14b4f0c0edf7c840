//! `spec/requirement-too-long`

use crate::openspec::js;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView};

/// In UTF-16 code units, as the reference counts.
const MAX_LENGTH: usize = 500;

rule! {
    /// ## What it does
    /// Reports a requirement whose text, scenarios aside, has more than 500 characters (UTF-16 code units).
    ///
    /// ## Why it matters
    /// A long requirement usually demands several things, and is implemented in part.
    ///
    /// ## How to fix
    /// Split it into requirements that each demand one thing.
    "spec/requirement-too-long", Info, Reference, "A requirement's text is very long", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if !view.spec.is_readable() {
        return;
    }
    for (index, requirement) in view.spec.requirements.iter().enumerate() {
        // Bytes are never fewer than UTF-16 units: most requirements need no counting.
        if requirement.section.content.len() <= MAX_LENGTH && requirement.section.title.len() <= MAX_LENGTH {
            continue;
        }
        let length = js::length(&view.spec.requirement_text(requirement));
        if length > MAX_LENGTH {
            let title = requirement.name();
            let message = format!("the text of `{title}` has {length} characters, more than {MAX_LENGTH}");
            let fix = "split it into requirements that each demand one thing";
            sink.report(requirement.section.line, format!("requirements[{index}]"), message, fix).about(title);
        }
    }
}
