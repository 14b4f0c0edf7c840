//! Paths, globs and regular expressions of checks, tried out once.

use std::collections::HashSet;

use regex::RegexBuilder;

use super::FileFault;
use super::node::Node;
use crate::config;

/// Bytes a compiled expression may take. Those of a file are all compiled before any of them is used.
const MAX_COMPILED: usize = 1024 * 1024;

/// What was tried and is right.
#[derive(Debug, Default)]
pub(super) struct Terms {
    expressions: HashSet<String>,
    globs: HashSet<String>,
}

impl Terms {
    /// Refuses a regular expression that is none.
    pub(super) fn expression(&mut self, line: usize, expression: &str) -> Result<(), FileFault> {
        if self.expressions.contains(expression) {
            return Ok(());
        }
        let compiled = RegexBuilder::new(expression).multi_line(true).size_limit(MAX_COMPILED).build();
        if let Err(error) = compiled {
            // The whole message draws the expression over several lines; the last one says what is wrong.
            let message = error.to_string();
            let message = message.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            return Err(FileFault::at(line, format!("`{expression}` is no regular expression: {message}")));
        }
        self.expressions.insert(expression.to_owned());
        Ok(())
    }

    /// The globs under `key`, as those of `protect`.
    pub(super) fn globs(&mut self, node: &Node, key: &str) -> Result<Vec<String>, FileFault> {
        let globs = node.texts(key)?;
        for (line, glob) in &globs {
            if self.globs.contains(glob) {
                continue;
            }
            from_top(glob).map_err(|message| FileFault::at(*line, format!("`{key}`: {message}")))?;
            config::globs::set(key, std::slice::from_ref(glob)).map_err(|message| FileFault::at(*line, message))?;
            self.globs.insert(glob.clone());
        }
        Ok(globs.into_iter().map(|(_, glob)| glob).collect())
    }
}

/// The path of a file under `key`.
pub(super) fn path(node: &Node, key: &str) -> Result<String, FileFault> {
    let path = node.text(key)?;
    from_top(path).map_err(|message| node.fault(format!("`{key}`: {message}")))?;
    let path = config::globs::from_top(path);
    if path.split('/').any(|part| part.is_empty() || part == ".") {
        return Err(node.fault(format!("`{key}`: `{path}` is no path of a file")));
    }
    Ok(path.to_owned())
}

fn from_top(path: &str) -> Result<(), String> {
    if path.starts_with('/') {
        return Err(format!("`{path}` is absolute; paths are written from the top of the repository"));
    }
    if path.contains('\\') {
        return Err(format!("`{path}` has a backslash; folders are separated by `/`"));
    }
    if path.split('/').any(|part| part == "..") {
        return Err(format!("`{path}` has `..`; paths are written from the top of the repository"));
    }
    Ok(())
}
