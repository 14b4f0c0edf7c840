//! The code quality report of GitLab.

use crate::report::Report;

/// Not the whole report yet: verdict and counts.
pub fn render(report: &Report) -> String {
    format!("{}: {}\n", report.verdict.word(), report.counts())
}
