use super::*;
use crate::criteria::model::{
    Check, CheckKind, CommandCheck, CommandLine, ExitExpectation, Expectation, FileCheck, FileExpectation, JudgeCheck,
    JunitCheck, NewerThan, SearchCheck, SearchExpectation, TextExpectation,
};
use std::time::Duration;

fn parse_text(text: &str) -> Result<Vec<Criterion>, (usize, String)> {
    parse(text.as_bytes(), "openspec/verify/cli.yaml".into(), "cli").map_err(|fault| (fault.line, fault.message))
}

/// The checks of one criterion, each given as the lines of a list item.
fn checks(yaml: &str) -> Result<Vec<Check>, (usize, String)> {
    let text = format!("version: 1\ncriteria:\n- requirement: R\n  scenario: S\n  verify:\n{yaml}\n");
    parse_text(&text).map(|mut criteria| criteria.remove(0).checks)
}

fn check(yaml: &str) -> Result<CheckKind, String> {
    checks(&format!("  - {yaml}")).map(|mut checks| checks.remove(0).kind).map_err(|(_, message)| message)
}

const FULL: &str = r#"version: 1
criteria:
  - requirement: CLI command execution contract
    scenario: Command timeout
    id: cli-timeout          # optional
    ears: When …
    verify:
      - command: [cargo, nextest, run, -E, test(timeout)]
        name: unit test
        timeout: 120s
        expect: { exit: 0, stdout: { contains: "1 passed" } }
      - file: { path: docs/cli.md, contains: "--timeout" }
      - search: { files: ["src/**/*.rs"], pattern: "unwrap\\(\\)", expect: absent }
      - junit: { report: target/nextest/ci/junit.xml, test: "timeout::kills_group", newer-than: run }
      - judge: { rubric: "The error says what to do next", threshold: 0.8 }
  - requirement: CLI command execution contract
    scenario: Nothing yet
    verify: []
  - {requirement: R, scenario: T}
"#;

#[test]
fn the_documented_form() {
    let criteria = parse_text(FULL).unwrap_or_default();
    assert_eq!(
        criteria.iter().map(|c| (c.id.as_str(), c.line, c.checks.len())).collect::<Vec<_>>(),
        [("cli-timeout", 2, 5), ("cli/cli-command-execution-contract/nothing-yet", 15, 0), ("cli/r/t", 18, 0)]
    );
    let first = &criteria[0];
    assert_eq!(
        (first.requirement.as_str(), first.scenario.as_str()),
        ("CLI command execution contract", "Command timeout")
    );
    assert_eq!((first.ears.as_deref(), first.capability.as_str()), (Some("When …"), "cli"));
    assert_eq!(first.checks.iter().map(|check| check.line).collect::<Vec<_>>(), [7, 11, 12, 13, 14]);
    assert_eq!(first.checks[0].name.as_deref(), Some("unit test"));
    assert_eq!(first.checks[0].timeout, Some(Duration::from_secs(120)));
    let text = |contains: &str| TextExpectation { contains: vec![contains.to_owned()], ..Default::default() };
    let kinds: Vec<_> = first.checks.iter().map(|check| check.kind.clone()).collect();
    let argv = ["cargo", "nextest", "run", "-E", "test(timeout)"].map(str::to_owned).to_vec();
    assert_eq!(
        kinds,
        [
            CheckKind::Command(CommandCheck {
                command: CommandLine::Argv(argv),
                expect: Expectation { stdout: text("1 passed"), ..Default::default() },
            }),
            CheckKind::File(FileCheck {
                path: "docs/cli.md".to_owned(),
                expect: FileExpectation::Exists(text("--timeout")),
            }),
            CheckKind::Search(SearchCheck {
                files: vec!["src/**/*.rs".to_owned()],
                pattern: r"unwrap\(\)".to_owned(),
                expect: SearchExpectation::Absent,
            }),
            CheckKind::Junit(JunitCheck {
                report: "target/nextest/ci/junit.xml".to_owned(),
                test: Some("timeout::kills_group".to_owned()),
                newer_than: NewerThan::Run,
            }),
            CheckKind::Judge(JudgeCheck { rubric: "The error says what to do next".to_owned(), threshold: 800 }),
        ]
    );
}

#[test]
fn line_ends_marks_and_aliases() {
    let plain = parse_text(FULL);
    assert!(plain.is_ok());
    assert_eq!(parse_text(&FULL.replace('\n', "\r\n")), plain);
    assert_eq!(parse_text(&format!("\u{feff}{FULL}")), plain);
    let shared = "  - command: &run [make, test]\n  - command: *run\n    timeout: 1";
    let shared = checks(shared).unwrap_or_default();
    assert_eq!(shared.len(), 2);
    assert_eq!((&shared[0].kind, shared[1].line), (&shared[1].kind, 6));
}

#[test]
fn bombs_are_refused() {
    let mut bomb = String::from("version: 1\ncriteria:\n- &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        bomb += &format!("- &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", "));
    }
    assert!(parse_text(&bomb).is_err());
    let nested = format!("version: 1\ncriteria: {}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    assert!(parse_text(&nested).is_err());
    let long = format!("version: 1\ncriteria:\n- &a {}\n{}", "x".repeat(100_000), "- *a\n".repeat(1_000));
    assert!(parse_text(&long).is_err_and(|(_, message)| message.contains("behind aliases")));
}

#[test]
fn bounds() {
    let many = |number: usize| {
        let text = format!("version: 1\ncriteria:\n{}", "- {requirement: R, scenario: S}\n".repeat(number));
        parse_text(&text).map(|criteria| criteria.len()).map_err(|(_, message)| message)
    };
    assert_eq!(many(MAX_CRITERIA), Ok(MAX_CRITERIA));
    let more = format!("version: 1\ncriteria:\n{}", "- 1\n".repeat(MAX_CRITERIA + 1));
    assert!(parse_text(&more).is_err_and(|(_, message)| message.contains("20001 criteria")));
    let large = format!("version: 1\ncriteria:\n#{}\n", "x".repeat(MAX_FILE_BYTES));
    assert!(parse_text(&large).is_err_and(|(_, message)| message.contains("bytes")));
}

#[test]
fn faults_name_their_line() {
    for (text, line, part) in [
        ("", 0, "empty"),
        ("# nothing\n---\n", 1, ""),
        ("criteria: []\n", 0, "no `version`"),
        ("version: 2\ncriteria: []\n", 0, "`version` has to be 1"),
        ("version: '1'\ncriteria: []\n", 0, "`version` has to be 1"),
        ("version: 1\n", 0, "no `criteria`"),
        ("version: 1\ncriterias: []\n", 1, "is `criteria` meant?"),
        ("version: 1\ncriteria: x\n", 1, "has to be a list"),
        ("version: 1\ncriteria:\n- x\n", 2, "has to have keys"),
        ("version: 1\ncriteria:\n- requirement: R\n", 2, "no `scenario`"),
        ("version: 1\ncriteria:\n- requirement: R\n  scenario: 404\n", 3, "put it in quotes"),
        ("version: 1\ncriteria:\n- requirement: R\n  scenario: ' '\n", 3, "is blank"),
        ("version: 1\ncriteria:\n- requirement: R\n  scenario: S\n  id: A b\n", 4, "is no id"),
        ("version: 1\ncriteria:\n- requirement: R\n  scenario: S\n  verify: x\n", 4, "list of checks"),
        ("version: 1\ncriteria:\n- requirement: R\n  scenario: S\n  scenario: S\n", 4, "scenario"),
        ("version: 1\ncriteria:\n- requirement: R\n  Scenario: S\n", 3, "is `scenario` meant?"),
        ("version: 1\ncriteria: [\n", 1, "unclosed bracket"),
        ("version: 1\ncriteria:\n- !!python/object x\n", 2, ""),
        ("version: 1\ncriteria: []\n---\nversion: 1\n", 2, "several documents"),
        ("version: 1\ncriteria: []\ncriteria: []\n", 2, "the key `criteria` stands there twice"),
    ] {
        let fault = parse_text(text);
        assert!(
            fault.as_ref().is_err_and(|(at, message)| *at == line && message.contains(part)),
            "{text:?}: {fault:?}"
        );
    }
    assert_eq!(parse(b"version: 1\n\xff", "x".into(), "x").map_err(|fault| fault.line), Err(1));
    assert_eq!(parse_text("version: 1\ncriteria:\n"), Ok(Vec::new()));
}

#[test]
fn commands() {
    let argv = |yaml: &str| match check(yaml) {
        Ok(CheckKind::Command(CommandCheck { command, .. })) => Ok(command),
        Ok(_) => Err("another kind".to_owned()),
        Err(message) => Err(message),
    };
    assert_eq!(argv("{command: [make, '']}"), Ok(CommandLine::Argv(vec!["make".to_owned(), String::new()])));
    assert_eq!(argv("{command: make | cat, shell: true}"), Ok(CommandLine::Shell("make | cat".to_owned())));
    for (yaml, part) in [
        ("{command: []}", "empty list"),
        ("{command: ['']}", "is empty"),
        ("{command: }", "is empty"),
        ("{command: [sleep, 5]}", "put it in quotes"),
        ("{command: [env, true]}", "put it in quotes"),
        ("{command: [a, null]}", "is empty"),
        ("{command: 'cargo test -- --exact'}", "`[cargo, test, '--', '--exact']`"),
        ("{command: cargo test, shell: false}", "`[cargo, test]`"),
        ("{command: [make], shell: true}", "not a list"),
        ("{command: make, shell: 'yes'}", "true or false"),
        ("{command: [\"a\\0b\"]}", "NUL"),
        ("{comand: [make]}", "is `command` meant?"),
        ("{name: x}", "needs one of"),
        ("{command: [make], file: {path: a, exists: true}}", "has `command` and `file`"),
        ("{file: {path: a, exists: true}, shell: true}", "beside `command` only"),
        ("{search: {files: a, pattern: a}, expect: absent}", "stands inside it"),
    ] {
        let fault = argv(yaml);
        assert!(fault.as_ref().is_err_and(|message| message.contains(part)), "{yaml}: {fault:?}");
    }
}

#[test]
fn expectations() {
    let expect = |yaml: &str| match check(&format!("{{command: [make], expect: {yaml}}}")) {
        Ok(CheckKind::Command(CommandCheck { expect, .. })) => Ok(expect),
        Ok(_) => Err("another kind".to_owned()),
        Err(message) => Err(message),
    };
    let exit = |yaml: &str| expect(yaml).map(|expect| expect.exit);
    assert_eq!(exit("{}"), Ok(ExitExpectation::OneOf(vec![0])));
    assert_eq!(exit("{exit: [0, 2]}"), Ok(ExitExpectation::OneOf(vec![0, 2])));
    assert_eq!(exit("{exit: any, stderr: {matches: '^usage'}}"), Ok(ExitExpectation::Any));
    let stdout = expect("{stdout: {contains: [a, b], not-contains: c, matches: '^d$'}}").map(|expect| expect.stdout);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let all = TextExpectation { contains: words(&["a", "b"]), not_contains: words(&["c"]), matches: words(&["^d$"]) };
    assert_eq!(stdout, Ok(all));
    for (yaml, part) in [
        ("{exit: any}", "nothing could fail"),
        ("{exit: '0'}", "has to be a number"),
        ("{exit: 0.5}", "has to be a number"),
        ("{exit: []}", "has to be a number"),
        ("{exit: 99999999999}", "can never happen"),
        #[cfg(unix)]
        ("{exit: 256}", "`exit: 256` can never happen: exit codes are from 0 to 255"),
        #[cfg(unix)]
        ("{exit: [0, -1]}", "`exit: -1` can never happen"),
        ("{stdout: {contains: ' '}}", "`contains` is blank"),
        ("{stdout: x}", "has to have keys"),
        ("{stdout: {contains: ''}}", "is empty"),
        ("{stdout: {contains: []}}", "is empty"),
        ("{stdout: {contains: 3}}", "put it in quotes"),
        ("{stdout: {not_contains: x}}", "is `not-contains` meant?"),
        ("{stdout: {matches: '('}}", "no regular expression: unclosed group"),
        ("{stdout: {matches: '\\w{5000}{5000}'}}", "no regular expression"),
    ] {
        let fault = expect(yaml);
        assert!(fault.as_ref().is_err_and(|message| message.contains(part)), "{yaml}: {fault:?}");
    }
}

#[test]
fn timeouts() {
    let timeout = |yaml: &str| {
        checks(&format!("  - {{command: [make], timeout: {yaml}}}")).map(|checks| checks[0].timeout.unwrap_or_default())
    };
    for (yaml, milliseconds) in
        [("120s", 120_000), ("2m", 120_000), ("1h 5m", 3_900_000), ("500ms", 500), ("90", 90_000), ("24h", 86_400_000)]
    {
        assert_eq!(timeout(yaml), Ok(Duration::from_millis(milliseconds)), "{yaml}");
    }
    for yaml in ["0", "-1", "0s", "-5s", "25h", "soon", "1.5", "'90'", "true", "99999999999999", "9999999999999999h"] {
        assert!(timeout(yaml).is_err(), "{yaml}");
    }
}

#[test]
fn files_searches_reports_and_judges() {
    assert_eq!(
        check("{file: {path: ./a, absent: true}}"),
        Ok(CheckKind::File(FileCheck { path: "a".to_owned(), expect: FileExpectation::Absent }))
    );
    assert!(matches!(
        check("{search: {files: a, pattern: x, max: 2}}"),
        Ok(CheckKind::Search(SearchCheck { expect: SearchExpectation::Max(2), .. }))
    ));
    let junit = |yaml: &str| match check(&format!("{{junit: {{report: r.xml, newer-than: {yaml}}}}}")) {
        Ok(CheckKind::Junit(JunitCheck { newer_than, .. })) => Some(newer_than),
        _ => None,
    };
    assert_eq!(junit("run"), Some(NewerThan::Run));
    assert_eq!(junit("src"), Some(NewerThan::Files(vec!["src".to_owned()])));
    assert_eq!(junit("[src, tests]"), Some(NewerThan::Files(vec!["src".to_owned(), "tests".to_owned()])));
    assert!(matches!(check("{judge: {rubric: x}}"), Ok(CheckKind::Judge(JudgeCheck { threshold: 800, .. }))));
    assert!(matches!(
        check("{judge: {rubric: x, threshold: 1}}"),
        Ok(CheckKind::Judge(JudgeCheck { threshold: 1000, .. }))
    ));
    for (yaml, part) in [
        ("{file: {exists: true}}", "no `path`"),
        ("{file: {path: a}}", "expects nothing"),
        ("{file: {path: a, exists: false}}", "has to be true"),
        ("{file: {path: a, absent: true, contains: x}}", "`absent`"),
        ("{file: {path: /etc/passwd, exists: true}}", "is absolute"),
        ("{file: {path: a/../../b, exists: true}}", "has `..`"),
        ("{file: {path: 'a\\b', exists: true}}", "backslash"),
        ("{file: {path: a//b, exists: true}}", "no path"),
        ("{file: {path: ., exists: true}}", "no path"),
        ("{search: {pattern: x, expect: absent}}", "no `files`"),
        ("{search: {files: [], pattern: x, expect: absent}}", "is empty"),
        ("{search: {files: a, pattern: x}}", "expects nothing"),
        ("{search: {files: a, pattern: x, expect: absent, max: 1}}", "beside each other"),
        ("{search: {files: a, pattern: x, expect: none}}", "`absent` or `present`"),
        ("{search: {files: a, pattern: x, max: -1}}", "0 or more"),
        ("{search: {files: a, pattern: '[', expect: absent}}", "no regular expression"),
        ("{search: {files: '[', pattern: x, expect: absent}}", "["),
        ("{search: {files: ../a, pattern: x, expect: absent}}", "has `..`"),
        ("{junit: {test: x}}", "no `report`"),
        ("{junit: {report: /r.xml}}", "is absolute"),
        ("{judge: {threshold: 0.5}}", "no `rubric`"),
        ("{judge: {rubric: ' '}}", "is blank"),
        ("{judge: {rubric: x, threshold: 80}}", "from 0 to 1"),
        ("{judge: {rubric: x, threshold: -0.1}}", "from 0 to 1"),
        ("{judge: {rubric: x, threshold: .nan}}", ""),
        ("{judge: {rubric: x, threshold: 0.80005}}", "from 0 to 1"),
    ] {
        let fault = check(yaml);
        assert!(fault.as_ref().is_err_and(|message| message.contains(part)), "{yaml}: {fault:?}");
    }
}
