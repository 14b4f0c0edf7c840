//! The parser by its parts, and by sentences built from parts.

use super::*;

mod built;
mod demands;
mod shapes;

/// A sentence's parts as text: lead, clauses, system, modal, responses, trailing clauses.
fn shown(sentence: &str) -> String {
    let Some(ears) = parse(sentence) else { return "none".to_owned() };
    let text = |span: &Span| sentence.get(span.clone()).unwrap_or("BAD SPAN").to_owned();
    let clause = |clause: &Clause| format!("{:?}<{}>", clause.keyword, text(&clause.body_span));
    let mut parts: Vec<String> = ears.lead.iter().map(|lead| format!("lead<{}>", text(lead))).collect();
    parts.extend(ears.clauses.iter().map(clause));
    parts.push(format!("[{}]", ears.system.as_ref().map(text).unwrap_or_default()));
    parts.push(if ears.modal.is_negative { "not".to_owned() } else { String::new() });
    parts.extend(ears.responses.iter().map(text));
    parts.extend(ears.trailing.iter().map(|trailing| format!("…{}", clause(trailing))));
    parts.retain(|part| !part.is_empty());
    parts.join(" | ")
}

/// The faults of a sentence, each with the text it points at.
fn faults(sentence: &str) -> Vec<(FaultKind, &str)> {
    let found = parse(sentence).map(|ears| ears.faults).unwrap_or_default();
    found.into_iter().map(|fault| (fault.kind, sentence.get(fault.span).unwrap_or("BAD SPAN"))).collect()
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (sentence, expected) in cases {
        assert_eq!(shown(sentence), *expected, "{sentence}");
    }
}
