//! `merge/lost-in-diff`

use super::weakened::what;
use crate::openspec::loss::{KeptBlock, Piece};
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecDiffView};

rule! {
    /// ## What it does
    /// Compares each main spec that differs between base and head and lists what is gone or weaker although no delta
    /// says so: steps, demands, rows of tables, notes, and, when the difference archives no change for that spec,
    /// requirements and scenarios. A delta that was archived in this difference or is open in head may remove a
    /// requirement, rename it, and leave text out of its MODIFIED block; a scenario that went that way is still told, as
    /// MODIFIED cannot remove one. Words are compared: what was reworded, moved or wrapped otherwise is not lost.
    ///
    /// ## Why it matters
    /// An edit of a main spec that no change proposes was discussed by nobody.
    ///
    /// ## How to fix
    /// Put the text back, or propose a change whose delta says what is to go.
    "merge/lost-in-diff", Warning, Own, "A main spec lost text that no delta takes out", Check::SpecDiff(check)
}

fn check(view: &SpecDiffView<'_>, sink: &mut Sink<'_>) {
    let lost = view.lost();
    if lost.is_empty() {
        return;
    }
    if view.archived().is_empty() {
        whole(view, sink, "and no delta says so");
    }
    for block in &lost.blocks {
        left_out(block, sink);
        parts(block, sink);
    }
}

/// Reports requirements and scenarios that are gone.
pub(super) fn whole(view: &SpecDiffView<'_>, sink: &mut Sink<'_>, why: &str) {
    let lost = view.lost();
    if !lost.requirements.is_empty() {
        let names: Vec<String> = lost.requirements.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = match view.head {
            Some(_) => format!("{} gone from this spec {why}: {}", are("requirement", names.len()), names.join(", ")),
            None => format!("this spec is gone {why}: {}", names.join(", ")),
        };
        let proof: Vec<String> =
            lost.requirements.iter().map(|(name, _)| format!("- ### Requirement: {name}")).collect();
        let line = view.head.and_then(|spec| spec.requirements_section.as_ref()).map_or(0, |section| section.line);
        let fix = "put back what is not meant to go; the rest has to be under REMOVED in a delta";
        sink.report(line, "file", message, fix).prove(&proof);
    }
    for block in lost.blocks.iter().filter(|block| !block.loss.scenarios.is_empty()) {
        let scenarios = &block.loss.scenarios;
        let names: Vec<String> = scenarios.iter().map(|scenario| format!("`{}`", scenario.name)).collect();
        let message =
            format!("{} gone from `{}` {why}: {}", are("scenario", names.len()), block.name, names.join(", "));
        let fix = "put them back, or propose a change that removes the requirement and adds it anew";
        let proof: Vec<String> =
            scenarios.iter().map(|scenario| format!("- #### Scenario: {}", scenario.name)).collect();
        sink.report(block.new_line, "file", message, fix).about(&block.name).prove(&proof);
    }
}

fn are(noun: &str, number: usize) -> String {
    format!("{} {}", count(number, noun), if number == 1 { "is" } else { "are" })
}

/// Reports scenarios that went because a MODIFIED block does not repeat them.
fn left_out(block: &KeptBlock, sink: &mut Sink<'_>) {
    if block.left_out.is_empty() {
        return;
    }
    let names: Vec<String> = block.left_out.iter().map(|scenario| format!("`{}`", scenario.name)).collect();
    let message = format!(
        "{} gone from `{}` because a delta's MODIFIED leaves {} out: {}",
        are("scenario", names.len()),
        block.name,
        if names.len() == 1 { "it" } else { "them" },
        names.join(", ")
    );
    let fix = "put them back: MODIFIED cannot remove a scenario; to do so, remove the requirement and add it anew";
    let proof: Vec<String> =
        block.left_out.iter().map(|scenario| format!("- #### Scenario: {}", scenario.name)).collect();
    sink.report(block.new_line, "file", message, fix).about(&block.name).prove(&proof);
}

/// Reports what a requirement that stays lost.
fn parts(block: &KeptBlock, sink: &mut Sink<'_>) {
    let loss = &block.loss;
    let mut pieces: Vec<&Piece> = loss.steps.iter().flat_map(|lost| &lost.steps).collect();
    pieces.extend(loss.sentences.iter().chain(&loss.rows).chain(&loss.notes));
    let fix = "put the text back, or propose a change whose delta says what is to go";
    if let Some(first) = pieces.first() {
        let more = if pieces.len() > 1 { format!(" (and {} more)", pieces.len() - 1) } else { String::new() };
        let message = format!(
            "`{}` lost {} that no delta takes out: {}{more}",
            block.name,
            count(pieces.len(), "line"),
            first.text
        );
        let proof: Vec<String> = pieces.iter().map(|piece| format!("- {}", piece.text)).collect();
        sink.report(block.new_line, "file", message, fix).about(&block.name).prove(&proof);
    }
    for weakened in &loss.weakened {
        let message = format!("`{}` demands less, and no delta says so: {}", block.name, what(&weakened.how));
        let proof = [format!("- {}", weakened.old), format!("+ {}", weakened.new)];
        sink.report(block.new_line + weakened.line, "file", message, fix).about(&block.name).prove(&proof);
    }
}
