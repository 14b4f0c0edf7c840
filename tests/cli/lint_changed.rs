//! What `lint --changed` judges, in a repository.

use serde_json::Value;

use crate::support::Sandbox;

const EXPORT: &str = "openspec/specs/export/spec.md";
const OLD: &str = "### Requirement: Old\nThe exporter SHALL write rows and SHALL count them.\n\n#### Scenario: Two\n- **WHEN** two rows are exported\n- **THEN** the count is 2\n";

fn spec(requirements: &str) -> String {
    format!(
        "## Purpose\nWrites the rows of a table into a file that other programs can read.\n\n## Requirements\n\n{requirements}"
    )
}

/// The requirements judged in the work tree that are not as the last commit has them, with their scores.
fn judged(sandbox: &Sandbox) -> Vec<(String, u64)> {
    let output = sandbox.run(&["lint", "--changed", "--base", "HEAD", "--format", "json"]);
    let report: Value = serde_json::from_str(&output.stdout).expect("JSON");
    let specs = report["specs"].as_array().expect("specs");
    let all = specs.iter().flat_map(|spec| spec["requirements"].as_array().expect("requirements"));
    all.map(|one| (one["name"].as_str().expect("a name").to_owned(), one["score"].as_u64().expect("a score"))).collect()
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(EXPORT, spec(OLD));
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox
}

#[test]
fn what_base_has_word_for_word_is_not_judged() {
    let sandbox = sandbox();
    assert_eq!(judged(&sandbox), []);
    let new = OLD.replace("Old", "New").replace(" and SHALL count them", "");
    sandbox.write(EXPORT, spec(&format!("{new}\n{OLD}")));
    assert_eq!(judged(&sandbox), [("New".to_owned(), 100)]);
}

#[test]
fn renamed_or_moved_it_is_judged() {
    let renamed = sandbox();
    renamed.write(EXPORT, spec(&OLD.replace("Old", "Rows")));
    assert_eq!(judged(&renamed), [("Rows".to_owned(), 90)]);

    let moved = sandbox();
    moved.write("openspec/specs/rows/spec.md", spec(OLD));
    assert_eq!(judged(&moved), [("Old".to_owned(), 90)]);
}
