//! `merge/same-file`

use bstr::BString;

use crate::repo::snapshot::{ReadError, join};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports two deltas of one change whose main specs are one and the same file, because a capability's folder or
    /// its `spec.md` is a link to another's.
    ///
    /// ## Why it matters
    /// The second would be merged into a file that the first has changed meanwhile. Archiving refuses that, and the
    /// reference's `validate --strict` passes.
    ///
    /// ## How to fix
    /// Write one delta for the capability the link leads to, or put a folder of its own in place of the link.
    "merge/same-file", Error, Own, "Two deltas of a change are for one file", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<(BString, &str)> = Vec::new();
    for (run, file) in view.dry_run().files.iter().zip(&view.change.deltas) {
        // One that changes nothing stands in nobody's way.
        if !run.outcome.is_mutation() && !run.outcome.is_refusal() {
            continue;
        }
        let snapshot = view.project.snapshot();
        // A file that is not there yet will be where its folder leads.
        let folder = run.path.strip_suffix(b"/spec.md").unwrap_or(&run.path);
        let real = match snapshot.resolve(run.path.as_ref()) {
            Ok(real) => real,
            Err(ReadError::Missing) => {
                join(snapshot.resolve(folder.into()).unwrap_or_else(|_| folder.into()).as_ref(), "spec.md")
            }
            Err(_) => continue,
        };
        match seen.iter().find(|(other, _)| *other == real) {
            Some((_, other)) => {
                let text = file.delta.as_ref().ok().map(|delta| &delta.text);
                let place = Place { file: file.path.as_ref(), line: 0, anchor: &file.entry(), text };
                let message =
                    format!("`{}` and `{other}` lead to one file, {}", file.capability, crate::report::display_path(real.as_ref()));
                sink.report_at(place, message, "write one delta for it, or put a folder in place of the link");
            }
            None => seen.push((real, &file.capability)),
        }
    }
}
