//! Rules about task lists.

use super::rule::group;

group!(
    "task": no_checkbox,
    wrong_group,
    duplicate_id,
    archived_incomplete,
    archived_open,
    archived_unmerged,
    unreadable,
    no_file,
    no_box,
    all_done,
    fenced_box,
    odd_mark,
);
