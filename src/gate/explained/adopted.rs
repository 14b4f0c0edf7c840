//! A project that begins to be judged.

use super::Sorter;
use crate::config::{Config, FILE};
use crate::openspec::project::FOLDER;
use crate::repo::snapshot::join;
use crate::rules::SpecEdit;

impl Sorter<'_> {
    /// Whether an edit adds the configuration of a project on base that had none, and only asks for more by it.
    pub(super) fn is_adopted(&self, edit: &SpecEdit, at: usize) -> bool {
        let folder = join(self.side.roots[at].as_ref(), FOLDER);
        if edit.change.base.is_some()
            || edit.change.path != join(folder.as_ref(), FILE)
            || self.side.base.followed_kind(folder.as_ref()).is_err()
        {
            return false;
        }
        let config = self.head(edit).map(|bytes| Config::parse(&bytes, FILE));
        config.is_some_and(|config| config.is_ok_and(|config| config.only_asks_for_more()))
    }
}
