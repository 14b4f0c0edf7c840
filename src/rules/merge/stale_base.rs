//! `merge/stale-base`

use crate::openspec::change::DeltaFile;
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::drift::{Entry, Past, Then, entries, replaced};
use crate::openspec::project::{Compared, Project};
use crate::openspec::spec::Spec;
use crate::openspec::units::{Unit, Units};
use crate::repo::history::Ending;
use crate::repo::store::GitError;
use crate::report::{Finding, Level, count, display_path};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Looks for the commit in which each MODIFIED, REMOVED or RENAMED entry of a delta was last touched, and compares the
    /// requirement as the main spec had it then with the requirement as it is now, in head and on the base branch. An
    /// error when MODIFIED would drop a line that came in between, a warning when it would bring back one that went, or
    /// when REMOVED takes away what has changed. The same is told of the main spec when the difference archives the change or
    /// writes its text there: a line that came in between, and that neither the delta nor the spec has now, was written over.
    /// It only runs where commits are compared (`verify --changed` or
    /// `--staged`), since a tree alone has no past.
    ///
    /// ## Why it matters
    /// MODIFIED replaces the whole requirement. What somebody else wrote into it meanwhile is gone when the change is
    /// archived, without a word from anybody, and merging the base branch does not show it: the two edits are in
    /// different files.
    ///
    /// ## Example
    /// A delta says that widgets are blue. After it was written, `It MUST NOT leak paint.` came into the same requirement of
    /// the main spec. The delta's block does not have the sentence, so archiving would remove it.
    ///
    /// ## How to fix
    /// Read the requirement as it is now and copy what came in into the block. What is meant to go can go: a block that was
    /// edited after that is taken at its word. When history could not be read far enough, fetch more of it.
    "merge/stale-base", Warning, Own, "A delta was written for an older text of the requirement", Check::ChangeAndSpecDiff(check, super::stale_merged::check)
}

/// Lines shown as proof.
const MAX_LINES: usize = 12;

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let Some(compared) = view.project.compared() else { return };
    for file in &view.change.deltas {
        let Ok(delta) = &file.delta else { continue };
        let found = entries(delta);
        let Ok(Some(target)) = view.project.target(&file.capability) else { continue };
        let Ok(spec) = view.project.parsed(&target) else { continue };
        if found.is_empty() {
            continue;
        }
        let path = display_path(target.path.as_ref());
        let mut stale = Stale::new(view, compared, file, delta, (spec, path));
        for entry in &found {
            stale.check(entry, sink);
        }
    }
}

/// One delta file under judgement.
struct Stale<'a> {
    file: &'a DeltaFile,
    delta: &'a Delta,
    spec: &'a Spec,
    /// Where the main spec lies.
    main_path: String,
    /// The main spec where head's work began, and on the base branch by now.
    base: Option<Spec>,
    tip: Option<Spec>,
    past: Option<Past<'a>>,
}

impl<'a> Stale<'a> {
    fn new(
        view: &ChangeView<'a>,
        compared: &'a Compared<'_>,
        file: &'a DeltaFile,
        delta: &'a Delta,
        (spec, main_path): (&'a Spec, String),
    ) -> Self {
        let (project, capability) = (view.project, &file.capability);
        // A link inside the change is no other file.
        let path = project.snapshot().resolve(file.path.as_ref()).unwrap_or_else(|_| file.path.clone());
        let past = compared.history.map(|history| {
            let past = Past::new(history, path.as_ref(), project.root(), capability);
            past.renamed_among(project.change_names().unwrap_or_default())
        });
        let tip = compared.tip.as_ref().and_then(|tip| main_spec(tip, capability));
        let base = tip.as_ref().and_then(|_| main_spec(&compared.base, capability));
        Self { file, delta, spec, main_path, base, tip, past }
    }

    fn units(&self, spec: &Spec, entry: &Entry<'_>) -> Option<Units> {
        replaced(spec, self.delta, entry.name).map(|block| Units::of(spec.raw(block)))
    }

    fn check(&mut self, entry: &Entry<'_>, sink: &mut Sink<'_>) {
        let Some(now) = self.units(self.spec, entry) else { return };
        let written = entry.units();
        if entry.operation == Operation::Modified && now.same_as(&written) {
            return; // In the main spec already.
        }
        let then = match self.past.as_mut().map(|past| past.touched(entry)).transpose() {
            Ok(then) => then.flatten(),
            Err(error) => return self.unreadable(entry, &error, sink),
        };
        let old_spec = match (then, self.past.as_mut()) {
            (Some(then), Some(past)) => match past.spec_at(then.commit) {
                Ok(spec) => spec.map(|spec| replaced(spec, self.delta, entry.name).map(|block| Units::of(spec.raw(block)))),
                Err(error) => return self.unreadable(entry, &error, sink),
            },
            _ => None,
        };
        let old = old_spec.flatten();
        if let Some(then) = then
            && self.compare(entry, old.as_ref(), &now, &written, Some(then), sink)
        {
            return;
        }
        // What the base branch has by now and head has not yet. An entry that is in no commit is as new as head.
        let base = self.base.as_ref().and_then(|base| self.units(base, entry));
        let tip = self.tip.as_ref().and_then(|tip| self.units(tip, entry));
        if let (Some(base), Some(tip)) = (&base, &tip)
            && !tip.same_as(base)
            && !tip.same_as(&now)
            && !tip.same_as(&written)
            && self.compare(entry, Some(old.as_ref().unwrap_or(base)), tip, &written, None, sink)
        {
            return;
        }
        if self.tip.is_some() && base.is_some() && tip.is_none() {
            let message = format!("{} has no such requirement in the main spec any more", "the base branch");
            let fix = "merge the base branch, and see what became of the requirement";
            self.report(entry, Level::Warning, &[], &format!("{} `{}`: {message}", entry.operation.word(), entry.name), fix, sink);
            return;
        }
        if let Some(then) = then {
            self.incomplete(entry, then, sink);
        }
    }

    /// Whether there was anything to report. `then` is none for the base branch.
    fn compare(
        &self,
        entry: &Entry<'_>,
        old: Option<&Units>,
        now: &Units,
        written: &Units,
        then: Option<Then>,
        sink: &mut Sink<'_>,
    ) -> bool {
        if old.is_some_and(|old| old.same_as(now)) {
            return false;
        }
        let since = match then {
            Some(then) => format!("after it was last touched ({})", short(then)),
            None => "on the base branch meanwhile".to_owned(),
        };
        let what = format!("{} `{}`", entry.operation.word(), entry.name);
        let path = &self.main_path;
        let place = match (replaced(self.spec, self.delta, entry.name), then) {
            (Some(block), Some(_)) => format!("`{path}` line {}", block.line + 1),
            _ => format!("`{path}` on the base branch"),
        };
        let nothing = Units::default();
        let came = now.lost(old.unwrap_or(&nothing), written);
        match entry.operation {
            Operation::Modified if !came.is_empty() => {
                // A requirement that was not there at all was written by another change, whose text this one may know.
                let level = if old.is_some() { Level::Error } else { Level::Warning };
                let lines = count(came.len(), "line");
                let message = format!("{what} would drop {lines} that came into the requirement {since}");
                let fix = format!("copy what is still meant from {place} into the block");
                self.report(entry, level, &came, &message, &fix, sink);
            }
            Operation::Modified => {
                let back = old.map(|old| old.brought_back(now, written)).unwrap_or_default();
                let Some(level) = old.map(|_| if back.is_empty() { Level::Info } else { Level::Warning }) else {
                    return false;
                };
                let message = match back.len() {
                    0 => format!("{what}: the requirement changed {since}, and the block has all that came in"),
                    lines => format!("{what} would bring back {} that left the requirement {since}", count(lines, "line")),
                };
                self.report(entry, level, &back, &message, &format!("compare the block with {place}"), sink);
            }
            Operation::Renamed => {
                let message = format!("{what}: the requirement's text changed {since}; the rename keeps it");
                self.report(entry, Level::Info, &came, &message, &format!("see whether the new name still fits {place}"), sink);
            }
            _ => {
                let message = format!("{what}: the requirement changed {since}");
                self.report(entry, Level::Warning, &came, &message, &format!("see whether {place} can still go"), sink);
            }
        }
        true
    }

    /// History that could not be followed to its end is told, since what it hides may be a drop.
    fn incomplete(&self, entry: &Entry<'_>, then: Then, sink: &mut Sink<'_>) {
        let (reason, fix) = match then.ending {
            Ending::Found => return,
            Ending::CutOff => ("history was cut off there", "fetch the history: `git fetch --unshallow`"),
            Ending::TooFar => ("no older commit was looked at", "compare the block with the main spec yourself"),
        };
        let message = format!(
            "{} `{}` is older than {}, and {reason}: whether the requirement changed before cannot be told",
            entry.operation.word(),
            entry.name,
            short(then)
        );
        self.report(entry, Level::Info, &[], &message, fix, sink);
    }

    fn unreadable(&self, entry: &Entry<'_>, error: &GitError, sink: &mut Sink<'_>) {
        let message = format!("whether `{}` changed since the delta was written cannot be told: {error}", entry.name);
        self.report(entry, Level::Error, &[], &message, "run `git fsck`, and fetch what is missing", sink).unverifiable();
    }

    fn report<'s>(
        &self,
        entry: &Entry<'_>,
        level: Level,
        lines: &[Unit],
        message: &str,
        fix: &str,
        sink: &'s mut Sink<'_>,
    ) -> &'s mut Finding {
        let anchor = self.file.entry();
        let place = Place { file: self.file.path.as_ref(), line: entry.line, anchor: &anchor, text: Some(&self.delta.text) };
        let finding = sink.report_at(place, message, fix).about(entry.name);
        finding.level = level;
        prove(finding, lines)
    }
}

/// Shows lines as proof.
pub(super) fn prove<'f>(finding: &'f mut Finding, lines: &[Unit]) -> &'f mut Finding {
    let mut shown: Vec<String> = lines.iter().take(MAX_LINES).map(|unit| unit.shown.clone()).collect();
    if lines.len() > MAX_LINES {
        shown.push(format!("and {} more", lines.len() - MAX_LINES));
    }
    finding.prove(&shown)
}

fn main_spec(project: &Project<'_>, capability: &str) -> Option<Spec> {
    let file = project.target(capability).ok().flatten()?;
    project.snapshot().read(file.path.as_ref()).ok().map(Spec::parse)
}

pub(super) fn short(then: Then) -> String {
    then.commit.to_string().chars().take(12).collect()
}
