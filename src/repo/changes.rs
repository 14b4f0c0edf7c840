//! What differs between two snapshots below given paths.

use bstr::BString;

/// A file that differs between base and head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Path from the top of the tree.
    pub path: BString,
    /// How it differs.
    pub kind: ChangeKind,
    /// 0-based line of the first difference, as head has it.
    pub first_line: usize,
    /// That line.
    pub evidence: Option<String>,
}

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Only head has it.
    Added,
    /// Only base has it.
    Deleted,
    /// Both have it, with other contents.
    Modified,
    /// It became something else: a link, a folder, a submodule.
    TypeChanged,
    /// Only the executable bit differs.
    ModeChanged,
    /// Only the index has the difference.
    Staged,
}

impl ChangeKind {
    /// "this file was …"
    pub fn past_participle(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Deleted => "deleted",
            Self::Modified => "edited",
            Self::TypeChanged => "replaced by something that is no regular file, or the reverse",
            Self::ModeChanged => "made executable, or the reverse",
            Self::Staged => "edited in the index only",
        }
    }
}
