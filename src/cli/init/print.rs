//! What `init` says it did.

use crate::agents::plan::{Plan, Planned};
use crate::agents::{Agent, profile};
use crate::report::{count, visible};

fn line(planned: &Planned) -> String {
    let why = planned.kept.or(planned.note).map_or(String::new(), |why| format!(": {why}"));
    format!("  {} {}{why}\n", planned.verb(), visible(&planned.path))
}

fn lines(plan: &Plan) -> String {
    plan.files.iter().map(line).collect()
}

fn titles(agents: &[Agent]) -> String {
    agents.iter().map(|agent| agent.title()).collect::<Vec<_>>().join(", ")
}

/// For whom, in a sentence.
fn for_whom(agents: &[Agent]) -> String {
    if agents.is_empty() {
        return "no agent in particular: none shows in this repository (name some with --agents=LIST)".to_owned();
    }
    titles(agents)
}

/// After an installation.
pub(super) fn installed(plan: &Plan, agents: &[Agent]) -> String {
    let mut text = format!("Installed for {}\n{}", for_whom(agents), lines(plan));
    if plan.changes().next().is_none() && plan.is_whole() {
        text.push_str("  nothing to write: everything is up to date\n");
    }
    if !agents.is_empty() {
        text.push_str("\nWhat is left to a person:\n");
    }
    for agent in agents {
        text.push_str(&format!("  {}: {}\n", agent.title(), profile::of(*agent).person));
    }
    text.push_str(
        "\nCommit these files. Hooks are advice that an agent can get around; what counts is specward in CI.\n",
    );
    text
}

/// Before an installation, at a terminal.
pub(super) fn question(plan: &Plan, agents: &[Agent]) -> String {
    let changes: String = plan.changes().map(line).collect();
    format!("For {}:\n{changes}Write {}? [y/N] ", for_whom(agents), count(plan.changes().count(), "file"))
}

/// What is missing or not up to date.
pub(super) fn checked(plan: &Plan) -> String {
    let told = plan.files.iter().filter(|planned| planned.is_change() || planned.kept.is_some());
    let changes: String = told
        .map(|planned| {
            let what = match (&planned.before, planned.kept) {
                (_, Some(_)) => "edited",
                (None, None) => "missing",
                (Some(_), None) => "stale",
            };
            format!("  {what} {}\n", visible(&planned.path))
        })
        .collect();
    if changes.is_empty() {
        return format!("Everything is up to date in {}\n", count(plan.files.len(), "file"));
    }
    format!("Not up to date; run `specward init` and commit what it writes\n{changes}")
}

/// What would be written or taken out, below a heading.
pub(super) fn dry(plan: &Plan, heading: &str) -> String {
    let mut text = format!("{heading}\n{}", lines(plan));
    if plan.changes().next().is_none() {
        text.push_str("  nothing\n");
    }
    for planned in plan.changes() {
        text.push('\n');
        let diff = planned.diff();
        text.extend(diff.split('\n').filter(|line| !line.is_empty()).map(|line| format!("{}\n", visible(line))));
    }
    text
}

/// After everything was taken out.
pub(super) fn uninstalled(plan: &Plan) -> String {
    let what = if plan.files.is_empty() { "  nothing to take out\n".to_owned() } else { lines(plan) };
    format!("Uninstalled\n{what}")
}
