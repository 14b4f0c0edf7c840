//! What a Markdown report holds, and that it stays short.

use super::super::ranked::tests::{EVIL, checked, evil, found, passed, stopped};
use super::*;
use crate::report::{Finding, Level, visible};

#[test]
fn a_run_that_passed() {
    let expected = "## specward: PASS\n\n| | passed | failed | unverifiable | skipped |\n|---|---:|---:|---:|---:|\n\
                    | Items | 1 | 0 | 0 | 0 |\n\nNo findings.\n\n";
    assert_eq!(render(&passed()), expected);
}

#[test]
fn a_run_that_failed() {
    let mut report = passed();
    (report.verdict, report.items[0].verdict) = (Verdict::Fail, Verdict::Fail);
    report.spec_changes = Some(vec!["openspec/specs/auth/spec.md".to_owned()]);
    report.findings = vec![found("spec/no-scenario", Level::Error, "`Sign in` has no scenario")];
    report.criteria = vec![checked("locked", Verdict::Fail, "left\nright"), checked("other", Verdict::Pass, "")];
    let text = render(&report);
    for words in [
        "## specward: FAIL\n",
        "| Items | 0 | 1 | 0 | 0 |\n| Criteria | 1 | 1 | 0 | 0 |\n",
        "Findings: 1 error; 1 judged, 0 left alone.\n",
        "### Spec changed in this diff\n\n- <code>openspec/specs/auth/spec.md</code>\n",
        "| error | <code>criterion/failed</code> | <code>openspec/verify/auth.yaml:3</code> | ",
        "| <code>Sign in</code> has no scenario |\n",
        "- 1 command <code>sh test.sh</code> FAIL: exit code 1\n",
        "```text\nleft\nright\n```\n",
        "Fix: add one\n\n</details>\n",
    ] {
        assert!(text.contains(words), "`{words}` is missing in {text}");
    }
    let footer = "Fix the implementation, not the spec. If a criterion is wrong, report it to the human.";
    assert_eq!(text.lines().last(), Some(footer));
}

#[test]
fn a_run_that_could_not_happen() {
    let text = render(&stopped("no base"));
    assert!(
        text.starts_with("## specward: UNVERIFIABLE\n") && text.contains("### Not judged\n\n- no base. Fix: do that\n")
    );
}

#[test]
fn a_report_is_bounded_and_what_is_left_out_is_counted() {
    let mut report = passed();
    report.verdict = Verdict::Fail;
    let long = |level| Finding { fix: EVIL.repeat(8), ..found("spec/no-body", level, &EVIL.repeat(8)) };
    report.findings = [vec![long(Level::Warning); 500], vec![long(Level::Error); 500]].concat();
    report.spec_changes = Some(vec![visible(&EVIL.repeat(50)); 500]);
    report.notes = vec![EVIL.repeat(50); 500];
    report.reasons = vec![crate::report::Reason { message: EVIL.repeat(20), fix: EVIL.repeat(20) }; 100];
    report.suppressed = vec![evil().suppressed[0].clone(); 500];
    let text = render(&report);
    assert!(text.len() <= MOST, "{}", text.len());
    assert!(text.contains(" left out\n") && text.ends_with(&format!("{}\n", agent::FOOTER)));
    report.reasons.clear();
    report.spec_changes = None;
    let text = render(&report);
    assert!(text.len() <= MOST && text.contains("\nNot in this table: "), "{}", text.len());
    assert!(text.contains("500 warnings.\n") && text.contains("\nWithout details: "), "{text}");
}

#[test]
fn names_stay_names() {
    let text = render(&evil());
    assert!(!text.contains("##[") && !text.contains(['\u{1b}', '\u{202e}', '\r']));
    // What stands in fences is no markup: it is taken out, each fence by its own length.
    let mut outside = String::new();
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let own: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if own.len() >= open.len() && line == own => fence = None,
            Some(_) => {}
            None if own.len() >= 3 => fence = Some(own),
            None => outside.push_str(&format!("{line}\n")),
        }
    }
    assert!(fence.is_none());
    assert_eq!(outside.matches("<details>").count(), outside.matches("</details>").count());
    assert_eq!(outside.matches("<details>").count(), 2);
    for mark in ["@user", " #12", "](y)", "<img", "##[", "````"] {
        assert!(!outside.contains(mark), "{mark}: {outside}");
    }
    let headings: Vec<&str> = outside.lines().filter(|line| line.starts_with('#')).collect();
    let expected = ["Not judged", "Spec changed in this diff", "What was found", "Let through", "Notes"];
    assert_eq!(headings[1..], expected.map(|name| format!("### {name}")));
    let rows: Vec<&str> = outside.lines().filter(|line| line.starts_with("| error")).collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.matches('|').count() == 5), "{rows:?}");
}
