//! `delta/near-section`

use crate::openspec::js::trim;
use crate::openspec::leftovers::{Place, Reason};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a title that was meant as one of the four delta sections: two spaces, a singular, a colon, another level, bold
    /// text, another word such as "New", or a title without its hashes.
    ///
    /// ## Why it matters
    /// The four titles are compared letter for letter, upper and lower case aside. What stands below any other is dropped when
    /// the change is archived, or, inside a requirement, merged as a part of it.
    ///
    /// ## How to fix
    /// `## ADDED Requirements`, `## MODIFIED Requirements`, `## REMOVED Requirements`, `## RENAMED Requirements`: level 2, one
    /// space each, nothing before or after.
    "delta/near-section", Error, Own, "The title of a delta section is misspelt", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let Reason::NearSection(operation, title) = &leftover.reason else { continue };
        let message = format!("`{title}` is not read as a delta section");
        let fix = format!("write `## {} Requirements`", operation.word());
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
    for named in view.named() {
        let Place::Near(operation) = named.place else { continue };
        let title = trim(view.delta.text.line(named.line));
        let message = format!("`{title}` is not read as a delta section, and names requirements of the main spec");
        let fix = format!("write `## {} Requirements`, and below it each as `### Requirement: <name>`", operation.word());
        sink.report(named.line, view.file.entry(), message, fix);
    }
}
