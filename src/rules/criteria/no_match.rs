//! `criteria/no-match`

use crate::criteria::{Criterion, Matching, Missing, NoMatch};
use crate::report::display_path;
use crate::rules::rule::rule;
use crate::rules::{Check, CriteriaView, Sink};

rule! {
    /// ## What it does
    /// Reports a criterion whose requirement or scenario is neither in the main spec of its capability nor in what an open
    /// change adds or modifies there. While a change renames a requirement, both names are right. The nearest name is
    /// given, and what keeps the two apart when that is a matter of spelling.
    ///
    /// ## Why it matters
    /// Its checks prove nothing that anybody asked for, and the scenario that was meant has none.
    ///
    /// ## Example
    /// ```yaml
    /// version: 1
    /// criteria:
    ///   - requirement: sign in     # the spec has `Sign in`
    ///     scenario: Right password
    /// ```
    ///
    /// ## How to fix
    /// Write the names as the spec has them, without `Requirement:` and `Scenario:`. When the scenario is gone from the
    /// spec, remove the entry.
    "criteria/no-match", Error, Own, "A criterion means no scenario", Check::Criteria(check)
}

fn check(view: &CriteriaView<'_>, sink: &mut Sink<'_>) {
    for (criterion, matching) in view.matched() {
        let Matching::NoMatch(none) = matching else { continue };
        let fix = match &none.nearest {
            Some(near) => format!("write `{}` if that is meant, or remove the entry", near.name),
            None => "write the names as the spec has them, or remove the entry".to_owned(),
        };
        let message = message(criterion, none);
        let finding = sink.report(criterion.line, "criteria", message, fix).about(&criterion.requirement);
        if !none.unread.is_empty() {
            finding.unverifiable();
        }
    }
}

fn message(criterion: &Criterion, none: &NoMatch) -> String {
    let Criterion { capability, requirement, scenario, .. } = criterion;
    let mut message = match none.missing {
        Missing::Capability => format!("there is no spec `{capability}`, and no open change has a delta for it"),
        Missing::Requirement => format!("`{capability}` has no requirement `{requirement}`"),
        Missing::Scenario => format!("the requirement `{requirement}` has no scenario `{scenario}`"),
    };
    if let Some(near) = &none.nearest {
        let at = near.at.as_ref().map(|(path, line)| format!(" ({}:{})", display_path(path.as_ref()), line + 1));
        let at = at.unwrap_or_default();
        message += &match (&near.requirement, near.difference) {
            (Some(other), _) => format!("; the requirement `{other}` has it{at}"),
            (None, Some(difference)) => format!("; `{}`{at} differs in {difference}", near.name),
            (None, None) => format!("; the nearest is `{}`{at}", near.name),
        };
    }
    for (path, error) in &none.unread {
        message += &format!("; {} could not be read: {error}", display_path(path.as_ref()));
    }
    message
}
