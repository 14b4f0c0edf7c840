//! What the formats for CI promise: SARIF, JUnit XML, code quality, annotations and Markdown.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use crate::checked::{FAILS, FILE, HOLDS, criteria, on_branch, put};
use crate::formats::{FOOTER, scenes};
use crate::support::{AUTH, Outcome, SPEC, Sandbox, faulty};

static SARIF: LazyLock<jsonschema::Validator> = LazyLock::new(|| schema("sarif-2.1.0.schema.json"));
static ISSUE: LazyLock<jsonschema::Validator> = LazyLock::new(|| schema("codeclimate.json"));

/// Text that tries to be something else in every format. No file can have this name everywhere, but a heading can.
const EVIL: &str =
    "::error::a ##[error]b %0A]]></testcase></details> ```` |@user #12 [x](https://y) <img src=x>\u{1b}[2J\u{202e}";

/// A schema as its owner publishes it.
fn schema(name: &str) -> jsonschema::Validator {
    let path = format!("{}/tests/fixtures/schemas/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the schema is there");
    jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a schema")
}

#[track_caller]
fn is_valid(schema: &jsonschema::Validator, document: &Value, name: &str) {
    let errors: Vec<String> = schema.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?} {document:#}");
}

fn json(text: &str, name: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
}

fn is_relative(path: &str) -> bool {
    !path.is_empty() && !["/", "./", "../"].iter().any(|start| path.starts_with(start))
}

/// Demands a document of the schema that code scanning takes. The results.
#[track_caller]
fn sarif(text: &str, name: &str) -> Vec<Value> {
    let document = json(text, name);
    is_valid(&SARIF, &document, name);
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("a list");
    for rule in rules {
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[key]["text"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {rule:#}");
        }
    }
    let results = run["results"].as_array().expect("a list");
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().expect("a number") as usize]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().expect("a place");
        assert!(uri.is_ascii() && is_relative(uri), "{name}: {uri}");
        assert!(!uri.contains([' ', '\\', ':']), "{name}: {uri}");
        assert!(place["region"]["startLine"].as_u64() >= Some(1), "{name}: {result:#}");
    }
    results.clone()
}

/// Demands a report that GitLab takes. Names of the checks.
#[track_caller]
fn gitlab(text: &str, name: &str) -> Vec<String> {
    assert!(text.starts_with('['), "{name}: {text}");
    let list = json(text, name);
    let issues = list.as_array().expect("a list");
    let mut fingerprints = BTreeSet::new();
    for issue in issues {
        is_valid(&ISSUE, issue, name);
        let severity = issue["severity"].as_str().expect("a word");
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity), "{name}: {severity}");
        let path = issue["location"]["path"].as_str().expect("a path");
        assert!(is_relative(path), "{name}: {path}");
        assert!(issue["location"]["lines"]["begin"].as_u64() >= Some(1), "{name}: {issue:#}");
        assert!(fingerprints.insert(issue["fingerprint"].as_str().expect("a word")), "{name}: {issue:#}");
    }
    issues.iter().map(|issue| issue["check_name"].as_str().expect("a name").to_owned()).collect()
}

/// Demands a document of cases whose counts are right. How each case ended.
#[track_caller]
fn junit(text: &str, name: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
    let mut all = Vec::new();
    for suite in document.root_element().children().filter(roxmltree::Node::is_element) {
        let cases = suite.children().filter(|node| node.has_tag_name("testcase"));
        let endings: Vec<String> = cases
            .map(|case| case.first_element_child().map_or("passed", |child| child.tag_name().name()).to_owned())
            .collect();
        for (key, word) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
            let number = endings.iter().filter(|ending| *ending == word).count().to_string();
            assert_eq!(suite.attribute(key), Some(number.as_str()), "{name}: {text}");
        }
        assert_eq!(suite.attribute("tests"), Some(endings.len().to_string().as_str()), "{name}");
        all.extend(endings);
    }
    assert_eq!(document.root_element().attribute("tests"), Some(all.len().to_string().as_str()), "{name}");
    all
}

/// An annotation: level, properties as they are told, message.
type Annotation = (String, Vec<(String, String)>, String);

/// Reads annotations as the runner does. Demands that no other line is a command.
#[track_caller]
fn github(text: &str, name: &str) -> Vec<Annotation> {
    let back = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let mut all = Vec::new();
    for line in text.split(['\n', '\r', '\u{85}', '\u{2028}']) {
        assert!(!line.contains("##[") && !line.contains("##vso["), "{name}: {line}");
        let Some(command) = line.trim_start().strip_prefix("::") else { continue };
        let (head, message) = command.split_once("::").unwrap_or_else(|| panic!("{name}: {line}"));
        let (level, properties) = head.split_once(' ').unwrap_or_else(|| panic!("{name}: {line}"));
        assert!(["error", "warning", "notice"].contains(&level), "{name}: {line}");
        let property = |text: &str| {
            let (key, value) = text.split_once('=').unwrap_or_else(|| panic!("{name}: {line}"));
            assert!(["file", "line", "endLine", "col", "endColumn", "title"].contains(&key), "{name}: {line}");
            (key.to_owned(), back(&value.replace("%3A", ":").replace("%2C", ",")))
        };
        all.push((level.to_owned(), properties.split(',').map(property).collect(), back(message)));
    }
    for level in ["error", "warning", "notice"] {
        assert!(all.iter().filter(|one| one.0 == level).count() <= 10, "{name}: {text}");
    }
    all
}

/// Demands a report that a comment holds, with its verdict first and the fixed line last.
#[track_caller]
fn markdown(text: &str, verdict: &str, name: &str) {
    assert!(text.starts_with(&format!("## specward: {verdict}\n")), "{name}: {text}");
    assert!(text.len() <= 60_000, "{name}: {}", text.len());
    assert_eq!(text.lines().last() == Some(FOOTER), verdict != "PASS", "{name}: {text}");
    assert_eq!(text.matches("\n<details>").count(), text.matches("\n</details>").count(), "{name}: {text}");
}

fn verify(sandbox: &Sandbox, format: &str, args: &[&str]) -> Outcome {
    sandbox.run(&[&["verify", "--format", format], args].concat())
}

const VERDICTS: [&str; 4] = ["PASS", "FAIL", "UNVERIFIABLE", "UNVERIFIABLE"];

#[test]
fn sarif_is_always_a_document_of_its_schema() {
    for (name, sandbox, args, code) in scenes() {
        let outcome = verify(&sandbox, "sarif", &args);
        let results = sarif(&outcome.exits(code).stdout, name);
        assert_eq!(results.is_empty(), code == 0 || name == "unverifiable run" || code == 2, "{name}: {results:#?}");
        let log = json(&outcome.stdout, name);
        let invocation = &log["runs"][0]["invocations"][0];
        let is_judged = invocation["executionSuccessful"] == true;
        assert_eq!(is_judged, code < 2 || name == "unverifiable item", "{name}: {invocation:#}");
        let told = invocation["toolExecutionNotifications"].as_array().expect("a list");
        assert!(is_judged || told.iter().any(|one| one["level"] == "error"), "{name}: {invocation:#}");
        assert_eq!(outcome.stdout, verify(&sandbox, "sarif", &args).stdout, "{name}: two runs differ");
    }
}

#[test]
fn code_quality_is_always_a_list_of_its_schema() {
    for (name, sandbox, args, code) in scenes() {
        let outcome = verify(&sandbox, "gitlab", &args);
        let checks = gitlab(&outcome.exits(code).stdout, name);
        assert_eq!(checks.is_empty(), code == 0, "{name}: {checks:?}");
        assert!(code != 2 || checks == ["run/not-judged"], "{name}: {checks:?}");
    }
}

#[test]
fn junit_always_has_a_case_and_tells_no_from_unknown() {
    for (name, sandbox, args, code) in scenes() {
        let outcome = verify(&sandbox, "junit", &args);
        let endings = junit(&outcome.exits(code).stdout, name);
        assert!(!endings.is_empty(), "{name}");
        let has = |ending: &str| endings.iter().any(|one| one == ending);
        assert_eq!((has("failure"), has("error")), (code == 1, code >= 2), "{name}: {}", outcome.stdout);
    }
}

#[test]
fn annotations_say_what_fails_and_the_last_line_the_verdict() {
    for (name, sandbox, args, code) in scenes() {
        let outcome = verify(&sandbox, "github", &args);
        let all = github(&outcome.exits(code).stdout, name);
        assert_eq!(all.iter().any(|(level, ..)| level == "error"), code != 0, "{name}: {}", outcome.stdout);
        let last = outcome.stdout.lines().last().expect("a line");
        assert!(last.starts_with(&format!("{}: ", VERDICTS[code as usize])), "{name}: {last}");
        let human = verify(&sandbox, "human", &args).stdout;
        assert!(code == 2 || human.lines().last() == Some(last), "{name}: {last}");
    }
}

#[test]
fn markdown_is_bounded_and_says_the_verdict() {
    for (name, sandbox, args, code) in scenes() {
        let outcome = verify(&sandbox, "markdown", &args);
        markdown(&outcome.exits(code).stdout, VERDICTS[code as usize], name);
        assert!(!outcome.stdout.contains(|c: char| c.is_control() && c != '\n'), "{name}");
    }
}

#[test]
fn several_formats_in_one_call() {
    let sandbox = Sandbox::project();
    sandbox.write(AUTH, faulty());
    let files = ["sarif=a.sarif", "junit=a.xml", "gitlab=a.json", "markdown=a.md"];
    let mut args = vec!["verify", "--format", "github"];
    args.extend(files.iter().flat_map(|file| ["--format", file]));
    for (more, code, verdict) in [(&[][..], 1, "FAIL"), (&["nothing"], 2, "UNVERIFIABLE")] {
        let outcome = sandbox.run(&[&args[..], more].concat());
        outcome.exits(code).says(&format!("\n{verdict}: "));
        let read = |file: &str| std::fs::read_to_string(sandbox.path(file)).expect("it was written");
        assert_eq!(sarif(&read("a.sarif"), "sarif").len(), usize::from(code == 1));
        let ending = if code == 1 { "failure" } else { "error" };
        assert_eq!(junit(&read("a.xml"), "junit"), [ending]);
        assert_eq!(gitlab(&read("a.json"), "gitlab").len(), 1);
        markdown(&read("a.md"), verdict, "markdown");
        assert_eq!(github(&outcome.stdout, "github").len(), 1);
    }
}

#[test]
fn criteria_that_do_not_pass_are_in_every_format() {
    let sandbox = on_branch(
        &[("One", &[HOLDS]), ("Two", &[FAILS]), ("Three", &["judge: { rubric: It is clear }"]), ("Four", &[])],
        &[],
    );
    std::fs::remove_file(sandbox.path(FILE)).expect("it is there");
    let args = ["--changed", "--base", "main", "--frozen-spec"];
    let told = |format| verify(&sandbox, format, &args).exits(1).stdout.clone();
    let results = sarif(&told("sarif"), "sarif");
    let ids: Vec<&Value> = results.iter().map(|one| &one["ruleId"]).collect();
    assert_eq!(ids[..2], ["freeze/spec-changed", "criterion/failed"], "{ids:?}");
    assert!(ids.contains(&&"criterion/unverifiable".into()), "{ids:?}");
    let checks = gitlab(&told("gitlab"), "gitlab");
    assert_eq!(checks, ids.iter().map(|id| id.as_str().expect("an id")).collect::<Vec<_>>());
    let titles: Vec<String> =
        github(&told("github"), "github").iter().flat_map(|one| one.1.last().cloned()).map(|title| title.1).collect();
    assert!(titles.iter().any(|title| title.starts_with("criterion/failed: two: Sign in / Two")), "{titles:?}");
    let xml = told("junit");
    let endings = junit(&xml, "junit");
    assert!(["passed", "failure", "error"].iter().all(|ending| endings.iter().any(|one| one == ending)), "{xml}");
    assert!(xml.contains("name=\"two Sign in / Two\""), "{xml}");
    let text = told("markdown");
    markdown(&text, "FAIL", "markdown");
    assert!(text.contains("<details><summary>criterion/failed: two: Sign in / Two</summary>"), "{text}");
}

#[test]
fn names_stay_names_in_every_format() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[FAILS])]);
    let text = SPEC.replace("Sign in", &format!("Sign in {EVIL}")).replace("#### Scenario: Right password", EVIL);
    sandbox.write("openspec/specs/evil/spec.md", text);
    let own = criteria(&[("One", &[FAILS])]);
    sandbox.write(
        FILE,
        own.replace(
            "file: {",
            &format!("name: {:?}\n        file: {{", EVIL.replace('\u{1b}', "e").replace('\u{202e}', "r")),
        ),
    );
    let told = |format| verify(&sandbox, format, &["--strict"]).exits(1).stdout.clone();
    for (format, text) in ["sarif", "junit", "gitlab", "github", "markdown"].map(|format| (format, told(format))) {
        assert!(
            !text.contains(|c: char| c.is_control() && c != '\n') && !text.contains('\u{202e}'),
            "{format}: {text}"
        );
        assert!(!text.contains("##["), "{format}: {text}");
        assert!(
            format == "github" || !text.lines().any(|line| line.trim_start().starts_with("::")),
            "{format}: {text}"
        );
        match format {
            "sarif" => assert!(sarif(&text, format).len() > 1 && !text.contains("](")),
            "junit" => assert!(junit(&text, format).contains(&"failure".to_owned())),
            "gitlab" => drop(gitlab(&text, format)),
            "github" => assert!(github(&text, format).iter().any(|(_, _, message)| message.contains("::error::a"))),
            _ => markdown(&text, "FAIL", format),
        }
    }
}

#[test]
fn lint_tells_low_scores_in_every_format() {
    let sandbox = Sandbox::project();
    sandbox.write(AUTH, SPEC.replace("with a password", "with an appropriate password quickly, etc"));
    let lint = |format| sandbox.run(&["lint", "--min-score", "100", "--format", format]).exits(1).stdout.clone();
    let low = "quality/low-score";
    assert!(sarif(&lint("sarif"), "sarif").iter().any(|one| one["ruleId"] == low && one["level"] == "error"));
    assert!(gitlab(&lint("gitlab"), "gitlab").contains(&low.to_owned()));
    assert_eq!(junit(&lint("junit"), "junit"), ["failure"]);
    assert!(lint("junit").contains("<failure type=\"quality/low-score\""));
    let text = lint("github");
    assert!(
        text.starts_with("::error file=openspec/specs/auth/spec.md,") && text.contains("title=quality/low-score%3A")
    );
    github(&text, "github");
    assert_eq!(text.lines().last(), lint("human").lines().last());
    let text = lint("markdown");
    assert!(text.starts_with("## specward: FAIL\n") && text.contains("100 asked for") && text.contains(low), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("Say the same thing better")), "{text}");
}
