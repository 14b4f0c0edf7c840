//! `suppress/unused`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a comment or an entry of `allow` in `specward.yaml` that allows nothing: the rule finds nothing there any
    /// longer, is switched off, or never did. Only told where everything was judged that the rule could be about: not for
    /// rules about the difference between base and head, and for entries only when the whole tree is judged.
    ///
    /// ## Why it matters
    /// Nobody would notice when it comes to allow something else one day.
    ///
    /// ## How to fix
    /// Remove it. When it was for something that is still there, put the comment before the heading whose section that
    /// stands in, or mend `path` or `item` of the entry.
    "suppress/unused", Warning, Own, "Nothing is there that is allowed", Check::Gate
}
