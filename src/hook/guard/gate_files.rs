//! Files that hold our hooks: an edit that leaves them is fine, one that disarms them is not.

use std::fs;
use std::path::Path;

use bstr::{BStr, ByteSlice};

use crate::gate::hook_files;
use crate::hook::targets::{Action, Target, Text};

/// Larger files hold no hooks.
const MAX_BYTES: u64 = 1024 * 1024;

/// Whether what is done to a file takes our hooks out of it or switches hooks off.
pub(super) fn is_disarmed(top: &Path, name: &BStr, target: &Target) -> bool {
    let is_tree = target.action != Action::Write;
    if is_tree && hook_files::inside(name).any(|file| holds_hooks(&top.join(file))) {
        return true;
    }
    if !hook_files::is_one(name) && !name.starts_with(b".git/hooks/") {
        return false;
    }
    let old = content(&top.join(name.to_path_lossy()));
    let new = match (target.text.as_deref(), &old) {
        (Some(Text::Whole(text)), _) => Some(text.clone()),
        (Some(Text::Replaced(from, to)), Some(old)) if !from.is_empty() => Some(old.replace(from, to)),
        // Nobody knows what it will hold.
        _ => None,
    };
    match (is_tree, new) {
        (false, Some(new)) => hook_files::is_disarmed(name, old.as_deref(), &new),
        _ => old.is_some_and(|old| hook_files::mentions(&old)),
    }
}

fn holds_hooks(path: &Path) -> bool {
    let files = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    std::iter::once(path.to_owned())
        .chain(files)
        .any(|file| content(&file).is_some_and(|text| hook_files::mentions(&text)))
}

fn content(path: &Path) -> Option<String> {
    let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MAX_BYTES);
    is_small.then(|| fs::read(path).ok()).flatten().map(|content| content.to_str_lossy().into_owned())
}
