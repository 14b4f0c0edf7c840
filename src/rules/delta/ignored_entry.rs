//! `delta/ignored-entry`

use std::collections::HashSet;
use std::ops::Range;

use crate::openspec::delta::Operation;
use crate::openspec::heading::fold_name;
use crate::openspec::js::{strip_prefix_ignore_case, trim};
use crate::openspec::leftovers::{Claim, Reason};
use crate::openspec::near_forms::{ARROWS, meant, strip_marker};
use crate::openspec::text::Text;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a line of a REMOVED or RENAMED section that reads as a removal or rename and is none for the merge: `From:` in
    /// lower case, `A → B`, a name without `### Requirement:`, an indented header, bold text in place of a header, or
    /// nothing but the name of a requirement that the main spec has.
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
    named_requirements(view, sink);
}

/// Lines that hold nothing but the name of a requirement that the main spec has and the delta does not claim.
fn named_requirements(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let delta = view.delta;
    if delta.removed.is_empty() && delta.renamed.is_empty() {
        return;
    }
    let Ok(Some(file)) = view.project.target(&view.file.capability) else { return };
    let Ok(spec) = view.project.parsed(&file) else { return };
    let claimed = delta.removed.iter().map(|entry| &entry.name).chain(delta.renamed.iter().map(|rename| &rename.from));
    let claimed: HashSet<String> = claimed.map(|name| fold_name(name)).collect();
    let names = spec.blocks.iter().map(|block| fold_name(&block.name));
    let open: HashSet<String> = names.filter(|name| !claimed.contains(name)).collect();
    let account = delta.account();
    let reported: HashSet<usize> = account.leftovers.iter().map(|leftover| leftover.lines.start).collect();
    for section in &delta.sections {
        if !matches!(section.operation, Operation::Removed | Operation::Renamed) {
            continue;
        }
        for line in section.body.clone() {
            let written = delta.text.line(line);
            if account.claims[line] != Claim::Explains || reported.contains(&line) || delta.text.fenced(line) {
                continue;
            }
            if open.contains(&fold_name(bare_name(section.operation, written)))
                && !is_listed_after_colon(&delta.text, section.body.start..line)
            {
                report(view, sink, line, section.operation, trim(written));
            }
        }
    }
}

/// Whether the list that ends here was announced: `Replaced by:`. Its names are not those that go.
fn is_listed_after_colon(text: &Text, above: Range<usize>) -> bool {
    let mut lines = above.rev().map(|line| trim(text.line(line)));
    let first = lines.find(|line| !line.is_empty() && strip_marker(line).is_none());
    first.is_some_and(|line| line.trim_end_matches(['*', '_']).ends_with([':', '：']))
}

/// The name on a line without its bullet, hashes and marks; of a rename, what stands before the arrow.
fn bare_name(operation: Operation, line: &str) -> &str {
    let text = trim(line);
    let text = strip_marker(text).unwrap_or(text);
    let text = match operation {
        Operation::Renamed => ARROWS.iter().find_map(|arrow| text.split_once(arrow)).map_or("", |(old, _)| old),
        _ => text,
    };
    let text = text.trim_matches(|c: char| matches!(c, '#' | '*' | '`' | '"' | '~' | ' ' | '.' | '“' | '”'));
    strip_prefix_ignore_case(text, "Requirement:").map_or(text, trim)
}

fn report(view: &DeltaView<'_>, sink: &mut Sink<'_>, at: usize, operation: Operation, line: &str) {
    let message = format!("{} does not read `{line}`, so archiving passes over it", operation.word());
    let fix = match operation {
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
