//! Which agents are meant.

use super::{CLAUDE, START, repository, text};

#[test]
fn those_whose_files_are_here() {
    for (sign, file, others) in [
        ("CLAUDE.md", CLAUDE, ".codex"),
        (".claude/x", CLAUDE, ".codex"),
        (".codex/config.toml", ".codex/hooks.json", "CLAUDE.md"),
        ("GEMINI.md", ".gemini/settings.json", "CLAUDE.md"),
        (".github/copilot-instructions.md", ".github/hooks/specward.json", "CLAUDE.md"),
        (".cursorrules", ".cursor/hooks.json", "CLAUDE.md"),
        ("QWEN.md", ".qwen/settings.json", "CLAUDE.md"),
        ("opencode.json", ".opencode/plugins/specward.ts", "CLAUDE.md"),
        (".kiro/steering/a.md", ".kiro/hooks/specward.json", "CLAUDE.md"),
        (".hermes.md", ".hermes/plugins/specward/plugin.yaml", "CLAUDE.md"),
        (".clinerules/a.md", ".cline/hooks/PreToolUse", "CLAUDE.md"),
        (".windsurfrules", ".windsurf/hooks.json", "CLAUDE.md"),
    ] {
        let sandbox = repository();
        sandbox.write(sign, "");
        sandbox.run(&["init", "--agents"]).exits(0).says(&format!("create {file}"));
        assert!(sandbox.path(file).exists() && sandbox.path("AGENTS.md").exists(), "{sign}");
        assert!(!sandbox.path(others).exists(), "{sign}");
    }
}

#[test]
fn none_here_leaves_the_file_that_most_read() {
    let sandbox = repository();
    sandbox.write(".github/workflows/ci.yml", "");
    sandbox.run(&["init"]).exits(0).says("no agent in particular").says("create AGENTS.md");
    assert!(!sandbox.path(".github/hooks").exists() && !sandbox.path("CLAUDE.md").exists());
}

#[test]
fn named_ones_and_no_other() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=gemini,claude"]).exits(0).says("Installed for Claude Code, Gemini CLI");
    assert!(!sandbox.path("AGENTS.md").exists() && !sandbox.path(".codex").exists());
    let outcome = sandbox.run(&["init", "--agents=claud"]);
    outcome.exits(2).complains("no agent is called `claud`").complains("claude, codex,");
}

#[test]
fn what_a_person_has_to_do_is_told() {
    let sandbox = repository();
    let outcome = sandbox.run(&["init", "--agents=all"]);
    outcome.exits(0).says("Codex CLI: ").says("open `/hooks` and trust").says("`hermes plugins enable specward`");
    outcome.says("HERMES_ENABLE_PROJECT_PLUGINS").says("Kiro: nothing to do; it cannot be kept from stopping");
}

#[test]
fn an_agent_that_reads_one_file_only_gets_the_block_there() {
    let sandbox = repository();
    sandbox.write(".hermes.md", "mine\n");
    sandbox.run(&["init", "--agents=hermes"]).exits(0).says("update .hermes.md");
    assert!(text(&sandbox, ".hermes.md").contains(START) && !sandbox.path("AGENTS.md").exists());
    sandbox.write(".clinerules", "mine\n");
    sandbox.run(&["init", "--agents=cline"]).exits(0).says("update .clinerules");
    sandbox.run(&["init", "--uninstall"]).exits(0).says("update .clinerules").says("update .hermes.md");
    assert_eq!((text(&sandbox, ".hermes.md"), text(&sandbox, ".clinerules")), ("mine\n".into(), "mine\n".into()));
}
