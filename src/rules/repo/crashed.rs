//! `repo/crashed`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports an item that made specward itself fail. The other items are judged all the same.
    ///
    /// ## Why it matters
    /// What crashed the gate was not checked, so it is UNVERIFIABLE rather than passed.
    ///
    /// ## How to fix
    /// Report it to the specward project with the file. Until then, write the file in a simpler way.
    "repo/crashed", Error, Own, "specward failed on a file", Check::Gate
}
