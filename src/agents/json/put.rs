//! Entries are put where they are missing and brought up to date where they are.

use jsonc_parser::ast::{Array, Object, Value as Node};
use jsonc_parser::common::Ranged;
use serde_json::{Map, Value};

use super::candidates::{self, choose};
use super::container::{Container, Item, Splice, apply};
use super::document::{parse, property, unexpected};
use super::entries::HOOKS;
use super::layout::{Layout, indent_at, render};
use crate::agents::problem::{Problem, line_at};

/// What an empty document is indented by: twice what one is that we make, which tells the two apart.
pub(super) const EMPTY_UNIT: &str = "    ";

/// A text with all entries of a template in it.
///
/// # Errors
/// When the text has another shape than settings have.
pub(super) fn put(text: &str, template: &Map<String, Value>) -> Result<String, Problem> {
    let root = parse(text)?;
    let place = Container::of_object(&root);
    if place.is_empty() {
        return Ok(fill(text, &root, template));
    }
    demand_scalars(text, &root, template)?;
    let layout = Layout::of(text, place.first());
    let wanted = template.get(HOOKS).unwrap_or(&Value::Null);
    let splices = match (property(text, &root, HOOKS)?.map(|property| &property.value), wanted) {
        (None, _) => {
            // A document of which only the rest is there would become the one we make, and be deleted with it.
            let is_rest = root.properties.len() + 1 == template.len();
            let item = Item { key: Some(HOOKS.to_owned()), value: wanted.clone() };
            place.append(text, &layout, &[item], is_rest)
        }
        (Some(Node::Object(hooks)), Value::Object(events)) => put_events(text, hooks, events, &layout)?,
        (Some(Node::Array(hooks)), Value::Array(elements)) => put_elements(text, hooks, elements, &layout),
        (Some(other), wanted) => {
            return Err(unexpected(text, other, "`hooks`", if wanted.is_array() { "a list" } else { "an object" }));
        }
    };
    Ok(apply(text, splices))
}

fn fill(text: &str, root: &Object<'_>, template: &Map<String, Value>) -> String {
    let layout = Layout { unit: EMPTY_UNIT.to_owned(), ..Layout::of(text, None) };
    let written = render(&Value::Object(template.clone()), &layout, "", true);
    let at = root.range.start + 1;
    apply(text, vec![Splice { at: at..at, text: written[1..written.len() - 1].to_owned() }])
}

/// That a document says of itself what ours says. It is not for us to say that of somebody else's.
fn demand_scalars(text: &str, root: &Object<'_>, template: &Map<String, Value>) -> Result<(), Problem> {
    for (key, wanted) in template.iter().filter(|(_, value)| !value.is_object() && !value.is_array()) {
        let (line, message) = match property(text, root, key)? {
            Some(found) if super::document::plain(&found.value) == *wanted => continue,
            Some(found) => (line_at(text, found.range.start), format!("`{key}` is not {wanted}")),
            None => (line_at(text, root.range.start), format!("`{key}` is missing")),
        };
        return Err(Problem::at(line, message, format!("write `\"{key}\": {wanted}`; nothing was written")));
    }
    Ok(())
}

fn put_events(
    text: &str,
    hooks: &Object<'_>,
    events: &Map<String, Value>,
    layout: &Layout,
) -> Result<Vec<Splice>, Problem> {
    let mut splices = Vec::new();
    let mut missing = Vec::new();
    for (event, elements) in events {
        match property(text, hooks, event)?.map(|property| &property.value) {
            None => missing.push(Item { key: Some(event.clone()), value: elements.clone() }),
            Some(Node::Array(array)) => {
                let elements = elements.as_array().map(Vec::as_slice).unwrap_or_default();
                splices.extend(put_elements(text, array, elements, layout));
            }
            Some(other) => return Err(unexpected(text, other, &format!("`{HOOKS}.{event}`"), "a list")),
        }
    }
    if !missing.is_empty() {
        splices.extend(Container::of_object(hooks).append(text, layout, &missing, false));
    }
    Ok(splices)
}

fn put_elements(text: &str, array: &Array<'_>, elements: &[Value], layout: &Layout) -> Vec<Splice> {
    let chosen = choose(candidates::of(array), elements);
    let mut splices = Vec::new();
    let mut missing = Vec::new();
    for (element, taken) in elements.iter().zip(chosen.taken) {
        let Some((candidate, is_same)) = taken else {
            if !candidates::has_by_hand(array, element) {
                missing.push(Item { key: None, value: element.clone() });
            }
            continue;
        };
        let list = if candidate.handler.is_some() { candidates::group(array, candidate.element) } else { Some(array) };
        let index = candidate.handler.unwrap_or(candidate.element);
        let node = list.and_then(|list| list.elements.get(index));
        if let Some(node) = node.filter(|_| !is_same) {
            let range = node.range();
            let is_wide = text[range.start..range.end].contains('\n');
            let written = render(candidate.wanted(element), layout, indent_at(text, range.start), is_wide);
            splices.push(Splice { at: range.start..range.end, text: written });
        }
    }
    if !missing.is_empty() {
        splices.extend(Container::of_array(array).append(text, layout, &missing, false));
    }
    splices
}
