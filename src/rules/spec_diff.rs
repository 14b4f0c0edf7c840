//! A main spec as base and as head has it, for rules about what lies between.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use bstr::{BString, ByteSlice};

use super::view::{EditPlace, SpecEdit};
use crate::openspec::delta::Delta;
use crate::openspec::loss::{self, Elsewhere, SpecLoss};
use crate::openspec::project::Project;
use crate::openspec::spec::Spec;
use crate::repo::snapshot::join;

/// A project as base has it and as head has it. Either side reads what it is asked for and nothing else; one that does
/// not have the project has no files.
#[derive(Debug)]
pub struct ProjectPair<'a> {
    /// Base's.
    pub base: &'a Project<'a>,
    /// Head's, the one that is judged.
    pub head: &'a Project<'a>,
}

/// A main spec that differs between base and head.
#[derive(Debug)]
pub struct SpecDiffView<'a> {
    /// Both sides of its project.
    pub project: &'a ProjectPair<'a>,
    /// Spec-set files that differ, those of other projects too.
    pub edits: &'a [SpecEdit],
    /// Its capability.
    pub capability: &'a str,
    /// What base has.
    pub base: &'a Spec,
    /// What head has; none when it is gone.
    pub head: Option<&'a Spec>,
    lost: OnceLock<SpecLoss>,
    archived: OnceLock<Vec<(String, Delta)>>,
}

impl ProjectPair<'_> {
    /// Capabilities whose main spec is in base and not as it was in what is judged.
    pub fn differing_specs(&self, edits: &[SpecEdit]) -> BTreeSet<String> {
        let folder = self.head.path("specs/");
        let edited = edits.iter().filter(|edit| edit.place == EditPlace::Head && edit.change.base.is_some());
        edited.filter_map(|edit| capability(edit.change.path.strip_prefix(folder.as_slice())?)).collect()
    }
}

/// The capability of a `…/spec.md`.
fn capability(path: &[u8]) -> Option<String> {
    Some(path.strip_suffix(b"/spec.md")?.to_str().ok()?.to_owned())
}

impl<'a> SpecDiffView<'a> {
    /// A main spec of both sides.
    pub fn new(
        project: &'a ProjectPair<'a>,
        edits: &'a [SpecEdit],
        capability: &'a str,
        base: &'a Spec,
        head: Option<&'a Spec>,
    ) -> Self {
        Self { project, edits, capability, base, head, lost: OnceLock::new(), archived: OnceLock::new() }
    }

    /// What head's spec lost and no delta says, compared once. Deltas and other specs are only read when anything is
    /// gone at all.
    pub fn lost(&self) -> &SpecLoss {
        self.lost.get_or_init(|| {
            let mut elsewhere = Elsewhere::default();
            add_changed(&mut elsewhere, self.base, self.head);
            if loss::between(self.base, self.head, &[], &elsewhere).is_empty() {
                return SpecLoss::default();
            }
            self.add_other_specs(&mut elsewhere);
            let open = self.open_deltas();
            let archived = self.archived().iter().map(|(_, delta)| delta);
            let deltas: Vec<&Delta> = archived.chain(open.iter().map(|(_, delta)| delta)).collect();
            loss::between(self.base, self.head, &deltas, &elsewhere)
        })
    }

    /// The changes this diff archives that have a delta for the spec, with that delta.
    pub fn archived(&self) -> &[(String, Delta)] {
        self.archived.get_or_init(|| {
            let folder = self.project.head.path("changes/archive/");
            let inner = format!("specs/{}/spec.md", self.capability);
            let is_new = |edit: &&SpecEdit| edit.place == EditPlace::Head && edit.change.base.is_none();
            let archived = self.edits.iter().filter(is_new).filter_map(|edit| {
                let (name, path) = edit.change.path.strip_prefix(folder.as_slice())?.split_once_str("/")?;
                if path != inner.as_bytes() {
                    return None;
                }
                let bytes = self.project.head.snapshot().read(edit.change.path.as_ref()).ok()?;
                Some((name.to_str_lossy().into_owned(), Delta::parse(bytes)))
            });
            archived.collect()
        })
    }

    /// Changes that are open in head with their deltas for the spec: their text may be in the main spec already.
    pub fn open_deltas(&self) -> Vec<(String, Delta)> {
        let head = self.project.head;
        let names = head.change_names().unwrap_or_default();
        let path = |name: &BString| {
            let folder = join(head.path("changes").as_ref(), name);
            join(folder.as_ref(), format!("specs/{}/spec.md", self.capability))
        };
        let read = |name: &BString| {
            let bytes = head.snapshot().read(path(name).as_ref()).ok()?;
            Some((name.to_str_lossy().into_owned(), Delta::parse(bytes)))
        };
        names.iter().filter_map(read).collect()
    }

    /// Requirements move to other capabilities too, new ones included.
    fn add_other_specs(&self, elsewhere: &mut Elsewhere) {
        let (base, head) = (self.project.base, self.project.head);
        let folder = head.path("specs/");
        let edited = self.edits.iter().filter(|edit| edit.place == EditPlace::Head && edit.change.head.is_some());
        let names = edited.filter_map(|edit| capability(edit.change.path.strip_prefix(folder.as_slice())?));
        for name in names.filter(|name| name != self.capability) {
            let Some(file) = head.spec(&name) else { continue };
            let Ok(spec) = head.parsed(&file) else { continue };
            let before = base.spec(&name);
            match before.as_ref().map(|file| base.parsed(file)) {
                Some(Ok(before)) => add_changed(elsewhere, before, Some(spec)),
                _ => spec.blocks.iter().for_each(|block| elsewhere.add(spec.raw(block), None)),
            }
        }
    }
}

/// Adds what head's requirements say and base's of the same name did not.
fn add_changed(elsewhere: &mut Elsewhere, base: &Spec, head: Option<&Spec>) {
    let Some(head) = head else { return };
    let old: std::collections::HashMap<&str, &str> =
        base.blocks.iter().map(|block| (block.name.as_str(), base.raw(block))).collect();
    for block in &head.blocks {
        let (new, old) = (head.raw(block), old.get(block.name.as_str()).copied());
        if old != Some(new) {
            elsewhere.add(new, old);
        }
    }
}
