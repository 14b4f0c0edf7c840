//! `specward ledger check`, and the lines `verify --ledger` adds.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};
use specward::ledger::chain::{self, Entry};

use crate::checked::{HOLDS, put};
use crate::support::{SPECWARD, Sandbox, faulty};

const LEDGER: &str = "ledger.jsonl";

/// A ledger of three runs; the digest of the last.
fn ledger(sandbox: &Sandbox) -> String {
    let mut digest = String::new();
    for number in 1..=3 {
        let entry = Entry {
            run_id: format!("20260102T030405Z-{number:08x}"),
            time: "2026-01-02T03:04:05Z".to_owned(),
            version: 1,
            specward: "0.1.0".to_owned(),
            verdict: specward::report::Verdict::Fail,
            exit_code: 1,
            counts: specward::report::Counts::default(),
            base: None,
            head: "worktree".to_owned(),
            trees: specward::report::Trees::default(),
            criteria_digest: None,
            criteria: Vec::new(),
        };
        digest = chain::append(&sandbox.path(LEDGER), &entry).expect("it can be written").digest;
    }
    digest
}

#[test]
fn a_whole_ledger_passes_and_its_end_is_proved_by_a_digest() {
    let sandbox = Sandbox::bare_folder();
    let digest = ledger(&sandbox);
    let check = ["ledger", "check", LEDGER];
    let outcome = sandbox.run(&check);
    outcome.exits(0).says("3 lines").says(&format!("last digest: {digest}\n")).says("pass it with --expect");
    let expecting = [&check[..], &["--expect", &digest]].concat();
    sandbox.run(&expecting).exits(0).never_says("--expect");
    for digest in ["", "sha256:", "abc", &digest.replace("sha256:", "md5:")] {
        sandbox.run(&["ledger", "check", LEDGER, "--expect", digest]).exits(2).complains("64 hexadecimal digits");
    }
    let other = format!("sha256:{}", "0".repeat(64));
    sandbox.run(&["ledger", "check", LEDGER, "--expect", &other]).exits(1).says("no line has the expected digest");
}

#[test]
fn removed_end() {
    let sandbox = Sandbox::bare_folder();
    let digest = ledger(&sandbox);
    let [one, two, _] = lines(&sandbox);
    put_lines(&sandbox, &[&one, &two]);
    // Nothing else can tell.
    sandbox.run(&["ledger", "check", LEDGER]).exits(0);
    let outcome = sandbox.run(&["ledger", "check", LEDGER, "--expect", &digest]);
    outcome.exits(1).says(&digest).says("removed from the end");
}

/// The three lines of [`ledger`], without their ends.
fn lines(sandbox: &Sandbox) -> [String; 3] {
    let text = fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.try_into().expect("three lines")
}

fn put_lines(sandbox: &Sandbox, lines: &[&str]) {
    sandbox.write(LEDGER, lines.iter().map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn changed_line() {
    let sandbox = Sandbox::bare_folder();
    ledger(&sandbox);
    let [one, two, three] = lines(&sandbox);
    // Each place would take long, and one library test does it. These are in every part of the line.
    for at in (0..two.len()).step_by(37).chain([two.len() - 1]) {
        let mut changed = two.clone().into_bytes();
        changed[at] = if changed[at] == b'1' { b'2' } else { b'1' };
        let changed = String::from_utf8(changed).expect("ASCII");
        put_lines(&sandbox, &[&one, &changed, &three]);
        sandbox.run(&["ledger", "check", LEDGER]).exits(1).says("ledger.jsonl:2: ");
    }
    // Another way to write the same is another line.
    put_lines(&sandbox, &[&one, &two.replacen("\"seq\":", "\"seq\": ", 1), &three]);
    sandbox.run(&["ledger", "check", LEDGER]).exits(1).says("ledger.jsonl:2: the line was changed");
}

#[test]
fn removed_line() {
    let sandbox = Sandbox::bare_folder();
    ledger(&sandbox);
    let [one, two, three] = lines(&sandbox);
    for (name, lines, at) in [
        ("removed", &[&one, &three][..], 2),
        ("the first removed", &[&two, &three], 1),
        ("repeated", &[&one, &two, &two, &three], 3),
        ("moved", &[&one, &three, &two], 2),
        ("inserted", &[&one, &one, &two, &three], 2),
    ] {
        put_lines(&sandbox, &lines.iter().map(|line| line.as_str()).collect::<Vec<_>>());
        let outcome = sandbox.run(&["ledger", "check", LEDGER]);
        assert_eq!(outcome.code, Some(1), "{name}");
        outcome.says(&format!("ledger.jsonl:{at}: "));
    }
}

/// How many run at a time. Two would do on a small machine; more make it likelier that they meet.
const AT_A_TIME: usize = 8;

const RUNS: usize = 200;

#[test]
fn parallel_runs() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[HOLDS])]);
    sandbox.init(&[]);
    sandbox.commit("first");
    let (started, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let args = ["verify", "--no-checks", "--format", "json", "--ledger", LEDGER];
    let work = || {
        let mut ids = Vec::new();
        while started.fetch_add(1, Ordering::Relaxed) < RUNS {
            let outcome = sandbox.run(&args);
            outcome.exits(0);
            assert_eq!(outcome.stderr, "");
            let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
            assert_eq!(report["notes"], json!([]), "it was stored");
            ids.push(report["run_id"].as_str().expect("a name").to_owned());
        }
        ids
    };
    let folder = specward::ledger::runs_folder(&sandbox.path(".git"));
    let look = || {
        let mut looks = 0;
        while !is_over.load(Ordering::Relaxed) {
            for listed in specward::ledger::list(&folder).expect("a folder that can be read") {
                assert!(matches!(listed, specward::ledger::Listed::Run(_)), "torn while others run: {listed:?}");
            }
            looks += 1;
            thread::sleep(std::time::Duration::from_millis(20));
        }
        looks
    };
    let (ids, looks) = thread::scope(|scope| {
        let reader = scope.spawn(look);
        let workers: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(work)).collect();
        let ended: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
        is_over.store(true, Ordering::Relaxed);
        let ids: Vec<String> = ended.into_iter().flat_map(|ended| ended.expect("a worker")).collect();
        (ids, reader.join().expect("a reader"))
    });
    assert!(looks > 0);
    let ids: BTreeSet<String> = ids.into_iter().collect();
    assert_eq!(ids.len(), RUNS, "each has its own id");
    // Each run has one whole line, in one chain.
    let text = fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a whole line")).collect();
    let in_ledger: BTreeSet<String> =
        lines.iter().map(|line| line["run_id"].as_str().expect("a name").to_owned()).collect();
    assert!(text.ends_with('\n') && lines.len() == RUNS && in_ledger == ids);
    assert!(lines.iter().enumerate().all(|(at, line)| line["seq"] == at + 1));
    sandbox.run(&["ledger", "check", LEDGER]).exits(0).says("200 lines, each as it was written");
    // Who prunes keeps its own run, so some more may stay.
    let listed: Value =
        serde_json::from_str(&sandbox.run(&["runs", "-n", "1000", "--format", "json"]).stdout).expect("JSON");
    let (runs, damaged) = (listed["runs"].as_array().expect("a list"), &listed["damaged"]);
    assert!((100..=100 + AT_A_TIME).contains(&runs.len()), "{} runs", runs.len());
    assert_eq!(damaged, &json!([]));
    let names: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names.len(), runs.len(), "nothing unfinished is left: {names:?}");
    // A line that somebody changes afterwards is found.
    let changed = text.replacen("\"verdict\":\"PASS\"", "\"verdict\":\"FAIL\"", 1);
    assert_ne!(changed, text);
    sandbox.write(LEDGER, changed);
    sandbox.run(&["ledger", "check", LEDGER]).exits(1).says("ledger.jsonl:1: the line was changed");
}

#[test]
fn torn_file() {
    let sandbox = Sandbox::repository();
    let verify = ["verify", "--ledger", LEDGER];
    sandbox.run(&verify).exits(0);
    sandbox.run(&verify).exits(0);
    let text = fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger");
    for end in [text.len() - 1, text.len() - 40] {
        sandbox.write(LEDGER, &text[..end]);
        let outcome = sandbox.run(&verify);
        outcome
            .exits(2)
            .complains("ledger.jsonl:2: the line is torn")
            .complains("fix: ")
            .says("UNVERIFIABLE: 1 passed");
        assert_eq!(fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger"), text[..end], "as it was");
        let json = sandbox.run(&["verify", "--format", "json", "--ledger", LEDGER]);
        let report: Value = serde_json::from_str(&json.exits(2).stdout).expect("JSON");
        assert_eq!((&report["exit_code"], &report["verdict"]), (&json!(2), &json!("UNVERIFIABLE")));
        sandbox.run(&["ledger", "check", LEDGER]).exits(1).says("ledger.jsonl:2: the line is torn");
    }
}

#[test]
fn a_line_tells_what_the_run_came_to() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[HOLDS]), ("Two", &["file: { path: none, exists: true }"])]);
    let outcome = sandbox.run(&["verify", "--format", "json", "--ledger", LEDGER]);
    let report: Value = serde_json::from_str(&outcome.exits(1).stdout).expect("JSON");
    let line: Value =
        serde_json::from_str(&fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger")).expect("one line");
    for key in ["run_id", "verdict", "exit_code", "criteria_digest", "trees", "counts"] {
        assert_eq!(line[key], report[key], "{key}");
    }
    let criteria = json!([{ "id": "one", "verdict": "PASS" }, { "id": "two", "verdict": "FAIL" }]);
    assert_eq!((&line["criteria"], &line["head"]), (&criteria, &json!("worktree")));
    assert_eq!((&line["seq"], &line["prev"], &line["version"]), (&json!(1), &Value::Null, &json!(1)));
    sandbox.run(&["ledger", "check", LEDGER, "--expect", line["digest"].as_str().expect("a digest")]).exits(0);
}

/// As `docs/ledger.md` says.
#[cfg(unix)]
#[test]
fn the_digest_can_be_computed_with_common_tools() {
    let sandbox = Sandbox::bare_folder();
    ledger(&sandbox);
    let rule = r#"tr -d '\n' | sed -E 's/,"digest":"sha256:[0-9a-f]{64}"\}$/}/' | sha256sum"#;
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/ledger.md")).expect("a page");
    assert!(page.contains(&format!("sed -n 1p FILE | {rule}")), "the page has it");
    let outcome = crate::support::run(sandbox.command("sh").args(["-c", &format!("sed -n 1p {LEDGER} | {rule}")]));
    if outcome.stderr.contains("sha256sum") {
        return; // Some systems call it otherwise.
    }
    let line: Value = serde_json::from_str(&lines(&sandbox)[0]).expect("JSON");
    assert_eq!(format!("sha256:{}", &outcome.stdout[..64]), line["digest"].as_str().expect("a digest"));
}

#[test]
fn what_is_no_ledger_is_refused_and_left_alone() {
    let sandbox = Sandbox::repository();
    let verify = |file: &str| sandbox.run(&["verify", "--ledger", file]);
    verify("openspec").exits(2).complains("openspec is not a regular file").complains("fix: name a regular file");
    verify("none/ledger.jsonl").exits(2).complains("none/ledger.jsonl: ").complains("fix: name a file in a folder");
    for (text, why) in [
        ("words\n", "not JSON"),
        ("{}\n", "`seq`, `run_id` or `digest` is missing"),
        ("\n", "not a line of a ledger"),
        ("\u{1b}[2J\n", "not JSON"),
    ] {
        sandbox.write(LEDGER, text);
        verify(LEDGER).exits(2).complains("ledger.jsonl:1: ").complains(why).never_says("\u{1b}");
        assert_eq!(fs::read_to_string(sandbox.path(LEDGER)).expect("a file"), text, "as it was");
    }
    // A line that somebody changed is not built upon.
    fs::remove_file(sandbox.path(LEDGER)).expect("it is there");
    verify(LEDGER).exits(0);
    let text = fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger");
    sandbox.write(LEDGER, text.replace("\"PASS\"", "\"FAIL\""));
    verify(LEDGER).exits(2).complains("the line was changed").complains("name a new one");
    // A run that fails is told in the ledger too, and one that cannot happen adds nothing.
    sandbox.write(LEDGER, "");
    sandbox.write(crate::support::AUTH, faulty());
    verify(LEDGER).exits(1);
    assert!(fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger").contains("\"verdict\":\"FAIL\""));
    sandbox.run(&["verify", "none", "--ledger", LEDGER]).exits(2);
    assert_eq!(fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger").lines().count(), 1);
    assert!(crate::support::run(sandbox.command(SPECWARD).args(["verify", "--ledger"])).code == Some(2));
}

#[cfg(unix)]
#[test]
fn a_link_is_no_ledger() {
    let sandbox = Sandbox::project();
    sandbox.write("real.jsonl", "");
    sandbox.link(LEDGER, "real.jsonl");
    sandbox.run(&["verify", "--ledger", LEDGER]).exits(2).complains("ledger.jsonl is not a regular file");
    assert_eq!(fs::read_to_string(sandbox.path("real.jsonl")).expect("a file"), "");
    fs::remove_file(sandbox.path(LEDGER)).expect("a link");
    crate::support::pipe(&sandbox, LEDGER);
    sandbox.run(&["verify", "--ledger", LEDGER]).exits(2).complains("not a regular file");
}

#[test]
fn a_changed_line_is_named() {
    let sandbox = Sandbox::bare_folder();
    ledger(&sandbox);
    let text = std::fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger");
    let lines: Vec<&str> = text.lines().collect();
    let changed = lines[1].replace("FAIL", "PASS");
    sandbox.write(LEDGER, format!("{}\n{changed}\n{}\n", lines[0], lines[2]));
    sandbox.run(&["ledger", "check", LEDGER]).exits(1).says("ledger.jsonl:2: the line was changed");
    let json = sandbox.run(&["ledger", "check", LEDGER, "--format", "json"]);
    let document: Value = serde_json::from_str(&json.exits(1).stdout).expect("JSON");
    assert_eq!((&document["ok"], &document["problems"][0]["line"]), (&Value::Bool(false), &Value::from(2)));
    sandbox.write(LEDGER, "\u{1b}[2J\n");
    sandbox.run(&["ledger", "check", LEDGER]).exits(1).never_says("\u{1b}");
}

#[test]
fn nothing_to_check_is_no_pass() {
    let sandbox = Sandbox::bare_folder();
    sandbox.run(&["ledger", "check", "none"]).exits(2).complains("fix: ");
    sandbox.run(&["ledger", "check", "."]).exits(2).complains("not a regular file");
    sandbox.write(LEDGER, "");
    sandbox.run(&["ledger", "check", LEDGER]).exits(1).says("empty");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let sandbox = Sandbox::bare_folder();
    crate::support::pipe(&sandbox, LEDGER);
    sandbox.run(&["ledger", "check", LEDGER]).exits(2).complains("not a regular file");
}
