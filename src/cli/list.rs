//! `specward list`: the reference's command, same arguments, same JSON, same exit codes.

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use bstr::{BStr, BString, ByteSlice};
use jiff::Timestamp;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::failure::{Failure, print_json};
use super::output;
use super::root::Root;
use super::settings::Settings;
use crate::gate;
use crate::openspec::change::TaskFiles;
use crate::openspec::discovery::SpecFile;
use crate::openspec::project::Project;
use crate::openspec::tasks::Progress;
use crate::openspec::{artifacts, collate};
use crate::repo::snapshot::{Kind, ReadError, Snapshot, join};
use crate::report::visible;

/// List open changes with their task progress, or specs
#[derive(Debug, clap::Args)]
#[command(args_override_self = true)]
pub struct Args {
    /// List specs instead of changes
    #[arg(long)]
    specs: bool,
    /// List open changes (default)
    #[arg(long)]
    changes: bool,
    /// Order of changes: recent or name
    #[arg(long, value_name = "ORDER", default_value = "recent")]
    sort: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let listed = if args.specs { specs(args, settings) } else { changes(args, settings) };
    match listed {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let list = if args.specs { "specs" } else { "changes" };
            let null_shape = [(list.to_owned(), json!([])), ("root".to_owned(), Value::Null)];
            failure.print(args.json, Map::from_iter(null_shape));
            ExitCode::FAILURE
        }
    }
}

fn root(settings: &Settings) -> Result<Root, Failure> {
    let root = Root::find(&settings.cwd)?;
    // Projects from before there was a `config.yaml` are told by this file.
    if settings.cwd.join("openspec/project.md").exists() { Ok(root) } else { root.found() }
}

fn failed(path: &BStr, error: &ReadError) -> Failure {
    Failure::new("list_error", format!("{}: {error}", visible(&path.to_str_lossy())))
}

/// A change as the list shows it.
#[derive(Debug, Serialize)]
struct ListedChange {
    name: String,
    #[serde(rename = "completedTasks")]
    completed: usize,
    #[serde(rename = "totalTasks")]
    total: usize,
    #[serde(rename = "lastModified", serialize_with = "as_text")]
    modified: Timestamp,
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nested: Vec<String>,
}

fn as_text<S: serde::Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{time:.3}"))
}

fn changes(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let root = root(settings)?;
    let project = root.project();
    let names = folders(&project)?;
    let one = |name: &BString| change(&root, &project, name.as_ref());
    // Starting threads costs more than looking at a few changes.
    let mut listed: Vec<ListedChange> = if names.len() < gate::PARALLEL_FROM {
        names.iter().map(one).collect::<Result<_, _>>()?
    } else {
        names.par_iter().map(one).collect::<Result<_, _>>()?
    };
    let warnings: Vec<Value> = listed.iter().filter(|change| !change.nested.is_empty()).map(warning).collect();
    if args.sort == "name" {
        listed.sort_by_cached_key(|change| collate::key(&change.name));
    } else {
        listed.sort_by_key(|change| std::cmp::Reverse(change.modified));
    }
    if args.json {
        let mut document = Map::new();
        document.insert("changes".to_owned(), json!(listed));
        if !warnings.is_empty() {
            document.insert("warnings".to_owned(), json!(warnings));
        }
        document.insert("root".to_owned(), root.to_json());
        print_json(&document);
        return Ok(());
    }
    output::text(&if listed.is_empty() { "No active changes found.\n".to_owned() } else { table(&listed) });
    Ok(())
}

/// Folders of `changes/`, sorted. Unlike elsewhere, dot names count.
fn folders(project: &Project<'_>) -> Result<Vec<BString>, Failure> {
    let dir = project.path("changes");
    let entries = match project.snapshot().list(dir.as_ref()) {
        Err(ReadError::Missing) => Vec::new(),
        entries => entries.map_err(|error| failed(dir.as_ref(), &error))?,
    };
    let is_change = |entry: &crate::repo::snapshot::Entry| entry.kind == Kind::Dir && entry.name != "archive";
    let mut names: Vec<BString> = entries.into_iter().filter(is_change).map(|entry| entry.name).collect();
    names.sort();
    Ok(names)
}

fn change(root: &Root, project: &Project<'_>, name: &BStr) -> Result<ListedChange, Failure> {
    let dir = join(project.path("changes").as_ref(), name);
    let tasks = TaskFiles::load(project, dir.as_ref());
    if !tasks.is_known {
        let message = format!("{}: its task files cannot be told", visible(&dir.to_str_lossy()));
        return Err(Failure::new("list_error", message));
    }
    let Progress { completed, total } = tasks.progress();
    let modified = modified(root, dir.as_ref()).map_err(|error| failed(dir.as_ref(), &error))?;
    let is_hidden = name.starts_with(b".");
    Ok(ListedChange {
        name: name.to_str_lossy().into_owned(),
        completed,
        total,
        modified,
        status: match completed {
            _ if total == 0 => "no-tasks",
            _ if completed == total => "complete",
            _ => "in-progress",
        },
        nested: if is_hidden { Vec::new() } else { artifacts::nested_changes(project, name) },
    })
}

/// When something in a folder was last written to: the newest of its files, or itself when it has none.
fn modified(root: &Root, dir: &BStr) -> Result<Timestamp, ReadError> {
    match newest(root, dir)? {
        Some(newest) => Ok(newest),
        None => root.worktree().modified(dir).map(timestamp),
    }
}

fn newest(root: &Root, dir: &BStr) -> Result<Option<Timestamp>, ReadError> {
    let mut newest_yet = None;
    for entry in root.worktree().list(dir)? {
        let path = join(dir, &entry.name);
        let found = match entry.kind {
            Kind::Dir => newest(root, path.as_ref()),
            _ => root.worktree().modified(path.as_ref()).map(|time| Some(timestamp(time))),
        };
        match found {
            Ok(time) => newest_yet = newest_yet.max(time),
            // Gone since it was listed, or a link to nowhere: an editor's lock file, say.
            Err(ReadError::Missing | ReadError::Dangling(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(newest_yet)
}

/// A time in whole milliseconds, computed in floating point because the reference does.
fn timestamp(time: SystemTime) -> Timestamp {
    let milliseconds = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_secs() as f64 * 1e3 + f64::from(after.subsec_nanos()) / 1e6,
        Err(before) => -(before.duration().as_secs_f64() * 1e3),
    };
    Timestamp::from_millisecond((milliseconds + 0.5).floor() as i64).unwrap_or_default()
}

fn warning(change: &ListedChange) -> Value {
    json!({
        "code": "nested_change_directory",
        "name": change.name,
        "nested": change.nested,
        "message": wrapping(&change.name, &change.nested),
    })
}

/// What is wrong with a folder that merely wraps changes.
pub fn wrapping(name: &str, nested: &[String]) -> String {
    let paths: Vec<String> = nested.iter().map(|id| format!("openspec/changes/{id}/")).collect();
    let flat = nested.first().map_or_else(String::new, |id| id.replace('/', "-"));
    format!(
        "`{name}` is no change but a folder around {}; move each one directly below openspec/changes/, such as `{flat}`",
        paths.join(", ")
    )
}

fn table(changes: &[ListedChange]) -> String {
    let names: Vec<String> = changes.iter().map(|change| visible(&change.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let now = timestamp(SystemTime::now());
    let mut text = "Changes:\n".to_owned();
    for (change, name) in changes.iter().zip(&names) {
        let progress = match change.status {
            _ if !change.nested.is_empty() => "not a change".to_owned(),
            "no-tasks" => "No tasks".to_owned(),
            "complete" => "✓ Complete".to_owned(),
            _ => format!("{}/{} tasks", change.completed, change.total),
        };
        text += &format!("  {name:width$}     {progress:12}  {}\n", age(now, change.modified));
    }
    for change in changes.iter().filter(|change| !change.nested.is_empty()) {
        text += &format!("\nwarning: {}\n", visible(&wrapping(&change.name, &change.nested)));
    }
    text
}

/// How long ago something was, or its date when that is more than a month.
fn age(now: Timestamp, then: Timestamp) -> String {
    let minutes = (now.as_second() - then.as_second()) / 60;
    let (hours, days) = (minutes / 60, minutes / (60 * 24));
    match () {
        () if days > 30 => then.strftime("%Y-%m-%d").to_string(),
        () if days > 0 => format!("{days}d ago"),
        () if hours > 0 => format!("{hours}h ago"),
        () if minutes > 0 => format!("{minutes}m ago"),
        () => "just now".to_owned(),
    }
}

/// A spec as the list shows it.
#[derive(Debug, Serialize)]
struct ListedSpec<'a> {
    id: &'a str,
    #[serde(rename = "requirementCount")]
    requirement_count: usize,
}

fn listed_spec<'f>(project: &Project<'_>, file: &'f SpecFile) -> ListedSpec<'f> {
    let spec = project.parsed(file).ok().filter(|spec| spec.is_readable());
    ListedSpec { id: &file.id, requirement_count: spec.map_or(0, |spec| spec.requirements.len()) }
}

fn specs(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let root = root(settings)?;
    let project = root.project();
    super::items::readable_specs(&project).map_err(|(path, error)| failed(path, error))?;
    let files = &project.specs().files;
    let mut listed: Vec<ListedSpec<'_>> = if files.len() < gate::PARALLEL_FROM {
        files.iter().map(|file| listed_spec(&project, file)).collect()
    } else {
        files.par_iter().map(|file| listed_spec(&project, file)).collect()
    };
    listed.sort_by_cached_key(|spec| collate::key(spec.id));
    if args.json {
        print_json(&json!({ "specs": listed, "root": root.to_json() }));
        return Ok(());
    }
    if listed.is_empty() {
        output::text("No specs found.\n");
        return Ok(());
    }
    let ids: Vec<String> = listed.iter().map(|spec| visible(spec.id)).collect();
    let width = ids.iter().map(|id| id.chars().count()).max().unwrap_or_default();
    let mut text = "Specs:\n".to_owned();
    for (spec, id) in listed.iter().zip(&ids) {
        text += &format!("  {id:width$}     requirements {}\n", spec.requirement_count);
    }
    output::text(&text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn milliseconds_are_rounded() {
        let time = |nanos| timestamp(UNIX_EPOCH + Duration::new(1_700_000_000, nanos));
        assert_eq!(format!("{:.3}", time(123_400_000)), "2023-11-14T22:13:20.123Z");
        assert_eq!(format!("{:.3}", time(999_500_000)), "2023-11-14T22:13:21.000Z");
    }

    #[test]
    fn ages() {
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        let day = 24 * 60 * 60;
        assert_eq!(age(at(59), at(0)), "just now");
        assert_eq!(age(at(day - 1), at(0)), "23h ago");
        assert_eq!(age(at(31 * day - 1), at(0)), "30d ago");
        assert_eq!(age(at(31 * day), at(0)), "1970-01-01");
    }
}
