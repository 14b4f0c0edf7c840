//! Rules about scenarios, in main specs and in what deltas add and modify. None of them judges words of a language it
//! does not know.

use super::rule::group;

group!("scenario": no_real_scenario, unread_heading, misplaced, duplicate_name, generic_name, no_steps, no_when, no_then,
    then_before_when, several_whens, and_first, empty_step);
