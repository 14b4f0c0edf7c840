//! D. Disarm the gate by checks that never end and files of criteria that nobody can read.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::checked::{CRITERIA, FILE, GOOD, SCRIPT, checked_by, criterion, json, repo, run, with};
use crate::repo::{Outcome, Repo, SOURCE};

/// Whatever a test waits for is there long before, or never.
const PATIENCE: Duration = Duration::from_secs(120);

/// Processes of every kind that wants to stay: each ignores what it can, and says who it is.
const STUBBORN: &str = "trap '' TERM INT HUP
echo $$ > leader
sh -c 'trap \"\" TERM INT HUP; echo $$ > child; while :; do sleep 1; done' &
sh -c 'sh -c \"trap : TERM; echo \\$\\$ > grandchild; while :; do sleep 1; done\" &' &
SETSID sh -c 'trap \"\" TERM HUP; echo $$ > escaped; while :; do sleep 1; done' &
while ! [ -s child ] || ! [ -s grandchild ] || ! [ -s escaped ]; do sleep 0.05; done
echo ready
";

const NAMES: [&str; 4] = ["leader", "child", "grandchild", "escaped"];

fn stubborn(end: &str) -> String {
    // Elsewhere there is no such program.
    let setsid = if cfg!(target_os = "linux") { "setsid" } else { "" };
    STUBBORN.replace("SETSID", setsid) + end
}

/// Whether a process is there and does anything.
fn lives(pid: &str) -> bool {
    if cfg!(target_os = "linux") {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        return stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']));
    }
    #[expect(clippy::disallowed_methods, reason = "tests run programs")]
    let mut command = std::process::Command::new("kill");
    command.args(["-0", pid.trim()]).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[track_caller]
fn assert_gone(repo: &Repo, names: &[&str]) {
    for name in names {
        let pids = fs::read_to_string(repo.path(name)).expect("it said who it is");
        for pid in pids.lines() {
            let until = Instant::now() + PATIENCE;
            while lives(pid) {
                assert!(Instant::now() < until, "{name} ({pid}) is still there");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// Runs a check that ends by its time limit, with a longer one when the machine was too slow to get it going.
fn run_until_ready(script: &str) -> (Repo, Outcome) {
    for seconds in [3, 9, 27, 81] {
        let check = format!("command: [sh, tests/hang.sh]\n        name: acceptance\n        timeout: {seconds}s");
        let repo = checked_by(&check, &[("tests/hang.sh", script)]);
        let outcome = run(&repo);
        if outcome.stdout.contains("  | ready") {
            return (repo, outcome);
        }
    }
    panic!("it was never ready");
}

/// "46 make the gate slow: time-out, huge file, deep nesting, fork bomb in a check, output flood": a check that forks,
/// leaves its group and ignores every signal it can
#[test]
fn row_46_a_check_that_does_not_end() {
    let (repo, outcome) = run_until_ready(&stubborn("while :; do sleep 1; done\n"));
    outcome.is_unverifiable(&["could not verify check 1 command acceptance", "killed with all its processes"]);
    assert_gone(&repo, &NAMES);
}

/// "46": one that ends, and leaves the others to go on
#[test]
fn row_46_a_check_that_leaves_processes() {
    let script = stubborn("echo it works\n");
    let repo = checked_by("command: [sh, tests/leave.sh]", &[("tests/leave.sh", &script)]);
    run(&repo).passes();
    assert_gone(&repo, &NAMES);
}

/// "46": specward is told to end while a check runs
#[test]
fn row_46_specward_is_told_to_end() {
    for (signal, number) in [("TERM", 15), ("INT", 2)] {
        // Whoever starts tests in the background ignores some for all their children, and so does specward then.
        if is_ignored(number) {
            continue;
        }
        let script = stubborn("while :; do sleep 1; done\n");
        let repo = checked_by("command: [sh, tests/hang.sh]", &[("tests/hang.sh", &script)]);
        let mut command = repo.clean(env!("CARGO_BIN_EXE_specward"), repo.top());
        command.args(["verify", "--changed", "--only", "sign-in"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut specward = command.spawn().expect("specward runs");
        wait_for(&mut specward, || NAMES.iter().all(|name| fs::read(repo.path(name)).is_ok_and(|pid| !pid.is_empty())));
        let pid = specward.id().to_string();
        let status = repo.clean("kill", repo.top()).args([&format!("-{signal}"), &pid]).status();
        assert!(status.expect("kill runs").success());
        assert_eq!(specward.wait().expect("it ends").code(), Some(128 + number));
        assert_gone(&repo, &NAMES);
    }
}

/// Whether this process ignores a signal. Where nobody can tell it does not.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[track_caller]
fn wait_for(child: &mut Child, is_there: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_there() {
        assert!(Instant::now() < until, "it does not start");
        assert!(child.try_wait().expect("a status").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// "46": a fork bomb, of a size that this machine survives
#[test]
fn row_46_fork_bomb() {
    let bomb = "n=${1:-0}\nif [ $n -ge 5 ]; then echo $$ >> swarm; while :; do sleep 1; done; fi\n\
        if [ $n -eq 0 ]; then (while [ $(cat swarm 2>&1 | wc -l) -lt 32 ]; do sleep 0.1; done; echo ready) & fi\n\
        while :; do sh tests/hang.sh $((n + 1)) & sh tests/hang.sh $((n + 1)) & wait; done\n";
    let (repo, outcome) = run_until_ready(bomb);
    outcome.is_unverifiable(&["could not verify check 1"]);
    assert_gone(&repo, &["swarm"]);
}

/// "46": more output than anybody keeps. What counts are its end and its exit code, and its middle is known to be lost
#[test]
fn row_46_output_flood() {
    let flood = "yes flood | head -c 20000000\n";
    let of = |expect: &str, end: &str| {
        let check = format!("command: [sh, tests/flood.sh]\n        expect: {expect}");
        checked_by(&check, &[("tests/flood.sh", &format!("{flood}{end}"))])
    };
    let repo = of("{ stdout: { contains: at the end } }", "echo at the end\n");
    let report = json(&repo, &["--changed", "--only", "sign-in"]);
    let check = &criterion(&report, "sign-in")["checks"][0];
    assert_eq!((&check["verdict"], &check["evidence_truncated"]), (&"PASS".into(), &true.into()), "{check:#}");
    assert!(check["evidence_bytes"].as_u64().is_some_and(|bytes| bytes > 20_000_000), "{check:#}");
    assert!(check["evidence"].as_str().is_some_and(|text| text.len() < 70_000));
    // Nothing is said of what was not seen.
    run(&of("{ stdout: { not-contains: secret } }", "")).is_unverifiable(&["the middle of the output was not kept"]);
    run(&of("{ stdout: { contains: it works } }", "")).is_unverifiable(&["the middle of the output was not kept"]);
    run(&of("{ exit: 0 }", "exit 7\n")).fails(&["exits with 7"]);
    // The report is as short as ever.
    let outcome = run(&of("{ exit: 0 }", "head -c 1000000 /dev/zero | tr '\\0' x; exit 7\n"));
    assert!(outcome.stdout.len() < 20_000, "{} bytes", outcome.stdout.len());
    // A flood without an end.
    let endless = "command: [sh, -c, 'cat /dev/zero']\n        timeout: 1s";
    run(&checked_by(endless, &[])).is_unverifiable(&["killed with all its processes"]);
}

/// "46": a check waits for input, or runs the gate itself
#[test]
fn row_46_input_and_recursion() {
    let repo =
        checked_by("command: [sh, tests/read.sh]", &[("tests/read.sh", "cat; read line || echo nothing to read\n")]);
    run(&repo).passes();
    let gate = env!("CARGO_BIN_EXE_specward");
    let script = format!("'{gate}' verify --format agent; code=$?; echo it ended with $code; exit $code\n");
    let repo = checked_by("command: [sh, tests/gate.sh]", &[("tests/gate.sh", &script)]);
    run(&repo).fails(&["exits with 2", "it ended with 2"]);
    // Whoever sets the mark does not get past the checks.
    let outcome = repo.verify_env(&[("SPECWARD_CHECK", "x")], &["--changed", "--frozen-spec", "--only", "sign-in"]);
    outcome.could_not_run(&["check"]);
}

fn bomb() -> String {
    let list = |of: char| format!("[{}]", vec![format!("*{of}"); 9].join(", "));
    let mut text = "version: 1\ncriteria:\n  - requirement: &a x\n    scenario: y\n    verify: [".to_owned();
    for (name, of) in ('b'..='j').zip('a'..) {
        text += &format!("&{name} {}, ", list(of));
    }
    text + "]\n"
}

/// Files that cannot be used, each with what is said of it.
fn unusable() -> Vec<(Vec<u8>, &'static str)> {
    let entry = |number: usize| format!("  - {{requirement: Sign in, scenario: Right password, id: n{number}}}\n");
    let many = "version: 1\ncriteria:\n".to_owned() + &(0..=20_000).map(entry).collect::<String>();
    let large = format!("{CRITERIA}# {}\n", "x".repeat(4 << 20));
    vec![
        (large.into_bytes(), "are more than the 4194304 that are read"),
        (many.into_bytes(), "20001 criteria are more than the 20000"),
        (bomb().into_bytes(), ""),
        (b"version: 1\ncriteria: \xff\xfe\n".to_vec(), "is not UTF-8"),
        ("\u{feff}version: 1\ncriteria:\n".encode_utf16().flat_map(u16::to_le_bytes).collect(), "is not UTF-8"),
        (b"version: 1\ncriteria: \0\n".to_vec(), ""),
        (CRITERIA.replace("acceptance", "a\0b").into_bytes(), ""),
        (format!("version: 1\ncriteria: {}", "[".repeat(200_000)).into_bytes(), ""),
        (format!("version: 1\ncriteria: {}", "{a: ".repeat(100_000)).into_bytes(), ""),
        (format!("version: 1\ncriteria:\n{}x", "- ".repeat(50_000)).into_bytes(), ""),
        (format!("{}\n{}: x\n", CRITERIA.trim_end(), "k".repeat(1 << 20)).into_bytes(), ""),
        (format!("{CRITERIA}---\n{CRITERIA}").into_bytes(), ""),
        (CRITERIA.replace("version: 1", "version: &a 1\nversion: 1").into_bytes(), ""),
        (b"&a [*a]".to_vec(), ""),
    ]
}

/// "46", "47 make it crash: bad UTF-8, NUL, YAML bomb, enormous line": files of criteria
#[test]
fn row_47_files_that_cannot_be_used() {
    for (content, says) in unusable() {
        let repo = repo();
        repo.write(FILE, &content);
        let shown = String::from_utf8_lossy(&content[..content.len().min(60)]).into_owned();
        let outcome = repo.frozen();
        outcome.fails_frozen(&[FILE]);
        assert!(outcome.stdout.contains(says), "{shown}: {outcome}");
        assert!(outcome.stdout.len() < 30_000, "{shown}: {} bytes", outcome.stdout.len());
        // Without a base it is no pass either, and named.
        let tree = repo.verify(&[]);
        tree.fails(&[FILE, says]);
        // Base's criterion ran.
        let report = json(&repo, &["--changed", "--frozen-spec"]);
        assert_eq!(criterion(&report, "sign-in")["verdict"], "PASS", "{shown}");
        if content.len() > 100_000 {
            continue;
        }
        repo.write(SOURCE, "");
        repo.commit("unusable");
        repo.frozen_commits().fails(&["sign-in is broken", FILE]);
    }
}

/// "47": what cannot be used on base is no reason to pass
#[test]
fn row_47_base_that_cannot_be_used() {
    let repo = with(&[(FILE, "version: 1\ncriteria: [\n")]);
    repo.weaken();
    repo.frozen().fails(&[FILE, "freeze/spec-changed"]);
    repo.verify(&["--changed"]).fails(&[FILE]);
    repo.verify(&[]).fails(&[FILE]);
    repo.verify(&["--changed", "--only", "sign-in"]).could_not_run(&["sign-in"]);
}

/// "47": a pipe, a link to something endless, folders inside each other
#[test]
fn row_47_no_files() {
    for make in [
        |repo: &Repo| {
            let status = repo.clean("mkfifo", repo.top()).arg(FILE).status().expect("mkfifo runs");
            assert!(status.success());
        },
        |repo: &Repo| repo.link("/dev/zero", FILE),
        |repo: &Repo| repo.link("auth.yaml", FILE),
        |repo: &Repo| {
            let huge = fs::File::create(repo.path(FILE)).expect("a file");
            huge.set_len(1 << 40).expect("a sparse file");
        },
    ] {
        let repo = repo();
        repo.remove(FILE);
        make(&repo);
        let report = json(&repo, &["--changed", "--frozen-spec"]);
        assert_eq!((&report["verdict"], &criterion(&report, "sign-in")["verdict"]), (&"FAIL".into(), &"PASS".into()));
        let tree = json(&repo, &[]);
        assert_ne!(tree["verdict"], "PASS", "{tree:#}");
    }
    let repo = repo();
    repo.write(&format!("openspec/verify{}/auth.yaml", "/d".repeat(500)), CRITERIA);
    repo.frozen().fails(&["openspec/verify", "too deep"]);
    assert_ne!(json(&repo, &[])["verdict"], "PASS");
}

/// "46", "47": what checks look at
#[test]
fn row_47_files_that_checks_read() {
    let search = "search: { files: [\"src/**\"], pattern: \"sign_in\", expect: present }";
    let file = "file: { path: src/main.rs, contains: sign_in }";
    let absent = "search: { files: [\"src/**\"], pattern: \"todo\", expect: absent }";
    for check in [search, file, absent] {
        run(&checked_by(check, &[])).passes();
    }
    for make in [
        |repo: &Repo| repo.write(SOURCE, b"\xff\xfe\0\0"),
        |repo: &Repo| repo.remove(SOURCE),
        |repo: &Repo| {
            repo.remove(SOURCE);
            repo.link("/dev/zero", SOURCE);
        },
        |repo: &Repo| {
            repo.remove(SOURCE);
            let status = repo.clean("mkfifo", repo.top()).arg(SOURCE).status().expect("mkfifo runs");
            assert!(status.success());
        },
        |repo: &Repo| {
            let huge = fs::File::create(repo.path(SOURCE)).expect("a file");
            huge.set_len(1 << 40).expect("a sparse file");
        },
        |repo: &Repo| {
            fs::write(repo.outside("good.rs"), GOOD).expect("a file");
            repo.remove(SOURCE);
            repo.link(repo.outside("good.rs"), SOURCE);
        },
    ] {
        for check in [search, file] {
            let repo = checked_by(check, &[]);
            make(&repo);
            let report = json(&repo, &["--changed", "--only", "sign-in"]);
            assert_ne!(report["verdict"], "PASS", "{report:#}");
        }
        // Nothing is absent from what cannot be read; bytes that are no text can.
        let repo = checked_by(absent, &[]);
        make(&repo);
        let report = json(&repo, &["--changed", "--only", "sign-in"]);
        assert_ne!(report["verdict"], "PASS", "{report:#}");
    }
    // A pattern that takes for ever elsewhere.
    let slow = "search: { files: [\"src/**\"], pattern: \"(a+)+$\", expect: absent }";
    run(&checked_by(slow, &[(SOURCE, &("a".repeat(1 << 16) + "!\n"))])).passes();
}

/// A script that is not there any more, or no script.
#[test]
fn row_47_a_script_that_cannot_be_run() {
    for make in [
        |repo: &Repo| repo.remove(SCRIPT),
        |repo: &Repo| {
            repo.remove(SCRIPT);
            repo.write(&format!("{SCRIPT}/x"), "");
        },
        |repo: &Repo| repo.write(SCRIPT, "\0\0\0"),
        |repo: &Repo| repo.write(SCRIPT, "if\n"),
        |repo: &Repo| repo.write(SCRIPT, "kill -9 $$\n"),
        |repo: &Repo| repo.write(SCRIPT, ""),
    ] {
        let repo = repo();
        make(&repo);
        let report = json(&repo, &["--changed", "--only", "sign-in"]);
        assert_ne!(report["verdict"], "PASS", "{report:#}");
    }
}
