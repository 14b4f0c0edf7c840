//! `merge/archive-name-taken`

use crate::openspec::change::archive_name;
use crate::repo::snapshot::join;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports an open change whose name begins with a date when the archive has that name already. Such a name is kept
    /// by archiving; other names get the date of the day.
    ///
    /// ## Why it matters
    /// Archiving refuses it, and the reference's `validate --strict` passes.
    ///
    /// ## How to fix
    /// Rename the change's folder.
    "merge/archive-name-taken", Error, Own, "The archive has a change of that name", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let Some(name) = archive_name(&view.change.id) else { return };
    let path = join(view.project.path("changes/archive").as_ref(), name);
    if view.project.snapshot().kind(path.as_ref()).is_ok() {
        let place = Place { file: view.change.dir.as_ref(), line: 0, anchor: "file", text: None };
        let message = format!("the archive has a change `{name}` already, so this one cannot be archived");
        sink.report_at(place, message, "rename the change's folder");
    }
}
