//! `criteria/trivial-check`

use crate::criteria::CheckKind;
use crate::criteria::trivial::is_trivial;
use crate::rules::rule::rule;
use crate::rules::{Check, CriteriaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a command that cannot fail, or that says nothing about the program: `true`, `:`, `echo`, `exit 0`, a line
    /// that ends in `|| true`.
    ///
    /// ## Why it matters
    /// Such a check passes whatever the code does. It is the easiest way to make a gate green.
    ///
    /// ## Example
    /// ```yaml
    /// verify:
    ///   - command: cargo test || true
    ///     shell: true
    /// ```
    ///
    /// ## How to fix
    /// Run something that fails when the scenario does not hold, and let its exit code through.
    "criteria/trivial-check", Error, Own, "A check passes whatever happens", Check::Criteria(check),
    Weight::testability("C-TRIVIAL", 0)
}

fn check(view: &CriteriaView<'_>, sink: &mut Sink<'_>) {
    for criterion in view.file.criteria() {
        for (at, check) in criterion.checks.iter().enumerate() {
            let CheckKind::Command(command) = &check.kind else { continue };
            let Some(why) = is_trivial(command) else { continue };
            let message = format!("check {} of `{}` proves nothing: {why}", at + 1, criterion.id);
            let fix = "run something that fails when the scenario does not hold";
            sink.report(check.line, "criteria", message, fix).about(&criterion.requirement);
        }
    }
}
