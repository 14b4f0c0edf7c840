//! `quality/low-score`

use crate::rules::rule::rule;
use crate::rules::{Check, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement whose score is below what `--min-score` or `lint: min-score` asks for. A requirement begins
    /// with 100 points, and each finding of a quality rule in it takes some (docs/lint.md tells how). Of one rule at
    /// most two findings count.
    ///
    /// ## Why it matters
    /// What is asked is that each requirement is good enough, not their mean: clean text elsewhere cannot make up for one
    /// that nobody can build.
    ///
    /// ## How to fix
    /// Mend what the other findings in it point at; those that cost most come first in the evidence.
    "quality/low-score", Error, Own, "A requirement's score is below what is asked for", Check::Gate,
    Weight::clarity("SCORE", 0)
}
