//! The JSON of `lint`, version 1.

use crate::report::lint_v1::LintV1;
use crate::report::{Report, escape_hidden};

/// One document, indented, with a final line end. The exit code is the caller's.
pub fn render(report: &Report, exit_code: u8) -> String {
    // Plain data with string keys always serialises.
    let text = serde_json::to_string_pretty(&LintV1::new(report, exit_code)).unwrap_or_default();
    let mut text = escape_hidden(text);
    text.push('\n');
    text
}
