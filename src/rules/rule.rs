//! What a rule is, what it gets to see and how it reports.

use std::cell::OnceCell;
use std::sync::OnceLock;

use bstr::BStr;

use super::spec_diff::{ProjectPair, SpecDiffView};
use crate::openspec::change::{Change, DeltaFile};
use crate::openspec::claims::bringer;
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::loss::{self, BlockLoss, Elsewhere};
use crate::openspec::merge::{Reason, Refusal};
use crate::openspec::project::Project;
use crate::openspec::requirement::Block;
use crate::openspec::scenario::ScenarioMap;
use crate::openspec::spec::Spec;
use crate::openspec::text::Text;
use crate::repo::changes::FileChange;
use crate::report::{Finding, Item, Level, display_path, shortened, shown_line};
use crate::rules::freeze::{Archived, Freeze, Unexplained};
use crate::rules::merge::dry_run::{DryRun, FileRun, Outcome};

/// A rule: its identity, its words for the user, and its check.
#[derive(Debug)]
pub struct Rule {
    /// `<group>/<name>` in kebab case. Never reused for something else.
    pub id: &'static str,
    /// How bad a finding is unless the configuration says otherwise.
    pub level: Level,
    /// Whether the reference finds this too.
    pub origin: Origin,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// The user's page, Markdown.
    pub docs: &'static str,
    /// What it runs on.
    pub check: Check,
}

/// Where a rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `openspec validate` decides the same. At level error it cannot be turned off.
    Reference,
    /// Our own.
    Own,
}

/// What a rule runs on.
#[derive(Clone, Copy)]
pub enum Check {
    /// Each judged main spec.
    Spec(fn(&SpecView<'_>, &mut Sink<'_>)),
    /// Each delta file of a judged change.
    Delta(fn(&DeltaView<'_>, &mut Sink<'_>)),
    /// The scenarios of each judged main spec, and of what each delta of a judged change adds and modifies.
    Scenarios(fn(&ScenarioView<'_>, &mut Sink<'_>)),
    /// Each delta file that no other rule found an error in: what does the reference say about archiving it?
    DryRun(fn(&DeltaView<'_>, &mut Sink<'_>)),
    /// Each delta file together with what archiving would make of it.
    Merge(fn(&MergeView<'_>, &mut Sink<'_>)),
    /// Each judged change as a whole.
    Change(fn(&ChangeView<'_>, &mut Sink<'_>)),
    /// Each archived change, on request.
    Archive(fn(&ArchiveView<'_>, &mut Sink<'_>)),
    /// The difference between base and head, when the spec set is frozen.
    Diff(fn(&DiffView<'_>, &mut Sink<'_>)),
    /// Each main spec of base that head has otherwise or no more, whenever base and head are compared.
    SpecDiff(fn(&SpecDiffView<'_>, &mut Sink<'_>)),
    /// Reported by the gate while it reads.
    Gate,
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Spec(_) => "Spec",
            Self::Delta(_) => "Delta",
            Self::Scenarios(_) => "Scenarios",
            Self::DryRun(_) => "DryRun",
            Self::Merge(_) => "Merge",
            Self::Change(_) => "Change",
            Self::Archive(_) => "Archive",
            Self::Diff(_) => "Diff",
            Self::SpecDiff(_) => "SpecDiff",
            Self::Gate => "Gate",
        })
    }
}

/// A folder of rules.
#[derive(Debug)]
pub struct Group {
    /// The part of the id before the slash.
    pub name: &'static str,
    /// Its rules.
    pub rules: &'static [&'static Rule],
}

/// Defines a rule. The doc comment is its page.
macro_rules! rule {
    ($(#[doc = $doc:literal])* $id:literal, $level:ident, $origin:ident, $summary:literal, $check:expr) => {
        $(#[doc = $doc])*
        pub static RULE: $crate::rules::Rule = $crate::rules::Rule {
            id: $id,
            level: $crate::report::Level::$level,
            origin: $crate::rules::Origin::$origin,
            summary: $summary,
            docs: concat!($($doc, "\n"),*),
            check: $check,
        };
    };
}
pub(crate) use rule;

/// Declares a group's rule files and lists them.
macro_rules! group {
    ($name:literal: $($rule:ident),* $(,)?) => {
        $(pub mod $rule;)*

        /// The rules of this folder.
        pub const GROUP: $crate::rules::Group = $crate::rules::Group { name: $name, rules: &[$(&$rule::RULE),*] };
    };
}
pub(crate) use group;

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
}

impl<'a> DeltaView<'a> {
    /// A delta file of a change.
    pub fn new(project: &'a Project<'a>, change: &'a Change, file: &'a DeltaFile, delta: &'a Delta) -> Self {
        Self { project, change, file, delta, losses: OnceLock::new() }
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

    /// The main spec, when there is one that can be read.
    pub fn target(&self) -> Option<&Spec> {
        self.run.target.as_ref().and_then(|file| self.project.parsed(file).ok())
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

/// Where a finding stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// File from the top of the tree.
    pub file: &'a BStr,
    /// 0-based line.
    pub line: usize,
    /// The path under which the reference reports it.
    pub anchor: &'a str,
    /// The file's text, for the line that is shown.
    pub text: Option<&'a Text>,
}

/// Takes a rule's findings. The only way to make one, so each has its rule, level and place.
#[derive(Debug)]
pub struct Sink<'a> {
    item: &'a Item,
    file: &'a BStr,
    text: Option<&'a Text>,
    rule: &'static Rule,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Sink<'a> {
    /// A sink for findings of `rule` about `item`, most of them in `file`.
    pub fn new(
        rule: &'static Rule,
        item: &'a Item,
        file: &'a BStr,
        text: Option<&'a Text>,
        findings: &'a mut Vec<Finding>,
    ) -> Self {
        Self { item, file, text, rule, findings }
    }

    /// Reports a finding in the file at hand. `line` is 0-based, `anchor` the path the reference reports.
    pub fn report(
        &mut self,
        line: usize,
        anchor: impl AsRef<str>,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> &mut Finding {
        let place = Place { file: self.file, line, anchor: anchor.as_ref(), text: self.text };
        self.report_at(place, message, fix)
    }

    /// Reports a finding anywhere.
    pub fn report_at(&mut self, place: Place<'_>, message: impl Into<String>, fix: impl Into<String>) -> &mut Finding {
        let source = place.text.filter(|text| place.line < text.len()).map(|text| text.line(place.line));
        self.findings.push(Finding {
            rule: self.rule.id,
            level: self.rule.level,
            item: self.item.clone(),
            anchor: place.anchor.to_owned(),
            path: display_path(place.file),
            line: place.line + 1,
            column: 1,
            message: shortened(message.into()),
            fix: shortened(fix.into()),
            requirement: None,
            source: source.map(shown_line),
            evidence: Vec::new(),
            is_echo: false,
            cannot_check: false,
        });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }
}
