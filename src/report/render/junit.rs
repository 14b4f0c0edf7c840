//! JUnit XML: a suite for each project, a case for each judged item and criterion. Follows `junit-10.xsd` of Jenkins'
//! xUnit plugin, and the older `JUnit.xsd` of Ant in all but the totals of the outermost element, which that one has not.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::time::Duration;

use super::ranked::{self, About, Rank, Told};
use crate::report::{CheckResult, CriterionResult, Item, ItemKind, JudgedItem, Level, Report, Verdict, count, visible};

mod xml;

use xml::write_suite;

/// Findings shown in one case.
const MOST_FINDINGS: usize = 50;

/// Lines of evidence for one check.
const MAX_LINES: usize = 50;

/// How a case ended.
enum Outcome {
    Passed,
    Skipped(String),
    /// The check says no.
    Failure(Cause),
    /// It could not be judged.
    Error(Cause),
}

struct Cause {
    kind: &'static str,
    message: String,
    body: String,
}

struct Case {
    class: String,
    name: String,
    time: Duration,
    outcome: Outcome,
}

#[derive(Default)]
struct Suite {
    root: String,
    cases: Vec<Case>,
    /// What is told and does not fail.
    told: String,
    /// Evidence whose time is counted: a shared command ran once.
    counted: HashSet<*const u8>,
    time: Duration,
}

/// One document with a final line end. It always has a case: a run that could not happen is one that could not be judged.
pub fn render(report: &Report) -> String {
    let suites = suites(report);
    let cases = || suites.iter().flat_map(|suite| &suite.cases);
    let [failures, errors, _] = numbers(cases());
    let time: Duration = suites.iter().map(|suite| suite.time).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (tests, time) = (cases().count(), seconds(time));
    let _ = writeln!(
        out,
        "<testsuites name=\"specward\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time}\">"
    );
    for (index, suite) in suites.iter().enumerate() {
        write_suite(&mut out, suite, index, &timestamp(&report.run_id));
    }
    out.push_str("</testsuites>\n");
    out
}

fn suites(report: &Report) -> Vec<Suite> {
    let told = ranked::all(report);
    let mut of_items: HashMap<&Item, Vec<&Told<'_>>> = HashMap::new();
    for one in &told {
        if let About::Finding(finding) = one.about {
            of_items.entry(&finding.item).or_default().push(one);
        }
    }
    let mut suites = vec![Suite::default()];
    suites[0].cases.extend(run_case(&told));
    for judged in &report.items {
        let findings = of_items.remove(&judged.item).unwrap_or_default();
        let suite = suite_of(&mut suites, &judged.item.root);
        suite.tell(&findings);
        suite.cases.push(item_case(judged, &findings));
    }
    for one in &report.criteria {
        let suite = suite_of(&mut suites, &one.root);
        suite.time += time(&one.checks, &mut suite.counted);
        suite.cases.push(criterion_case(one));
    }
    // What belongs to no judged item is told all the same.
    let left: Vec<&Told<'_>> = told.iter().filter(|one| is_left(one, &of_items)).collect();
    suites[0].tell(&left);
    let failing: Vec<&Told<'_>> = left.into_iter().filter(|one| one.level == Level::Error).collect();
    if !failing.is_empty() {
        let verdict = if failing.iter().all(|one| one.rank == Rank::Unverifiable) {
            Verdict::Unverifiable
        } else {
            Verdict::Fail
        };
        suites[0].cases.push(Case::new("specward", "other findings", outcome(verdict, &failing)));
    }
    if suites[0].cases.is_empty() && suites.len() > 1 {
        suites.remove(0);
    }
    settle(report, &mut suites);
    suites
}

fn is_left(one: &Told<'_>, of_items: &HashMap<&Item, Vec<&Told<'_>>>) -> bool {
    matches!(one.about, About::Finding(finding) if of_items.contains_key(&finding.item))
}

/// Lets no report look better than it is, and gives each at least one case.
fn settle(report: &Report, suites: &mut [Suite]) {
    let cases = || suites.iter().flat_map(|suite| &suite.cases);
    let [failures, errors, _] = numbers(cases());
    let is_told = match report.verdict {
        Verdict::Fail => failures > 0,
        Verdict::Unverifiable => failures + errors > 0,
        Verdict::Pass | Verdict::Skipped => cases().next().is_some(),
    };
    if is_told {
        return;
    }
    let cause = || Cause {
        kind: ranked::NOT_JUDGED,
        message: format!("the verdict is {}", report.verdict.word()),
        body: format!("{}: {}", report.verdict.word(), report.counts()),
    };
    let outcome = match report.verdict {
        Verdict::Fail => Outcome::Failure(cause()),
        Verdict::Unverifiable => Outcome::Error(cause()),
        Verdict::Pass | Verdict::Skipped => Outcome::Passed,
    };
    suites[0].cases.push(Case::new("specward", "verdict", outcome));
}

/// The case of why something could not be judged; none when there is no reason.
fn run_case(told: &[Told<'_>]) -> Option<Case> {
    let reasons: Vec<&Told<'_>> = told.iter().filter(|one| matches!(one.about, About::Run)).collect();
    (!reasons.is_empty()).then(|| Case::new("specward", "run", outcome(Verdict::Unverifiable, &reasons)))
}

fn suite_of<'s>(suites: &'s mut Vec<Suite>, root: &str) -> &'s mut Suite {
    let at = suites.iter().position(|suite| suite.root == root).unwrap_or_else(|| {
        suites.push(Suite { root: root.to_owned(), ..Suite::default() });
        suites.len() - 1
    });
    &mut suites[at]
}

fn item_case(judged: &JudgedItem, findings: &[&Told<'_>]) -> Case {
    let item = &judged.item;
    let class = match item.kind {
        ItemKind::Spec => class(&item.root, &["openspec", "specs"], &item.id),
        ItemKind::Change => class(&item.root, &["openspec", "changes"], &item.id),
        ItemKind::Project => class(&item.root, &["openspec"], ""),
    };
    let name = match item.kind {
        ItemKind::Project => item.id.to_string(),
        kind => format!("{}/{}", kind.word(), item.id),
    };
    let failing: Vec<&Told<'_>> = findings.iter().filter(|one| one.level == Level::Error).copied().collect();
    Case::new(&class, &visible(&name), outcome(judged.verdict, &failing))
}

fn criterion_case(one: &CriterionResult) -> Case {
    let reason = one.reason.as_deref().map(visible);
    let cause = |kind| {
        let blamed = one.to_blame().next().map(|check| format!("{}: {}", check.label(), visible(&check.message)));
        let message = blamed.or_else(|| reason.clone()).unwrap_or_else(|| one.verdict.word().to_owned());
        Cause { kind, message, body: criterion_body(one) }
    };
    let outcome = match one.verdict {
        Verdict::Pass => Outcome::Passed,
        Verdict::Skipped => Outcome::Skipped(reason.clone().unwrap_or_default()),
        Verdict::Fail => Outcome::Failure(cause(ranked::FAILED)),
        Verdict::Unverifiable => Outcome::Error(cause(ranked::UNVERIFIABLE)),
    };
    let name = format!("{} {}", visible(&one.id), visible(&one.title()));
    let time = time(&one.checks, &mut HashSet::new());
    Case { time, ..Case::new(&class(&one.root, &["openspec", "specs"], &one.capability), &name, outcome) }
}

/// Where it stands, what it says, and each check that did not pass with what it saw.
fn criterion_body(one: &CriterionResult) -> String {
    let mut out = format!("{}:{}\n", visible(&one.path), one.line);
    for text in [Some(&one.ears), one.reason.as_ref()].into_iter().flatten().filter(|text| !text.is_empty()) {
        let _ = writeln!(out, "{}", visible(text));
    }
    for check in one.checks.iter().filter(|check| check.verdict != Verdict::Pass) {
        let (label, word) = (check.label(), check.verdict.word());
        let _ = writeln!(out, "{label} `{}` {word}: {}", visible(&check.subject), visible(&check.message));
        for line in check.shown_lines(MAX_LINES) {
            let _ = writeln!(out, "  | {line}");
        }
    }
    let _ = writeln!(out, "`specward explain {}` shows all that was seen", visible(&one.id));
    out
}

/// What a verdict comes to with what is told about it, worst first.
fn outcome(verdict: Verdict, told: &[&Told<'_>]) -> Outcome {
    let (kind, first) = told.first().map_or((ranked::NOT_JUDGED, verdict.word().to_owned()), |one| {
        let more = if told.len() > 1 { format!(" (and {} more)", told.len() - 1) } else { String::new() };
        (one.rule, format!("{}{more}", one.message))
    });
    let cause = || {
        let mut body: String = told.iter().take(MOST_FINDINGS).map(|one| entry(one)).collect();
        if told.len() > MOST_FINDINGS {
            let _ = writeln!(body, "and {}", count(told.len() - MOST_FINDINGS, "more finding"));
        }
        Cause { kind, message: first, body }
    };
    match verdict {
        Verdict::Pass => Outcome::Passed,
        Verdict::Skipped => Outcome::Skipped(String::new()),
        Verdict::Fail => Outcome::Failure(cause()),
        Verdict::Unverifiable => Outcome::Error(cause()),
    }
}

fn entry(one: &Told<'_>) -> String {
    let mut out = format!("{}: {}[{}] {}\n", one.place(), one.level.word(), one.rule, one.message);
    for line in &one.evidence {
        let _ = writeln!(out, "  | {line}");
    }
    let _ = writeln!(out, "  fix: {}", one.fix);
    out
}

impl Suite {
    /// Takes what does not fail.
    fn tell(&mut self, told: &[&Told<'_>]) {
        self.told.extend(told.iter().filter(|one| one.level != Level::Error).map(|one| entry(one)));
    }

    fn name(&self) -> String {
        if self.root.is_empty() { "specward".to_owned() } else { format!("specward {}", visible(&self.root)) }
    }
}

impl Case {
    fn new(class: &str, name: &str, outcome: Outcome) -> Self {
        Self { class: class.to_owned(), name: name.to_owned(), time: Duration::ZERO, outcome }
    }
}

/// Folders as a class is named: readers take what is before the last full stop for a package.
fn class(root: &str, folders: &[&str], id: &str) -> String {
    let parts = root.split('/').chain(folders.iter().copied()).chain(id.split('/'));
    let parts: Vec<String> =
        parts.filter(|part| !part.is_empty()).map(|part| visible(part).replace('.', "_")).collect();
    parts.join(".")
}

/// How long checks took. Those that share a run have the same evidence, and count once.
fn time(checks: &[CheckResult], counted: &mut HashSet<*const u8>) -> Duration {
    let is_new = |check: &&CheckResult| check.evidence.text.is_empty() || counted.insert(check.evidence.text.as_ptr());
    checks.iter().filter(is_new).map(|check| check.duration).sum()
}

/// Failures, errors and skipped cases.
fn numbers<'c>(cases: impl Iterator<Item = &'c Case>) -> [usize; 3] {
    let mut numbers = [0; 3];
    for case in cases {
        match case.outcome {
            Outcome::Passed => {}
            Outcome::Failure(_) => numbers[0] += 1,
            Outcome::Error(_) => numbers[1] += 1,
            Outcome::Skipped(_) => numbers[2] += 1,
        }
    }
    numbers
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// When a run began, from its name: `20261201T022418Z-…`. The schema of Ant demands a time, so a run without a name has
/// the oldest there is.
fn timestamp(run_id: &str) -> String {
    let is_digits = |range| run_id.get(range).is_some_and(|text: &str| text.bytes().all(|b| b.is_ascii_digit()));
    if !(is_digits(0..8) && is_digits(9..15)) {
        return "1970-01-01T00:00:00".to_owned();
    }
    let part = |range: std::ops::Range<usize>| &run_id[range];
    let (date, time) = ([part(0..4), part(4..6), part(6..8)], [part(9..11), part(11..13), part(13..15)]);
    format!("{}T{}", date.join("-"), time.join(":"))
}

#[cfg(test)]
mod tests;
