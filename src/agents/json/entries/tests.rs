use proptest::prelude::*;

use super::*;
use crate::agents::Agent;
use crate::agents::profile;

fn templates() -> Vec<Template> {
    let settings = Agent::ALL.iter().filter_map(|agent| profile::of(*agent).settings);
    settings.map(|settings| Template::new(settings.template)).collect()
}

fn claude() -> Template {
    Template::new(include_str!("../../templates/claude.json"))
}

fn cursor() -> Template {
    Template::new(include_str!("../../templates/cursor.json"))
}

#[track_caller]
fn comes_back(template: &Template, text: &str) -> String {
    let with = template.install(text).unwrap_or_else(|problem| panic!("{problem:?}\n{text}"));
    assert_ne!(with, text);
    assert_eq!(template.install(&with).as_ref(), Ok(&with), "{text}");
    assert_eq!(template.presence(&with), Ok(Presence::Installed), "{with}");
    assert_eq!(template.presence(text), Ok(Presence::Missing), "{text}");
    assert_eq!(template.uninstall(&with), Ok(Some(text.to_owned())), "{with}");
    with
}

#[test]
fn a_document_of_ours() {
    for template in templates() {
        let made = template.text();
        assert_eq!(template.install(made).as_deref(), Ok(made));
        assert_eq!(template.uninstall(made), Ok(None));
        assert_eq!(template.uninstall(&made.replace('\n', "\r\n")), Ok(None));
        // Another version of it.
        let other = made.replace("300", "200");
        assert_eq!(template.install(&other).as_deref(), Ok(made));
        assert_eq!(template.uninstall(&other), Ok(None));
        if made != other {
            assert_eq!(template.presence(&other), Ok(Presence::Stale));
        }
    }
}

#[test]
fn any_layout_comes_back() {
    let documents = [
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "{\r\n}\r\n",
        "\u{feff}{}",
        "// a\n{\n  // b\n}\n// c\n",
        "{\n    // b\n    }",
        r#"{"hooks":{}}"#,
        r#"{"hooks":{ }}"#,
        "{\n  \"hooks\": {\n  }\n}\n",
        "{\n\t\"hooks\": {\n\t\t// none\n\t},\n}\n",
        r#"{"a":1}"#,
        r#"{"a":1,}"#,
        r#"{"a":1 /* x */ , /* y */ }"#,
        "{\"a\":1 // x\n}",
        "{\"a\":1 // x  \r\n}",
        "{\"a\":1, // x\n}",
        "{\n  \"a\": 1\n}\n",
        "{\n\"a\": 1\n}",
        "{\r\n    \"a\": 1,\r\n    \"b\": [] // c\r\n}",
        "{\n\n  \"a\": 1,\n\n  // end\n\n}\n",
        "{ /* a */ \"a\": 1,\n  \"b\": 2 }",
        "{\n  \"a\": 1, \"b\": 2\n}",
        "{\"hooks\": {\"Other\": [{\"hooks\": []}]}}",
        "{\n  \"a\": 1 // x\r\n}",
        "{\"a\":\"{ // \\\" [\"}",
        "{\n  \"a\": 1\n  /* x */ /* y\n z */ , // q\n}",
    ];
    for text in documents {
        comes_back(&claude(), text);
    }
    for text in [
        "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
        "{\"hooks\":{\"Stop\":[],\"PreToolUse\":[ ]}}",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      // none\n    ],\n    \"PreToolUse\": [\n      {\n        \"hooks\": []\n      }, // x\n    ]\n  },\n  \"z\": 1\n}\n",
        "{\"hooks\":{\"Stop\":[1,null,\"specward hook stop\"],\"x\":7}}",
    ] {
        comes_back(&claude(), text);
    }
    for text in [
        "{}",
        "{\n  \"version\": 1\n}\n",
        "{\n  \"version\": 1,\n}\n",
        "{\"version\":1,\"hooks\":{}}",
        "{\n  // a\n  \"version\": 1 // b\n}\n",
        "{\n    \"version\": 1\n}\n",
    ] {
        comes_back(&cursor(), text);
    }
}

#[test]
fn it_fits_in() {
    let text = "{\n\t// mine\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{ \"hooks\": [] } // last\n\t\t]\n\t}\n}\n";
    let with = comes_back(&claude(), text);
    assert!(with.contains("\n\t\t\t{ \"hooks\": [] }, // last\n\t\t\t{\n\t\t\t\t\"hooks\": [\n"), "{with}");
    assert!(with.contains("\n\t\t],\n\t\t\"SessionStart\": [\n\t\t\t{\n"), "{with}");
    assert!(comes_back(&claude(), "{}\n").starts_with("{\n    \"hooks\": {\n        \"SessionStart\": [\n"));
    assert!(!comes_back(&claude(), r#"{"a":1}"#).contains('\n'));
}

#[test]
fn what_is_not_settings_is_refused() {
    for (text, line, words) in [
        ("", None, "is empty"),
        ("\u{feff} \n", None, "is empty"),
        ("// a\n", None, "holds no settings"),
        ("[]", Some(1), "should be an object"),
        ("{\n\"a\": }", Some(2), "is not JSON"),
        ("{\"a\": 1} x", Some(1), "is not JSON"),
        ("{\n'a': 1}", Some(2), "is not JSON"),
        ("{\n\"a\": \"\\ud800\"}", Some(2), "one half of a character"),
        ("{\n\"a\": \"x\\udc00\"}", Some(2), "one half of a character"),
        ("{\n\"hooks\": []}", Some(2), "`hooks` should be an object"),
        ("{\n\"hooks\": null}", Some(2), "`hooks` should be an object"),
        ("{\"hooks\": {\n\"Stop\": {}}}", Some(2), "`hooks.Stop` should be a list"),
        ("{\"hooks\": {},\n\"hooks\": {}}", Some(2), "`hooks` is there twice"),
        ("{\"hooks\": {\"Stop\": [],\n\"Stop\": []}}", Some(2), "`Stop` is there twice"),
    ] {
        let problem = claude().install(text).expect_err(text);
        assert_eq!(problem.line, line, "{text}: {problem:?}");
        assert!(problem.message.contains(words), "{text}: {problem:?}");
        assert!(problem.fix.contains("nothing was written"), "{problem:?}");
    }
    assert!(claude().install(&"[".repeat(100_000)).is_err());
    assert!(cursor().install("{\"hooks\": {}}").is_err_and(|problem| problem.message.contains("`version` is missing")));
    assert!(cursor().install("{\"version\": 2}").is_err_and(|problem| problem.message.contains("`version` is not 1")));
}

#[test]
fn ours_is_found_again() {
    let template = claude();
    let text = "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"mine\" }, { \"command\": \"specward hook stop --agent old\" }] }\n    ],\n    \"Old\": [{ \"hooks\": [{ \"command\": \"specward hook stop\" }] }]\n  }\n}\n";
    let with = template.install(text).expect("settings");
    assert_eq!(with.matches("specward hook stop --agent claude").count(), 2, "{with}");
    assert!(
        with.contains("\"command\": \"mine\" }, {\"type\":\"command\",\"command\":\"command -v specward"),
        "{with}"
    );
    assert!(with.contains("\"Old\": [{ \"hooks\": [{ \"command\": \"specward hook stop\" }] }]"), "{with}");
    assert_eq!(template.install(&with).as_ref(), Ok(&with));
    let rest = template.uninstall(&with).expect("settings").expect("a file");
    let left = "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"mine\" }] }\n    ]\n  }\n}\n";
    assert_eq!(rest, left);
}

#[test]
fn what_calls_us_by_hand_stays_and_stands_for_ours() {
    let template = claude();
    let theirs = |command: &str| {
        format!("{{\"hooks\":{{\"Stop\":[{{\"hooks\":[{{\"type\":\"command\",\"command\":\"{command}\"}}]}}]}}}}")
    };
    for command in ["make lint && specward hook stop --agent claude", "specward hook stop --agent claude | tee log"] {
        let text = theirs(command);
        let with = comes_back(&template, &text);
        assert_eq!(with.matches("specward hook stop --agent claude").count(), 2, "theirs, and ours of SubagentStop");
        assert_eq!(template.is_by_hand(&text), Ok(true));
    }
    // Words about us, another agent, and another event are no call.
    for command in ["echo specward hook stop --agent claude", "make; specward hook stop --agent codex"] {
        let text = theirs(command);
        let with = comes_back(&template, &text);
        assert_eq!(with.matches("; specward hook stop --agent claude").count(), 2, "{with}");
        assert_eq!(template.is_by_hand(&text), Ok(false));
    }
    // Only for some tools: ours is for more.
    let some = theirs("make; specward hook pre-tool --agent claude")
        .replace("\"Stop\":[{", "\"PreToolUse\":[{\"matcher\":\"Bash\",");
    assert_eq!(comes_back(&template, &some).matches("specward hook pre-tool").count(), 2);
    // One command of two that is not ours makes the handler somebody else's.
    let copilot = Template::new(include_str!("../../templates/copilot.json"));
    comes_back(
        &copilot,
        "{\"version\":1,\"hooks\":{\"agentStop\":[{\"bash\":\"specward hook stop --agent copilot\",\"powershell\":\"mine\"}]}}",
    );
}

#[test]
fn a_double_goes_and_a_further_matcher_stays() {
    let template = claude();
    let made = template.text();
    let group = &made[made.find("      {\n        \"matcher\"").expect("a group")
        ..made.find("\n    ],\n    \"Stop\"").expect("an end")];
    let doubled = made.replacen(group, &format!("{group},\n{group}"), 1);
    assert_eq!(template.presence(&doubled), Ok(Presence::Doubled));
    assert_eq!(template.install(&doubled).as_deref(), Ok(made));
    let further =
        made.replacen(group, &format!("{group},\n{}", group.replace("Edit|MultiEdit", "mcp__files|MultiEdit")), 1);
    assert_eq!(template.install(&further), Ok(further.clone()));
    assert_eq!(template.presence(&further), Ok(Presence::Installed));
    assert_eq!(template.uninstall(&further), Ok(None));
}

#[test]
fn what_was_added_since_stays() {
    let template = claude();
    let made = template.text().replacen("{\n", "{\n  \"model\": \"x\",\n", 1);
    assert_eq!(template.uninstall(&made), Ok(Some("{\n  \"model\": \"x\"\n}\n".to_owned())));
    let noted = template.text().replacen("\"Stop\": [", "\"Stop\": [ // mine", 1);
    let rest = template.uninstall(&noted).expect("settings").expect("a file");
    assert_eq!(rest, "{\n  \"hooks\": {\n    \"Stop\": [ // mine\n    ]\n  }\n}\n");
}

/// Any blanks and comments between two tokens.
fn gap() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => Just(String::new()),
        2 => Just(" ".to_owned()),
        3 => Just("\n  ".to_owned()),
        1 => Just("\n\t\t".to_owned()),
        1 => Just("\r\n    ".to_owned()),
        1 => Just(" // n, {\n".to_owned()),
        1 => Just("//x \r\n ".to_owned()),
        1 => Just(" /* [ */ ".to_owned()),
        1 => Just("\n/* a\n b */\t".to_owned()),
        1 => Just("\u{a0}\u{c}".to_owned()),
        1 => Just("\r".to_owned()),
    ]
}

/// Elements between brackets with any gaps, and perhaps a final comma.
fn brackets(open: &'static str, close: &'static str, inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let item = (gap(), inner, gap()).prop_map(|(a, item, b)| format!("{a}{item}{b}"));
    (prop::collection::vec(item, 0..4), gap(), any::<bool>())
        .prop_map(move |(items, end, is_ended)| {
            let comma = if is_ended && !items.is_empty() { "," } else { "" };
            format!("{open}{}{comma}{end}{close}", items.join(","))
        })
        .boxed()
}

fn value() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("\"a // \\\" }\"".to_owned()),
        Just("null".to_owned()),
        Just("{}".to_owned())
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let property =
            ("\"[a-c]\"", gap(), gap(), inner.clone()).prop_map(|(key, a, b, it)| format!("{key}{a}:{b}{it}"));
        prop_oneof![brackets("[", "]", inner), brackets("{", "}", property.boxed())]
    })
    .boxed()
}

/// A group of handlers of others, or something odd.
fn group() -> BoxedStrategy<String> {
    let handlers = brackets("[", "]", Just(r#"{"type": "command", "command": "mine"}"#.to_owned()).boxed());
    let group = (gap(), handlers, gap()).prop_map(|(a, handlers, b)| format!("{{{a}\"hooks\":{handlers}{b}}}"));
    prop_oneof![3 => group, 1 => value()].boxed()
}

/// An object of events with lists of groups.
fn events() -> BoxedStrategy<String> {
    let event = prop::sample::subsequence(vec!["SessionStart", "Stop", "PreToolUse", "stop", "Other"], 0..4);
    let lists = event.prop_flat_map(|events| {
        let list = |event: &'static str| {
            let parts = (gap(), brackets("[", "]", group()), gap(), gap());
            parts.prop_map(move |(a, list, b, c)| format!("{b}\"{event}\"{a}:{list}{c}"))
        };
        (events.into_iter().map(list).collect::<Vec<_>>(), gap(), any::<bool>())
    });
    lists
        .prop_map(|(lists, end, is_ended)| {
            let comma = if is_ended && !lists.is_empty() { "," } else { "" };
            format!("{{{}{comma}{end}}}", lists.join(","))
        })
        .boxed()
}

/// Settings with some hooks, and with a property that has to be there.
fn document(hooks: BoxedStrategy<String>, needed: Option<&'static str>) -> impl Strategy<Value = String> {
    let other = ("\"[a-c]\"", gap(), gap(), value()).prop_map(|(key, a, b, it)| format!("{key}{a}:{b}{it}"));
    let property = (gap(), other, gap()).prop_map(|(a, it, b)| format!("{a}{it}{b}")).boxed();
    let list = || prop::collection::vec(property.clone(), 0..3);
    let needed = (gap(), gap()).prop_map(move |(a, b)| needed.map(|needed| format!("{a}{needed}{b}")));
    let properties = (list(), prop::option::of(hooks), list(), needed);
    let gaps = (gap(), gap(), gap());
    (properties, gaps, any::<bool>(), any::<bool>()).prop_map(
        |((mut all, hooks, more, needed), (a, b, c), ends, has_bom)| {
            all.extend(hooks.map(|hooks| format!("\"hooks\":{hooks}")));
            all.extend(more);
            all.extend(needed);
            let comma = if ends && !all.is_empty() { "," } else { "" };
            let bom = if has_bom { "\u{feff}" } else { "" };
            format!("{bom}{a}{{{}{comma}{b}}}{c}", all.join(","))
        },
    )
}

fn plain_of(text: &str) -> serde_json::Value {
    let root = parse(split(text).1).expect("settings");
    plain(&jsonc_parser::ast::Value::Object(root))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_settings_come_back(text in document(events(), None)) {
        let template = claude();
        let with = template.install(&text).expect("settings");
        prop_assert_eq!(template.install(&with), Ok(with.clone()));
        prop_assert_eq!(template.uninstall(&with), Ok(Some(text.clone())), "{}", with);
        // Others see what they saw, and ours.
        let (before, after) = (plain_of(&text), plain_of(&with));
        for (event, elements) in template.map[HOOKS].as_object().expect("events") {
            let had = before["hooks"][event].as_array().cloned().unwrap_or_default();
            let has = after["hooks"][event].as_array().cloned().unwrap_or_default();
            prop_assert_eq!(&has[..had.len()], &had[..]);
            prop_assert_eq!(&has[had.len()..], &elements.as_array().expect("a list")[..]);
        }
        for (key, value) in before.as_object().expect("an object").iter().filter(|(key, _)| *key != HOOKS) {
            prop_assert_eq!(&after[key], value);
        }
    }

    #[test]
    fn any_settings_with_a_version_come_back(text in document(events(), Some("\"version\": 1"))) {
        let with = cursor().install(&text).expect("settings");
        prop_assert_eq!(cursor().install(&with), Ok(with.clone()));
        prop_assert_eq!(cursor().uninstall(&with), Ok(Some(text)), "{}", with);
    }

    #[test]
    fn any_list_of_hooks_comes_back(text in document(brackets("[", "]", group()), Some("\"version\":\"v1\""))) {
        let kiro = Template::new(include_str!("../../templates/kiro.json"));
        let with = kiro.install(&text).expect("settings");
        prop_assert_eq!(kiro.install(&with), Ok(with.clone()));
        prop_assert_eq!(kiro.uninstall(&with), Ok(Some(text)), "{}", with);
    }

    #[test]
    fn ours_goes_from_whatever_somebody_made_of_it(text in document(events(), None), is_wide in any::<bool>(), at in 0..8_usize) {
        let with = claude().install(&text).expect("settings");
        let mut tree = plain_of(&with);
        // Somebody adds a group of theirs among ours, and another program lays the file out.
        if let Some(stops) = tree[HOOKS]["Stop"].as_array_mut() {
            stops.insert(at.min(stops.len()), serde_json::json!({ "hooks": [{ "command": "theirs" }] }));
        }
        let made = if is_wide { serde_json::to_string_pretty(&tree) } else { serde_json::to_string(&tree) }.expect("JSON");
        let rest = claude().uninstall(&made).expect("settings").expect("a file");
        let (before, after) = (plain_of(&text), plain_of(&rest));
        prop_assert!(!candidates::is_any(&after), "{}", rest);
        let theirs: Vec<Value> = after[HOOKS]["Stop"].as_array().expect("a list").clone();
        let had = before[HOOKS]["Stop"].as_array().cloned().unwrap_or_default();
        prop_assert_eq!(theirs.len(), had.len() + 1, "{}", rest);
        prop_assert!(had.iter().all(|group| theirs.contains(group)), "{}", rest);
        for (key, value) in before.as_object().expect("an object").iter().filter(|(key, _)| *key != HOOKS) {
            prop_assert_eq!(&after[key], value);
        }
        // It can be put in again, whatever it looks like now.
        let again = claude().install(&made).expect("settings");
        prop_assert_eq!(plain_of(&again), tree);
    }
}
