//! `criteria/touched`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Tells that something a check names differs between base and head: the script it runs, the file it looks at, the
    /// test it asks for.
    ///
    /// ## Why it matters
    /// A check is only as good as what it runs. Whoever weakens a test need not touch the criterion. That is no fault by
    /// itself: most changes of tests are meant. A reader should look at it.
    ///
    /// ## Example
    /// A criterion runs `tests/acceptance/login.sh`, and the difference changes that file.
    ///
    /// ## How to fix
    /// Read the difference of the file. To have such changes refused, list the files under `protect` in `specward.yaml`
    /// and verify with `--frozen-spec`.
    "criteria/touched", Info, Own, "Something that a check relies on differs from base", Check::Gate
}
