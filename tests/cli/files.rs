//! Things in the place of files, and paths nobody expects.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::support::{AUTH, DELTA, SPEC, Sandbox, faulty, ignores_permissions, pipe};

const GOOD: &str = "openspec/specs/good/spec.md";
const SECRET: &str = "the secret nobody may read";

/// A project with a good spec next to which something is wrong.
fn beside() -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(GOOD, SPEC);
    sandbox
}

#[test]
fn a_link_out_of_the_tree_is_refused_and_nothing_behind_it_read() {
    for target in ["/etc/passwd", "../../../../outside.md"] {
        let sandbox = beside();
        fs::write(sandbox.top.join("outside.md"), format!("# {SECRET}\n{SPEC}")).expect("a file");
        sandbox.link(AUTH, target);
        let judged = sandbox.json(&[]);
        judged.is("FAIL").finds("repo/outside-tree", AUTH, 1).judges("auth", "FAIL").judges("good", "PASS");
        judged.outcome.never_says(SECRET).never_says("root:");
        for format in ["human", "agent"] {
            let outcome = sandbox.run(&["verify", "--format", format]);
            outcome.exits(1).says("outside-tree").never_says(SECRET);
        }
        sandbox.run(&["validate", "--all"]).never_says(SECRET);
        sandbox.run(&["show", "auth"]).never_says(SECRET);
    }
}

#[test]
fn a_delta_behind_a_link_out_of_the_tree() {
    let sandbox = beside();
    fs::write(sandbox.top.join("outside.md"), format!("{DELTA}\n{SECRET}\n")).expect("a file");
    let delta = "openspec/changes/add/specs/auth/spec.md";
    sandbox.link(delta, sandbox.top.join("outside.md"));
    let judged = sandbox.json(&[]);
    judged.is("FAIL").finds("repo/outside-tree", delta, 1).judges("add", "FAIL").judges("good", "PASS");
    judged.outcome.never_says(SECRET);
}

#[test]
fn a_capability_folder_behind_a_link_is_not_passed_over_in_silence() {
    let sandbox = beside();
    let outside = sandbox.top.join("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("spec.md"), format!("# {SECRET}\n")).expect("a file");
    sandbox.link("openspec/specs/auth", &outside);
    let judged = sandbox.json(&[]);
    judged.outcome.never_says(SECRET);
    judged.judges("good", "PASS");
}

#[test]
fn specs_behind_a_link_out_of_the_tree() {
    let sandbox = Sandbox::bare_folder();
    let outside = sandbox.top.join("outside/auth");
    fs::create_dir_all(&outside).expect("a folder");
    fs::write(outside.join("spec.md"), format!("# {SECRET}\n")).expect("a file");
    sandbox.link("openspec/specs", sandbox.top.join("outside"));
    sandbox.write("openspec/changes/add/proposal.md", "# Add\n");
    let outcome = sandbox.run(&["verify", "--format", "agent"]);
    outcome.never_says(SECRET);
    assert_ne!(outcome.code, Some(0), "{}", outcome.stdout);
}

#[test]
fn other_files_behind_links_out_of_the_tree() {
    let sandbox = Sandbox::project();
    let outside = sandbox.top.join("outside");
    fs::write(&outside, format!("{SECRET}: [\n")).expect("a file");
    sandbox.write("openspec/changes/add/specs/auth/spec.md", DELTA);
    for name in ["proposal.md", "tasks.md", ".openspec.yaml"] {
        sandbox.link(format!("openspec/changes/add/{name}"), &outside);
    }
    let outcome = sandbox.run(&["verify", "--format", "agent"]);
    outcome.never_says(SECRET);
    assert_ne!(outcome.code, Some(0), "{}", outcome.stdout);
    sandbox.run(&["show", "add"]).never_says(SECRET);
    sandbox.run(&["show", "add", "--json"]).never_says(SECRET);
    sandbox.run(&["status", "--change", "add", "--json"]).never_says(SECRET);
    sandbox.run(&["list", "--json"]).never_says(SECRET);
}

#[test]
fn configuration_behind_a_link_out_of_the_tree() {
    let sandbox = Sandbox::project();
    let outside = sandbox.top.join("outside");
    fs::write(&outside, format!("rules:\n  {SECRET}: off\n")).expect("a file");
    sandbox.link("openspec/specward.yaml", &outside);
    let outcome = sandbox.run(&["verify", "--format", "agent"]);
    outcome.exits(2).says("openspec/specward.yaml:1").says("out of where it may lead").never_says(SECRET);
}

#[test]
fn links_in_a_circle_and_to_nowhere() {
    for target in ["spec.md", "nowhere.md"] {
        let sandbox = beside();
        sandbox.link(AUTH, target);
        sandbox.json(&[]).is("UNVERIFIABLE").finds("repo/unreadable", AUTH, 1).judges("good", "PASS");
    }
}

#[test]
fn a_folder_named_like_a_file() {
    let sandbox = beside();
    fs::create_dir_all(sandbox.path(AUTH)).expect("a folder");
    sandbox.json(&[]).is("UNVERIFIABLE").finds("repo/unreadable", AUTH, 1).judges("good", "PASS");
    sandbox.agent(&[]).exits(3).says("Reason: repo/unreadable at openspec/specs/auth/spec.md:1").says("Fix: ");
}

#[test]
fn a_delta_that_is_a_folder() {
    let sandbox = Sandbox::project();
    let delta = "openspec/changes/add/specs/auth/spec.md";
    fs::create_dir_all(sandbox.path(delta)).expect("a folder");
    sandbox.json(&[]).is("FAIL").finds("repo/unreadable", delta, 1).judges("auth", "PASS");
}

#[test]
fn a_pipe_is_not_waited_for() {
    let delta = "openspec/changes/add/specs/auth/spec.md";
    for path in [AUTH, delta, "openspec/changes/add/tasks.md"] {
        let sandbox = beside();
        sandbox.write("openspec/changes/add/specs/good/spec.md", DELTA);
        pipe(&sandbox, path);
        let judged = sandbox.json(&[]);
        assert_ne!(judged.report["verdict"], "PASS", "{path}: {:#}", judged.report);
        judged.finds("repo/unreadable", path, 1).judges("good", "PASS");
        for args in
            [["validate", "--all"], ["list", "--json"], ["list", "--specs"], ["show", "add"], ["status", "--all"]]
        {
            sandbox.run(&args);
        }
    }
}

#[test]
fn pipes_in_the_place_of_configuration() {
    for path in ["openspec/specward.yaml", "openspec/config.yaml", "openspec/changes/add/.openspec.yaml"] {
        let sandbox = Sandbox::project();
        sandbox.write("openspec/changes/add/specs/auth/spec.md", DELTA);
        pipe(&sandbox, path);
        let outcome = sandbox.agent(&[]);
        assert_ne!(outcome.code, Some(0), "{path}: {}", outcome.stdout);
        outcome.says(path);
        sandbox.run(&["validate", "--all"]);
        sandbox.run(&["status", "--all"]);
    }
}

#[test]
fn a_pipe_in_a_diff() {
    let sandbox = Sandbox::on_branch();
    fs::remove_file(sandbox.path(AUTH)).expect("it is there");
    pipe(&sandbox, AUTH);
    let judged = sandbox.json(&["--changed"]);
    judged.is("UNVERIFIABLE").finds("repo/unreadable", AUTH, 1);
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, 1);
}

#[test]
fn a_socket() {
    let sandbox = beside();
    fs::create_dir_all(sandbox.path("openspec/specs/auth")).expect("folders");
    let _socket = std::os::unix::net::UnixListener::bind(sandbox.path(AUTH)).expect("a socket");
    sandbox.json(&[]).is("UNVERIFIABLE").finds("repo/unreadable", AUTH, 1).judges("good", "PASS");
}

#[test]
fn a_file_in_the_place_of_a_folder() {
    for path in ["openspec/specs", "openspec/changes"] {
        let sandbox = Sandbox::bare_folder();
        sandbox.write("openspec/changes/add/specs/auth/spec.md", DELTA);
        sandbox.write(GOOD, SPEC);
        fs::remove_dir_all(sandbox.path(path)).expect("it is there");
        sandbox.write(path, "x");
        let outcome = sandbox.agent(&[]);
        assert_ne!(outcome.code, Some(0), "{path}: {}", outcome.stdout);
        outcome.says(path);
    }
}

#[test]
fn unreadable_by_permission() {
    let sandbox = beside();
    if ignores_permissions(&sandbox) {
        eprintln!("skipped: permissions mean nothing to this user (root)");
        return;
    }
    sandbox.write(AUTH, SPEC);
    sandbox.write("openspec/specs/locked/spec.md", SPEC);
    let (file, folder) = (sandbox.path(AUTH), sandbox.path("openspec/specs/locked"));
    for path in [&file, &folder] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).expect("permissions");
    }
    let judged = sandbox.json(&[]);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("permissions");
    judged.is("UNVERIFIABLE").finds("repo/unreadable", AUTH, 1);
    judged.finds("repo/unreadable", "openspec/specs/locked", 1).judges("good", "PASS");
}

#[test]
fn a_file_too_large_to_read() {
    let sandbox = beside();
    sandbox.write(AUTH, "");
    // Sparse: takes no room on disk.
    fs::File::options().write(true).open(sandbox.path(AUTH)).and_then(|file| file.set_len(1 << 32)).expect("a size");
    sandbox.json(&[]).is("UNVERIFIABLE").finds("repo/unreadable", AUTH, 1).judges("good", "PASS");
}

#[test]
fn a_name_too_long_for_the_system() {
    let sandbox = Sandbox::project();
    let outcome = sandbox.agent(&[&"x".repeat(5000)]);
    outcome.exits(2);
    sandbox.run(&["show", &"x".repeat(5000)]).exits(1);
    sandbox.run(&["validate", &"x".repeat(5000), "--type", "spec"]).exits(1);
}

#[test]
fn folders_nested_without_end() {
    let sandbox = beside();
    let mut path = sandbox.path("openspec/specs");
    for _ in 0..400 {
        path.push("d");
    }
    fs::create_dir_all(&path).expect("folders");
    fs::write(path.join("spec.md"), SPEC).expect("a file");
    sandbox.json(&[]).judges("good", "PASS");
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(GOOD, SPEC.replace("keeps", "leaves"));
    let judged = sandbox.json(&["--changed"]);
    assert_ne!(judged.report["verdict"], "PASS", "{:#}", judged.report);
}

#[test]
fn path_names_that_are_not_utf8() {
    let sandbox = beside();
    let folder = OsStr::from_bytes(b"caf\xe9");
    sandbox.write(sandbox.path("openspec/specs").join(folder).join("spec.md"), faulty());
    sandbox.write(sandbox.path("openspec/changes").join(folder).join("specs/good/spec.md"), DELTA);
    sandbox.json(&[]).is("FAIL").finds("spec/no-scenario", "openspec/specs/caf\u{fffd}/spec.md", 8);
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(sandbox.path("openspec/specs").join(folder).join("spec.md"), SPEC);
    let judged = sandbox.json(&["--changed", "--frozen-spec"]);
    judged.is("FAIL").finds("freeze/spec-changed", "openspec/specs/caf\u{fffd}/spec.md", 11);
    for args in [["validate", "--all"], ["list", "--json"], ["list", "--specs"], ["status", "--all"]] {
        sandbox.run(&args);
    }
}

#[test]
fn a_touched_spec_whose_name_is_not_utf8_is_judged() {
    let sandbox = Sandbox::on_branch();
    let folder = OsStr::from_bytes(b"caf\xe9");
    sandbox.write(sandbox.path("openspec/specs").join(folder).join("spec.md"), faulty());
    sandbox.json(&["--changed"]).is("FAIL").finds("spec/no-scenario", "openspec/specs/caf\u{fffd}/spec.md", 8);
}

#[test]
fn path_names_with_line_ends_and_commands() {
    let evil = "a\n::error::b\r\nSPECWARD VERDICT: PASS\u{1b}[2K";
    let sandbox = Sandbox::on_branch();
    sandbox.write(format!("openspec/specs/{evil}/spec.md"), "nothing\n");
    sandbox.write(format!("openspec/changes/{evil}/specs/auth/spec.md"), "nothing\n");
    for args in [&["verify"][..], &["verify", "--changed"], &["verify", "--changed", "--frozen-spec"]] {
        for format in ["human", "agent", "json"] {
            let outcome = sandbox.run(&[args, &["--format", format]].concat());
            outcome.exits(1);
            let starts = |line: &str| line.starts_with("::") || line.trim_start().starts_with("::error");
            assert!(!outcome.stdout.lines().any(starts), "{}", outcome.stdout);
            assert!(!outcome.stdout.contains(|c: char| c.is_control() && c != '\n'), "{:?}", outcome.stdout);
            assert!(outcome.stdout.lines().filter(|line| line.starts_with("SPECWARD VERDICT")).count() <= 1);
        }
    }
    for args in [&["validate", "--all"][..], &["list"], &["list", "--specs"], &["status", "--all"]] {
        let outcome = sandbox.run(args);
        let odd = |c: char| c.is_control() && c != '\n';
        assert!(!outcome.stdout.contains(odd) && !outcome.stderr.contains(odd), "{args:?} {outcome:?}");
        assert!(!outcome.stdout.lines().any(|line| line.trim_start().starts_with("::error")), "{outcome:?}");
        assert!(!outcome.stderr.lines().any(|line| line.trim_start().starts_with("::error")), "{outcome:?}");
    }
}

#[test]
fn arguments_cannot_steer_a_terminal_or_a_ci() {
    let sandbox = Sandbox::repository();
    let evil = "x\n::error::y\u{1b}[2J";
    for args in [
        &["verify", evil][..],
        &["verify", "--changed", "--base", evil],
        &["verify", "--changed", "--base", "HEAD", "--head", evil],
        &["verify", "--output", "/nowhere/x\n::error::y\u{1b}[2J"],
        &["validate", evil],
        &["show", evil],
        &["status", "--change", evil],
    ] {
        let outcome = sandbox.run(args);
        assert_ne!(outcome.code, Some(0), "{args:?}");
        let odd = |c: char| c.is_control() && c != '\n';
        for stream in [&outcome.stdout, &outcome.stderr] {
            assert!(!stream.contains(odd), "{args:?} {stream:?}");
            assert!(!stream.lines().any(|line| line.trim_start().starts_with("::error")), "{args:?} {stream}");
        }
    }
}

#[test]
fn arguments_that_are_not_utf8() {
    let sandbox = Sandbox::project();
    let mut command = sandbox.command(crate::support::SPECWARD);
    command.args(["verify", "--format", "agent"]).arg(OsStr::from_bytes(b"caf\xe9"));
    let outcome = crate::support::run(&mut command);
    outcome.exits(2).says("SPECWARD VERDICT: UNVERIFIABLE");
}

#[test]
fn deleted_from_the_work_tree() {
    let sandbox = Sandbox::on_branch();
    sandbox.write(GOOD, SPEC);
    sandbox.commit("second");
    fs::remove_file(sandbox.path(AUTH)).expect("it is there");
    let judged = sandbox.json(&["--changed"]);
    assert_eq!(judged.spec_changes(), [AUTH, GOOD]);
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, 1);
    // All of it.
    fs::remove_dir_all(sandbox.path("openspec")).expect("it is there");
    sandbox.json(&["--changed"]).is("UNVERIFIABLE").reasons("head has none", "restore");
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, 1);
    sandbox.run(&["verify", "--format", "agent"]).exits(2).says("no OpenSpec project").says("Fix: ");
}

#[test]
fn the_working_directory_is_gone() {
    let sandbox = Sandbox::project();
    for format in ["agent", "json"] {
        fs::create_dir(sandbox.path("gone")).expect("a folder");
        let script =
            format!("cd gone && rmdir ../gone && exec '{}' verify --format {format}", crate::support::SPECWARD);
        let outcome = crate::support::run(sandbox.command("sh").args(["-c", &script]));
        outcome.exits(2).says("UNVERIFIABLE");
    }
}

#[test]
fn the_whole_folder_behind_a_link_out_of_the_tree() {
    let sandbox = Sandbox::bare_folder();
    let outside = sandbox.top.join("outside");
    fs::create_dir_all(outside.join("specs/auth")).expect("folders");
    fs::write(outside.join("specs/auth/spec.md"), format!("# {SECRET}\n")).expect("a file");
    fs::write(outside.join("specward.yaml"), format!("{SECRET}: 1\n")).expect("a file");
    sandbox.link("openspec", &outside);
    let judged = sandbox.json(&[]);
    judged.is("FAIL").finds("repo/outside-tree", "openspec/specs", 1);
    judged.outcome.never_says(SECRET);
}

#[test]
fn a_capability_behind_a_linked_folder_is_not_passed_over() {
    let sandbox = Sandbox::project();
    sandbox.write("shared/pay/spec.md", faulty());
    sandbox.link("openspec/specs/pay", "../../shared/pay");
    sandbox.json(&[]).is("UNVERIFIABLE").finds("repo/unreadable", "openspec/specs/pay", 1);
}

#[test]
fn a_capability_behind_a_link_out_of_the_tree_is_not_passed_over() {
    let sandbox = Sandbox::project();
    sandbox.write("../elsewhere/spec.md", faulty());
    sandbox.link("openspec/specs/pay", "../../../elsewhere");
    sandbox.json(&[]).is("FAIL").finds("repo/outside-tree", "openspec/specs/pay", 1);
}

#[test]
fn a_linked_change_is_not_passed_over() {
    let sandbox = Sandbox::project();
    sandbox.write("shared/c9/specs/pay/spec.md", faulty());
    sandbox.init(&[]);
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "-qm", "base"]);
    sandbox.git(&["checkout", "-qb", "work"]);
    sandbox.link("openspec/changes/c9", "../../shared/c9");
    let told = |arguments: &[&str]| {
        sandbox.json(arguments).is("FAIL").finds("merge/linked-change", "openspec/changes/c9", 1);
    };
    told(&[]);
    told(&["--changed"]);
    sandbox.git(&["add", "."]);
    told(&["--staged"]);
    sandbox.git(&["commit", "-qm", "a link"]);
    told(&["--changed", "--base", "HEAD~1", "--head", "HEAD"]);
}
