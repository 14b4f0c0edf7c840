//! Reads `openspec/verify/<capability>.yaml`.

use bstr::{BStr, ByteSlice};
use serde_yaml::Budget;

use self::node::{Fields, Node, Value};
use super::model::Criterion;
use crate::openspec::yaml;

mod check;
mod expect;
mod ids;
mod node;
mod terms;

/// Files above this size are refused.
pub const MAX_FILE_BYTES: usize = 4 * 1024 * 1024;

/// Criteria of one file.
pub const MAX_CRITERIA: usize = 20_000;

/// Values a file may have, aliases written out.
const MAX_NODES: usize = 1_500_000;

/// The only version there is.
const VERSION: i64 = 1;

/// Why a file of criteria cannot be used: the first problem it has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FileFault {
    /// 0-based.
    pub line: usize,
    /// What is wrong, on one line.
    pub message: String,
}

impl FileFault {
    fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

/// Parses the criteria of one capability.
///
/// # Errors
/// When the file is too large, is not YAML, or says anything that makes no sense. A misspelt key would be a check that
/// does not run.
pub fn parse(bytes: &[u8], path: &BStr, capability: &str) -> Result<Vec<Criterion>, FileFault> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(FileFault::at(
            0,
            format!("{} bytes are more than the {MAX_FILE_BYTES} that are read", bytes.len()),
        ));
    }
    let text = bytes.to_str().map_err(|error| {
        let line = bytes[..error.valid_up_to()].find_iter(b"\n").count();
        FileFault::at(line, "is not UTF-8")
    })?;
    let document = document(text)?;
    let what = "the file";
    let fields = Fields::of(&document, what, &["version", "criteria"])?;
    let version = fields
        .get("version")
        .ok_or_else(|| FileFault::at(0, "the file has no `version`; begin it with `version: 1`"))?;
    if !matches!(version.value, Value::Int(VERSION)) {
        return Err(version.fault(format!("`version` has to be {VERSION}, the only one this program knows")));
    }
    let criteria = fields.need("criteria", what)?;
    let entries = match &criteria.value {
        Value::Null => &[],
        Value::List(list) => list.as_slice(),
        _ => return Err(criteria.fault(format!("`criteria` is {}, and has to be a list", criteria.kind()))),
    };
    if entries.len() > MAX_CRITERIA {
        let message = format!("{} criteria are more than the {MAX_CRITERIA} that a file may have", entries.len());
        return Err(criteria.fault(message));
    }
    let mut terms = terms::Terms::default();
    let mut read = |entry: &Node| criterion(entry, path, capability, &mut terms);
    let mut criteria = entries.iter().map(&mut read).collect::<Result<Vec<_>, _>>()?;
    let names = criteria.iter().map(|criterion| (criterion.requirement.as_str(), criterion.scenario.as_str()));
    let ids = ids::of_names(capability, names);
    for (criterion, id) in criteria.iter_mut().zip(ids) {
        if criterion.id.is_empty() {
            criterion.id = id;
        }
    }
    Ok(criteria)
}

fn document(text: &str) -> Result<Node, FileFault> {
    let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    if text.trim_start_matches('\u{feff}').lines().all(is_blank) {
        return Err(FileFault::at(0, "the file is empty; `version: 1` and `criteria` have to be there"));
    }
    let budget: Option<Budget> = serde_yaml::budget! {
        max_depth: 32,
        max_documents: 1,
        max_nodes: MAX_NODES,
        max_events: 3 * MAX_NODES,
    };
    yaml::read(text, budget.unwrap_or_default()).map_err(|error| {
        // What the scanner says begins with what it met; our own words are a sentence.
        let is_scanner = ["unclosed", "did not find", "unexpected", "invalid", "while "];
        let of_scanner = is_scanner.iter().any(|start| error.message.starts_with(start));
        let what = if of_scanner { "this is not YAML: " } else { "" };
        FileFault::at(error.line.saturating_sub(1), format!("{what}{}", error.message))
    })
}

/// One entry. Its id is empty when the file gives none.
fn criterion(entry: &Node, path: &BStr, capability: &str, terms: &mut terms::Terms) -> Result<Criterion, FileFault> {
    let what = "a criterion";
    let fields = Fields::of(entry, what, &["requirement", "scenario", "id", "ears", "verify"])?;
    let name = |key| Ok(fields.need(key, what)?.text(key)?.trim().to_owned());
    let (requirement, scenario) = (name("requirement")?, name("scenario")?);
    let id = match fields.get("id") {
        Some(node) => {
            let id = node.text("id")?;
            ids::check(id).map_err(|message| node.fault(message))?;
            id.to_owned()
        }
        None => String::new(),
    };
    let ears = fields.get("ears").map(|node| node.text("ears").map(one_line)).transpose()?;
    let checks = match fields.get("verify") {
        None | Some(Node { value: Value::Null, .. }) => Vec::new(),
        Some(Node { value: Value::List(list), .. }) => {
            list.iter().map(|node| check::read(node, terms)).collect::<Result<_, _>>()?
        }
        Some(node) => return Err(node.fault(format!("`verify` is {}, and has to be a list of checks", node.kind()))),
    };
    let (capability, path) = (capability.to_owned(), path.to_owned());
    Ok(Criterion { id, capability, requirement, scenario, ears, checks, path, line: entry.line })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
