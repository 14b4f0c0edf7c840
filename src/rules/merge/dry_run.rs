//! What archiving a change would do, found out in memory. No rule, but what the rules of this folder look at.

use std::sync::Arc;

use bstr::{BStr, BString};

use crate::openspec::change::{Change, DeltaFile};
use crate::openspec::delta::Delta;
use crate::openspec::discovery::SpecFile;
use crate::openspec::merge::{self, Merged, Names, Refusal, Unnamed, unnamed_content};
use crate::openspec::project::Project;
use crate::openspec::spec::Spec;
use crate::repo::snapshot::{ReadError, join};
use crate::report::{Finding, Item, ItemKind, Level};
use crate::rules::{self, Check, MergeView, Origin, Sink, SpecView};

/// The outcome of each delta of a change, in the order of [`Change::deltas`].
#[derive(Debug)]
pub struct DryRun {
    /// One for each delta file.
    pub files: Vec<FileRun>,
}

/// What archiving would do with one delta.
#[derive(Debug)]
pub struct FileRun {
    /// The capability.
    pub capability: String,
    /// Where its main spec is, or would be.
    pub path: BString,
    /// The main spec, when there is one.
    pub target: Option<Arc<SpecFile>>,
    /// What comes out.
    pub outcome: Outcome,
}

/// What archiving would do with a main spec.
#[derive(Debug)]
pub enum Outcome {
    /// The delta or its main spec could not be read.
    Unreadable(ReadError),
    /// Operations cannot be applied; at least one.
    Refused(Vec<Refusal>),
    /// The file that would come out breaks rules, at least one, so it is not written.
    Invalid(Merged, Vec<Fault>),
    /// The last requirement goes, and the file may not go with it.
    Emptied(Emptied),
    /// The file is written.
    Written(Merged),
    /// The main spec says it all already; nothing is written.
    InSync(Merged),
    /// The capability's last requirement goes, and the file with it, as the change declares.
    Retired,
    /// The capability is retired already.
    AlreadyRetired,
}

/// An error in the spec that would be written.
#[derive(Debug)]
pub struct Fault {
    /// Id of the rule that found it.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// The requirement it is about.
    pub requirement: Option<String>,
    /// The line it points at, as text.
    pub source: Option<String>,
}

/// Why a main spec without requirements may not be deleted.
#[derive(Debug)]
pub struct Emptied {
    /// Whether the change declares that capabilities may be retired.
    pub is_declared: bool,
    /// Content that would go with the file.
    pub unnamed: Vec<Unnamed>,
}

impl DryRun {
    /// Applies each delta of a change to the main specs of its project.
    pub fn of(project: &Project<'_>, change: &Change) -> Self {
        Self { files: change.deltas.iter().map(|file| FileRun::of(project, change, file)).collect() }
    }

    /// Whether archiving would stop for another reason than that a different open change has to be archived before.
    pub fn is_refused_by_itself(&self, project: &Project<'_>, change: &Change) -> bool {
        self.files.iter().zip(&change.deltas).any(|(run, file)| match &file.delta {
            Ok(delta) => MergeView { project, change, file, delta, run }.is_refused_by_itself(),
            Err(_) => true,
        })
    }

    /// Whether archiving would stop because of what a delta comes to.
    pub fn refuses(&self) -> bool {
        self.files.iter().any(|file| file.outcome.is_refusal())
    }
}

impl Outcome {
    /// Whether archiving the change would stop here.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Refused(_) | Self::Invalid(..) | Self::Emptied(_))
    }

    /// Whether the main spec would be changed or deleted.
    pub fn is_mutation(&self) -> bool {
        matches!(self, Self::Written(_) | Self::Retired)
    }
}

impl FileRun {
    fn of(project: &Project<'_>, change: &Change, file: &DeltaFile) -> Self {
        let capability = file.capability.clone();
        let path = join(join(project.path("specs").as_ref(), &capability).as_ref(), "spec.md");
        let (target, error) = match project.target(&capability) {
            Ok(target) => (target, None),
            Err(error) => (None, Some(error)),
        };
        let outcome = match (&file.delta, error) {
            (Err(error), _) => Outcome::Unreadable(error.clone()),
            (_, Some(error)) => Outcome::Unreadable(error),
            (Ok(delta), None) => match target.as_ref().map(|target| project.parsed(target)).transpose() {
                Err(error) => Outcome::Unreadable(error.clone()),
                Ok(spec) => outcome(delta, spec, &capability, change, path.as_ref()),
            },
        };
        Self { capability, path, target, outcome }
    }
}

fn outcome(delta: &Delta, spec: Option<&Spec>, capability: &str, change: &Change, path: &BStr) -> Outcome {
    let merged = match merge::apply(delta, spec, Names { capability, change: &change.id }) {
        Ok(merged) => merged,
        Err(refusals) => return Outcome::Refused(refusals),
    };
    let faults = faults(&merged, path);
    if faults.is_empty() {
        return if merged.applied.is_nothing() { Outcome::InSync(merged) } else { Outcome::Written(merged) };
    }
    let is_declared = change.metadata.valid().is_some_and(|metadata| metadata.retire_capabilities);
    let is_only_empty =
        merged.has_no_blocks && faults.iter().all(|fault| fault.rule == rules::spec::no_requirements::RULE.id);
    let Some(spec) = spec.filter(|_| is_only_empty) else {
        return if is_only_empty && is_declared { Outcome::AlreadyRetired } else { Outcome::Invalid(merged, faults) };
    };
    // One that had no requirement before is the author's to mend.
    if merged.applied.removed == 0 {
        return Outcome::Invalid(merged, faults);
    }
    let unnamed = unnamed_content(spec);
    if is_declared && unnamed.is_empty() {
        Outcome::Retired
    } else {
        Outcome::Emptied(Emptied { is_declared, unnamed })
    }
}

/// The errors of a spec that would be written. Archiving judges it as `validate` does without `--strict`.
fn faults(merged: &Merged, path: &BStr) -> Vec<Fault> {
    let spec = Spec::parse(merged.text.clone().into_bytes());
    let item = Item::new(BStr::new(""), ItemKind::Spec, "");
    let mut findings: Vec<Finding> = Vec::new();
    for rule in rules::spec::GROUP.rules.iter().filter(|rule| rule.origin == Origin::Reference) {
        if let Check::Spec(check) = rule.check {
            let view = SpecView { spec: &spec, project: None, capability: "" };
            check(&view, &mut Sink::new(rule, &item, path, Some(&spec.text), &mut findings));
        }
    }
    findings.retain(|finding| finding.level == Level::Error);
    let fault = |finding: Finding| Fault {
        rule: finding.rule,
        message: finding.message,
        requirement: finding.requirement,
        source: finding.source,
    };
    findings.into_iter().map(fault).collect()
}
