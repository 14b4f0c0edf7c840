//! Where reports go: files, pipes that close, terminals.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};

use crate::support::{AUTH, Outcome, SPECWARD, Sandbox, faulty, ignores_permissions, run};

/// A project that fails.
fn failing() -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, faulty());
    sandbox
}

fn shell(sandbox: &Sandbox, script: &str) -> Outcome {
    run(sandbox.command("sh").args(["-c", &script.replace("specward", &format!("'{SPECWARD}'"))]))
}

#[test]
fn a_new_file_and_an_existing_one() {
    let sandbox = failing();
    for format in ["human", "agent", "json"] {
        let outcome = sandbox.run(&["verify", "--format", format, "--output", "report"]);
        outcome.exits(1);
        assert_eq!(outcome.stdout, "");
        let written = fs::read_to_string(sandbox.path("report")).expect("a report");
        let printed = sandbox.run(&["verify", "--format", format]).stdout;
        let without_id = |text: &str| -> String { text.lines().filter(|l| !l.contains("run_id")).collect() };
        assert_eq!(without_id(&written), without_id(&printed), "{format}");
    }
    let left: Vec<_> =
        fs::read_dir(&sandbox.root).expect("a folder").map(|entry| entry.expect("one").file_name()).collect();
    assert_eq!(left.len(), 2, "no scratch file is left: {left:?}");
}

#[test]
fn a_link_stays_a_link() {
    let sandbox = failing();
    sandbox.write("real", "old");
    sandbox.link("report", "real");
    sandbox.run(&["verify", "--format", "agent", "--output", "report"]).exits(1);
    assert!(sandbox.path("report").is_symlink());
    assert!(fs::read_to_string(sandbox.path("real")).expect("a report").starts_with("SPECWARD VERDICT: FAIL"));
}

#[test]
fn a_link_to_a_file_that_is_not_there_yet() {
    let sandbox = failing();
    sandbox.link("report", "real");
    sandbox.run(&["verify", "--format", "agent", "--output", "report"]).exits(1);
    assert!(fs::read_to_string(sandbox.path("report")).expect("a report").starts_with("SPECWARD VERDICT: FAIL"));
}

/// What is judged can have a link in it that leads anywhere.
#[test]
fn no_link_of_a_work_tree_is_followed() {
    let sandbox = Sandbox::repository();
    sandbox.write("../precious", "old");
    sandbox.link("report", "../precious");
    sandbox.link("folder", "..");
    sandbox.link("device", "/dev/stdout");
    sandbox.link("inside", "openspec/config.yaml");
    for path in ["report", "folder/precious", "device", "inside", "./folder/new"] {
        let outcome = sandbox.run(&["verify", "--format", "agent", "--output", path]);
        outcome.exits(2).complains("is a link in a work tree");
        assert_eq!(outcome.stdout, "");
    }
    assert_eq!(fs::read_to_string(sandbox.path("../precious")).expect("a file"), "old");
    assert!(!sandbox.path("../new").exists() && !sandbox.path("openspec/config.yaml").exists());
    sandbox.run(&["verify", "--output", "../elsewhere"]).exits(0);
    assert!(sandbox.path("../elsewhere").exists());
}

#[test]
fn an_existing_file_keeps_its_permissions() {
    let sandbox = failing();
    sandbox.write("report", "old");
    fs::set_permissions(sandbox.path("report"), fs::Permissions::from_mode(0o600)).expect("permissions");
    sandbox.run(&["verify", "--output", "report"]).exits(1);
    let mode = fs::metadata(sandbox.path("report")).expect("a report").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn devices_and_pipes_are_written_to() {
    let sandbox = failing();
    sandbox.run(&["verify", "--output", "/dev/null"]).exits(1);
    assert!(!fs::metadata("/dev/null").expect("a device").is_file());
    let outcome = sandbox.run(&["verify", "--format", "agent", "--output", "/dev/stdout"]);
    outcome.exits(1).says("SPECWARD VERDICT: FAIL");
}

#[test]
fn places_that_cannot_be_written_to_are_no_verdict() {
    let sandbox = Sandbox::project();
    fs::create_dir(sandbox.path("folder")).expect("a folder");
    sandbox.write("file", "x");
    for path in ["nowhere/report", "folder", "file/report", "/proc/report", ""] {
        let outcome = sandbox.run(&["verify", "--format", "json", "--output", path]);
        outcome.exits(2).complains("error: ");
    }
}

#[test]
fn a_folder_that_may_not_be_written_to() {
    let sandbox = Sandbox::project();
    if ignores_permissions(&sandbox) {
        eprintln!("skipped: permissions mean nothing to this user (root)");
        return;
    }
    fs::create_dir(sandbox.path("locked")).expect("a folder");
    fs::set_permissions(sandbox.path("locked"), fs::Permissions::from_mode(0o555)).expect("permissions");
    sandbox.run(&["verify", "--output", "locked/report"]).exits(2).complains("locked/report");
}

#[test]
fn a_full_disk_is_no_verdict() {
    let sandbox = Sandbox::project();
    for format in ["human", "agent", "json"] {
        let outcome = shell(&sandbox, &format!("specward verify --format {format} > /dev/full"));
        outcome.exits(2).complains("standard output");
    }
    sandbox.run(&["verify", "--output", "/dev/full"]).exits(2).complains("/dev/full");
    for command in ["validate --all", "validate --all --json", "list --specs", "list --specs --json", "show auth"] {
        let outcome = shell(&sandbox, &format!("specward {command} > /dev/full"));
        assert_ne!(outcome.code, Some(0), "{command}: {}", outcome.stderr);
        outcome.complains("standard output");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let sandbox = Sandbox::bare_folder();
    for number in 0..300 {
        sandbox.write(format!("openspec/specs/s{number}/spec.md"), faulty());
    }
    for command in
        ["verify", "verify --format agent", "verify --format json", "validate --all", "validate --all --json"]
    {
        let script = format!("{{ specward {command}; echo $? > code; }} | head -1");
        let outcome = shell(&sandbox, &script);
        assert_eq!(outcome.stderr, "", "{command}");
        assert_eq!(outcome.stdout.lines().count(), 1, "{command}");
        assert_eq!(fs::read_to_string(sandbox.path("code")).expect("a code").trim(), "1", "{command}");
    }
    // Gone before the first byte.
    for format in ["human", "agent", "json"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = sandbox.command(SPECWARD);
        command.args(["verify", "--format", format]).stdout(writer).stderr(Stdio::piped());
        let output = command.spawn().and_then(Child::wait_with_output).expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.as_ref()), (Some(1), ""), "{format}");
    }
    for command in ["--help", "verify --help", "list --specs", "list --specs --json", "show s1", "show s1 --json"] {
        let outcome = shell(&sandbox, &format!("specward {command} | head -c 1 | cat"));
        assert_eq!(outcome.stderr, "", "{command}");
    }
}

#[test]
fn a_closed_output_is_no_crash() {
    let sandbox = Sandbox::project();
    for command in ["verify >&-", "verify --format agent >&- 2>&-", "validate --all >&-", "verify <&-", "--help >&-"] {
        let outcome = shell(&sandbox, &format!("specward {command}"));
        assert!(matches!(outcome.code, Some(0..=3)), "{command}: {outcome:?}");
        outcome.never_says("panicked");
    }
}

#[test]
fn no_escape_character_in_pipes_and_files() {
    let mut sandbox = failing();
    sandbox.write("openspec/specs/other/spec.md", format!("{}\n### Requirement: \u{1b}[31mred\n", faulty()));
    sandbox.set("TERM", "xterm-256color");
    for format in ["human", "agent", "json"] {
        let outcome = sandbox.run(&["verify", "--format", format]);
        outcome.exits(1).says("spec/no-scenario");
        assert!(!outcome.stdout.contains('\u{1b}'), "{format}: {:?}", outcome.stdout);
        let outcome = sandbox.run(&["verify", "--format", format, "--output", "report"]);
        outcome.exits(1);
        let written = fs::read_to_string(sandbox.path("report")).expect("a report");
        assert!(written.contains("spec/no-scenario") && !written.contains('\u{1b}'), "{format}: {written:?}");
    }
}

/// Runs a command line with a terminal for its output.
fn at_a_terminal(sandbox: &Sandbox, env: &str, args: &str) -> Outcome {
    let script = format!("{env} script -qec \"'{SPECWARD}' {args}\" /dev/null < /dev/null");
    run(sandbox.command("sh").args(["-c", &script]))
}

#[test]
fn colour_only_where_somebody_can_see_it() {
    let sandbox = failing();
    let red = "\u{1b}[1;31mFAIL";
    for format in ["human", "agent", "json"] {
        let outcome = sandbox.run(&["verify", "--format", format]);
        assert!(!outcome.stdout.contains('\u{1b}'), "{format}: {:?}", outcome.stdout);
    }
    if run(sandbox.command("sh").args(["-c", "command -v script"])).code != Some(0) {
        eprintln!("skipped: there is no script(1) to make a terminal with");
        return;
    }
    let outcome = at_a_terminal(&sandbox, "TERM=xterm", "verify");
    outcome.exits(1).says(red);
    for format in ["agent", "json"] {
        let outcome = at_a_terminal(&sandbox, "TERM=xterm", &format!("verify --format {format}"));
        assert!(!outcome.stdout.contains('\u{1b}'), "{format}: {:?}", outcome.stdout);
    }
    for env in ["TERM=xterm NO_COLOR=1", "TERM=dumb"] {
        let outcome = at_a_terminal(&sandbox, env, "verify");
        assert!(!outcome.stdout.contains('\u{1b}'), "{env}: {:?}", outcome.stdout);
    }
    // A file is no terminal, wherever the program was started from.
    at_a_terminal(&sandbox, "TERM=xterm", "verify --output report").exits(1);
    assert!(!fs::read_to_string(sandbox.path("report")).expect("a report").contains('\u{1b}'));
}
