//! What lets findings through, and where that is written.

use bstr::BString;
use globset::GlobSet;
use jiff::civil::Date;

use crate::report::Finding;
use crate::rules::Rule;

/// Something that lets findings of one rule through.
pub(super) struct Permit {
    pub(super) rule: &'static Rule,
    pub(super) scope: Reach,
    pub(super) reason: String,
    pub(super) source: Source,
    /// It does not count any longer, since that day.
    pub(super) expired: Option<Date>,
    /// There was something for it.
    pub(super) used: bool,
    /// There was something for it that nobody can allow.
    pub(super) refused: bool,
}

/// The findings it is for.
pub(super) enum Reach {
    Lines { path: String, lines: std::ops::Range<usize> },
    Items { root: String, paths: Option<GlobSet>, item: Option<String> },
}

impl Reach {
    pub(super) fn has(&self, finding: &Finding) -> bool {
        match self {
            Self::Lines { path, lines } => lines.contains(&(finding.line - 1)) && finding.path == *path,
            Self::Items { root, paths, item } => {
                *finding.item.root == **root
                    && paths.as_ref().is_none_or(|paths| paths.is_match(&finding.path))
                    && item.as_ref().is_none_or(|name| finding.item.is_called(name))
            }
        }
    }
}

/// Where it stands.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) path: BString,
    /// 0-based.
    pub(super) line: usize,
    pub(super) shown: Option<String>,
    pub(super) owner: Owner,
}

/// Whom a report about it belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A judged item.
    Judged(usize),
    /// The configuration of a project.
    Config(usize),
    /// An item that is not judged in this run, so nothing is said about it.
    Nobody,
}
