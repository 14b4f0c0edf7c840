//! `change/capabilities-differ`

use std::collections::HashSet;

use super::{form, place};
use crate::openspec::change::DeltaFile;
use crate::openspec::delta::Delta;
use crate::openspec::proposal_form::says_unchanged;
use crate::openspec::similar::is_slip;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Sink};

/// How many names are told.
const NAMED: usize = 6;

/// How many names of each side are looked through for pairs.
const MAX_PAIRED: usize = 50;

rule! {
    /// ## What it does
    /// Compares the lists of new and modified capabilities in a proposal with the folders below the change's `specs/`. It only
    /// runs when the change has a delta and the lists name something, or say that there is none. An entry that says that nothing changes is left alone.
    ///
    /// ## Why it matters
    /// A capability that is announced and has no delta is not changed. One that has a delta and is not announced is changed
    /// without the reviewer's notice.
    ///
    /// ## How to fix
    /// Add the delta or the entry that is missing, or correct the name.
    "change/capabilities-differ", Warning, Own, "A proposal names other capabilities than the change has deltas for", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let change = view.change;
    if change.deltas.is_empty() {
        return;
    }
    let Some(form) = form(view) else { return };
    let says_something = |named: &[(usize, &str)]| !named.is_empty() || form.names_no_capability();
    let Some((part, named)) = form.capabilities().filter(|(_, named)| says_something(named)) else { return };
    // One that asks for nothing, such as `specs/none/spec.md`, is no surprise.
    let asks = |file: &&DeltaFile| !named.is_empty() || file.delta.as_ref().map_or(true, Delta::has_entries);
    let folders: Vec<&str> = change.deltas.iter().filter(asks).map(|file| file.capability.as_str()).collect();
    let have: HashSet<&str> = folders.iter().copied().collect();
    let mut seen = HashSet::new();
    let announced = named.iter().filter(|(line, name)| {
        !have.contains(name) && seen.insert(*name) && !says_unchanged(form.text.line(*line))
    });
    let announced: Vec<(usize, &str)> = announced.copied().collect();
    // Any mention in the section will do, the list or not.
    let section = form.text.lines(part.body.clone());
    let unnamed: Vec<&str> = folders.iter().copied().filter(|folder| !section.contains(folder)).collect();
    let listed: HashSet<&str> = named.iter().map(|(_, name)| *name).collect();
    let unlisted: Vec<&str> = folders.into_iter().filter(|folder| !listed.contains(folder)).collect();
    let mut parts = Vec::new();
    if !announced.is_empty() {
        let names = list(announced.iter().map(|(_, name)| *name));
        parts.push(format!("the proposal names {names}, for which the change has no delta"));
    }
    if !unnamed.is_empty() {
        parts.push(format!("the change has a delta for {}, which the proposal does not name", list(unnamed.iter().copied())));
    }
    if parts.is_empty() {
        return;
    }
    let line = announced.first().map_or(part.line, |(line, _)| *line);
    let path = change.path("proposal.md");
    sink.report_at(place(path.as_ref(), form, line), parts.join("; "), fix_for(&announced, &unnamed, &unlisted));
}

/// What to do: names that are nearly the same are one.
fn fix_for(announced: &[(usize, &str)], unnamed: &[&str], unlisted: &[&str]) -> String {
    let mut names = announced.iter().take(MAX_PAIRED).map(|(_, name)| *name);
    let paired = |name| unlisted.iter().take(MAX_PAIRED).find(|folder| is_near(name, folder)).map(|folder| (name, *folder));
    if let Some((name, folder)) = names.find_map(paired) {
        return format!("is `{name}` the `{folder}` of `specs/`? Give both the same name");
    }
    match (announced.first(), unnamed.first()) {
        (Some((_, name)), None) => format!("write `specs/{name}/spec.md`, or take it off the list"),
        (None, Some(folder)) => format!("add `{folder}` to the capabilities"),
        _ => "let the lists of capabilities and the folders below `specs/` have the same names".to_owned(),
    }
}

/// Whether one name was meant as the other: a slip, or the words of one are among those of the other.
fn is_near(one: &str, other: &str) -> bool {
    let words = |name: &str| name.to_lowercase().split(['-', '_', '/', ' ']).map(str::to_owned).collect::<HashSet<_>>();
    let (a, b) = (words(one), words(other));
    let (few, many) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    few.is_subset(many) || is_slip(one, other)
}

/// Names in backticks, not too many of them.
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(NAMED);
    if more > 0 {
        names.truncate(NAMED);
        names.push(format!("{more} more"));
    }
    names.join(", ")
}
