//! Schemas under `schemas/` that are generated from the program. `UPDATE=1 cargo test --test schemas` writes them.

use std::fs;

use schemars::{JsonSchema, Schema, schema_for};
use serde_json::Value;
use specward::config::Config;
use specward::config::baseline::Baseline;
use specward::doctor::v1::DoctorV1;
use specward::ledger::RunRecord;
use specward::report::lint_v1::LintV1;
use specward::report::merge_v1::MergeV1;
use specward::report::v1::ReportV1;

/// The folder of schemas. Everything in it is generated.
const SCHEMAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas");

/// Every schema by its file's name.
fn schemas() -> [(&'static str, Schema); 7] {
    [
        ("report.v1.schema.json", report::<ReportV1>()),
        ("lint.v1.schema.json", report::<LintV1>()),
        ("doctor.v1.schema.json", report::<DoctorV1>()),
        ("merge.v1.schema.json", report::<MergeV1>()),
        ("run.v1.schema.json", report::<RunRecord>()),
        ("config.schema.json", schema_for!(Config)),
        ("baseline.v1.schema.json", schema_for!(Baseline)),
    ]
}

/// The schema of what the program writes. Fields that are left out when empty are the ones nobody can rely on.
fn report<T: JsonSchema>() -> Schema {
    schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

#[test]
fn schemas_are_up_to_date() {
    for (name, schema) in schemas() {
        let path = format!("{SCHEMAS}/{name}");
        let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
        if is_update() {
            fs::create_dir_all(SCHEMAS).expect("a folder");
            fs::write(&path, &text).expect("schemas can be written");
        }
        let written = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert_eq!(written, text, "{path} is out of date: run `UPDATE=1 cargo test --test schemas`");
    }
    let mut files: Vec<String> = fs::read_dir(SCHEMAS)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(
        files,
        [
            "baseline.v1.schema.json",
            "config.schema.json",
            "doctor.v1.schema.json",
            "lint.v1.schema.json",
            "merge.v1.schema.json",
            "report.v1.schema.json",
            "run.v1.schema.json"
        ],
        "a file nobody generates"
    );
}

#[test]
fn the_configuration_schema_agrees_with_the_program() {
    let schema = serde_json::to_value(schema_for!(Config)).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for text in [
        "{}",
        r#"{"strict": true}"#,
        r#"{"protect": ["tests/**"], "roots": ["a"]}"#,
        r#"{"rules": {"spec": "off", "spec/no-scenario": "info", "delta": "warning", "task": "error"}}"#,
        r#"{"allow": [{"rule": "spec/no-body", "path": "a", "item": "b", "reason": "c", "expires": "2026-12-31"}]}"#,
        r#"{"allow": [{"rule": "spec/no-body", "reason": "c", "expires": "2026-12-31", "until": "b"}]}"#,
        r#"{"allow": {"rule": "spec/no-body"}}"#,
        r#"{"strikt": true}"#,
        r#"{"strict": 1}"#,
        r#"{"rules": {"spec": "loud"}}"#,
        r#"{"protect": "tests"}"#,
        "[]",
    ] {
        let value: Value = serde_json::from_str(text).expect("JSON");
        // JSON is YAML.
        let is_accepted = Config::parse(text.as_bytes(), "specward.yaml").is_ok();
        assert_eq!(validator.is_valid(&value), is_accepted, "{text}");
    }
}

#[expect(clippy::disallowed_methods, reason = "a switch of the tests, not of the program")]
fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}
