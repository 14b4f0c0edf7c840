//! What `lint` came to, for a coding agent: the verdict on line 1, scores on line 2, a block for each file with findings,
//! the worst first, and a fixed last line.

use std::fmt::Write;

use super::summary;
use crate::report::quality::{FileQuality, Quality};
use crate::report::{Finding, Report, count, unmistakable, visible};
use crate::rules;

/// The last line.
pub(in super::super) const FOOTER: &str =
    "Say the same thing better: do not change what is demanded. A frozen spec is the human's to edit.";

/// Files with a block. More would push the first ones out of an agent's sight.
const MOST_FILES: usize = 10;

/// Findings shown for one file.
const MOST_FINDINGS: usize = 10;

/// Renders a report.
pub fn render(report: &Report) -> String {
    let mut out = format!("SPECWARD VERDICT: {}\n{}\n", report.verdict.word(), summary(report));
    for reason in &report.reasons {
        let _ = write!(out, "\nReason: {}\nFix: {}\n", visible(&reason.message), visible(&reason.fix));
    }
    let nothing = Quality::default();
    let quality = report.quality.as_ref().unwrap_or(&nothing);
    let (of_files, others) = quality.sorted(&report.findings);
    for finding in others {
        out.push('\n');
        lines(&mut out, finding);
    }
    let mut blocks: Vec<(&FileQuality, Vec<&Finding>)> =
        quality.files.iter().zip(of_files).filter(|(_, findings)| !findings.is_empty()).collect();
    let worst = |findings: &[&Finding]| findings.iter().map(|finding| finding.level).max();
    blocks.sort_by_key(|(file, findings)| (std::cmp::Reverse(worst(findings)), file.min().unwrap_or_default()));
    for (file, findings) in blocks.iter().take(MOST_FILES) {
        block(&mut out, file, findings);
    }
    if blocks.len() > MOST_FILES {
        let _ = write!(
            out,
            "\nAnd {} with findings: name some of them to see these.\n",
            count(blocks.len() - MOST_FILES, "more file")
        );
    }
    let _ = write!(out, "\n{FOOTER}\n");
    out
}

fn block(out: &mut String, file: &FileQuality, findings: &[&Finding]) {
    let _ = write!(out, "\n## {}: {}", visible(&file.item.name()), visible(&file.path));
    if let (Some(score), Some(min)) = (file.score(), file.min()) {
        let _ = write!(out, " (score {score:.1}, lowest {min})");
    }
    out.push('\n');
    let mut sorted = findings.to_vec();
    sorted.sort_by_key(|finding| (std::cmp::Reverse(finding.level), finding.line));
    for finding in sorted.iter().take(MOST_FINDINGS) {
        lines(out, finding);
    }
    if sorted.len() > MOST_FINDINGS {
        let _ = writeln!(out, "And {} in this file.", count(sorted.len() - MOST_FINDINGS, "more finding"));
    }
}

fn lines(out: &mut String, finding: &Finding) {
    let weight = rules::find(finding.rule).and_then(|rule| rule.weight);
    let points = weight.filter(|weight| weight.points > 0).map(|weight| format!(" (-{})", weight.points));
    let (path, line, column) = (visible(&finding.path), finding.line, finding.column);
    let level = finding.level.word();
    let _ = writeln!(out, "{level}: {}{} at {path}:{line}:{column}", finding.rule, points.unwrap_or_default());
    let _ = writeln!(out, "  {}", unmistakable(&visible(&finding.message)));
    for shown in finding.shown_lines().take(5) {
        let _ = writeln!(out, "  | {}", visible(shown));
    }
    let _ = writeln!(out, "  Fix: {}", visible(&finding.fix));
}
