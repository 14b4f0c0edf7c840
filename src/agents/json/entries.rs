//! Entries of a template in the settings of others: put in, taken out, looked at.

use jsonc_parser::ast::{Array, Value as Node};
use serde_json::{Map, Value};

use super::container::Container;
use super::document::{parse, plain};
use super::layout::{newline_of, render};
use super::{candidates, drop, put};
use crate::agents::problem::Problem;

/// Key of the entries in a document.
pub(super) const HOOKS: &str = "hooks";

const BOM: char = '\u{feff}';

/// Settings as `init` writes them where there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: &'static str,
    map: Map<String, Value>,
}

/// What of ours is in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Nothing.
    Missing,
    /// Everything, as it would be written now.
    Installed,
    /// Something, not as it would be written now.
    Stale,
    /// Something more than once.
    Doubled,
}

impl Template {
    /// A template from its text. One that is no object has no entries, which a test rules out.
    pub fn new(text: &'static str) -> Self {
        let map = match serde_json::from_str(text) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        };
        Self { text, map }
    }

    /// The document where there is none.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// Whether the text is laid out as settings are written, which is how they are known again.
    pub fn is_canonical(&self) -> bool {
        let layout = super::layout::Layout { newline: "\n", unit: "  ".to_owned() };
        self.text == render(&Value::Object(self.map.clone()), &layout, "", true) + "\n"
    }

    /// Settings with all entries: those of ours that are there brought up to date, none doubled.
    ///
    /// # Errors
    /// When the text is not JSON with comments, or has another shape than settings have.
    pub fn install(&self, text: &str) -> Result<String, Problem> {
        let (bom, bare) = split(text);
        if text.trim_start_matches(BOM).trim().is_empty() {
            let message = "is empty, which is no settings file";
            return Err(Problem::of_file(message, "write `{}` into the file or delete it; nothing was written"));
        }
        // The shape is looked at before anything is taken out.
        put::put(bare, &self.map)?;
        let once = drop::doubles(bare, &self.map)?;
        Ok(format!("{bom}{}", put::put(&once, &self.map)?))
    }

    /// Settings without any entry of ours. None when the file is one that we made.
    ///
    /// # Errors
    /// When the text is not JSON with comments.
    pub fn uninstall(&self, text: &str) -> Result<Option<String>, Problem> {
        if text.replace("\r\n", "\n") == self.text {
            return Ok(None);
        }
        let (bom, bare) = split(text);
        if bare.trim().is_empty() {
            return Ok(Some(text.to_owned()));
        }
        let rest = drop::all(bare, &self.map)?;
        if bom.is_empty() && self.is_made(bare, &rest)? {
            return Ok(None);
        }
        Ok(Some(format!("{bom}{rest}")))
    }

    /// Whether a command of somebody else in a text calls us in place of an entry of ours.
    ///
    /// # Errors
    /// When it cannot be told.
    pub fn is_by_hand(&self, text: &str) -> Result<bool, Problem> {
        let root = parse(split(text).1)?;
        let hooks = root.properties.iter().find(|property| property.name.as_str() == HOOKS).map(|it| &it.value);
        let has = |array: &Array<'_>, wanted: &Value| {
            wanted.as_array().is_some_and(|wanted| wanted.iter().any(|it| candidates::has_by_hand(array, it)))
        };
        Ok(match (hooks, self.map.get(HOOKS)) {
            (Some(Node::Object(hooks)), Some(Value::Object(wanted))) => hooks.properties.iter().any(|property| {
                let wanted = wanted.get(property.name.as_str());
                property.value.as_array().zip(wanted).is_some_and(|(array, wanted)| has(array, wanted))
            }),
            (Some(Node::Array(hooks)), Some(wanted)) => has(hooks, wanted),
            _ => false,
        })
    }

    /// What of ours is in a text.
    ///
    /// # Errors
    /// When it cannot be told.
    pub fn presence(&self, text: &str) -> Result<Presence, Problem> {
        let bare = split(text).1;
        if self.install(text)? == text {
            return Ok(Presence::Installed);
        }
        if drop::doubles(bare, &self.map)? != bare {
            return Ok(Presence::Doubled);
        }
        let has_any = parse(bare)?.properties.iter().any(|property| {
            let lists = plain(&property.value);
            candidates::is_any(&lists)
        });
        Ok(if has_any { Presence::Stale } else { Presence::Missing })
    }

    /// Whether a document is one that we made, of this or another version: nothing but ours is in it, laid out as ours.
    fn is_made(&self, text: &str, rest: &str) -> Result<bool, Problem> {
        let (root, left) = (parse(text)?, parse(rest)?);
        let place = Container::of_object(&root);
        let newline = newline_of(text);
        let is_laid_out =
            text.starts_with(&format!("{{{newline}  \"")) && text.ends_with(&format!("{newline}}}{newline}"));
        let is_ours = |name: &str, value: &Value| self.map.get(name) == Some(value) && name != HOOKS;
        let had = root.properties.iter().any(|property| property.name.as_str() == HOOKS);
        let rest_is_ours = left.properties.iter().all(|it| is_ours(it.name.as_str(), &plain(&it.value)));
        Ok(is_laid_out && had && rest_is_ours && place.is_one_a_line(text) && !place.has_comment(text))
    }
}

/// A byte-order mark, and the rest.
fn split(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with(BOM) { BOM.len_utf8() } else { 0 })
}

#[cfg(test)]
mod tests;
