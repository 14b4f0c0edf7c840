//! What a check saw, before it is redacted and shortened.

use crate::report::Verdict;

/// What a check saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// PASS, FAIL, or UNVERIFIABLE when it could not look.
    pub verdict: Verdict,
    /// What was seen, on one line. When it could not look, also what to do.
    pub message: String,
    /// What proves it. May hold secrets and be of any length.
    pub evidence: String,
    /// Bytes of evidence there were, when some were dropped already.
    pub dropped: u64,
}

impl Observed {
    /// It is as it has to be.
    pub fn pass(message: impl Into<String>, evidence: impl Into<String>) -> Self {
        Self::new(Verdict::Pass, message, evidence)
    }

    /// It is not.
    pub fn fail(message: impl Into<String>, evidence: impl Into<String>) -> Self {
        Self::new(Verdict::Fail, message, evidence)
    }

    /// Nobody could look.
    pub fn unverifiable(message: impl Into<String>, evidence: impl Into<String>) -> Self {
        Self::new(Verdict::Unverifiable, message, evidence)
    }

    fn new(verdict: Verdict, message: impl Into<String>, evidence: impl Into<String>) -> Self {
        Self { verdict, message: message.into(), evidence: evidence.into(), dropped: 0 }
    }
}
