//! Ticking boxes in the tasks of an open change, which a freeze allows.

use bstr::{BStr, ByteSlice};

use crate::openspec::project::FOLDER;
use crate::openspec::tasks;
use crate::openspec::text::FenceTracker;

/// `…/openspec/changes/<id>/…/tasks.md`, not in the archive.
pub(super) fn is_open_task_file(path: &BStr) -> bool {
    let parts: Vec<&[u8]> = path.split_str("/").collect();
    let is_tasks = parts.last() == Some(&b"tasks.md".as_slice());
    let change = parts
        .windows(3)
        .find(|window| window[0] == FOLDER.as_bytes() && window[1] == b"changes")
        .map(|window| window[2]);
    is_tasks && change.is_some_and(|change| change != b"archive" && change != b"tasks.md")
}

/// Whether every line that differs is a task outside a code fence whose box went from open to ticked.
pub(super) fn is_only_ticked(before: &[u8], after: &[u8]) -> bool {
    let (Ok(before), Ok(after)) = (before.to_str(), after.to_str()) else { return false };
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    if old.len() != new.len() {
        return false;
    }
    let mut fences = FenceTracker::default();
    old.iter().zip(&new).all(|(old, new)| {
        let is_fenced = fences.feed(old);
        old == new || !is_fenced && is_tick(old, new)
    })
}

fn is_tick(old: &str, new: &str) -> bool {
    if tasks::task(old).is_none_or(|task| task.done) || tasks::task(new).is_none_or(|task| !task.done) {
        return false;
    }
    let Some(at) = old.find('[') else { return false };
    let (head, tail) = old.split_at(at);
    let Some(tail) = tail.strip_prefix("[ ]") else { return false };
    ["[x]", "[X]"].iter().any(|ticked| new.strip_prefix(head).and_then(|rest| rest.strip_prefix(ticked)) == Some(tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticking() {
        let ticked = |before: &str, after: &str| is_only_ticked(before.as_bytes(), after.as_bytes());
        assert!(ticked("- [ ] a\n- [ ] b\n", "- [x] a\n- [ ] b\n"));
        assert!(ticked("- [ ] a\r\n", "- [X] a\r\n"));
        assert!(!ticked("- [x] a\n", "- [ ] a\n"));
        assert!(!ticked("- [ ] a\n", "- [x] b\n"));
        assert!(!ticked("- [ ] a\n- [ ] b\n", "- [x] a\n"));
        assert!(!ticked("```\n- [ ] a\n```\n", "```\n- [x] a\n```\n"));
        assert!(!ticked("- [ ] a\n", "- [-] a\n"));
    }

    #[test]
    fn task_files() {
        assert!(is_open_task_file("openspec/changes/c1/tasks.md".into()));
        assert!(is_open_task_file("pkg/openspec/changes/c1/sub/tasks.md".into()));
        assert!(!is_open_task_file("openspec/changes/archive/c1/tasks.md".into()));
        assert!(!is_open_task_file("openspec/changes/tasks.md".into()));
        assert!(!is_open_task_file("openspec/changes/c1/design.md".into()));
    }
}
