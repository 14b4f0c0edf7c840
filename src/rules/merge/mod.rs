//! Rules about what happens to main specs when a change is archived.

use super::Rule;
use super::rule::group;

pub mod dry_run;
mod lost;
mod stale_merged;

group!(
    "merge":
    lost_scenario,
    lost_step,
    lost_sentence,
    lost_table,
    lost_note,
    weakened,
    lost_in_archive,
    lost_in_diff,
    unreadable_spec,
    unreadable_target,
    refused,
    no_main_spec,
    not_found,
    name_taken,
    broken_spec,
    invalid_result,
    last_requirement,
    emptied_together,
    near_duplicate,
    overlap,
    stale_base,
    archived_outdated,
    archive_name_taken,
    archive_blocked,
    same_file,
    linked_change,
    aborts,
    removed_missing,
    near_capability,
    similar_capability,
);

/// Whether a rule of ours reports what archiving refuses, and not what it does in silence.
pub fn stops_archiving(rule: &Rule) -> bool {
    [
        unreadable_target::RULE.id,
        no_main_spec::RULE.id,
        not_found::RULE.id,
        name_taken::RULE.id,
        broken_spec::RULE.id,
        invalid_result::RULE.id,
        last_requirement::RULE.id,
        archive_name_taken::RULE.id,
        archive_blocked::RULE.id,
        same_file::RULE.id,
        linked_change::RULE.id,
        aborts::RULE.id,
    ]
    .contains(&rule.id)
}
