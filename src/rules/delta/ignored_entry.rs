//! `delta/ignored-entry`

use crate::openspec::delta::Operation;
use crate::openspec::js::trim;
use crate::openspec::leftovers::{Place, Reason};
use crate::openspec::near_forms::{ARROWS, meant, strip_marker};
use crate::openspec::requirement::has_normative_keyword;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a line of a REMOVED or RENAMED section that reads as a removal or rename and is none for the merge: `From:` in
    /// lower case, `A → B`, a name without `### Requirement:`, an indented header, bold text in place of a header, any other
    /// `###` heading, the name of a requirement that the main spec has, a scenario of one that stays; in RENAMED also a
    /// requirement that is written out. And a rename or a listed removal inside a requirement of ADDED or MODIFIED.
    ///
    /// ## Why it matters
    /// The rest of the section is applied and this line is not, without a word.
    ///
    /// ## How to fix
    /// REMOVED takes `### Requirement: <name>` as a header or in a bullet. RENAMED takes ``- FROM: `### Requirement: <old>` ``
    /// and ``- TO: `### Requirement: <new>` ``, the words in capitals.
    "delta/ignored-entry", Error, Own, "A line of REMOVED or RENAMED is not read", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let Reason::UnreadEntry(operation, line) = &leftover.reason else { continue };
        report(view, sink, leftover.lines.start, *operation, line);
    }
    // When nothing at all is read, `delta/empty-sections` says so.
    if !view.delta.has_entries() {
        return;
    }
    for named in view.named().iter().filter(|named| named.is_certain) {
        let line = trim(view.delta.text.line(named.line));
        match named.place {
            Place::Section(operation) => report(view, sink, named.line, operation, line),
            Place::Block => {
                let message = format!("`{line}` stands inside a requirement, so it is merged as a part of it and does nothing else");
                let fix = "move it below a section of its own: `## RENAMED Requirements` or `## REMOVED Requirements`";
                sink.report(named.line, view.file.entry(), message, fix);
            }
            Place::Near(_) => {}
        }
    }
}

fn report(view: &DeltaView<'_>, sink: &mut Sink<'_>, at: usize, operation: Operation, line: &str) {
    let message = format!("{} does not read `{line}`, so archiving passes over it", operation.word());
    let fix = match operation {
        _ if view.delta.text.fenced(at) => "take it out of the fence".to_owned(),
        Operation::Renamed if line.starts_with("###") && ARROWS.iter().all(|arrow| !line.contains(arrow)) => {
            "a pair of FROM and TO renames; what changes in the requirement goes below `## MODIFIED Requirements`".to_owned()
        }
        Operation::Renamed if has_normative_keyword(line) => "move it into the requirement, below `## MODIFIED Requirements`".to_owned(),
        Operation::Added | Operation::Modified => "write the requirement out below `### Requirement: <name>`".to_owned(),
        Operation::Removed if line.contains("Scenario") => {
            "REMOVED takes whole requirements: remove the requirement, and add it anew under another name".to_owned()
        }
        Operation::Renamed => "write `- FROM: ### Requirement: <old>` and `- TO: ### Requirement: <new>`".to_owned(),
        _ if line.contains("~~") => {
            let title = strip_marker(line).unwrap_or(line).trim_start_matches('#');
            format!("write the name without `~~`: `### Requirement: {}`", meant(title).name)
        }
        _ => "write `### Requirement: <name>` at the start of the line".to_owned(),
    };
    sink.report(at, view.file.entry(), message, fix);
}
