//! `specward accept`: a person says that the spec set is right as it is.

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bstr::{BString, ByteVec};

use super::agent_above::agent_above;
use super::hook::task;
use super::output;
use super::settings::Settings;
use super::stored::could_not_run;
use crate::gate::observe;
use crate::hook::place;
use crate::ledger::RunId;
use crate::ledger::chain::{self, AcceptEntry};
use crate::repo::open::common_dir_of;
use crate::report::{count, display_path, visible};
use crate::session::{Acceptance, Record, SessionFolder};

/// Accept the specs as they are, for the sessions of agents that run in this work tree
///
/// Asks in a terminal, and is refused to agents. What is accepted is written down with its reason in
/// `.git/specward/ledger.jsonl`.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Files or folders to accept [default: all that differ from what was recorded]
    paths: Vec<PathBuf>,
    /// Why
    #[arg(long, value_name = "TEXT", value_parser = not_empty)]
    reason: String,
}

fn not_empty(reason: &str) -> Result<String, String> {
    let reason = reason.trim();
    if reason.is_empty() { Err("a reason says something".to_owned()) } else { Ok(reason.to_owned()) }
}

/// A session whose record is going to be changed.
struct Change {
    folder: SessionFolder,
    /// The record as it will be.
    record: Record,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    if let Some(agent) = agent_above(&settings.inherited) {
        let message = format!("this was started by an agent ({agent}), and only a person can accept a spec");
        return could_not_run(&message, "ask the person you work for to run it in a terminal of their own");
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let message = "accepting asks a person, and this is no terminal";
        return could_not_run(message, "run it in a terminal");
    }
    match accept(args, settings) {
        Ok(code) => code,
        Err((message, fix)) => could_not_run(&message, &fix),
    }
}

fn accept(args: &Args, settings: &Settings) -> Result<ExitCode, (String, String)> {
    let observed =
        observe(&task(settings, &settings.cwd)).map_err(|error| (error.to_string(), "mend that first".to_owned()))?;
    let top = PathBuf::from(&observed.record.top);
    let asked = args.paths.iter().map(|path| from_top(&top, &settings.cwd, path)).collect::<Result<Vec<_>, _>>()?;
    let common =
        common_dir_of(&top).ok_or_else(|| ("there is no repository".to_owned(), "run `git init`".to_owned()))?;
    let now = jiff::Timestamp::now();
    let acceptance = |files: &[BString]| Acceptance {
        time: now.to_string(),
        reason: args.reason.clone(),
        paths: files.iter().map(|path| display_path(path.as_ref())).collect(),
    };
    let (mut changes, mut files): (Vec<Change>, Vec<BString>) = (Vec::new(), Vec::new());
    let sessions = SessionFolder::all(&common);
    let (mut elsewhere, mut is_ours): (Vec<Change>, bool) = (Vec::new(), false);
    for folder in &sessions {
        match folder.record_of(&top) {
            // The session began in another work tree: from here on this one has a record of its own.
            Ok(Some(record)) if record.top != observed.record.top => {
                if asked.is_empty() {
                    let (session, agent) = (record.session, record.agent);
                    let record = Record { accepted: vec![acceptance(&[])], session, agent, ..observed.record.clone() };
                    elsewhere.push(Change { folder: folder.clone(), record });
                }
            }
            Ok(Some(mut record)) => {
                is_ours = true;
                let differing = record.differing(&observed.record, &asked);
                if !differing.is_empty() {
                    record.take_over(&observed.record, &differing);
                    record.accepted.push(acceptance(&differing));
                    changes.push(Change { folder: folder.clone(), record });
                    files.extend(differing);
                }
            }
            // Nobody knows how the specs were: all of them are accepted, or none.
            Ok(None) | Err(_) if asked.is_empty() => {
                let record = Record { accepted: vec![acceptance(&[])], ..observed.record.clone() };
                changes.push(Change { folder: folder.clone(), record });
            }
            Ok(None) | Err(_) => {}
        }
    }
    if !is_ours && changes.is_empty() {
        changes = elsewhere;
    }
    files.sort();
    files.dedup();
    if changes.is_empty() {
        let words = match sessions.is_empty() {
            true => "No session of an agent is recorded in this repository: there is nothing to accept.\n",
            false => "Nothing differs from what is recorded: there is nothing to accept.\n",
        };
        output::text(words);
        return Ok(ExitCode::SUCCESS);
    }
    if !confirmed(&files, changes.len()) {
        output::text("Nothing was accepted.\n");
        return Ok(ExitCode::FAILURE);
    }
    let sessions = changes.iter().map(|change| change.record.session.clone()).collect();
    let accepted = chain::Accepted {
        reason: args.reason.clone(),
        files: files.iter().map(|path| display_path(path.as_ref())).collect(),
        sessions,
    };
    let id = RunId::new(now, std::process::id()).to_string();
    // First the ledger: what is accepted is never without a trace.
    let ledger = common.join("specward").join("ledger.jsonl");
    let io = |error: io::Error| (error.to_string(), "see who may write to `.git/specward`".to_owned());
    std::fs::create_dir_all(common.join("specward")).map_err(io)?;
    chain::append(&ledger, &AcceptEntry::new(id, now.to_string(), accepted))
        .map_err(|error| (error.to_string(), error.fix()))?;
    for Change { folder, record } in &changes {
        let _lock = folder.lock().map_err(|error| (error.to_string(), "try again".to_owned()))?;
        observed.keep_contents(folder).map_err(io)?;
        match folder.record() {
            Ok(Some(first)) if first.top != record.top => folder.write_record_of(&top, record),
            _ => folder.write_record(record),
        }
        .map_err(io)?;
    }
    output::text(&format!("Accepted for {}.\n", count(changes.len(), "session")));
    Ok(ExitCode::SUCCESS)
}

/// Shows what would be accepted and asks.
fn confirmed(files: &[BString], sessions: usize) -> bool {
    let mut text = String::new();
    for path in files {
        text += &format!("  {}\n", display_path(path.as_ref()));
    }
    if files.is_empty() {
        text += "  all specs as they are now: how they were is not known\n";
    }
    text += &format!("Accept for {}? [y/N] ", count(sessions, "session"));
    output::stderr(&text);
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

/// A path as it is given, from the top of the work tree.
fn from_top(top: &Path, cwd: &Path, given: &Path) -> Result<BString, (String, String)> {
    let cwd = std::fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned());
    let whole = place::plain(&cwd.join(given));
    let inner = whole.strip_prefix(top).map_err(|_| {
        let shown = visible(&given.display().to_string());
        (format!("{shown} lies outside of the work tree"), "name files below its top".to_owned())
    })?;
    Ok(BString::from(Vec::from_path_buf(inner.to_owned()).unwrap_or_default()))
}
