//! What a JUnit document holds, read back.

use roxmltree::{Document, Node};

use super::super::ranked::tests::{checked, evil, found, item, passed, stopped};
use super::xml::text;
use super::*;
use crate::report::Finding;

fn attribute<'d>(node: Node<'d, '_>, name: &str) -> &'d str {
    node.attribute(name).unwrap_or_else(|| panic!("no {name}: {node:?}"))
}

/// Reads a document, and demands that its counts are right. Each case: class, name, and how it ended.
fn cases(xml: &str) -> Vec<(String, String, String)> {
    let document = Document::parse(xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    let mut all = Vec::new();
    let mut totals = [0; 3];
    for suite in document.root_element().children().filter(Node::is_element) {
        let own: Vec<Node<'_, '_>> = suite.children().filter(|node| node.has_tag_name("testcase")).collect();
        let ended = |case: &Node<'_, '_>| {
            case.first_element_child().map_or("passed", |child| child.tag_name().name()).to_owned()
        };
        let number = |word: &str| own.iter().filter(|case| ended(case) == word).count();
        let numbers = [own.len(), number("failure"), number("error")];
        for (key, (number, total)) in ["tests", "failures", "errors"].iter().zip(numbers.iter().zip(&mut totals)) {
            assert_eq!(attribute(suite, key), number.to_string(), "{xml}");
            *total += number;
        }
        assert_eq!(attribute(suite, "skipped"), number("skipped").to_string());
        all.extend(
            own.iter().map(|case| {
                (attribute(*case, "classname").to_owned(), attribute(*case, "name").to_owned(), ended(case))
            }),
        );
    }
    for (key, total) in ["tests", "failures", "errors"].iter().zip(totals) {
        assert_eq!(attribute(document.root_element(), key), total.to_string(), "{xml}");
    }
    all
}

fn words(cases: &[(String, String, String)]) -> Vec<String> {
    cases.iter().map(|(class, name, ended)| format!("{class} | {name} | {ended}")).collect()
}

#[test]
fn a_case_for_each_item_and_criterion() {
    let mut report = passed();
    report.verdict = Verdict::Fail;
    let judged = |id: &str, verdict| JudgedItem { item: item(id), title: id.to_owned(), verdict };
    report.items =
        vec![judged("auth", Verdict::Fail), judged("a.b/c", Verdict::Pass), judged("odd", Verdict::Unverifiable)];
    report.findings = vec![
        found("spec/no-scenario", Level::Error, "`Sign in` has no scenario"),
        found("spec/purpose-too-brief", Level::Warning, "brief"),
        Finding { cannot_check: true, item: item("odd"), ..found("repo/unreadable", Level::Error, "unread") },
    ];
    let all = [Verdict::Pass, Verdict::Fail, Verdict::Unverifiable, Verdict::Skipped];
    report.criteria = all.map(|verdict| checked(verdict.word(), verdict, "it said no")).to_vec();
    let xml = render(&report);
    let expected = [
        "openspec.specs.auth | spec/auth | failure",
        "openspec.specs.a_b.c | spec/a.b/c | passed",
        "openspec.specs.odd | spec/odd | error",
        "openspec.specs.auth | PASS Sign in / Wrong password | passed",
        "openspec.specs.auth | FAIL Sign in / Wrong password | failure",
        "openspec.specs.auth | UNVERIFIABLE Sign in / Wrong password | error",
        "openspec.specs.auth | SKIPPED Sign in / Wrong password | skipped",
    ];
    assert_eq!(words(&cases(&xml)), expected);
    assert!(xml.contains("<failure type=\"spec/no-scenario\" message=\"`Sign in` has no scenario\">"));
    assert!(xml.contains("<system-out>openspec/specs/auth/spec.md:7: warning[spec/purpose-too-brief] brief\n"));
    assert!(xml.contains("  | it said no\n") && xml.contains("time=\"1.250\""));
    assert!(xml.contains("timestamp=\"2026-12-01T02:24:18\""));
}

#[test]
fn a_project_each_its_suite() {
    let mut report = passed();
    let other = Item::new("services/api".into(), ItemKind::Change, "add");
    report.items.push(JudgedItem { item: other, title: String::new(), verdict: Verdict::Pass });
    let xml = render(&report);
    assert!(
        xml.contains("<testsuite name=\"specward\" ") && xml.contains("<testsuite name=\"specward services/api\" ")
    );
    assert!(xml.contains("id=\"1\"") && xml.contains("classname=\"services.api.openspec.changes.add\""));
    report.items.remove(0);
    assert_eq!(cases(&render(&report)).len(), 1);
    assert!(!render(&report).contains("name=\"specward\" package"));
}

#[test]
fn there_is_always_a_case() {
    assert_eq!(words(&cases(&render(&stopped("no base")))), ["specward | run | error"]);
    let empty = Report { items: Vec::new(), ..passed() };
    assert_eq!(words(&cases(&render(&empty))), ["specward | verdict | passed"]);
    let odd = Report { verdict: Verdict::Fail, ..passed() };
    assert_eq!(words(&cases(&render(&odd)))[1], "specward | verdict | failure");
    let odd = Report { verdict: Verdict::Unverifiable, ..passed() };
    assert_eq!(words(&cases(&render(&odd)))[1], "specward | verdict | error");
    let mut odd = passed();
    odd.findings = vec![Finding { item: item("other"), ..found("spec/no-body", Level::Error, "none") }];
    assert_eq!(words(&cases(&render(&odd)))[1], "specward | other findings | failure");
}

#[test]
fn names_stay_names() {
    let xml = render(&evil());
    let endings: Vec<String> = cases(&xml).into_iter().map(|(_, _, ended)| ended).collect();
    assert_eq!(endings, ["error", "failure", "failure"]);
    assert!(!xml.contains(['\u{1b}', '\u{202e}', '\u{ffff}', '\r']) && !xml.contains("]]>") && !xml.contains("##["));
    assert!(!xml.lines().any(|line| line.trim_start().starts_with("::")));
}

#[test]
fn what_xml_cannot_hold_is_left_out() {
    assert_eq!(text("a\u{0}\u{b}\u{fffe}\u{ffff}b\t\n\r<&>\"\u{10ffff}"), "ab\t\n&#13;&lt;&amp;&gt;&quot;\u{10ffff}");
}

#[test]
fn a_shared_command_took_its_time_once() {
    let mut report = passed();
    let mut one = checked("one", Verdict::Pass, "the same");
    one.checks.push(one.checks[0].clone());
    report.criteria = vec![one.clone(), CriterionResult { id: "two".to_owned(), ..one }];
    let xml = render(&report);
    assert_eq!(xml.matches("time=\"1.250\"").count(), 4, "{xml}");
}

#[test]
fn a_run_without_a_name_has_a_time() {
    assert_eq!(timestamp(""), "1970-01-01T00:00:00");
    assert_eq!(timestamp("2026120éxyzabcdefg"), "1970-01-01T00:00:00");
}

#[test]
fn bodies_are_bounded() {
    let mut report = passed();
    (report.items[0].verdict, report.verdict) = (Verdict::Fail, Verdict::Fail);
    report.findings = (0..60).map(|number| found("spec/no-body", Level::Error, &format!("f{number}"))).collect();
    assert!(render(&report).contains("\nand 10 more findings\n") && !render(&report).contains("f51"));
}
