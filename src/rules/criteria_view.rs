//! What rules about criteria get to see.

use std::collections::HashMap;

use bstr::BString;

use crate::criteria::{CriteriaFile, Criterion, Matching};
use crate::openspec::project::Project;

/// A file of criteria under judgement.
#[derive(Debug)]
pub struct CriteriaView<'a> {
    /// The project it belongs to.
    pub project: &'a Project<'a>,
    /// The file.
    pub file: &'a CriteriaFile,
    /// What each of its criteria means, in their order.
    pub matches: &'a [Matching],
    /// Ids of all files that are judged, this one included.
    pub ids: &'a CriterionIds,
}

impl<'a> CriteriaView<'a> {
    /// Its criteria, each with what it means.
    pub fn matched(&self) -> impl Iterator<Item = (&'a Criterion, &'a Matching)> {
        self.file.criteria().iter().zip(self.matches)
    }
}

/// Where each id of a project's criteria stands.
#[derive(Debug, Default)]
pub struct CriterionIds {
    by_id: HashMap<String, Vec<CriterionPlace>>,
}

/// Where a criterion stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriterionPlace {
    /// The file.
    pub path: BString,
    /// 0-based.
    pub line: usize,
}

impl CriterionIds {
    /// The ids of some files.
    pub fn of<'f>(files: impl Iterator<Item = &'f CriteriaFile>) -> Self {
        let mut ids = Self::default();
        for criterion in files.flat_map(CriteriaFile::criteria) {
            let place = CriterionPlace { path: criterion.path.clone(), line: criterion.line };
            ids.by_id.entry(criterion.id.clone()).or_default().push(place);
        }
        ids
    }

    /// Another criterion of the same id.
    pub fn other(&self, criterion: &Criterion) -> Option<&CriterionPlace> {
        let is_other = |place: &&CriterionPlace| (&place.path, place.line) != (&criterion.path, criterion.line);
        self.by_id.get(&criterion.id)?.iter().find(is_other)
    }
}
