//! `merge/name-taken`

use crate::openspec::delta::Operation;
use crate::openspec::merge::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, MergeView, Sink};

rule! {
    /// ## What it does
    /// Reports an ADDED requirement that the main spec has already with another text, or under a name that differs only
    /// in case or spacing, and a RENAMED whose new name is taken. Archiving refuses both.
    ///
    /// The same text under the same name is no error: it was merged before.
    ///
    /// ## Why it matters
    /// The reference's `validate --strict` passes such a change, and it is found out when the work is done.
    ///
    /// ## How to fix
    /// Use MODIFIED with the header of the main spec to change what is there, or choose another name.
    "merge/name-taken", Error, Own, "A delta adds or renames to a name the main spec has", Check::Merge(check)
}

fn check(view: &MergeView<'_>, sink: &mut Sink<'_>) {
    for refusal in view.refusals() {
        let Reason::Taken(operation, name, taken) = &refusal.reason else { continue };
        let place = view.line_of(taken).map(|line| format!(" on line {}", line + 1)).unwrap_or_default();
        let is_same_text = *operation == Operation::Added && name == taken && has_same_words(view, name);
        let difference = match (operation, name == taken) {
            _ if is_same_text => "with the same words in another layout",
            (Operation::Added, true) => "with another text",
            (_, true) => "already",
            (_, false) => "already, and differs only in case or spacing",
        };
        let spelling = if name == taken { String::new() } else { format!(" as `{taken}`") };
        let message =
            format!("{} `{name}`: {} has it{spelling}{place} {difference}", operation.word(), view.target_name());
        let fix = match operation {
            _ if is_same_text => "delete it here: it was merged already".to_owned(),
            Operation::Added => format!("use MODIFIED with `### Requirement: {taken}`, or another name"),
            _ => "choose another name, or drop the rename when it was done before".to_owned(),
        };
        sink.report(refusal.line, view.file.entry(), message, fix).about(name);
    }
}

/// Whether the delta adds what the main spec has, white space aside.
fn has_same_words(view: &MergeView<'_>, name: &str) -> bool {
    let added = view.delta.added.iter().find(|block| block.name == name).map(|block| view.delta.raw(block));
    let there = view.target().and_then(|spec| {
        spec.blocks.iter().find(|block| block.name == name).map(|block| spec.raw(block))
    });
    added.zip(there).is_some_and(|(added, there)| added.split_whitespace().eq(there.split_whitespace()))
}
