//! `repo/outside-tree`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a `spec.md` that is a symbolic link out of `specs/` or out of the repository. Nothing behind it is read.
    ///
    /// ## Why it matters
    /// Such a spec is not under version control: what it demands can change without a diff.
    ///
    /// ## How to fix
    /// Put a copy of the file in place of the link.
    "repo/outside-tree", Error, Reference, "A spec is a link that leads out of the tree", Check::Gate
}
