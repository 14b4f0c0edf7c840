//! `quality/same-text`

use crate::openspec::heading::{fold_name, section_break};
use crate::openspec::prose::RequirementProse;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement whose text another one of the same file has, under another name. White space, emphasis and
    /// case make no difference; scenarios are not compared. A text of a few words is left alone. Holds for any language.
    ///
    /// ## Why it matters
    /// One of the two gets changed some day, and then they contradict each other. Often it is a copy whose text was
    /// forgotten. (INCOSE R30 "say it once".)
    ///
    /// ## How to fix
    /// Delete one and move its scenarios to the other, or write what is different about it.
    "quality/same-text", Warning, Own, "Two requirements say the same", Check::Quality(check),
    Weight::consistency("R-DUP-TEXT", 8)
}

/// A shorter text says too little to be told for a copy. In bytes, since in scripts that say more with a letter each
/// letter has more of them.
const FEW: usize = 40;

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let own = view.requirement;
    let text = folded(view, own);
    if text.len() < FEW {
        return;
    }
    let name = fold_name(&own.name);
    let same = view.file.same_texts(|other| folded(view, other), &text);
    let mut before = same.iter().map(|at| &view.file.requirements[*at]).take_while(|other| other.lines.start < own.lines.start);
    if let Some(other) = before.find(|other| fold_name(&other.name) != name) {
        let message =
            format!("`{}` says just what `{}` on line {} says", own.name, other.name, other.lines.start + 1);
        view.report_header(sink, message, "delete one of them, or write what is different about it");
    }
}

/// The letters of a body, in small letters, without white space and emphasis.
fn folded(view: &QualityView<'_>, requirement: &RequirementProse) -> String {
    let text = view.text;
    (requirement.lines.start + 1..requirement.lines.end)
        .take_while(|line| text.fenced(*line) || section_break(text.line(*line)).is_none())
        .flat_map(|line| text.line(line).chars())
        .filter(|c| !c.is_whitespace() && !matches!(c, '*' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}
