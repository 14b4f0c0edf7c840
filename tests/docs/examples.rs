//! YAML and JSON on our pages is read by the program's own parsers.

use specward::config::Config;
use specward::criteria::file;

use crate::pages::{self, Block};

/// Keys at the top of YAML that other programs read: CI services and managers of git hooks.
const FOREIGN: [&str; 11] =
    ["name", "on", "jobs", "steps", "include", "repos", "stages", "image", "pre-commit", "pre-push", "specward"];

#[test]
fn each_example_can_be_used() {
    let mut faults = Vec::new();
    let mut count = [0; 3];
    // The pages of rules show what is wrong.
    for (path, page) in pages::all().into_iter().filter(|(path, _)| !path.starts_with("docs/rules/")) {
        for block in &page.blocks {
            match judged(block) {
                Ok(kind) => count[kind as usize] += 1,
                Err(why) => faults.push(format!("{path}:{}: {why}", block.line)),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count[Kind::Configuration as usize] > 5 && count[Kind::Criteria as usize] > 1, "{count:?} were found");
}

#[test]
fn an_example_that_cannot_be_used_is_told() {
    let block = |language: &str, text: &str| Block { line: 1, language: language.to_owned(), text: text.to_owned() };
    assert!(judged(&block("yaml", "strict: true\n")).is_ok());
    assert!(judged(&block("yaml", "jobs: {}\n")).is_ok());
    let entry = "version: 1\ncriteria:\n  - requirement: A\n    scenario: B\n    verify:\n      - file: { path: a, exists: true }\n";
    assert!(judged(&block("yaml", entry)).is_ok());
    for (language, text) in [
        ("yaml", "strikt: true\n".to_owned()),
        ("yaml", "rules: { spec/no-such-rule: off }\n".to_owned()),
        ("yaml", entry.replace("file:", "fiel:")),
        ("yaml", entry.replace("version: 1", "version: 2")),
        ("json", "{ \"a\": 1, }".to_owned()),
    ] {
        assert!(judged(&block(language, &text)).is_err(), "{text}");
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Configuration,
    Criteria,
    Other,
}

fn judged(block: &Block) -> Result<Kind, String> {
    match block.language.as_str() {
        "json" => match serde_json::from_str::<serde_json::Value>(&block.text) {
            Ok(_) => Ok(Kind::Other),
            Err(error) => Err(error.to_string()),
        },
        "yaml" => yaml(&block.text),
        _ => Ok(Kind::Other),
    }
}

fn yaml(text: &str) -> Result<Kind, String> {
    let has = |key: &str| text.lines().any(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
    if has("version") && has("criteria") {
        let parsed = file::parse(text.as_bytes(), "openspec/verify/example.yaml".into(), "example");
        return parsed.map(|_| Kind::Criteria).map_err(|fault| format!("{fault:?}"));
    }
    if FOREIGN.iter().any(|key| has(key)) || text.lines().any(|line| line.starts_with("- ")) {
        return Ok(Kind::Other);
    }
    Config::parse(text.as_bytes(), "specward.yaml").map(|_| Kind::Configuration).map_err(|error| error.to_string())
}
