//! Which requirements of a file base has word for word.

use std::collections::HashMap;

use bstr::BStr;

use crate::openspec::change::Change;
use crate::openspec::heading::fold_name;
use crate::openspec::js;
use crate::openspec::project::Project;

/// The requirements of base's version of a file: the text of each by its folded name.
#[derive(Debug, Default)]
pub(super) struct Unchanged {
    by_name: HashMap<String, Vec<String>>,
}

impl Unchanged {
    /// Those of a main spec of base. None when base has no such spec.
    pub(super) fn of_spec(base: &Project<'_>, capability: &str) -> Self {
        let mut unchanged = Self::default();
        if let Some(file) = base.spec_at(capability.into())
            && let Ok(spec) = base.parsed(&file)
        {
            for requirement in &spec.requirements {
                let start = spec.text.offset(requirement.section.line);
                let end = requirement.section.content.end.max(start);
                unchanged.add(requirement.name(), &spec.text.content()[start..end]);
            }
        }
        unchanged
    }

    /// Those of a delta of base.
    pub(super) fn of_delta(base: &Project<'_>, change: &str, capability: &str) -> Self {
        let mut unchanged = Self::default();
        let change = Change::load(base, BStr::new(change));
        let files = change.deltas.iter().filter(|file| file.capability == capability);
        for delta in files.filter_map(|file| file.delta.as_ref().ok()) {
            for block in delta.added.iter().chain(&delta.modified) {
                unchanged.add(&block.name, delta.raw(block));
            }
        }
        unchanged
    }

    fn add(&mut self, name: &str, text: &str) {
        self.by_name.entry(fold_name(name)).or_default().push(js::trim_end(text).to_owned());
    }

    /// Whether base has this requirement with this text.
    pub(super) fn has(&self, name: &str, text: &str) -> bool {
        self.by_name.get(&fold_name(name)).is_some_and(|texts| texts.iter().any(|known| known == js::trim_end(text)))
    }
}
