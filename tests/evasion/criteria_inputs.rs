//! D. Disarm the gate by what a check runs, reads and is run by.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::checked::{
    BROKEN, COMMITS, CONFIG, CRITERIA, FILE, LOOKS, NODS, SCRIPT, WORKTREE, checked_by, criteria, criterion,
    executable, json, repo, run, with,
};
use crate::repo::{Outcome, Repo, SOURCE};

/// Passing runs of a criterion tell what it relies on and the difference changes, and whoever reads JSON sees it too.
#[track_caller]
fn tells(repo: &Repo, args: &[&str], path: &str) {
    let report = json(repo, args);
    let touched = criterion(&report, "sign-in")["touched"].as_array().expect("a list");
    assert!(touched.iter().any(|one| one == path), "{path} is not in {report:#}");
    let findings = report["findings"].as_array().expect("a list");
    let is_it = |finding: &&serde_json::Value| {
        finding["rule"] == "criteria/touched" && finding["message"].as_str().is_some_and(|words| words.contains(path))
    };
    assert!(findings.iter().any(|finding| is_it(&finding)), "{path} is not told in {report:#}");
}

/// "40 the script or test a check runs is weakened (declared check inputs are part of the frozen set: `protect:` globs;
/// tests named by a check are reported when they change)": protected
#[test]
fn row_40_protected_inputs_are_frozen() {
    let start = || with(&[(CONFIG, "protect: [\"tests/**\"]\n")]);
    for cheat in [
        |repo: &Repo| repo.write(SCRIPT, NODS),
        |repo: &Repo| repo.remove(SCRIPT),
        |repo: &Repo| {
            repo.write("tools/nods.sh", NODS);
            repo.remove(SCRIPT);
            repo.link("../tools/nods.sh", SCRIPT);
        },
        |repo: &Repo| {
            repo.write(SCRIPT, NODS);
            repo.write(CONFIG, "protect: []\n");
        },
        |repo: &Repo| {
            repo.write(SCRIPT, NODS);
            repo.git(&["update-index", "--assume-unchanged", SCRIPT]);
        },
    ] {
        let repo = start();
        repo.frozen().passes();
        // An implementation that nobody ticked off is looked at all the same.
        repo.write(SOURCE, BROKEN);
        repo.frozen().fails(&["sign-in is broken"]);
        cheat(&repo);
        repo.frozen().fails_frozen(&[SCRIPT]);
        repo.git(&["update-index", "--no-assume-unchanged", SCRIPT]);
        repo.git(&["add", "-A"]);
        repo.frozen_index().fails_frozen(&[SCRIPT]);
        repo.commit("cheat");
        repo.frozen_commits().fails_frozen(&[SCRIPT]);
    }
}

/// "40": what nobody protects is told with the criterion
#[test]
fn row_40_changed_inputs_are_told() {
    let start = || {
        let repo = repo();
        repo.write(FILE, format!("# run again\n{CRITERIA}"));
        repo
    };
    let explained = ["--changed", "--frozen-spec=explained"];
    for cheat in [
        |repo: &Repo| repo.write(SCRIPT, NODS),
        |repo: &Repo| {
            repo.write("tools/nods.sh", NODS);
            repo.remove(SCRIPT);
            repo.link("../tools/nods.sh", SCRIPT);
        },
    ] {
        let repo = start();
        cheat(&repo);
        tells(&repo, &explained, SCRIPT);
        repo.git(&["add", "-A"]);
        tells(&repo, &["--staged", "--frozen-spec=explained"], SCRIPT);
        repo.commit("cheat");
        tells(&repo, &["--changed", "--frozen-spec=explained", "--base", "main", "--head", "HEAD"], SCRIPT);
    }
    let clean = start();
    assert_eq!(criterion(&json(&clean, &explained), "sign-in")["touched"], serde_json::json!([]));
}

/// "41 zero tests selected, skipped or ignored tests, empty JUnit, stale JUnit": what runners say of tests
#[test]
fn row_41_no_test_ran() {
    let cargo = |ran: u32, ignored: u32| {
        format!(
            "running {ran} tests\n\ntest result: ok. {ran} passed; 0 failed; {ignored} ignored; 0 measured; 9 filtered out; finished in 0.00s\n"
        )
    };
    for said in [
        cargo(0, 0),
        cargo(0, 3),
        "     Summary [   0.000s] 0 tests run: 0 passed, 3 skipped\n".to_owned(),
        "============ no tests ran in 0.01s ============\n".to_owned(),
        "============ 3 skipped in 0.01s ============\n".to_owned(),
        "============ 7 deselected in 0.01s ============\n".to_owned(),
        "Ran 0 tests in 0.000s\n\nOK\n".to_owned(),
        "Ran 2 tests in 0.000s\n\nOK (skipped=2)\n".to_owned(),
        "No tests found, exiting with code 0\n".to_owned(),
        "Test Suites: 1 skipped, 0 of 1 total\nTests:       2 skipped, 2 total\nSnapshots:   0 total\n".to_owned(),
        "  0 passing (1ms)\n  2 pending\n".to_owned(),
        "ok  \texample.com/a\t0.002s [no tests to run]\n".to_owned(),
        "?   \texample.com/a\t[no test files]\n".to_owned(),
        "TAP version 13\n1..0\n# tests 0\n# pass 0\n# fail 0\n".to_owned(),
        "\u{1b}[32m 0 passing\u{1b}[0m\u{1b}[90m (1ms)\u{1b}[0m\n".to_owned(),
    ] {
        let repo =
            checked_by("command: [sh, tests/run.sh]", &[("tests/run.sh", "cat tests/said\n"), ("tests/said", &said)]);
        let outcome = run(&repo);
        outcome.is_unverifiable(&["no test ran", "sign-in"]);
        // The same runner with a test that ran.
        repo.write("tests/said", cargo(1, 0));
        run(&repo).passes();
    }
}

const JUNIT: &str = "junit: { report: out/junit.xml, test: signs_in, newer-than: run }";

fn report(cases: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"auth\">{cases}</testsuite></testsuites>\n")
}

const PASSED: &str = "<testcase name=\"signs_in\"/>";

/// "41": a report from before, made up, or without the test
#[test]
fn row_41_junit() {
    let stale = |repo: &Repo| run(repo).is_unverifiable(&["junit", "older than this run"]);
    let repo = checked_by(JUNIT, &[]);
    run(&repo).is_unverifiable(&["there is no report"]);
    // Put there just before the run, with a name no runner has written to yet.
    for _ in 0..3 {
        repo.write("out/junit.xml", report(PASSED));
        stale(&repo);
    }
    age();
    stale(&repo);
    // It is touched, dated ahead a little, moved, linked to: its entry is as old as it is.
    let path = repo.path("out/junit.xml");
    date(&path, SystemTime::now() + Duration::from_secs(50));
    age();
    stale(&repo);
    date(&path, SystemTime::now() + Duration::from_secs(3600 * 24));
    run(&repo).is_unverifiable(&["it is dated in the future"]);
    date(&path, SystemTime::now());
    repo.rename("out/junit.xml", "kept.xml");
    repo.link("../kept.xml", "out/junit.xml");
    age();
    stale(&repo);
    repo.remove("out/junit.xml");
    fs::hard_link(repo.path("kept.xml"), &path).expect("a link");
    age();
    stale(&repo);
    repo.remove("out/junit.xml");
    fs::write(repo.outside("junit.xml"), report(PASSED)).expect("a file");
    repo.link(repo.outside("junit.xml"), "out/junit.xml");
    run(&repo).is_unverifiable(&["a link leads out of the tree"]);
}

/// "41": reports that the run itself writes
#[test]
fn row_41_junit_of_this_run() {
    let both = "command: [sh, tests/run.sh]\n      - junit: { report: out/junit.xml, test: signs_in, newer-than: run }";
    let of = |content: &str| {
        let script = format!("mkdir -p out && cat > out/junit.xml <<'END'\n{content}END\n");
        run(&checked_by(both, &[("tests/run.sh", &script)]))
    };
    of(&report(PASSED)).passes();
    of(&report("<testcase name=\"signs_in\"><failure message=\"refused\"/></testcase>")).fails(&["refused"]);
    for (cases, says) in [
        ("", "has no test"),
        ("<testcase name=\"signs_out\"/>", "has no test `signs_in`"),
        ("<testcase name=\"signs_in\"><skipped/></testcase>", "did not run"),
        ("<testcase name=\"signs_in\" status=\"disabled\"/>", "did not run"),
        ("<!-- <testcase name=\"signs_in\"/> -->", "has no test"),
    ] {
        of(&report(cases)).is_unverifiable(&[says]);
    }
    of("").is_unverifiable(&["is no JUnit report"]);
    of("<!DOCTYPE a [<!ENTITY b \"<testcase name='signs_in'/>\">]><testsuite>&b;</testsuite>\n")
        .is_unverifiable(&["is no JUnit report"]);
    // Two tests of one name, of which one fails.
    of(&report(&format!("{PASSED}<testcase name=\"signs_in\"><error/></testcase>"))).fails(&["signs_in"]);
}

/// "41": newer than the sources is no question of what `touch` says
#[test]
fn row_41_junit_newer_than_files() {
    let check = "junit: { report: out/junit.xml, test: signs_in, newer-than: [\"src/**\"] }";
    let repo = checked_by(check, &[]);
    age();
    repo.write("out/junit.xml", report(PASSED));
    run(&repo).passes();
    age();
    repo.write(SOURCE, BROKEN);
    run(&repo).is_unverifiable(&["it is older than `src/main.rs`"]);
    // A source that is dated back, a report that is dated ahead.
    date(&repo.path(SOURCE), SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
    run(&repo).is_unverifiable(&["it is older than `src/main.rs`"]);
    date(&repo.path("out/junit.xml"), SystemTime::now() + Duration::from_secs(3600));
    run(&repo).is_unverifiable(&["it is dated in the future"]);
    // A glob that matches nothing any more.
    let nothing = checked_by(&check.replace("src/**", "nothing/**"), &[]);
    nothing.write("out/junit.xml", report(PASSED));
    run(&nothing).is_unverifiable(&["no file matches the globs"]);
}

/// Long enough for what was written before to be older than what comes.
fn age() {
    std::thread::sleep(Duration::from_millis(120));
}

fn date(path: &Path, time: SystemTime) {
    let file = fs::File::options().append(true).open(path).expect("a file");
    file.set_modified(time).expect("a time");
}

/// "42 PATH shim, wrapper script, alias or `.cargo/config` runner in front of the tool (allow-listed PATH, changes to
/// runner configuration reported)": folders of PATH in the work tree
#[test]
fn row_42_path_shims() {
    let path =
        std::env::split_paths(&path_of_tests()).map(|one| one.display().to_string()).collect::<Vec<_>>().join(":");
    let repo = repo();
    repo.write(SOURCE, BROKEN);
    for tool in ["sh", "grep"] {
        for folder in ["shims", "node_modules/.bin", ".hidden/bin"] {
            repo.write(&format!("{folder}/{tool}"), "#!/bin/sh\necho it works\n");
            executable(&repo, &format!("{folder}/{tool}"));
        }
    }
    repo.link(repo.path("shims"), "linked");
    std::os::unix::fs::symlink(repo.path("shims"), repo.outside("from-outside")).expect("a link");
    let top = repo.top().display();
    for shim in [
        format!("{top}/shims"),
        "shims".to_owned(),
        "./shims".to_owned(),
        String::new(),
        ".".to_owned(),
        format!("{top}/node_modules/.bin"),
        format!("{top}/.hidden/bin"),
        format!("{top}/linked"),
        format!("{top}/src/../shims"),
        format!("{top}/none/../shims"),
        repo.outside("from-outside").display().to_string(),
        format!("/../{top}/shims/"),
    ] {
        let with_shim = format!("{shim}:{path}");
        let outcome = repo.verify_env(&[("PATH", &with_shim)], &[WORKTREE, &["--only", "sign-in"]].concat());
        outcome.fails(&["sign-in is broken"]);
    }
    // When it is nowhere else, that is told.
    let check = checked_by("command: [only-here]", &[("shims/only-here", "#!/bin/sh\necho it works\n")]);
    executable(&check, "shims/only-here");
    let outcome = check.verify_env(
        &[("PATH", &format!("{}/shims:{path}", check.top().display()))],
        &["--changed", "--only", "sign-in"],
    );
    outcome.is_unverifiable(&["inside the judged tree"]);
}

fn path_of_tests() -> std::ffi::OsString {
    #[expect(clippy::disallowed_methods, reason = "tools are where the tests find them")]
    std::env::var_os("PATH").expect("a PATH")
}

/// "42": variables that put something in front of the tool are not passed on, nor those of the gate's user
#[test]
fn row_42_environment() {
    let repo = checked_by("command: [sh, tests/env.sh]", &[("tests/env.sh", "env\nexit 1\n")]);
    let hostile = [
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER",
        "CARGO_BUILD_RUSTC_WRAPPER",
        "CARGO_BUILD_RUSTC",
        "CARGO_BUILD_RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_ALIAS_TEST",
        "RUSTC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTFLAGS",
        "RUSTDOCFLAGS",
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "DYLD_INSERT_LIBRARIES",
        "BASH_ENV",
        "ENV",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "PYTEST_ADDOPTS",
        "NODE_OPTIONS",
        "GOFLAGS",
        "MAKEFLAGS",
        "GIT_DIR",
        "PERL5OPT",
        "RUBYOPT",
        "JAVA_TOOL_OPTIONS",
        "NEXTEST_PROFILE",
        "CARGO_REGISTRY_TOKEN",
        "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
    ];
    let mut env: Vec<(&str, &str)> = hostile.iter().map(|name| (*name, "planted")).collect();
    // Git itself would look there.
    env.retain(|(name, _)| *name != "GIT_DIR" && *name != "LD_PRELOAD");
    env.push(("SPECWARD_NOT_PLANTED", "x"));
    env.push(("LC_PLANTED", "seen"));
    let report = specward_json(&repo, &env);
    let evidence = criterion(&report, "sign-in")["checks"][0]["evidence"].as_str().expect("evidence").to_owned();
    assert!(evidence.contains("LC_PLANTED=seen"), "{evidence}");
    for name in hostile {
        assert!(!evidence.contains(&format!("{name}=")), "{name} is passed on: {evidence}");
    }
    assert!(!evidence.contains("SPECWARD_NOT_PLANTED"), "{evidence}");
}

fn specward_json(repo: &Repo, env: &[(&str, &str)]) -> serde_json::Value {
    let args = ["verify", "--format", "json", "--changed", "--only", "sign-in"];
    let outcome = crate::checked::specward_with(repo, env, &args);
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}\n{outcome}"))
}

/// "42": configuration of a runner, and a program of the tree, are told when they change
#[test]
fn row_42_runner_configuration_is_told() {
    for (command, path, content) in [
        ("[cargo, test]", ".cargo/config.toml", "[target.'cfg(all())']\nrunner = \"true\"\n"),
        ("[cargo, test]", ".cargo/config", "[alias]\ntest = \"version\"\n"),
        ("[cargo, nextest, run]", ".config/nextest.toml", "[profile.default]\n"),
        ("[cargo, test]", "Cargo.toml", "[workspace]\n"),
        ("[cargo, test, --test, auth]", "tests/auth.rs", "// nothing\n"),
        ("[python3, -m, pytest]", "conftest.py", "collect_ignore_glob = ['*']\n"),
        ("[pytest, tests]", "pytest.ini", "[pytest]\n"),
        ("[npm, test]", "package.json", "{\"scripts\": {\"test\": \"true\"}}\n"),
        ("[npx, jest]", "jest.config.js", ""),
        ("[make, check]", "Makefile", "check:\n"),
        ("[tools/check]", "tools/check", "#!/bin/sh\n"),
        ("[./tools/check, all]", "tools/check", "#!/bin/sh\n"),
        ("[env, X=1, ./tools/check]", "tools/check", "#!/bin/sh\n"),
        ("[bash, -e, tools/check]", "tools/check", "#!/bin/sh\n"),
        ("cd tools && ./check\n        shell: true", "tools/check", "#!/bin/sh\n"),
        ("sh -c 'exec tools/check'\n        shell: true", "tools/check", "#!/bin/sh\n"),
        ("[sh, -c, 'exec tools/check --fast']", "tools/check", "#!/bin/sh\n"),
    ] {
        let check = format!("command: {command}");
        let repo = checked_by(&check, &[]);
        repo.write(FILE, format!("# run again\n{}", repo.read(FILE)));
        repo.write(path, content);
        // Nothing needs to be run to tell.
        tells(&repo, &[WORKTREE, &["--no-checks"][..]].concat(), path);
        repo.commit("runner");
        tells(&repo, &[COMMITS, &["--no-checks"][..]].concat(), path);
    }
}

/// "42": a program whose name is a path is the one of the tree, which is told
#[test]
fn row_42_a_program_of_the_tree() {
    let start = || {
        let repo = checked_by("command: [tools/check]", &[("tools/check", &format!("#!/bin/sh\n{LOOKS}"))]);
        executable(&repo, "tools/check");
        repo.git(&["checkout", "-q", "main"]);
        repo.commit("a program");
        repo.git(&["checkout", "-q", "-B", "work"]);
        repo
    };
    let repo = start();
    run(&repo).passes();
    repo.write(SOURCE, BROKEN);
    run(&repo).fails(&["sign-in is broken"]);
    repo.write("tools/check", "#!/bin/sh\nexit 0\n");
    tells(&repo, &[WORKTREE, &["--only", "sign-in"][..]].concat(), "tools/check");
    // Without the bit it is none.
    let repo = start();
    fs::set_permissions(repo.path("tools/check"), std::os::unix::fs::PermissionsExt::from_mode(0o644)).expect("a mode");
    run(&repo).is_unverifiable(&["not executable"]);
}

/// Every check of one criterion counts.
#[test]
fn row_41_the_worst_check_decides() {
    let both = |first: &str, second: &str| criteria(&format!("{first}\n      - {second}"));
    let (good, bad) = ("file: { path: src/main.rs, exists: true }", "file: { path: src/none.rs, exists: true }");
    let unknown = "command: [no-such-program-anywhere]";
    let of = |text: &str| -> Outcome { run(&with(&[(FILE, text)])) };
    of(&both(good, good)).passes();
    of(&both(good, bad)).fails(&["Failed check: 2 file"]);
    of(&both(unknown, bad)).fails(&["Failed check: 2 file"]);
    of(&both(good, unknown)).is_unverifiable(&["2 command"]);
}
