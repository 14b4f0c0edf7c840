//! How well requirements are written: the score of `lint`.

use std::collections::HashMap;

use super::{Finding, Item, Level};
use crate::rules::{self, Dimension};

/// Findings of one rule that count in one requirement.
pub const MOST_PER_RULE: usize = 2;

/// Points of a requirement that nothing is wrong with.
pub const FULL: u8 = 100;

/// What `lint` came to.
#[derive(Debug, Clone, Default)]
pub struct Quality {
    /// Linted files, in reading order.
    pub files: Vec<FileQuality>,
    /// What the lowest score has to be, when something was asked.
    pub min_score: Option<u8>,
}

/// How well the requirements of one file are written.
#[derive(Debug, Clone)]
pub struct FileQuality {
    /// The spec or change it belongs to.
    pub item: Item,
    /// The capability; of a delta `<change>/<capability>`.
    pub id: String,
    /// The file, as findings name it.
    pub path: String,
    /// The criteria of its capability, as findings name the file, when there is one.
    pub criteria_path: Option<String>,
    /// The requirements that were judged.
    pub requirements: Vec<RequirementScore>,
    /// Scenarios of these.
    pub scenarios: usize,
}

/// A requirement's points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequirementScore {
    /// Its name.
    pub name: String,
    /// Its lines, the header first, 0-based.
    pub lines: std::ops::Range<usize>,
    /// Its header as it is shown.
    pub header: String,
    /// What is left of 100.
    pub score: u8,
}

impl Quality {
    /// The lowest score of all.
    pub fn min(&self) -> Option<u8> {
        self.files.iter().filter_map(FileQuality::min).min()
    }

    /// The mean of the files that have requirements.
    pub fn score(&self) -> Option<f64> {
        mean(self.files.iter().filter_map(FileQuality::score))
    }

    /// The findings of each file, its criteria's among them, in the order of the files, and those of none.
    pub fn sorted<'f>(&self, findings: &'f [Finding]) -> (Vec<Vec<&'f Finding>>, Vec<&'f Finding>) {
        let mut index: HashMap<(&Item, &str), usize> = HashMap::new();
        for (at, file) in self.files.iter().enumerate() {
            for path in std::iter::once(&file.path).chain(&file.criteria_path) {
                index.entry((&file.item, path)).or_insert(at);
            }
        }
        let (mut of_files, mut others) = (vec![Vec::new(); self.files.len()], Vec::new());
        for finding in findings {
            match index.get(&(&finding.item, finding.path.as_str())) {
                Some(at) => of_files[*at].push(finding),
                None => others.push(finding),
            }
        }
        (of_files, others)
    }
}

impl FileQuality {
    /// The lowest score of its requirements.
    pub fn min(&self) -> Option<u8> {
        self.requirements.iter().map(|requirement| requirement.score).min()
    }

    /// The mean of its requirements, with one decimal.
    pub fn score(&self) -> Option<f64> {
        mean(self.requirements.iter().map(|requirement| f64::from(requirement.score)))
    }

    /// Gives each requirement its points by the findings that stand in its lines.
    pub fn count<'f>(&mut self, findings: impl Iterator<Item = &'f Finding>) {
        let mut lost = vec![0_usize; self.requirements.len()];
        let mut seen: HashMap<(usize, &'static str), usize> = HashMap::new();
        for finding in findings.filter(|finding| finding.path == self.path) {
            let Some(weight) = rules::find(finding.rule).and_then(|rule| rule.weight) else { continue };
            let line = finding.line - 1;
            // They stand in the order of their lines.
            let after = self.requirements.partition_point(|one| one.lines.start <= line);
            let Some(at) = after.checked_sub(1).filter(|at| self.requirements[*at].lines.contains(&line)) else {
                continue;
            };
            let times = seen.entry((at, weight.code)).or_default();
            *times += 1;
            if *times <= MOST_PER_RULE {
                lost[at] += usize::from(weight.points);
            }
        }
        for (requirement, lost) in self.requirements.iter_mut().zip(lost) {
            requirement.score = FULL.saturating_sub(u8::try_from(lost).unwrap_or(FULL));
        }
    }
}

/// With one decimal, rounded down: 100 is only what lost nothing.
fn mean(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = scores.fold((0_u32, 0.0), |(count, sum), score| (count + 1, sum + score));
    (count > 0).then(|| (sum / f64::from(count) * 10.0).floor() / 10.0)
}

/// A score as a letter, as schools give them.
pub fn grade(score: f64) -> &'static str {
    match score {
        score if score >= 90.0 => "A",
        score if score >= 80.0 => "B",
        score if score >= 70.0 => "C",
        score if score >= 60.0 => "D",
        _ => "F",
    }
}

/// How many findings cost what.
pub fn dimensions<'f>(findings: impl Iterator<Item = &'f Finding>) -> [usize; Dimension::ALL.len()] {
    let mut counts = [0; Dimension::ALL.len()];
    for finding in findings.filter(|finding| !finding.cannot_check) {
        if let Some(weight) = rules::find(finding.rule).and_then(|rule| rule.weight) {
            counts[weight.dimension as usize] += 1;
        }
    }
    counts
}

/// How many findings there are of each level: errors, warnings, infos.
pub fn levels<'f>(findings: impl Iterator<Item = &'f Finding>) -> [usize; 3] {
    let mut counts = [0; 3];
    for finding in findings {
        counts[match finding.level {
            Level::Error => 0,
            Level::Warning => 1,
            Level::Info => 2,
        }] += 1;
    }
    counts
}

#[cfg(test)]
mod tests;
