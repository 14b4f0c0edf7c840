use super::*;
use crate::openspec::scenario::StepKind;

fn spec(content: &str) -> FileProse {
    let spec = Spec::parse(content.as_bytes().to_vec());
    let map = ScenarioMap::of_spec(&spec);
    FileProse::of_spec(&spec, &map)
}

#[test]
fn bodies_and_steps() {
    let prose = spec(
        "## Purpose\nx\n## Requirements\n### Requirement: A\n**Priority**: high\nThe system SHALL keep\nwhat it has. It is\nnot lost:\n- one\n  more\n- two\n\n| a | b |\n```\ncode\n```\n<!-- note -->\n\
         #### Scenario: S\n- **WHEN** the user\n  waits\n- **THEN** it ends. Now\n  - deep\n### Requirement: B\nThe end of it.\n",
    );
    let a = &prose.requirements[0];
    let texts: Vec<(&str, Kind)> = a.body.iter().map(|sentence| (sentence.text.as_str(), sentence.kind)).collect();
    assert_eq!(
        texts,
        [
            ("The system SHALL keep what it has.", Kind::Statement),
            ("It is not lost:", Kind::Statement),
            ("one more", Kind::Entry),
            ("two", Kind::Entry)
        ]
    );
    let steps: Vec<(&str, Kind)> =
        a.scenarios[0].steps.iter().map(|sentence| (sentence.text.as_str(), sentence.kind)).collect();
    assert_eq!(
        steps,
        [
            ("the user waits", Kind::Step(StepKind::When)),
            ("it ends.", Kind::Step(StepKind::Then)),
            ("Now", Kind::Step(StepKind::Then)),
            ("deep", Kind::Step(StepKind::And))
        ]
    );
    assert_eq!(a.body[1].start().line, 6);
    assert_eq!((a.language, prose.requirements.len()), (Language::English, 2));
}

#[test]
fn every_part_that_may_demand() {
    let prose = spec(
        "## Purpose\nx\n## Requirements\n### Requirement: A\n> a note\n\n> It SHALL\n> go\n\n| x | it MUST stay | y |\n|---|---|---|\n**Rule**: It SHALL end.\n##### More\nBelow.\n\
         #### Scenario: S\nBefore it.\n- **WHEN** a\n- **THEN** b\n\n  goes on\n  - deep\n- flat\n##### Then\nlow\n#### Notes\nIt SHALL note.\n",
    );
    let texts = |sentences: &[Sentence]| -> Vec<String> { sentences.iter().map(|one| one.text.clone()).collect() };
    let a = &prose.requirements[0];
    assert_eq!(texts(&a.body), ["It SHALL go", "it MUST stay", "**Rule**: It SHALL end.", "Below."]);
    assert_eq!(texts(&a.scenarios[0].notes), ["Before it."]);
    assert_eq!(texts(&a.scenarios[0].steps), ["a", "b", "goes on", "deep", "flat", "low"]);
    let outcomes: Vec<&str> = a.scenarios[0].outcomes().map(|one| one.text.as_str()).collect();
    assert_eq!(outcomes, ["b", "goes on", "deep", "flat", "low"]);
    assert_eq!(texts(&a.scenarios[1].notes), ["It SHALL note."]);
    assert_eq!(a.body[1].start().column, 6);
}

fn languages(bodies: &[&str]) -> Vec<(Language, Vec<Language>)> {
    let requirements: Vec<String> =
        bodies.iter().enumerate().map(|(at, body)| format!("### Requirement: {at}\n{body}\n")).collect();
    let prose = spec(&format!("## Purpose\nx\n## Requirements\n{}", requirements.concat()));
    let of = |one: &RequirementProse| (one.language, one.body.iter().map(Sentence::language).collect());
    prose.requirements.iter().map(of).collect()
}

#[test]
fn words_of_another_language_hide_no_english_sentence() {
    use Language::{Chinese, English, Unknown};
    for (body, expected) in [
        ("The system SHALL quickly answer der die das und ist.", vec![English]),
        ("The system SHALL quickly answer.\n<span hidden>der die das und ist</span>", vec![English, Unknown]),
        ("The system SHALL quickly answer, 系统必须快速响应。", vec![English]),
        ("The system SHALL quickly answer. 系统必须快速响应。", vec![English, Chinese]),
        ("The system SHALL quickly answer. Das ist und nicht der Fall.", vec![English, Unknown]),
        ("API SHALL return it quickly der die das und ist.", vec![English]),
    ] {
        let found = &languages(&[body])[0];
        assert_eq!(found.0, English, "{body}");
        assert_eq!(found.1[0], English, "{body}");
        assert_eq!(found.1.last(), expected.last(), "{body}");
    }
}

#[test]
fn short_requirements() {
    for body in [
        "System SHALL quickly answer.",
        "API SHALL return appropriate errors quickly, robustly, seamlessly.",
        "The system shall answer as fast as it can.",
        "Users log in.",
        "SHALL retry 3 times.",
        "There SHALL be a log.",
        "The café SHALL open.",
    ] {
        assert_eq!(languages(&[body])[0].0, Language::English, "{body}");
        let german = "Das System MUSS den Aufruf mit der Dauer und nicht ohne sie speichern.";
        assert_eq!(languages(&[german, body])[0].0, Language::Unknown, "{body}");
    }
    for (body, expected) in [
        ("El sistema SHALL responder rápidamente.", Language::Spanish),
        ("O sistema SHALL responder ao pedido de uma pessoa.", Language::Portuguese),
        ("Das System MUSS schnell antworten.", Language::Unknown),
        ("Das System SHALL schnell antworten.", Language::Unknown),
        ("Le système SHALL répondre rapidement.", Language::Unknown),
        ("Il sistema SHALL rispondere rapidamente.", Language::Unknown),
        ("Het systeem SHALL snel antwoorden.", Language::Unknown),
        ("System SHALL szybko odpowiadać.", Language::Unknown),
        ("Systemet SHALL svare hurtigt på det.", Language::Unknown),
        ("Система SHALL быстро отвечать.", Language::Unknown),
        ("系统 SHALL 快速响应。", Language::Chinese),
    ] {
        assert_eq!(languages(&[body])[0], (expected, vec![expected]), "{body}");
        let english = "The system SHALL keep what it has, and give it back to whoever asks for it.";
        assert_eq!(languages(&[english, body])[1].0, expected, "{body}");
    }
}

#[test]
fn long_lines_take_no_longer_than_long_lines_do() {
    let many = 20_000;
    for line in [
        "*_".repeat(many),
        format!("{} {}", "`".repeat(many), "\"".repeat(many + 1)),
        "It SHALL go. ".repeat(many),
        "系统 SHALL 快速。".repeat(many),
        format!("{}{}{}", "_a ".repeat(many), "](".repeat(many), "< ".repeat(many)),
    ] {
        let prose = spec(&format!("## Purpose\nx\n## Requirements\n### Requirement: A\nThe system SHALL {line}\n"));
        assert_eq!(prose.requirements.len(), 1);
    }
}
