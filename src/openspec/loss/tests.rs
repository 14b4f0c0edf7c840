use super::*;

fn loss(old: &str, new: &str) -> Loss {
    compare(&format!("### Requirement: A\n{old}"), &format!("### Requirement: A\n{new}"), &Elsewhere::default())
}

fn texts(pieces: &[Piece]) -> Vec<&str> {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

const SCENARIO: &str = "\n#### Scenario: one\n- **WHEN** the widget is queried\n- **THEN** its state is told\n";

#[test]
fn layout_is_no_loss() {
    let old = format!("The widget SHALL keep\nits state. It MUST NOT leak paint.\n\n- fine\n{SCENARIO}");
    let new = "The **widget** SHALL keep its state.\nIt MUST NOT\nleak paint\n\n* fine\n\n#### Scenario: one\n1. WHEN the widget is queried,\n2. THEN its state is told.\n";
    assert_eq!(loss(&old, new), Loss::default());
}

#[test]
fn a_dropped_sentence_and_table() {
    let old = format!(
        "The system SHALL report the widget state.\n\n| state | meaning |\n|---|---|\n| on | running |\n\nThe system MUST NOT report internal ids.\n{SCENARIO}"
    );
    let found = loss(&old, &format!("The system SHALL report the widget state fast.\n{SCENARIO}"));
    assert_eq!(texts(&found.sentences), ["The system MUST NOT report internal ids."]);
    assert_eq!(texts(&found.rows), ["| state | meaning |", "| on | running |"]);
    assert!(found.weakened.is_empty() && found.steps.is_empty() && found.notes.is_empty());
}

#[test]
fn one_of_two_similar_steps() {
    let old =
        format!("x SHALL y.\n{SCENARIO}- **AND** the audit log has an entry\n- **AND** the audit log has a checksum\n");
    let found = loss(&old, &format!("x SHALL y.\n{SCENARIO}- **AND** the audit log has an entry\n"));
    assert_eq!(texts(&found.steps[0].steps), ["**AND** the audit log has a checksum"]);
    assert_eq!(found.steps[0].scenario, "one");
}

#[test]
fn a_step_changed_on_purpose_is_not_lost() {
    let new = "x SHALL y.\n\n#### Scenario: one\n- **WHEN** the widget is queried\n- **THEN** an error page appears\n";
    assert!(loss(&format!("x SHALL y.\n{SCENARIO}"), new).steps.is_empty());
    let only_when =
        "x SHALL y.\n\n#### Scenario: one\n- **WHEN** the widget is queried\n- **WHEN** something else goes on\n";
    assert_eq!(loss(&format!("x SHALL y.\n{SCENARIO}"), only_when).steps.len(), 1);
}

#[test]
fn a_scenario_in_prose() {
    let old = "x SHALL y.\n\n#### Scenario: one\nWhen a user logs in, a token is issued. The login is recorded in the audit log.\n";
    let found = loss(old, "x SHALL y.\n\n#### Scenario: one\nWhen a user logs in, a token is issued.\n");
    assert_eq!(texts(&found.steps[0].steps), ["The login is recorded in the audit log."]);
}

#[test]
fn moved_to_another_scenario() {
    let old = format!("x SHALL y.\n{SCENARIO}- **AND** the audit log has an entry\n");
    let new = format!(
        "x SHALL y.\n{SCENARIO}\n#### Scenario: two\n- **WHEN** asked\n- **THEN** the audit log has an entry\n"
    );
    assert_eq!(loss(&old, &new), Loss::default());
}

#[test]
fn scenarios_are_counted_and_renames_seen() {
    let old = format!("x SHALL y.\n{SCENARIO}\n#### Scenario: two\n- **THEN** something else altogether\n");
    let found = loss(&old, &format!("x SHALL y.\n{}", SCENARIO.replace("one", "uno")));
    let lost: Vec<_> = found.scenarios.iter().map(|s| (s.name.as_str(), s.renamed.as_deref())).collect();
    assert_eq!(lost, [("one", Some("uno")), ("two", None)]);
    assert!(found.steps.is_empty());
}

#[test]
fn notes_behind_the_last_step() {
    let old = format!(
        "x SHALL y.\n{SCENARIO}\n**Note:** the operators rely on this.\n\n---\n\n# Operational notes\nKeep this.\n"
    );
    let found = loss(&old, &format!("x SHALL y.\n{SCENARIO}"));
    assert_eq!(texts(&found.notes), ["**Note:** the operators rely on this.", "# Operational notes", "Keep this."]);
}

#[test]
fn weaker_words() {
    let how = |old: &str, new: &str| {
        loss(&format!("{old}\n{SCENARIO}"), &format!("{new}\n{SCENARIO}")).weakened.pop().map(|weakened| weakened.how)
    };
    let word = |one: &str, two: &str| Some(Weakening::Word(one.into(), two.into()));
    let old = "The system SHALL report the widget state.";
    assert_eq!(how(old, "The system MAY report the widget state; it MUST NOT crash."), word("SHALL", "MAY"));
    assert_eq!(how(old, "The system should report the widget state."), word("SHALL", "should"));
    assert_eq!(how(old, "The system reports the widget state."), Some(Weakening::NoWord("SHALL".into())));
    assert_eq!(how(old, "The system MUST report the widget state."), None);
    assert_eq!(how("It MUST NOT leak grey paint.", "It SHALL leak grey paint."), Some(Weakening::Allowed));
    assert_eq!(how("It MUST NOT leak grey paint.", "It SHALL prevent grey paint from leaking."), None);
    let both = "It SHALL verify the signature and SHALL reject bad ones.";
    assert_eq!(how(both, "It SHALL verify the signature and MAY reject bad ones."), word("SHALL", "MAY"));
    assert_eq!(how("系统必须记录审计日志。", "系统可以记录审计日志。"), word("必须", "可以"));
}

#[test]
fn wider_limits() {
    let how = |old: &str, new: &str| loss(old, new).weakened.pop().map(|weakened| weakened.how);
    let old = "It SHALL answer a query within 1 second.";
    assert_eq!(how(old, "It SHALL answer a query."), Some(Weakening::Unbounded("within 1 second".into())));
    assert_eq!(
        how(old, "It SHALL answer a query within 2 seconds."),
        Some(Weakening::Loosened("within 1 second".into(), "within 2 seconds".into()))
    );
    assert_eq!(how(old, "It SHALL answer a query within 500 ms."), None);
    assert_eq!(how(old, "It SHALL answer a query in 1 s."), None);
}

#[test]
fn what_is_put_in_for_a_limit_is_seen() {
    let how = |old: &str, new: &str| {
        loss(&format!("{old}\n{SCENARIO}"), &format!("{new}\n{SCENARIO}")).weakened.pop().map(|weakened| weakened.how)
    };
    let gone = |text: &str| Some(Weakening::Unbounded(text.into()));
    let short = |text: &str| Some(Weakening::Shortened(text.into()));
    let hedge = |text: &str| Some(Weakening::Hedged(text.into()));
    let old = "The system SHALL issue an invoice within 1 second.";
    assert_eq!(how(old, "The system SHALL issue an invoice quickly."), gone("within 1 second"));
    assert_eq!(how("It MUST answer within 200 ms.", "It MUST answer fast."), gone("within 200 ms"));
    assert_eq!(how("系统必须在 2 秒内响应请求。", "系统必须快速响应请求。"), gone("2 秒内"));
    assert_eq!(how("It SHALL retry 3 times.", "It SHALL retry."), gone("3 times"));
    assert_eq!(how("It SHALL retry 3 times.", "It SHALL retry five times."), None);
    assert_eq!(how("It SHALL see that all 107 tests pass.", "It SHALL see that all tests pass."), None);
    let old = "The system SHALL encrypt all data at rest with AES-256.";
    assert_eq!(how(old, "The system SHALL encrypt data."), short("at rest with AES-256"));
    assert_eq!(how(old, "The system SHALL encrypt all data. At rest it SHALL use AES-256."), None);
    assert_eq!(how("The path MUST be `/etc/opm/catalog`.", "The path MUST be `/catalog`."), None);
    let old = "The system SHALL keep all invoices.";
    assert_eq!(how(old, "The system SHALL keep some invoices."), Some(Weakening::Word("all".into(), "some".into())));
    assert_eq!(how(old, "The system SHALL try to keep all invoices."), hedge("try to"));
    assert_eq!(how(old, "The system SHALL keep all invoices, if possible."), hedge("if possible"));
    assert_eq!(how(old, "The system SHALL keep all invoices and, if possible, send copies to the customer."), None);
    assert_eq!(
        how("It SHALL NOT leak grey paint.", "It leaks grey paint."),
        Some(Weakening::NoWord("SHALL NOT".into()))
    );
}

#[test]
fn a_note_in_a_list_is_no_step() {
    let found =
        loss(&format!("x SHALL y.\n{SCENARIO}- **NOTE** kept for operators\n"), &format!("x SHALL y.\n{SCENARIO}"));
    assert!(found.steps.is_empty());
    assert_eq!(texts(&found.notes), ["**NOTE** kept for operators"]);
}

#[test]
fn a_translation_is_not_compared() {
    let new = "系统 SHALL 报告状态。\n\n#### Scenario: one\n- **当** 查询\n";
    assert_eq!(loss(&format!("The system SHALL report the state of widgets.\n{SCENARIO}"), new), Loss::default());
}

#[test]
fn padding_hides_nothing() {
    let list = |word: &str| (0..1100).map(|at| format!("{word}{at} SHALL stay. ")).collect::<String>();
    let old = format!("{}It MUST NOT leak grey paint.\n{SCENARIO}", list("Piece"));
    let found = loss(&old, &format!("{}{}\n{SCENARIO}", list("Piece"), list("Filler")));
    assert_eq!(texts(&found.sentences), ["It MUST NOT leak grey paint."]);
}
