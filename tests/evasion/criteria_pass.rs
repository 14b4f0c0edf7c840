//! What must pass with checks: false alarms are defects too.

use crate::checked::{
    BROKEN, COMMITS, CRITERIA, FILE, GOOD, INDEX, LOOKS, SCRIPT, WORKTREE, criterion, json, repo, run, with,
};
use crate::repo::{AUTH, DELTA, Repo, SOURCE, TASKS};

const EXPLAINED: [&[&str]; 3] = [
    &["--changed", "--frozen-spec=explained"],
    &["--staged", "--frozen-spec=explained"],
    &["--changed", "--frozen-spec=explained", "--base", "main", "--head", "HEAD"],
];

/// Passes in the work tree, in the index and in commits, and these criteria passed each time.
#[track_caller]
fn must_pass(repo: &Repo, work: impl FnOnce(&Repo), ids: &[&str]) {
    work(repo);
    for args in EXPLAINED {
        match args[0] {
            "--staged" => drop(repo.git(&["add", "-A"])),
            _ if args.len() > 2 => drop(repo.commit("work")),
            _ => {}
        }
        repo.verify(args).passes();
        let report = json(repo, args);
        for id in ids {
            assert_eq!(criterion(&report, id)["verdict"], "PASS", "{report:#}");
        }
    }
}

/// Of the scenario that the open change adds.
const SIGN_OUT: &str = "  - requirement: Sign out
    scenario: Sign out
    id: sign-out
    verify:
      - command: [sh, tests/sign-out.sh]
";

#[test]
fn a_check_passes_wherever_it_is_looked_at() {
    let repo = repo();
    for args in [WORKTREE, INDEX, COMMITS] {
        repo.write(SOURCE, format!("{}// more\n", repo.read(SOURCE)));
        match args {
            INDEX => drop(repo.git(&["add", "-A"])),
            COMMITS => drop(repo.commit("more")),
            _ => {}
        }
        let args = [args, &["--only", "sign-in"]].concat();
        repo.verify(&args).passes();
        assert_eq!(criterion(&json(&repo, &args), "sign-in")["verdict"], "PASS");
    }
    repo.verify(&[]).passes();
    assert_eq!(criterion(&json(&repo, &[]), "sign-in")["verdict"], "PASS");
}

#[test]
fn a_repair_passes() {
    let repo = with(&[(SOURCE, BROKEN)]);
    run(&repo).fails(&["sign-in is broken"]);
    repo.write(SOURCE, GOOD);
    run(&repo).passes();
}

/// New criteria in one commit with the change, the scenario and the script they are for.
#[test]
fn new_criteria_with_a_new_change_pass() {
    let work = |repo: &Repo| {
        let change = "openspec/changes/add-reset";
        repo.write(
            &format!("{change}/specs/auth/spec.md"),
            repo.read(DELTA).replace("Sign out", "Reset").replace("ends", "ends too"),
        );
        repo.write(&format!("{change}/proposal.md"), repo.read(crate::repo::PROPOSAL).replace("logout", "reset"));
        repo.write(&format!("{change}/tasks.md"), "## 1. Work\n- [ ] 1.1 Write it\n");
        let reset = SIGN_OUT.replace("Sign out", "Reset").replace("sign-out", "reset");
        repo.write(FILE, format!("{CRITERIA}{reset}"));
        repo.write("tests/reset.sh", LOOKS);
    };
    must_pass(&repo(), work, &["sign-in", "reset"]);
    // And without the implementation it does not.
    let repo = repo();
    work(&repo);
    repo.write("tests/reset.sh", "echo not yet\nexit 1\n");
    repo.verify(EXPLAINED[0]).fails(&["## reset: ", "not yet"]);
}

#[test]
fn criteria_of_a_scenario_without_any_pass() {
    let wrong =
        CRITERIA.replace("version: 1\ncriteria:\n", "").replace("Right", "Wrong").replace("id: sign-in", "id: refused");
    must_pass(&repo(), |repo| repo.write(FILE, format!("{CRITERIA}{wrong}")), &["sign-in", "refused"]);
}

#[test]
fn an_archive_keeps_its_criteria() {
    let start = || with(&[(FILE, &format!("{CRITERIA}{SIGN_OUT}")), ("tests/sign-out.sh", LOOKS)]);
    must_pass(&start(), Repo::archive, &["sign-in", "sign-out"]);
    // A criterion that fails stays one.
    let repo = start();
    repo.archive();
    repo.write(SOURCE, BROKEN);
    repo.verify(EXPLAINED[0]).fails(&["## sign-in: ", "## sign-out: "]);
}

#[test]
fn comments_layout_and_ticks_pass() {
    must_pass(&repo(), |repo| repo.write(FILE, format!("# what proves it\n{CRITERIA}")), &["sign-in"]);
    must_pass(&repo(), |repo| repo.write(FILE, CRITERIA.replace('\n', "\r\n")), &[]);
    must_pass(
        &repo(),
        |repo| repo.replace(FILE, "[sh, tests/sign-in.sh]", "['sh', \"tests/sign-in.sh\"]"),
        &["sign-in"],
    );
    must_pass(&repo(), |repo| repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1"), &[]);
}

/// Base went on, and has other criteria now: those of the merge base count.
#[test]
fn base_that_went_on_passes() {
    let repo = repo();
    repo.write(FILE, format!("# noted\n{CRITERIA}"));
    repo.commit("work");
    repo.git(&["checkout", "-q", "main"]);
    repo.replace(FILE, "timeout: 60s", "timeout: 70s");
    repo.write("openspec/verify/billing.yaml", CRITERIA.replace("Sign in", "Pay").replace("sign-in\n", "pay\n"));
    repo.commit("main went on");
    repo.git(&["checkout", "-q", "work"]);
    repo.verify(EXPLAINED[2]).passes();
    repo.verify(EXPLAINED[0]).passes();
}

/// A stricter check is an edit, but without a freeze it is just work.
#[test]
fn criteria_may_be_edited_where_nothing_is_frozen() {
    let repo = repo();
    repo.replace(FILE, "it works", "it works");
    repo.write(FILE, CRITERIA.replace("timeout: 60s", "timeout: 30s"));
    repo.verify(&["--changed"]).passes();
    repo.write(AUTH, repo.read(AUTH).replace("Right password", "Good password"));
    repo.write(FILE, CRITERIA.replace("Right password", "Good password"));
    repo.verify(&["--changed"]).passes();
    assert_eq!(criterion(&json(&repo, &["--changed"]), "sign-in")["verdict"], "PASS");
}

/// Files that nobody follows, and a work tree of its own.
#[test]
fn other_places_pass() {
    let repo = repo();
    repo.write(FILE, format!("# noted\n{CRITERIA}"));
    repo.commit("work");
    repo.write("target/out.txt", "x");
    repo.write("notes.txt", "x");
    repo.verify(EXPLAINED[2]).passes();
    repo.git(&["worktree", "add", "-q", "../linked", "HEAD"]);
    let linked = repo.outside("linked");
    repo.verify_in(&linked, &[], EXPLAINED[0]).passes();
    repo.verify_in(&linked, &[], EXPLAINED[2]).passes();
    repo.verify_in(&linked.join("tests"), &[], EXPLAINED[0]).passes();
    // What is not on disk as the commit has it is not run on something else.
    repo.write(SOURCE, BROKEN);
    repo.verify(EXPLAINED[2]).is_unverifiable(&[SOURCE, "is not on disk as"]);
    repo.git(&["checkout", "-q", "--", SOURCE]);
    repo.write(SCRIPT, "echo it works\n");
    repo.verify(EXPLAINED[2]).is_unverifiable(&[SCRIPT, "is not on disk as"]);
}
