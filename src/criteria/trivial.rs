//! Commands that pass whatever the implementation does.

mod outcome;
mod programs;

use std::collections::BTreeSet;

use regex::Regex;

use super::model::{CommandCheck, CommandLine, ExitExpectation, TextExpectation};
use crate::shell::{Word, parse};
use outcome::{Outcome, Seen, list_outcome, may_have_input, words_outcome};

const ALWAYS_PASSES: &str = "its command ends the same way whatever the implementation does";
const MASKED: &str = "what comes last in its command always succeeds, so that nothing before it can fail the check";
const NOTHING_EXPECTED: &str = "it accepts any exit code and expects nothing of the output";
const NOTHING_NEEDED: &str =
    "it accepts any exit code and only says what the output must not have, which holds of a program that does nothing";
const TOO_MANY_CODES: &str = "it accepts so many exit codes, success and failure among them, that it hardly can fail";
const OF_THE_MACHINE: &str = "what its command writes is the same whatever the implementation does";
const EMPTY_TEXT: &str = "an expected text or pattern is so empty that every output has it";
const OWN_WORDS: &str = "the command itself writes the text that is expected";

/// Exit codes that a check may accept when success and failure are both among them.
const MAX_CODES: usize = 3;

/// Why a check proves nothing, when it proves nothing.
pub fn is_trivial(check: &CommandCheck) -> Option<&'static str> {
    let expect = &check.expect;
    let texts = [&expect.stdout, &expect.stderr];
    if texts.iter().any(|text| has_empty(text)) {
        return Some(EMPTY_TEXT);
    }
    let accepts_any = expect.exit == ExitExpectation::Any;
    if accepts_any && texts.iter().all(|text| text.is_empty()) {
        return Some(NOTHING_EXPECTED);
    }
    let expects_text = texts.iter().any(|text| !text.contains.is_empty() || !text.matches.is_empty());
    if accepts_any && !expects_text {
        return Some(NOTHING_NEEDED);
    }
    if !expects_text && accepts_nearly_all(&expect.exit) {
        return Some(TOO_MANY_CODES);
    }
    let mut seen = Seen::default();
    let outcome = match &check.command {
        CommandLine::Argv(argv) => {
            let words: Vec<Word> = argv.iter().map(|word| Word::from(word.as_str())).collect();
            words_outcome(&words, &mut seen, true, 0)
        }
        CommandLine::Shell(line) => {
            seen.has_input = may_have_input(line);
            list_outcome(&parse(line), false, &mut seen, true, 0)
        }
    };
    let always_expected = match (outcome, &expect.exit) {
        (_, ExitExpectation::Any) => true,
        (Outcome::Always(code), ExitExpectation::OneOf(codes)) => codes.contains(&code),
        (Outcome::Depends, ExitExpectation::OneOf(_)) => false,
    };
    if !always_expected || seen.is_unknown {
        return None;
    }
    if expects_text {
        let is_own = texts.iter().all(|text| is_written(text, &seen.written));
        let is_of_machine = !seen.is_about_tree && !seen.depends;
        return is_own.then_some(OWN_WORDS).or_else(|| is_of_machine.then_some(OF_THE_MACHINE));
    }
    // What must not be written can be, by a program that looks at the tree.
    if seen.is_about_tree && !seen.depends && texts.iter().any(|text| !text.is_empty()) {
        return None;
    }
    match outcome {
        Outcome::Always(_) if seen.depends => Some(MASKED),
        Outcome::Always(_) => Some(ALWAYS_PASSES),
        // Something must not be in the output: that can fail.
        Outcome::Depends => None,
    }
}

fn accepts_nearly_all(exit: &ExitExpectation) -> bool {
    match exit {
        ExitExpectation::Any => true,
        ExitExpectation::OneOf(codes) => {
            let different: BTreeSet<&i32> = codes.iter().collect();
            different.len() > MAX_CODES && different.contains(&0) && different.contains(&1)
        }
    }
}

/// Whether a text holds of every output.
fn has_empty(text: &TextExpectation) -> bool {
    let is_any =
        |pattern: &String| Regex::new(pattern).is_ok_and(|regex| regex.is_match("") && regex.is_match("x\u{1}y"));
    text.contains.iter().any(String::is_empty) || text.matches.iter().any(is_any)
}

/// Whether all that is expected of a text is in what the command writes of its own.
fn is_written(text: &TextExpectation, written: &str) -> bool {
    let matches = |pattern: &String| {
        regex::RegexBuilder::new(pattern).multi_line(true).crlf(true).build().is_ok_and(|regex| regex.is_match(written))
    };
    text.contains.iter().all(|wanted| written.contains(wanted.as_str())) && text.matches.iter().all(matches)
}

#[cfg(test)]
mod tests;
