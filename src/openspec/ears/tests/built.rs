//! Any text, and sentences built from parts that have to come back.

use std::error::Error;

use proptest::prelude::*;

use super::*;

const OPENINGS: &[(&str, Keyword)] =
    &[("While", Keyword::While), ("where", Keyword::Where), ("**WHEN**", Keyword::When), ("_if_", Keyword::If)];
const BODIES: &[&str] = &[
    "a request fails",
    "the user (if any, or when new) is in",
    "`x, the y` is set",
    "a, b or c is \"on, then off\"",
    "[the lock, if held](a) is free",
    "the system's file is gone and the disk is full",
    "idle",
];
const SYSTEMS: &[&str] = &[
    "the system",
    "the **auth service**",
    "`specward`",
    "the [report](a, b)",
    "each worker (old, or new)",
    "OpenSpec",
];
const RESPONSES: &[&str] = &[
    "retry the request",
    "log the user, time and action",
    "return `a, and return the b`",
    "show \"when, and if\"",
    "keep it (and delete the rest, if any)",
    "reject requests",
    "not open the file",
];
const LABELS: &[&str] = &["", "FR-001: ", "- ", "**R 1**: ", "[Event] "];

/// Clauses in the order of EARS, at most one of each kind.
fn clauses() -> impl Strategy<Value = Vec<(usize, usize)>> {
    let body = 0..BODIES.len();
    (prop::sample::subsequence(vec![0, 1, 2, 3], 0..=4), prop::collection::vec(body, 4))
        .prop_map(|(kinds, bodies)| kinds.into_iter().zip(bodies).collect())
}

fn expected_shape(clauses: &[(usize, usize)]) -> Shape {
    match clauses {
        [] => Shape::Ubiquitous,
        [(0, _)] => Shape::State,
        [(1, _)] => Shape::Optional,
        [(2, _)] => Shape::Event,
        [(_, _)] => Shape::Unwanted,
        _ => Shape::Complex,
    }
}

/// Spans are in the sentence, on the bounds of letters, in order and apart.
fn assert_spans(sentence: &str, ears: &Ears) -> Result<(), TestCaseError> {
    let mut ordered: Vec<&Span> = Vec::new();
    for clause in &ears.clauses {
        ordered.extend([&clause.keyword_span, &clause.body_span]);
    }
    ordered.extend(&ears.system);
    ordered.push(&ears.modal.span);
    ordered.extend(&ears.responses);
    for pair in ordered.windows(2) {
        prop_assert!(pair[0].end <= pair[1].start, "{:?} before {:?} in {}", pair[0], pair[1], sentence);
    }
    for clause in &ears.trailing {
        ordered.extend([&clause.keyword_span, &clause.body_span]);
    }
    ordered.extend(&ears.lead);
    ordered.extend(ears.faults.iter().map(|fault| &fault.span));
    for span in ordered {
        prop_assert!(sentence.get(span.clone()).is_some(), "{span:?} in {sentence}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text(sentence in any::<String>()) {
        if let Some(ears) = parse(&sentence) {
            assert_spans(&sentence, &ears)?;
        }
    }

    /// Text made of what the parser looks at.
    #[test]
    fn any_pieces(pieces in prop::collection::vec(prop::sample::select(vec![
        "when", "WHILE", "if", "Where", "then", "THEN", "the", "THE", "system", "SHALL", "must", "not", "and", "or", ",", ";",
        ":", ".", " ", " ", " ", "\n", "(", ")", "[", "](", "`", "``", "\"", "“", "”", "'", "*", "**", "_", "<a>", "-", " — ",
        "return", "log", "to", "that", "it", "there", "FR-1", "1.", "é", "的", "\\", "unless", "of", "in", "only", "a", "each",
    ]), 0..40)) {
        let sentence = pieces.concat();
        if let Some(ears) = parse(&sentence) {
            assert_spans(&sentence, &ears)?;
        }
        if let Some(ears) = parse(&pieces.join(" ")) {
            assert_spans(&pieces.join(" "), &ears)?;
        }
    }

    #[test]
    fn parts_come_back(
        label in prop::sample::select(LABELS),
        clauses in clauses(),
        system in prop::sample::select(SYSTEMS),
        modal in prop::sample::select(vec!["SHALL", "must", "**MUST**"]),
        responses in prop::collection::vec(prop::sample::select(RESPONSES), 1..4),
    ) {
        let mut sentence = label.to_owned();
        for (kind, body) in &clauses {
            sentence += &format!("{} {}, ", OPENINGS[*kind].0, BODIES[*body]);
        }
        if clauses.iter().any(|(kind, _)| *kind == 3) {
            sentence += "then ";
        }
        // "not" behind the modal is no part of the response.
        let responses: Vec<&str> = responses.iter().map(|response| response.trim_start_matches("not ")).collect();
        sentence += &format!("{system} {modal} {}.", responses.join(", and "));
        let ears = parse(&sentence).ok_or_else(|| TestCaseError::fail(sentence.clone()))?;
        assert_spans(&sentence, &ears)?;
        let text = |span: &Span| &sentence[span.clone()];
        prop_assert_eq!(ears.shape, Some(expected_shape(&clauses)), "{}", &sentence);
        let found: Vec<_> = ears.clauses.iter().map(|clause| (clause.keyword, text(&clause.body_span))).collect();
        let expected: Vec<_> = clauses.iter().map(|(kind, body)| (OPENINGS[*kind].1, BODIES[*body])).collect();
        prop_assert_eq!(found, expected, "{}", &sentence);
        prop_assert_eq!(ears.system.as_ref().map(text), Some(system), "{}", &sentence);
        prop_assert_eq!(ears.responses.iter().map(text).collect::<Vec<_>>(), responses, "{}", &sentence);
        prop_assert_eq!(ears.faults, [], "{}", &sentence);
    }
}

/// Would not end if a step looked at the whole sentence.
#[test]
fn long_sentences() -> Result<(), Box<dyn Error>> {
    const WORDS: usize = 200_000;
    let long = format!(
        "When {}, the system SHALL {}.",
        "a, and b ".repeat(WORDS / 4),
        "log the c and store d, ".repeat(WORDS / 8)
    );
    let ears = parse(&long).ok_or("no sentence")?;
    assert_eq!((ears.shape, ears.responses.len()), (Some(Shape::Event), WORDS / 4));
    for piece in [
        "when ",
        "if a, ",
        "then ",
        "and ",
        ", and ",
        "and must ",
        "must ",
        "that must ",
        "the of ",
        "( ",
        ") ",
        "[",
        "](",
        "`",
        "` ``",
        "\"",
        "'a ",
        "“",
        "<a",
        ".",
        ". ",
        "*",
        "_a",
        "a: ",
        "FR-1 ",
        "\\",
        "- ",
        "unless ",
        "WHEN THE ",
        "log the a and ",
        ", the a",
    ] {
        let many = piece.repeat(WORDS / 8);
        for sentence in
            [format!("When {many} the system SHALL go"), format!("The system SHALL {many}"), format!("{many} SHALL go")]
        {
            let _ = parse(&sentence);
        }
    }
    Ok(())
}
