//! `suppress/expired`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports an entry of `allow` in `specward.yaml` whose `expires` is a day that has passed (in UTC). The findings it
    /// allowed are back. When only a part of the project is judged, an entry that would allow nothing there is not
    /// reported.
    ///
    /// ## Why it matters
    /// The date is a promise to mend something until then.
    ///
    /// ## How to fix
    /// Mend what it allowed and remove the entry, or give it a new date and a reason why.
    "suppress/expired", Warning, Own, "A finding is not allowed any longer", Check::Gate
}
