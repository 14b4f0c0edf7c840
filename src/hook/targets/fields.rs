//! Arguments that name files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Action, Target, Text, Touched};

/// What a tool does to the files it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doing {
    Write,
    Delete,
    Move,
    Copy,
}

/// Names of arguments that hold a file that is written to, without case and `_`.
const PATHS: &[&str] = &[
    "path",
    "filepath",
    "file",
    "filename",
    "notebookpath",
    "absolutepath",
    "relativepath",
    "relativeworkspacepath",
    "targetfile",
    "target",
    "targetpath",
    "paths",
    "files",
    "uri",
    "directory",
    "dir",
];

/// Names of arguments that hold what is moved or copied, and where to.
const SOURCES: &[&str] = &["source", "src", "sourcepath", "oldpath", "from", "frompath"];
const DESTINATIONS: &[&str] = &["destination", "dest", "dst", "destinationpath", "newpath", "to", "topath", "movepath"];

/// Arguments are looked for this deep: lists of edits, each of a file.
const DEPTH: usize = 16;

/// Longer ones are no paths.
const MAX_LENGTH: usize = 4096;

/// The files a tool's arguments name.
pub(super) fn targets(input: &Map<String, Value>, doing: Doing, cwd: &Path, found: &mut Touched) {
    let text = text(input).map(Arc::new);
    let named = |names: &[&str]| {
        let mut paths = Vec::new();
        collect(input, names, DEPTH, &mut paths);
        let mut known = HashSet::new();
        paths.retain(|path| known.insert(*path));
        paths.into_iter().map(|path| cwd.join(path)).collect::<Vec<PathBuf>>()
    };
    let (files, sources, destinations) = (named(PATHS), named(SOURCES), named(DESTINATIONS));
    let action = if doing == Doing::Delete { Action::Tree } else { Action::Write };
    match doing {
        Doing::Move => {
            let from: Vec<PathBuf> = files.into_iter().chain(sources).collect();
            match (from.as_slice(), destinations.as_slice()) {
                ([from], [to]) => found.add(Target::new(from.clone(), Action::Move(to.clone()))),
                _ => {
                    found.extend(from.into_iter().map(|path| Target::new(path, Action::Tree)));
                    found.extend(destinations.into_iter().map(|path| Target::new(path, Action::Write)));
                }
            }
        }
        // What is copied stays as it is.
        Doing::Copy => found.extend(destinations.into_iter().map(|path| Target::new(path, Action::Write))),
        Doing::Write | Doing::Delete => {
            let all = files.into_iter().chain(destinations);
            found.extend(all.map(|path| Target { path, action: action.clone(), text: text.clone() }));
        }
    }
}

/// Every string, or string in a list, under one of these names.
fn collect<'v>(input: &'v Map<String, Value>, names: &[&str], depth: usize, found: &mut Vec<&'v str>) {
    for (key, value) in input {
        let plain = key.replace(['_', '-'], "").to_ascii_lowercase();
        let is_named = names.contains(&plain.as_str());
        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for value in values {
            match value {
                Value::String(path) if is_named => found.extend(as_path(path)),
                Value::Object(inner) if depth > 0 => collect(inner, names, depth - 1, found),
                _ => {}
            }
        }
    }
}

fn as_path(text: &str) -> Option<&str> {
    let path = text.strip_prefix("file://").unwrap_or(text);
    (!path.is_empty() && path.len() <= MAX_LENGTH && !path.contains(['\n', '\0'])).then_some(path)
}

/// What the file will hold.
fn text(input: &Map<String, Value>) -> Option<Text> {
    let of = |names: &[&str]| names.iter().find_map(|name| input.get(*name)?.as_str().map(str::to_owned));
    if let Some(old) = of(&["old_string", "old_str", "oldString", "oldStr", "old_text", "oldText"]) {
        let new = of(&["new_string", "new_str", "newString", "newStr", "new_text", "newText"]);
        return Some(Text::Replaced(old, new.unwrap_or_default()));
    }
    of(&["content", "contents", "file_text", "fileText", "text"]).map(Text::Whole)
}
