//! Rules about edits of what was to be implemented.

use super::rule::group;

group!("freeze": spec_changed);
