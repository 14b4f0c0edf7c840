//! What the exit code of a shell line depends on.

use std::collections::BTreeMap;

use super::programs::{is_of_the_machine, only_reads, passes_on, program_outcome, write_own};
use crate::shell::{Joint, List, Pipeline, Stage, Unwrapped, Word, commands, is_reserved, parse, unwrapped};

/// How deep shells may stand in shells.
const DEPTH: usize = 8;

/// Programs of a line that are looked at. Functions may call each other without end.
const MAX_STEPS: usize = 10_000;

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
    /// Functions that are defined, by their names.
    functions: BTreeMap<String, List>,
    /// Whether any of them may end the whole line.
    functions_exit: bool,
    /// Programs that were looked at.
    steps: usize,
    /// Whether the shell stopped at failures at any time.
    stops: bool,
    /// Whether something may be on standard input, which is empty otherwise.
    pub(super) has_input: bool,
    /// Whether anything writes what neither the command says nor the machine alone knows.
    pub(super) is_about_tree: bool,
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
                seen.stops |= stops;
                let this = pipeline_outcome(pipeline, pipefail, seen, reached, depth);
                // A group or a function may end all of it.
                if !is_last_exit && pipeline.stages.iter().any(|stage| may_exit(stage, seen)) {
                    early.push(this);
                }
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

/// Whether a pipeline is nothing but `exit`, or `return`.
fn exits(pipeline: &Pipeline) -> bool {
    matches!(pipeline.stages.as_slice(), [Stage::Simple(words)] if is_exit(words))
}

fn is_exit(words: &[Word]) -> bool {
    words.first().is_some_and(|word| matches!(word.text.as_str(), "exit" | "return"))
}

/// Whether `exit` stands inside a group or a function that is called.
fn may_exit(stage: &Stage, seen: &Seen) -> bool {
    let calls = |words: &[Word]| {
        seen.functions_exit && words.first().is_some_and(|word| seen.functions.contains_key(&word.text))
    };
    let is_inside = |list: &List| commands(list).iter().any(|words| is_exit(words) || calls(words));
    match stage {
        Stage::Group(list) => is_inside(list),
        Stage::Case(branches) => branches.iter().any(is_inside),
        Stage::Simple(words) => calls(words),
        Stage::Function(..) | Stage::Other => false,
    }
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
                compound_outcome(words, seen, depth)
            }
            Stage::Simple(words) if at > 0 && passes_on(words) => Outcome::Always(0),
            Stage::Simple(words) => words_outcome(words, seen, is_shown, depth),
            Stage::Group(list) => list_outcome(list, seen.stops, seen, is_shown, depth),
            Stage::Function(name, list) => {
                let is_end = |words: &Vec<Word>| words.first().is_some_and(|word| word.text == "exit");
                seen.functions_exit |= commands(list).iter().any(is_end);
                seen.functions.insert(name.clone(), list.clone());
                Outcome::Always(0)
            }
            Stage::Case(branches) => case_outcome(branches, seen, depth),
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

/// A part of `if`, `for` and the like. Known only when nothing in it can fail.
fn compound_outcome(words: &[Word], seen: &mut Seen, depth: usize) -> Outcome {
    let is_first = |names: &[&str]| words.first().is_some_and(|word| names.contains(&word.text.as_str()));
    let inner: Vec<Word> =
        words.iter().skip_while(|word| is_reserved(&word.text) || word.text == "!").cloned().collect();
    if is_first(&["for", "select"]) && inner.iter().all(|word| word.is_literal) {
        return Outcome::Always(0);
    }
    let outcome = if inner.is_empty() { Outcome::Always(0) } else { words_outcome(&inner, seen, false, depth) };
    match outcome {
        Outcome::Always(code) if code == 0 || is_first(&["if", "elif", "while", "until"]) => Outcome::Always(0),
        _ => {
            seen.is_unknown = true;
            Outcome::Depends
        }
    }
}

/// Known only when no branch can fail: then it does not matter which is taken.
fn case_outcome(branches: &[List], seen: &mut Seen, depth: usize) -> Outcome {
    if depth <= DEPTH
        && branches.iter().all(|list| list_outcome(list, false, seen, false, depth + 1) == Outcome::Always(0))
    {
        return Outcome::Always(0);
    }
    seen.is_unknown = true;
    Outcome::Depends
}

/// What a program with its arguments ends with, wrappers looked through.
pub(super) fn words_outcome(words: &[Word], seen: &mut Seen, is_certain: bool, depth: usize) -> Outcome {
    seen.steps += 1;
    if depth > DEPTH || seen.steps > MAX_STEPS {
        seen.is_unknown = true;
        return Outcome::Depends;
    }
    // `x=$(a)` ends as `a` does.
    let puts_in_output = words.iter().any(|word| !word.is_literal && word.text.contains(['(', '`']));
    let words = match unwrapped(words) {
        Unwrapped::Line(line, stops) => {
            seen.has_input |= may_have_input(&line);
            let stops = stops || seen.stops;
            return list_outcome(&parse(&line), stops, seen, is_certain, depth + 1);
        }
        Unwrapped::Argv(words) => words,
    };
    if let Some(list) = words.first().and_then(|word| seen.functions.get(&word.text)).cloned() {
        let stops = seen.stops;
        return list_outcome(&list, stops, seen, is_certain, depth + 1);
    }
    let reads_nothing = !seen.has_input && only_reads(&words);
    seen.is_about_tree |= !reads_nothing && !is_of_the_machine(&words);
    let outcome = match program_outcome(&words) {
        _ if words.is_empty() && puts_in_output => Outcome::Depends,
        Outcome::Depends if reads_nothing => Outcome::Always(0),
        outcome => outcome,
    };
    if outcome == Outcome::Depends {
        seen.depends = true;
    } else if is_certain {
        write_own(&words, &mut seen.written);
    }
    outcome
}

/// Whether anything in a line may be read by another part of it, or from a file.
pub(super) fn may_have_input(line: &str) -> bool {
    line.contains(['<', '|'])
}
