//! Runs the rules over one item.

use bstr::BStr;

use crate::openspec::artifacts;
use crate::openspec::change::Change;
use crate::openspec::conflict;
use crate::openspec::discovery::SpecFile;
use crate::openspec::metadata::{self, METADATA_FILE};
use crate::openspec::project::Project;
use crate::openspec::proposal_form::ProposalFile;
use crate::openspec::scenario::ScenarioMap;
use crate::openspec::text::{FenceTracker, Text};
use crate::repo::snapshot::ReadError;
use crate::report::{Finding, Item, Level, Verdict, display_path};
use crate::rules::{
    self, ArchiveView, ChangeView, Check, DeltaView, MergeView, Origin, Place, Rule, ScenarioView, Sink, SpecView,
};

/// From this many items on, threads pay for their start.
pub const PARALLEL_FROM: usize = 24;

/// Which rules run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSet {
    /// Those of the reference, for its drop-in commands.
    Reference,
    /// All.
    All,
}

impl RuleSet {
    fn has(self, rule: &Rule) -> bool {
        self == Self::All || rule.origin == Origin::Reference
    }

    fn rules(self) -> impl Iterator<Item = &'static Rule> {
        rules::all().filter(move |rule| self.has(rule))
    }
}

/// Judges a main spec.
pub fn main_spec(project: &Project<'_>, file: &SpecFile, item: &Item, set: RuleSet) -> Vec<Finding> {
    let mut findings = Vec::new();
    let spec = match project.parsed(file) {
        Ok(spec) => spec,
        Err(error) => {
            report_unreadable(item, file.path.as_ref(), "file", error, &mut findings);
            return findings;
        }
    };
    report_encoding(item, file.path.as_ref(), "file", &spec.text, set, &mut findings);
    let view = SpecView { spec, project: Some(project), capability: &file.id };
    for rule in set.rules() {
        if let Check::Spec(check) = rule.check {
            check(&view, &mut Sink::new(rule, item, file.path.as_ref(), Some(&spec.text), &mut findings));
        }
    }
    let map = || ScenarioMap::of_spec(spec);
    scenarios(map, "requirements", item, file.path.as_ref(), &spec.text, set, &mut findings);
    findings
}

/// Judges the scenarios of a file, which are only read when a rule wants them.
fn scenarios(
    map: impl FnOnce() -> ScenarioMap,
    anchor: &str,
    item: &Item,
    path: &BStr,
    text: &Text,
    set: RuleSet,
    findings: &mut Vec<Finding>,
) {
    let mut checks = set.rules().filter_map(|rule| match rule.check {
        Check::Scenarios(check) => Some((rule, check)),
        _ => None,
    });
    let Some(first) = checks.next() else { return };
    let map = map();
    let view = ScenarioView { map: &map, anchor };
    for (rule, check) in std::iter::once(first).chain(checks) {
        check(&view, &mut Sink::new(rule, item, path, Some(text), findings));
    }
}

/// What a main spec that nobody found comes to: something is in the way, or nothing is there.
pub fn missing_spec(project: &Project<'_>, item: &Item, path: &BStr) -> Vec<Finding> {
    let mut findings = Vec::new();
    let error = project.snapshot().read(path).err().unwrap_or(ReadError::Missing);
    report_unreadable(item, path, "file", &error, &mut findings);
    findings
}

/// Judges an open change.
pub fn change(project: &Project<'_>, change: &Change, item: &Item, set: RuleSet) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_wrapper = !change.nested.is_empty();
    if !is_wrapper {
        report_unread_parts(project, change, item, set, &mut findings);
        if set == RuleSet::Reference && !findings.is_empty() {
            // The reference stops at the first thing it refuses to read.
            findings.truncate(1);
            return findings;
        }
        for file in &change.deltas {
            let Ok(delta) = &file.delta else { continue };
            let found = delta_file(&DeltaView::new(project, change, file, delta), item, set);
            let gives_up = found
                .iter()
                .find(|finding| finding.rule == rules::merge::unreadable_spec::RULE.id && finding.anchor == "file");
            if let (RuleSet::Reference, Some(finding)) = (set, gives_up) {
                return vec![finding.clone()];
            }
            findings.extend(found);
        }
    }
    let view = ChangeView::new(project, change);
    for rule in set.rules() {
        if let Check::Change(check) = rule.check {
            check(&view, &mut Sink::new(rule, item, change.dir.as_ref(), None, &mut findings));
        }
    }
    if set == RuleSet::All {
        if !is_wrapper {
            merged(&view, item, &mut findings);
            report_conflicts(project, change, item, &mut findings);
        }
        show_lines(project, change, &mut findings);
    }
    findings
}

/// Judges what archiving the change would make of the main specs.
fn merged(view: &ChangeView<'_>, item: &Item, findings: &mut Vec<Finding>) {
    let (project, change) = (view.project, view.change);
    let mut is_refused = false;
    for (run, file) in view.dry_run().files.iter().zip(&change.deltas) {
        let Ok(delta) = &file.delta else { continue };
        let view = MergeView { project, change, file, delta, run };
        is_refused |= run.outcome.is_refusal()
            && (view.refusals().is_empty() || !view.refusals().iter().all(|refusal| view.waits(refusal)));
        for rule in RuleSet::All.rules() {
            if let Check::Merge(check) = rule.check {
                check(&view, &mut Sink::new(rule, item, file.path.as_ref(), Some(&delta.text), findings));
            }
        }
    }
    // Whatever the reason is, a change that cannot be archived does not pass.
    if is_refused && !findings.iter().any(|finding| finding.level == Level::Error) {
        let place = Place { file: change.dir.as_ref(), line: 0, anchor: "file", text: None };
        let fix = "run `openspec archive` on it in a scratch copy, and report what it says to the specward project";
        Sink::new(&rules::merge::aborts::RULE, item, change.dir.as_ref(), None, findings).report_at(
            place,
            "archiving would refuse this change",
            fix,
        );
    }
}

/// Reports what belongs to a change and could not be read. The reference passes over most of it.
fn report_unread_parts(project: &Project<'_>, change: &Change, item: &Item, set: RuleSet, findings: &mut Vec<Finding>) {
    for (path, error) in &change.unreadable {
        // `specs` that is a file is a change without deltas, which is said elsewhere.
        if *error != ReadError::NotADirectory {
            report_unreadable(item, path.as_ref(), "file", error, findings);
        }
    }
    if set == RuleSet::All {
        for (path, error) in change.odd.iter().chain(&change.tasks.unreadable) {
            report_unreadable(item, path.as_ref(), "file", error, findings);
        }
        report_metadata(project, change, item, findings);
    }
    for file in &change.deltas {
        if let Err(error) = &file.delta
            && (file.is_refused || set == RuleSet::All)
        {
            report_unreadable(item, file.path.as_ref(), "file", error, findings);
        }
    }
}

/// Judges one delta of a change: what it says, and when no error is in that, what it comes to when merged.
fn delta_file(view: &DeltaView<'_>, item: &Item, set: RuleSet) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (path, text): (&BStr, &Text) = (view.file.path.as_ref(), &view.delta.text);
    report_encoding(item, path, &view.file.entry(), text, set, &mut findings);
    for rule in set.rules() {
        if let Check::Delta(check) = rule.check {
            check(view, &mut Sink::new(rule, item, path, Some(text), &mut findings));
        }
    }
    let map = || ScenarioMap::of_delta(view.delta);
    scenarios(map, &view.file.entry(), item, path, text, set, &mut findings);
    // Where all rules run, one for each reason says more about it, at the level it deserves.
    if set == RuleSet::All || findings.iter().any(|finding| finding.level == Level::Error) {
        return findings;
    }
    for rule in set.rules() {
        if let Check::DryRun(check) = rule.check {
            check(view, &mut Sink::new(rule, item, path, Some(text), &mut findings));
        }
    }
    findings
}

/// Shows the lines that findings about a change as a whole point at: no rule has read those files.
fn show_lines(project: &Project<'_>, change: &Change, findings: &mut [Finding]) {
    for name in ["proposal.md", METADATA_FILE] {
        let path = change.path(name);
        let shown = display_path(path.as_ref());
        let mut waiting =
            findings.iter_mut().filter(|finding| finding.source.is_none() && finding.path == shown).peekable();
        if waiting.peek().is_none() {
            continue;
        }
        let Ok(bytes) = project.snapshot().read(path.as_ref()) else { continue };
        let text = Text::from_bytes(bytes);
        for finding in waiting.filter(|finding| finding.line <= text.len()) {
            finding.show(Some(text.line(finding.line - 1)));
        }
    }
}

/// Judges an archived change.
pub fn archived(change: &Change, item: &Item) -> Vec<Finding> {
    let mut findings = Vec::new();
    let view = ArchiveView { change };
    for rule in rules::all() {
        if let Check::Archive(check) = rule.check {
            check(&view, &mut Sink::new(rule, item, change.dir.as_ref(), None, &mut findings));
        }
    }
    findings
}

/// What a fault of ours comes to: the item could not be checked, the others still are.
pub(super) fn crashed(item: &Item, path: &BStr) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rule = &rules::repo::crashed::RULE;
    let place = Place { file: path, line: 0, anchor: "file", text: None };
    let fix = "report it to the specward project with this file";
    Sink::new(rule, item, path, None, &mut findings)
        .report_at(place, "specward crashed while it judged this", fix)
        .unverifiable();
    findings
}

/// What an item's findings come to.
pub fn verdict(findings: &[Finding], strict: bool) -> Verdict {
    let worst = |finding: &Finding| match finding.fails(strict) {
        true if finding.cannot_check => Verdict::Unverifiable,
        true => Verdict::Fail,
        false => Verdict::Pass,
    };
    findings.iter().map(worst).fold(Verdict::Pass, Verdict::worst)
}

/// Reports something that is there and could not be read. A link out of the tree is refused, which fails; everything
/// else leaves the item unverifiable.
pub(super) fn report_unreadable(
    item: &Item,
    path: &BStr,
    anchor: &str,
    error: &ReadError,
    findings: &mut Vec<Finding>,
) {
    let place = Place { file: path, line: 0, anchor, text: None };
    if let ReadError::Outside(_) = error {
        let rule = &rules::repo::outside_tree::RULE;
        let message = format!("nothing was read here: {error}");
        Sink::new(rule, item, path, None, findings).report_at(
            place,
            message,
            "put a copy of the file in place of the link",
        );
    } else {
        let rule = &rules::repo::unreadable::RULE;
        let message = format!("this could not be read: {error}");
        let fix = match error {
            ReadError::Missing => "create the file, or name another item",
            ReadError::IsADirectory | ReadError::NotADirectory | ReadError::NotAFile => {
                "put a regular file in its place"
            }
            ReadError::Dangling(_) => "put a copy of the file in place of the link",
            ReadError::LinkedFolder => "put the folder itself in place of the link",
            ReadError::TooLarge(_) => "split the file",
            ReadError::Outside(_) | ReadError::Io(_) => "make it readable",
        };
        Sink::new(rule, item, path, None, findings).report_at(place, message, fix).unverifiable();
    }
}

/// Reports metadata and a schema of a change that nobody can use. The reference passes over them.
fn report_metadata(project: &Project<'_>, change: &Change, item: &Item, findings: &mut Vec<Finding>) {
    if let Some((line, reason)) = change.metadata.complaint() {
        report_bad_metadata(item, change.path(METADATA_FILE).as_ref(), line, reason, findings);
    }
    let Ok(name) = artifacts::schema_name(project, &change.metadata) else { return };
    let Some(path) = project.own_schema_path(&name) else { return };
    if let Err(reason) = project.schema(&name).as_ref() {
        report_bad_metadata(item, path.as_ref(), 1, reason.clone(), findings);
    }
}

/// What a project's `config.yaml` that nobody can use comes to. The reference passes over it.
pub(super) fn configuration(project: &Project<'_>, item: &Item) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(path) = project.config_path() else { return findings };
    match project.snapshot().read(path.as_ref()) {
        Ok(bytes) => {
            if let Some((line, reason)) = metadata::config_complaint(&bytes) {
                report_bad_metadata(item, path.as_ref(), line, reason, &mut findings);
            }
        }
        Err(error) => report_unreadable(item, path.as_ref(), "file", &error, &mut findings),
    }
    findings
}

fn report_bad_metadata(item: &Item, path: &BStr, line: usize, reason: String, findings: &mut Vec<Finding>) {
    let rule = &rules::repo::bad_metadata::RULE;
    let place = Place { file: path, line: line.saturating_sub(1), anchor: "file", text: None };
    Sink::new(rule, item, path, None, findings).report_at(place, reason, "mend the file, or delete it");
}

/// What a conflict marker comes to, and what to do.
const CONFLICT: (&str, &str) =
    ("there is a conflict marker on this line", "resolve the conflict and delete the markers");

/// Reports conflict markers in a change's proposal and task files, which no rule reads as documents.
fn report_conflicts(project: &Project<'_>, change: &Change, item: &Item, findings: &mut Vec<Finding>) {
    let rule = &rules::repo::conflict_marker::RULE;
    if let ProposalFile::Read(form) = change.proposal(project) {
        let path = change.path("proposal.md");
        let text = &form.text;
        for line in conflict::markers((0..text.len()).map(|line| text.line(line)), |line| text.fenced(line)) {
            let place = Place { file: path.as_ref(), line, anchor: "proposal.md", text: Some(text) };
            Sink::new(rule, item, path.as_ref(), None, findings).report_at(place, CONFLICT.0, CONFLICT.1);
        }
    }
    for document in &change.tasks.documents {
        let mut fences = FenceTracker::default();
        let fenced: Vec<bool> = document.content.split('\n').map(|line| fences.feed(line)).collect();
        for line in conflict::markers(document.content.split('\n'), |line| fenced[line]) {
            let place = Place { file: document.path.as_ref(), line, anchor: &document.entry, text: None };
            let mut sink = Sink::new(rule, item, document.path.as_ref(), None, findings);
            sink.report_at(place, CONFLICT.0, CONFLICT.1).show(document.content.split('\n').nth(line));
        }
    }
}

fn report_encoding(item: &Item, path: &BStr, anchor: &str, text: &Text, set: RuleSet, findings: &mut Vec<Finding>) {
    if set == RuleSet::Reference {
        return;
    }
    let mut report = |rule, offset: usize, message: &str, fix: &str| {
        let place = Place { file: path, line: text.line_at(offset), anchor, text: Some(text) };
        Sink::new(rule, item, path, None, findings).report_at(place, message, fix);
    };
    if let Some(offset) = text.content().find('\0') {
        report(
            &rules::repo::nul_byte::RULE,
            offset,
            "there is a NUL byte on this line",
            "save the file as UTF-8 without NUL bytes",
        );
    }
    let markers = conflict::markers((0..text.len()).map(|line| text.line(line)), |line| text.fenced(line));
    for line in markers {
        report(&rules::repo::conflict_marker::RULE, text.offset(line), CONFLICT.0, CONFLICT.1);
    }
    if text.is_lossy() {
        let offset = text.content().find('\u{fffd}').unwrap_or_default();
        report(
            &rules::repo::not_utf8::RULE,
            offset,
            "there are bytes on this line that are not UTF-8",
            "save the file as UTF-8",
        );
    }
}
