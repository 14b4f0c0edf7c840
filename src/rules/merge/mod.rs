//! Rules about what happens to main specs when a change is archived.

use super::rule::group;

group!("merge": lost_scenario, unreadable_spec, refused);
