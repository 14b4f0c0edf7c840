//! What happened to the tasks of a change: ticked boxes and new tasks are fine, everything else is told.

use std::collections::HashMap;

use crate::openspec::reflow;
use crate::openspec::tasks::task;
use crate::openspec::text::FenceTracker;
use crate::rules::freeze::Reason;

/// Something done to a task: why it is not fine, the 0-based line (of head when the task is there, else of base), words,
/// and what went and came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) reason: Reason,
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) evidence: Vec<String>,
}

/// A line of a task file.
struct Line<'t> {
    at: usize,
    written: &'t str,
    /// Its words without a box.
    text: &'t str,
    /// What stands in its box.
    mark: Option<char>,
    /// Where no reader sees a task: in a code fence or a comment.
    is_hidden: bool,
}

/// Compares two versions of a task file.
pub(super) fn faults(before: &str, after: &str) -> Vec<Fault> {
    if reflow::is_same(before, after) {
        return Vec::new();
    }
    let (old, new) = (lines(before), lines(after));
    // Lines of head by what they say, each to be used once.
    let mut by_text: HashMap<(&str, bool, bool), Vec<usize>> = HashMap::new();
    for (at, line) in new.iter().enumerate().rev() {
        by_text.entry(line.key()).or_default().push(at);
    }
    let mut is_used = vec![false; new.len()];
    let mut missing = Vec::new();
    let mut faults = Vec::new();
    for line in &old {
        let Some(at) = by_text.get_mut(&line.key()).and_then(Vec::pop) else {
            missing.push(line);
            continue;
        };
        is_used[at] = true;
        let found = &new[at];
        if line.is_hidden && line.mark != found.mark {
            faults.push(found.fault(Reason::TaskReworded, "a box in a code fence or comment was changed", line));
        } else if line.mark != found.mark && !matches!(found.mark, None | Some(' ' | 'x' | 'X')) {
            faults.push(found.fault(
                Reason::TaskReworded,
                "a task's box got a mark that is neither done nor open",
                line,
            ));
        }
    }
    // A missing task is reworded when head has a new one of the same number, or a new one at all, in its place.
    for line in missing {
        let is_free = |at: usize| !is_used[at] && new[at].mark.is_some() == line.mark.is_some();
        let same_number = number(line.text)
            .and_then(|id| (0..new.len()).find(|at| is_free(*at) && number(new[*at].text) == Some(id)));
        let hidden = (0..new.len()).find(|at| is_free(*at) && new[*at].text == line.text);
        let near = same_number.or(hidden).or_else(|| (0..new.len()).find(|at| is_free(*at)));
        let is_task = line.mark.is_some();
        match near {
            Some(at) if new[at].text == line.text => {
                is_used[at] = true;
                let message = "a task was put where it is none: into a code fence or a comment";
                faults.push(new[at].fault(Reason::TaskRemoved, message, line));
            }
            Some(at) => {
                is_used[at] = true;
                let message =
                    if is_task { "a task says something else" } else { "what belongs to the tasks was edited" };
                faults.push(new[at].fault(Reason::TaskReworded, message, line));
            }
            None => {
                let (reason, message) = if is_task {
                    let state = if line.mark == Some(' ') { "an open task is gone" } else { "a task is gone" };
                    (Reason::TaskRemoved, format!("{state}: {}", line.text))
                } else {
                    (Reason::TaskReworded, format!("what belongs to the tasks is gone: {}", line.text))
                };
                faults.push(Fault { reason, line: line.at, message, evidence: vec![format!("- {}", line.written)] });
            }
        }
    }
    faults
}

impl<'t> Line<'t> {
    fn key(&self) -> (&'t str, bool, bool) {
        (self.text, self.mark.is_some(), self.is_hidden)
    }

    fn fault(&self, reason: Reason, message: &str, was: &Line<'_>) -> Fault {
        let evidence = vec![format!("- {}", was.written), format!("+ {}", self.written)];
        Fault { reason, line: self.at, message: format!("{message}: {}", was.text), evidence }
    }
}

/// The lines of a task file that say something.
fn lines(content: &str) -> Vec<Line<'_>> {
    let mut fences = FenceTracker::default();
    let mut in_comment = false;
    let mut found = Vec::new();
    for (at, line) in content.split('\n').enumerate() {
        let written = line.strip_suffix('\r').unwrap_or(line);
        let is_fenced = fences.feed(written);
        let begins = !is_fenced && written.contains("<!--");
        let is_hidden = is_fenced || in_comment || written.trim_start().starts_with("<!--");
        if !is_fenced {
            in_comment = (in_comment || begins) && !written.contains("-->");
        }
        let task = task(written);
        let mark = task.map(|_| {
            let inside = written.split_once('[').map_or("", |(_, rest)| rest);
            inside.chars().next().filter(|c| *c != ']').map_or(' ', |c| if c.is_whitespace() { ' ' } else { c })
        });
        let text = task.map_or(written.trim(), |task| task.text);
        if !text.is_empty() {
            found.push(Line { at, written, text, mark, is_hidden });
        }
    }
    found
}

/// `1.2` at the start of a task.
fn number(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next()?.trim_matches(['*', '.', ')', ':']);
    word.starts_with(|c: char| c.is_ascii_digit()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASKS: &str =
        "## 1. Work\n- [ ] 1.1 Write it\n  with care\n- [ ] 1.2 Test it\n\n```\n- [ ] 1.3 An example\n```\n";

    fn found(from: &str, to: &str) -> Vec<Reason> {
        assert!(TASKS.contains(from), "{from}");
        faults(TASKS, &TASKS.replace(from, to)).into_iter().map(|fault| fault.reason).collect()
    }

    #[test]
    fn fine() {
        for (from, to) in [
            ("[ ] 1.1", "[x] 1.1"),
            ("[ ] 1.2", "[X] 1.2"),
            ("- [ ] 1.2 Test it\n", "- [ ] 1.2 Test it\n- [ ] 1.4 More\n"),
            ("## 1. Work\n", "# Tasks\n\n## 1. Work\n\n"),
            ("  with care\n", "  with\n  care\n"),
            ("- [ ] 1.1", "* [x] 1.1"),
        ] {
            assert!(found(from, to).is_empty(), "{to}");
        }
        assert!(faults("- [x] a\n", "- [ ] a\n").is_empty());
        assert!(faults("- [ ] a\r\n", "- [x] a\n").is_empty());
    }

    #[test]
    fn not_fine() {
        use Reason::{TaskRemoved, TaskReworded};
        for (from, to, reason) in [
            ("- [ ] 1.2 Test it\n", "", TaskRemoved),
            ("1.2 Test it", "1.2 Look at it", TaskReworded),
            ("- [ ] 1.1", "- [-] 1.1", TaskReworded),
            ("- [ ] 1.3", "- [x] 1.3", TaskReworded),
            ("  with care\n", "", TaskReworded),
            ("- [ ] 1.2 Test it\n", "<!-- - [ ] 1.2 Test it -->\n", TaskRemoved),
            ("- [ ] 1.2 Test it\n\n```\n", "```\n- [ ] 1.2 Test it\n", TaskRemoved),
            ("- [ ] 1.2 Test it\n", "<!--\n- [ ] 1.2 Test it\n-->\n", TaskRemoved),
            ("- [ ] 1.2", "- [x] 1.2 (skipped)", TaskReworded),
        ] {
            assert_eq!(found(from, to), [reason], "{to}");
        }
        let merged = faults("- [ ] 1.1 A\n- [ ] 1.2 B\n", "- [x] 1.1 A and B\n");
        assert_eq!(merged.iter().map(|fault| fault.reason).collect::<Vec<_>>(), [TaskReworded, TaskRemoved]);
    }
}
