//! One item to judge, and what came out.

use std::sync::Arc;

use bstr::{BString, ByteSlice};

use super::judge::{self, RuleSet};
use super::suppress::FileComments;
use crate::config::Config;
use crate::openspec::change::Change;
use crate::openspec::discovery::SpecFile;
use crate::openspec::project::Project;
use crate::openspec::text::Text;
use crate::repo::snapshot::join;
use crate::report::{Finding, Item, ItemKind, JudgedItem};

/// One item to judge.
pub(super) enum Work<'p> {
    Spec(&'p Project<'p>, &'p Config, Arc<SpecFile>),
    Change(&'p Project<'p>, &'p Config, BString),
}

/// One judged item.
pub(super) struct Judged {
    pub(super) item: JudgedItem,
    pub(super) findings: Vec<Finding>,
    pub(super) scenarios: usize,
    /// Its file or folder as findings name it; empty when it has none of its own.
    pub(super) place: String,
    /// Comments in its files that allow findings.
    pub(super) comments: Vec<FileComments>,
    /// Nothing is left of what it was made to say.
    pub(super) is_gone: bool,
}

/// What judging an item gives.
pub(super) struct Outcome {
    pub(super) findings: Vec<Finding>,
    pub(super) title: Option<String>,
    pub(super) scenarios: usize,
    pub(super) comments: Vec<FileComments>,
}

impl Outcome {
    /// Findings about something that could not be read any further.
    pub(super) fn of(findings: Vec<Finding>) -> Self {
        Self { findings, title: None, scenarios: 0, comments: Vec::new() }
    }
}

impl Judged {
    /// What is no spec and no change, with the verdict its findings come to.
    pub(super) fn without_scenarios(item: Item, title: String, findings: Vec<Finding>, strict: bool) -> Self {
        let verdict = judge::verdict(&findings, strict);
        let item = JudgedItem { item, title, verdict };
        Self { item, findings, scenarios: 0, place: String::new(), comments: Vec::new(), is_gone: false }
    }

    /// Keeps some findings. The verdict is what those that are left come to.
    pub(super) fn keep(&mut self, strict: bool, keep: impl FnMut(&Finding) -> bool) {
        let before = self.findings.len();
        self.findings.retain(keep);
        if self.findings.len() < before {
            self.item.verdict = judge::verdict(&self.findings, strict);
            self.is_gone = self.findings.is_empty() && self.item.item.kind == ItemKind::Project;
        }
    }
}

impl Work<'_> {
    pub(super) fn item(&self) -> Item {
        match self {
            Self::Spec(project, _, file) => Item::new(project.root(), ItemKind::Spec, &file.id),
            Self::Change(project, _, name) => Item::new(project.root(), ItemKind::Change, &name.to_str_lossy()),
        }
    }

    pub(super) fn project(&self) -> &Project<'_> {
        match self {
            Self::Spec(project, ..) | Self::Change(project, ..) => project,
        }
    }

    pub(super) fn config(&self) -> &Config {
        match self {
            Self::Spec(_, config, _) | Self::Change(_, config, _) => config,
        }
    }

    pub(super) fn path(&self) -> BString {
        match self {
            Self::Spec(_, _, file) => file.path.clone(),
            Self::Change(project, _, name) => join(project.path("changes").as_ref(), name),
        }
    }

    /// Runs the rules over the item.
    pub(super) fn judge(&self, item: &Item) -> Outcome {
        match self {
            Self::Spec(project, _, file) => {
                let findings = judge::main_spec(project, file, item, RuleSet::All);
                let Ok(spec) = project.parsed(file) else { return Outcome::of(findings) };
                let scenarios =
                    spec.requirements.iter().map(|requirement| requirement.scenarios_with_content().count()).sum();
                let comments = FileComments::of(file.path.as_ref(), &spec.text).into_iter().collect();
                Outcome { findings, title: title(&spec.text), scenarios, comments }
            }
            Self::Change(project, _, name) => {
                let change = Change::load(project, name.as_ref());
                let findings = judge::change(project, &change, item, RuleSet::All);
                let path = change.path("proposal.md");
                let proposal = project.snapshot().read(path.as_ref()).ok().map(Text::from_bytes);
                let deltas = change.deltas.iter().filter_map(|file| {
                    file.delta.as_ref().ok().and_then(|delta| FileComments::of(file.path.as_ref(), &delta.text))
                });
                let tasks = change.tasks.documents.iter().filter(|tasks| tasks.content.contains("<!--"));
                let tasks = tasks.filter_map(|tasks| {
                    FileComments::of(tasks.path.as_ref(), &Text::from_bytes(tasks.content.clone().into_bytes()))
                });
                let own = proposal.iter().filter_map(|text| FileComments::of(path.as_ref(), text));
                let comments = deltas.chain(tasks).chain(own).collect();
                Outcome { findings, title: proposal.as_ref().and_then(title), scenarios: 0, comments }
            }
        }
    }
}

/// A document's first level-1 heading, on one line.
pub(super) fn title(text: &Text) -> Option<String> {
    let heading = crate::openspec::heading::headings(text).into_iter().find(|heading| heading.level == 1)?;
    Some(crate::report::shown_line(heading.title)).filter(|title| !title.is_empty())
}
