//! What `lint` came to, in each of its formats but SARIF.

pub mod agent;
pub mod human;
pub mod json;

use crate::report::quality::{Quality, grade};
use crate::report::{Report, count};

/// `12 requirements in 3 files: score 92.5 (A), lowest 76; 80 asked for`.
pub(super) fn summary(report: &Report) -> String {
    let nothing = Quality::default();
    let quality = report.quality.as_ref().unwrap_or(&nothing);
    let requirements: usize = quality.files.iter().map(|file| file.requirements.len()).sum();
    let mut words = format!("{} in {}", count(requirements, "requirement"), count(quality.files.len(), "file"));
    if let (Some(score), Some(min)) = (quality.score(), quality.min()) {
        words += &format!(": score {score:.1} ({}), lowest {min}", grade(score));
    }
    if let Some(wanted) = quality.min_score {
        words += &format!("; {wanted} asked for");
    }
    words
}
