//! `merge/linked-change`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a symbolic link where an open change is expected.
    ///
    /// ## Why it matters
    /// Archiving refuses a linked change, and neither the reference nor specward judges what it shows.
    ///
    /// ## How to fix
    /// Put the folder itself in place of the link.
    "merge/linked-change", Error, Own, "A change is a symbolic link", Check::Gate
}
