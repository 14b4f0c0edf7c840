//! Rules about main specs, `openspec/specs/<capability>/spec.md`.

use super::rule::group;

group!("spec": missing_purpose, missing_requirements, no_requirements, empty_requirement, no_scenario, delta_header,
    requirement_outside_section, duplicate_requirement, purpose_placeholder, purpose_too_brief, requirement_too_long,
    no_body, no_normative_keyword, near_duplicate, unaddressable, unclosed_fence, blocks_changes,
    placeholder, unfinished, unread_requirement);
