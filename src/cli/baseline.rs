//! `specward baseline`: writes down today's findings, so that old ones do not fail and new ones do.

use std::process::ExitCode;

use super::COULD_NOT_RUN;
use super::output;
use super::progress;
use super::settings::Settings;
use crate::config::baseline::{Baseline, Entry};
use crate::gate::{self, Progress, Recorded, Task};
use crate::report::{Verdict, count, display_path, visible};

/// Record today's findings, so that old ones do not fail and new ones do
///
/// Judges the whole tree as it lies on disk and writes openspec/specward-baseline.yaml in each project with every
/// warning and error, new ones included and those that are gone left out. What `openspec validate` fails by too, what
/// could not be checked and edits of frozen files cannot be taken. Exit code 0 done, 1 --check found entries that no
/// longer occur, 2 could not run, 3 something could not be judged and nothing was written.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Write nothing; fail when an entry no longer occurs
    #[arg(long, conflicts_with = "prune")]
    check: bool,
    /// Only drop entries that no longer occur; record no new finding
    #[arg(long)]
    prune: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let task = Task { cwd: settings.cwd.clone(), env: settings.env.clone(), today: settings.today, ..Task::default() };
    let state = Progress::default();
    let recording = match progress::watched(&state, || gate::record(&task, &state)) {
        Ok(recording) => recording,
        Err(error) => return could_not_run(&error.to_string(), &error.fix()),
    };
    for reason in &recording.report.reasons {
        output::stderr(&format!("error: {}\nfix: {}\n", visible(&reason.message), visible(&reason.fix)));
    }
    let unknown = recording.projects.iter().flat_map(|project| &project.unknown);
    for path in unknown.clone() {
        output::stderr(&format!("error: {path} could not be judged\nfix: `specward verify` says why\n"));
    }
    if !recording.report.reasons.is_empty() || unknown.count() > 0 {
        return ExitCode::from(Verdict::Unverifiable.exit_code());
    }
    if args.check {
        return check(&recording.projects);
    }
    for project in &recording.projects {
        if let Err(error) = write(project, &recording.top, args.prune) {
            return could_not_run(&format!("{}: {error}", display_path(project.path.as_ref())), "make it writable");
        }
    }
    ExitCode::SUCCESS
}

fn could_not_run(message: &str, fix: &str) -> ExitCode {
    output::stderr(&format!("error: {}\nfix: {}\n", visible(message), visible(fix)));
    ExitCode::from(COULD_NOT_RUN)
}

/// Names the entries that no longer occur.
fn check(projects: &[Recorded]) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for project in projects {
        let (file, gone) = (display_path(project.path.as_ref()), project.gone());
        for entry in &gone {
            output::text(&format!("{}\n", words(entry)));
        }
        match &project.old {
            None => output::text(&format!("{file}: there is none\n")),
            Some(old) => output::text(&format!("{file}: {} of {} no longer occur\n", gone.len(), entries(old.len()))),
        }
        if !gone.is_empty() {
            code = ExitCode::FAILURE;
        }
    }
    code
}

/// Writes a project's baseline and says what is in it.
fn write(project: &Recorded, top: &std::path::Path, is_pruning: bool) -> std::io::Result<()> {
    let kept: Vec<Entry> = project.kept().into_iter().cloned().collect();
    let dropped = project.gone().len();
    let entries_now = if is_pruning { &kept } else { &project.found };
    let new = entries_now.len() - kept.len();
    let file = display_path(project.path.as_ref());
    // A project that never had anything to record needs no file.
    if project.old.is_none() && (is_pruning || entries_now.is_empty()) {
        output::text(&format!("{file}: there is none, and nothing to record\n"));
    } else {
        output::own_file(&project.file(top), &Baseline::render(entries_now))?;
        output::text(&format!("{file}: {}, {new} new, {dropped} dropped\n", entries(entries_now.len())));
    }
    let left = project.found.len() - entries_now.len();
    if left > 0 {
        output::text(&format!("Not recorded: {}, new since; `specward baseline` takes them\n", count(left, "finding")));
    }
    if project.refused > 0 {
        let refused = count(project.refused, "finding");
        output::text(&format!("Not taken: {refused} that no baseline can hold; `specward verify` shows them\n"));
    }
    Ok(())
}

fn entries(number: usize) -> String {
    if number == 1 { "1 entry".to_owned() } else { format!("{number} entries") }
}

/// An entry on one line.
fn words(entry: &Entry) -> String {
    let about = if entry.about.is_empty() { String::new() } else { format!(" ({})", visible(&entry.about)) };
    format!("{}: {}{about} no longer occurs", visible(&entry.path), visible(&entry.rule))
}
