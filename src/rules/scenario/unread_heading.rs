//! `scenario/unread-heading`

use crate::openspec::scenario::LookalikeKind;
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a line that is meant as a scenario's heading and is not read as one: three or five `#`, blanks before them,
    /// no blank after them, bold text or a bullet. "Scenario" is known in about thirty languages. Code fences and comments
    /// are passed over.
    ///
    /// ## Why it matters
    /// Archiving knows scenarios by `#### `. What is written otherwise can be dropped from a requirement without anybody
    /// being told, and `### Scenario:` cuts off what stands below it.
    ///
    /// ## How to fix
    /// Write `#### Scenario: <name>` at the start of the line.
    "scenario/unread-heading", Warning, Own, "A scenario's heading is not read as one", Check::Scenarios(check),
    Weight::completeness("S-UNREAD", 20)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for lookalike in &view.map.lookalikes {
        let why = match lookalike.kind {
            LookalikeKind::Level(level) => format!("it has {level} `#` and not four"),
            LookalikeKind::Indented => "there are blanks before it".to_owned(),
            LookalikeKind::NoBlank => "there is no blank after the `#`".to_owned(),
            LookalikeKind::Words => "it is no heading".to_owned(),
        };
        let message = format!("scenario `{}` is not read as one: {why}", lookalike.name);
        let fix = format!("write `#### Scenario: {}` at the start of the line", lookalike.name);
        let finding = sink.report(lookalike.line, view.anchor, message, fix);
        if let Some(owner) = &lookalike.owner {
            finding.about(owner);
        }
    }
}
