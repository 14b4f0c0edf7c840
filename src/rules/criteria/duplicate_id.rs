//! `criteria/duplicate-id`

use crate::report::display_path;
use crate::rules::rule::rule;
use crate::rules::{Check, CriteriaView, Sink};

rule! {
    /// ## What it does
    /// Reports a criterion whose id another one of the project has too, in the same file or in another one that is judged.
    /// An id that is not given is made of the capability and both names.
    ///
    /// ## Why it matters
    /// Results are kept and looked up by id. Two criteria of one id would hide each other's failures.
    ///
    /// ## Example
    /// ```yaml
    /// version: 1
    /// criteria:
    ///   - { id: sign-in, requirement: Sign in, scenario: Right password }
    ///   - { id: sign-in, requirement: Sign in, scenario: Wrong password }
    /// ```
    ///
    /// ## How to fix
    /// Give one of them another `id`, or none.
    "criteria/duplicate-id", Error, Own, "Two criteria have the same id", Check::Criteria(check)
}

fn check(view: &CriteriaView<'_>, sink: &mut Sink<'_>) {
    for criterion in view.file.criteria() {
        let Some(other) = view.ids.other(criterion) else { continue };
        let message =
            format!("the id `{}` is also that of {}:{}", criterion.id, display_path(other.path.as_ref()), other.line + 1);
        sink.report(criterion.line, "criteria", message, "give one of them another `id`");
    }
}
