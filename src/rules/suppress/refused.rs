//! `suppress/refused`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a comment or an entry of `allow` in `specward.yaml` that would allow what nobody can allow: an error by
    /// which `openspec validate` fails too, an edit of a frozen file, a file that could not be read or judged, and what
    /// is reported about allowed findings themselves. The finding stands.
    ///
    /// ## Why it matters
    /// What `openspec validate` refuses, `openspec archive` refuses, whatever a comment says. And a gate that can be
    /// told to look away from an edited spec is none.
    ///
    /// ## How to fix
    /// Mend what the rule reports and remove the comment or the entry.
    "suppress/refused", Error, Own, "A finding is allowed that nobody can allow", Check::Gate
}
