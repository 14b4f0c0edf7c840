//! Reads the outcome of tests from a JUnit report.

use std::path::Path;

use bstr::ByteSlice;
use roxmltree::{Document, Node, NodeId, ParsingOptions};

use super::excerpt::quoted;
use super::reports;
pub use super::reports::Mark;
use crate::criteria::{JunitCheck, Observed};
use crate::openspec::near::near;
use crate::report::{count, shown_line};

/// Most nodes of a report: memory for them is many times that of the text.
const MAX_NODES: u32 = 4_000_000;

/// Elements inside each other. Runners need a handful; looking up and down in more takes long.
const MAX_DEPTH: usize = 64;

/// Tests that are listed as evidence when all passed.
const MAX_LISTED: usize = 20;

/// Tests that are named when none is the one that is asked for.
const MAX_NAMED: usize = 3;

/// Judges tests by the report that lies on disk below `top`. `mark` is what was there when the run began.
///
/// FAIL when a test failed. UNVERIFIABLE when the report is missing, old or not one, when no such test is in it, when a
/// test did not run, or when the report contradicts itself. Evidence is what failed tests say, else which passed.
pub fn judge(check: &JunitCheck, top: &Path, mark: &Mark) -> Observed {
    let text = match reports::read(&check.report, &check.newer_than, top, mark) {
        Ok(text) => text,
        Err(message) => return Observed::unverifiable(message, ""),
    };
    outcome(&text, &quoted(check.report.as_bytes().as_bstr()), check.test.as_deref())
}

/// Judges a report's text.
fn outcome(text: &str, shown: &str, test: Option<&str>) -> Observed {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => {
            let reason = shown_line(&error.to_string());
            return Observed::unverifiable(format!("{shown} is no JUnit report: {reason}"), "");
        }
    };
    let root = document.root_element();
    if !is_suite(&root) && !is(&root, "testcase") {
        let name = shown_line(root.tag_name().name());
        let message = format!(
            "{shown} is no JUnit report: its first element is `{name}`, not `testsuites` or `testsuite`; let the command write \
             a JUnit report"
        );
        return Observed::unverifiable(message, "");
    }
    if is_too_deep(&document) {
        let message = format!("{shown} is no JUnit report: more than {MAX_DEPTH} elements stand inside each other");
        return Observed::unverifiable(message, "");
    }
    let all: Vec<Case> = document.descendants().filter(|node| is(node, "testcase")).map(Case::new).collect();
    if all.is_empty() {
        if let Some(failed) = failed_suite(&document, shown) {
            return failed;
        }
        let message = format!("{shown} has no test; let the command select tests and write a JUnit report");
        return Observed::unverifiable(message, "");
    }
    let Some(test) = test else { return all_of(&document, &all, shown) };
    let cases: Vec<&Case> = all.iter().filter(|case| case.is_called(test)).collect();
    if cases.is_empty() {
        let which = match nearest(test, &all) {
            Some(near) => format!("is `{}` meant?", shown_line(&near)),
            None => format!("it has {}", some_names(&all)),
        };
        let message = format!(
            "{shown} has no test `{}` among {}; {which} correct the check's `test`, or let the command run that test",
            shown_line(test),
            count(all.len(), "test"),
        );
        return Observed::unverifiable(message, "");
    }
    of_cases(&cases, shown)
}

/// Judges a whole report, whose own counts have to fit too.
fn all_of(document: &Document, cases: &[Case], shown: &str) -> Observed {
    let seen = of_cases(&cases.iter().collect::<Vec<_>>(), shown);
    if seen.verdict == crate::report::Verdict::Fail {
        return seen;
    }
    if let Some(failed) = failed_suite(document, shown) {
        return failed;
    }
    let contradiction = document.descendants().filter(is_suite).find_map(|suite| contradiction(&suite));
    match contradiction {
        Some(contradiction) => {
            Observed::unverifiable(format!("{shown} contradicts itself: {contradiction}; write it anew"), seen.evidence)
        }
        None => seen,
    }
}

/// What a suite says that failed as a whole, such as in its set-up.
fn failed_suite(document: &Document, shown: &str) -> Option<Observed> {
    let is_failure = |node: &Node| is(node, "failure") || is(node, "error");
    let failure =
        document.descendants().find(|node| is_failure(node) && node.parent().is_some_and(|up| is_suite(&up)))?;
    let told = said(&failure);
    let because = told.lines().next().map(|line| format!(": {}", shown_line(line))).unwrap_or_default();
    Some(Observed::fail(format!("{shown}: a suite failed{because}"), told))
}

fn of_cases(cases: &[&Case], shown: &str) -> Observed {
    let failed: Vec<&&Case> = cases.iter().filter(|case| case.outcome == Outcome::Failed).collect();
    if let Some(first) = failed.first() {
        let message = match failed.len() {
            1 => format!("{shown}: {} failed{}", first.shown(), first.because()),
            number => format!("{shown}: {number} of {} failed, first {}", count(cases.len(), "test"), first.shown()),
        };
        let evidence = failed.iter().map(|case| case.told()).collect::<Vec<_>>().join("\n\n");
        return Observed::fail(message, evidence);
    }
    let not_run: Vec<&&Case> = cases.iter().filter(|case| case.outcome == Outcome::NotRun).collect();
    if let Some(first) = not_run.first() {
        let message = match cases.len() {
            1 => format!("{} did not run{}", first.shown(), first.because()),
            all => format!("{} of {} did not run, first {}", not_run.len(), count(all, "test"), first.shown()),
        };
        let evidence = not_run.iter().map(|case| case.told()).collect::<Vec<_>>().join("\n");
        return Observed::unverifiable(
            format!("{shown}: {message}; a skipped test shows nothing: let it run"),
            evidence,
        );
    }
    let flaky: Vec<&&Case> = cases.iter().filter(|case| case.outcome == Outcome::Flaky).collect();
    let note = match (flaky.first(), flaky.len()) {
        (None, _) => String::new(),
        (Some(first), 1) => format!("; {} is flaky: it failed first", first.shown()),
        (Some(first), number) => format!("; {number} are flaky: they failed first, such as {}", first.shown()),
    };
    let mut lines: Vec<String> = cases.iter().take(MAX_LISTED).map(|case| format!("passed: {}", case.full())).collect();
    if cases.len() > MAX_LISTED {
        lines.push(format!("… and {} more", cases.len() - MAX_LISTED));
    }
    let message = match cases {
        [case] => format!("{} passed", case.shown()),
        cases => format!("all {} passed", count(cases.len(), "test")),
    };
    Observed::pass(format!("{shown}: {message}{note}"), lines.join("\n"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    /// Passed after it failed.
    Flaky,
    NotRun,
    Failed,
}

/// A test of the report.
struct Case<'d, 'i> {
    node: Node<'d, 'i>,
    name: &'d str,
    class: &'d str,
    outcome: Outcome,
}

impl<'d, 'i> Case<'d, 'i> {
    fn new(node: Node<'d, 'i>) -> Self {
        let attribute = |name| node.attribute(name).unwrap_or_default();
        let has = |names: &[&str]| node.children().any(|child| names.iter().any(|name| is(&child, name)));
        let says = |words: &[&str]| {
            let said = [attribute("status"), attribute("result")];
            said.iter().any(|said| words.iter().any(|word| said.eq_ignore_ascii_case(word)))
        };
        let outcome = if has(&["failure", "error"]) || says(&["failed", "fail", "failure", "error"]) {
            Outcome::Failed
        } else if has(&["skipped"]) || says(&["notrun", "disabled", "skipped", "ignored", "suppressed", "pending"]) {
            Outcome::NotRun
        } else if has(&["flakyFailure", "flakyError", "rerunFailure", "rerunError"]) {
            Outcome::Flaky
        } else {
            Outcome::Passed
        };
        Self { node, name: attribute("name").trim(), class: attribute("classname").trim(), outcome }
    }

    /// Whether somebody means it: by its name, alone or after its class or a suite.
    fn is_called(&self, test: &str) -> bool {
        let test = test.trim();
        let is_after = |before: &str, separators: &[&str]| {
            let rest = test.strip_prefix(before).filter(|_| !before.is_empty());
            rest.is_some_and(|rest| separators.iter().any(|separator| rest.strip_prefix(separator) == Some(self.name)))
        };
        let suites = || self.node.ancestors().filter(is_suite).filter_map(|suite| suite.attribute("name"));
        !self.name.is_empty()
            && (test == self.name
                || is_after(self.class, &["::", ".", " ", "/"])
                || suites().any(|suite| is_after(suite.trim(), &["::"])))
    }

    fn full(&self) -> String {
        if self.class.is_empty() { self.name.to_owned() } else { format!("{}::{}", self.class, self.name) }
    }

    fn shown(&self) -> String {
        format!("`{}`", shown_line(&self.full()))
    }

    /// What says that it failed or did not run.
    fn reasons(&self) -> impl Iterator<Item = Node<'d, 'i>> {
        let node = self.node;
        node.children().filter(|child| ["failure", "error", "skipped"].iter().any(|name| is(child, name)))
    }

    fn because(&self) -> String {
        let message =
            self.reasons().find_map(|node| node.attribute("message").map(str::trim).filter(|m| !m.is_empty()));
        message
            .map(|message| format!(": {}", shown_line(message.lines().next().unwrap_or_default())))
            .unwrap_or_default()
    }

    fn told(&self) -> String {
        let mut lines = vec![self.full()];
        lines.extend(self.reasons().map(|node| said(&node)).filter(|text| !text.is_empty()));
        lines.join("\n")
    }
}

/// Attribute and text of a failure. Runners put the message into the text as well.
fn said(node: &Node) -> String {
    let message = node.attribute("message").unwrap_or_default().trim();
    let text: String = node.children().filter(Node::is_text).filter_map(|child| child.text()).collect();
    let text = text.trim();
    match (message.is_empty(), text.is_empty()) {
        (_, true) => message.to_owned(),
        (true, _) => text.to_owned(),
        _ if text.starts_with(message) => text.to_owned(),
        _ => format!("{message}\n{text}"),
    }
}

/// How a suite's counts differ from what is in it, when nothing in it failed and nothing was left out.
fn contradiction(suite: &Node) -> Option<String> {
    let name = shown_line(suite.attribute("name").unwrap_or_else(|| suite.tag_name().name()));
    for key in ["failures", "errors", "skipped", "disabled"] {
        let told = suite.attribute(key).map(str::trim).filter(|told| !told.is_empty());
        if let Some(told) = told.filter(|told| told.parse::<u64>() != Ok(0)) {
            return Some(format!("`{name}` has {key}=\"{}\" and none is told", shown_line(told)));
        }
    }
    let told = suite.attribute("tests")?.trim();
    let tests = suite.descendants().filter(|node| is(node, "testcase")).count();
    let direct = suite.children().filter(|node| is(node, "testcase")).count();
    // Node counts a suite inside a suite as one.
    let parts = suite.children().filter(|node| is(node, "testcase") || is_suite(node)).count();
    let fits = told.parse::<usize>().is_ok_and(|told| [tests, direct, parts].contains(&told));
    (!fits).then(|| format!("`{name}` has tests=\"{}\" and {}", shown_line(told), count(tests, "test")))
}

fn is_too_deep(document: &Document) -> bool {
    let mut open: Vec<NodeId> = Vec::new();
    document.descendants().filter(Node::is_element).any(|element| {
        let parent = element.parent().map(|parent| parent.id());
        while open.last().is_some_and(|last| Some(*last) != parent) {
            open.pop();
        }
        open.push(element.id());
        open.len() > MAX_DEPTH
    })
}

/// Whether a node is an element of that name, in any namespace.
fn is(node: &Node, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

fn is_suite(node: &Node) -> bool {
    is(node, "testsuite") || is(node, "testsuites")
}

/// The first names of a report, for somebody who has to choose one.
fn some_names(cases: &[Case]) -> String {
    let names: Vec<String> = cases.iter().take(MAX_NAMED).map(Case::shown).collect();
    match cases.len().saturating_sub(names.len()) {
        0 => format!("{};", names.join(", ")),
        more => format!("{} and {more} more;", names.join(", ")),
    }
}

/// The name that was probably meant: one that ends in what is asked for, else a similar one.
fn nearest(test: &str, cases: &[Case]) -> Option<String> {
    let names: Vec<String> = cases.iter().map(Case::full).collect();
    let ends = |name: &&String| name.strip_suffix(test).is_some_and(|before| before.ends_with([':', '.', '/', ' ']));
    if let Some(name) = names.iter().find(ends) {
        return Some(name.clone());
    }
    let short = cases.iter().map(|case| case.name);
    near(test, names.iter().map(String::as_str).chain(short)).map(|near| near.name.to_owned())
}

#[cfg(test)]
mod tests;
