//! Entries are taken out again, with what was put in around them.

use jsonc_parser::ast::{Array, Object, Value as Node};
use serde_json::{Map, Value};

use super::candidates::{self, Candidate, choose};
use super::container::{Container, Splice, apply};
use super::document::{parse, plain};
use super::entries::HOOKS;
use super::layout::newline_of;
use super::put::EMPTY_UNIT;
use crate::agents::problem::Problem;

/// A text without any entry of ours.
///
/// # Errors
/// When the text is not JSON with comments.
pub(super) fn all(text: &str, template: &Map<String, Value>) -> Result<String, Problem> {
    let root = parse(text)?;
    let mut splices = Vec::new();
    let mut emptied = Vec::new();
    for (at, property) in root.properties.iter().enumerate().filter(|(_, it)| it.name.as_str() == HOOKS) {
        let (inner, is_emptied) = match &property.value {
            Node::Object(hooks) => events(text, hooks),
            Node::Array(hooks) => elements(text, hooks, &candidates::of(hooks)),
            _ => continue,
        };
        if is_emptied {
            emptied.push(at);
        }
        splices.push((at, inner));
    }
    let place = Container::of_object(&root);
    // Of an empty document everything is ours.
    let is_ours = |at: usize| {
        let property = &root.properties[at];
        emptied.contains(&at) || template.get(property.name.as_str()) == Some(&plain(&property.value))
    };
    let is_laid_out = place.is_one_a_line(text) && !place.has_comment_before_last(text);
    let is_all = !emptied.is_empty() && (0..root.properties.len()).all(is_ours);
    if let Some(range) = was_empty(text, &root).filter(|_| is_laid_out && is_all) {
        return Ok(apply(text, vec![Splice { at: range, text: String::new() }]));
    }
    let kept = splices.into_iter().filter(|(at, _)| !emptied.contains(at)).flat_map(|(_, inner)| inner);
    let mut splices: Vec<Splice> = kept.collect();
    if !emptied.is_empty() {
        splices.extend(place.remove(text, |at| emptied.contains(&at)));
    }
    Ok(apply(text, splices))
}

/// A text in which nothing of ours is doubled.
///
/// # Errors
/// When the text is not JSON with comments.
pub(super) fn doubles(text: &str, template: &Map<String, Value>) -> Result<String, Problem> {
    let root = parse(text)?;
    let hooks = root.properties.iter().find(|property| property.name.as_str() == HOOKS).map(|it| &it.value);
    let splices = match (hooks, template.get(HOOKS)) {
        (Some(Node::Object(hooks)), Some(Value::Object(wanted))) => doubled_events(text, hooks, wanted),
        (Some(Node::Array(hooks)), Some(Value::Array(wanted))) => {
            elements(text, hooks, &choose(candidates::of(hooks), wanted).doubles).0
        }
        _ => Vec::new(),
    };
    Ok(apply(text, splices))
}

fn doubled_events(text: &str, hooks: &Object<'_>, wanted: &Map<String, Value>) -> Vec<Splice> {
    let mut splices = Vec::new();
    for property in &hooks.properties {
        let Node::Array(array) = &property.value else { continue };
        // Somebody may want us called at further events.
        let Some(wanted) = wanted.get(property.name.as_str()).and_then(Value::as_array) else { continue };
        // One of them stays, so no list is emptied.
        splices.extend(elements(text, array, &choose(candidates::of(array), wanted).doubles).0);
    }
    splices
}

/// What takes ours out of an object of events, and whether nothing is left that was there before.
fn events(text: &str, hooks: &Object<'_>) -> (Vec<Splice>, bool) {
    let mut splices = Vec::new();
    let mut emptied = Vec::new();
    for (at, property) in hooks.properties.iter().enumerate() {
        let Node::Array(array) = &property.value else { continue };
        let (inner, is_emptied) = elements(text, array, &candidates::of(array));
        if is_emptied { emptied.push(at) } else { splices.extend(inner) }
    }
    let place = Container::of_object(hooks);
    let is_all = !place.is_empty() && emptied.len() == hooks.properties.len();
    let is_emptied = is_all && !place.was_empty(text) && !place.has_comment(text);
    if !emptied.is_empty() {
        splices.extend(place.remove(text, |at| emptied.contains(&at)));
    }
    (splices, is_emptied)
}

/// What takes some of ours out of a list, and whether nothing is left that was there before.
fn elements(text: &str, array: &Array<'_>, unwanted: &[Candidate]) -> (Vec<Splice>, bool) {
    let place = Container::of_array(array);
    let is_whole = |at: usize| unwanted.iter().any(|it| it.element == at && it.handler.is_none());
    let mut splices = Vec::new();
    for at in (0..array.elements.len()).filter(|at| !is_whole(*at)) {
        let Some(group) = candidates::group(array, at) else { continue };
        let is_ours = |handler: usize| unwanted.iter().any(|it| it.element == at && it.handler == Some(handler));
        if (0..group.elements.len()).any(is_ours) {
            splices.extend(Container::of_array(group).remove(text, is_ours));
        }
    }
    let whole = (0..array.elements.len()).filter(|at| is_whole(*at)).count();
    if whole > 0 {
        splices.extend(place.remove(text, is_whole));
    }
    let is_all = whole > 0 && whole == array.elements.len();
    (splices, is_all && !place.was_empty(text) && !place.has_comment(text))
}

/// What was put into a document that was there and empty.
fn was_empty(text: &str, root: &Object<'_>) -> Option<std::ops::Range<usize>> {
    let (first, last) = (root.properties.first()?, root.properties.last()?);
    let newline = newline_of(text);
    let before = format!("{{{newline}{EMPTY_UNIT}");
    let is_it = text[root.range.start..first.range.start] == *before && text[last.range.end..].starts_with(newline);
    is_it.then(|| root.range.start + 1..last.range.end + newline.len())
}
