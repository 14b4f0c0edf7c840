//! Rules about files that cannot be judged. The gate reports them while it reads.

use super::rule::group;

group!("repo": unreadable, outside_tree, not_utf8, nul_byte, bad_metadata, crashed, conflict_marker);
