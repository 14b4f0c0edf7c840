//! `repo/unreadable`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a file or folder that is there and cannot be read: no permission, a folder where a file should be, a
    /// pipe, a blob that a partial clone does not have. So is a link to a folder in `specs/` or `changes/`: no reader
    /// of specs enters it, so what it shows would be judged by nobody.
    ///
    /// ## Why it matters
    /// What was not read was not checked. The item is UNVERIFIABLE rather than passed.
    ///
    /// ## How to fix
    /// Make it a readable file, or fetch the missing object.
    "repo/unreadable", Error, Reference, "A file cannot be read", Check::Gate
}
