//! Which changes are open and which are archived, on base and on head.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use crate::openspec::change::without_date;
use crate::openspec::project::Project;
use crate::repo::snapshot::{Kind, Snapshot, join};

/// Folders of changes are not searched deeper for a file.
const MAX_DEPTH: usize = 32;

/// A folder that head has in its archive and base has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    /// Its name.
    pub(super) name: BString,
    /// The change that was open on base, when it was one.
    pub(super) id: Option<BString>,
}

/// The changes of a project on both sides.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Open on base.
    pub(super) open: BTreeSet<BString>,
    /// Open on head and not on base.
    pub(super) opened: BTreeSet<BString>,
    /// Archived on head and not on base.
    pub(super) events: Vec<Event>,
}

impl History {
    /// Looks at the folders of both sides.
    pub(super) fn of(base: &Project<'_>, head: &Project<'_>) -> Self {
        let open: BTreeSet<BString> = base.change_names().unwrap_or_default().into_iter().collect();
        let archived: BTreeSet<BString> = base.archived_names().unwrap_or_default().into_iter().collect();
        let is_here = |name: &BString| has_file(head.snapshot(), join(head.path("changes").as_ref(), name).as_ref(), 0);
        let opened = head.change_names().unwrap_or_default().into_iter();
        let opened = opened.filter(|name| !open.contains(name) && is_here(name)).collect();
        let mut events: Vec<Event> = Vec::new();
        let folder = head.path("changes/archive");
        for name in head.archived_names().unwrap_or_default() {
            if archived.contains(&name) || !has_file(head.snapshot(), join(folder.as_ref(), &name).as_ref(), 0) {
                continue;
            }
            let ids = [without_date(name.as_ref()), Some(name.as_ref())].into_iter().flatten();
            let id = ids.map(BStr::to_owned).find(|id| open.contains(id));
            // A change is archived once.
            let id = id.filter(|id| !events.iter().any(|event| event.id.as_ref() == Some(id)));
            events.push(Event { name, id });
        }
        Self { open, opened, events }
    }

    /// The event of an archived folder.
    pub(super) fn event(&self, name: &BString) -> Option<&Event> {
        self.events.iter().find(|event| event.name == *name)
    }

    /// The event by which an open change was archived.
    pub(super) fn archive_of(&self, id: &BString) -> Option<&Event> {
        self.events.iter().find(|event| event.id.as_ref() == Some(id))
    }

    /// A name of base that a new one differs from in nothing but case.
    pub(super) fn alike(&self, name: &BString) -> Option<&BStr> {
        let archive = BStr::new("archive");
        let known = self.open.iter().map(AsRef::as_ref).chain([archive]);
        known.into_iter().find(|known: &&BStr| name.as_bstr() != *known && name.eq_ignore_ascii_case(known))
    }
}

/// Whether a folder holds anything git would know.
pub(super) fn has_file(snapshot: &dyn Snapshot, dir: &BStr, depth: usize) -> bool {
    depth <= MAX_DEPTH
        && snapshot.list(dir).unwrap_or_default().iter().any(|entry| match entry.kind {
            Kind::Dir => has_file(snapshot, join(dir, &entry.name).as_ref(), depth + 1),
            _ => true,
        })
}
