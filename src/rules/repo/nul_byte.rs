//! `repo/nul-byte`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a spec or delta with a NUL byte in it.
    ///
    /// ## Why it matters
    /// Git and most review tools show such a file as binary, so its changes are seen by nobody.
    ///
    /// ## How to fix
    /// Delete the NUL bytes. A file in UTF-16 has to be saved as UTF-8.
    "repo/nul-byte", Error, Own, "A file has a NUL byte", Check::Gate
}
