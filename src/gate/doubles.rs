//! Drops a finding that only says again, and with less, what another one says about the same lines.

use crate::report::{Finding, Level};
use crate::rules::merge::{lost_note, lost_sentence, lost_step, lost_table, stale_base};

/// From this many letters on, a piece of a longer line is that line.
const MIN_PART: usize = 12;

/// Drops what a MODIFIED block leaves out where `merge/stale-base` says that the same lines came in after the block was
/// written: that is an error and knows the reason. Called when levels are final, so that nothing is dropped for a
/// finding that was turned off.
pub(super) fn drop_doubles(findings: &mut Vec<Finding>) {
    let lost = [lost_sentence::RULE.id, lost_step::RULE.id, lost_table::RULE.id, lost_note::RULE.id];
    let told: Vec<(String, Option<String>, Vec<String>)> = findings
        .iter()
        .filter(|finding| finding.rule == stale_base::RULE.id && finding.level == Level::Error)
        .map(|finding| {
            let lines = finding.evidence.iter().map(|line| letters(line)).collect();
            (finding.path.clone(), finding.requirement.clone(), lines)
        })
        .collect();
    if told.is_empty() {
        return;
    }
    findings.retain(|finding| {
        let says_the_same = |(path, requirement, lines): &(String, Option<String>, Vec<String>)| {
            *path == finding.path
                && *requirement == finding.requirement
                && finding.evidence.iter().all(|piece| is_told(&letters(piece), lines))
        };
        !lost.contains(&finding.rule)
            || finding.evidence.is_empty()
            || finding.level == Level::Error
            || !told.iter().any(says_the_same)
    });
}

fn is_told(piece: &str, lines: &[String]) -> bool {
    let is_part = piece.chars().count() >= MIN_PART && lines.concat().contains(piece);
    is_part || lines.iter().any(|line| line == piece)
}

/// A line without layout, list markers, emphasis and punctuation.
fn letters(line: &str) -> String {
    line.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_does_not_count() {
        let lines = [letters("It MUST NOT leak paint."), letters("- **AND** c")];
        assert!(is_told(&letters("- It MUST NOT\tleak `paint`"), &lines));
        assert!(is_told(&letters("- * AND c"), &lines));
        assert!(!is_told(&letters("- It MUST NOT leak oil."), &lines));
        assert!(!is_told(&letters("- c"), &lines));
    }
}
