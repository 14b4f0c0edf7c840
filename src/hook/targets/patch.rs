//! Files a patch is for: `apply_patch`'s own form, and diffs.

use std::path::Path;

use super::{Action, Target};

/// What stands before a path in the form of `apply_patch`.
const HEADERS: &[(&str, bool)] =
    &[("*** Add File: ", false), ("*** Update File: ", false), ("*** Delete File: ", true)];
const MOVED: &str = "*** Move to: ";

/// Every file that `apply_patch` would touch, relative to a folder.
pub(crate) fn targets(patch: &str, cwd: &Path) -> Vec<Target> {
    let mut found: Vec<Target> = Vec::new();
    for line in patch.lines() {
        let line = line.trim_end();
        if let Some(to) = line.trim_start().strip_prefix(MOVED) {
            let to = cwd.join(to.trim());
            match found.last_mut() {
                Some(last) if last.action == Action::Write => last.action = Action::Move(to),
                _ => found.push(Target::new(to, Action::Write)),
            }
        }
        for (header, is_deleted) in HEADERS {
            if let Some(path) = line.trim_start().strip_prefix(header) {
                let action = if *is_deleted { Action::Tree } else { Action::Write };
                found.push(Target::new(cwd.join(path.trim()), action));
            }
        }
    }
    found
}

/// Every file that a diff is about, with `strip` folders taken off its names.
pub(crate) fn diff_targets(diff: &str, strip: usize, cwd: &Path) -> Vec<Target> {
    let mut found = Vec::new();
    let mut lines = diff.lines().peekable();
    let mut add = |name: &str, strip: usize, action: Action| {
        let name = name.split('\t').next().unwrap_or(name).trim().trim_matches('"');
        let inner = name.splitn(strip + 1, '/').nth(strip);
        if let Some(inner) = inner.filter(|inner| !inner.is_empty() && name != "/dev/null") {
            found.push(Target::new(cwd.join(inner), action));
        }
    };
    while let Some(line) = lines.next() {
        let is_pair = lines.peek().is_some_and(|next| next.starts_with("+++ "));
        if let Some(name) = line.strip_prefix("--- ").filter(|_| is_pair) {
            add(name, strip, Action::Write);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            add(name, strip, Action::Write);
        } else if let Some(name) = line.strip_prefix("rename from ") {
            add(name, 0, Action::Tree);
        } else if let Some(name) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
            add(name, 0, Action::Write);
        } else if let Some(names) = line.strip_prefix("diff --git ") {
            // A file that is deleted empty or only changes its mode has no other line.
            for name in names.split_ascii_whitespace().take(2) {
                add(name, 1, Action::Write);
            }
        }
    }
    found
}
