//! `merge/overlap`

use std::collections::BTreeMap;

use bstr::BStr;

use super::dry_run::DryRun;
use crate::openspec::change::{Change, DeltaFile};
use crate::openspec::claims::{Claim, OpenDelta};
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::heading::is_top_level_section;
use crate::openspec::merge::{Reason, purpose_section};
use crate::openspec::overlap::{Outcome, Overlap, Shared, Trials, both_create};
use crate::openspec::near::spelling_difference;
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
    /// - both bring a requirement, under names that differ in dashes, quotation marks or Unicode form only: warning;
    /// - the other change builds on this one, or both do the same: info.
    ///
    /// Two that build on what a third change brings are tried on top of that. While the main spec has structural faults
    /// nothing can be tried, and one warning says that both claim the same. When many changes claim one requirement, the
    /// first 20 are told one by one.
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

/// Other changes that are told one by one for each requirement.
const MAX_PAIRS: usize = 20;

/// Names in one line.
const MAX_NAMES: usize = 10;

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    for file in &view.change.deltas {
        let Ok(delta) = &file.delta else { continue };
        let all = view.project.open_deltas(&file.capability);
        let has_others = all.iter().any(|other| other.change != view.change.id);
        // A main spec that cannot be read is told elsewhere.
        let (true, true, Ok(target)) = (has_others, delta.has_entries(), view.project.target(&file.capability)) else {
            continue;
        };
        let target = match target.as_ref().map(|target| view.project.parsed(target)) {
            Some(Err(_)) => continue,
            Some(Ok(spec)) => Some(spec),
            None => None,
        };
        let mut trials = Trials::new(&view.change.id, delta, target, &all);
        let others = all.iter().filter(|other| other.change != view.change.id);
        let pairs = others.map(|other| Pair { view, file, delta, other });
        match target.map(|spec| spec.structure.len()) {
            Some(faults) if faults > 0 => hidden(pairs, &trials, faults, sink),
            _ => compared(pairs, &mut trials, target.is_none(), sink),
        }
    }
}

/// What was said about one requirement of the delta.
#[derive(Default)]
struct Told {
    shown: usize,
    has_error: bool,
    more: Vec<String>,
}

/// Reports what comes of each pair.
fn compared<'a>(pairs: impl Iterator<Item = Pair<'a>>, trials: &mut Trials<'_>, is_new: bool, sink: &mut Sink<'_>) {
    let mut told: BTreeMap<usize, Told> = BTreeMap::new();
    let mut created = 0;
    let mut last = None;
    for pair in pairs {
        if is_new && created < MAX_PAIRS && both_create(pair.delta, &pair.other.delta) {
            created += 1;
            pair.created_twice(sink);
        }
        for shared in trials.shared(pair.other) {
            let told = told.entry(shared.own).or_default();
            // An error is looked for among all of them.
            if told.shown < MAX_PAIRS || !told.has_error {
                let overlap = trials.tried(&shared, pair.other);
                let Some(judged) = pair.judged(&overlap) else { continue };
                let is_error = judged.0 == Level::Error;
                if told.shown < MAX_PAIRS || is_error {
                    told.shown += 1;
                    told.has_error |= is_error;
                    pair.claimed_twice(&overlap, judged, sink);
                    continue;
                }
            }
            told.more.push(format!("`{}`", pair.other.change));
        }
        for (own, other) in trials.spelt_otherwise(pair.other) {
            let told = told.entry(own).or_default();
            if told.shown < MAX_PAIRS {
                told.shown += 1;
                pair.spelt_otherwise(trials.claim(own), &other, sink);
            } else {
                told.more.push(format!("`{}`", pair.other.change));
            }
        }
        last = Some(pair);
    }
    let Some(pair) = last else { return };
    for (own, told) in told {
        if !told.more.is_empty() {
            pair.many(trials.claim(own), &told.more, sink);
        }
    }
}

/// Reports that both claim the same while faults of the main spec hide what comes of it.
fn hidden<'a>(pairs: impl Iterator<Item = Pair<'a>>, trials: &Trials<'_>, faults: usize, sink: &mut Sink<'_>) {
    let mut shown = 0;
    let mut more: Vec<String> = Vec::new();
    let mut first: Option<(Pair<'a>, usize)> = None;
    for pair in pairs {
        let shared = trials.shared(pair.other);
        let Some(own) = shared.first().map(|shared| shared.own) else { continue };
        if shown < MAX_PAIRS {
            shown += 1;
            pair.hidden(trials, &shared, faults, sink);
        } else {
            more.push(format!("`{}`", pair.other.change));
        }
        first.get_or_insert((pair, own));
    }
    if let Some((pair, own)) = first.filter(|_| !more.is_empty()) {
        pair.many(trials.claim(own), &more, sink);
    }
}

/// A delta under judgement and another change's for the same capability.
struct Pair<'a> {
    view: &'a ChangeView<'a>,
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
            (true, false) => self.ordered(&[], true),
            (false, true) => self.ordered(&[], false),
            _ => "let one of them create it with the Purpose that holds for both".to_owned(),
        };
        let there = format!("{}:{}", display_path(self.other.path.as_ref()), purpose_line(&self.other.delta) + 1);
        let message = format!("{} creates the capability `{}` too ({there}): {what}", self.other_change(), self.file.capability);
        let level = if is_same { Level::Info } else { Level::Warning };
        self.report(purpose_line(self.delta), level, &message, &fix, sink);
    }

    /// "MODIFIED `x` by the open change `c2` too (path:3)"
    fn head(&self, own: &Claim, other: &Claim) -> String {
        let there = format!("{}:{}", display_path(self.other.path.as_ref()), other.line + 1);
        let claim = format!("{} `{}`", own.word(), own.name);
        match own.word() == other.word() && own.name == other.name {
            true => format!("{claim} by {} too ({there})", self.other_change()),
            false => format!("{claim}: {} has {} `{}` ({there})", self.other_change(), other.word(), other.name),
        }
    }

    fn claimed_twice(&self, overlap: &Overlap, (level, tail, fix): (Level, String, String), sink: &mut Sink<'_>) {
        let head = self.head(&overlap.first, &overlap.second);
        let tail = match names(&overlap.ground) {
            ground if ground.is_empty() => tail,
            ground => format!("once {ground} is archived: {tail}"),
        };
        let mut shown = only_in(&self.view.change.id, overlap.first_then_second.lost());
        shown.extend(only_in(&self.other.change, overlap.second_then_first.lost()));
        let message = format!("{head}; {tail}");
        self.report(overlap.first.line, level, &message, &fix, sink).about(&overlap.first.name).prove(&shown);
    }

    fn spelt_otherwise(&self, own: &Claim, other: &Claim, sink: &mut Sink<'_>) {
        let difference = spelling_difference(&own.name, &other.name).unwrap_or("spelling");
        let message = format!("{}; the names differ only in {difference}, so both will be there", self.head(own, other));
        let fix = "use one name and let one change bring the requirement, or names that tell the two apart";
        self.report(own.line, Level::Warning, &message, fix, sink).about(&own.name);
    }

    fn hidden(&self, trials: &Trials<'_>, shared: &[Shared], faults: usize, sink: &mut Sink<'_>) {
        let Some(first) = shared.first() else { return };
        let (own, other) = (trials.claim(first.own), first.other_claim(self.other));
        let more = match shared.len() - 1 {
            0 => String::new(),
            more => format!(", and {} more", count(more, "requirement")),
        };
        let faults = count(faults, "fault");
        let message = format!("{}{more}; what comes of it is hidden by {faults} of the main spec", self.head(own, other));
        self.report(own.line, Level::Warning, &message, "mend the main spec first", sink).about(&own.name);
    }

    fn many(&self, own: &Claim, more: &[String], sink: &mut Sink<'_>) {
        let mut names: Vec<String> = more.iter().take(MAX_NAMES).cloned().collect();
        if more.len() > MAX_NAMES {
            names.push("…".to_owned());
        }
        let message = format!("{} `{}`: {} more claim it: {}", own.word(), own.name, count(more.len(), "open change"), names.join(", "));
        let fix = "archive or join some of these changes first";
        self.report(own.line, Level::Warning, &message, fix, sink).about(&own.name);
    }

    /// Level, what happens, and what to do. None when only one of the two is at fault.
    fn judged(&self, overlap: &Overlap) -> Option<(Level, String, String)> {
        let (own_first, own_last) = (&overlap.first_then_second, &overlap.second_then_first);
        let rewrite = || "join the two changes, or archive one and write the other one's text anew on top of it".to_owned();
        Some(match [overlap.alone[0].works(), overlap.alone[1].works()] {
            // Whoever modifies what is not there yet knows the text of the change that brings it.
            [false, true] if own_last.is_accepted() => {
                (Level::Warning, "this one only works after that".to_owned(), self.order(overlap, false))
            }
            [true, false] if own_first.is_accepted() => {
                (Level::Info, "that one only works after this".to_owned(), self.order(overlap, true))
            }
            [false, true] if overlap.alone[0].is_waiting() && *own_last != overlap.alone[0] => {
                let tail = format!("this one has to come after that, and then {}", consequence(own_last));
                (Level::Error, tail, "write this one's text anew on top of that one".to_owned())
            }
            [true, false] if overlap.alone[1].is_waiting() && *own_first != overlap.alone[1] => {
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
                    (Level::Error, format!("archived after that, this one {}", consequence(own_last)), self.order(overlap, true))
                }
                (false, true) => {
                    (Level::Error, format!("archived after this, that one {}", consequence(own_first)), self.order(overlap, false))
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

    fn order(&self, overlap: &Overlap, is_own_first: bool) -> String {
        self.ordered(&overlap.ground, is_own_first)
    }

    /// The order that works, and whether something else keeps one of the two from being archived.
    fn ordered(&self, ground: &[String], is_own_first: bool) -> String {
        let own = self.view.change.id.as_str();
        let (first, second) = match is_own_first {
            true => (own, self.other.change.as_str()),
            false => (self.other.change.as_str(), own),
        };
        let before: String = ground.iter().map(|change| format!("`{change}`, then ")).collect();
        let order = match before.is_empty() {
            true => format!("archive `{first}` first, then `{second}`"),
            false => format!("archive {before}`{first}`, then `{second}`"),
        };
        match (self.is_own_refused(), self.is_other_refused()) {
            (false, false) => order,
            (true, true) => format!("{order}; both are refused by themselves, see their own findings"),
            (true, false) => format!("{order}; `{own}` is refused by itself, see its own findings"),
            (false, true) => format!("{order}; `{}` is refused by itself, see its own findings", self.other.change),
        }
    }

    fn is_own_refused(&self) -> bool {
        let (project, change) = (self.view.project, self.view.change);
        project.is_refused(&change.id, || self.view.dry_run().is_refused_by_itself(project, change))
    }

    fn is_other_refused(&self) -> bool {
        let project = self.view.project;
        project.is_refused(&self.other.change, || {
            let place = match project.compared() {
                Some(compared) if self.other.is_only_in_base => compared.newest_base(),
                _ => project,
            };
            let change = Change::load(place, BStr::new(&self.other.change));
            DryRun::of(project, &change).is_refused_by_itself(project, &change)
        })
    }

    fn report<'s>(&self, line: usize, level: Level, message: &str, fix: &str, sink: &'s mut Sink<'_>) -> &'s mut Finding {
        let anchor = self.file.entry();
        let place = Place { file: self.file.path.as_ref(), line, anchor: &anchor, text: Some(&self.delta.text) };
        let finding = sink.report_at(place, message, fix);
        finding.level = level;
        finding
    }
}

/// "`c1` and `c2`"
fn names(changes: &[String]) -> String {
    changes.iter().map(|change| format!("`{change}`")).collect::<Vec<_>>().join(" and ")
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
