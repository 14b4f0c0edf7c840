//! Verdicts and how they add up.

use serde::{Deserialize, Serialize};

/// The outcome of an item or a run. Ordered: the worst is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Not run. Never counts.
    Skipped,
    /// Everything that was demanded holds.
    Pass,
    /// Something could not be checked.
    Unverifiable,
    /// Something does not hold.
    Fail,
}

impl Verdict {
    /// The word of a report's first line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Skipped => "SKIPPED",
            Self::Pass => "PASS",
            Self::Unverifiable => "UNVERIFIABLE",
            Self::Fail => "FAIL",
        }
    }

    /// 0 for PASS, 1 for FAIL, 3 for UNVERIFIABLE. (2 means the run did not happen.)
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Skipped | Self::Pass => 0,
            Self::Fail => 1,
            Self::Unverifiable => 3,
        }
    }

    /// The worse of two.
    pub fn worst(self, other: Self) -> Self {
        self.max(other)
    }
}

/// How many of what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Counts {
    /// PASS.
    pub passed: usize,
    /// FAIL.
    pub failed: usize,
    /// UNVERIFIABLE.
    pub unverifiable: usize,
    /// SKIPPED.
    pub skipped: usize,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Pass => self.passed += 1,
            Verdict::Fail => self.failed += 1,
            Verdict::Unverifiable => self.unverifiable += 1,
            Verdict::Skipped => self.skipped += 1,
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { passed, failed, unverifiable, skipped } = self;
        write!(f, "{passed} passed, {failed} failed, {unverifiable} unverifiable, {skipped} skipped")
    }
}
