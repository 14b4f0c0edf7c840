//! Why a file cannot be written to.

use std::io;

/// What is wrong with a text, without the file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// 1-based. None when no line is to blame.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub fix: String,
}

impl Problem {
    /// A problem of a line.
    pub fn at(line: usize, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into(), fix: fix.into() }
    }

    /// A problem of a whole file.
    pub fn of_file(message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { line: None, message: message.into(), fix: fix.into() }
    }

    /// The same with the file's name.
    pub fn in_file(self, path: &str) -> Fault {
        Fault { path: path.to_owned(), problem: self }
    }
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}: {}", .problem.line.map_or(String::new(), |line| format!(":{line}")), .problem.message)]
pub struct Fault {
    /// The file, from the top of the repository.
    pub path: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What to do about an error of the system, or something else when it says nothing of it.
pub(super) fn fix_for(error: &io::Error, otherwise: &'static str) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on the disk",
        // This has no kind of its own.
        _ if error.to_string().starts_with("Too many open files") => {
            "close files, or raise how many may be open (`ulimit -n`)"
        }
        _ => otherwise,
    }
}

/// The 1-based line an offset lies in.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}
