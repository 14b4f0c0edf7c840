//! `scenario/misplaced`

use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a `#### Scenario:` that does not stand below a requirement. Below a heading that is none, inside the
    /// lines of a requirement, it becomes part of the requirement before. Outside of every requirement nobody reads it.
    ///
    /// ## Why it matters
    /// Archiving cuts specs at `### Requirement:` only. A scenario below another heading goes where the requirement before
    /// it goes, is replaced with it and removed with it, whatever it was meant for.
    ///
    /// ## Example
    /// ```markdown
    /// ### Requirement: Sign in
    /// The system SHALL let users sign in.
    ///
    /// ### Sign out
    /// The system SHALL let users sign out.
    ///
    /// #### Scenario: Signs out
    /// - **WHEN** the user signs out
    /// - **THEN** the session ends
    /// ```
    ///
    /// `Signs out` is a scenario of `Sign in`.
    ///
    /// ## How to fix
    /// Write `### Requirement: <name>` above it, or move it up to the requirement it belongs to.
    "scenario/misplaced", Warning, Own, "A scenario does not stand below its requirement", Check::Scenarios(check),
    Weight::completeness("S-MISPLACED", 20)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    let mut told = None;
    for displaced in &view.map.displaced {
        let heading = displaced.below.as_ref().map(|(_, line)| *line);
        // One heading, one finding.
        if heading.is_some() && heading == told {
            continue;
        }
        told = heading;
        let name = &displaced.name;
        let message = match (&displaced.owner, &displaced.below) {
            (Some(owner), Some((heading, line))) => format!(
                "scenario `{name}` becomes part of `{owner}`: `{heading}` on line {} is no requirement header",
                line + 1
            ),
            _ => format!("scenario `{name}` stands outside of every requirement, where nobody reads it"),
        };
        let finding =
            sink.report(displaced.line, view.anchor, message, "put `### Requirement: <name>` above it, or move it");
        if let Some(owner) = &displaced.owner {
            finding.about(owner);
        }
    }
}
