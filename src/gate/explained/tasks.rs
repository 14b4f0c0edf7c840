//! What happened to the tasks of a change: ticked boxes and new tasks are fine, everything else is told.

use std::collections::{HashMap, HashSet};

use crate::openspec::comments::is_open_after;
use crate::openspec::html;
use crate::openspec::reflow::{self, Form};
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

/// A task, a heading or anything else of a task file, with all lines it is wrapped over.
struct Entry<'t> {
    at: usize,
    /// Its first line.
    written: &'t str,
    /// Its words without a box.
    text: String,
    /// What stands in its box.
    mark: Option<char>,
    /// Where no reader sees a task: in code or a comment.
    is_hidden: bool,
    is_heading: bool,
    /// Whether it begins with a bullet or number.
    is_item: bool,
    /// The headings it stands under, as indexes of entries.
    headings: Vec<usize>,
    /// The list item it belongs to.
    parent: Option<usize>,
}

/// What is compared: words, whether there is a box, whether it is hidden, the headings above and the item it belongs to.
type Key<'t> = (&'t str, bool, bool, Vec<&'t str>, Option<&'t str>);

/// Compares two versions of a task file.
pub(super) fn faults(before: &str, after: &str) -> Vec<Fault> {
    if reflow::is_same(before, after) {
        return Vec::new();
    }
    let (old, new) = (entries(before), entries(after));
    // Entries of head by what they say and where, each to be used once.
    let mut by_key: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
    for at in (0..new.len()).rev() {
        by_key.entry(key(&new, at)).or_default().push(at);
    }
    let mut is_used = vec![false; new.len()];
    let mut missing = Vec::new();
    let mut faults = Vec::new();
    for (at, entry) in old.iter().enumerate() {
        let Some(there) = by_key.get_mut(&key(&old, at)).and_then(Vec::pop) else {
            missing.push(entry);
            continue;
        };
        is_used[there] = true;
        let found = &new[there];
        if entry.is_hidden && entry.mark != found.mark {
            faults.push(found.fault(Reason::TaskReworded, "a box in a code fence or comment was changed", entry));
        } else if entry.mark != found.mark && !matches!(found.mark, None | Some(' ' | 'x' | 'X')) {
            let message = "a task's box got a mark that is neither done nor open";
            faults.push(found.fault(Reason::TaskReworded, message, entry));
        }
    }
    let moved = Missing { new: &new, is_used: &mut is_used, told: HashSet::new() };
    moved.tell(&missing, &mut faults);
    added(&new, &is_used, &mut faults);
    faults.sort_by_key(|fault| fault.line);
    faults
}

/// Tells what head does not have as it was.
struct Missing<'m, 't> {
    new: &'m [Entry<'t>],
    is_used: &'m mut [bool],
    /// Headings that were told once for all that stands below.
    told: HashSet<usize>,
}

impl Missing<'_, '_> {
    fn tell(mut self, missing: &[&Entry<'_>], faults: &mut Vec<Fault>) {
        let new = self.new;
        // What stands elsewhere first, so that nothing else is taken for it.
        let mut gone = Vec::new();
        for was in missing {
            let is_it = |at: &usize| {
                let entry = &new[*at];
                !self.is_used[*at] && entry.text == was.text && entry.mark.is_some() == was.mark.is_some()
            };
            let same = |at: &usize| is_it(at) && new[*at].is_hidden == was.is_hidden;
            let Some(at) = (0..new.len()).find(same).or_else(|| (0..new.len()).find(is_it)) else {
                gone.push(*was);
                continue;
            };
            self.is_used[at] = true;
            self.moved(was, at, faults);
        }
        for was in gone {
            self.gone(was, faults);
        }
    }

    fn moved(&mut self, was: &Entry<'_>, at: usize, faults: &mut Vec<Fault>) {
        let entry = &self.new[at];
        let is_task = was.mark.is_some();
        if entry.is_hidden != was.is_hidden {
            let message = "a task was put where it is none: into a code fence or a comment";
            return faults.push(entry.fault(Reason::TaskRemoved, message, was));
        }
        // A heading that is new, or not what it was, is told instead of everything below it.
        if let Some(heading) =
            entry.headings.iter().find(|heading| !self.is_used[**heading] || self.told.contains(heading))
        {
            if self.told.insert(*heading) {
                let heading = &self.new[*heading];
                faults.push(Fault {
                    reason: Reason::TaskReworded,
                    line: heading.at,
                    message: format!("tasks of base were put under another heading: {}", heading.text),
                    evidence: vec![format!("+ {}", heading.written)],
                });
            }
            return;
        }
        let message = if is_task { "a task was put elsewhere" } else { "what belongs to the tasks was put elsewhere" };
        faults.push(entry.fault(Reason::TaskReworded, message, was));
    }

    /// Reworded when head has a new one of the same number, or a new one at all, in its place.
    fn gone(&mut self, was: &Entry<'_>, faults: &mut Vec<Fault>) {
        let new = self.new;
        let is_task = was.mark.is_some();
        let is_free = |at: &usize| {
            let entry = &new[*at];
            !self.is_used[*at] && entry.mark.is_some() == is_task && entry.is_heading == was.is_heading
        };
        let same_number = number(&was.text)
            .and_then(|id| (0..new.len()).find(|at| is_free(at) && number(&new[*at].text) == Some(id)));
        if let Some(at) = same_number.or_else(|| (0..new.len()).find(is_free)) {
            self.is_used[at] = true;
            if was.is_heading && !self.told.insert(at) {
                return;
            }
            let message = if is_task { "a task says something else" } else { "what belongs to the tasks was edited" };
            return faults.push(new[at].fault(Reason::TaskReworded, message, was));
        }
        let (reason, message) = if is_task {
            let state = if was.mark == Some(' ') { "an open task is gone" } else { "a task is gone" };
            (Reason::TaskRemoved, format!("{state}: {}", was.text))
        } else {
            (Reason::TaskReworded, format!("what belongs to the tasks is gone: {}", was.text))
        };
        faults.push(Fault { reason, line: was.at, message, evidence: vec![format!("- {}", was.written)] });
    }
}

/// Tells what is new and no task: what hides or turns around what base has.
fn added(new: &[Entry<'_>], is_used: &[bool], faults: &mut Vec<Fault>) {
    let last = is_used.iter().rposition(|used| *used);
    for (at, entry) in new.iter().enumerate().filter(|(at, _)| !is_used[*at]) {
        let is_of_base = |other: Option<usize>| other.is_some_and(|other| is_used[other]);
        let message = if !entry.is_hidden && html::hides(&entry.text) || entry.written.trim_start().starts_with("<!--")
        {
            "a comment or HTML was put among the tasks"
        } else if entry.mark.is_some() || entry.is_heading || entry.is_item {
            // A heading above what base has was told with that.
            continue;
        } else if is_of_base(entry.parent) {
            "words were added to a task"
        } else if entry.parent.is_none()
            && last.is_some_and(|last| last > at)
            && entry.headings.last().is_none_or(|heading| is_used[*heading])
        {
            "words were put between the tasks"
        } else {
            continue;
        };
        faults.push(Fault {
            reason: Reason::TaskReworded,
            line: entry.at,
            message: format!("{message}: {}", entry.text),
            evidence: vec![format!("+ {}", entry.written)],
        });
    }
}

fn key<'e>(entries: &'e [Entry<'_>], at: usize) -> Key<'e> {
    let entry = &entries[at];
    let text = |at: &usize| entries[*at].text.as_str();
    let headings = entry.headings.iter().filter(|heading| !is_title(&entries[**heading])).map(text).collect();
    (&entry.text, entry.mark.is_some(), entry.is_hidden, headings, entry.parent.as_ref().map(text))
}

/// The title of the template, which says nothing.
fn is_title(entry: &Entry<'_>) -> bool {
    entry.text == "# Tasks"
}

impl Entry<'_> {
    fn fault(&self, reason: Reason, message: &str, was: &Entry<'_>) -> Fault {
        let evidence = vec![format!("- {}", was.written), format!("+ {}", self.written)];
        Fault { reason, line: self.at, message: format!("{message}: {}", was.text), evidence }
    }
}

/// What a task file says, piece by piece.
fn entries(content: &str) -> Vec<Entry<'_>> {
    let lines: Vec<&str> = content.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let commented = commented(&lines);
    let mut found: Vec<Entry<'_>> = Vec::new();
    // Levels of the headings at hand and where they are.
    let mut headings: Vec<(usize, usize)> = Vec::new();
    for piece in reflow::pieces(content) {
        let written = lines.get(piece.line).copied().unwrap_or_default();
        let task = task(written);
        let mark = task.map(|_| {
            let inside = written.split_once('[').map_or("", |(_, rest)| rest);
            inside.chars().next().filter(|c| *c != ']').map_or(' ', |c| if c.is_whitespace() { ' ' } else { c })
        });
        let text = match (task, piece.form) {
            (Some(_), Form::Prose) => piece.words.split_once(']').map_or("", |(_, text)| text.trim()).to_owned(),
            (Some(task), _) => task.text.to_owned(),
            (None, _) => piece.words.trim_start_matches("html ").trim().to_owned(),
        };
        let is_hidden = piece.form == Form::Code || commented.get(piece.line) == Some(&true);
        let is_item = piece.form == Form::Prose && piece.lead.ends_with(['-', '.', ')']);
        let level = text.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = piece.form == Form::Line && !is_hidden && (1..=6).contains(&level);
        if is_heading {
            headings.retain(|(other, _)| *other < level);
        }
        let above = headings.iter().map(|(_, at)| *at).collect();
        if is_heading {
            headings.push((level, found.len()));
        }
        let parent = piece.parent;
        found.push(Entry {
            at: piece.line,
            written,
            text,
            mark,
            is_hidden,
            is_heading,
            is_item,
            headings: above,
            parent,
        });
    }
    found
}

/// Lines that belong to a comment, or begin with one.
fn commented(lines: &[&str]) -> Vec<bool> {
    let mut fences = FenceTracker::default();
    let mut is_open = false;
    lines
        .iter()
        .map(|line| {
            if fences.feed(line) && !is_open {
                return false;
            }
            let is_hidden = is_open || line.trim_start().starts_with("<!--");
            is_open = is_open_after(line, is_open);
            is_hidden
        })
        .collect()
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
            // Ticked and wrapped otherwise.
            ("[ ] 1.1 Write it\n  with care\n", "[x] 1.1 Write it with\n  care\n"),
            // Notes below a task, tasks between, groups and notes at the end.
            (
                "- [ ] 1.2 Test it\n",
                "- [x] 1.2 Test it\n  - on Linux, see `<!--` and Vec<String>\n- [ ] 1.4 New\n\n  At last.\n",
            ),
            ("- [ ] 1.2 Test it\n", "- [ ] 1.0 First\n- [ ] 1.2 Test it\n"),
            (
                "An example\n```\n",
                "An example\n```\n\n## 2. More\n\nWhat was found later.\n\n- [ ] 2.1 New\n\n---\n\nDone.\n",
            ),
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
            // Hidden or turned around.
            ("- [ ] 1.2 Test it\n", "<!-- a --> <!--\n- [ ] 1.2 Test it\n", TaskRemoved),
            ("- [ ] 1.2 Test it\n", "- [x] 1.2 Test it\n  or leave it\n", TaskReworded),
            ("- [ ] 1.2 Test it\n", "- [x] 1.2 Test it\nor leave it\n", TaskReworded),
            ("- [ ] 1.2 Test it\n", "- [x] 1.2 Test it\n\n  or leave it\n", TaskReworded),
            ("- [ ] 1.2 Test it\n", "## Not to be done\n- [ ] 1.2 Test it\n", TaskReworded),
            ("- [ ] 1.2 Test it\n", "\nNot to be done:\n\n- [ ] 1.2 Test it\n", TaskReworded),
            ("- [ ] 1.2 Test it\n", "<details>\n\n- [ ] 1.2 Test it\n", TaskReworded),
            ("- [ ] 1.2 Test it\n", "\nNow:\n\n        - [ ] 1.2 Test it\n", TaskRemoved),
            ("## 1. Work\n", "# Not to be done\n## 1. Work\n", TaskReworded),
            ("## 1. Work\n", "## 1. No work\n", TaskReworded),
            ("## 1. Work\n", "<!-- specward: allow task/archived-open -- fine -->\n## 1. Work\n", TaskReworded),
            ("- [ ] 1.2 Test it\n", "- [ ] 1.2 Test it\n- [ ] 1.4 <!-- New\n", TaskReworded),
        ] {
            assert!(found(from, to).contains(&reason), "{to}");
        }
        let moved = faults("- [ ] a\n  - so\n- [ ] b\n", "- [ ] a\n- [ ] b\n  - so\n");
        assert_eq!(moved.len(), 1);
        let group = faults("## A\n- [ ] a\n- [ ] b\n", "## A\n- [ ] a\n## Dropped\n- [ ] b\n");
        assert_eq!(group.len(), 1);
        let merged = faults("- [ ] 1.1 A\n- [ ] 1.2 B\n", "- [x] 1.1 A and B\n");
        assert_eq!(merged.iter().map(|fault| fault.reason).collect::<Vec<_>>(), [TaskReworded, TaskRemoved]);
    }
}
