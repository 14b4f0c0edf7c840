//! Rules about edits of what was to be implemented.

use super::rule::group;

mod reason;

pub use reason::{Archived, Freeze, Reason, Unexplained};

group!(
    "freeze": spec_changed,
    direct_edit,
    capability_removed,
    delta_weakened,
    delta_edited,
    archive_mutated,
    archive_unmerged,
    change_deleted,
    history_edited,
    task_removed,
    task_reworded,
    link_swap,
    proposal_edited,
    metadata_edited,
    gate_edited,
);
