//! `repo/bad-metadata`

use crate::rules::Check;
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports an `.openspec.yaml`, a `config.yaml` or a schema that is there and says nothing: not YAML, no mapping, a
    /// list that expands without end; of a schema also what keeps it from being used.
    ///
    /// ## Why it matters
    /// The reference goes on as if the file were not there: another schema applies, other files count as tasks. What
    /// was judged then is not what the project says.
    ///
    /// ## How to fix
    /// Mend the line the finding names, or delete the file.
    "repo/bad-metadata", Error, Own, "Metadata, configuration or a schema cannot be used", Check::Gate
}
