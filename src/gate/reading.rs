//! What the gate itself reports while it reads: files that nobody can read or use, and what is wrong with their bytes.

use bstr::BStr;

use super::judge::RuleSet;
use crate::openspec::artifacts;
use crate::openspec::change::Change;
use crate::openspec::conflict;
use crate::openspec::metadata::{self, METADATA_FILE};
use crate::openspec::project::Project;
use crate::openspec::proposal_form::ProposalFile;
use crate::openspec::text::{FenceTracker, Text};
use crate::repo::snapshot::ReadError;
use crate::report::{Finding, Item};
use crate::rules::{self, Place, Sink};

/// Reports what belongs to a change and could not be read. The reference passes over most of it.
pub(super) fn report_unread_parts(
    project: &Project<'_>,
    change: &Change,
    item: &Item,
    set: RuleSet,
    findings: &mut Vec<Finding>,
) {
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
pub(super) fn report_conflicts(project: &Project<'_>, change: &Change, item: &Item, findings: &mut Vec<Finding>) {
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

pub(super) fn report_encoding(
    item: &Item,
    path: &BStr,
    anchor: &str,
    text: &Text,
    set: RuleSet,
    findings: &mut Vec<Finding>,
) {
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
