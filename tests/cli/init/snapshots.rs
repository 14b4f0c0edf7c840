//! Every file that is written, as it is written.

use super::{CLAUDE, contents, repository, text};
use crate::support::Sandbox;

/// Files that others wrote, for all agents.
const RICH: &[(&str, &str)] = &[
    ("AGENTS.md", "# Our house\n\nBe kind.\n"),
    ("CLAUDE.md", "# Claude\n\n@AGENTS.md\nand more"),
    (
        CLAUDE,
        "{\n  // who may do what\n  \"permissions\": {\n    \"allow\": [\"Bash(ls:*)\"],\n  },\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"make lint\" } // ours\n        ]\n      }\n    ],\n    \"PostToolUse\": []\n  },\n  \"model\": \"opus\"\n}\n",
    ),
    (
        ".codex/hooks.json",
        "{\"description\":\"ours\",\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}]}}",
    ),
    (".gemini/settings.json", "{\r\n\t\"theme\": \"dark\",\r\n\t\"hooks\": {},\r\n}\r\n"),
    (".github/copilot-instructions.md", ""),
    (".github/hooks/specward.json", "{\n  \"version\": 1\n}\n"),
    (
        ".cursor/hooks.json",
        "{\n    \"version\": 1,\n    \"hooks\": {\n        \"stop\": [{\"command\": \"./ours.sh\"}]\n    }\n}\n",
    ),
    (".cursor/rules/specward.mdc", "---\nalwaysApply: false\n---\nOurs.\n"),
    (".qwen/settings.json", "{}\n"),
    (".kiro/steering/specward.md", "---\ninclusion: manual\n---\n"),
    (
        ".kiro/hooks/specward.json",
        "{\"version\":\"v1\",\"hooks\":[\n  {\"name\":\"ours\",\"trigger\":\"Stop\",\"action\":{\"type\":\"agent\",\"prompt\":\"x\"}}\n]}\n",
    ),
    (".hermes.md", "Ours.\n"),
    (".clinerules/specward.md", "Ours.\n"),
    (".windsurf/hooks.json", "{ \"hooks\": { \"pre_write_code\": [ { \"command\": \"x\" } ] } }\n"),
    (".windsurf/rules/specward.md", "Ours.\n"),
    ("openspec/specward.yaml", "strict: true\n"),
];

/// All files but the spec, one after the other. What Hermes gets is told by the test of its plugin.
fn shown(sandbox: &Sandbox) -> String {
    let mut text = String::new();
    for (name, content) in contents(sandbox) {
        let Some(content) = content.filter(|_| !name.starts_with("openspec/specs") && !name.starts_with(".hermes/"))
        else {
            continue;
        };
        let content = String::from_utf8(content).expect("UTF-8").replace('\r', "<CR>");
        text.push_str(&format!("=== {name}\n{content}"));
        if !content.ends_with('\n') {
            text.push_str("<no line end>\n");
        }
    }
    text
}

#[test]
fn an_empty_repository() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=all"]).exits(0);
    insta::assert_snapshot!(shown(&sandbox));
}

#[test]
fn a_repository_with_settings_of_others() {
    let sandbox = repository();
    for (path, content) in RICH {
        sandbox.write(path, content);
    }
    let before = contents(&sandbox);
    sandbox.run(&["init", "--agents=all"]).exits(0);
    insta::assert_snapshot!(shown(&sandbox));
    sandbox.run(&["init", "--agents=all"]).exits(0).says("nothing to write");
    sandbox.run(&["init", "--uninstall"]).exits(0);
    assert_eq!(contents(&sandbox), before);
}

#[test]
fn the_plugin_of_hermes() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=hermes"]).exits(0);
    for name in ["plugin.yaml", "__init__.py"] {
        let source =
            std::fs::read_to_string(format!("{}/hooks/hermes/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a file");
        let written = text(&sandbox, &format!(".hermes/plugins/specward/{name}"));
        let mark = written.strip_prefix(&source).expect("the source first");
        let gap = if name.ends_with(".py") { "\n\n" } else { "" };
        assert!(mark.starts_with(&format!("{gap}# specward:file ")) && mark.trim().lines().count() == 1, "{mark}");
    }
}
