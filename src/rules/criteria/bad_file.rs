//! `criteria/bad-file`

use crate::criteria::Fault;
use crate::rules::rule::rule;
use crate::rules::{Check, CriteriaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a file below `openspec/verify/` that cannot be used, with the line of its first problem: it is not YAML, has
    /// no `version: 1`, has a key nobody knows, lacks one that has to be there, holds a path that is not from the top of
    /// the repository or a regular expression that is none, or its capability has another file with the extension
    /// `.yml`. A file that cannot be read is reported as that.
    ///
    /// ## Why it matters
    /// None of its criteria can be run. A misspelt key that was passed over would be a check that does not run, and
    /// nobody would notice.
    ///
    /// ## Example
    /// ```yaml
    /// version: 1
    /// criteria:
    ///   - requirement: Sign in
    ///     scenario: Right password
    ///     verfy:
    ///       - command: [make, test]
    /// ```
    ///
    /// ## How to fix
    /// Mend the line. A name that is nearly one of the known keys is suggested.
    "criteria/bad-file", Error, Own, "A file of criteria cannot be used", Check::Criteria(check),
    Weight::testability("C-BAD-FILE", 0)
}

fn check(view: &CriteriaView<'_>, sink: &mut Sink<'_>) {
    match &view.file.outcome {
        Err(Fault::Bad(fault)) => {
            sink.report(fault.line, "criteria", fault.message.clone(), "mend this line; none of the file's checks runs until then");
        }
        Err(fault @ Fault::Twice(_)) => {
            sink.report(0, "criteria", fault.to_string(), "move the entries of one into the other, and remove it");
        }
        Err(fault @ Fault::Name) => {
            sink.report(0, "criteria", fault.to_string(), "rename it");
        }
        // Told as what could not be read.
        Err(Fault::Unreadable(_)) | Ok(_) => {}
    }
}
