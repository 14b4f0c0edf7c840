//! `criteria/unchecked`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports a scenario without any check where `criteria.require` in `specward.yaml` asks for one: with `changed` each
    /// scenario that the difference between base and head adds or modifies, with `all` every one. With `listed`, the
    /// default, it reports nothing.
    ///
    /// ## Why it matters
    /// What nothing proves is only hoped for.
    ///
    /// ## Example
    /// ```yaml
    /// criteria:
    ///   require: all
    /// ```
    ///
    /// ## How to fix
    /// List the scenario in `openspec/verify/<capability>.yaml`, with at least one check.
    "criteria/unchecked", Error, Own, "A scenario that needs a check has none", Check::Gate
}
