//! A drop-in command that could not do its work, as the reference reports it.

use serde_json::{Map, Value, json};

use super::output;
use crate::report::{escape_hidden, visible};

/// What went wrong, with the code the reference uses for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// Machine-readable.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// What to do.
    pub fix: Option<String>,
}

impl Failure {
    /// A failure without a fix.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), fix: None }
    }

    /// Adds what to do.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// The entry of a `status` list.
    pub fn to_json(&self) -> Value {
        let mut entry = json!({ "severity": "error", "code": self.code, "message": self.message });
        if let (Some(fix), Value::Object(map)) = (&self.fix, &mut entry) {
            map.insert("fix".to_owned(), json!(fix));
        }
        entry
    }

    /// Prints it: as one JSON document with `null_shape` around it, or in words.
    pub fn print(&self, json: bool, null_shape: Map<String, Value>) {
        if json {
            let mut document = null_shape;
            document.insert("status".to_owned(), json!([self.to_json()]));
            print_json(&Value::Object(document));
            return;
        }
        output::stderr(&format!("error: {}\n", visible(&self.message)));
        if let Some(fix) = &self.fix {
            output::stderr(&format!("fix: {}\n", visible(fix)));
        }
    }
}

/// Prints a JSON document.
pub fn print_json(document: &impl serde::Serialize) {
    if let Ok(mut text) = serde_json::to_string_pretty(document) {
        text.push('\n');
        output::text(&escape_hidden(text));
    }
}
