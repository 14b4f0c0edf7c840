//! Rules about criteria: which scenarios have checks, and whether these can prove anything.

use super::rule::{Rule, group};

group!("criteria": bad_file, no_match, ambiguous, duplicate_id, same_scenario, no_check, trivial_check, unchecked, touched);

/// Whether what a rule finds keeps checks from running that somebody wrote. Nobody can declare that to be fine: a
/// misspelt name would be a check that never runs, and no one would see it.
pub fn keeps_checks_from_running(rule: &Rule) -> bool {
    [bad_file::RULE.id, no_match::RULE.id, ambiguous::RULE.id].contains(&rule.id)
}
