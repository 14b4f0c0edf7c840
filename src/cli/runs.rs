//! `specward runs`: what runs are stored.

use std::process::ExitCode;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::failure::print_json;
use super::output;
use super::settings::Settings;
use super::stored::{self, DIM, Format, RESET, coloured, short};
use crate::ledger::{self, Listed, RunRecord};
use crate::report::visible;

/// List the stored runs, the newest first
///
/// Each `specward verify` in a repository is stored below its `.git`, the newest hundred are kept.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// How many to list
    #[arg(short = 'n', value_name = "N", default_value_t = 20)]
    number: usize,
    /// How to print them
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let folder = match stored::open(settings) {
        Ok((_, folder)) => folder,
        Err(error) => return stored::could_not_run(&error.to_string(), &error.fix()),
    };
    let listed: Vec<Listed> = match ledger::list(&folder) {
        Ok(listed) => listed.take(args.number).collect(),
        Err(error) => {
            let message = format!("{}: {error}", folder.display());
            return stored::could_not_run(&message, "see who may read that folder");
        }
    };
    match args.format {
        Format::Json => print_json(&document(&listed)),
        Format::Human if listed.is_empty() => {
            output::text("No run is stored. `specward verify` in this repository stores one.\n");
        }
        Format::Human => output::text(&table(&listed, Timestamp::now())),
    }
    ExitCode::SUCCESS
}

fn document(listed: &[Listed]) -> Value {
    let mut runs = Vec::new();
    let mut damaged = Vec::new();
    for listed in listed {
        match listed {
            Listed::Run(run) => runs.push(json!({
                "run_id": run.run_id,
                "time": run.time,
                "verdict": run.verdict,
                "exit_code": run.exit_code,
                "counts": run.counts,
                "base": run.scope.base,
                "head": run.scope.head,
                "criteria": run.criteria.len(),
            })),
            Listed::Damaged { name, why } => damaged.push(json!({ "name": name, "why": why })),
        }
    }
    json!({ "schema_version": 1, "runs": runs, "damaged": damaged })
}

fn table(listed: &[Listed], now: Timestamp) -> String {
    let mut text = String::new();
    for listed in listed {
        text += &match listed {
            Listed::Run(run) => row(run, now),
            Listed::Damaged { name, why } => format!("{}  damaged: {}\n", visible(name), visible(why)),
        };
    }
    text
}

fn row(run: &RunRecord, now: Timestamp) -> String {
    let age = run.time.parse().map_or_else(|_| visible(&run.time), |time| age(time, now));
    let padding = " ".repeat("UNVERIFIABLE".len().saturating_sub(run.verdict.word().len()));
    let scope = match &run.scope.base {
        Some(base) => format!("{}..{}", short(base), short(&run.scope.head)),
        None => short(&run.scope.head),
    };
    let verdict = coloured(run.verdict);
    format!("{}  {age:>9}  {verdict}{padding}  {}  {DIM}{scope}{RESET}\n", run.run_id, run.counts)
}

/// How long ago something was, in its largest unit.
fn age(time: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second() - time.as_second();
    match seconds {
        ..0 => "in future".to_owned(),
        0..60 => format!("{seconds} s ago"),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..172_800 => format!("{} h ago", seconds / 3600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        let now: Timestamp = "2026-12-01T02:24:18Z".parse().unwrap();
        for (time, expected) in [
            ("2026-12-01T02:24:18Z", "0 s ago"),
            ("2026-12-01T02:23:18Z", "1 min ago"),
            ("2026-11-30T02:24:18Z", "24 h ago"),
            ("2026-11-01T02:24:18Z", "30 d ago"),
            ("2026-12-01T02:24:19Z", "in future"),
        ] {
            assert_eq!(age(time.parse().unwrap(), now), expected);
        }
    }
}
