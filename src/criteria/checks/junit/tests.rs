use std::fs;
use std::time::SystemTime;

use super::*;
use crate::criteria::NewerThan;
use crate::report::Verdict::{self, Fail, Pass, Unverifiable};

const NEXTEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="4" skipped="0" failures="1" errors="0" uuid="e587f57f" time="0.681">
    <testsuite name="nx::cli" tests="4" skipped="0" errors="0" failures="1">
        <testcase name="timeout::flaky" classname="nx::cli" time="0.052">
            <flakyFailure time="0.382" message="panicked" type="test failure">panicked
first<system-out>running 1 test</system-out></flakyFailure>
        </testcase>
        <testcase name="timeout::kills_group" classname="nx::cli" time="0.016"/>
        <testcase name="timeout::bad" classname="nx::cli" time="0.467">
            <failure message="thread &apos;bad&apos; panicked" type="test failure">thread &apos;bad&apos; panicked
boom &lt;x&gt;</failure>
            <rerunFailure time="0.189" message="again" type="test failure">again</rerunFailure>
            <system-err>noise</system-err>
        </testcase>
        <testcase name="again" classname="nx::cli"><rerunFailure message="once"/></testcase>
    </testsuite>
</testsuites>"#;

const PYTEST: &str = r#"<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest"
errors="0" failures="0" skipped="1" tests="2" time="0.02" hostname="h"><testcase classname="tests.test_cli.TestCli"
name="test_ok[a-1]" time="0.001" /><testcase classname="tests.test_cli" name="test_later" time="0.000"><skipped
type="pytest.skip" message="later">/x/test_cli.py:9: later</skipped></testcase></testsuite></testsuites>"#;

const JEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jest tests" tests="2" failures="0" errors="0" time="1.2">
  <testsuite name="cli" errors="0" failures="0" skipped="0" timestamp="2026-01-01T00:00:00" time="0.9" tests="2">
    <testcase classname="cli ends in time" name="cli ends in time" time="0.01"></testcase>
    <testcase classname="cli" name="says why" time="0.01"></testcase>
  </testsuite>
</testsuites>"#;

const GO: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1">
	<testsuite name="example.org/pkg" tests="2" failures="1" errors="0" id="0" time="0.003">
		<properties><property name="go.version" value="go1.22"></property></properties>
		<testcase name="TestA/sub" classname="example.org/pkg" time="0.000"></testcase>
		<testcase name="TestB" classname="example.org/pkg" time="0.000">
			<failure message="Failed"><![CDATA[    b_test.go:5: no]]></failure>
		</testcase>
	</testsuite>
</testsuites>"#;

const SUREFIRE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="x.xsd" version="3.0"
  name="com.x.CliTest" time="0.05" tests="3" errors="1" skipped="0" failures="0">
  <properties/>
  <testcase name="ok" classname="com.x.CliTest" time="0.01"/>
  <testcase name="throws" classname="com.x.CliTest" time="0.01">
    <error message="no" type="java.lang.IllegalStateException">java.lang.IllegalStateException: no</error>
  </testcase>
  <testcase name="late" classname="com.x.CliTest"><flakyError message="m" type="t"><stackTrace/></flakyError></testcase>
</testsuite>"#;

const NODE: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testcase name="a" time="0.001139" classname="test"/>
	<testsuite name="d" time="0.001211" disabled="0" errors="0" tests="2" failures="0" skipped="0" hostname="vm">
		<testcase name="x" time="0.000285" classname="test"/>
		<testsuite name="e" time="0.000516" disabled="0" errors="0" tests="2" failures="0" skipped="0" hostname="vm">
			<testcase name="y" time="0.000344" classname="test"/><testcase name="z" classname="test"/>
		</testsuite>
	</testsuite>
	<!-- tests 4 -->
</testsuites>"#;

fn verdict(report: &str, test: &str) -> Verdict {
    outcome(report, "`r.xml`", Some(test)).verdict
}

fn of_all(report: &str) -> Observed {
    outcome(report, "`r.xml`", None)
}

#[test]
fn names_are_matched_exactly() {
    for (report, test, expected) in [
        (NEXTEST, "timeout::kills_group", Pass),
        (NEXTEST, "nx::cli::timeout::kills_group", Pass),
        (NEXTEST, "nx::cli timeout::kills_group", Pass),
        (NEXTEST, "timeout::bad", Fail),
        (NEXTEST, "kills_group", Unverifiable),
        (NEXTEST, "timeout::kills", Unverifiable),
        (NEXTEST, "", Unverifiable),
        (PYTEST, "tests.test_cli.TestCli.test_ok[a-1]", Pass),
        (PYTEST, "pytest::test_ok[a-1]", Pass),
        (PYTEST, "test_ok", Unverifiable),
        (PYTEST, "test_later", Unverifiable),
        (JEST, "cli ends in time", Pass),
        (JEST, "cli says why", Pass),
        (GO, "example.org/pkg/TestA/sub", Pass),
        (GO, "TestB", Fail),
        (SUREFIRE, "com.x.CliTest.ok", Pass),
        (SUREFIRE, "throws", Fail),
        (NODE, "e::y", Pass),
        (NODE, "d::y", Pass),
    ] {
        assert_eq!(verdict(report, test), expected, "{test}");
    }
}

#[test]
fn a_failure_says_why() {
    let seen = outcome(NEXTEST, "`r.xml`", Some("timeout::bad"));
    assert_eq!(seen.message, "`r.xml`: `nx::cli::timeout::bad` failed: thread 'bad' panicked");
    assert_eq!(seen.evidence, "nx::cli::timeout::bad\nthread 'bad' panicked\nboom <x>");
    assert_eq!(outcome(GO, "`r.xml`", Some("TestB")).evidence, "example.org/pkg::TestB\nFailed\nb_test.go:5: no");
}

#[test]
fn a_test_that_failed_first_is_flaky() {
    for (report, test) in [(NEXTEST, "timeout::flaky"), (NEXTEST, "again"), (SUREFIRE, "late")] {
        let seen = outcome(report, "`r.xml`", Some(test));
        assert_eq!(seen.verdict, Pass, "{test}");
        assert!(seen.message.contains("flaky"), "{}", seen.message);
    }
    assert!(!outcome(NEXTEST, "`r.xml`", Some("timeout::kills_group")).message.contains("flaky"));
}

#[test]
fn all_that_match_count() {
    let report = |second: &str| {
        format!(
            "<testsuite><testcase classname='a' name='t'/><testcase classname='b' name='t'{second}</testcase></testsuite>"
        )
    };
    assert_eq!(verdict(&report(">"), "t"), Pass);
    assert_eq!(verdict(&report("><failure/>"), "t"), Fail);
    assert_eq!(verdict(&report("><error/>"), "t"), Fail);
    assert_eq!(verdict(&report(" status='failed'>"), "t"), Fail);
    assert_eq!(verdict(&report("><skipped/>"), "t"), Unverifiable);
    for word in ["notrun", "disabled"] {
        assert_eq!(verdict(&report(&format!(" status='{word}'>")), "t"), Unverifiable);
    }
    assert_eq!(verdict(&report("><skipped/>"), "a::t"), Pass);
    assert_eq!(verdict("<testcase name='t'/>", "::t"), Unverifiable);
    assert_eq!(verdict(&report(" status='run' result='completed'>"), "t"), Pass);
}

#[test]
fn a_name_nearby_is_told() {
    for (report, test, near) in [
        (NEXTEST, "kills_group", "nx::cli::timeout::kills_group"),
        (NEXTEST, "timeout::kils_group", "timeout::kills_group"),
        (PYTEST, "test_ok[a-2]", "test_ok[a-1]"),
    ] {
        let message = outcome(report, "`r.xml`", Some(test)).message;
        assert!(message.contains(&format!("is `{near}` meant?")), "{message}");
    }
    let message = outcome(NODE, "`r.xml`", Some("something else")).message;
    let expected = "`r.xml` has no test `something else` among 4 tests; it has `test::a`, `test::x`, `test::y` and 1 more; \
                    correct the check's `test`, or let the command run that test";
    assert_eq!(message, expected);
}

#[test]
fn whole_reports() {
    for (report, expected) in
        [(NEXTEST, Fail), (PYTEST, Unverifiable), (JEST, Pass), (GO, Fail), (SUREFIRE, Fail), (NODE, Pass)]
    {
        let seen = of_all(report);
        assert_eq!(seen.verdict, expected, "{}", seen.message);
    }
    assert_eq!(of_all(NODE).message, "`r.xml`: all 4 tests passed");
    assert_eq!(of_all("<testcase name='a'/>").verdict, Pass);
    assert_eq!(of_all("<testsuite xmlns='urn:x'><testcase name='a'><failure/></testcase></testsuite>").verdict, Fail);
    let suite = of_all("<testsuite><error message='no set-up'/></testsuite>");
    assert_eq!((suite.verdict, suite.message.as_str()), (Fail, "`r.xml`: a suite failed: no set-up"));
    assert_eq!(of_all("<testsuite><error/></testsuite>").message, "`r.xml`: a suite failed");
    assert_eq!(of_all("<testsuite><testcase name='a'/><error message='no set-up'/></testsuite>").verdict, Fail);
}

#[test]
fn counts_have_to_fit() {
    let report = |counts: &str| format!("<testsuite {counts}><testcase name='a'/><testcase name='b'/></testsuite>");
    assert_eq!(of_all(&report("tests='2' failures='0'")).verdict, Pass);
    for counts in ["tests='5'", "tests='1'", "tests='x'", "failures='1'", "errors='1'", "skipped='1'", "disabled='1'"] {
        let seen = of_all(&report(counts));
        assert_eq!(seen.verdict, Unverifiable, "{counts}");
        assert!(seen.message.contains("contradicts itself"), "{}", seen.message);
    }
}

#[test]
fn what_is_no_report_is_no_pass() {
    let deep = format!("{}{}", "<testsuite>".repeat(50_000), "<testcase name='a'/></testsuite>".repeat(50_000));
    let wide = format!("<testsuite>{}</testsuite>", "<testsuite><testcase name='a'/></testsuite>".repeat(100));
    assert_eq!(verdict(&wide, "a"), Pass);
    for report in [
        "",
        "ok",
        "{}",
        "<testsuites/>",
        "<list><testcase name='a'/></list>",
        "<html><body><testsuite><testcase name='a'/></testsuite></body></html>",
        "<testsuites tests='3'></testsuites>",
        "<testsuite><testcase name='a'/>",
        "<!DOCTYPE x [<!ENTITY e 'x'>]><testsuite><testcase name='a'/></testsuite>",
        &deep,
    ] {
        assert_eq!(of_all(report).verdict, Unverifiable, "{}", shown_line(report));
        assert_eq!(verdict(report, "a"), Unverifiable, "{}", shown_line(report));
    }
}

#[test]
fn names_of_the_report_stay_on_their_line() {
    let seen = of_all("<testcase name='a&#10;PASS: &#x202e;'><failure message='x&#10;PASS'/></testcase>");
    assert_eq!(seen.message, "`r.xml`: `a\\nPASS: \\u{202e}` failed: x");
}

#[test]
fn the_report_is_read_from_disk() {
    let top = tempfile::tempdir().unwrap();
    fs::write(top.path().join("r.xml"), format!("\u{feff}{JEST}")).unwrap();
    let judged = |report: &str, started| {
        let check =
            JunitCheck { report: report.to_owned(), test: Some("says why".to_owned()), newer_than: NewerThan::Run };
        judge(&check, top.path(), &Mark::new("none.xml", top.path(), started))
    };
    assert_eq!(judged("r.xml", SystemTime::UNIX_EPOCH).verdict, Pass);
    let gone = judged("gone.xml", SystemTime::UNIX_EPOCH);
    assert_eq!(gone.verdict, Unverifiable);
    assert!(gone.message.contains("let a command check of this run write it"), "{}", gone.message);
    assert_eq!(judged("r.xml", SystemTime::now() + std::time::Duration::from_secs(60)).verdict, Unverifiable);
}
