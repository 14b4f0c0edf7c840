//! `scenario/generic-name`

use crate::openspec::placeholder::is_placeholder_name;
use crate::openspec::scenario::{Scenario, after_label};
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario whose name says nothing: none at all, a number, `Scenario 1`, `Test`. A name that is short but
    /// means something, such as `Happy path`, is left alone; `TODO` and `<name>` are `delta/placeholder`'s and
    /// `spec/placeholder`'s.
    ///
    /// ## Why it matters
    /// The name is what a report shows and what a check is tied to. `Scenario 2` tells nobody what broke, and it changes
    /// its meaning when another one is put before it.
    ///
    /// ## How to fix
    /// Name it after what is different about it: `Wrong password`, `Fifth failure`.
    "scenario/generic-name", Warning, Own, "A scenario's name says nothing", Check::Scenarios(check),
    Weight::clarity("S-UNNAMED", 4)
}

/// Names that say nothing, with or without a number.
const GENERIC: &[&str] = &[
    "scenario", "test", "test case", "testcase", "test scenario", "case", "example", "untitled", "unnamed", "name",
    "scenario name", "name of scenario", "title", "new scenario", "my scenario", "some scenario", "todo", "tbd", "tbc", "fixme", "n/a", "xxx",
    "works", "it works", "foo", "bar", "foo bar", "foobar", "placeholder",
    "szenario", "testfall", "beispiel", "cenário", "cenario", "teste", "exemplo", "escenario", "prueba", "ejemplo",
    "scénario", "exemple", "сценарий", "тест", "пример", "场景", "場景", "测试", "測試", "示例", "用例", "シナリオ", "テスト",
    "시나리오", "테스트",
];

/// Whether a name says nothing.
fn is_generic(name: &str) -> bool {
    let is_filler = |c: char| !c.is_alphanumeric();
    let bare = name.trim_matches(is_filler);
    let is_placeholder = [('<', '>'), ('[', ']'), ('{', '}')].iter().any(|(open, close)| {
        name.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close)).is_some_and(|inner| !inner.contains(*open))
    });
    if is_placeholder || ["TODO", "TBD", "FIXME"].iter().any(|word| {
        // `TODO: name it`, but not `TODO list is empty`
        bare.strip_prefix(word).is_some_and(|rest| {
            let is_label = rest.trim_start().starts_with(['-', '–', '—', ':', '：', '(']);
            rest.is_empty() || is_label && !rest.starts_with('-')
        })
    }) {
        return true;
    }
    let word = bare.trim_end_matches(|c: char| c.is_numeric() || is_filler(c));
    // "Test A" is numbered as well.
    let word = match word.rsplit_once(' ') {
        Some((before, letter)) if letter.chars().count() == 1 && letter.starts_with(char::is_uppercase) => before,
        _ => word,
    };
    word.is_empty() || GENERIC.contains(&word.to_lowercase().as_str())
}

/// The name without a label in another language and without emphasis.
fn own_name(scenario: &Scenario) -> &str {
    let name = scenario.name.trim_matches(['*', '_', '~', '`', ' ']);
    let named = after_label(name).map(|rest| rest.trim_start_matches([' ', ':', '：'])).filter(|rest| !rest.is_empty());
    named.unwrap_or(name)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for (group, scenario) in view.map.scenarios() {
        let counts = scenario.is_labelled && scenario.has_body || scenario.has_sure_steps();
        // A placeholder is told as one.
        if !counts || !is_generic(own_name(scenario)) || is_placeholder_name(&scenario.name) {
            continue;
        }
        let message = match scenario.name.as_str() {
            "" => "this scenario has no name".to_owned(),
            name => format!("`{name}` does not say what this scenario is about"),
        };
        sink.report(scenario.line, view.anchor, message, "name it after what is different about it").about(&group.name);
    }
}

#[cfg(test)]
mod tests {
    use super::is_generic;

    #[test]
    fn names() {
        for name in ["", "1", "Scenario 1", "Scenario #2", "scenario", "Test", "Test 1.", "Case A", "TODO — name it", "<name>", "[Name]", "场景1", "Cenário 2", "…"] {
            assert!(is_generic(name), "{name}");
        }
        for name in ["Happy path", "Test passes", "404", "Scenario 1: login", "Todo list is empty", "TODO list is empty", "TODO items are sorted by date", "<id> is missing", "登录", "Testing", "I"] {
            assert!(name == "404" || !is_generic(name), "{name}");
        }
    }
}
