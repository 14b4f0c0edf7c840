//! What a tool call writes to, as far as its arguments say so.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::payload::Payload;
use super::shell;

mod fields;
pub(super) mod patch;
mod tools;

use tools::Tool;

/// What is done to a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Action {
    /// A file is made, edited or replaced.
    Write,
    /// A file, or a folder with all it holds, is deleted or changed.
    Tree,
    /// A file or folder is moved there.
    Move(PathBuf),
    /// git puts a file or folder back as some commit has it, or as the index has it.
    Restore(Option<String>),
}

/// What a file will hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// All of it.
    Whole(String),
    /// A part that is replaced by another one.
    Replaced(String, String),
}

/// A path that is written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Absolute, as it was given: with `..`, links not followed.
    pub path: PathBuf,
    /// What is done to it.
    pub action: Action,
    /// What it will hold, when the call says so.
    pub text: Option<Arc<Text>>,
}

impl Target {
    /// A path something is done to.
    pub fn new(path: PathBuf, action: Action) -> Self {
        Self { path, action, text: None }
    }
}

/// All that is known of what a call does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Paths, in the order of the call.
    pub targets: Vec<Target>,
    /// Commands of our own that are not for an agent to run.
    pub commands: Vec<String>,
    /// Whether it is more than is looked at.
    pub is_too_much: bool,
    /// What was noted already.
    noted: HashSet<(PathBuf, Action)>,
}

/// A call that does more than this is not looked at further.
const MAX_TARGETS: usize = 50_000;

impl Touched {
    /// Notes what is done to a path, once.
    pub(super) fn add(&mut self, target: Target) {
        if self.targets.len() >= MAX_TARGETS {
            self.is_too_much = true;
        } else if target.text.is_some() || self.noted.insert((target.path.clone(), target.action.clone())) {
            self.targets.push(target);
        }
    }

    pub(super) fn extend(&mut self, targets: impl IntoIterator<Item = Target>) {
        for target in targets {
            if self.is_too_much {
                return;
            }
            self.add(target);
        }
    }
}

/// Where a call is made.
#[derive(Debug, Clone, Copy)]
pub struct From<'p> {
    /// The folder relative paths begin at.
    pub cwd: &'p Path,
    /// The top of the repository, for commands that ask git for it.
    pub top: Option<&'p Path>,
}

/// Names of arguments that hold a shell line, and a patch.
const LINES: &[&str] = &["command", "command_line", "commandLine", "cmd", "script"];
const PATCHES: &[&str] = &["command", "input", "patch", "patchText", "patch_text", "diff"];

/// What the call does. What cannot be told from its arguments is not in it.
pub fn of(payload: &Payload, from: From<'_>) -> Touched {
    let called = tools::Called::of(payload);
    let mut touched = Touched::default();
    let empty = Map::new();
    let input = called.input.as_object().unwrap_or(&empty);
    let folder = ["workdir", "cwd", "directory", "dir_path", "working_directory"];
    let inner = folder.iter().find_map(|name| input.get(*name)?.as_str());
    let cwd = from.cwd.join(inner.unwrap_or_default());
    let base = From { cwd: &cwd, ..from };
    match called.kind() {
        Tool::Shell => {
            for command in LINES {
                match input.get(*command) {
                    Some(Value::String(line)) => shell::line(line, base, &mut touched),
                    Some(Value::Array(words)) => shell::argv(words, base, &mut touched),
                    _ => {}
                }
            }
            if let Value::String(line) = called.input {
                shell::line(line, base, &mut touched);
            }
        }
        Tool::Code => {
            let code = ["code", "script", "source"].iter().find_map(|name| input.get(*name)?.as_str());
            shell::code(code.unwrap_or_default(), base, &mut touched);
        }
        Tool::Patch => {
            let values = PATCHES.iter().filter_map(|name| input.get(*name)).chain([called.input]);
            // A program with its arguments is a list.
            for text in values.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)) {
                let text = text.as_str().unwrap_or_default();
                touched.extend(patch::targets(text, from.cwd));
                touched.extend(patch::diff_targets(text, 1, from.cwd));
            }
            fields::targets(input, fields::Doing::Write, from.cwd, &mut touched);
        }
        Tool::Files(doing) => fields::targets(input, doing, from.cwd, &mut touched),
        Tool::Other => {}
    }
    touched
}

#[cfg(test)]
mod tests;
