//! `specward merge`: the main specs as archiving a change would write them, without writing anything.

use std::process::ExitCode;

use serde_json::Map;

use super::COULD_NOT_RUN;
use super::failure::{Failure, print_json};
use super::items;
use super::output;
use super::root::Root;
use super::settings::Settings;
use crate::gate::{Prediction, nearest, predict};
use crate::openspec::change::{Change, archive_name};
use crate::openspec::merge::{Applied, Merged};
use crate::openspec::project::Project;
use crate::report::merge_v1::{MergeV1, MergedSpecV1, SCHEMA_VERSION};
use crate::report::v1::FindingV1;
use crate::report::{ItemKind, display_path, visible};
use crate::rules::merge::dry_run::{FileRun, Outcome};

/// Show what archiving a change would make of the main specs, and write nothing
///
/// Exit code 0 when archiving would go through, 1 when it would be refused, 2 when the change cannot be found or read.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// An open change
    change: String,
    /// Print the main specs as they would be written, byte for byte; several with a line `==> PATH <==` before each
    #[arg(long, conflicts_with = "json")]
    print: bool,
    /// Print JSON: what would happen to each main spec, and its text
    #[arg(long)]
    json: bool,
    /// Only this capability's main spec
    #[arg(long, value_name = "CAPABILITY")]
    spec: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    match merge(args, settings) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            failure.print(args.json, Map::new());
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn merge(args: &Args, settings: &Settings) -> Result<bool, Failure> {
    let root = Root::find(&settings.cwd)?.found()?;
    let project = root.project();
    let change = load(&project, &args.change)?;
    let mut prediction = predict(&project, &change);
    if let Some(spec) = &args.spec {
        prediction.dry_run.files.retain(|file| file.capability == *spec);
        if prediction.dry_run.files.is_empty() {
            let known = change.deltas.iter().map(|file| file.capability.clone());
            let message = format!("`{}` has no delta for `{spec}`{}", change.id, hint(spec, known));
            let fix = format!("name a capability that the deltas of `{}` are for, or leave --spec out", change.id);
            return Err(Failure::new("unknown_spec", message).fix(fix));
        }
    }
    let is_possible = !prediction.is_refused();
    if args.json {
        print_json(&document(&project, &change, &prediction));
        return Ok(is_possible);
    }
    if !is_possible {
        print_obstacles(&change, &prediction);
        return Ok(false);
    }
    if args.print {
        print_specs(&project, &prediction)?;
    } else {
        print_summary(&change, &prediction);
    }
    Ok(true)
}

fn load(project: &Project<'_>, name: &str) -> Result<Change, Failure> {
    items::check_name(name, ItemKind::Change)?;
    let names =
        project.change_names().map_err(|error| Failure::new("merge_error", format!("openspec/changes: {error}")))?;
    match names.iter().find(|known| **known == *name) {
        Some(known) => Ok(Change::load(project, known.as_ref())),
        None => {
            let linked = project.linked_changes();
            if linked.iter().any(|(path, _)| path.ends_with(format!("/{name}").as_bytes())) {
                let message = format!("`{name}` is a symbolic link, which archiving refuses");
                return Err(Failure::new("linked_change", message).fix("put the folder itself in place of the link"));
            }
            let hint = hint(name, names.iter().map(ToString::to_string));
            let message = format!("there is no open change `{name}`{hint}");
            Err(Failure::new("unknown_change", message).fix("`specward list` names the open changes"))
        }
    }
}

fn hint(name: &str, known: impl Iterator<Item = String>) -> String {
    let near = nearest(name, known);
    if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) }
}

fn print_obstacles(change: &Change, prediction: &Prediction) {
    let mut text = format!("error: archiving `{}` would be refused\n", visible(&change.id));
    for finding in &prediction.obstacles {
        text.push_str(&format!(
            "{}:{}: {}: {}\n  fix: {}\n",
            finding.path,
            finding.line,
            finding.rule,
            visible(&finding.message),
            visible(&finding.fix)
        ));
    }
    output::stderr(&text);
}

/// The bytes of each file that would be there afterwards. One that stays as it is need not be UTF-8.
fn texts<'p>(project: &'p Project<'_>, prediction: &'p Prediction) -> Vec<(&'p FileRun, Vec<u8>)> {
    let text = |file: &'p FileRun| match &file.outcome {
        Outcome::Written(merged) => Some((file, merged.text.clone().into_bytes())),
        Outcome::InSync(_) => Some((file, project.snapshot().read(file.path.as_ref()).ok()?)),
        _ => None,
    };
    prediction.dry_run.files.iter().filter_map(text).collect()
}

fn print_specs(project: &Project<'_>, prediction: &Prediction) -> Result<(), Failure> {
    let texts = texts(project, prediction);
    let is_alone = texts.len() == 1;
    let mut all = Vec::new();
    for (file, text) in texts {
        if !is_alone {
            let gap = if all.is_empty() { "" } else { "\n" };
            all.extend(format!("{gap}==> {} <==\n", display_path(file.path.as_ref())).bytes());
        }
        all.extend(text);
    }
    output::bytes(&all).map_err(|error| Failure::new("output_error", format!("standard output: {error}")))
}

fn print_summary(change: &Change, prediction: &Prediction) {
    let mut text = format!("`{}` can be archived\n", visible(&change.id));
    for file in &prediction.dry_run.files {
        let path = display_path(file.path.as_ref());
        let line = match &file.outcome {
            Outcome::Written(merged) => {
                let verb = if merged.is_new { "create" } else { "update" };
                format!("  {verb} {path}: {}\n", counts(merged.applied))
            }
            Outcome::InSync(_) => format!("  leave {path} as it is: it says everything already\n"),
            Outcome::Retired => format!("  delete {path}: its last requirement goes\n"),
            _ => format!("  leave {path} out: the capability is retired already\n"),
        };
        text.push_str(&line);
    }
    if prediction.dry_run.files.is_empty() {
        text.push_str("  no main spec changes\n");
    }
    output::text(&text);
}

fn counts(applied: Applied) -> String {
    let Applied { added, modified, removed, renamed } = applied;
    let parts = [(added, "added"), (modified, "modified"), (removed, "removed"), (renamed, "renamed")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// The JSON of a prediction.
fn document(project: &Project<'_>, change: &Change, prediction: &Prediction) -> MergeV1 {
    let texts = texts(project, prediction);
    let spec = |file: &FileRun| {
        let (outcome, merged): (&str, Option<&Merged>) = match &file.outcome {
            Outcome::Written(merged) => (if merged.is_new { "created" } else { "updated" }, Some(merged)),
            Outcome::InSync(merged) => ("unchanged", Some(merged)),
            Outcome::Retired => ("deleted", None),
            Outcome::AlreadyRetired => ("absent", None),
            Outcome::Unreadable(_) | Outcome::Refused(_) | Outcome::Invalid(..) | Outcome::Emptied(_) => {
                ("refused", None)
            }
        };
        MergedSpecV1 {
            text: texts
                .iter()
                .find(|(other, _)| other.capability == file.capability)
                .map(|(_, text)| String::from_utf8_lossy(text).into_owned()),
            capability: file.capability.clone(),
            path: display_path(file.path.as_ref()),
            outcome: outcome.to_owned(),
            applied: merged.map(|merged| merged.applied).unwrap_or_default(),
        }
    };
    MergeV1 {
        schema_version: SCHEMA_VERSION,
        change: change.id.clone(),
        refused: prediction.is_refused(),
        archive_name: archive_name(&change.id).map(str::to_owned),
        specs: prediction.dry_run.files.iter().map(spec).collect(),
        obstacles: prediction.obstacles.iter().map(FindingV1::from).collect(),
    }
}
