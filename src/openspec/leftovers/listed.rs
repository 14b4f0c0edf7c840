//! Sections that list names: REMOVED and RENAMED.

use std::ops::Range;

use super::accountant::Accountant;
use super::{Claim, Reason};
use crate::openspec::delta::{Operation, is_rename_line};
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::near_forms::{near_rename, strip_marker};

impl Accountant<'_> {
    /// REMOVED and RENAMED: entries are applied, the rest explains them unless it reads as an entry.
    pub(super) fn listed_section(&mut self, operation: Operation, body: Range<usize>, entries: &[usize]) {
        for line in body {
            let written = self.text.line(line);
            let shown = || js::trim(written).to_owned();
            let is_entry = entries.binary_search(&line).is_ok();
            if is_entry && self.comments[line] {
                self.leave(line..line + 1, Reason::Commented(shown()));
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
            let heading = heading::heading(written);
            let is_unread = match operation {
                Operation::Renamed => near_rename(written),
                _ => {
                    self.near_header(line).is_some()
                        || removes_scenario(written, entries.first() > Some(&line))
                        || is_struck(written)
                }
            };
            if let Some(near) = self.near_title(line).filter(|near| near.is_certain) {
                self.leave(line..line + 1, Reason::NearSection(near.operation, shown()));
            } else if is_unread {
                self.leave(line..line + 1, Reason::UnreadEntry(operation, shown()));
            } else if let Some((1, _)) = heading {
                self.leave(line..line + 1, Reason::TopHeading(shown()));
            }
        }
    }
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
}
