//! What checks run and see: commands, files, searches, reports of tests.

use std::fs;
use std::time::{Duration, Instant, SystemTime};

use crate::checked::{FILE, HOLDS, criteria, on_branch, put, spec};
use crate::support::{AUTH, SPECWARD, Sandbox};

#[test]
fn shared_command() {
    let sandbox = Sandbox::bare_folder();
    let run = "command: [sh, t.sh]";
    put(&sandbox, &[("One", &[run]), ("Two", &[HOLDS, run]), ("Three", &[run, run])]);
    sandbox.write("t.sh", "echo ran >> ran\necho out of it\nexit 1\n");
    let judged = sandbox.json(&[]);
    judged.is("FAIL").has("one", "FAIL").has("two", "FAIL").has("three", "FAIL");
    assert_eq!(fs::read_to_string(sandbox.path("ran")).expect("it ran"), "ran\n");
    for (id, number) in [("one", 1), ("two", 2), ("three", 2)] {
        assert!(judged.check(id, number, "evidence").contains("out of it"), "{:#}", judged.report);
    }
    // What is expected of it may differ; another time is another run.
    let other = "{ command: [sh, t.sh], expect: { exit: 1, stdout: { contains: out } } }";
    put(&sandbox, &[("One", &[run]), ("Two", &[other]), ("Three", &["{ command: [sh, t.sh], timeout: 77s }"])]);
    fs::remove_file(sandbox.path("ran")).expect("it is there");
    sandbox.json(&["--jobs", "3"]).has("one", "FAIL").has("two", "PASS").has("three", "FAIL");
    assert_eq!(fs::read_to_string(sandbox.path("ran")).expect("it ran"), "ran\nran\n");
}

#[test]
fn environment() {
    let mut sandbox = Sandbox::project();
    put(&sandbox, &[("One", &["command: [sh, t.sh]"])]);
    // It would wait for ever if there was anything to wait for.
    sandbox.write("t.sh", "cat\nenv\necho \"in $(pwd)\"\nexit 1\n");
    for (name, value) in [("PLAIN_NAME", "1"), ("APP_ONE", "2"), ("LANG", "de_DE.UTF-8"), ("CARGO_HOME", "/cargo")] {
        sandbox.set(name, value);
    }
    sandbox.set("RUSTC_WRAPPER", "/bin/sh");
    sandbox.set("CARGO_BUILD_RUSTC_WRAPPER", "/bin/sh");
    let judged = sandbox.json(&[]);
    let evidence = judged.check("one", 1, "evidence");
    for there in ["\nPATH=", "\nHOME=", "\nLANG=de_DE.UTF-8\n", "\nCARGO_HOME=/cargo\n", "\nSPECWARD_CHECK="] {
        assert!(evidence.contains(there), "{there}: {evidence}");
    }
    for gone in ["PLAIN_NAME", "APP_ONE", "WRAPPER", "GIT_AUTHOR_NAME"] {
        assert!(!evidence.contains(gone), "{gone}: {evidence}");
    }
    sandbox.write("openspec/specward.yaml", "checks: { env: [PLAIN_NAME, 'APP_*'] }\n");
    let judged = sandbox.json(&[]);
    let evidence = judged.check("one", 1, "evidence");
    assert!(evidence.contains("\nPLAIN_NAME=1\n") && evidence.contains("\nAPP_ONE=2\n"), "{evidence}");
    // The folder is the top of the tree, wherever specward is called.
    fs::create_dir_all(sandbox.path("a/b")).expect("folders");
    let judged = sandbox.at("a/b").json(&[]);
    let evidence = judged.check("one", 1, "evidence");
    assert!(evidence.contains(&format!("\nin {}\n", sandbox.root.display())), "{evidence}");
}

#[test]
fn without_a_shell() {
    let sandbox = Sandbox::bare_folder();
    let text = "[sh, t.sh, '$HOME; exit 0']";
    put(
        &sandbox,
        &[("One", &[&format!("command: {text}")]), ("Two", &["{ command: 'sh t.sh $((1+1))', shell: true }"])],
    );
    sandbox.write("t.sh", "echo \"<$1>\"\nexit 1\n");
    let judged = sandbox.json(&[]);
    assert!(judged.check("one", 1, "evidence").contains("<$HOME; exit 0>"), "{:#}", judged.report);
    assert!(judged.check("two", 1, "evidence").contains("<2>"), "{:#}", judged.report);
}

#[test]
fn shim_in_the_work_tree() {
    let mut sandbox = on_branch(&[("One", &["command: [my-tool, test]"])], &[("bin/my-tool", "#!/bin/sh\nexit 0\n")]);
    fs::create_dir(sandbox.top.join("tools")).expect("a folder");
    sandbox.write("../tools/my-tool", "#!/bin/sh\necho from outside\nexit 1\n");
    for tool in ["bin/my-tool", "../tools/my-tool"] {
        sandbox.make_executable(tool);
    }
    let (inside, outside) = (sandbox.path("bin"), sandbox.top.join("tools"));
    sandbox.look_first_in(&[&inside.display().to_string(), "bin", &outside.display().to_string()]);
    let judged = sandbox.json(&[]);
    judged.is("FAIL").has("one", "FAIL");
    assert!(judged.check("one", 1, "evidence").contains("\nfrom outside\n"), "{:#}", judged.report);
    // Who means the one in the tree says so.
    sandbox.write("openspec/specward.yaml", "checks: { path: [bin] }\n");
    sandbox.json(&[]).is("PASS");
}

#[test]
fn other_files_on_disk() {
    let file = "file: { path: app.txt, contains: open }";
    let sandbox = on_branch(
        &[("One", &["command: [sh, t.sh]"]), ("Two", &[file])],
        &[("app.txt", "open\n"), ("t.sh", "exit 0\n")],
    );
    sandbox.write(AUTH, spec(&["One", "Two"]).replace("with a password", "with a passphrase"));
    sandbox.commit("second");
    let compare = ["--changed", "--base", "main", "--head", "HEAD"];
    sandbox.json(&compare).is("PASS").has("one", "PASS").has("two", "PASS");
    sandbox.write("app.txt", "locked\n");
    let judged = sandbox.json(&compare);
    judged.is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "app.txt").tells(
        "one",
        "UNVERIFIABLE",
        "check the commit out",
    );
    judged.has("two", "PASS");
    // The same of an index.
    sandbox.write(AUTH, spec(&["One", "Two"]).replace("with a password", "with a key"));
    sandbox.git(&["add", AUTH]);
    let judged = sandbox.json(&["--staged"]);
    judged.is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "app.txt").tells(
        "one",
        "UNVERIFIABLE",
        "git stash --keep-index",
    );
    sandbox.git(&["checkout", "-q", "app.txt"]);
    sandbox.json(&["--staged"]).is("PASS");
}

/// Waits until a process is gone. One nobody has asked about since it ended is.
fn assert_gone(pid: &str) {
    let number = pid.trim().parse().ok().and_then(rustix::process::Pid::from_raw).expect("a process's number");
    let until = Instant::now() + Duration::from_secs(60);
    while rustix::process::test_kill_process(number).is_ok() {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        if stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])) {
            return;
        }
        assert!(Instant::now() < until, "{pid} survives: {stat}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn stubborn_children() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(
        "t.sh",
        "trap '' TERM HUP INT\necho $$ >> pids\nsh -c 'echo $$ >> pids; sleep 1000; sleep 1000' &\n\
         (sh -c 'echo $$ >> pids; while :; do sleep 1; done' &)\nwhile :; do sleep 1; done\n",
    );
    // Longer on a machine that is too slow to start three shells.
    for seconds in [1, 5, 25] {
        put(&sandbox, &[("One", &[&format!("{{ command: [sh, t.sh], timeout: {seconds}s }}")])]);
        let judged = sandbox.json(&[]);
        judged.is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "was killed with all its processes");
        judged.tells("one", "UNVERIFIABLE", "a longer `timeout`");
        let pids = fs::read_to_string(sandbox.path("pids")).unwrap_or_default();
        pids.lines().for_each(assert_gone);
        if pids.lines().count() >= 3 {
            return;
        }
    }
    panic!("the children never ran");
}

#[test]
fn output_without_end() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write("t.sh", "i=0\nwhile :; do echo \"line $i\"; i=$((i+1)); done\n");
    sandbox.write("openspec/specward.yaml", "max-evidence-bytes: 1024\nchecks: { timeout: 2s }\n");
    put(&sandbox, &[("One", &["command: [sh, t.sh]"])]);
    let judged = sandbox.json(&[]);
    judged.is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "did not end within");
    let evidence = judged.check("one", 1, "evidence");
    let (start, end) = evidence.split_once(" bytes left out ").expect("a cut");
    assert!(start.contains("\nline 0\nline 1\n") && !end.contains("\nline 1\n"), "{evidence}");
    let last = end.lines().rfind(|line| line.starts_with("line ")).expect("a last line");
    assert!(last["line ".len()..].parse::<u64>().expect("a number") > 100, "{evidence}");
    assert!(evidence.len() < 1200, "{evidence}");
}

#[test]
fn check_that_runs_the_gate() {
    let mut sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[&format!("command: [{SPECWARD}, verify]")])]);
    let judged = sandbox.json(&[]);
    judged.is("FAIL").tells("one", "FAIL", "exits with 2");
    let evidence = judged.check("one", 1, "evidence");
    assert!(evidence.contains("specward was started inside its own check"), "{evidence}");
    assert!(evidence.contains("fix: let the check run the tests themselves"), "{evidence}");
    put(&sandbox, &[("One", &[&format!("command: [{SPECWARD}, verify, --no-checks]")])]);
    sandbox.json(&[]).is("PASS");
    // As the inner one sees it, in each format.
    put(&sandbox, &[("One", &[HOLDS])]);
    sandbox.set("SPECWARD_CHECK", "20260102T030405Z-00000001/1");
    sandbox.run(&["verify"]).exits(2).complains("inside its own check 20260102T030405Z-00000001/1");
    sandbox.agent(&[]).exits(2).says("SPECWARD VERDICT: UNVERIFIABLE\n").says("inside its own check");
    sandbox.run(&["verify", "--no-checks"]).exits(0);
}

#[test]
fn searched_for_what_must_not_be_there() {
    let sandbox = Sandbox::bare_folder();
    let search =
        |expect: &str| format!("search: {{ files: ['src/**/*.rs'], pattern: 'unwrap\\(\\)', expect: {expect} }}");
    put(&sandbox, &[("One", &[&search("absent")]), ("Two", &[&search("present")])]);
    sandbox.write("src/a.rs", "one\n    two.unwrap();\n");
    sandbox.write("src/in/b.rs", "three.unwrap()\n");
    sandbox.write("other/c.rs", "four.unwrap()\n");
    sandbox.write(".gitignore", "src/in\n");
    let judged = sandbox.json(&[]);
    judged.is("FAIL").tells("one", "FAIL", "2 lines match in 2 of 2 files; none may").has("two", "PASS");
    assert_eq!(judged.check("one", 1, "evidence"), "src/a.rs:2:    two.unwrap();\nsrc/in/b.rs:1:three.unwrap()");
    sandbox.agent(&[]).exits(1).says("\n  | src/in/b.rs:1:three.unwrap()\n");
    sandbox.write(FILE, criteria(&[("One", &["search: { files: ['src/**/*.rs'], pattern: unwrap, max: 1 }"])]));
    sandbox.json(&[]).tells("one", "FAIL", "at most 1 may");
}

#[test]
fn nothing_to_search() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &["search: { files: ['srv/**/*.rs'], pattern: unwrap, expect: absent }"])]);
    sandbox.write("src/a.rs", "");
    let judged = sandbox.json(&[]);
    judged.is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "no file matches `srv/**/*.rs`; correct the globs");
}

/// A report with one test that passed, one that was skipped and one that failed.
const REPORT: &str = "<testsuites><testsuite name=\"t\" tests=\"3\" failures=\"1\" skipped=\"1\">\
    <testcase classname=\"t\" name=\"good\"/>\
    <testcase classname=\"t\" name=\"left\"><skipped message=\"no network\"/></testcase>\
    <testcase classname=\"t\" name=\"bad\"><failure message=\"1 is not 2\">at t.rs:7</failure></testcase>\
    </testsuite></testsuites>\n";

/// A criterion for each test of [`REPORT`], the first with a command that writes it.
fn with_report(write: &str) -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    let junit = |test: &str| format!("junit: {{ report: out/junit.xml, test: '{test}', newer-than: run }}");
    put(
        &sandbox,
        &[
            ("One", &[&format!("command: [sh, {write}]"), &junit("t::good")]),
            ("Two", &[&junit("t::left")]),
            ("Three", &[&junit("bad")]),
            ("Four", &[&junit("t::god")]),
        ],
    );
    sandbox.write("write.sh", format!("mkdir -p out && cat > out/junit.xml <<'END'\n{REPORT}END\n"));
    sandbox.write("nothing.sh", "ls\n");
    sandbox
}

#[test]
fn stale_report() {
    let sandbox = with_report("nothing.sh");
    sandbox.json(&["--only", "one"]).is("UNVERIFIABLE").has("one", "UNVERIFIABLE");
    sandbox.write("out/junit.xml", REPORT);
    let old = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options()
        .write(true)
        .open(sandbox.path("out/junit.xml"))
        .expect("a file")
        .set_modified(old)
        .expect("a time");
    let judged = sandbox.json(&["--only", "one", "three"]);
    judged.is("UNVERIFIABLE").has("one", "UNVERIFIABLE").tells("three", "UNVERIFIABLE", "it is older than this run");
    assert!(
        judged.check("one", 2, "message").contains("let a command check of this run write it"),
        "{:#}",
        judged.report
    );
    with_report("write.sh").json(&["--only", "one"]).is("PASS").has("one", "PASS");
}

#[test]
fn skipped_test() {
    let sandbox = with_report("write.sh");
    let judged = sandbox.json(&[]);
    judged.is("FAIL").has("one", "PASS");
    judged.tells("two", "UNVERIFIABLE", "`t::left` did not run: no network").tells(
        "three",
        "FAIL",
        "`t::bad` failed: 1 is not 2",
    );
    judged.tells("four", "UNVERIFIABLE", "is `t::good` meant?");
    assert!(judged.check("three", 1, "evidence").contains("at t.rs:7"), "{:#}", judged.report);
    sandbox.write("write.sh", "mkdir -p out && echo '<testsuite>' > out/junit.xml\n");
    sandbox.json(&[]).tells("two", "UNVERIFIABLE", "is no JUnit report");
    let leave = sandbox.json(&["--only", "three"]);
    leave.tells("three", "UNVERIFIABLE", "");
}

#[test]
fn files_looked_at() {
    let sandbox = Sandbox::bare_folder();
    let checks = [
        ("a", "file: { path: doc.md, contains: '--timeout' }", "PASS", ""),
        ("b", "file: { path: doc.md, contains: ['--timeout', '--jobs'] }", "FAIL", "--jobs"),
        ("c", "file: { path: doc.md, not-contains: TODO }", "FAIL", "TODO"),
        ("d", "file: { path: doc.md, matches: '^# D[aeiou]c$' }", "PASS", ""),
        ("e", "file: { path: none.md, exists: true }", "FAIL", "none.md"),
        ("f", "file: { path: none.md, absent: true }", "PASS", ""),
        ("g", "file: { path: none.md, not-contains: x }", "FAIL", "none.md"),
        ("h", "file: { path: secret, contains: root }", "UNVERIFIABLE", "secret"),
    ];
    let entries: Vec<(&str, [&str; 1])> = checks.iter().map(|(id, check, ..)| (*id, [*check])).collect();
    let entries: Vec<(&str, &[&str])> = entries.iter().map(|(id, check)| (*id, &check[..])).collect();
    put(&sandbox, &entries);
    sandbox.write("doc.md", "# Doc\nTODO: --timeout\n");
    sandbox.link("secret", "/etc/passwd");
    let judged = sandbox.json(&[]);
    for (id, _, verdict, words) in checks {
        judged.tells(id, verdict, words);
    }
    assert!(!judged.outcome.stdout.contains("/bin/"), "nothing from outside: {}", judged.outcome.shown());
}
