//! `criteria/ambiguous`

use crate::criteria::Matching;
use crate::report::display_path;
use crate::rules::rule::rule;
use crate::rules::{Check, CriteriaView, Sink};

rule! {
    /// ## What it does
    /// Reports a criterion whose requirement stands twice in one file, or whose scenario stands twice in the requirement.
    /// The same scenario in the main spec and in the delta of an open change is one.
    ///
    /// ## Why it matters
    /// Nobody can tell which of the two its checks prove.
    ///
    /// ## Example
    /// ```markdown
    /// #### Scenario: Time-out
    /// - **WHEN** the server does not answer
    ///
    /// #### Scenario: Time-out
    /// - **WHEN** the user does not answer
    /// ```
    ///
    /// ## How to fix
    /// Give the two different names in the spec, and list both.
    "criteria/ambiguous", Error, Own, "A criterion may mean one of several scenarios", Check::Criteria(check)
}

fn check(view: &CriteriaView<'_>, sink: &mut Sink<'_>) {
    for (criterion, matching) in view.matched() {
        let Matching::Ambiguous { path, lines, is_requirement } = matching else { continue };
        let (what, name) = match is_requirement {
            true => ("requirements are", &criterion.requirement),
            false => ("scenarios of the requirement are", &criterion.scenario),
        };
        let lines: Vec<String> = lines.iter().map(|line| (line + 1).to_string()).collect();
        let path = display_path(path.as_ref());
        let message = format!("{} {what} called `{name}` in {path}, lines {}", lines.len(), lines.join(", "));
        let fix = "give them different names in the spec";
        sink.report(criterion.line, "criteria", message, fix).about(&criterion.requirement);
    }
}
