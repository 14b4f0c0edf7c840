//! `merge/archive-blocked`

use bstr::{BStr, BString};

use crate::repo::snapshot::{Kind, ReadError, is_below};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a change that archiving could not move: its deltas lie behind a link that leads out of the change's folder,
    /// `changes/archive` is a link that leads out of `changes/`, or it is no folder.
    ///
    /// ## Why it matters
    /// Archiving merges the deltas first and then fails, or refuses at once, and the reference's `validate --strict`
    /// passes.
    ///
    /// ## How to fix
    /// Put the folder itself in place of the link.
    "merge/archive-blocked", Error, Own, "A change cannot be moved to the archive", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let snapshot = view.project.snapshot();
    let mut report = |file: &BStr, message: &str, fix: &str| {
        let place = Place { file, line: 0, anchor: "file", text: None };
        sink.report_at(place, message, fix);
    };
    let no_link = "put the folder itself in place of the link";
    let specs = view.change.path("specs");
    let leads_out = snapshot.resolve(specs.as_ref()).is_ok_and(|real| !is_below(real.as_ref(), view.change.dir.as_ref()));
    if leads_out && !view.change.deltas.is_empty() {
        report(specs.as_ref(), "the change's deltas lie behind a link, and archiving fails when it moves them", no_link);
    }
    let archive = view.project.path("changes/archive");
    match snapshot.kind(archive.as_ref()) {
        Err(ReadError::Missing) | Ok(Kind::Dir) => {}
        Ok(Kind::Link) => {
            let changes = snapshot.resolve(view.project.path("changes").as_ref()).unwrap_or_default();
            let is_inside = |real: BString| is_below(real.as_ref(), changes.as_ref());
            if !snapshot.resolve(archive.as_ref()).is_ok_and(is_inside) {
                report(archive.as_ref(), "the archive is a link that leads out of `changes/`, so archiving is refused", no_link);
            }
        }
        _ => report(archive.as_ref(), "the archive is no folder, so archiving fails", "make it a folder"),
    }
}
