//! Whether what is installed for agents would really run.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::support::{Outcome, SPECWARD, Sandbox};

const TRUSTED: &str = "this folder is trusted";

/// A repository in which everything is as `init` leaves it, for some agents, and committed.
fn installed(agents: &str) -> Sandbox {
    let mut sandbox = Sandbox::repository();
    find_specward_in(&mut sandbox, Path::new(SPECWARD).parent().expect("a folder"));
    sandbox.run(&["init", &format!("--agents={agents}")]).exits(0);
    sandbox.commit("agents");
    sandbox
}

/// Lets hooks find the specward of a folder, before those of the machine.
fn find_specward_in(sandbox: &mut Sandbox, folder: &Path) {
    let path = sandbox
        .command("git")
        .get_envs()
        .find(|(name, _)| *name == "PATH")
        .and_then(|(_, path)| path)
        .map(OsString::from);
    let others: Vec<_> = path.iter().flat_map(std::env::split_paths).collect();
    let all = std::env::join_paths([folder.to_owned()].into_iter().chain(others)).expect("a PATH");
    sandbox.set("PATH", all);
}

/// Writes a file of the user. `TOP` is the top of the repository.
fn write_home(sandbox: &Sandbox, path: &str, text: &str) {
    let path = sandbox.top.join("home").join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    let top = sandbox.root.display().to_string().replace('\\', "\\\\");
    fs::write(path, text.replace("TOP", &top)).expect("a file");
}

fn doctor(sandbox: &Sandbox) -> Outcome {
    sandbox.run(&["doctor"])
}

/// Demands exit code 1, a line that begins so, and something to do at its end.
#[track_caller]
fn is_told(sandbox: &Sandbox, start: &str) {
    let outcome = doctor(sandbox);
    let line = outcome.exits(1).stdout.lines().find(|line| line.starts_with(start));
    let line = line.unwrap_or_else(|| panic!("`{start}` is missing in\n{}", outcome.shown()));
    assert!(line.contains("; to do: "), "{line}");
}

#[test]
fn what_init_leaves_is_well() {
    for agents in ["all", "claude"] {
        let sandbox = installed(agents);
        let before = sandbox.git(&["status", "--porcelain", "--ignored"]);
        doctor(&sandbox).exits(0).says("ok      PATH: hooks run ").says("which is this version").says("\nNo problem");
        assert_eq!(sandbox.git(&["status", "--porcelain", "--ignored"]), before);
        assert_eq!(fs::read_dir(sandbox.top.join("home")).expect("a folder").count(), 0, "nothing is written");
    }
}

#[test]
fn files_that_are_not_as_they_were_written() {
    let edit = |path: &str, from: &str, to: &str, line: &str| {
        let sandbox = installed("claude,codex");
        let text = fs::read_to_string(sandbox.path(path)).expect("a file");
        assert!(text.contains(from), "{path}: {from}");
        sandbox.write(path, text.replacen(from, to, 1));
        is_told(&sandbox, line);
    };
    edit("CLAUDE.md", "Do not edit", "Do edit", "problem claude: CLAUDE.md: the block of instructions was edited");
    edit("CLAUDE.md", "block v1", "block v0", "problem claude: CLAUDE.md: the block of instructions is not up to date");
    edit("CLAUDE.md", "<!-- specward:end -->", "", "problem claude: CLAUDE.md: line 1: ");
    edit(
        ".claude/settings.json",
        "Edit|",
        "",
        "problem claude: .claude/settings.json: the hooks of specward are not up",
    );
    edit(".claude/commands/specward.md", "\n", "\n\n", "problem claude: .claude/commands/specward.md: the file of");
    edit(".codex/hooks.json", "{", "{\"$schema\":\"x\",", "problem codex: .codex/hooks.json: has the key `$schema`");
    let sandbox = installed("claude,codex");
    fs::remove_file(sandbox.path(".codex/hooks.json")).expect("a file");
    is_told(&sandbox, "problem codex: .codex: Codex CLI is used here, and specward is not installed for it");
    sandbox.write(".codex/hooks.json", "{}");
    is_told(&sandbox, "problem codex: .codex: Codex CLI is used here");
    let nothing = Sandbox::repository();
    is_told(&nothing, "problem AGENTS.md: nothing of specward is here");
}

#[test]
fn folders_and_hooks_that_are_not_trusted() {
    let sandbox = installed("all");
    for (path, text, line) in [
        (".claude.json", "{\"projects\":{}}", "problem claude: ~/.claude.json: this folder is not trusted"),
        (".codex/config.toml", "", "problem codex: ~/.codex/config.toml: this folder is not trusted"),
        (
            ".codex/config.toml",
            "[projects.'TOP']\ntrust_level = 'trusted'\n",
            "problem codex: ~/.codex/config.toml: hooks of specward are not trusted, and not run: SessionStart, ",
        ),
        (
            ".gemini/trustedFolders.json",
            "{\"TOP\": \"DO_NOT_TRUST\"}",
            "problem gemini: ~/.gemini/trustedFolders.json: ",
        ),
        (".copilot/config.json", "{}", "problem copilot: ~/.copilot/config.json: this folder is not trusted"),
        (".hermes/config.yaml", "{}", "problem hermes: HERMES_ENABLE_PROJECT_PLUGINS: is not set here"),
        (".hermes/config.yaml", "{}", "problem hermes: ~/.hermes/config.yaml: the plugin is not on the list"),
        (
            ".qwen/settings.json",
            "{\"security\":{\"folderTrust\":{\"enabled\":true}}}",
            "problem qwen: ~/.qwen/trustedFolders.json: this folder is not trusted",
        ),
    ] {
        write_home(&sandbox, path, text);
        is_told(&sandbox, line);
    }
}

#[test]
fn folders_that_are_trusted() {
    let mut sandbox = installed("claude,gemini,copilot,hermes");
    write_home(&sandbox, ".claude.json", "{\"projects\":{\"TOP\":{\"hasTrustDialogAccepted\":true}}}");
    write_home(&sandbox, ".gemini/trustedFolders.json", "{\"TOP\": \"TRUST_FOLDER\"}");
    write_home(&sandbox, ".copilot/config.json", "{\"trusted_folders\": [\"TOP\"]}");
    write_home(&sandbox, ".hermes/config.yaml", "plugins:\n  enabled: [specward]\n");
    sandbox.set("HERMES_ENABLE_PROJECT_PLUGINS", "1");
    let outcome = doctor(&sandbox);
    outcome.exits(0).says("hermes: ~/.hermes/config.yaml: the plugin is enabled");
    assert_eq!(outcome.stdout.matches(TRUSTED).count(), 3, "{}", outcome.shown());
}

#[test]
fn hooks_that_are_switched_off() {
    let sandbox = installed("all");
    sandbox.write(".claude/settings.local.json", "{\"disableAllHooks\": true}");
    is_told(&sandbox, "problem claude: .claude/settings.local.json: `disableAllHooks: true` switches all hooks off");
    sandbox.write(".claude/settings.local.json", "{");
    is_told(&sandbox, "problem claude: .claude/settings.local.json: line 1: is not JSON");
    fs::remove_file(sandbox.path(".claude/settings.local.json")).expect("a file");
    for (path, text, line) in [
        (
            ".codex/config.toml",
            "[features]\nhooks = false",
            "problem codex: .codex/config.toml: `features.hooks = false`",
        ),
        (".codex/config.toml", "[", "problem codex: .codex/config.toml: line 1: is not TOML"),
        (
            ".github/copilot/settings.json",
            "{\"disableAllHooks\": true}",
            "problem copilot: .github/copilot/settings.json: ",
        ),
    ] {
        sandbox.write(path, text);
        is_told(&sandbox, line);
        fs::remove_file(sandbox.path(path)).expect("a file");
    }
    doctor(&sandbox).exits(0);
    write_home(&sandbox, ".gemini/settings.json", "{\"hooksConfig\":{\"enabled\":false}}");
    is_told(&sandbox, "problem gemini: ~/.gemini/settings.json: `hooksConfig.enabled: false` switches all hooks off");
    write_home(&sandbox, ".qwen/settings.json", "{\"disableAllHooks\": true}");
    is_told(&sandbox, "problem qwen: ~/.qwen/settings.json: `disableAllHooks: true` switches all hooks off");
}

#[test]
fn hooks_that_are_there_twice() {
    let sandbox = installed("claude,codex");
    let copy = |from: &str, to: &str| {
        write_home(&sandbox, to, &fs::read_to_string(sandbox.path(from)).expect("a file"));
    };
    copy(".claude/settings.json", ".claude/settings.json");
    is_told(
        &sandbox,
        "problem claude: ~/.claude/settings.json: hooks of specward are here and in .claude/settings.json",
    );
    copy(".codex/hooks.json", ".codex/hooks.json");
    is_told(&sandbox, "problem codex: ~/.codex/hooks.json: hooks of specward are here and in .codex/hooks.json");
}

#[cfg(unix)]
#[test]
fn the_program_that_hooks_would_run() {
    use std::os::unix::fs::PermissionsExt;
    let mut sandbox = installed("claude");
    let folder = sandbox.top.join("other");
    fs::create_dir(&folder).expect("a folder");
    let other = folder.join("specward");
    fs::write(&other, "#!/bin/sh\necho started >\"$0.log\"\n").expect("a file");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).expect("permissions");
    find_specward_in(&mut sandbox, &folder);
    is_told(&sandbox, &format!("problem PATH: hooks run {}, which is another program than this one", other.display()));
    assert!(!folder.join("specward.log").exists(), "it was started");
    sandbox.set("PATH", "/nowhere");
    is_told(&sandbox, "problem PATH: no folder of PATH has specward");
}

#[test]
fn repository_and_configuration() {
    let sandbox = installed("claude");
    for (text, line) in [
        ("frozen: off\n", "problem openspec/specward.yaml: `frozen: off`"),
        ("frozzen: strict\n", "problem openspec/specward.yaml: line 1: "),
    ] {
        sandbox.write("openspec/specward.yaml", text);
        is_told(&sandbox, line);
    }
    sandbox.write("openspec/specward.yaml", "frozen: strict\nrules: {task: off}\nhooks: {per-session: 99}\n");
    let outcome = doctor(&sandbox);
    outcome.exits(0).says("info    openspec/specward.yaml: rules are switched off: task\n").says("and 99 in a session");
    sandbox.write(".gitignore", ".claude\n");
    sandbox.git(&["rm", "-rq", "--cached", ".claude"]);
    doctor(&sandbox)
        .exits(0)
        .says("does not get what is not in git: .claude/commands/specward.md, .claude/settings.json;");
    fs::remove_dir_all(sandbox.path(".git")).expect("a folder");
    is_told(&sandbox, "problem git: not a git repository");
}

#[test]
fn sessions_that_went_wrong() {
    let sandbox = installed("claude");
    let start = format!("{{\"session_id\":\"s-1\",\"cwd\":{}}}", Value::from(sandbox.root.display().to_string()));
    sandbox.feed(&["hook", "session-start", "--agent", "claude"], start).exits(0);
    let sessions = sandbox.path(".git/specward/sessions");
    let session = fs::read_dir(sessions).expect("sessions").next().expect("one").expect("an entry").path();
    doctor(&sandbox).exits(0).never_says("s-1");
    fs::write(session.join("unfinished.md"), "x").expect("a file");
    doctor(&sandbox).exits(0).says("session s-1 of claude: it was let go with a failure; to do: read .git/specward/");
    let record = session.join("record");
    let text = fs::read_to_string(&record).expect("a record");
    fs::write(&record, text.replace("s-1", "s-2")).expect("a file");
    is_told(&sandbox, "problem .git/specward/sessions/");
}

#[test]
fn json_is_what_the_schema_says() {
    let sandbox = installed("codex");
    write_home(&sandbox, ".codex/config.toml", "");
    let outcome = sandbox.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&outcome.exits(1).stdout).expect("JSON");
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/doctor.v1.schema.json");
    let schema = fs::read_to_string(schema).expect("a schema");
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("a schema");
    assert!(validator.is_valid(&report), "{report:#}");
    let text = serde_json::to_string_pretty(&report).expect("JSON");
    let top = sandbox.root.display().to_string();
    let program = Path::new(SPECWARD).display().to_string();
    let version = format!("\"specward\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let text = text.replace(&top, "TOP").replace(&program, "PROGRAM").replace(&version, "\"specward\": \"VERSION\"");
    insta::assert_snapshot!(text);
    let outside = Sandbox::bare_folder();
    let outcome = outside.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&outcome.exits(2).stdout).expect("JSON");
    assert!(validator.is_valid(&report) && report["exitCode"] == 2, "{report:#}");
    assert!(report["error"]["fix"].as_str().is_some_and(|fix| fix.contains("openspec init")), "{report:#}");
}

#[test]
fn no_project_nothing_to_tell() {
    Sandbox::bare_folder()
        .run(&["doctor"])
        .exits(2)
        .complains("no OpenSpec project here")
        .complains("fix: run `openspec");
}
