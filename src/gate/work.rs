//! One item to judge, and what came out.

use std::sync::Arc;

use bstr::{BString, ByteSlice};

use super::judge::{self, RuleSet};
use crate::config::Config;
use crate::openspec::change::Change;
use crate::openspec::discovery::SpecFile;
use crate::openspec::project::Project;
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
}

impl Judged {
    /// What is no spec and no change, with the verdict its findings come to.
    pub(super) fn without_scenarios(item: Item, title: String, findings: Vec<Finding>, strict: bool) -> Self {
        let verdict = judge::verdict(&findings, strict);
        Self { item: JudgedItem { item, title, verdict }, findings, scenarios: 0 }
    }
}

impl Work<'_> {
    pub(super) fn item(&self) -> Item {
        match self {
            Self::Spec(project, _, file) => Item::new(project.root(), ItemKind::Spec, &file.id),
            Self::Change(project, _, name) => Item::new(project.root(), ItemKind::Change, &name.to_str_lossy()),
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

    /// Findings, title and number of scenarios.
    pub(super) fn judge(&self, item: &Item) -> (Vec<Finding>, Option<String>, usize) {
        match self {
            Self::Spec(project, _, file) => {
                let findings = judge::main_spec(project, file, item, RuleSet::All);
                let Ok(spec) = project.parsed(file) else { return (findings, None, 0) };
                let scenarios =
                    spec.requirements.iter().map(|requirement| requirement.scenarios_with_content().count()).sum();
                (findings, title(&spec.text), scenarios)
            }
            Self::Change(project, _, name) => {
                let change = Change::load(project, name.as_ref());
                let findings = judge::change(project, &change, item, RuleSet::All);
                if findings.is_empty() {
                    return (findings, None, 0);
                }
                let proposal = project.snapshot().read(change.path("proposal.md").as_ref()).ok();
                let title = proposal.and_then(|bytes| title(&crate::openspec::text::Text::from_bytes(bytes)));
                (findings, title, 0)
            }
        }
    }
}

/// A document's first level-1 heading, on one line.
fn title(text: &crate::openspec::text::Text) -> Option<String> {
    let heading = crate::openspec::heading::headings(text).into_iter().find(|heading| heading.level == 1)?;
    Some(crate::report::shown_line(heading.title)).filter(|title| !title.is_empty())
}
