//! The files a word of a shell stands for.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;

use crate::shell::Word;

/// Most files one word stands for.
const MAX_PATHS: usize = 1_000;

/// What a shell or a client puts in for the folder it is in.
const HERE: &[&str] = &["${PWD}", "$PWD", "$(pwd)", "`pwd`"];

/// What it puts in for the top of the repository.
const TOP: &[&str] = &[
    "$(git rev-parse --show-toplevel)",
    "`git rev-parse --show-toplevel`",
    "${CLAUDE_PROJECT_DIR}",
    "$CLAUDE_PROJECT_DIR",
    "${GEMINI_PROJECT_DIR}",
    "$GEMINI_PROJECT_DIR",
    "${CURSOR_PROJECT_DIR}",
    "$CURSOR_PROJECT_DIR",
];

/// Absolute paths. None where only the shell knows. `listings` is how many folders may still be listed.
pub(super) fn paths(word: &Word, folder: Option<&Path>, top: Option<&Path>, listings: &Cell<usize>) -> Vec<PathBuf> {
    let text = word.text.as_str();
    let leading = |names: &[&str]| {
        let rest = names.iter().find_map(|name| text.strip_prefix(name))?;
        (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
    };
    let (base, rest) = if word.is_literal {
        (folder, text.to_owned())
    } else if let Some(rest) = leading(HERE) {
        (folder, rest)
    } else if let Some(rest) = leading(TOP) {
        (top, rest)
    } else {
        (folder, text.to_owned())
    };
    let is_unknown = !word.is_literal && (rest.contains(['$', '`']) || rest.starts_with('~'));
    if is_unknown || rest.contains('\0') || rest.is_empty() && base == folder && text.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for path in braces(&rest) {
        let is_absolute = path.starts_with('/');
        let Some(base) = base.or(is_absolute.then_some(Path::new("/"))) else { continue };
        if path.contains(['*', '?', '[']) {
            globbed(base, &path, listings, &mut found);
        } else {
            found.push(base.join(path));
        }
        found.truncate(MAX_PATHS);
    }
    found
}

/// `a{b,c}` as `ab` and `ac`. What is quoted cannot be told apart here, so the word itself is among them.
fn braces(text: &str) -> Vec<String> {
    let mut found = vec![text.to_owned()];
    let mut at = 0;
    while let Some(next) = found.get(at).cloned() {
        at += 1;
        let Some(open) = next.find('{') else { continue };
        let Some(close) = next[open..].find('}').map(|length| open + length) else { continue };
        // The innermost one.
        let open = next[..close].rfind('{').unwrap_or(open);
        let inside = &next[open + 1..close];
        if inside.contains(',') && found.len() < 64 {
            found.extend(inside.split(',').map(|part| format!("{}{part}{}", &next[..open], &next[close + 1..])));
        }
    }
    found
}

/// The files that match, looked for one folder after the other.
fn globbed(base: &Path, pattern: &str, listings: &Cell<usize>, found: &mut Vec<PathBuf>) {
    let mut reached = vec![base.to_owned()];
    for part in Path::new(pattern).components() {
        let name = part.as_os_str().to_string_lossy();
        let is_pattern = matches!(part, Component::Normal(_)) && name.contains(['*', '?', '[']);
        reached = reached
            .iter()
            .flat_map(|folder| if is_pattern { matching(folder, &name, listings) } else { vec![folder.join(part)] })
            .collect();
        reached.truncate(MAX_PATHS);
    }
    found.append(&mut reached);
}

fn matching(folder: &Path, pattern: &str, listings: &Cell<usize>) -> Vec<PathBuf> {
    listings.set(listings.get().saturating_sub(1));
    if listings.get() == 0 {
        return Vec::new();
    }
    let Ok(glob) = GlobBuilder::new(pattern).literal_separator(true).build() else { return Vec::new() };
    let matcher = glob.compile_matcher();
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let names =
        names.take(MAX_PATHS).filter(|name| matcher.is_match(name) && (!is_hidden(name) || pattern.starts_with('.')));
    names.map(|name| folder.join(name)).collect()
}
