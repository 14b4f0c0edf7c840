//! The code quality report of GitLab: a list of issues, each with a fingerprint and a place.

use serde::Serialize;

use super::ranked::{self, Rank, Told};
use crate::report::{Report, escape_hidden};

#[derive(Serialize)]
struct Issue<'t> {
    description: String,
    check_name: &'static str,
    fingerprint: &'t str,
    severity: &'static str,
    location: Location<'t>,
}

#[derive(Serialize)]
struct Location<'t> {
    path: &'t str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
}

/// One JSON list, indented, with a final line end. Empty when there is nothing to tell.
pub fn render(report: &Report) -> String {
    let told = ranked::all(report);
    let issues: Vec<Issue<'_>> = told.iter().map(issue).collect();
    // Plain data with string keys always serialises.
    let mut text = escape_hidden(serde_json::to_string_pretty(&issues).unwrap_or_default());
    text.push('\n');
    text
}

fn issue<'t>(one: &'t Told<'_>) -> Issue<'t> {
    Issue {
        description: one.sentence(),
        check_name: one.rule,
        fingerprint: &one.fingerprint,
        severity: match one.rank {
            Rank::Reason => "blocker",
            Rank::Frozen | Rank::Criterion => "critical",
            Rank::Error | Rank::Unverifiable => "major",
            Rank::Warning => "minor",
            Rank::Info => "info",
        },
        location: Location { path: &one.path, lines: Lines { begin: one.line } },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::ranked::tests::{checked, evil, found, passed, stopped};
    use super::*;
    use crate::report::{Level, Verdict, visible};

    fn issues(report: &Report) -> Value {
        serde_json::from_str(&render(report)).unwrap()
    }

    #[test]
    fn an_issue() {
        let mut report = passed();
        report.findings = vec![found("spec/no-scenario", Level::Error, "`Sign in` has no scenario")];
        let mut issue = issues(&report)[0].clone();
        assert!(issue["fingerprint"].take().as_str().is_some_and(|one| one.len() == 64));
        let expected = json!({
            "description": "`Sign in` has no scenario; add one",
            "check_name": "spec/no-scenario",
            "fingerprint": null,
            "severity": "major",
            "location": { "path": "openspec/specs/auth/spec.md", "lines": { "begin": 7 } },
        });
        assert_eq!(issue, expected);
    }

    #[test]
    fn severities() {
        let mut report = stopped("no base");
        report.findings = vec![
            found("spec/no-scenario", Level::Info, ""),
            found("spec/no-scenario", Level::Warning, ""),
            found("spec/no-scenario", Level::Error, ""),
            found("freeze/spec-changed", Level::Error, ""),
        ];
        report.criteria = vec![checked("a", Verdict::Fail, ""), checked("b", Verdict::Unverifiable, "")];
        let issues = issues(&report);
        let severities: Vec<&str> =
            issues.as_array().unwrap().iter().map(|one| one["severity"].as_str().unwrap()).collect();
        assert_eq!(severities, ["blocker", "critical", "critical", "major", "major", "minor", "info"]);
    }

    #[test]
    fn nothing_to_tell_is_an_empty_list() {
        assert_eq!(render(&passed()), "[]\n");
    }

    #[test]
    fn names_stay_names() {
        let report = evil();
        let text = render(&report);
        assert!(text.starts_with('['));
        assert!(!text.contains("##[") && !text.contains(['\u{1b}', '\u{202e}', '\r']));
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::")));
        assert_eq!(issues(&report)[2]["location"]["path"], visible(&report.findings[0].path));
    }
}
