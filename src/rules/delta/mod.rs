//! Rules about deltas, `openspec/changes/<change>/specs/<capability>/spec.md`, and the changes that hold them.

use super::rule::group;

group!("delta": nested_change, root_spec_file, ignored_header, unpaired_rename, orphan_requirement, duplicate_requirement,
    no_body, no_normative_keyword, no_scenario, conflicting_sections, unread_file, misplaced_file, empty_sections, no_sections,
    skip_specs_invalid, skip_specs_conflict, skip_specs_accepted, no_deltas,
    near_section, ignored_requirement, context_copy, stray_heading, ignored_section, ignored_entry, commented_out, unclosed_fence,
    fenced_entry, top_heading, ignored_prose, ignored_purpose, no_purpose, no_reason, placeholder, unfinished, other_section);
