//! The elements of a JUnit document, and text in them.

use std::fmt::Write;

use super::{Case, Cause, Outcome, Suite, numbers, seconds};

/// Writes a suite with its cases.
pub(super) fn write_suite(out: &mut String, suite: &Suite, index: usize, timestamp: &str) {
    let [failures, errors, skipped] = numbers(suite.cases.iter());
    let (name, tests, time) = (text(&suite.name()), suite.cases.len(), seconds(suite.time));
    let _ = writeln!(
        out,
        "  <testsuite name=\"{name}\" package=\"specward\" id=\"{index}\" tests=\"{tests}\" failures=\"{failures}\" \
         errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time}\" timestamp=\"{timestamp}\" hostname=\"localhost\">"
    );
    out.push_str("    <properties/>\n");
    for case in &suite.cases {
        write_case(out, case);
    }
    // In the suite, not in its case: the schema of Ant knows no other place.
    let _ = writeln!(out, "    <system-out>{}</system-out>", text(&suite.told));
    out.push_str("    <system-err/>\n  </testsuite>\n");
}

fn write_case(out: &mut String, case: &Case) {
    let (class, name, time) = (text(&case.class), text(&case.name), seconds(case.time));
    let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time}\"");
    match &case.outcome {
        Outcome::Passed => {
            out.push_str("/>\n");
            return;
        }
        Outcome::Skipped(reason) if reason.is_empty() => out.push_str(">\n      <skipped/>\n"),
        Outcome::Skipped(reason) => {
            let _ = write!(out, ">\n      <skipped message=\"{}\"/>\n", text(reason));
        }
        Outcome::Failure(cause) => write_cause(out, "failure", cause),
        Outcome::Error(cause) => write_cause(out, "error", cause),
    }
    out.push_str("    </testcase>\n");
}

fn write_cause(out: &mut String, element: &str, cause: &Cause) {
    let (kind, message, body) = (cause.kind, text(&cause.message), text(&cause.body));
    let _ = write!(out, ">\n      <{element} type=\"{kind}\" message=\"{message}\">{body}</{element}>\n");
}

/// Text as it stands in an element or an attribute. What XML 1.0 cannot hold, not even as a reference, is left out.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}' => out.push(c),
            // A parser would make a line feed of it.
            '\r' => out.push_str("&#13;"),
            _ => {}
        }
    }
    out
}
