//! SARIF 2.1.0, which code scanning reads: each finding with its rule, level and place.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::digest::sha256;
use crate::report::{Finding, Level, Report, Suppressed, escape_hidden};
use crate::rules::{self, Rule};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What paths are relative to: the top of the repository.
const TOP: &str = "SRCROOT";

/// Results a run may have; code scanning refuses a file with more.
const MOST_RESULTS: usize = 25_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    automation_details: Id,
    original_uri_base_ids: BTreeMap<&'static str, Description>,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Outcome>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Words,
    full_description: Words,
    help: Help,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Properties {
    tags: Vec<&'static str>,
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    severity: &'static str,
}

#[derive(Serialize)]
struct Words {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Id {
    id: &'static str,
}

#[derive(Serialize)]
struct Description {
    description: Words,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Words,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Words,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression>,
}

#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    justification: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<usize>,
}

/// One document, indented, with a final line end. Why something could not be judged is a notification, and the run then
/// was not successful.
pub fn render(report: &Report) -> String {
    let mut used: Vec<&'static Rule> = Vec::new();
    let mut index_of: HashMap<&'static str, usize> = HashMap::new();
    // Errors first: what is over the limit is what matters least.
    let mut findings: Vec<&Finding> = report.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    let left_out = findings.len().saturating_sub(MOST_RESULTS);
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut results = Vec::new();
    for finding in findings.into_iter().take(MOST_RESULTS) {
        let Some(rule) = rules::find(finding.rule) else { continue };
        let index = *index_of.entry(rule.id).or_insert_with(|| {
            used.push(rule);
            used.len() - 1
        });
        results.push(result(finding, index, &mut seen));
    }
    for suppressed in &report.suppressed {
        let Some(rule) = rules::find(&suppressed.rule) else { continue };
        let index = *index_of.entry(rule.id).or_insert_with(|| {
            used.push(rule);
            used.len() - 1
        });
        results.push(allowed(suppressed, rule, index));
    }
    let mut notifications: Vec<Notification> = report
        .reasons
        .iter()
        .map(|reason| Notification { level: "error", message: words(&format!("{}; {}", reason.message, reason.fix)) })
        .collect();
    if left_out > 0 {
        let message = words(&format!("{left_out} more findings are left out; the JSON format has all of them"));
        notifications.push(Notification { level: "warning", message });
    }
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "specward",
                semantic_version: env!("CARGO_PKG_VERSION"),
                rules: used.into_iter().map(descriptor).collect(),
            },
        },
        automation_details: Id { id: "specward/" },
        original_uri_base_ids: BTreeMap::from([(TOP, Description { description: words("the top of the repository") })]),
        invocations: [Invocation {
            execution_successful: report.reasons.is_empty(),
            tool_execution_notifications: notifications,
        }],
        column_kind: "unicodeCodePoints",
        results,
    };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    // Plain data with string keys always serialises.
    let mut text = escape_hidden(serde_json::to_string_pretty(&log).unwrap_or_default());
    text.push('\n');
    text
}

fn words(text: &str) -> Words {
    Words { text: text.to_owned() }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}

fn descriptor(rule: &'static Rule) -> Descriptor {
    let group = rule.id.split('/').next().unwrap_or_default();
    Descriptor {
        id: rule.id,
        short_description: words(rule.summary),
        full_description: words(&format!("{}.", rule.summary)),
        help: Help { text: format!("specward explain {}", rule.id), markdown: rule.page(None) },
        default_configuration: Configuration { level: level(rule.level) },
        properties: Properties {
            tags: vec!["openspec", group],
            precision: "high",
            severity: match rule.level {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Info => "recommendation",
            },
        },
    }
}

fn result(finding: &Finding, rule_index: usize, seen: &mut HashMap<String, usize>) -> Outcome {
    // Which line it is on may change; what it says about which requirement does not.
    let source = finding.source.as_deref().unwrap_or_default();
    let requirement = finding.requirement.as_deref().unwrap_or_default();
    let key = format!("{}\0{}\0{requirement}\0{source}\0{}", finding.rule, finding.path, finding.message);
    let hash = sha256(key.as_bytes());
    let times = seen.entry(hash.clone()).or_default();
    *times += 1;
    let place = Physical {
        artifact_location: Artifact { uri: uri(&finding.path), uri_base_id: TOP },
        region: Region {
            start_line: finding.line,
            start_column: finding.column,
            end_column: (finding.width > 0).then_some(finding.column + finding.width),
        },
    };
    Outcome {
        rule_id: finding.rule,
        rule_index,
        level: level(finding.level),
        message: words(&format!("{}; {}", finding.message, finding.fix)),
        locations: [Location { physical_location: place }],
        partial_fingerprints: BTreeMap::from([("specward/v1", format!("{hash}:{times}"))]),
        suppressions: Vec::new(),
    }
}

/// A finding that somebody allowed, which code scanning shows as dismissed.
fn allowed(suppressed: &Suppressed, rule: &'static Rule, rule_index: usize) -> Outcome {
    // An entry of the configuration stands in another file.
    let is_in_source = suppressed.by.rsplit_once(':').is_some_and(|(path, _)| path == suppressed.path);
    let key = format!("{}\0{}\0{}", rule.id, suppressed.path, suppressed.line);
    let place = Physical {
        artifact_location: Artifact { uri: uri(&suppressed.path), uri_base_id: TOP },
        region: Region { start_line: suppressed.line, start_column: 1, end_column: None },
    };
    Outcome {
        rule_id: rule.id,
        rule_index,
        level: level(rule.level),
        message: words(&format!("{}.", rule.summary)),
        locations: [Location { physical_location: place }],
        partial_fingerprints: BTreeMap::from([("specward/v1", sha256(key.as_bytes()))]),
        suppressions: vec![Suppression {
            kind: if is_in_source { "inSource" } else { "external" },
            justification: suppressed.reason.clone(),
        }],
    }
}

/// A path as a relative reference: everything but letters, digits and a few marks escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Item, ItemKind, Reason, Scope};

    #[test]
    fn a_finding_that_stands_twice_has_two_fingerprints() -> Result<(), Box<dyn std::error::Error>> {
        let reason = Reason { message: "m".to_owned(), fix: "f".to_owned() };
        let mut report = Report::stopped("run", Scope::default(), reason);
        let item = Item::new("".into(), ItemKind::Spec, "auth");
        let rule = &crate::rules::spec::no_scenario::RULE;
        for _ in 0..2 {
            let mut sink = rules::Sink::new(rule, &item, "a b/ü.md".into(), None, &mut report.findings);
            sink.report(2, "file", "none", "add one");
        }
        let log: serde_json::Value = serde_json::from_str(&render(&report))?;
        let run = &log["runs"][0];
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(1));
        let results = run["results"].as_array().cloned().unwrap_or_default();
        let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, "a%20b/%C3%BC.md");
        assert_ne!(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
        Ok(())
    }
}
