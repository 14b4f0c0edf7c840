//! `repo/not-utf8`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a spec or delta that is not UTF-8.
    ///
    /// ## Why it matters
    /// The reference replaces such bytes without a word, so headers and words can differ from what an editor shows.
    ///
    /// ## How to fix
    /// Save the file as UTF-8.
    "repo/not-utf8", Error, Own, "A file is not UTF-8", Check::Gate
}
