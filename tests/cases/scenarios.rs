//! Scenarios of specward's own specs that a case of a document shows, one test each, named after the scenario.
//!
//! The case is what happens; the words here are what has to come of it. They hold whatever is written into the
//! documents: rewriting outputs makes no scenario untrue unseen.

use std::path::Path;

use super::{FOLDER, read, run};

/// What the commands of a case print, one after the other.
struct Printed(String);

/// Runs one case of one document.
#[track_caller]
fn printed(id: &str, case: &str) -> Printed {
    let document = read(&Path::new(FOLDER).join(id).with_extension("md"));
    let found: Vec<_> = document.cases.iter().filter(|found| found.name == case).collect();
    assert_eq!(found.len(), 1, "tests/cases/{id}.md has one case `{case}`");
    let consoles = run::case(&document.shared, found[0]).unwrap_or_else(|error| panic!("{id}, `{case}`: {error}"));
    Printed(consoles.into_iter().map(|(_, actual)| actual).collect())
}

impl Printed {
    /// Demands that something is printed.
    #[track_caller]
    fn says(&self, words: &str) -> &Self {
        assert!(self.0.contains(words), "`{words}` is missing in\n{}", self.0);
        self
    }

    /// Demands that something is not printed.
    #[track_caller]
    fn never_says(&self, words: &str) -> &Self {
        assert!(!self.0.contains(words), "`{words}` is in\n{}", self.0);
        self
    }

    /// Demands that no rule reports anything, and that it passes.
    #[track_caller]
    fn is_silent(&self) {
        self.says("\nPASS: ").never_says("error[").never_says("warning[").never_says("info[").never_says("\n? ");
    }
}

/// Scenarios of `openspec/specs/openspec/spec.md`.
mod openspec {
    use super::printed;

    #[test]
    fn heading_in_a_fence() {
        printed("spec/no-scenario", "A scenario in a code fence")
            .says("✗ [ERROR] openspec/specs/auth/spec.md:6: ")
            .says("(spec/no-scenario)");
    }

    #[test]
    fn no_purpose() {
        printed("spec/missing-purpose", "No purpose").says("✗ [ERROR] ").says("(spec/missing-purpose)");
    }

    #[test]
    fn wrapped_change() {
        printed("delta/nested-change", "A change in a folder")
            .says("✗ [ERROR] openspec/changes/users:1: ")
            .says("(delta/nested-change)")
            .never_says("delta/no-deltas");
    }

    #[test]
    fn requirement_outside_the_sections() {
        printed("delta/orphan-requirement", "Above the first section")
            .says("spec.md:1: `Sign out` stands above the first section")
            .says("(delta/orphan-requirement)");
        printed("delta/orphan-requirement", "Below another heading").says("(delta/orphan-requirement)");
    }
}

/// Scenarios of `openspec/specs/rules/spec.md`: what the reference reports too.
mod reference {
    use super::printed;

    #[test]
    fn requirement_without_scenario() {
        printed("spec/no-scenario", "No scenario")
            .says("✗ [ERROR] openspec/specs/auth/spec.md:6: `Sign in` has no scenario")
            .says("(spec/no-scenario)");
    }

    #[test]
    fn requirement_without_keyword() {
        printed("spec/no-normative-keyword", "Should")
            .says("⚠ [WARNING] openspec/specs/auth/spec.md:6: ")
            .says("(spec/no-normative-keyword)");
    }

    #[test]
    fn change_without_delta() {
        printed("delta/no-deltas", "Only a proposal").says("✗ [ERROR] ").says("(delta/no-deltas)");
        printed("delta/no-deltas", "A declaration").never_says("delta/no-deltas");
    }

    #[test]
    fn numbered_task() {
        printed("task/duplicate-id", "1.1 twice")
            .says("⚠ [WARNING] openspec/changes/add-login/tasks.md:4: task 1.1 stands on line 3 already")
            .says("(task/duplicate-id)");
    }
}

/// Scenarios of `openspec/specs/rules/spec.md`: the structure of scenarios.
mod structure {
    use super::printed;

    #[test]
    fn prose_only() {
        printed("scenario/no-steps", "Prose only")
            .says("warning[scenario/no-steps]: ")
            .says("\n9 | #### Scenario: Right password\n");
    }

    #[test]
    fn keywords_of_another_language() {
        // What is missing beside one of them is told, so each counts, and as what it is.
        printed("scenario/no-then", "In Chinese").says("warning[scenario/no-then]: ").never_says("scenario/no-when");
        printed("scenario/no-when", "In Chinese").says("warning[scenario/no-when]: ").never_says("scenario/no-then");
        printed("scenario/no-steps", "Other languages").is_silent();
    }

    #[test]
    fn language_that_is_not_known() {
        printed("scenario/no-steps", "A language that is not known").is_silent();
    }

    #[test]
    fn steps_in_a_fence_that_is_never_closed() {
        printed("spec/unclosed-fence", "It hides the next requirement")
            .says("error[spec/unclosed-fence]: ")
            .never_says("[scenario/");
    }

    #[test]
    fn notes_for_a_scenario() {
        printed("scenario/no-real-scenario", "Notes, in a delta")
            .says("warning[scenario/no-real-scenario]: ")
            .says("\n9 | #### Notes\n");
    }
}

/// Scenarios of `openspec/specs/rules/spec.md`: merging a delta.
mod merging {
    use super::printed;

    #[test]
    fn lost_scenario() {
        printed("merge/lost-scenario", "One of two")
            .says("✗ [ERROR] ")
            .says("missing: `Wrong password`")
            .says("(merge/lost-scenario)");
    }

    #[test]
    fn name_in_another_spelling() {
        printed("merge/not-found", "Another quotation mark")
            .says("SPECWARD VERDICT: FAIL\n")
            .says("Failed check: merge/not-found at openspec/changes/c1/specs/auth/spec.md:3\n")
            .says("`The user’s password` is, and differs only in quotation marks\n");
    }

    #[test]
    fn name_that_another_open_change_brings() {
        printed("merge/overlap", "Modified before it is there")
            .says("MODIFIED `Audit`: the open change `c1` has ADDED `Audit`")
            .never_says("merge/not-found");
    }

    #[test]
    fn result_that_is_not_valid() {
        let case = "A requirement of the main spec that the delta does not touch has no text";
        printed("merge/invalid-result", case)
            .says("SPECWARD VERDICT: FAIL\n")
            .says("Failed check: merge/invalid-result at openspec/changes/c1/specs/auth/spec.md:3\n")
            .says("`Sign out` has no text below its header (openspec/specs/auth/spec.md:15; spec/no-body)\n");
    }

    #[test]
    fn last_requirement() {
        printed("merge/last-requirement", "Not declared")
            .says("SPECWARD VERDICT: FAIL\n")
            .says("Failed check: merge/last-requirement at ");
        printed("merge/last-requirement", "Declared").never_says("merge/last-requirement");
    }
}

/// Scenarios of `openspec/specs/rules/spec.md`: every line of a delta.
mod lines {
    use super::printed;

    #[test]
    fn section_nothing_is_read_from() {
        printed("delta/ignored-section", "An arrow in place of FROM and TO")
            .says("error[delta/ignored-section]: nothing is read from RENAMED");
    }

    #[test]
    fn requirement_outside_of_the_sections() {
        printed("delta/ignored-requirement", "Below another section")
            .says("error[delta/ignored-requirement]: `### Requirement: Expire` stands below `## Notes`");
    }

    #[test]
    fn copy_outside_of_the_sections() {
        printed("delta/context-copy", "Below Context, word for word")
            .says("info[delta/context-copy]: ")
            .says("are copies below `## Context`")
            .never_says("error[");
    }

    #[test]
    fn requirement_in_a_comment() {
        printed("delta/commented-out", "A requirement and a scenario")
            .says("error[delta/commented-out]: `### Requirement: Expire` is commented out");
    }

    #[test]
    fn conflict_marker() {
        printed("repo/conflict-marker", "In a delta")
            .says("error[repo/conflict-marker]: ")
            .says(" --> openspec/changes/add-login/specs/auth/spec.md:7:1\n")
            .says("\n7 | <<<<<<< HEAD\n");
    }
}

/// Scenarios of `openspec/specs/rules/spec.md`: changes, and open changes that overlap.
mod changes {
    use super::printed;

    #[test]
    fn no_proposal() {
        printed("change/no-proposal", "None").says("warning[change/no-proposal]: ");
    }

    #[test]
    fn schema_nobody_knows() {
        printed("change/unknown-schema", "Misspelt").says("warning[change/unknown-schema]: ").says("`specs-driven`");
    }

    #[test]
    fn text_gets_lost() {
        printed("merge/overlap", "A step is overwritten")
            .says("SPECWARD VERDICT: FAIL\n")
            .says("Failed check: merge/overlap at openspec/changes/c1/specs/widgets/spec.md:3\n")
            .says("(openspec/changes/c2/specs/widgets/spec.md:3); whichever is archived second drops")
            .says("\n  | only in `c1`:\n  | - **AND** it does so within 1 second\n");
        printed("merge/overlap", "Each adds a scenario")
            .says("SPECWARD VERDICT: FAIL\n")
            .says("whichever is archived second is refused")
            .says("\n  | only in `c2`:\n  | #### Scenario: Two\n  | - **WHEN** two\n  | - **THEN** two\n");
    }

    #[test]
    fn one_order_works() {
        for case in ["Renamed and modified", "Removed and modified"] {
            printed("merge/overlap", case)
                .says("SPECWARD VERDICT: FAIL\n")
                .says("Failed check: merge/overlap at openspec/changes/c2/specs/widgets/spec.md:3\n")
                .says("\nFix: archive `c2` first, then `c1`");
        }
    }

    #[test]
    fn one_builds_on_the_other() {
        // A warning: it fails with --strict only.
        printed("merge/overlap", "Modified before it is there")
            .says("$ specward verify --format agent\nSPECWARD VERDICT: PASS\n")
            .says("$ specward verify --format agent --strict\nSPECWARD VERDICT: FAIL\n")
            .says("Failed check: merge/overlap at openspec/changes/c2/specs/widgets/spec.md:3\n")
            .says("\nFix: archive `c1` first, then `c2`\n");
    }

    #[test]
    fn only_the_base_branch_has_the_other() {
        printed("merge/overlap", "A change that only the base branch has")
            .says("Failed check: merge/overlap at openspec/changes/c1/specs/widgets/spec.md:3\n")
            .says("ADDED `Audit` by the open change `c2` of the base branch too");
    }
}

/// Scenarios of `openspec/specs/rules/spec.md`: text that gets lost.
mod losses {
    use super::printed;

    #[test]
    fn dropped_step() {
        printed("merge/lost-step", "One of three")
            .says("warning[merge/lost-step]: ")
            .says("= note: - **AND** the request is written to the audit log\n");
    }

    #[test]
    fn dropped_demand() {
        printed("merge/lost-sentence", "A prohibition is gone")
            .says("warning[merge/lost-sentence]: ")
            .says("= note: - It MUST NOT report internal ids.\n");
    }

    #[test]
    fn weaker_demand() {
        printed("merge/weakened", "SHALL became MAY").says("warning[merge/weakened]: ").says("SHALL became MAY\n");
    }

    #[test]
    fn renamed_scenario() {
        printed("merge/lost-scenario", "The same steps under another name")
            .says("`Wrong password` (renamed to `Somebody else`)")
            .says("(merge/lost-scenario)");
    }

    #[test]
    fn archive_that_loses_a_scenario() {
        printed("merge/lost-in-archive", "A scenario is gone")
            .says("error[merge/lost-in-archive]: ")
            .says("= note: - #### Scenario: State is not known\n");
    }

    #[test]
    fn edit_by_hand() {
        printed("merge/lost-in-diff", "A scenario, a step and a demand, by hand")
            .says("warning[merge/lost-in-diff]: 1 scenario is gone from `Widget state`")
            .never_says("error[");
    }

    #[test]
    fn removed_by_a_delta() {
        printed("merge/lost-in-archive", "The delta removes the requirement").is_silent();
    }
}

/// Scenarios of `openspec/specs/rules/spec.md`: frozen and unreadable files, allowed findings.
mod files {
    use super::printed;

    #[test]
    fn edited_spec() {
        printed("freeze/spec-changed", "A weakened requirement")
            .says("SPECWARD VERDICT: FAIL\n")
            .says("Failed check: freeze/spec-changed at openspec/specs/auth/spec.md:6\n")
            .says("\n  | - The system SHALL let users sign in within 1 second.\n")
            .says("\n  | + The system SHALL let users sign in.\n");
    }

    #[test]
    fn nearest_explanation() {
        printed("freeze/direct-edit", "More than the archived change says")
            .says("Failed check: freeze/direct-edit at openspec/specs/auth/spec.md:16\n")
            .says("the archive of `add-logout`, would write `The system SHALL end the session.` here\n");
    }

    #[test]
    fn nul_byte() {
        printed("repo/nul-byte", "A NUL byte").says("error[repo/nul-byte]: ");
    }

    #[test]
    fn no_reason() {
        printed("suppress/malformed", "A comment without a reason").says("error[suppress/malformed]: ");
    }

    #[test]
    fn nothing_there() {
        printed("suppress/unused", "A comment that allows nothing").says("warning[suppress/unused]: ");
    }
}
