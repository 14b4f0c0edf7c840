//! `spec/no-scenario`

use crate::report::Level;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement of a main spec without a scenario. Every heading directly below `Requirements` is a
    /// requirement, and every heading with content directly below that is a scenario.
    ///
    /// ## Why it matters
    /// A requirement nobody can play through can be neither implemented nor checked with confidence.
    ///
    /// ## Example
    /// ```markdown
    /// ### Requirement: Sign in
    /// The system SHALL let users sign in.
    /// ```
    ///
    /// ## How to fix
    /// Add `#### Scenario: <name>` with `- **WHEN** …` and `- **THEN** …` below it. Bold text or a bullet that says
    /// "Scenario" is not a heading.
    "spec/no-scenario", Error, Reference, "A requirement has no scenario", Check::Spec(check),
    Weight::completeness("S-NONE", 40)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if !view.spec.is_readable() {
        return;
    }
    for (index, requirement) in view.spec.requirements.iter().enumerate() {
        if requirement.scenarios_with_content().next().is_some() {
            continue;
        }
        let (line, title) = (requirement.section.line, requirement.name());
        let message = match requirement.scenarios.len() {
            0 => format!("`{title}` has no scenario"),
            _ => format!("`{title}` has no scenario with anything in it"),
        };
        let fix = "add `#### Scenario: <name>` with `- **WHEN** …` and `- **THEN** …` below it";
        sink.report(line, format!("requirements.{index}.scenarios"), &message, fix).about(title);
        // The reference says it twice, by its schema and by its rule.
        sink.report(line, format!("requirements[{index}].scenarios"), &message, fix).about(title).echo(Level::Warning);
    }
}
