//! `criteria/no-check`

use crate::rules::rule::rule;
use crate::rules::{Check, CriteriaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a criterion without any check under `verify`. (Elsewhere this rule is known as L06.)
    ///
    /// ## Why it matters
    /// It is listed as if it could be proved, and nothing proves it: its verdict is UNVERIFIABLE.
    ///
    /// ## Example
    /// ```yaml
    /// version: 1
    /// criteria:
    ///   - requirement: Sign in
    ///     scenario: Right password
    ///     verify: []
    /// ```
    ///
    /// ## How to fix
    /// Add a check, or remove the entry: a scenario that is not listed is no criterion.
    "criteria/no-check", Warning, Own, "A criterion has no check", Check::Criteria(check),
    Weight::testability("L06", 0)
}

fn check(view: &CriteriaView<'_>, sink: &mut Sink<'_>) {
    for criterion in view.file.criteria().iter().filter(|criterion| criterion.checks.is_empty()) {
        let message = format!("`{}` has no check, so nothing proves it", criterion.id);
        let fix = "add one under `verify`, or remove the entry";
        sink.report(criterion.line, "criteria", message, fix).about(&criterion.requirement);
    }
}
