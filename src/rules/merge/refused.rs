//! `merge/refused`

use super::unreadable_spec::is_link;
use crate::openspec::delta::Operation;
use crate::openspec::merge::{self, Names, Reason};
use crate::repo::snapshot::ReadError;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Applies each delta to its main spec in memory and notes the first operation that archiving the change would
    /// refuse. Deltas that have an error of their own are not tried, and the merged spec as a whole is not judged.
    ///
    /// ## Why it matters
    /// A change that cannot be archived is found out when the work is done, unless somebody tries before.
    ///
    /// ## How to fix
    /// Depends on the reason, which the finding names: usually a header that differs from the main spec's in case,
    /// spacing or wording.
    "merge/refused", Info, Reference, "Archiving would refuse this delta", Check::DryRun(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let file = match view.project.target(&view.file.capability) {
        Ok(file) => file,
        Err(error) => {
            if is_link(&error) || error == ReadError::NotADirectory && view.delta.modified.is_empty() {
                let message = format!("the main spec of `{}` cannot be checked: {error}", view.file.capability);
                sink.report(0, "specs", message, "put a readable file in its place");
            }
            return;
        }
    };
    let target = match file.as_ref().map(|file| view.project.parsed(file)) {
        None => None,
        Some(Ok(spec)) => Some(spec),
        Some(Err(_)) => return,
    };
    let names = Names { capability: &view.file.capability, change: &view.change.id };
    if let Err(refusals) = merge::apply(view.delta, target, names)
        && let Some(refusal) = refusals.first()
    {
        let (message, fix) = explain(&refusal.reason);
        let message = format!("archiving would refuse this: {message}");
        sink.report(refusal.line, view.file.entry(), message, fix);
    }
}

fn explain(reason: &Reason) -> (String, String) {
    match reason {
        Reason::UnpairedRename(name) => (format!("`{name}` is half a rename"), "write FROM and TO next to each other".into()),
        Reason::Duplicate(operation, name) => (format!("`{name}` stands twice in {}", operation.word()), "join the two".into()),
        Reason::Conflict(one, two, name) => {
            (format!("`{name}` is claimed by {} and {}", one.word(), two.word()), "keep the section that is meant".into())
        }
        Reason::Empty => ("there is nothing to apply".into(), "write at least one requirement".into()),
        Reason::NoTarget(operation) => (
            format!("{} needs a main spec, and there is none", operation.word()),
            "name an existing capability's folder, or use ADDED for a new one".into(),
        ),
        Reason::BrokenTarget(issue) => (
            format!("the main spec has a fault on line {}: `{}`", issue.line + 1, issue.header),
            "mend the main spec first".into(),
        ),
        Reason::NotFound(operation, name, near) => {
            let message = format!("{} `{name}` is not in the main spec", operation.word());
            match near {
                Some(near) => (format!("{message}, but `{near}` is"), format!("write the header exactly: `### Requirement: {near}`")),
                None => (message, "use the requirement's header as it stands in the main spec".into()),
            }
        }
        Reason::Taken(operation, name, taken) => (
            format!("{} `{name}`: the main spec has `{taken}` already", operation.word()),
            match operation {
                Operation::Added => "use MODIFIED with that header, or another name".into(),
                _ => "choose another name, or drop the rename when it was done before".into(),
            },
        ),
        Reason::DropsScenarios(name, missing) => (
            format!("MODIFIED `{name}` leaves out {}", missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
            "copy them into the block".into(),
        ),
        Reason::NamelessHeader(name) => (format!("the header of `{name}` has no name"), "name the requirement".into()),
    }
}
