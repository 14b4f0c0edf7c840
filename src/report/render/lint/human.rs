//! What `lint` came to, for people: the findings where they are, the files with the lowest scores, the summary last.

use std::fmt::Write;

use super::super::human::{findings, notes, word};
use super::summary;
use crate::report::quality::{FileQuality, grade};
use crate::report::{Report, count, visible};

/// Files that are named with their scores.
const MOST_FILES: usize = 20;

/// Renders a report, with colours or without.
pub fn render(report: &Report, styled: bool) -> String {
    let mut out = findings(report, styled);
    out.push_str(&ending(report, styled));
    out
}

/// All but the findings: the files with the lowest scores, notes, and the verdict on the last line.
pub(in super::super) fn ending(report: &Report, styled: bool) -> String {
    let mut out = table(report);
    out.push_str(&notes(report));
    let _ = writeln!(out, "{}: {}", word(report.verdict, styled), summary(report));
    out
}

/// The files that lost points, the lowest requirement first.
fn table(report: &Report) -> String {
    let files = report.quality.iter().flat_map(|quality| &quality.files);
    let mut low: Vec<(&FileQuality, f64, u8)> =
        files.filter_map(|file| Some((file, file.score()?, file.min()?))).filter(|(_, _, min)| *min < 100).collect();
    if low.is_empty() {
        return String::new();
    }
    low.sort_by(|a, b| (a.2, &a.0.path).cmp(&(b.2, &b.0.path)));
    let mut out = String::from("Score  Lowest  Spec\n");
    for (file, score, min) in low.iter().take(MOST_FILES) {
        let lowest = file.requirements.iter().find(|requirement| requirement.score == *min);
        let name = lowest.map(|requirement| requirement.name.as_str()).unwrap_or_default();
        let _ = writeln!(out, "{score:>5.1}{:>3}{min:>6}  {}: {}", grade(*score), visible(&file.path), visible(name));
    }
    if low.len() > MOST_FILES {
        let _ = writeln!(out, "And {} below 100.", count(low.len() - MOST_FILES, "more file"));
    }
    out.push('\n');
    out
}
