//! `merge/aborts`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a change that archiving would refuse for a reason no other rule has told.
    ///
    /// ## Why it matters
    /// A change that cannot be archived never passes, whatever the reason.
    ///
    /// ## How to fix
    /// `openspec archive <change>` in a scratch copy says what it is about. Report it to the specward project: the reason
    /// should have a rule of its own.
    "merge/aborts", Error, Own, "Archiving would refuse a change", Check::Gate
}
