//! Any instructions and settings at all.

use proptest::prelude::*;

use super::{CLAUDE, contents, repository, tree};

/// Text of others, with line ends of any kind and things that look like marks.
fn markdown() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[a-zü#*> -]{0,12}",
        1 => Just("```\n<!-- specward:start -->\n```".to_owned()),
        1 => Just("~~~~ md\n<!-- specward:end -->\n~~~\n~~~~".to_owned()),
        1 => Just("Write `<!-- specward:start -->`".to_owned()),
        1 => Just("<!-- a\n```\nb -->".to_owned()),
        1 => Just("``` a ```".to_owned()),
        1 => Just("- ```sh\n  a".to_owned()),
        1 => Just("> ~~~".to_owned()),
        1 => Just("---\na: b\n---".to_owned()),
    ];
    let end = prop_oneof![4 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\n\n\n")];
    let lines = prop::collection::vec((line, end), 0..6);
    (lines, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(lines, has_bom, has_end, is_windows)| {
        let mut text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).collect();
        if is_windows {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        let text = if has_end { text } else { text.trim_end().to_owned() };
        format!("{}{text}", if has_bom { "\u{feff}" } else { "" })
    })
}

/// Settings of others in some layouts. Any layout at all is tried where they are edited, which needs no process.
fn settings() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{}".to_owned()),
        Just("{\n}\n".to_owned()),
        Just("{\"hooks\":{\"Stop\":[]}}".to_owned()),
        Just("{\n\t\"a\": [1, 2], // x\n\t\"hooks\": {\n\t\t/* none */\n\t},\n}\n".to_owned()),
        Just("{\r\n  \"hooks\": {\r\n    \"Stop\": [{\"hooks\": [{\"command\": \"x\"}]}]\r\n  }\r\n}".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_there_comes_back(
        claude in prop::option::of(markdown()),
        agents in prop::option::of(markdown()),
        rule in prop::option::of(markdown()),
        json in prop::option::of(settings()),
    ) {
        let sandbox = repository();
        let files = [("CLAUDE.md", &claude), ("AGENTS.md", &agents), (".clinerules/specward.md", &rule), (CLAUDE, &json)];
        for (path, content) in files {
            if let Some(content) = content {
                sandbox.write(path, content);
            }
        }
        let before = contents(&sandbox);
        let args = ["init", "--agents=claude,codex,cline"];
        sandbox.run(&args).exits(0);
        let after = tree(&sandbox);
        for (path, content) in files.iter().take(3) {
            let now = after[*path].as_ref().expect("a file").0.clone();
            let content = content.as_deref().unwrap_or_default();
            prop_assert!(now.starts_with(content.as_bytes()), "{}: {:?}", path, String::from_utf8_lossy(&now));
        }
        sandbox.run(&args).exits(0).says("nothing to write");
        prop_assert_eq!(&tree(&sandbox), &after);
        sandbox.run(&["init", "--uninstall"]).exits(0);
        prop_assert_eq!(contents(&sandbox), before);
    }
}
