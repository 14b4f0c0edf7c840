//! What rules get to see.

use std::cell::OnceCell;
use std::sync::OnceLock;

use super::spec_diff::ProjectPair;
use crate::openspec::change::{Change, DeltaFile};
use crate::openspec::claims::bringer;
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::leftovers::{self, Named};
use crate::openspec::loss::{self, BlockLoss, Elsewhere};
use crate::openspec::merge::{Reason, Refusal};
use crate::openspec::near::NameIndex;
use crate::openspec::project::Project;
use crate::openspec::requirement::Block;
use crate::openspec::scenario::ScenarioMap;
use crate::openspec::spec::Spec;
use crate::openspec::text::Text;
use crate::repo::changes::FileChange;
use crate::report::display_path;
use crate::rules::freeze::{Archived, Freeze, Unexplained};
use crate::rules::merge::dry_run::{DryRun, FileRun, Outcome};

/// A main spec under judgement.
#[derive(Debug)]
pub struct SpecView<'a> {
    /// The parsed file.
    pub spec: &'a Spec,
    /// The project it belongs to; none when the spec is one that would be written.
    pub project: Option<&'a Project<'a>>,
    /// Its capability.
    pub capability: &'a str,
}

/// The scenarios of a main spec or a delta under judgement.
#[derive(Debug)]
pub struct ScenarioView<'a> {
    /// Which scenarios stand where.
    pub map: &'a ScenarioMap,
    /// The file.
    pub text: &'a Text,
    /// The path under which findings are reported.
    pub anchor: &'a str,
}

/// A delta file under judgement.
#[derive(Debug)]
pub struct DeltaView<'a> {
    /// The project it belongs to.
    pub project: &'a Project<'a>,
    /// The change it belongs to.
    pub change: &'a Change,
    /// Where it lies and which capability it is for.
    pub file: &'a DeltaFile,
    /// The parsed file.
    pub delta: &'a Delta,
    losses: OnceLock<Vec<BlockLoss>>,
    named: OnceLock<Vec<Named>>,
}

impl<'a> DeltaView<'a> {
    /// A delta file of a change.
    pub fn new(project: &'a Project<'a>, change: &'a Change, file: &'a DeltaFile, delta: &'a Delta) -> Self {
        Self { project, change, file, delta, losses: OnceLock::new(), named: OnceLock::new() }
    }

    /// Its lines that name a requirement of the main spec where nobody reads names.
    pub fn named(&self) -> &[Named] {
        self.named.get_or_init(|| {
            let Ok(Some(file)) = self.project.target(&self.file.capability) else { return Vec::new() };
            self.project.parsed(&file).map_or_else(|_| Vec::new(), |spec| leftovers::named(self.delta, spec))
        })
    }

    /// What its MODIFIED blocks lose of the main spec's, compared once.
    pub fn losses(&self) -> &[BlockLoss] {
        self.losses.get_or_init(|| {
            if self.delta.modified.is_empty() {
                return Vec::new();
            }
            let Ok(Some(file)) = self.project.target(&self.file.capability) else { return Vec::new() };
            let Ok(spec) = self.project.parsed(&file) else { return Vec::new() };
            loss::losses(self.delta, spec, &self.elsewhere(spec))
        })
    }

    /// What the whole change writes anew: a demand may move to another requirement or capability.
    fn elsewhere(&self, spec: &Spec) -> Elsewhere {
        let mut elsewhere = Elsewhere::default();
        for delta in self.change.deltas.iter().filter_map(|file| file.delta.as_ref().ok()) {
            delta.added.iter().for_each(|block| elsewhere.add(delta.raw(block), None));
        }
        for pair in loss::replaced(self.delta, spec) {
            elsewhere.add(self.delta.raw(pair.new), Some(spec.raw(pair.old)));
        }
        elsewhere
    }

    /// Requirements the delta writes out: added, then modified ones.
    pub fn written_blocks(&self) -> impl Iterator<Item = (Operation, &Block)> {
        let added = self.delta.added.iter().map(|block| (Operation::Added, block));
        added.chain(self.delta.modified.iter().map(|block| (Operation::Modified, block)))
    }
}

/// A delta file and what archiving would make of it.
#[derive(Debug)]
pub struct MergeView<'a> {
    /// The project it belongs to.
    pub project: &'a Project<'a>,
    /// The change it belongs to.
    pub change: &'a Change,
    /// Where it lies and which capability it is for.
    pub file: &'a DeltaFile,
    /// The parsed file.
    pub delta: &'a Delta,
    /// What comes out.
    pub run: &'a FileRun,
}

impl MergeView<'_> {
    /// Why operations cannot be applied.
    pub fn refusals(&self) -> &[Refusal] {
        match &self.run.outcome {
            Outcome::Refused(refusals) => refusals,
            _ => &[],
        }
    }

    /// Whether an operation is refused only because another open change has to be archived first: that is told with the
    /// order in which the two work, and is no error.
    pub fn waits(&self, refusal: &Refusal) -> bool {
        let is_brought = |name: &str| bringer(self.project, &self.file.capability, name, &self.change.id).is_some();
        match &refusal.reason {
            Reason::NotFound(_, name, None) => is_brought(name),
            Reason::NoTarget(_) => {
                let modified = self.delta.modified.iter().map(|block| &block.name);
                modified.chain(self.delta.renamed.iter().map(|rename| &rename.from)).all(|name| is_brought(name))
            }
            _ => false,
        }
    }

    /// Whether archiving stops here, and not only because another open change has to be archived before.
    pub fn is_refused_by_itself(&self) -> bool {
        let refusals = self.refusals();
        self.run.outcome.is_refusal() && (refusals.is_empty() || !refusals.iter().all(|refusal| self.waits(refusal)))
    }

    /// The main spec, when there is one that can be read.
    pub fn target(&self) -> Option<&Spec> {
        self.run.target.as_ref().and_then(|file| self.project.parsed(file).ok())
    }

    /// The names of the main spec's requirements.
    pub fn names(&self) -> NameIndex<'_> {
        NameIndex::new(self.target().into_iter().flat_map(|spec| &spec.blocks).map(|block| block.name.as_str()))
    }

    /// The main spec's path, or that it is new.
    pub fn target_name(&self) -> String {
        match &self.run.target {
            Some(file) => display_path(file.path.as_ref()),
            None => format!("the new spec of `{}`", self.file.capability),
        }
    }

    /// A 0-based line of the main spec as `path:line`.
    pub fn target_place(&self, line: usize) -> String {
        format!("{}:{}", display_path(self.run.path.as_ref()), line + 1)
    }

    /// 0-based line of a requirement in the main spec.
    pub fn line_of(&self, name: &str) -> Option<usize> {
        self.target()?.blocks.iter().find(|block| block.name == name).map(|block| block.line)
    }

    /// 0-based line of the delta's first entry.
    pub fn first_line(&self) -> usize {
        let blocks = self.delta.added.iter().chain(&self.delta.modified).map(|block| block.line);
        let removed = self.delta.removed.iter().map(|removal| removal.line);
        let renamed = self.delta.renamed.iter().map(|rename| rename.from_line);
        blocks.chain(removed).chain(renamed).min().unwrap_or_default()
    }
}

/// A change under judgement.
#[derive(Debug)]
pub struct ChangeView<'a> {
    /// The project it belongs to.
    pub project: &'a Project<'a>,
    /// The change.
    pub change: &'a Change,
    dry_run: OnceCell<DryRun>,
}

impl<'a> ChangeView<'a> {
    /// A view of a change.
    pub fn new(project: &'a Project<'a>, change: &'a Change) -> Self {
        Self { project, change, dry_run: OnceCell::new() }
    }

    /// What archiving the change would do, when nobody needs the view any more.
    pub fn into_dry_run(self) -> DryRun {
        self.dry_run.into_inner().unwrap_or_else(|| DryRun::of(self.project, self.change))
    }

    /// What archiving the change would do; found out when it is first asked for.
    pub fn dry_run(&self) -> &DryRun {
        self.dry_run.get_or_init(|| DryRun::of(self.project, self.change))
    }
}

/// An archived change.
#[derive(Debug)]
pub struct ArchiveView<'a> {
    /// The change.
    pub change: &'a Change,
}

/// What differs between base and head.
#[derive(Debug)]
pub struct DiffView<'a> {
    /// Spec-set files that differ.
    pub edits: &'a [SpecEdit],
    /// The projects that are compared.
    pub projects: &'a [ProjectPair<'a>],
    /// What is asked of them.
    pub freeze: Freeze,
    /// Those that nothing makes legitimate, when that was asked.
    pub unexplained: &'a [Unexplained],
    /// Changes that were archived between base and head.
    pub archived: &'a [Archived],
}

/// A spec-set file that differs between base and head.
#[derive(Debug, Clone)]
pub struct SpecEdit {
    /// The file and how it differs.
    pub change: FileChange,
    /// Where the difference is.
    pub place: EditPlace,
    /// Whether all that happened is that boxes of an open change's tasks were ticked, which is no edit of the spec.
    pub is_ticking: bool,
    /// 0-based line of the first difference.
    pub line: usize,
    /// What went (`-`) and what came (`+`) there, the first lines of it.
    pub evidence: Vec<String>,
}

/// Where a [`SpecEdit`] is. What head itself has comes first; the others are what would be committed or pushed next
/// although the work tree looks as base does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditPlace {
    /// In what is judged.
    Head,
    /// Only in the index.
    Index,
    /// Only in the commit that is checked out.
    Commit,
}

impl SpecEdit {
    /// "this file was …"
    pub fn what(&self) -> String {
        let place = match self.place {
            EditPlace::Head => "",
            EditPlace::Index => " in the index",
            EditPlace::Commit => " in the commit that is checked out",
        };
        let problem = self.change.head.as_ref().and_then(|node| node.problem.as_deref());
        let reason = problem.map(|problem| format!(": {problem}")).unwrap_or_default();
        format!("{}{place}{reason}", self.change.kind.past_participle())
    }
}
