//! Rules about criteria: which scenarios have checks, and whether these can prove anything.

use super::rule::group;

group!("criteria": bad_file, no_match, ambiguous, duplicate_id, same_scenario, no_check, trivial_check, unchecked, touched);
