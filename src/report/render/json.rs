//! The report as JSON, version 1.

use crate::report::v1::ReportV1;
use crate::report::{Report, escape_hidden};

/// One document, indented, with a final line end.
///
/// The exit code is the caller's: a run that could not happen has the verdict UNVERIFIABLE and exits with 2.
pub fn render(report: &Report, exit_code: u8) -> String {
    let document = ReportV1 { exit_code, ..ReportV1::new(report) };
    // Plain data with string keys always serialises.
    let mut text = escape_hidden(serde_json::to_string_pretty(&document).unwrap_or_default());
    text.push('\n');
    text
}
