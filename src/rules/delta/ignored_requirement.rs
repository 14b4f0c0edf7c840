//! `delta/ignored-requirement`

use std::collections::HashSet;

use crate::openspec::delta::{Delta, Operation};
use crate::openspec::heading::{heading, requirement_name};
use crate::openspec::js::trim;
use crate::openspec::leftovers::{Copies, Leftover, Reason};
use crate::openspec::near_forms::near_requirement;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports what was meant as a requirement and is none for the merge: `#### Requirement:`, an indented header, bold text in
    /// place of a header, a full-width colon, invisible characters, a number before the colon; and requirements, scenarios or
    /// renames that stand in no delta section. A copy of what a delta section or the main spec has loses nothing and is left to
    /// `delta/context-copy`. In a file without any delta section it reports once.
    ///
    /// ## Why it matters
    /// Inside another requirement such a header is merged as a part of it. Anywhere else it is dropped when the change is
    /// archived, although everybody read it in the review.
    ///
    /// ## Example
    /// ```md
    /// ## New Requirement: Sign in
    /// ```
    ///
    /// ## How to fix
    /// Write `### Requirement: <name>` at the start of its line, below `## ADDED Requirements` or the section that is meant.
    "delta/ignored-requirement", Error, Own, "A requirement is written so that nobody reads it", Check::Delta(check)
}

/// Requirements nobody reads that have one cause.
struct Unread {
    /// 0-based line of the first.
    line: usize,
    /// How many there are.
    count: usize,
    message: String,
    fix: String,
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let delta = view.delta;
    let following = following_sections(delta);
    let mut unread = Vec::new();
    for leftover in &delta.account().leftovers {
        let Reason::NearHeader { name, inside, .. } = &leftover.reason else { continue };
        let (problem, fix) = near_header(delta, &following, leftover);
        let end = match inside {
            Some(other) => format!("it becomes a part of `{other}`"),
            None => "archiving drops it".to_owned(),
        };
        let message = format!("`{name}` is not read as a requirement: {problem}; {end}");
        unread.push(Unread { line: leftover.lines.start, count: 1, message, fix });
    }
    unread.extend(outside(view).iter().filter_map(|outside| lost(view, outside)));
    unread.sort_by_key(|unread| unread.line);
    // What is wrong with the file as a whole is told by `delta/no-sections`.
    if delta.sections.is_empty() {
        let count: usize = unread.iter().map(|unread| unread.count).sum();
        unread.truncate(1);
        if let Some(first) = unread.first_mut() {
            let header = trim(delta.text.line(first.line));
            let (what, them) = number(header, count, "stands", "stand");
            first.message = format!("{what} in no delta section, so archiving drops {them}");
            first.fix = fix_without_sections(header);
        }
    }
    for Unread { line, message, fix, .. } in unread {
        sink.report(line, view.file.entry(), message, fix);
    }
}

/// What keeps a header from being one, and what to do.
fn near_header(delta: &Delta, following: &HashSet<usize>, leftover: &Leftover) -> (String, String) {
    let Reason::NearHeader { name, flaw, operation, inside } = &leftover.reason else { return Default::default() };
    let written = delta.text.line(leftover.lines.start);
    let is_section = inside.is_none() && is_title(written);
    let fix = match operation {
        Some(operation) if is_section => with_section(*operation, name),
        _ if is_section && !following.contains(&leftover.lines.start) => {
            format!("write `### Requirement: {name}` below `## ADDED Requirements` or the section that is meant")
        }
        _ => format!("write `### Requirement: {name}` at the start of the line"),
    };
    (flaw.reason(), fix)
}

fn with_section(operation: Operation, name: &str) -> String {
    format!("write `## {} Requirements`, and below it `### Requirement: {name}`", operation.word())
}

/// Lines of titles that were meant as requirements and that would be in a delta section if they were no titles.
fn following_sections(delta: &Delta) -> HashSet<usize> {
    let near = delta.account().leftovers.iter().filter(|leftover| matches!(leftover.reason, Reason::NearHeader { .. }));
    let near: HashSet<usize> = near.map(|leftover| leftover.lines.start).collect();
    let sections: HashSet<usize> = delta.sections.iter().map(|section| section.line).collect();
    let mut is_in_section = false;
    let mut following = HashSet::new();
    for line in delta.text.hash_lines().filter(|line| is_title(delta.text.line(*line))) {
        if !near.contains(&line) {
            is_in_section = sections.contains(&line);
        } else if is_in_section {
            following.insert(line);
        }
    }
    following
}

fn is_title(line: &str) -> bool {
    heading(line).is_some_and(|(level, _)| level == 2)
}

/// What stands outside of the delta sections, without what is a copy.
fn lost(view: &DeltaView<'_>, Outside { section, entries }: &Outside<'_>) -> Option<Unread> {
    let text = &view.delta.text;
    let lost: Vec<usize> = entries.iter().filter(|(_, is_copy)| !is_copy).map(|(line, _)| *line).collect();
    let line = *lost.first()?;
    let place = match section {
        Some(section) => format!("below `## {section}`, which is no delta section"),
        None => "above the first section".to_owned(),
    };
    let (what, them) = number(trim(text.line(line)), lost.len(), "stands", "stand");
    let message = format!("{what} {place}, so archiving drops {them}");
    let mut fix = format!("move {them} below `## ADDED Requirements` or the section that is meant");
    if lost.iter().any(|line| near_requirement(text.line(*line)).is_some()) {
        fix.push_str(", and write `### Requirement: <name>`");
    }
    Some(Unread { line, count: lost.len(), message, fix })
}

/// Requirements, or else scenarios, outside of the delta sections.
pub(super) struct Outside<'a> {
    /// The section they are in, none above the first.
    pub(super) section: Option<&'a str>,
    /// The line of each, and whether it is a copy.
    pub(super) entries: Vec<(usize, bool)>,
}

/// What stands outside of the delta sections, section by section.
pub(super) fn outside<'a>(view: &DeltaView<'a>) -> Vec<Outside<'a>> {
    let delta: &'a Delta = view.delta;
    let mut lost = delta.account().leftovers.iter().filter_map(|leftover| match &leftover.reason {
        Reason::Lost { section, entries } => Some((leftover, section, entries)),
        _ => None,
    }).peekable();
    if lost.peek().is_none() {
        return Vec::new();
    }
    let spec = view.project.target(&view.file.capability).ok().flatten();
    let copies = Copies::of(delta, spec.as_ref().and_then(|file| view.project.parsed(file).ok()));
    lost.map(|(leftover, section, entries)| {
        let ends = entries.iter().skip(1).copied().chain([leftover.lines.end]);
        let found = entries.iter().zip(ends).map(|(line, end)| (*line, copies.has(*line..end))).collect();
        Outside { section: section.as_deref(), entries: found }
    })
    .collect()
}

/// `x stands`, or `x and 2 more stand`, and the pronoun for it.
pub(super) fn number(first: &str, count: usize, one: &str, many: &str) -> (String, &'static str) {
    match count {
        1 => (format!("`{first}` {one}"), "it"),
        _ => (format!("`{first}` and {} more {many}", count - 1), "them"),
    }
}

fn fix_without_sections(header: &str) -> String {
    if let Some(near) = near_requirement(header) {
        return match near.operation {
            Some(operation) => with_section(operation, &near.name),
            None => format!(
                "write `## ADDED Requirements`, or the section that is meant, and below it `### Requirement: {}`",
                near.name
            ),
        };
    }
    let name = requirement_name(header);
    let what = name.map_or_else(|| "it".to_owned(), |name| format!("`### Requirement: {name}`"));
    format!("write `## ADDED Requirements`, or the section that is meant, above {what}")
}
