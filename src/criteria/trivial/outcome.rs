//! What the exit code of a shell line depends on.

use super::programs::{passes_on, program_outcome, write_own};
use crate::criteria::shell::{Joint, List, Pipeline, Stage, Unwrapped, Word, is_reserved, parse, unwrapped};

/// How deep shells may stand in shells.
const DEPTH: usize = 8;

/// What a command's exit code depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It always is this.
    Always(i32),
    /// On what it runs.
    Depends,
}

/// What was met on the way.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Text that is written whatever happens.
    pub(super) written: String,
    /// Whether anything depends on what is run.
    pub(super) depends: bool,
    /// Whether anything is not understood: nothing is said then.
    pub(super) is_unknown: bool,
}

/// What a line ends with. `stops` is `set -e`, `is_certain` whether it is reached whatever happens.
pub(super) fn list_outcome(list: &List, mut stops: bool, seen: &mut Seen, is_certain: bool, depth: usize) -> Outcome {
    let mut pipefail = false;
    let mut outcome = Outcome::Always(0);
    // Codes it may end with before its end.
    let mut early: Vec<Outcome> = Vec::new();
    let mut at = 0;
    while at < list.len() {
        // One and-or list: `a && b || c`.
        let length = list.iter().skip(at).take_while(|(_, joint)| matches!(joint, Joint::And | Joint::Or)).count() + 1;
        let parts = list.get(at..(at + length).min(list.len())).unwrap_or_default();
        at += length;
        let mut current = Outcome::Always(0);
        let mut before = None;
        let mut reached = is_certain;
        for (pipeline, joint) in parts {
            let runs = match (before, current) {
                (None, _) | (Some(Joint::And), Outcome::Always(0)) => true,
                (Some(Joint::Or), Outcome::Always(code)) => code != 0,
                (Some(Joint::And), Outcome::Always(_)) => false,
                _ => {
                    reached = false;
                    true
                }
            };
            if runs {
                let is_last_exit = exits(pipeline);
                let this = pipeline_outcome(pipeline, pipefail, seen, reached, depth);
                let combined = match (before, current) {
                    (Some(Joint::Or), Outcome::Depends) if this == Outcome::Always(0) => Outcome::Always(0),
                    (Some(_), Outcome::Depends) => Outcome::Depends,
                    _ => this,
                };
                // `a || exit 0` ends with 0 either way, but `a && exit 1` may go on.
                if is_last_exit {
                    if current == Outcome::Depends && before.is_some() {
                        early.push(this);
                    } else {
                        early.push(this);
                        return agreed(this, &early);
                    }
                }
                current = combined;
                (stops, pipefail) = options(pipeline, stops, pipefail);
            }
            before = Some(*joint);
        }
        if parts.last().is_some_and(|(_, joint)| *joint == Joint::Background) {
            current = Outcome::Always(0);
        }
        if stops && current != Outcome::Always(0) {
            early.push(current);
        }
        outcome = current;
    }
    agreed(outcome, &early)
}

/// The outcome when all ways out agree.
fn agreed(last: Outcome, early: &[Outcome]) -> Outcome {
    if early.iter().all(|outcome| *outcome == last) { last } else { Outcome::Depends }
}

/// Whether a pipeline is nothing but `exit`.
fn exits(pipeline: &Pipeline) -> bool {
    matches!(pipeline.stages.as_slice(), [Stage::Simple(words)] if words.first().is_some_and(|word| word.text == "exit"))
}

/// `set -e`, `set -euo pipefail`, and back with `+`.
fn options(pipeline: &Pipeline, mut stops: bool, mut pipefail: bool) -> (bool, bool) {
    let [Stage::Simple(words)] = pipeline.stages.as_slice() else { return (stops, pipefail) };
    let Some((first, rest)) = words.split_first() else { return (stops, pipefail) };
    if first.text != "set" {
        return (stops, pipefail);
    }
    for (at, word) in rest.iter().enumerate() {
        let is_on = word.text.starts_with('-');
        let letters = word.text.trim_start_matches(['-', '+']);
        if is_on || word.text.starts_with('+') {
            if letters.contains('e') {
                stops = is_on;
            }
            if letters.contains('o') {
                match rest.get(at + 1).map(|name| name.text.as_str()) {
                    Some("pipefail") => pipefail = is_on,
                    Some("errexit") => stops = is_on,
                    _ => {}
                }
            }
        }
    }
    (stops, pipefail)
}

fn pipeline_outcome(pipeline: &Pipeline, pipefail: bool, seen: &mut Seen, is_certain: bool, depth: usize) -> Outcome {
    let mut outcome = Outcome::Always(0);
    let count = pipeline.stages.len();
    for (at, stage) in pipeline.stages.iter().enumerate() {
        // What a part writes goes to the next one.
        let is_shown = is_certain && at + 1 == count;
        let this = match stage {
            Stage::Simple(words) if words.first().is_some_and(|word| is_reserved(&word.text)) => {
                seen.is_unknown = true;
                Outcome::Depends
            }
            Stage::Simple(words) if at > 0 && passes_on(words) => Outcome::Always(0),
            Stage::Simple(words) => words_outcome(words, seen, is_shown, depth),
            Stage::Group(list) => list_outcome(list, false, seen, is_shown, depth),
            Stage::Other => {
                seen.is_unknown = true;
                Outcome::Depends
            }
        };
        outcome = if pipefail && outcome != Outcome::Always(0) { outcome } else { this };
    }
    match outcome {
        Outcome::Always(code) if pipeline.is_negated => Outcome::Always(i32::from(code == 0)),
        other => other,
    }
}

/// What a program with its arguments ends with, wrappers looked through.
pub(super) fn words_outcome(words: &[Word], seen: &mut Seen, is_certain: bool, depth: usize) -> Outcome {
    if depth > DEPTH {
        seen.is_unknown = true;
        return Outcome::Depends;
    }
    // `x=$(a)` ends as `a` does.
    let puts_in_output = words.iter().any(|word| !word.is_literal && word.text.contains(['(', '`']));
    let words = match unwrapped(words) {
        Unwrapped::Line(line, stops) => return list_outcome(&parse(&line), stops, seen, is_certain, depth + 1),
        Unwrapped::Argv(words) => words,
    };
    let outcome = if words.is_empty() && puts_in_output { Outcome::Depends } else { program_outcome(&words) };
    if outcome == Outcome::Depends {
        seen.depends = true;
    } else if is_certain {
        write_own(&words, &mut seen.written);
    }
    outcome
}
