//! `spec/no-normative-keyword`

use crate::openspec::requirement::{after_header, body_text, has_normative_keyword};
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView};

rule! {
    /// ## What it does
    /// Reports a requirement of a main spec whose text has neither SHALL nor MUST, in capitals, as a word.
    ///
    /// ## Why it matters
    /// RFC 2119 keywords tell what is demanded from what is told. "Should" and "will" leave it open.
    ///
    /// ## How to fix
    /// Say "The system SHALL …" in the text, not only in the header. In a project that is not written in English,
    /// switch the rule off in `openspec/specward.yaml`.
    "spec/no-normative-keyword", Warning, Reference, "A requirement says neither SHALL nor MUST", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if !view.spec.is_readable() {
        return;
    }
    for (index, block) in view.spec.blocks.iter().enumerate() {
        let text = body_text(after_header(view.spec.raw(block)));
        if !text.is_empty() && !has_normative_keyword(&text) {
            let only_in_header = if has_normative_keyword(&block.name) { " in its text, only in its header" } else { "" };
            let message = format!("`{}` says neither SHALL nor MUST{only_in_header}", block.name);
            let fix = "say in the text what the system SHALL or MUST do";
            sink.report(block.line, format!("requirements[{index}]"), message, fix).about(&block.name);
        }
    }
}
