//! `specward hook pre-receive`: what is pushed to this repository, judged before it is let in.

use std::process::ExitCode;

use super::judged::{self, Updates};
use super::stdin;
use crate::cli::settings::Settings;
use crate::gate::Task;
use crate::repo::push::{self, Target, Update};
use crate::repo::scope::{Comparison, Request, RequestKind};

pub(in crate::cli::hook) fn run(settings: &Settings) -> ExitCode {
    judged::exit(judge(settings))
}

fn judge(settings: &Settings) -> Result<u8, u8> {
    let repository = judged::repository(settings)?;
    let lines = stdin::lines()
        .map_err(|error| judged::could_not_run(&format!("standard input {error}"), "let git call this"))?;
    let updates = lines.iter().map(|line| {
        let [old, new, remote] = push::words(line).map(|words| words.map(str::to_owned)).ok_or_else(|| {
            let message = format!("standard input has the line `{line}`, which is not one that git writes");
            judged::could_not_run(&message, "each line is: old id, new id, name")
        })?;
        Ok(Update { local: String::new(), new, remote, old })
    });
    let updates = updates.collect::<Result<Vec<Update>, u8>>()?;
    let target = Target::here(&repository).map_err(|error| judged::undetermined(&error))?;
    let task = |comparison| task(settings, comparison);
    // A server keeps no record of what it refuses: anybody could fill it.
    let mut judging =
        Updates { repository: &repository, target: &target, task: &task, is_kept: false, done: Vec::new() };
    let codes: Vec<u8> = updates.iter().map(|update| judging.judge(update)).collect();
    Ok(judged::worst(codes))
}

/// Programs are never run: whoever may push would run them on the server. The default branch says how strictly specs are
/// frozen, and where there is none yet, what comes first is only judged for being valid.
fn task(settings: &Settings, comparison: Comparison) -> Task {
    let is_first = comparison.base.is_none();
    let request = Request { kind: RequestKind::Changed, known: Some(comparison), ..Request::default() };
    let task = judged::task(settings, request, true);
    Task { frozen_spec: if is_first { task.frozen_spec } else { Some(None) }, is_last: true, ..task }
}
