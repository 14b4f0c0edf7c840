//! D. Disarm the gate by editing criteria: base's check is run all the same.

use crate::checked::{
    BROKEN, COMMITS, CONFIG, CRITERIA, FILE, GOOD, INDEX, NODS, SCRIPT, WORKTREE, checked_by, criterion, executable,
    json, must_fail_by_base, repo, run, with,
};
use crate::repo::{AUTH, Outcome, Repo, SOURCE, spec};

fn replaced(from: &str, to: &str) {
    must_fail_by_base(&repo(), |repo| {
        repo.write("tests/nods.sh", NODS);
        repo.replace(FILE, from, to);
    });
}

fn written(content: impl AsRef<[u8]>) {
    must_fail_by_base(&repo(), |repo| repo.write(FILE, content));
}

/// "39 verify file: check removed, repointed, `true`, `|| true`, expectation loosened (base's are used)": loosened
#[test]
fn row_39_base_runs_when_the_check_is_weakened() {
    replaced("[sh, tests/sign-in.sh]", "[sh, tests/nods.sh]");
    replaced("[sh, tests/sign-in.sh]", "['true']");
    replaced("command: [sh, tests/sign-in.sh]", "shell: true\n        command: sh tests/sign-in.sh || true");
    replaced("{ exit: 0, stdout: { contains: it works } }", "{ exit: any, stdout: { contains: broken } }");
    replaced("timeout: 60s", "timeout: 1ms");
    replaced("      - command", "      - file: { path: src/main.rs, exists: true }\n      - command");
}

/// "39": removed, with its entry or its file
#[test]
fn row_39_base_runs_when_the_check_is_removed() {
    written("version: 1\ncriteria: []\n");
    written(&CRITERIA[..CRITERIA.find("    verify").expect("it is there")]);
    written("");
    must_fail_by_base(&repo(), |repo| repo.remove(FILE));
    must_fail_by_base(&repo(), |repo| repo.remove("openspec/verify"));
}

/// "39": repointed: for another scenario, under another id, beside another one
#[test]
fn row_39_base_runs_when_the_entry_is_repointed() {
    replaced("scenario: Right password", "scenario: Wrong password");
    replaced("id: sign-in\n", "id: signing-in\n");
    replaced("    id: sign-in\n", "");
    let twin = CRITERIA.replace("tests/sign-in.sh", "tests/nods.sh").replace("version: 1\ncriteria:\n", "");
    // A file that cannot be used is no way out either: the same id twice.
    written(format!("{CRITERIA}{twin}"));
    written(format!("version: 1\ncriteria:\n{twin}{}", CRITERIA.replace("version: 1\ncriteria:\n", "")));
    written(format!("{CRITERIA}{}", twin.replace("id: sign-in", "id: twin")));
    must_fail_by_base(&repo(), |repo| {
        repo.write("openspec/verify/auth.yml", CRITERIA.replace("tests/sign-in.sh", "tests/nods.sh"));
        repo.write("tests/nods.sh", NODS);
    });
}

/// "39": the file cannot be read, or is none
#[test]
fn row_39_base_runs_when_the_file_is_spoiled() {
    written("version: 1\ncriteria: [");
    written(CRITERIA.replace("version: 1", "version: 2"));
    written(CRITERIA.replace("verify:", "verfy:"));
    written(b"version: 1\ncriteria: \xff\n");
    written(b"\0");
    must_fail_by_base(&repo(), |repo| repo.rename(FILE, "openspec/verify/other.yaml"));
    must_fail_by_base(&repo(), |repo| repo.rename(FILE, "openspec/verify/.auth.yaml"));
    must_fail_by_base(&repo(), |repo| repo.rename(FILE, "openspec/verify/auth/auth.yaml"));
    must_fail_by_base(&repo(), |repo| {
        repo.write("mine.yaml", CRITERIA.replace("tests/sign-in.sh", "tests/nods.sh"));
        repo.remove(FILE);
        repo.link("../../mine.yaml", FILE);
    });
    must_fail_by_base(&repo(), |repo| {
        repo.remove(FILE);
        repo.write(&format!("{FILE}/x"), "");
    });
    must_fail_by_base(&repo(), |repo| {
        repo.rename("openspec/verify", "elsewhere");
        repo.link("../elsewhere", "openspec/verify");
    });
    must_fail_by_base(&repo(), |repo| {
        repo.remove("openspec/verify");
        repo.write("openspec/verify", "a file");
    });
    must_fail_by_base(&repo(), |repo| repo.rename("openspec/verify", "openspec/Verify"));
}

/// "39": the scenario goes with its criterion
#[test]
fn row_39_base_runs_when_the_scenario_is_gone() {
    let rename = |repo: &Repo| {
        repo.replace(AUTH, "#### Scenario: Right password", "#### Scenario: Come in");
        repo.replace(FILE, "scenario: Right password", "scenario: Come in");
        repo.replace(FILE, "tests/sign-in.sh", "tests/nods.sh");
        repo.write("tests/nods.sh", NODS);
    };
    must_fail_by_base(&repo(), rename);
    must_fail_by_base(&repo(), |repo| {
        repo.replace(AUTH, "#### Scenario: Right password", "##### Scenario: Right password");
        repo.remove(FILE);
    });
    must_fail_by_base(&repo(), |repo| {
        repo.rename("openspec/specs/auth", "openspec/specs/entry");
        repo.rename(FILE, "openspec/verify/entry.yaml");
    });
    must_fail_by_base(&repo(), |repo| {
        repo.remove("openspec/specs/auth");
        repo.remove(FILE);
    });
}

/// "39": the whole project is put elsewhere, or another one in front of it
#[test]
fn row_39_base_runs_when_the_root_is_moved() {
    must_fail_by_base(&repo(), |repo| {
        repo.write(CONFIG, "roots: [elsewhere]\n");
        repo.write("elsewhere/openspec/specs/auth/spec.md", spec("Sign in"));
        repo.write("elsewhere/openspec/verify/auth.yaml", CRITERIA.replace("tests/sign-in.sh", "tests/nods.sh"));
        repo.write("tests/nods.sh", NODS);
    });
    must_fail_by_base(&repo(), |repo| repo.rename("openspec", "elsewhere/openspec"));
    must_fail_by_base(&repo(), |repo| repo.remove("openspec"));
}

/// "39": the configuration checks run with is base's too
#[test]
fn row_39_base_configures() {
    let shim = |repo: &Repo| {
        repo.write(CONFIG, "checks: { path: [shims] }\n");
        repo.write("shims/sh", "#!/bin/sh\necho it works\n");
        executable(repo, "shims/sh");
    };
    must_fail_by_base(&repo(), shim);
    must_fail_by_base(&repo(), |repo| repo.write(CONFIG, "checks: { timeout: 1ms }\n"));
    must_fail_by_base(&with(&[(CONFIG, "max-evidence-bytes: 65536\n")]), |repo| {
        repo.write(CONFIG, "max-evidence-bytes: 1024\n");
    });
    must_fail_by_base(&with(&[(CONFIG, "strict: true\n")]), |repo| {
        repo.write(CONFIG, "strict: true\nrules: { criteria: off, freeze: off }\nfrozen: explained\n");
    });
    must_fail_by_base(&with(&[(CONFIG, "strict: true\n")]), |repo| repo.remove(CONFIG));
}

const RUBRIC: &str = "judge: { rubric: The error says what to do next, threshold: 0.9 }";

const STRICT_JUDGE: &str =
    "cat > /dev/null; echo '{\"verdict\": \"FAIL\", \"score\": 0, \"reason\": \"nothing is said\"}'\n";

const KIND_JUDGE: &str = "cat > /dev/null; echo '{\"verdict\": \"PASS\", \"score\": 1, \"reason\": \"fine\"}'\n";

/// "39": whoever is judged does not choose the judge
#[test]
fn row_39_base_chooses_the_judge() {
    let own = "judge: { command: [sh, tools/judge.sh] }\n";
    let start =
        || checked_by(RUBRIC, &[(CONFIG, own), ("tools/judge.sh", STRICT_JUDGE), ("tools/kind.sh", KIND_JUDGE)]);
    let repo = start();
    run(&repo).fails(&["nothing is said"]);
    for config in [
        "judge: { command: [sh, tools/kind.sh] }\n",
        "judge: { command: [sh, tools/judge.sh], timeout: 1ms }\n",
        "{}\n",
    ] {
        let repo = start();
        repo.write(CONFIG, config);
        for args in [WORKTREE, INDEX, COMMITS] {
            repo.verify(args).fails(&["nothing is said", CONFIG]);
            repo.commit("cheat");
            if args == WORKTREE {
                repo.git(&["reset", "-q", "--soft", "main"]);
            }
        }
    }
    // The one it is compared with: a kind judge on base passes.
    let kind = checked_by(RUBRIC, &[(CONFIG, own), ("tools/judge.sh", KIND_JUDGE)]);
    run(&kind).passes();
    kind.write("tools/judge.sh", STRICT_JUDGE);
    run(&kind).fails(&["nothing is said"]);
}

/// "39": which scenarios need a check is the stricter of base's and head's demands
#[test]
fn row_39_base_demands_checks() {
    let all = "criteria: { require: all }\n";
    let start = || with(&[(CONFIG, all)]);
    let unchecked = |outcome: Outcome| outcome.fails(&["criteria/unchecked", CONFIG]);
    for config in ["criteria: { require: listed }\n", "criteria: { require: changed }\n", "{}\n"] {
        let repo = start();
        repo.write(CONFIG, config);
        unchecked(repo.frozen());
        repo.git(&["add", "-A"]);
        unchecked(repo.frozen_index());
        repo.commit("cheat");
        unchecked(repo.frozen_commits());
    }
}

/// What `--frozen-spec=explained` lets pass is no way around base's check.
#[test]
fn row_39_base_runs_when_edits_are_explained() {
    let explained = ["--changed", "--frozen-spec=explained"];
    let repo = repo();
    repo.write(SOURCE, BROKEN);
    repo.write(FILE, format!("# a comment\n{CRITERIA}"));
    repo.verify(&explained).fails(&["sign-in is broken"]);
    repo.replace(FILE, "[sh, tests/sign-in.sh]", "[sh, tests/nods.sh]");
    repo.write("tests/nods.sh", NODS);
    repo.verify(&explained).fails(&["sign-in is broken", "freeze/gate-edited"]);
    repo.remove(FILE);
    repo.verify(&explained).fails(&["sign-in is broken", "freeze/gate-edited"]);
    // The implementation that is asked for.
    repo.write(SOURCE, GOOD);
    repo.write(FILE, format!("# a comment\n{CRITERIA}"));
    repo.verify(&explained).passes();
}

/// The report says that base's version ran, and in no other case.
#[test]
fn row_39_the_report_tells_whose_check_ran() {
    let repo = repo();
    let of_base = |repo: &Repo| criterion(&json(repo, WORKTREE), "sign-in")["is_of_base"].clone();
    repo.write(FILE, format!("# a comment\n{CRITERIA}"));
    let before = of_base(&repo);
    repo.replace(FILE, "tests/sign-in.sh", "tests/nods.sh");
    assert_ne!(before, of_base(&repo));
    let outcome = repo.verify(WORKTREE);
    outcome.fails(&[FILE]);
    assert!(!outcome.stdout.contains("as base has it"), "a criterion that passed has no block: {outcome}");
    repo.write(SOURCE, BROKEN);
    repo.verify(WORKTREE).fails(&["This is the criterion as base has it; edits of it do not count."]);
}

/// Nothing that is left out hides an edit.
#[test]
fn row_39_leaving_out_hides_no_edit() {
    let repo = with(&[(
        "openspec/verify/billing.yaml",
        "version: 1\ncriteria:\n  - requirement: Pay\n    scenario: Right password\n    id: pay\n    verify:\n      - file: { path: src/main.rs, exists: true }\n",
    )]);
    let ways: [&[&str]; 4] = [&["--only", "pay"], &["--no-checks"], &["--no-judge"], &["--only", "pay", "--no-judge"]];
    for way in ways {
        repo.verify(&[WORKTREE, way].concat()).passes();
    }
    repo.write(FILE, "version: 1\ncriteria: []\n");
    repo.weaken();
    repo.write(SOURCE, BROKEN);
    for args in [WORKTREE, INDEX, COMMITS] {
        for way in ways {
            let outcome = repo.verify(&[args, way].concat());
            outcome.fails_frozen(&[FILE, AUTH]);
        }
        match args {
            WORKTREE => drop(repo.git(&["add", "-A"])),
            INDEX => drop(repo.commit("cheat")),
            _ => {}
        }
    }
    // What was left out is no pass.
    let report = json(&repo, &[WORKTREE, &["--no-checks"]].concat());
    assert_eq!(criterion(&report, "sign-in")["verdict"], "SKIPPED");
}

/// The script is not what is compared here: see row 40.
#[test]
fn row_39_base_runs_with_a_script_of_head() {
    let repo = repo();
    repo.write(SOURCE, BROKEN);
    repo.write(SCRIPT, NODS);
    repo.write(FILE, format!("# touched\n{CRITERIA}"));
    let outcome = repo.verify(&["--changed", "--frozen-spec=explained"]);
    outcome.passes();
    let report = json(&repo, &["--changed", "--frozen-spec=explained"]);
    assert!(criterion(&report, "sign-in").to_string().contains(SCRIPT), "{report:#}");
}
