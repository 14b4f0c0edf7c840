//! SARIF 2.1.0, which code scanning reads: each finding, and each criterion that did not pass, with its rule, level and
//! place.

use std::collections::BTreeMap;

use super::ranked::{self, About, Fingerprints, Told};
use crate::report::{Level, Report, Suppressed, escape_hidden, visible};
use crate::rules;

mod descriptors;
mod model;

use descriptors::Used;
use model::{
    Artifact, Description, Driver, Id, Invocation, Location, Log, Notification, Outcome, Physical, Region, Run,
    Suppression, Tool, Words,
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What paths are relative to: the top of the repository.
const TOP: &str = "SRCROOT";

/// Results a run may have; code scanning refuses a file with more.
const MOST_RESULTS: usize = 25_000;

/// Bytes of text in all results. Code scanning refuses a file of more than 10 MB after it is compressed: what is not text of
/// results is the same over and over, and compresses to little.
const MOST_TEXT: usize = 8_000_000;

/// One document, indented, with a final line end. Why something could not be judged is a notification, and the run then
/// was not successful.
pub fn render(report: &Report) -> String {
    let told = ranked::all(report);
    let mut used = Used::default();
    let (results, left_out) = results(&told, &report.suppressed, &mut used);
    let run = Run {
        tool: Tool {
            driver: Driver { name: "specward", semantic_version: env!("CARGO_PKG_VERSION"), rules: used.into_list() },
        },
        // The same in every run, or code scanning would keep the alerts of runs before.
        automation_details: Id { id: "specward/" },
        original_uri_base_ids: BTreeMap::from([(TOP, Description { description: words("the top of the repository") })]),
        invocations: [Invocation {
            execution_successful: report.reasons.is_empty(),
            tool_execution_notifications: notifications(report, left_out),
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

/// The results, worst first, and after them those that somebody allowed; and how many are left out, which are those that
/// matter least.
fn results(told: &[Told<'_>], suppressed: &[Suppressed], used: &mut Used) -> (Vec<Outcome>, usize) {
    let mut fingerprints = Fingerprints::default();
    let told = told.iter().filter(|one| !matches!(one.about, About::Run)).map(result);
    let suppressed = suppressed.iter().filter_map(|one| allowed(one, &mut fingerprints));
    let (mut results, mut left_out, mut room) = (Vec::new(), 0, MOST_TEXT);
    for mut outcome in told.chain(suppressed) {
        let size = outcome.size();
        if results.len() == MOST_RESULTS || size > room {
            // Nothing smaller comes after it: it would be worth less.
            (left_out, room) = (left_out + 1, 0);
            continue;
        }
        let Some(index) = used.index(outcome.rule_id) else { continue };
        room -= size;
        outcome.rule_index = index;
        results.push(outcome);
    }
    (results, left_out)
}

fn notifications(report: &Report, left_out: usize) -> Vec<Notification> {
    let reasons = report.reasons.iter().map(|reason| ("error", format!("{}; {}", reason.message, reason.fix)));
    let left_out = (left_out > 0)
        .then(|| ("warning", format!("{left_out} more results are left out; the JSON format has all of them")));
    let notes = report.notes.iter().map(|note| ("note", note.clone()));
    let all = reasons.chain(left_out).chain(notes);
    all.map(|(level, message)| Notification { level, message: words(&visible(&message)) }).collect()
}

fn words(text: &str) -> Words {
    Words { text: text.to_owned() }
}

/// A message in which nothing is a link: code scanning makes one of `[text](place)`.
fn without_links(text: &str) -> String {
    text.replace("](", "] (")
}

fn level_word(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}

impl Outcome {
    /// Bytes of what is its own: what hardly compresses.
    fn size(&self) -> usize {
        let allowed: usize = self.suppressions.iter().map(|one| one.justification.len()).sum();
        let prints: usize = self.partial_fingerprints.values().map(String::len).sum();
        self.message.text.len() + allowed + prints + self.locations[0].physical_location.artifact_location.uri.len()
    }
}

fn result(one: &Told<'_>) -> Outcome {
    let region = Region {
        start_line: one.line,
        start_column: one.column,
        end_column: (one.width > 0).then_some(one.column + one.width),
    };
    Outcome {
        rule_id: one.rule,
        rule_index: 0,
        level: level_word(one.level),
        message: words(&without_links(&one.sentence())),
        locations: [location(&one.path, region)],
        partial_fingerprints: fingerprint(one.fingerprint.clone()),
        suppressions: Vec::new(),
    }
}

/// A finding that somebody allowed, which code scanning shows as dismissed. None of a rule that nobody knows.
fn allowed(suppressed: &Suppressed, fingerprints: &mut Fingerprints) -> Option<Outcome> {
    let rule = rules::find(&suppressed.rule)?;
    // An entry of the configuration stands in another file.
    let is_in_source = suppressed.by.rsplit_once(':').is_some_and(|(path, _)| path == suppressed.path);
    let region = Region { start_line: suppressed.line.max(1), start_column: 1, end_column: None };
    let own = fingerprints.of(&["suppressed", rule.id, &suppressed.path, &suppressed.reason]);
    Some(Outcome {
        rule_id: rule.id,
        rule_index: 0,
        level: level_word(rule.level),
        message: words(&format!("{}.", rule.summary)),
        locations: [location(&suppressed.path, region)],
        partial_fingerprints: fingerprint(own),
        suppressions: vec![Suppression {
            kind: if is_in_source { "inSource" } else { "external" },
            justification: visible(&suppressed.reason),
        }],
    })
}

/// Ours only: `primaryLocationLineHash` is of the file's text, and who uploads the document adds it.
fn fingerprint(own: String) -> BTreeMap<&'static str, String> {
    BTreeMap::from([("specward/v1", own)])
}

fn location(path: &str, region: Region) -> Location {
    let artifact_location = Artifact { uri: uri(path), uri_base_id: TOP };
    Location { physical_location: Physical { artifact_location, region } }
}

/// A path as a relative reference: everything but letters, digits and a few marks escaped. A character that was made
/// visible stays so: `\n` may be a line feed or two characters of the name, and a wrong file is worse than none.
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
mod tests;
