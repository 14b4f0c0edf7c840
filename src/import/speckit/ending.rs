//! The last touches of a requirement, once all its lines are there.

use super::items;
use super::stories::wish;
use crate::import::model::{Piece, Requirement};
use crate::import::short::{short, short_demand};
use crate::import::steps;
use crate::openspec::requirement::has_normative_keyword;

/// Gives a requirement without a title one: what its user story wants.
pub(in crate::import) fn entitle(requirement: &mut Requirement) {
    let texts = requirement.body.iter().filter_map(|piece| match piece {
        Piece::Text(text) if !text.trim().is_empty() => Some(text),
        _ => None,
    });
    if requirement.title.is_empty()
        && let Some(wish) = texts.clone().find_map(|text| wish(text))
    {
        requirement.title = short(wish);
    }
}

/// Whether a requirement is one sentence with an id of its own, which is its criterion too.
pub(super) fn is_item(requirement: &Requirement) -> bool {
    requirement.criteria.first().is_some_and(|criterion| criterion.id == requirement.id)
}

/// A requirement of one sentence: its lines are the body, and its criterion says the same in steps.
pub(super) fn finish_item(requirement: &mut Requirement) {
    let (id, is_success) = (requirement.id.clone(), requirement.id.starts_with("SC"));
    let Some(criterion) = requirement.criteria.first_mut() else { return };
    while criterion.lines.last().is_some_and(String::is_empty) {
        criterion.lines.pop();
    }
    // A heading holds the id, and its text follows.
    if criterion.lines.first().is_none_or(String::is_empty) {
        criterion.lines.retain(|line| !line.is_empty());
        if criterion.lines.is_empty() {
            criterion.lines.push(requirement.title.clone());
        } else {
            criterion.lines[0] = criterion.lines[0].trim().to_owned();
        }
    }
    let taken = steps::take(&criterion.lines);
    criterion.sentence = taken.sentence;
    criterion.steps = taken.steps;
    let first = criterion.lines.first().cloned().unwrap_or_default();
    let titled = match items::label(&first) {
        Some((label, _)) => short(label),
        None => short_demand(&first),
    };
    criterion.name = if requirement.title.is_empty() { titled } else { short(&requirement.title) };
    requirement.body = criterion.lines.iter().map(|line| Piece::Text(line.clone())).collect();
    if requirement.title.is_empty() {
        requirement.title.clone_from(&criterion.name);
    }
    if is_success && !has_normative_keyword(&criterion.lines.join("\n")) {
        requirement.sentence = Some(format!("The system MUST meet success criterion {id}."));
    }
}
