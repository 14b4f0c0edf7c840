//! `quality/hidden`

use crate::openspec::comments;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports the header of a requirement or a scenario of a main spec inside an HTML comment. In deltas
    /// `delta/commented-out` does.
    ///
    /// ## Why it matters
    /// The readers of OpenSpec do not know comments: for `openspec list`, `openspec validate` and every agent that asks
    /// them the requirement is in force. Who reads the page does not see it.
    ///
    /// ## Example
    /// ```markdown
    /// <!--
    /// ### Requirement: Export
    /// The system SHALL export all rows.
    /// -->
    /// ```
    ///
    /// ## How to fix
    /// Take it out of the comment, or delete it; git keeps it.
    "quality/hidden", Error, Own, "A requirement of a main spec stands in an HTML comment", Check::Spec(check),
    Weight::completeness("R-HIDDEN", 40)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    let spec = view.spec;
    let hidden = comments::mask(&spec.text);
    for requirement in &spec.requirements {
        let name = requirement.name();
        let own = requirement.section.line;
        let scenarios = requirement.scenarios.iter().map(|scenario| scenario.line).filter(|line| *line != own);
        let lines = std::iter::once(own).chain(scenarios);
        // With the header everything below it is hidden.
        let Some(line) = lines.into_iter().find(|line| hidden.get(*line).copied().unwrap_or_default()) else { continue };
        let written = spec.text.line(line).trim();
        let message = format!("`{written}` is commented out, and counts all the same");
        sink.report(line, "requirements", message, "take it out of the comment, or delete it").about(name);
    }
}
