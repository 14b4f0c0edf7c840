//! The texts of a project's files while they are edited: with plain line ends, and put back as they were.

use std::collections::BTreeMap;

use super::Edit;

/// Files as they are and as they would be.
#[derive(Debug)]
pub(super) struct Texts<'f> {
    files: &'f BTreeMap<String, String>,
    /// Without byte-order mark and with `\n` only.
    plain: BTreeMap<String, String>,
    new: BTreeMap<String, String>,
}

impl<'f> Texts<'f> {
    pub fn of(files: &'f BTreeMap<String, String>) -> Self {
        let plain = files.iter().map(|(path, text)| (path.clone(), plain(text))).collect();
        Self { files, plain, new: BTreeMap::new() }
    }

    /// A file with plain line ends.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.plain.get(path).map(String::as_str)
    }

    /// A file byte for byte.
    pub fn original(&self, path: &str) -> Option<&'f str> {
        self.files.get(path).map(String::as_str)
    }

    /// Sets a text with plain line ends. One that is what the file says changes nothing.
    pub fn set(&mut self, path: &str, text: String) {
        let before = self.files.get(path);
        if self.plain.get(path) != Some(&text) {
            let text = before.map_or(text.clone(), |before| as_written(&text, before));
            self.new.insert(path.to_owned(), text);
        }
    }

    /// Sets a text byte for byte.
    pub fn set_original(&mut self, path: &str, text: String) {
        if self.files.get(path) != Some(&text) {
            self.new.insert(path.to_owned(), text);
        }
    }

    /// What would change.
    pub fn edits(self) -> Vec<Edit> {
        let files = self.files;
        let edit = |(path, after): (String, String)| Edit { before: files.get(&path).cloned(), path, after };
        self.new.into_iter().map(edit).collect()
    }
}

fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if is_windows(text) { text.replace("\r\n", "\n") } else { text.to_owned() }
}

/// Whether all lines end in `\r\n`.
fn is_windows(text: &str) -> bool {
    let ends = text.matches('\n').count();
    ends > 0 && text.matches("\r\n").count() == ends
}

/// A text with the byte-order mark and the line ends another has.
fn as_written(text: &str, before: &str) -> String {
    let mark = if before.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    if is_windows(before) { format!("{mark}{}", text.replace('\n', "\r\n")) } else { format!("{mark}{text}") }
}
