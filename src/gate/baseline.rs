//! The baseline of a run: which findings stand in it, and what a new one would hold.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use bstr::{BStr, BString};

use super::suppress::{Ground, Settled, can_be_let_through};
use super::work::Judged;
use crate::config::ConfigError;
use crate::config::baseline::{self, Baseline, Entry};
use crate::openspec::heading::headings;
use crate::openspec::project::Project;
use crate::openspec::text::Text;
use crate::repo::oid::{HashKind, ObjectKind, Oid};
use crate::repo::snapshot::{ReadError, Snapshot, join};
use crate::report::{Finding, Level, display_path};

/// Digits of a fingerprint.
const DIGITS: usize = 16;

/// The baselines of a run's projects.
pub(super) struct Baselines<'a> {
    /// What each project has, when it has one.
    found: &'a [Option<Baseline>],
    /// Whether a new one is wanted: then what stands in the old one is a finding as any other.
    is_recording: bool,
}

/// What a project's baseline could hold.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The file, from the top of the tree.
    pub path: BString,
    /// What it holds now, when it is there.
    pub old: Option<Vec<Entry>>,
    /// What it could hold, sorted.
    pub found: Vec<Entry>,
    /// Findings that fail and cannot stand in a baseline.
    pub refused: usize,
    /// Files that could not be judged: what is in them is not known.
    pub unknown: Vec<String>,
}

/// A project's baseline file.
fn path_of(project: &Project<'_>) -> BString {
    join(project.folder(), baseline::FILE)
}

/// Reads a project's baseline.
///
/// # Errors
/// When it is there and cannot be used.
pub(super) fn read(snapshot: &dyn Snapshot, project: &Project<'_>) -> Result<Option<Baseline>, ConfigError> {
    let path = path_of(project);
    let shown = display_path(path.as_ref());
    match snapshot.read(path.as_ref()) {
        Ok(bytes) => Baseline::parse(&bytes, &shown).map(Some),
        Err(ReadError::Missing | ReadError::NotADirectory) => Ok(None),
        // That the whole folder leads out of the tree is told as that.
        Err(ReadError::Outside(_)) if matches!(snapshot.resolve(project.folder()), Err(ReadError::Outside(_))) => {
            Ok(None)
        }
        Err(error) => Err(ConfigError { path: shown, line: 1, message: error.to_string() }),
    }
}

impl<'a> Baselines<'a> {
    pub(super) fn new(found: &'a [Option<Baseline>], is_recording: bool) -> Self {
        Self { found, is_recording }
    }

    /// Takes out of the judged items what stands in a baseline, or everything that could when one is recorded.
    pub(super) fn settle(&self, ground: &Ground<'_>, judged: &mut [Judged], settled: &mut Settled) {
        if !self.is_recording && self.found.iter().all(Option::is_none) {
            return;
        }
        let mut prints = Fingerprints { head: ground.head, headings: HashMap::new(), seen: HashMap::new() };
        for (project, old) in ground.projects.iter().zip(self.found) {
            if !self.is_recording && old.is_none() {
                continue;
            }
            let old = old.as_ref().map(|baseline| baseline.findings.as_slice());
            let root = display_path(project.root());
            let known: HashSet<(&str, &str, &str)> = old.unwrap_or_default().iter().map(key).collect();
            let mut met = 0;
            let mut recorded = Recorded {
                path: path_of(project),
                old: old.map(<[Entry]>::to_vec),
                found: Vec::new(),
                refused: 0,
                unknown: Vec::new(),
            };
            for one in judged.iter_mut().filter(|one| *one.item.item.root == *root) {
                one.keep(ground.strict, |finding| {
                    if finding.level == Level::Info {
                        return true;
                    }
                    let entry = can_be_let_through(finding).then(|| prints.entry(finding, &root)).flatten();
                    let Some(entry) = entry else {
                        recorded.refused += 1;
                        if finding.cannot_check {
                            recorded.unknown.push(finding.path.clone());
                        }
                        return true;
                    };
                    if self.is_recording {
                        recorded.found.push(entry);
                        return true;
                    }
                    let is_known = known.contains(&key(&entry));
                    met += usize::from(is_known);
                    !is_known
                });
            }
            if self.is_recording {
                recorded.found.sort();
                settled.recorded.push(recorded);
                continue;
            }
            settled.baselined += met;
            if ground.is_whole && met < known.len() {
                let path = display_path(path_of(project).as_ref());
                let gone = known.len() - met;
                settled.notes.push(format!(
                    "entries of {path} that no longer occur: {gone}; `specward baseline --prune` drops them"
                ));
            }
        }
    }
}

fn key(entry: &Entry) -> (&str, &str, &str) {
    (&entry.fingerprint, &entry.rule, &entry.path)
}

/// Makes fingerprints.
struct Fingerprints<'a> {
    head: &'a dyn Snapshot,
    /// Lines and titles of the headings of files.
    headings: HashMap<String, Vec<(usize, String)>>,
    /// How often the same was seen.
    seen: HashMap<String, usize>,
}

impl Fingerprints<'_> {
    /// The entry of a finding. Neither its line nor its words are in the fingerprint: lines move, and words are put
    /// better. What it names, and the lines that prove it, are.
    fn entry(&mut self, finding: &Finding, root: &str) -> Option<Entry> {
        let path = finding.path.strip_prefix(root).map_or(finding.path.as_str(), |rest| rest.trim_start_matches('/'));
        let about = match &finding.requirement {
            Some(requirement) => one_space(requirement),
            None => self.heading(finding).unwrap_or_default(),
        };
        let mut parts = vec![finding.rule.to_owned(), path.to_owned(), item_name(finding), about.clone()];
        parts.extend(finding.source.iter().chain(&finding.evidence).map(|line| one_space(line)));
        parts.push(String::new());
        parts.extend(finding.message.split('`').skip(1).step_by(2).map(without_line));
        // No part has a line feed.
        let what = parts.join("\n");
        let seen = self.seen.entry(what.clone()).or_default();
        *seen += 1;
        let hash = Oid::of(HashKind::Sha1, ObjectKind::Blob, format!("{what}\n{seen}").as_bytes()).ok()?;
        let fingerprint = hash.to_string().chars().take(DIGITS).collect();
        Some(Entry { path: path.to_owned(), rule: finding.rule.to_owned(), about, fingerprint })
    }

    /// The nearest heading at or above a finding.
    fn heading(&mut self, finding: &Finding) -> Option<String> {
        let head = self.head;
        let headings = self.headings.entry(finding.path.clone()).or_insert_with(|| {
            let Ok(bytes) = head.read(BStr::new(&finding.path)) else { return Vec::new() };
            let text = Text::from_bytes(bytes);
            headings(&text).into_iter().map(|heading| (heading.line, one_space(heading.title))).collect()
        });
        let next = headings.partition_point(|(line, _)| *line < finding.line);
        headings.get(next.checked_sub(1)?).map(|(_, title)| crate::report::shown_line(title))
    }
}

/// The item without its project's folder, which may be moved.
fn item_name(finding: &Finding) -> String {
    format!("{}/{}", finding.item.kind.word(), finding.item.id)
}

/// A line with single blanks. What a finding shows has its tabs and carriage returns as escapes.
fn one_space(text: &str) -> String {
    let text = text.strip_suffix("\\r").unwrap_or(text).replace("\\t", " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name in a message, without the line of a place.
fn without_line(name: &str) -> String {
    let without = name.trim_end_matches(|c: char| c.is_ascii_digit());
    one_space(without.strip_suffix(':').unwrap_or(name))
}

impl Recorded {
    /// Where the file is on disk, `top` being the top of the tree.
    pub fn file(&self, top: &std::path::Path) -> PathBuf {
        use bstr::ByteSlice;
        top.join(self.path.to_path_lossy())
    }

    /// Entries of the old baseline that no longer occur.
    pub fn gone(&self) -> Vec<&Entry> {
        let found: HashSet<_> = self.found.iter().map(key).collect();
        self.old.iter().flatten().filter(|entry| !found.contains(&key(entry))).collect()
    }

    /// Findings that the old baseline has.
    pub fn kept(&self) -> Vec<&Entry> {
        let old: HashSet<_> = self.old.iter().flatten().map(key).collect();
        self.found.iter().filter(|entry| old.contains(&key(entry))).collect()
    }
}
