//! `specward status`: the reference's command, same arguments, same JSON, same exit codes.

use std::process::ExitCode;

use bstr::{BStr, BString, ByteSlice};
use serde_json::{Map, Value, json};

use super::failure::{Failure, print_json};
use super::list;
use super::output;
use super::root::Root;
use super::settings::Settings;
use crate::openspec::planning::{Planned, Planning, State};
use crate::openspec::project::Project;
use crate::openspec::schema::BUILT_IN;
use crate::openspec::{artifacts, collate};
use crate::report::visible;

/// Show which artifacts of a change are there and which come next
#[derive(Debug, clap::Args)]
#[command(args_override_self = true)]
pub struct Args {
    /// The change to look at; this or --all
    #[arg(long, value_name = "CHANGE")]
    change: Option<String>,
    /// Look at all open changes
    #[arg(long)]
    all: bool,
    /// The schema to follow instead of the change's own
    #[arg(long, value_name = "NAME")]
    schema: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    match status(args, settings) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            let null_shape = [("changes".to_owned(), json!([])), ("root".to_owned(), Value::Null)];
            failure.print(args.json, null_shape.into_iter().filter(|_| args.all).collect());
            ExitCode::FAILURE
        }
    }
}

fn failed(message: impl Into<String>) -> Failure {
    Failure::new("change_error", message)
}

fn given(option: &Option<String>) -> Option<&str> {
    option.as_deref().filter(|value| !value.is_empty())
}

fn status(args: &Args, settings: &Settings) -> Result<bool, Failure> {
    let name = given(&args.change);
    if args.all && name.is_some() {
        return Err(failed("--all and --change exclude each other"));
    }
    let root = Root::find(&settings.cwd)?;
    let project = root.project();
    let schema = given(&args.schema);
    let check_schema = || schema.map_or(Ok(()), |schema| known_schema(&project, schema));
    if let Some(name) = name {
        check_change(&project, name)?;
        check_schema()?;
        let planning = load(&project, name.into(), schema)?;
        if args.json {
            let mut document = document(&root, name, &planning);
            document.insert("root".to_owned(), root.to_json());
            print_json(&document);
        } else {
            output::text(&text(&root, name, &planning));
        }
        return Ok(true);
    }
    if args.all {
        check_schema()?;
    }
    let names = names(&project)?;
    if names.is_empty() {
        let message = "No active changes.";
        if args.json {
            print_json(&json!({ "changes": [], "message": message, "root": root.to_json() }));
        } else {
            output::text(&format!("{message} Create one with `openspec new change <name>`.\n"));
        }
        return Ok(true);
    }
    if !args.all {
        return Err(failed(format!("which change? {}", known(&names))).fix("pass --change or --all"));
    }
    Ok(all(args, &root, &project, names))
}

/// Open changes, in the order of folders.
fn names(project: &Project<'_>) -> Result<Vec<BString>, Failure> {
    project.change_names().map_err(|error| failed(format!("openspec/changes: {error}")))
}

fn known(names: &[BString]) -> String {
    if names.is_empty() {
        return "There are no changes".to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| visible(&name.to_str_lossy())).collect();
    format!("There are: {}", names.join(", "))
}

fn known_schema(project: &Project<'_>, schema: &str) -> Result<(), Failure> {
    if schema == BUILT_IN || project.own_schema_path(schema).is_some() {
        return Ok(());
    }
    Err(failed(format!("no schema `{schema}`; known: {}", project.schema_names().join(", "))))
}

fn check_change(project: &Project<'_>, name: &str) -> Result<(), Failure> {
    if name.starts_with('.') || name == "archive" || name.contains(['/', '\\', '\0']) {
        return Err(failed(format!("`{name}` is no name of a change")));
    }
    if !project.snapshot().is_dir(project.path(&format!("changes/{name}")).as_ref()) {
        return Err(failed(format!("no change `{name}`. {}", known(&names(project)?))));
    }
    let nested = artifacts::nested_changes(project, name.into());
    if nested.is_empty() { Ok(()) } else { Err(failed(list::wrapping(name, &nested))) }
}

fn load(project: &Project<'_>, name: &BStr, schema: Option<&str>) -> Result<Planning, Failure> {
    Planning::load(project, name, schema).map_err(failed)
}

/// Prints all changes and tells whether each could be looked at.
fn all(args: &Args, root: &Root, project: &Project<'_>, mut names: Vec<BString>) -> bool {
    names.sort_by_cached_key(|name| collate::key(&name.to_str_lossy()));
    let one = |name: &BString| {
        let nested = artifacts::nested_changes(project, name.as_ref());
        if !nested.is_empty() {
            return Err(failed(list::wrapping(&name.to_str_lossy(), &nested)));
        }
        load(project, name.as_ref(), given(&args.schema))
    };
    let loaded: Vec<_> = names.iter().map(|name| (name.to_str_lossy().into_owned(), one(name))).collect();
    if args.json {
        let entry = |(name, planning): &(String, Result<Planning, Failure>)| match planning {
            Ok(planning) => Value::Object(document(root, name, planning)),
            Err(failure) => json!({ "changeName": name, "status": [failure.to_json()] }),
        };
        let changes: Vec<Value> = loaded.iter().map(entry).collect();
        print_json(&json!({ "changes": changes, "root": root.to_json() }));
    } else {
        let entry = |(name, planning): &(String, Result<Planning, Failure>)| match planning {
            Ok(planning) => text(root, name, planning),
            Err(failure) => format!("✗ {}: {}\n", visible(name), visible(&failure.message)),
        };
        output::text(&loaded.iter().map(entry).collect::<Vec<_>>().join("\n"));
    }
    loaded.iter().all(|(_, planning)| planning.is_ok())
}

impl State {
    /// The reference's word for it.
    fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Skipped => "skipped",
            Self::Ready => "ready",
            Self::Blocked(_) => "blocked",
        }
    }
}

/// A change's planning as the reference shapes it.
fn document(root: &Root, name: &str, planning: &Planning) -> Map<String, Value> {
    let top = root.path.display().to_string();
    let absolute = |path: &BString| format!("{}/{}", top.trim_end_matches('/'), path.to_str_lossy());
    let dir = absolute(&planning.dir);
    let paths = planning.artifacts.iter().map(|artifact| {
        let paths = json!({
            "outputPath": artifact.generates,
            "resolvedOutputPath": format!("{dir}/{}", artifacts::plain_path(&artifact.generates)),
            "existingOutputPaths": artifact.files.iter().map(absolute).collect::<Vec<_>>(),
        });
        (artifact.id.clone(), paths)
    });
    let states = planning.in_order().map(|artifact| {
        let mut entry = json!({
            "id": artifact.id,
            "outputPath": artifact.generates,
            "status": artifact.state.word(),
            "requires": artifact.requires,
        });
        if let (State::Blocked(missing), Value::Object(entry)) = (&artifact.state, &mut entry) {
            entry.insert("missingDeps".to_owned(), json!(missing));
        }
        entry
    });
    let is_complete = planning.is_complete();
    let document = json!({
        "changeName": name,
        "schemaName": planning.schema_name,
        "planningHome": {
            "kind": "repo",
            "root": top,
            "changesDir": absolute(&BString::from("openspec/changes")),
            "defaultSchema": BUILT_IN,
        },
        "changeRoot": dir,
        "artifactPaths": paths.collect::<Map<_, _>>(),
        "isPlanningComplete": is_complete,
        "isComplete": is_complete,
        "applyRequires": planning.apply_requires,
        "nextSteps": next_step(name, planning).map(|step| step.sentence).into_iter().collect::<Vec<_>>(),
        "actionContext": {
            "mode": "repo-local",
            "sourceOfTruth": "repo",
            "planningArtifacts": planning.order,
            "linkedContext": [],
            "allowedEditRoots": [top],
            "requiresAffectedAreaSelection": false,
            "constraints": ["Repo-local change artifacts and implementation edits are scoped to this project."],
        },
        "artifacts": states.collect::<Vec<_>>(),
    });
    match document {
        Value::Object(document) => document,
        _ => Map::new(),
    }
}

/// What to do next, as a command and as the sentence the JSON has.
struct NextStep {
    command: String,
    sentence: String,
}

fn next_step(name: &str, planning: &Planning) -> Option<NextStep> {
    let command = |of: &str| format!("openspec instructions {of} --change \"{name}\" --json");
    if let Some(ready) = planning.in_order().find(|artifact| artifact.state == State::Ready) {
        let command = command(&ready.id);
        return Some(NextStep { sentence: format!("Run {command} before writing that artifact."), command });
    }
    planning.is_complete().then(|| {
        let command = command("apply");
        let sentence =
            format!("All planning artifacts are complete. Run {command} to inspect implementation progress.");
        NextStep { command, sentence }
    })
}

fn text(root: &Root, name: &str, planning: &Planning) -> String {
    let count = |state: &State| planning.artifacts.iter().filter(|artifact| artifact.state == *state).count();
    let (done, skipped) = (count(&State::Done), count(&State::Skipped));
    let mut text = format!(
        "Change: {}\nSchema: {}\nFolder: {}\nProgress: {done}/{} artifacts",
        visible(name),
        visible(&planning.schema_name),
        visible(&root.path.join(planning.dir.to_path_lossy()).display().to_string()),
        planning.artifacts.len() - skipped,
    );
    if skipped > 0 {
        text += &format!(", {skipped} skipped");
    }
    text += "\n\n";
    planning.in_order().for_each(|artifact| text += &line(artifact));
    let next = next_step(name, planning);
    if planning.is_complete() || next.is_some() {
        text.push('\n');
    }
    if planning.is_complete() {
        text += "Planning is complete.\n";
    }
    if let Some(next) = next {
        text += &format!("Next: {}\n", visible(&next.command));
    }
    text
}

fn line(artifact: &Planned) -> String {
    let id = visible(&artifact.id);
    match &artifact.state {
        State::Done => format!("[x] {id}\n"),
        State::Skipped => format!("[~] {id} (skipped: the change has skip_specs)\n"),
        State::Ready => format!("[ ] {id}\n"),
        State::Blocked(missing) => format!("[-] {id} (waits for {})\n", visible(&missing.join(", "))),
    }
}
