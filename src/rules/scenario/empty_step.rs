//! `scenario/empty-step`

use crate::openspec::heading::section_break;
use crate::openspec::scenario::{StepKind, step_words};
use crate::openspec::text::Text;
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a step that is nothing but its keyword: no words behind it, and none below it before the next step or heading.
    ///
    /// ## Why it matters
    /// A scenario whose WHEN or THEN says nothing is met by anything, yet it looks like one that is complete.
    ///
    /// ## Example
    /// ```markdown
    /// - **WHEN** the user submits a wrong password
    /// - **THEN**
    /// ```
    ///
    /// ## How to fix
    /// Say what happens, or what can be seen then, or take the step out.
    "scenario/empty-step", Error, Own, "A step says nothing", Check::Scenarios(check),
    Weight::testability("S-EMPTY", 30)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for (group, scenario) in view.map.scenarios() {
        for (at, step) in scenario.steps.iter().enumerate() {
            let next = scenario.steps.get(at + 1).map_or(view.text.len(), |next| next.line);
            let written = view.text.line(step.line);
            if !is_blank(&written[step_words(written)..]) || says_more(view.text, step.line + 1, next) {
                continue;
            }
            let word = match step.kind {
                StepKind::Given => "GIVEN",
                StepKind::When => "WHEN",
                StepKind::Then => "THEN",
                StepKind::And => "AND",
                StepKind::If => "IF",
            };
            let message = format!("{word} of scenario `{}` says nothing", scenario.name);
            sink.report(step.line, view.anchor, message, "say what happens or can be seen, or take the step out")
                .about(&group.name);
        }
    }
}

/// Whether anything stands below a step.
fn says_more(text: &Text, from: usize, end: usize) -> bool {
    let is_heading = |line: &usize| !text.fenced(*line) && section_break(text.line(*line)).is_some_and(|level| level <= 4);
    (from..end).take_while(|line| !is_heading(line)).any(|line| !is_blank(text.line(line)))
}

/// Whether there is nothing but marks. Dots and question marks wait for words, which other rules tell.
fn is_blank(words: &str) -> bool {
    words.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '–' | '—' | '*' | '_' | '+' | ':' | '：' | ',' | ';' | '.' | '`'))
        && !words.contains("..")
}
