//! Whether a main spec is what archiving or syncing changes would have made of it.

use super::order::orders;
use crate::openspec::delta::Delta;
use crate::openspec::merge::{self, Names};
use crate::openspec::reflow::{self, Form};
use crate::openspec::spec::Spec;
use crate::openspec::{html, purpose};

/// A change that may have been merged into a spec.
pub(super) struct Candidate<'c> {
    /// Its folder's name among the open changes.
    pub(super) id: String,
    /// What it says about the capability.
    pub(super) delta: &'c Delta,
    /// Whether it was archived: then it has to be in the spec.
    pub(super) is_archived: bool,
    /// Whether it may remove the last requirement.
    pub(super) retires: bool,
}

/// What a replay came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Merging these changes gives what head has: "archive of `c1`".
    Explained(Vec<String>),
    /// No change is about the capability, or none left a trace.
    NoCandidate,
    /// No way to merge them gives what head has. The nearest: who, at which 0-based line of head, and what it would write there.
    Differs { by: String, line: usize, expected: Option<String> },
    /// What was archived would have been refused.
    Refused { by: String },
}

/// Looks for the changes that explain how a spec got from base to head. None stands for no file.
pub(super) fn explain(
    capability: &str,
    base: Option<&str>,
    head: Option<&str>,
    candidates: &[Candidate<'_>],
) -> Outcome {
    if candidates.is_empty() {
        return Outcome::NoCandidate;
    }
    let mut nearest: Option<(usize, Outcome)> = None;
    for order in orders(base, head, candidates) {
        let Some(text) = replay(capability, base, candidates, &order) else { continue };
        let by = || -> Vec<String> { order.iter().map(|at| name(&candidates[*at])).collect() };
        if is_same(text.as_deref(), head, base.is_none()) {
            return Outcome::Explained(by());
        }
        // A sync that left no trace was none.
        if !order.iter().any(|at| candidates[*at].is_archived || leaves_trace(&candidates[*at], base, head)) {
            continue;
        }
        let (line, expected) = first_difference(text.as_deref(), head.unwrap_or_default());
        if nearest.as_ref().is_none_or(|(best, _)| line > *best) {
            nearest = Some((line, Outcome::Differs { by: by().join(" and "), line, expected }));
        }
    }
    let archived =
        candidates.iter().filter(|candidate| candidate.is_archived).map(name).collect::<Vec<_>>().join(" and ");
    let otherwise = || if archived.is_empty() { Outcome::NoCandidate } else { Outcome::Refused { by: archived } };
    nearest.map_or_else(otherwise, |(_, outcome)| outcome)
}

/// Whether head has a line of the delta that base has not, or lacks a requirement the delta removes.
fn leaves_trace(candidate: &Candidate<'_>, base: Option<&str>, head: Option<&str>) -> bool {
    let lines = |text: Option<&str>| -> std::collections::HashSet<String> {
        text.unwrap_or_default().lines().map(|line| line.trim().to_owned()).collect()
    };
    let (old, new) = (lines(base), lines(head));
    let delta = candidate.delta.text.content();
    delta.lines().map(str::trim).any(|line| !line.is_empty() && new.contains(line) && !old.contains(line))
        || candidate.delta.removed.iter().any(|removal| {
            let header = format!("### Requirement: {}", removal.name);
            old.contains(&header) && !new.contains(&header)
        })
}

fn name(candidate: &Candidate<'_>) -> String {
    let what = if candidate.is_archived { "archive" } else { "sync" };
    format!("{what} of `{}`", candidate.id)
}

/// Merges changes one after the other. The outer None: one is refused; the inner: the capability is retired.
fn replay(
    capability: &str,
    base: Option<&str>,
    candidates: &[Candidate<'_>],
    order: &[usize],
) -> Option<Option<String>> {
    let mut text = base.map(str::to_owned);
    for at in order {
        let candidate = &candidates[*at];
        let spec = text.as_ref().map(|text| Spec::parse(text.clone().into_bytes()));
        let names = Names { capability, change: &candidate.id };
        let merged = merge::apply(candidate.delta, spec.as_ref(), names).ok()?;
        if merged.applied.is_nothing() {
            continue;
        }
        if merged.has_no_blocks {
            candidate.retires.then_some(())?;
            text = None;
        } else {
            text = Some(merged.text);
        }
    }
    Some(text)
}

/// Whether a delta's demands are in a spec: applying it once more does nothing.
pub(super) fn has_reached(capability: &str, change: &str, delta: &Delta, spec: Option<&str>) -> bool {
    let Some(spec) = spec else {
        return delta.added.is_empty() && delta.modified.is_empty() && delta.renamed.is_empty();
    };
    let spec = Spec::parse(spec.as_bytes().to_vec());
    merge::apply(delta, Some(&spec), Names { capability, change }).is_ok_and(|merged| merged.applied.is_nothing())
}

/// Whether head has what a replay gave. The order of requirements means nothing; title and purpose of a new capability
/// are filled in by hand, the purpose where the delta has none.
fn is_same(replayed: Option<&str>, head: Option<&str>, is_new: bool) -> bool {
    match (replayed, head) {
        (None, None) => true,
        (Some(replayed), Some(head)) => {
            reflow::is_same(replayed, head) || {
                let (one, other) = (Parts::of(replayed, is_new), Parts::of(head, is_new));
                let is_free = !is_new || is_purpose_free(replayed, head);
                is_free
                    && one.blocks.len() == other.blocks.len()
                    && reflow::is_same(&one.rest, &other.rest)
                    && one.blocks.iter().zip(&other.blocks).all(|(one, other)| reflow::is_same(one, other))
            }
        }
        _ => false,
    }
}

/// Whether title and purpose of a new capability are what somebody may write: plain prose where archiving leaves a
/// placeholder, else what the delta says.
fn is_purpose_free(replayed: &str, head: &str) -> bool {
    let (replayed, head) = (Spec::parse(replayed.as_bytes().to_vec()), Spec::parse(head.as_bytes().to_vec()));
    let title = crate::openspec::heading::headings(&head.text).into_iter().next().filter(|title| title.level == 1);
    if title.is_some_and(|title| html::hides(head.text.line(title.line))) {
        return false;
    }
    let content = |spec: &Spec| {
        let range = spec.purpose.as_ref().map(|purpose| spec.text.offset(purpose.line)..purpose.content.end);
        range.map(|range| spec.text.content()[range].to_owned())
    };
    match (content(&replayed), content(&head)) {
        (Some(wanted), Some(written)) if purpose::placeholder_line(&replayed).is_none() => {
            reflow::is_same(&wanted, &written)
        }
        (Some(_), None) => purpose::placeholder_line(&replayed).is_some(),
        (_, Some(written)) => reflow::pieces(&written).iter().enumerate().all(|(at, piece)| {
            at == 0 && piece.words.starts_with('#')
                || piece.form == Form::Prose && !piece.words.starts_with('<') && !html::hides(&piece.words)
        }),
        (None, None) => true,
    }
}

/// A spec taken apart: its requirements by name, and everything else.
struct Parts {
    blocks: Vec<String>,
    rest: String,
}

impl Parts {
    fn of(text: &str, is_new: bool) -> Self {
        let spec = Spec::parse(text.as_bytes().to_vec());
        let mut blocks: Vec<(&str, &str)> =
            spec.blocks.iter().map(|block| (block.name.as_str(), spec.raw(block))).collect();
        blocks.sort();
        let mut gaps: Vec<std::ops::Range<usize>> = spec.blocks.iter().map(|block| block.raw.clone()).collect();
        if is_new {
            gaps.extend(spec.purpose.iter().map(|purpose| spec.text.offset(purpose.line)..purpose.content.end));
            let title = crate::openspec::heading::headings(&spec.text).into_iter().next();
            if let Some(title) = title.filter(|title| title.level == 1) {
                let start = spec.text.offset(title.line);
                gaps.push(start..start + spec.text.line(title.line).len());
            }
        }
        gaps.sort_by_key(|gap| gap.start);
        let (content, mut rest, mut at) = (spec.text.content(), String::new(), 0);
        for gap in gaps.into_iter().filter(|gap| gap.start < gap.end) {
            if gap.start < at {
                continue;
            }
            rest.push_str(&content[at..gap.start]);
            at = gap.end;
        }
        rest.push_str(&content[at..]);
        Self { blocks: blocks.into_iter().map(|(_, raw)| raw.to_owned()).collect(), rest }
    }
}

/// Where head goes another way, as a 0-based line of it, and the line the replay has there.
fn first_difference(replayed: Option<&str>, head: &str) -> (usize, Option<String>) {
    let replayed = replayed.unwrap_or_default();
    let (expected, found) = (reflow::pieces(replayed), reflow::pieces(head));
    let same = expected.iter().zip(&found).take_while(|(one, other)| one == other).count();
    let there = expected.get(same).and_then(|piece| replayed.lines().nth(piece.line));
    let line = found.get(same).map_or_else(|| head.lines().count().saturating_sub(1), |piece| piece.line);
    (line, there.map(|line| line.trim_end().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "# a Specification\n\n## Purpose\nWhat it is for.\n\n## Requirements\n\n### Requirement: A\nIt SHALL.\n\n\
        #### Scenario: S\n- **WHEN** x\n";
    const ADDED: &str = "\n### Requirement: B\nIt SHALL too.\n\n#### Scenario: T\n- **WHEN** y\n";

    fn delta(content: &str) -> Delta {
        Delta::parse(content.as_bytes().to_vec())
    }

    fn run(base: Option<&str>, head: Option<&str>, deltas: &[(&str, &Delta, bool)]) -> Outcome {
        let candidates: Vec<Candidate<'_>> = deltas
            .iter()
            .map(|(id, delta, is_archived)| Candidate {
                id: (*id).to_owned(),
                delta,
                is_archived: *is_archived,
                retires: *id == "retire",
            })
            .collect();
        explain("a", base, head, &candidates)
    }

    #[test]
    fn archives_and_syncs() {
        let add = delta(&format!("## ADDED Requirements\n{ADDED}"));
        let head = format!("{BASE}{ADDED}");
        let archive = run(Some(BASE), Some(&head), &[("c1", &add, true)]);
        assert_eq!(archive, Outcome::Explained(vec!["archive of `c1`".into()]));
        let sync = run(Some(BASE), Some(&head), &[("c1", &add, false)]);
        assert_eq!(sync, Outcome::Explained(vec!["sync of `c1`".into()]));
        let weaker = head.replace("It SHALL too.", "It MAY.");
        let Outcome::Differs { by, line, expected } = run(Some(BASE), Some(&weaker), &[("c1", &add, true)]) else {
            panic!("explained")
        };
        assert_eq!((by.as_str(), line, expected.as_deref()), ("archive of `c1`", 14, Some("It SHALL too.")));
        assert_eq!(run(Some(BASE), Some(&head), &[]), Outcome::NoCandidate);
    }

    #[test]
    fn several_in_either_order() {
        let add = delta(&format!("## ADDED Requirements\n{ADDED}"));
        let modify =
            delta("## MODIFIED Requirements\n### Requirement: B\nIt SHALL more.\n\n#### Scenario: T\n- **WHEN** y\n");
        let head = format!("{BASE}{}", ADDED.replace("It SHALL too.", "It SHALL more."));
        let outcome = run(Some(BASE), Some(&head), &[("a-modify", &modify, true), ("b-add", &add, true)]);
        assert_eq!(outcome, Outcome::Explained(vec!["archive of `b-add`".into(), "archive of `a-modify`".into()]));
    }

    /// A block of a requirement that says a number.
    fn block(name: &str, number: usize) -> String {
        format!("### Requirement: {name}\nIt SHALL take {number} seconds.\n\n#### Scenario: T\n- **WHEN** y\n")
    }

    #[test]
    fn many_synced_at_once() {
        let deltas: Vec<Delta> =
            (0..24).map(|at| delta(&format!("## ADDED Requirements\n\n{}", block(&format!("N{at}"), at)))).collect();
        let names: Vec<String> = (0..24).map(|at| format!("c{at}")).collect();
        let all: Vec<(&str, &Delta, bool)> =
            names.iter().zip(&deltas).map(|(name, delta)| (name.as_str(), delta, false)).collect();
        for synced in [1, 3, 9] {
            let added: String = (0..synced).map(|at| format!("\n{}", block(&format!("N{at}"), at))).collect();
            let Outcome::Explained(by) = run(Some(BASE), Some(&format!("{BASE}{added}")), &all) else {
                panic!("{synced} not explained")
            };
            assert_eq!(by.len(), synced);
        }
    }

    #[test]
    fn archives_that_build_on_one_another() {
        let add = delta(&format!("## ADDED Requirements\n\n{}", block("Q", 1)));
        let modify = |number| delta(&format!("## MODIFIED Requirements\n\n{}", block("Q", number)));
        let rename = delta("## RENAMED Requirements\n- FROM: `### Requirement: Q`\n- TO: `### Requirement: R`\n");
        let other = delta(&format!("## ADDED Requirements\n\n{}", block("O", 5)));
        let (second, third) = (modify(2), modify(3));
        let head = format!("{BASE}\n{}\n{}", block("R", 3), block("O", 5));
        let all =
            [("a", &rename, true), ("b", &third, true), ("c", &second, true), ("d", &other, true), ("e", &add, true)];
        // Head has `R`, so nothing tells which of the two wrote last; both orders are tried.
        assert!(matches!(run(Some(BASE), Some(&head), &all), Outcome::Explained(_)));
        let weaker = head.replace("take 3", "take 9");
        assert!(matches!(run(Some(BASE), Some(&weaker), &all), Outcome::Differs { .. }));
        let head = format!("{BASE}\n{}\n{}", block("Q", 3), block("O", 5));
        assert!(matches!(run(Some(BASE), Some(&head), &all[1..]), Outcome::Explained(_)));
        // A requirement that is removed and added anew.
        let remove = delta("## REMOVED Requirements\n\n### Requirement: A\n");
        let anew = delta(&format!("## ADDED Requirements\n\n{}", block("A", 7)));
        let start = format!("{BASE}\n{}", block("B", 1));
        let head = start.replace(&start[start.find("### Requirement: A").unwrap_or(0)..], "")
            + &block("B", 1)
            + &block("A", 7);
        let outcome = run(Some(&start), Some(&head), &[("x", &anew, false), ("y", &remove, false)]);
        assert!(matches!(outcome, Outcome::Explained(_)), "{outcome:?}");
    }

    #[test]
    fn new_and_retired() {
        let add = delta(&format!("## ADDED Requirements\n{ADDED}"));
        let head = format!("# Another title\n\n## Purpose\nFilled in.\n\n## Requirements\n{ADDED}");
        assert!(matches!(run(None, Some(&head), &[("c1", &add, true)]), Outcome::Explained(_)));
        // Merged by hand, as some do.
        let bare = format!("## Requirements\n{ADDED}");
        assert!(matches!(run(None, Some(&bare), &[("c1", &add, true)]), Outcome::Explained(_)));
        // What is filled in is prose, and what the delta says of the purpose stays.
        for purpose in [
            "Filled in.\n<!-- only an idea from here on",
            "<details hidden>",
            "Filled in.\n\n### Not binding",
            "```\na",
        ] {
            let head = head.replace("Filled in.", purpose);
            assert!(!matches!(run(None, Some(&head), &[("c1", &add, true)]), Outcome::Explained(_)), "{purpose}");
        }
        let own = delta(&format!("## Purpose\nReports for people.\n\n## ADDED Requirements\n{ADDED}"));
        let is_explained = |text: &str| {
            matches!(run(None, Some(&head.replace("Filled in.", text)), &[("c1", &own, true)]), Outcome::Explained(_))
        };
        assert!(is_explained("Reports\nfor people."));
        assert!(!is_explained("Reports for people.\n\nNothing below is binding.") && !is_explained("Filled in."));
        let remove = delta("## REMOVED Requirements\n### Requirement: A\n");
        assert!(matches!(run(Some(BASE), None, &[("retire", &remove, true)]), Outcome::Explained(_)));
        assert!(matches!(run(Some(BASE), None, &[("c1", &remove, true)]), Outcome::Refused { .. }));
        let changed = BASE.replace("What it is for.", "Something else.") + ADDED;
        assert!(matches!(run(Some(BASE), Some(&changed), &[("c1", &add, true)]), Outcome::Differs { .. }));
    }
}
