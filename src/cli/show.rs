//! `specward show`: the reference's command, same arguments, same JSON, same exit codes.

use std::process::ExitCode;

use bstr::{BStr, BString, ByteSlice};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::failure::{Failure, print_json};
use super::items::{self, Items};
use super::list;
use super::output;
use super::root::Root;
use super::settings::Settings;
use crate::openspec::artifacts;
use crate::openspec::change::Change;
use crate::openspec::delta::Operation;
use crate::openspec::entries::{self, Entry, Statement};
use crate::openspec::js;
use crate::openspec::project::Project;
use crate::openspec::proposal::{Proposal, ProseDelta};
use crate::openspec::spec::Spec;
use crate::repo::snapshot::{ReadError, join};
use crate::report::{ItemKind, visible};

/// Show a change's proposal or a spec, or what can be read out of it
#[derive(Debug, clap::Args)]
#[command(args_override_self = true)]
pub struct Args {
    /// A change or a spec
    item: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// What ITEM is, when both a change and a spec have that name: change or spec
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Accepted for compatibility with openspec: the JSON of a change holds nothing but its deltas
    #[arg(long)]
    deltas_only: bool,
    /// The old name of --deltas-only
    #[arg(long)]
    requirements_only: bool,
    /// With --json, of a spec: leave out scenarios
    #[arg(long)]
    requirements: bool,
    /// With --json, of a spec: leave out scenarios
    #[arg(long)]
    no_scenarios: bool,
    /// With --json, of a spec: only the requirement of that number, from 1
    #[arg(short, long, value_name = "N", allow_hyphen_values = true)]
    requirement: Option<String>,
    /// Accepted for compatibility with openspec: specward never asks
    #[arg(long)]
    no_interactive: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let Some(name) = args.item.as_deref().filter(|name| !name.is_empty()) else {
        output::stderr("nothing to show: name a change or a spec; `specward list` names them\n");
        return ExitCode::FAILURE;
    };
    match show(args, settings, name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print(args.json, Map::new());
            ExitCode::FAILURE
        }
    }
}

fn show(args: &Args, settings: &Settings, name: &str) -> Result<(), Failure> {
    let root = Root::find(&settings.cwd)?;
    let project = root.project();
    let kind = items::kind(args.kind.as_deref());
    // Specs nobody asked for may be unreadable.
    if kind != Some(ItemKind::Change) {
        items::readable_specs(&project).map_err(|(path, error)| unreadable(path, error))?;
    }
    match Items::of_readable(&project).resolve(name, kind)? {
        ItemKind::Spec => {
            note_ignored(
                "spec",
                &[(args.deltas_only, "--deltas-only"), (args.requirements_only, "--requirements-only")],
            );
            spec(args, &root, &project, name)
        }
        ItemKind::Change | ItemKind::Project => {
            note_ignored(
                "change",
                &[
                    (args.requirements, "--requirements"),
                    (args.no_scenarios, "--no-scenarios"),
                    (args.requirement.is_some(), "--requirement"),
                ],
            );
            change(args, &root, &project, name)
        }
    }
}

/// Says which flags do nothing, on standard error.
fn note_ignored(kind: &str, flags: &[(bool, &str)]) {
    let ignored: Vec<&str> = flags.iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| *flag).collect();
    if !ignored.is_empty() {
        output::stderr(&format!("warning: ignored for a {kind}: {}\n", ignored.join(", ")));
    }
}

fn failed(message: impl Into<String>) -> Failure {
    Failure::new("show_error", message)
}

fn unreadable(path: &BStr, error: &ReadError) -> Failure {
    failed(format!("{}: {error}", visible(&path.to_str_lossy())))
}

/// A name as a path below the folder of its kind. None when it could lead out.
fn folder(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.contains(&"..") && !name.contains('\0')).then(|| parts.join("/"))
}

/// Reads a file that must lie, links followed, in one of these folders.
fn read_within(project: &Project<'_>, path: &BStr, folders: &[&BStr]) -> Result<Vec<u8>, Failure> {
    let snapshot = project.snapshot();
    let read = || {
        let real = snapshot.resolve(path)?;
        let is_within = |folder: &&BStr| {
            snapshot.resolve(folder).is_ok_and(|folder| real.starts_with(&[folder.as_slice(), b"/"].concat()))
        };
        if !folders.iter().any(is_within) {
            return Err(ReadError::Outside(format!("-> {real}")));
        }
        snapshot.read(real.as_ref())
    };
    read().map_err(|error| unreadable(path, &error))
}

/// A delta as the JSON shows it.
#[derive(Debug, Serialize)]
struct ShownDelta {
    spec: String,
    #[serde(serialize_with = "as_word")]
    operation: Operation,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    requirement: Option<ShownRequirement>,
    /// The same once more: the reference has both forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    requirements: Option<[ShownRequirement; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rename: Option<Value>,
}

#[derive(Debug, Clone, Serialize)]
struct ShownRequirement {
    text: String,
    scenarios: Vec<ShownScenario>,
}

#[derive(Debug, Clone, Serialize)]
struct ShownScenario {
    #[serde(rename = "rawText")]
    raw_text: String,
}

fn as_word<S: Serializer>(operation: &Operation, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(operation.word())
}

impl From<Statement> for ShownRequirement {
    fn from(statement: Statement) -> Self {
        let scenarios = statement.scenarios.into_iter().map(|raw_text| ShownScenario { raw_text }).collect();
        Self { text: statement.text, scenarios }
    }
}

impl ShownDelta {
    fn new(spec: &str, entry: Entry) -> Self {
        let spec = spec.to_owned();
        match entry {
            Entry::Requirement(operation, statement) => {
                let verb = match operation {
                    Operation::Added => "Add",
                    Operation::Removed => "Remove",
                    Operation::Modified | Operation::Renamed => "Modify",
                };
                let requirement = ShownRequirement::from(statement);
                Self {
                    spec,
                    operation,
                    description: format!("{verb} requirement: {}", requirement.text),
                    requirements: Some([requirement.clone()]),
                    requirement: Some(requirement),
                    rename: None,
                }
            }
            Entry::Rename(rename) => Self {
                spec,
                operation: Operation::Renamed,
                description: format!("Rename requirement from \"{}\" to \"{}\"", rename.from, rename.to),
                requirement: None,
                requirements: None,
                rename: Some(json!({ "from": rename.from, "to": rename.to })),
            },
        }
    }
}

impl From<ProseDelta> for ShownDelta {
    fn from(delta: ProseDelta) -> Self {
        Self {
            spec: delta.capability,
            operation: delta.operation,
            description: delta.description,
            requirement: None,
            requirements: None,
            rename: None,
        }
    }
}

fn change(args: &Args, root: &Root, project: &Project<'_>, name: &str) -> Result<(), Failure> {
    let not_found = || failed(format!("no change `{name}`"));
    let id = folder(name).filter(|id| !id.is_empty() && !id.contains('/')).ok_or_else(not_found)?;
    let dir = project.path(&format!("changes/{id}"));
    let path = join(dir.as_ref(), "proposal.md");
    if project.snapshot().followed_kind(path.as_ref()).is_err_and(|error| !matches!(error, ReadError::Outside(_))) {
        return Err(without_proposal(project, name, dir).unwrap_or_else(not_found));
    }
    let bytes = read_within(project, path.as_ref(), &[dir.as_ref()])?;
    if !args.json {
        return print_file(&bytes);
    }
    let proposal = Proposal::parse(bytes);
    let missing = |section| failed(format!("the proposal of `{name}` has no section \"{section}\", or an empty one"));
    proposal.why.as_ref().ok_or_else(|| missing("Why"))?;
    proposal.what_changes.as_ref().ok_or_else(|| missing("What Changes"))?;
    let change = Change::load(project, id.as_bytes().into());
    if let Some((path, error)) = change.unreadable.first() {
        return Err(unreadable(path.as_ref(), error));
    }
    if let Some((path, error)) = change.refused_link() {
        return Err(unreadable(path, error));
    }
    if args.requirements_only {
        output::stderr("warning: --requirements-only is the old name of --deltas-only\n");
    }
    let deltas = deltas(&change, &proposal);
    print_json(&json!({
        // The reference takes the id from the path, by the last folder of either name.
        "id": if id == "changes" || id == "specs" { "proposal.md" } else { &id },
        "title": proposal.title.as_deref().unwrap_or(name),
        "deltaCount": deltas.len(),
        "deltas": deltas,
        "root": root.to_json(),
    }));
    Ok(())
}

/// Deltas from the spec files; from the proposal's prose when no file has so much as a delta section.
fn deltas(change: &Change, proposal: &Proposal) -> Vec<ShownDelta> {
    let files = || change.deltas.iter().filter_map(|file| Some((&file.capability, file.delta.as_ref().ok()?)));
    if files().all(|(_, delta)| delta.sections.is_empty()) {
        return proposal.deltas().into_iter().map(ShownDelta::from).collect();
    }
    let of_file = |(capability, delta)| {
        let capability: &String = capability;
        entries::entries(delta).into_iter().map(|entry| ShownDelta::new(capability, entry))
    };
    files().flat_map(of_file).collect()
}

/// Why a folder that is there has no proposal. None when there is no folder.
fn without_proposal(project: &Project<'_>, name: &str, dir: BString) -> Option<Failure> {
    if !project.snapshot().is_dir(dir.as_ref()) {
        return None;
    }
    let folder = dir.rsplit_str("/").next().unwrap_or_default();
    let is_candidate = folder != b"archive" && !folder.starts_with(b".");
    let nested = if is_candidate { artifacts::nested_changes(project, folder.into()) } else { Vec::new() };
    Some(if nested.is_empty() {
        failed(format!("change `{name}` has no proposal.md yet"))
            .fix(format!("run `specward status --change {name}` to see what comes next"))
    } else {
        failed(list::wrapping(name, &nested))
    })
}

fn spec(args: &Args, root: &Root, project: &Project<'_>, name: &str) -> Result<(), Failure> {
    let id = folder(name).ok_or_else(|| failed(format!("`{name}` is no name of a spec")))?;
    let top = project.path("specs");
    let dir = join(top.as_ref(), &id);
    let path = join(dir.as_ref(), "spec.md");
    if project.snapshot().followed_kind(path.as_ref()).is_err_and(|error| !matches!(error, ReadError::Outside(_))) {
        return Err(failed(format!("no spec `{name}`")));
    }
    let read = || read_within(project, path.as_ref(), &[top.as_ref(), dir.as_ref()]);
    if !args.json {
        return print_file(&read()?);
    }
    let number = args.requirement.as_deref().filter(|number| !number.is_empty());
    if args.requirements && number.is_some() {
        return Err(failed("--requirements and --requirement cannot be used together"));
    }
    let spec = Spec::parse(read()?);
    let missing = |section| failed(format!("spec `{name}` has no section \"{section}\", or an empty one"));
    let purpose = spec.purpose_text().ok_or_else(|| missing("Purpose"))?;
    spec.requirements_section.as_ref().ok_or_else(|| missing("Requirements"))?;
    let mut requirements: Vec<ShownRequirement> =
        entries::statements(&spec).into_iter().map(ShownRequirement::from).collect();
    if let Some(number) = number {
        let at = parse_int(number).and_then(|number| number.checked_sub(1)).filter(|at| *at < requirements.len());
        let at = at.ok_or_else(|| failed(format!("spec `{name}` has no requirement {number}")))?;
        requirements = vec![requirements.swap_remove(at)];
    }
    if args.requirements || args.no_scenarios {
        requirements.iter_mut().for_each(|requirement| requirement.scenarios.clear());
    }
    print_json(&json!({
        "id": name,
        "title": name,
        "overview": purpose,
        "requirementCount": requirements.len(),
        "requirements": requirements,
        "metadata": { "version": "1.0.0", "format": "openspec" },
        "root": root.to_json(),
    }));
    Ok(())
}

/// `Number.parseInt` for what can be a position: leading digits count, whatever follows them.
fn parse_int(text: &str) -> Option<usize> {
    let text = js::trim_start(text);
    let text = text.strip_prefix('+').unwrap_or(text);
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// Prints a file as it stands, plus a line end. What is not UTF-8 becomes U+FFFD.
fn print_file(bytes: &[u8]) -> Result<(), Failure> {
    let text = String::from_utf8_lossy(bytes) + "\n";
    output::raw(&text).map_err(|error| failed(format!("standard output: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        assert_eq!(folder("./a//b/").as_deref(), Some("a/b"));
        assert_eq!(folder("a/../b"), None);
    }

    #[test]
    fn numbers_as_javascript_reads_them() {
        assert_eq!(parse_int(" 2nd"), Some(2));
        assert_eq!(parse_int("+1.9"), Some(1));
        assert_eq!(parse_int("-1"), None);
        assert_eq!(parse_int("x"), None);
    }
}
