//! D. Disarm the gate by what it stores: runs, and the ledger.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::checked::{BROKEN, FILE, WORKTREE, json, repo, run, specward};
use crate::repo::{Outcome, Repo, SOURCE};

/// A criterion's run with a line in a ledger.
const ARGS: &[&str] = &["verify", "--format", "agent", "--changed", "--frozen-spec", "--only", "sign-in", "--ledger"];

fn verify(repo: &Repo, ledger: &str) -> Outcome {
    specward(repo, &[ARGS, &[ledger]].concat())
}

/// A ledger outside the work tree with a failing run between two passing ones.
fn three_runs() -> (Repo, String) {
    let repo = repo();
    let ledger = repo.outside("ledger.jsonl").display().to_string();
    verify(&repo, &ledger).passes();
    repo.write(SOURCE, BROKEN);
    verify(&repo, &ledger).fails(&["sign-in is broken"]);
    repo.edit_source();
    repo.git(&["checkout", "-q", "--", SOURCE]);
    verify(&repo, &ledger).passes();
    (repo, ledger)
}

fn lines(ledger: &str) -> Vec<String> {
    fs::read_to_string(ledger).expect("a ledger").lines().map(str::to_owned).collect()
}

fn write(ledger: &str, lines: &[String]) {
    fs::write(ledger, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).expect("a ledger");
}

/// Makes a line's digest that of its content again, as whoever reads the documentation can.
fn sealed(line: &str) -> String {
    let (content, _) = line.rsplit_once(",\"digest\":\"").expect("a digest");
    let digest = specward::digest::sha256(format!("{content}}}").as_bytes());
    format!("{content},\"digest\":\"{digest}\"}}")
}

/// "44 session record or ledger deleted, edited, or forged (missing record = base is the merge base and a finding; edited
/// = broken digest)": the ledger
#[test]
fn row_44_edited_ledger() {
    let (repo, ledger) = three_runs();
    let check = ["ledger", "check", ledger.as_str()];
    let whole = specward(&repo, &check);
    whole.exits(0, &["3 lines"]);
    let before = lines(&ledger);
    let last = whole.stdout.split_once("last digest: ").expect("a digest").1;
    let last = last.lines().next().expect("a digest").trim().to_owned();
    let expecting = [&check[..], &["--expect", &last]].concat();
    specward(&repo, &expecting).exits(0, &[]);
    let pass = before[1].replace("\"FAIL\"", "\"PASS\"").replace("\"exit_code\":1", "\"exit_code\":0");
    assert_ne!(pass, before[1]);
    let cases: [(Vec<String>, &str); 6] = [
        (vec![before[0].clone(), pass.clone(), before[2].clone()], ":2: the line was changed"),
        (vec![before[0].clone(), sealed(&pass), before[2].clone()], ":3:"),
        (vec![before[0].clone(), before[2].clone()], ":2:"),
        (vec![before[0].clone(), before[2].clone(), before[1].clone()], ":2:"),
        (vec![before[0].clone(), before[0].clone(), before[1].clone(), before[2].clone()], ":2:"),
        (vec![before[1].clone(), before[2].clone()], ":1:"),
    ];
    for (cheat, says) in cases {
        write(&ledger, &cheat);
        specward(&repo, &check).exits(1, &[says]);
    }
    // What only a digest kept elsewhere tells.
    let forged = sealed(&before[2].replace("\"PASS\"", "\"FAIL\""));
    for cheat in [vec![before[0].clone(), before[1].clone()], vec![before[0].clone(), before[1].clone(), forged]] {
        write(&ledger, &cheat);
        specward(&repo, &check).exits(0, &[]);
        specward(&repo, &expecting).exits(1, &[]);
    }
    write(&ledger, &[]);
    specward(&repo, &check).exits(1, &["empty"]);
    fs::remove_file(&ledger).expect("a file");
    specward(&repo, &check).exits(2, &[]);
    write(&ledger, &before);
    specward(&repo, &expecting).exits(0, &[]);
}

/// "44": nothing is added to a ledger that was tampered with, and the run says so
#[test]
fn row_44_no_line_after_a_forged_one() {
    let (repo, ledger) = three_runs();
    let before = lines(&ledger);
    let could_not_add = |ledger: &str| {
        let outcome = verify(&repo, ledger);
        assert!(outcome.stderr.contains("error: ") && outcome.stderr.contains("fix: "), "{outcome}");
        outcome.exits(2, &[]);
    };
    let changed = before[2].replace("\"PASS\"", "\"FAIL\"");
    write(&ledger, &[before[0].clone(), before[1].clone(), changed]);
    could_not_add(&ledger);
    fs::write(&ledger, format!("{}\n{}", before[0], &before[1][..40])).expect("a torn line");
    could_not_add(&ledger);
    fs::write(&ledger, "no ledger\n").expect("a file");
    could_not_add(&ledger);
    // Where it leads, or what it is.
    write(&ledger, &before);
    std::os::unix::fs::symlink(&ledger, repo.outside("link.jsonl")).expect("a link");
    could_not_add(repo.outside("link.jsonl").to_str().expect("a name"));
    could_not_add(repo.outside("home").to_str().expect("a name"));
    could_not_add("/dev/null");
    assert_eq!(lines(&ledger), before);
    verify(&repo, &ledger).passes();
    assert_eq!(lines(&ledger).len(), 4);
}

fn runs(repo: &Repo) -> Vec<PathBuf> {
    let entries = fs::read_dir(repo.path(".git/specward/runs")).expect("runs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// "44": a stored run is shown as it is stored, and no verdict comes of it
#[test]
fn row_44_stored_runs_decide_nothing() {
    let repo = repo();
    repo.write(SOURCE, BROKEN);
    run(&repo).fails(&["sign-in is broken"]);
    specward(&repo, &["explain", "sign-in"]).exits(0, &["FAIL", "sign-in is broken"]);
    let file = runs(&repo).pop().expect("a run");
    let text = fs::read_to_string(&file).expect("a run");
    fs::write(&file, text.replace("FAIL", "PASS").replace("sign-in is broken", "all is well")).expect("a run");
    // Whoever can write the folder can write what is shown of it.
    specward(&repo, &["explain", "sign-in", "--all"]).exits(0, &["all is well"]);
    run(&repo).fails(&["sign-in is broken"]);
    // One that seems to come from later.
    fs::copy(&file, file.with_file_name("29991231T235959Z-00000000.json")).expect("a copy");
    run(&repo).fails(&["sign-in is broken"]);
    repo.remove(".git/specward");
    run(&repo).fails(&["sign-in is broken"]);
    assert_eq!(runs(&repo).len(), 1);
}

/// "44": a place where nothing can be stored changes no verdict, and is told
#[test]
fn row_44_nowhere_to_store() {
    let repo = repo();
    for make in [
        |repo: &Repo| repo.write(".git/specward", "a file"),
        |repo: &Repo| repo.write(".git/specward/runs", "a file"),
        |repo: &Repo| repo.link("/dev/null", ".git/specward"),
    ] {
        make(&repo);
        repo.write(SOURCE, BROKEN);
        run(&repo).fails(&["sign-in is broken"]);
        repo.git(&["checkout", "-q", "--", SOURCE]);
        let report = json(&repo, &[WORKTREE, &["--only", "sign-in"]].concat());
        assert_eq!(report["verdict"], "PASS", "{report:#}");
        let is_told = |note: &Value| note.as_str().is_some_and(|note| note.contains("this run was not stored"));
        assert!(report["notes"].as_array().is_some_and(|notes| notes.iter().any(is_told)), "{report:#}");
        repo.remove(".git/specward");
    }
}

/// "44": what is bound to a run names what was judged
#[test]
fn row_44_runs_are_bound_to_what_was_judged() {
    let repo = repo();
    let stored = |repo: &Repo| -> Value {
        let text = fs::read_to_string(runs(repo).pop().expect("a run")).expect("a run");
        serde_json::from_str(&text).expect("JSON")
    };
    run(&repo).passes();
    let first = stored(&repo);
    assert_eq!(first["scope"]["base"].as_str(), Some(repo.id("main").as_str()));
    repo.write(SOURCE, format!("{}// more\n", repo.read(SOURCE)));
    run(&repo).passes();
    let second = stored(&repo);
    assert_eq!(first["criteria_digest"], second["criteria_digest"]);
    assert_ne!(first["trees"]["files"], second["trees"]["files"], "{second:#}");
    repo.replace(FILE, "timeout: 60s", "timeout: 61s");
    specward(&repo, &["verify", "--changed", "--only", "sign-in"]).exits(0, &[]);
    let third = stored(&repo);
    assert_ne!(second["criteria_digest"], third["criteria_digest"], "{third:#}");
    assert!(first["criteria_digest"].as_str().is_some_and(|digest| digest.starts_with("sha256:")));
}

/// "48 two gates at once, lock held for ever": runs at the same time, and one ledger
#[test]
fn row_48_runs_at_the_same_time() {
    let repo = repo();
    let ledger = repo.outside("ledger.jsonl").display().to_string();
    repo.write(SOURCE, BROKEN);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| verify(&repo, &ledger).fails(&["sign-in is broken"]));
        }
    });
    assert_eq!(runs(&repo).len(), 8);
    specward(&repo, &["ledger", "check", &ledger]).exits(0, &["8 lines"]);
    let listed = specward(&repo, &["runs", "--format", "json"]);
    listed.exits(0, &[]);
    assert!(listed.stdout.contains("\"damaged\": []"), "{listed}");
}

/// "48": one gate's check does not take the other's processes for its own
#[test]
fn row_48_two_gates_do_not_kill_each_other() {
    let script = "echo $$ >> started\nwhile [ $(cat started | wc -l) -lt 2 ]; do sleep 0.05; done\necho it works\n";
    let repo = crate::checked::with(&[(crate::checked::SCRIPT, script)]);
    std::thread::scope(|scope| {
        // Each waits until the other one runs.
        for _ in 0..2 {
            scope.spawn(|| run(&repo).passes());
        }
    });
}

/// "48": a lock on the ledger is waited for, but not for ever
#[test]
fn row_48_a_lock_on_the_ledger() {
    let (repo, ledger) = three_runs();
    let file = fs::File::options().append(true).open(&ledger).expect("a ledger");
    file.lock().expect("a lock");
    repo.write(SOURCE, BROKEN);
    let outcome = verify(&repo, &ledger);
    assert!(outcome.stderr.contains("error: ") && outcome.stderr.contains("fix: "), "{outcome}");
    outcome.exits(2, &["sign-in is broken"]);
    drop(file);
    assert_eq!(lines(&ledger).len(), 3);
    verify(&repo, &ledger).fails(&["sign-in is broken"]);
    assert_eq!(lines(&ledger).len(), 4);
}
