//! `merge/not-found`

use crate::openspec::merge::Reason;
use crate::openspec::near::NameIndex;
use crate::rules::rule::rule;
use crate::rules::{Check, MergeView, Sink};

rule! {
    /// ## What it does
    /// Reports a MODIFIED, RENAMED or REMOVED requirement whose name is not in the main spec, so that archiving refuses
    /// the change. The nearest name that is there is given, and what differs: case, spacing, quotation marks, dashes,
    /// Unicode normalisation, a note in brackets, a number before the name.
    ///
    /// When another open change brings the requirement, `merge/overlap` says in which order the two are archived.
    ///
    /// Removing a name that nothing resembles is no error: archiving takes it for removed already.
    ///
    /// ## Why it matters
    /// The reference's `validate --strict` passes such a change, and it is found out when the work is done.
    ///
    /// ## Example
    /// ```markdown
    /// ## MODIFIED Requirements
    ///
    /// ### Requirement: sign in
    /// ```
    /// where the main spec says `### Requirement: Sign in`.
    ///
    /// ## How to fix
    /// Copy the header from the main spec. To give the requirement another name, use RENAMED.
    "merge/not-found", Error, Own, "A delta names a requirement the main spec does not have", Check::Merge(check)
}

fn check(view: &MergeView<'_>, sink: &mut Sink<'_>) {
    let mut names: Option<NameIndex<'_>> = None;
    for refusal in view.refusals().iter().filter(|refusal| !view.waits(refusal)) {
        let Reason::NotFound(operation, name, same_fold) = &refusal.reason else { continue };
        let message = format!("{} `{name}` is not in {}", operation.word(), view.target_name());
        let near = match same_fold {
            Some(_) => None,
            None => names.get_or_insert_with(|| view.names()).near(name),
        };
        let exact = same_fold.as_deref().map(|name| (name, Some("case or spacing")));
        let is_meant = near.is_some_and(|near| near.is_slip);
        let nearest = exact.or_else(|| near.map(|near| (near.name, near.difference)));
        let (message, fix) = match nearest {
            Some((near, Some(difference))) => (
                format!("{message}; `{near}` is, and differs only in {difference}"),
                format!("write the header exactly: `### Requirement: {near}`"),
            ),
            Some((near, None)) if is_meant => (
                format!("{message}; `{near}` is"),
                format!("write the header as it stands there: `### Requirement: {near}`"),
            ),
            Some((near, None)) => (
                format!("{message}; the nearest there is `{near}`"),
                "use a header of the main spec, or ADDED for a new requirement".to_owned(),
            ),
            None => (message, "use a header of the main spec, or ADDED for a new requirement".to_owned()),
        };
        sink.report(refusal.line, view.file.entry(), message, fix).about(name);
    }
}
