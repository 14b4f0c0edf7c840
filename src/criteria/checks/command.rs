//! Judges how a program ended and what it wrote.

use std::fmt::Write as _;
use std::time::Duration;

use regex::RegexBuilder;

use crate::criteria::model::{CommandCheck, CommandLine, ExitExpectation, TextExpectation};
use crate::criteria::process::{Captured, End, Ended};
use crate::criteria::test_counts::{Runner, TestCounts, runner};
use crate::report::Verdict;

/// How a way out is written.
const SAY_WHAT: &str = "say what the output has to contain with `expect: { stdout: { contains: … } }`";

/// What a program wrote, made ready once for all checks that share its run.
#[derive(Debug)]
pub struct Output {
    stdout: Text,
    stderr: Text,
}

impl Output {
    /// What a program that ended wrote; nothing when it never ran.
    pub fn of(ended: &Ended) -> Self {
        Self { stdout: plain(&ended.stdout), stderr: plain(&ended.stderr) }
    }
}

/// A stream's text without colours. What is expected of it may stand in either.
#[derive(Debug)]
struct Text {
    raw: String,
    plain: String,
    is_cut: bool,
}

fn plain(captured: &Captured) -> Text {
    let raw = captured.text();
    let plain = anstream::adapter::strip_str(&raw).to_string();
    Text { raw, plain, is_cut: captured.is_cut() }
}

/// Judges a program that ended, or never ran: the verdict, and what was seen on one line.
pub fn judge(check: &CommandCheck, ended: &Ended, output: &Output) -> (Verdict, String) {
    let texts = [&output.stdout, &output.stderr];
    let code = match &ended.end {
        End::Exited(code) => *code,
        End::Signalled(signal) => {
            let message = format!("it was killed by signal {signal}; run it by hand to see why, then run this again");
            return (Verdict::Unverifiable, message);
        }
        End::TimedOut => {
            let message = format!(
                "it did not end within {} and was killed with all its processes; make it faster, or give the check a longer \
                 `timeout`",
                duration(ended.duration)
            );
            return (Verdict::Unverifiable, message);
        }
        End::NotFound(why) | End::NotStarted(why) => return (Verdict::Unverifiable, why.clone()),
        End::Interrupted => return (Verdict::Unverifiable, "specward was told to end; run it again".to_owned()),
    };
    let runner = runner(&check.command);
    let is_expected = match &check.expect.exit {
        ExitExpectation::OneOf(codes) => codes.contains(&code),
        ExitExpectation::Any => true,
    };
    if !is_expected {
        if let Some(message) = nothing_ran(runner, code, ended.tests) {
            return (Verdict::Unverifiable, message);
        }
        return (Verdict::Fail, format!("it exits with {code}, not with {}", codes(&check.expect.exit)));
    }
    let [stdout, stderr] = texts;
    let (mut worst, mut message) = (Verdict::Pass, format!("it exits with {code}"));
    for (name, text, expected) in [("stdout", stdout, &check.expect.stdout), ("stderr", stderr, &check.expect.stderr)] {
        if let Some((verdict, why)) = expectation(name, text, expected)
            && verdict > worst
        {
            (worst, message) = (verdict, why);
        }
    }
    if worst == Verdict::Pass
        && let Some(why) = refusal(check, runner, ended.tests)
    {
        return (Verdict::Unverifiable, why);
    }
    if worst == Verdict::Pass && ended.tests.recognised {
        let TestCounts { ran, skipped, .. } = ended.tests;
        // A guess is no number to tell.
        if ended.tests.guessed == 0 {
            write!(message, ", {ran} {} run, {skipped} skipped", tests(ran)).unwrap_or_default();
        }
    }
    (worst, message)
}

/// Why a wrong exit code only says that there was no test to run.
fn nothing_ran(runner: Option<Runner>, code: i32, counts: TestCounts) -> Option<String> {
    let says_so = match runner? {
        // NO_TESTS_RUN
        Runner::Nextest => code == 4,
        // EXIT_NOTESTSCOLLECTED
        Runner::Pytest => code == 5,
        _ => false,
    };
    // Not every run of none: a build that fails and a test that crashes leave none to count either.
    let said_so = counts.found_none && counts.ran == 0;
    (says_so || said_so).then(|| format!("it exits with {code}: {}", none_ran(counts)))
}

/// Why a program that did all that is expected proves nothing.
fn refusal(check: &CommandCheck, runner: Option<Runner>, counts: TestCounts) -> Option<String> {
    let expects_text = |text: &TextExpectation| !text.contains.is_empty() || !text.matches.is_empty();
    let expects_text = expects_text(&check.expect.stdout) || expects_text(&check.expect.stderr);
    let is_none = counts.recognised && counts.ran == 0;
    match runner {
        // What only looks like a summary decides nothing when somebody says what to look for.
        None if is_none && !expects_text => Some(format!("{}; when it is no test run, {SAY_WHAT}", none_ran(counts))),
        None => None,
        Some(_) if is_none => Some(none_ran(counts)),
        Some(_) if expects_text => None,
        Some(_) if !counts.recognised => {
            Some(format!("its output does not say how many tests ran; {SAY_WHAT}, or let it print its summary"))
        }
        Some(Runner::GoTest { is_selective: true, is_verbose: false }) if counts.ran == counts.guessed => Some(
            "without `-v` go does not say whether the selected tests were skipped; add `-v` to the command".to_owned(),
        ),
        Some(_) => None,
    }
}

/// That nothing ran, and the way out. Those that were not selected count as skipped with some runners.
fn none_ran(counts: TestCounts) -> String {
    match counts.skipped {
        0 => "no test ran; correct what the command selects, or write the test".to_owned(),
        1 => "no test ran, 1 was skipped; correct what the command selects, or do not skip it".to_owned(),
        skipped => {
            format!("no test ran, {skipped} were skipped; correct what the command selects, or do not skip them")
        }
    }
}

/// What is not as expected of a text, the worst first.
fn expectation(name: &str, text: &Text, expected: &TextExpectation) -> Option<(Verdict, String)> {
    let mut worst = None;
    let mut note = |verdict: Verdict, message: String| {
        if worst.as_ref().is_none_or(|(other, _)| verdict > *other) {
            worst = Some((verdict, message));
        }
    };
    let unseen = |what: String| {
        format!("{what}, and the middle of the output was not kept because it is so much; let the command print less")
    };
    for wanted in &expected.contains {
        if text.raw.contains(wanted.as_str()) || text.plain.contains(wanted.as_str()) {
            continue;
        }
        let what = format!("{name} does not contain `{}`", one_line(wanted));
        if text.is_cut { note(Verdict::Unverifiable, unseen(what)) } else { note(Verdict::Fail, what) }
    }
    for unwanted in &expected.not_contains {
        if text.raw.contains(unwanted.as_str()) || text.plain.contains(unwanted.as_str()) {
            note(Verdict::Fail, format!("{name} contains `{}`", one_line(unwanted)));
        } else if text.is_cut {
            note(Verdict::Unverifiable, unseen(format!("no `{}` is seen in {name}", one_line(unwanted))));
        }
    }
    for pattern in &expected.matches {
        let shown = one_line(pattern);
        match RegexBuilder::new(pattern).multi_line(true).crlf(true).build() {
            Err(_) => {
                note(Verdict::Unverifiable, format!("`{shown}` is no regular expression, or too big a one; correct it"))
            }
            Ok(regex) if regex.is_match(&text.raw) || regex.is_match(&text.plain) => {}
            Ok(_) if text.is_cut => note(Verdict::Unverifiable, unseen(format!("`{shown}` does not match {name}"))),
            Ok(_) => note(Verdict::Fail, format!("`{shown}` does not match {name}")),
        }
    }
    worst
}

fn codes(expected: &ExitExpectation) -> String {
    match expected {
        ExitExpectation::OneOf(codes) => codes.iter().map(i32::to_string).collect::<Vec<_>>().join(" or "),
        ExitExpectation::Any => "any".to_owned(),
    }
}

/// The command, how it ended, and what it wrote, the same for all checks that share its run; and how many bytes of that
/// were lost.
pub fn evidence(command: &CommandLine, ended: &Ended, output: &Output) -> (String, u64) {
    let Output { stdout, stderr } = output;
    let mut text = format!("$ {}\n", one_line(&command.to_string()));
    let took = duration(ended.duration);
    let how = match &ended.end {
        End::Exited(code) => format!("exit {code} after {took}"),
        End::Signalled(signal) => format!("killed by signal {signal} after {took}"),
        End::TimedOut => format!("killed at its time limit, after {took}"),
        End::NotFound(_) => "not found".to_owned(),
        End::NotStarted(_) => "not started".to_owned(),
        End::Interrupted => format!("interrupted after {took}"),
    };
    text.push_str(&how);
    if let Some(program) = &ended.program {
        write!(text, " ({})", program.display()).unwrap_or_default();
    }
    text.push('\n');
    let has_both = !ended.stdout.is_empty() && !ended.stderr.is_empty();
    for (name, stream) in [("stdout", stdout), ("stderr", stderr)] {
        if stream.plain.is_empty() {
            continue;
        }
        if has_both || name == "stderr" {
            writeln!(text, "--- {name}").unwrap_or_default();
        }
        text.push_str(&stream.plain);
        if !stream.plain.ends_with('\n') {
            text.push('\n');
        }
    }
    (text, ended.stdout.left_out().saturating_add(ended.stderr.left_out()))
}

fn tests(number: u64) -> &'static str {
    if number == 1 { "test" } else { "tests" }
}

/// Seconds with a tenth; milliseconds below one.
fn duration(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

/// A text of several lines on one.
fn one_line(text: &str) -> String {
    text.replace('\r', "\\r").replace('\n', "\\n")
}

#[cfg(test)]
mod tests;
