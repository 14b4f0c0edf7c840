//! `merge/overlap`

use crate::openspec::change::DeltaFile;
use crate::openspec::claims::OpenDelta;
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::heading::is_top_level_section;
use crate::openspec::merge::{Reason, purpose_section};
use crate::openspec::overlap::{Outcome, Overlap, both_create, overlaps};
use crate::openspec::units::Unit;
use crate::report::{Finding, Level, count, display_path};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports requirements that another open change claims too, both names of a rename included, and tries in memory what
    /// comes of archiving the two in either order:
    ///
    /// - one order is refused or drops what the other change adds (a scenario, a step, a sentence): error, with the order
    ///   that works when there is one;
    /// - both orders work, or the other change brings a requirement that this one builds on: warning, with the order;
    /// - both create the same capability: warning, since the second Purpose is ignored;
    /// - the other change builds on this one, or both do the same: info.
    ///
    /// Where commits are compared, changes that are open on the base branch and not known to head count too.
    ///
    /// ## Why it matters
    /// Each of the two changes is fine by itself. Whichever is archived second finds another main spec than it was
    /// written for, and MODIFIED replaces the whole requirement: archiving is refused when the work is done, or the first
    /// change's text is gone without a word.
    ///
    /// ## Example
    /// One change adds a scenario to `Widget state`, another one adds a different scenario to it. Each block lacks the
    /// other's scenario, so the second one cannot be archived.
    ///
    /// ## How to fix
    /// Archive in the order the finding names. When there is none, join the two changes, or archive one and then write the
    /// other one's block anew on top of it.
    "merge/overlap", Warning, Own, "Two open changes claim one requirement", Check::Change(check)
}

/// Lines shown as proof.
const MAX_LINES: usize = 12;

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    for file in &view.change.deltas {
        let Ok(delta) = &file.delta else { continue };
        let others = view.project.open_deltas(&file.capability);
        let mut others = others.iter().filter(|other| other.change != view.change.id).peekable();
        // A main spec that cannot be read is told elsewhere.
        let (Some(_), true, Ok(target)) = (others.peek(), delta.has_entries(), view.project.target(&file.capability)) else {
            continue;
        };
        let target = match target.as_ref().map(|target| view.project.parsed(target)) {
            Some(Err(_)) => continue,
            Some(Ok(spec)) => Some(spec),
            None => None,
        };
        for other in others {
            let pair = Pair { change: &view.change.id, file, delta, other };
            if target.is_none() && both_create(delta, &other.delta) {
                pair.created_twice(sink);
            }
            for overlap in overlaps(delta, &other.delta, target) {
                pair.claimed_twice(&overlap, sink);
            }
        }
    }
}

/// A delta under judgement and another change's for the same capability.
struct Pair<'a> {
    change: &'a str,
    file: &'a DeltaFile,
    delta: &'a Delta,
    other: &'a OpenDelta,
}

impl Pair<'_> {
    fn created_twice(&self, sink: &mut Sink<'_>) {
        let [own, other] = [self.delta, &self.other.delta].map(|delta| purpose_section(&delta.text));
        let is_same = own.is_some() && own == other;
        let what = match (own.is_some(), other.is_some()) {
            _ if is_same => "their Purpose is the same",
            (true, true) => "the Purpose of the one that is archived second is ignored",
            (true, false) => "the Purpose of this one is ignored when it is archived second",
            (false, true) => "the Purpose of the other one is ignored when it is archived second",
            (false, false) => "neither has a Purpose",
        };
        let fix = match (own.is_some(), other.is_some()) {
            (true, false) => self.order(true),
            (false, true) => self.order(false),
            _ => "let one of them create it with the Purpose that holds for both".to_owned(),
        };
        let there = format!("{}:{}", display_path(self.other.path.as_ref()), purpose_line(&self.other.delta) + 1);
        let message = format!("{} creates the capability `{}` too ({there}): {what}", self.other_change(), self.file.capability);
        let level = if is_same { Level::Info } else { Level::Warning };
        self.report(purpose_line(self.delta), level, &message, &fix, sink);
    }

    fn claimed_twice(&self, overlap: &Overlap, sink: &mut Sink<'_>) {
        let (own, other) = (&overlap.first, &overlap.second);
        let there = format!("{}:{}", display_path(self.other.path.as_ref()), other.line + 1);
        let claim = format!("{} `{}`", own.word(), own.name);
        let head = match own.word() == other.word() && own.name == other.name {
            true => format!("{claim} by {} too ({there})", self.other_change()),
            false => format!("{claim}: {} has {} `{}` ({there})", self.other_change(), other.word(), other.name),
        };
        let Some((level, tail, fix)) = self.judged(overlap) else { return };
        let message = format!("{head}; {tail}");
        let mut shown = only_in(self.change, overlap.first_then_second.lost());
        shown.extend(only_in(&self.other.change, overlap.second_then_first.lost()));
        self.report(own.line, level, &message, &fix, sink).about(&own.name).prove(&shown);
    }

    /// Level, what happens, and what to do. None when only one of the two is at fault.
    fn judged(&self, overlap: &Overlap) -> Option<(Level, String, String)> {
        let (own_first, own_last) = (&overlap.first_then_second, &overlap.second_then_first);
        let rewrite = || "join the two changes, or archive one and write the other one's text anew on top of it".to_owned();
        Some(match [overlap.alone[0].works(), overlap.alone[1].works()] {
            // Whoever modifies what is not there yet knows the text of the change that brings it.
            [false, true] if own_last.is_accepted() => {
                (Level::Warning, "this one only works after that".to_owned(), self.order(false))
            }
            [true, false] if own_first.is_accepted() => {
                (Level::Info, "that one only works after this".to_owned(), self.order(true))
            }
            [false, true] if is_waiting(&overlap.alone[0]) && *own_last != overlap.alone[0] => {
                let tail = format!("this one has to come after that, and then {}", consequence(own_last));
                (Level::Error, tail, "write this one's text anew on top of that one".to_owned())
            }
            [true, false] if is_waiting(&overlap.alone[1]) && *own_first != overlap.alone[1] => {
                let tail = format!("that one has to come after this, and then {}", consequence(own_first));
                (Level::Info, tail, "write that one's text anew on top of this one".to_owned())
            }
            [true, true] => match (own_first.works(), own_last.works()) {
                (true, true) if overlap.both(Operation::Removed) || overlap.both(Operation::Renamed) => {
                    (Level::Info, "both do the same".to_owned(), "nothing, or leave it to one of them".to_owned())
                }
                (true, true) if overlap.both(Operation::Added) => {
                    (Level::Warning, "both add the same text".to_owned(), "leave it to one of them".to_owned())
                }
                (true, true) => (Level::Warning, "either order works".to_owned(), "see that both want the same, or join the two changes".to_owned()),
                (true, false) => {
                    (Level::Error, format!("archived after that, this one {}", consequence(own_last)), self.order(true))
                }
                (false, true) => {
                    (Level::Error, format!("archived after this, that one {}", consequence(own_first)), self.order(false))
                }
                (false, false) => {
                    let (this, that) = (consequence(own_last), consequence(own_first));
                    let tail = match this == that {
                        true => format!("whichever is archived second {this}"),
                        false => format!("archived second, this one {this}, and that one {that}"),
                    };
                    (Level::Error, tail, rewrite())
                }
            },
            // What cannot be archived as it is, is told by itself.
            [is_own_fine, is_other_fine] if overlap.both(Operation::Modified) => {
                let tail = match (is_own_fine, is_other_fine) {
                    (true, _) => "that one cannot be archived as it is",
                    (_, true) => "this one cannot be archived as it is",
                    _ => "neither can be archived as it is",
                };
                (Level::Warning, tail.to_owned(), rewrite())
            }
            _ => return None,
        })
    }

    fn other_change(&self) -> String {
        let place = if self.other.is_only_in_base { " of the base branch" } else { "" };
        format!("the open change `{}`{place}", self.other.change)
    }

    fn order(&self, is_own_first: bool) -> String {
        let (first, second) = match is_own_first {
            true => (self.change, self.other.change.as_str()),
            false => (self.other.change.as_str(), self.change),
        };
        format!("archive `{first}` first, then `{second}`")
    }

    fn report<'s>(&self, line: usize, level: Level, message: &str, fix: &str, sink: &'s mut Sink<'_>) -> &'s mut Finding {
        let anchor = self.file.entry();
        let place = Place { file: self.file.path.as_ref(), line, anchor: &anchor, text: Some(&self.delta.text) };
        let finding = sink.report_at(place, message, fix);
        finding.level = level;
        finding
    }
}

/// Whether what a change needs is not there yet.
fn is_waiting(alone: &Outcome) -> bool {
    matches!(alone, Outcome::Void(_) | Outcome::Refused(Reason::NotFound(..) | Reason::NoTarget(_), _))
}

/// What only one change has, under a line that says so.
fn only_in(change: &str, lines: &[Unit]) -> Vec<String> {
    let title = (!lines.is_empty()).then(|| format!("only in `{change}`:"));
    let shown = lines.iter().take(MAX_LINES).map(|unit| unit.shown.clone());
    let more = lines.len().checked_sub(MAX_LINES + 1).map(|more| format!("and {} more", more + 1));
    title.into_iter().chain(shown).chain(more).collect()
}

/// What happens to the change that is archived second.
fn consequence(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Works => "works".to_owned(),
        Outcome::Void(name) => format!("does not remove `{name}`"),
        Outcome::Drops(lost) => format!("drops {} of the other", count(lost.len(), "line")),
        Outcome::Refused(Reason::DropsScenarios(_, names), _) => {
            format!("is refused: it leaves out {} of the other", count(names.len(), "scenario"))
        }
        Outcome::Refused(Reason::NotFound(_, name, _), _) => format!("is refused: `{name}` is not there any more"),
        Outcome::Refused(Reason::Taken(_, name, _), _) => format!("is refused: `{name}` is there already"),
        Outcome::Refused(..) => "is refused".to_owned(),
    }
}

/// 0-based line of `## Purpose`, or of the first delta section.
fn purpose_line(delta: &Delta) -> usize {
    let is_purpose = |line: &usize| {
        let written = delta.text.line(*line);
        is_top_level_section(written) && written[2..].trim().eq_ignore_ascii_case("purpose")
    };
    let first_section = || delta.sections.first().map_or(0, |section| section.line);
    delta.text.hash_lines().find(is_purpose).unwrap_or_else(first_section)
}
