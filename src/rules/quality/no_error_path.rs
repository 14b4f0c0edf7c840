//! `quality/no-error-path`

use crate::openspec::lexicon::List;
use crate::openspec::prose::ScenarioProse;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement with two scenarios or more, none of which is about a failure: no error, no invalid input, nothing
    /// missing, no timeout.
    ///
    /// ## Why it matters
    /// What happens when something goes wrong is where implementations differ most. (agent-spec error paths.)
    ///
    /// ## Example
    /// ```markdown
    /// #### Scenario: A file is uploaded
    /// #### Scenario: Two files are uploaded
    /// ```
    ///
    /// ## How to fix
    /// Add a scenario for what can go wrong.
    "quality/no-error-path", Info, Own, "No scenario is about a failure", Check::Quality(check),
    Weight::completeness("S-NO-ERROR", 4).pedantic()
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let requirement = view.requirement;
    let Some(lexicon) = requirement.language.lexicon().filter(|lexicon| lexicon.has(List::Failure)) else { return };
    let fails = |scenario: &ScenarioProse| {
        let is_named = || lexicon.hits(&scenario.form.name.to_lowercase()).iter().any(|hit| hit.is(List::Failure));
        scenario.steps.iter().any(|sentence| sentence.of(List::Failure).next().is_some()) || is_named()
    };
    if requirement.scenarios.len() >= 2 && !requirement.scenarios.iter().any(fails) {
        let message = format!("no scenario of `{}` is about a failure", requirement.name);
        view.report_header(sink, message, "add a scenario for what can go wrong");
    }
}
