//! The part of SARIF's object model that is written.

use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub tool: Tool,
    pub automation_details: Id,
    pub original_uri_base_ids: BTreeMap<&'static str, Description>,
    pub invocations: [Invocation; 1],
    pub column_kind: &'static str,
    pub results: Vec<Outcome>,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub name: &'static str,
    pub semantic_version: &'static str,
    pub rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub id: &'static str,
    pub short_description: Words,
    pub full_description: Words,
    pub help: Help,
    pub default_configuration: Configuration,
    pub properties: Properties,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub level: &'static str,
}

#[derive(Serialize)]
pub(super) struct Properties {
    pub tags: Vec<&'static str>,
    pub precision: &'static str,
    #[serde(rename = "problem.severity")]
    pub severity: &'static str,
}

#[derive(Serialize)]
pub(super) struct Words {
    pub text: String,
}

#[derive(Serialize)]
pub(super) struct Help {
    pub text: String,
    pub markdown: String,
}

#[derive(Serialize)]
pub(super) struct Id {
    pub id: &'static str,
}

#[derive(Serialize)]
pub(super) struct Description {
    pub description: Words,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub level: &'static str,
    pub message: Words,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    pub rule_id: &'static str,
    pub rule_index: usize,
    pub level: &'static str,
    pub message: Words,
    pub locations: [Location; 1],
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<Suppression>,
}

#[derive(Serialize)]
pub(super) struct Suppression {
    pub kind: &'static str,
    pub justification: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Physical {
    pub artifact_location: Artifact,
    pub region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact {
    pub uri: String,
    pub uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub start_line: usize,
    pub start_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<usize>,
}
