//! Sections that list names: REMOVED and RENAMED.

use std::ops::Range;

use super::accountant::Accountant;
use super::lines::{has_words, runs};
use super::{Claim, Reason};
use crate::openspec::delta::{Operation, is_rename_line};
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::near_forms::{demands, is_explaining_title, is_name_label, labelled, near_rename, strip_marker};

impl Accountant<'_> {
    /// REMOVED and RENAMED: entries are applied, the rest explains them unless it reads as an entry.
    pub(super) fn listed_section(&mut self, operation: Operation, body: Range<usize>, entries: &[usize]) {
        let mut why = Explanation::default();
        let mut prose = Vec::new();
        // A requirement written out below RENAMED is one finding, its header's.
        let mut is_written_out = false;
        for line in body.clone() {
            let written = self.text.line(line);
            let shown = || js::trim(written).to_owned();
            let is_entry = entries.binary_search(&line).is_ok();
            if is_entry && self.comments[line] {
                self.leave(line..line + 1, Reason::Commented(shown()));
            }
            if is_entry {
                why = Explanation::default();
                is_written_out = false;
            }
            if self.comments[line] || is_entry {
                self.claim(line, if is_entry { Claim::Applied } else { Claim::Hidden });
                continue;
            }
            self.claim(line, Claim::Explains);
            if self.text.fenced(line) {
                let is_entry = match operation {
                    Operation::Renamed => is_rename_line(written),
                    // A removed requirement may be quoted below its name.
                    _ => {
                        heading::requirement_name(written).is_some()
                            && entries.first().is_some_and(|first| line < *first)
                    }
                };
                if is_entry {
                    self.leave(line..line + 1, Reason::Fenced(shown()));
                }
                continue;
            }
            let explains = why.takes(written);
            let heading = heading::heading(written);
            let is_unread = match operation {
                Operation::Renamed => near_rename(written) || self.is_half_of_names(line, body.clone()),
                _ => {
                    self.near_header(line).is_some()
                        || removes_scenario(written, entries.first() > Some(&line))
                        || is_struck(written)
                }
            };
            let is_header = match heading {
                Some((3, title)) => !is_explaining_title(title),
                Some((4, _)) => operation == Operation::Renamed,
                _ => heading::requirement_name(written).is_some(),
            };
            if let Some(near) = self.near_title(line).filter(|near| near.is_certain) {
                self.leave(line..line + 1, Reason::NearSection(near.operation, shown()));
            } else if is_unread || is_header && !self.is_title_of_rename(operation, line) {
                if !(is_written_out && heading::is_scenario(written)) {
                    self.leave(line..line + 1, Reason::UnreadEntry(operation, shown()));
                }
                is_written_out |= is_header && operation == Operation::Renamed;
            } else if let Some((1, _)) = heading {
                self.leave(line..line + 1, Reason::TopHeading(shown()));
            } else if operation == Operation::Renamed && !is_written_out && !explains && heading.is_none() {
                if demands(written) && heading::heading(written).is_none() && has_capitals(written) {
                    self.leave(line..line + 1, Reason::UnreadEntry(operation, shown()));
                } else if has_words(written) {
                    prose.push(line);
                }
            }
        }
        for range in runs(prose.into_iter(), self.text) {
            self.leave(range, Reason::Prose(operation));
        }
    }

    /// A header over a pair that it names is the title of that pair.
    fn is_title_of_rename(&self, operation: Operation, line: usize) -> bool {
        let Some(name) = heading::requirement_name(self.text.line(line)) else { return false };
        let below = self.delta.renamed.iter().find(|rename| rename.from_line > line);
        operation == Operation::Renamed && below.is_some_and(|rename| rename.from == name || rename.to == name)
    }

    /// `Old: A` with `New: B` on the line below, or the second of them.
    fn is_half_of_names(&self, line: usize, body: Range<usize>) -> bool {
        let label = |line: usize| {
            let (label, _) = labelled(self.shown(line).filter(|line| !is_rename_line(line))?)?;
            is_name_label(label).then_some(label)
        };
        let Some(own) = label(line) else { return false };
        let next = [line.checked_sub(1), Some(line + 1)];
        next.into_iter().flatten().filter(|line| body.contains(line)).filter_map(label).any(|other| other != own)
    }
}

/// Follows the paragraphs that begin with a label, such as `**Reason**:`, and the lists that belong to them.
#[derive(Default)]
struct Explanation {
    is_open: bool,
    after_blank: bool,
}

impl Explanation {
    /// Takes the next line and tells whether it belongs to an explanation.
    fn takes(&mut self, line: &str) -> bool {
        if js::trim(line).is_empty() {
            self.after_blank = true;
            return self.is_open;
        }
        let is_deeper = line.starts_with([' ', '\t']) || strip_marker(line).is_some();
        let is_label = labelled(line).is_some_and(|(label, _)| !is_name_label(label));
        self.is_open = match heading::heading(line) {
            Some((_, title)) => is_explaining_title(title),
            None => is_label || self.is_open && (!self.after_blank || is_deeper),
        };
        self.after_blank = false;
        self.is_open
    }
}

/// SHALL and MUST bind in capitals only; other languages have none for it.
fn has_capitals(line: &str) -> bool {
    !line.is_ascii() || line.contains("SHALL") || line.contains("MUST")
}

/// Whether a line of REMOVED asks for a scenario to go. Below a requirement's name it may be a part of what is quoted.
fn removes_scenario(line: &str, is_above: bool) -> bool {
    let text = strip_marker(js::trim_start(line)).unwrap_or(line);
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let is_scenario = js::strip_prefix_ignore_case(js::trim_start(&text[level..]), "Scenario:").is_some();
    is_scenario && (level == 3 || level == 4 && is_above)
}

/// `### ~~Requirement: x~~`, with or without the hashes' bullet.
fn is_struck(line: &str) -> bool {
    let text = strip_marker(js::trim_start(line)).unwrap_or(line);
    let title = js::trim_start(text.trim_start_matches('#'));
    let inner = title.strip_prefix("~~").map(js::trim_start).filter(|_| title.len() < text.len());
    inner.is_some_and(|inner| js::strip_prefix_ignore_case(inner, "Requirement:").is_some())
}

#[cfg(test)]
mod tests {
    use super::super::tests::account;
    use super::*;

    #[test]
    fn entries_that_are_none() {
        let left = account(
            "## REMOVED Requirements\n### Requirement: A\n#### Requirement: B\n## RENAMED Requirements\n- FROM: `### Requirement: C`\n- TO: `### Requirement: D`\n- from: E\n- to: F\n",
        );
        assert_eq!(left.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 6, 7]);
        assert!(left.iter().all(|(_, reason)| matches!(reason, Reason::UnreadEntry(..))));
    }

    const PAIR: &str = "## RENAMED Requirements\n- FROM: `### Requirement: C`\n- TO: `### Requirement: D`\n";

    #[test]
    fn what_stands_below_a_rename() {
        for (below, count) in [
            ("### Requirement: E\nIt SHALL.\n#### Scenario: S\n- **WHEN** x\n", 1),
            ("### Requirement: E (was: F)\n", 1),
            ("E SHALL stay.\n", 1),
            ("- 旧: E\n- 新: F\n", 2),
            ("- FROM `### Requirement: E`\n- TO `### Requirement: F`\n", 2),
            ("#### Scenario: S\n- **WHEN** x\n", 1),
        ] {
            let left = account(&format!("{PAIR}\n{below}"));
            let unread = left.iter().filter(|(_, reason)| matches!(reason, Reason::UnreadEntry(..)));
            assert_eq!(unread.count(), count, "{below}");
        }
        for below in ["  New: nothing else\n", "Everything else stays.\n"] {
            assert!(matches!(account(&format!("{PAIR}{below}"))[..], [(3, Reason::Prose(Operation::Renamed))]));
        }
        for below in
            ["**Reason**: the name SHALL say it\n  - and so on\n\n### Migration\nRun it.\n", "**原因**：更清楚\n"]
        {
            assert_eq!(account(&format!("{PAIR}{below}")), [], "{below}");
        }
        assert_eq!(
            account(
                "## RENAMED Requirements\n### Requirement: C\n- FROM: `### Requirement: C`\n- TO: `### Requirement: D`\n"
            ),
            []
        );
    }

    #[test]
    fn headings_in_a_list_of_removals() {
        let left =
            account("## REMOVED Requirements\n### Requirement: A\n### Session caching\n### Migration\n### 需求: B\n");
        assert_eq!(left.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4]);
    }
}
