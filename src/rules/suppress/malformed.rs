//! `suppress/malformed`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a comment or an entry of `allow` in `specward.yaml` that was meant to allow findings and cannot be
    /// followed: it names no rule or one that does not exist, it gives no reason, a comment does not stand directly
    /// before a heading, an entry has no date on which it expires.
    ///
    /// ## Why it matters
    /// A finding that is let through without a reason is one that nobody can judge later, and a misspelt rule would allow
    /// nothing in silence.
    ///
    /// ## Example
    /// ```markdown
    /// <!-- specward: allow spec/purpose-too-brief -->
    /// ## Purpose
    /// ```
    ///
    /// ## How to fix
    /// Write the comment on a line of its own directly before the heading whose section it is for, with the rules
    /// separated by commas and the reason behind two hyphens:
    ///
    /// ```markdown
    /// <!-- specward: allow spec/purpose-too-brief -- the name says it all -->
    /// ## Purpose
    /// ```
    ///
    /// Before the title of a file it is for the whole file. An entry has `rule`, `reason`, `expires` as `YYYY-MM-DD`, and
    /// `path` or `item` where it is not for the whole project.
    "suppress/malformed", Error, Own, "Allowed findings are not described as they must be", Check::Gate
}
