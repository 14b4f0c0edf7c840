//! What the rules say of an import's result, before anything is written.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use crate::cli::failure::Failure;
use crate::config::Config;
use crate::gate::{self, RuleSet};
use crate::import::plan::{Plan, Target};
use crate::openspec::change::Change;
use crate::openspec::project::Project;
use crate::repo::snapshot::{Overlay, ReadError, Worktree};
use crate::report::{Finding, Item, ItemKind, Level};

/// What would fail under `--strict`, in the order of the files' lines.
pub(super) fn findings(worktree: &Worktree, target: &Target, plan: &Plan) -> Result<Vec<Finding>, Failure> {
    let edits = plan.edits.iter().map(|edit| (edit.path.as_str().into(), edit.after.clone().into_bytes()));
    let tree = Overlay::new(worktree, edits.collect::<BTreeMap<_, _>>());
    let project = Project::new(&tree, "");
    let mut findings = match &target.change {
        Some(name) => {
            let item = Item::new(project.root(), ItemKind::Change, name);
            gate::change(&project, &Change::load(&project, name.as_bytes().as_bstr()), &item, RuleSet::All)
        }
        None => {
            let capability = &target.origin.capability;
            let item = Item::new(project.root(), ItemKind::Spec, capability);
            match project.spec(capability) {
                Some(file) => gate::main_spec(&project, &file, &item, RuleSet::All),
                None => gate::missing_spec(&project, &item, target.spec_path().as_bytes().as_bstr()),
            }
        }
    };
    config(&project)?.apply(&mut findings);
    findings.retain(|finding| matches!(finding.level, Level::Error | Level::Warning) && !finding.is_echo);
    findings.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
    Ok(findings)
}

fn config(project: &Project<'_>) -> Result<Config, Failure> {
    let path = project.path("specward.yaml");
    match crate::repo::snapshot::Snapshot::read(project.snapshot(), path.as_ref()) {
        Err(ReadError::Missing | ReadError::NotADirectory) => Ok(Config::default()),
        Ok(bytes) => Config::parse(&bytes, "openspec/specward.yaml")
            .map_err(|error| Failure::new("invalid_configuration", error.to_string()).fix("mend the file")),
        Err(error) => Err(Failure::new("invalid_configuration", format!("openspec/specward.yaml: {error}"))),
    }
}
