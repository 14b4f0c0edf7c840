//! D. Disarm the gate by editing criteria, under `--frozen-spec=explained`: what base has stays, new ones are welcome.

use crate::repo::{AUTH, Repo, must_fail_explained, must_pass_explained, spec};

const FILE: &str = "openspec/verify/auth.yaml";

/// Of a scenario of the main spec.
const SIGN_IN: &str = r#"  - requirement: Sign in
    scenario: Right password
    id: sign-in
    ears: When a user signs in, the system SHALL let them in.
    verify:
      - command: [sh, tests/sign-in.sh]
        name: acceptance
        timeout: 60s
        expect: { exit: 0, stdout: { contains: "1 passed" } }
      - judge: { rubric: The error says what to do next, threshold: 0.9 }
"#;

/// Of a scenario that an open change adds.
const SIGN_OUT: &str =
    "  - requirement: Sign out\n    scenario: Sign out\n    verify:\n      - command: [sh, out.sh]\n";

fn with(entries: &[&str]) -> String {
    format!("version: 1\ncriteria:\n{}", entries.concat())
}

fn repo() -> Repo {
    Repo::based_on(&[(FILE, &with(&[SIGN_IN, SIGN_OUT]))])
}

/// An edit of the file of criteria fails, with a message that names the entry.
#[track_caller]
fn fails(cheat: impl FnOnce(&Repo), names: &[&str]) {
    let mut reasons = vec!["freeze/gate-edited at openspec/verify/"];
    reasons.extend(names);
    must_fail_explained(&repo(), cheat, &reasons);
}

#[track_caller]
fn replaced(from: &str, to: &str) {
    fails(|repo| repo.replace(FILE, from, to), &["`sign-in` was changed"]);
}

/// "39 verify file: check removed, repointed, `true`, `|| true`, expectation loosened (base's are used)"
#[test]
fn row_39_checks_are_weakened() {
    let judge = "      - judge: { rubric: The error says what to do next, threshold: 0.9 }\n";
    fails(|repo| repo.replace(FILE, judge, ""), &["`sign-in` was changed: it has 1 checks and had 2", "- "]);
    replaced("threshold: 0.9", "threshold: 0.1");
    replaced("The error says what to do next", "Anything");
    replaced("exit: 0", "exit: [0, 1]");
    replaced(", stdout: { contains: \"1 passed\" }", "");
    replaced("1 passed", "0 passed");
    replaced("tests/sign-in.sh", "tests/other.sh");
    replaced("[sh, tests/sign-in.sh]", "[true]".replace("true", "'true'").as_str());
    replaced("timeout: 60s", "timeout: 1ms");
    replaced("timeout: 60s", "timeout: 10m");
    replaced("name: acceptance", "name: another");
    replaced("the system SHALL let them in", "it SHALL try");
    fails(|repo| repo.write(FILE, with(&[SIGN_IN])), &["`auth/sign-out/sign-out` of the scenario `Sign out` is gone"]);
    fails(|repo| repo.write(FILE, with(&[])), &["`sign-in` of the scenario `Right password` is gone"]);
    fails(|repo| repo.remove(FILE), &["`sign-in` of the scenario `Right password` is gone"]);
}

/// An entry is for something else than it was.
#[test]
fn row_39_entries_are_moved() {
    let other = SIGN_IN
        .replace("scenario: Right password", "scenario: Sign out")
        .replace("requirement: Sign in", "requirement: Sign out");
    fails(|repo| repo.write(FILE, with(&[&other, SIGN_OUT])), &["it is for the scenario `Sign out` of `Sign out` now"]);
    replaced("scenario: Right password", "scenario: Wrong password");
    fails(
        |repo| repo.replace(FILE, "id: sign-in", "id: signing-in"),
        &["`signing-in` takes the place of base's `sign-in`"],
    );
    // Without an id it has another one.
    fails(|repo| repo.replace(FILE, "    id: sign-in\n", ""), &["takes the place of base's `sign-in`"]);
}

/// A second, weaker entry stands beside the one base has.
#[test]
fn row_39_weaker_twin() {
    let twin = "  - requirement: Sign in\n    scenario: Right password\n    id: twin\n    verify:\n      - command: [sh, x.sh]\n";
    fails(
        |repo| repo.write(FILE, with(&[SIGN_IN, SIGN_OUT, twin])),
        &["`twin` is for the scenario `Right password`, for which base has `sign-in`"],
    );
    fails(|repo| repo.write(FILE, with(&[SIGN_IN, SIGN_OUT, SIGN_IN])), &["`sign-in`"]);
    // In another file of the capability, which leaves none of them to be used.
    let other = "openspec/verify/auth.yml";
    must_fail_explained(
        &repo(),
        |repo| repo.write(other, with(&[twin])),
        &["freeze/gate-edited at openspec/verify/auth.yml"],
    );
}

/// The file is moved, swapped for a link, or broken.
#[test]
fn row_39_the_file_itself() {
    fails(
        |repo| repo.rename(FILE, "openspec/verify/auth2.yaml"),
        &["`sign-in` of the scenario `Right password` is gone"],
    );
    fails(
        |repo| repo.rename(FILE, "openspec/verify/.auth.yaml"),
        &["`sign-in` of the scenario `Right password` is gone"],
    );
    fails(|repo| repo.replace(FILE, "version: 1", "version: 2"), &["cannot be used"]);
    fails(|repo| repo.replace(FILE, "verify:", "verfy:"), &["is `verify` meant?"]);
    fails(|repo| repo.write("openspec/verify/notes.md", "x\n"), &["notes.md"]);
    let link = |repo: &Repo| {
        repo.write("mine.yaml", with(&[]));
        repo.remove(FILE);
        repo.link("../../mine.yaml", FILE);
    };
    must_fail_explained(&repo(), link, &["freeze/link-swap at openspec/verify/auth.yaml"]);
    let in_base = Repo::based_on(&[(FILE, "version: 2\n")]);
    in_base.write(FILE, with(&[]));
    in_base.explained().fails(&["base's file cannot be used"]);
}

/// A criterion whose scenario went in an edit that nothing explains.
#[test]
fn row_39_criterion_goes_with_its_scenario() {
    let cheat = |repo: &Repo| {
        repo.replace(AUTH, "#### Scenario: Right password", "#### Scenario: Come in");
        repo.write(FILE, with(&[SIGN_OUT]));
    };
    fails(cheat, &["`sign-in` of the scenario `Right password` is gone"]);
    let change = |repo: &Repo| {
        repo.remove("openspec/changes/add-logout");
        repo.write(FILE, with(&[SIGN_IN]));
    };
    fails(change, &["`auth/sign-out/sign-out` of the scenario `Sign out` is gone"]);
}

/// A requirement is renamed by an archive, and its criterion is weakened on the way.
#[test]
fn row_39_weakened_while_it_is_renamed() {
    let (repo, rename) = renaming();
    let cheat = |repo: &Repo| {
        rename(repo);
        repo.write(FILE, with(&[&renamed(), SIGN_OUT]).replace("threshold: 0.9", "threshold: 0.1"));
    };
    must_fail_explained(&repo, cheat, &["freeze/gate-edited at openspec/verify/", "`sign-in` was changed"]);
    let (repo, rename) = renaming();
    let other_id = |repo: &Repo| {
        rename(repo);
        repo.write(FILE, with(&[&renamed(), SIGN_OUT]).replace("id: sign-in", "id: x").replace("0.9", "0.1"));
    };
    must_fail_explained(&repo, other_id, &["`x` takes the place of base's `sign-in`"]);
}

/// A repository with an open change that renames the requirement, and what archives that change.
fn renaming() -> (Repo, impl FnOnce(&Repo)) {
    let delta = "## RENAMED Requirements\n- FROM: `### Requirement: Sign in`\n- TO: `### Requirement: Log in`\n";
    let dir = "openspec/changes/rename-it";
    let proposal =
        "# Rename\n\n## Why\nPeople call it that, and so should the specification.\n\n## What Changes\n- auth\n";
    let repo = Repo::based_on(&[
        (FILE, &with(&[SIGN_IN, SIGN_OUT])),
        (&format!("{dir}/specs/auth/spec.md"), delta),
        (&format!("{dir}/proposal.md"), proposal),
        (&format!("{dir}/tasks.md"), "## 1. Work\n- [x] 1.1 Rename\n"),
    ]);
    let archive = move |repo: &Repo| {
        repo.replace(AUTH, "### Requirement: Sign in\n", "### Requirement: Log in\n");
        repo.rename(dir, "openspec/changes/archive/2026-02-03-rename-it");
    };
    (repo, archive)
}

fn renamed() -> String {
    SIGN_IN.replace("requirement: Sign in", "requirement: Log in")
}

#[test]
fn new_criteria_pass() {
    let billing = "  - requirement: Pay\n    scenario: Right password\n    verify:\n      - command: [sh, pay.sh]\n";
    must_pass_explained(&repo(), |repo| repo.write("openspec/verify/billing.yaml", with(&[billing])));
    must_pass_explained(&Repo::new(), |repo| repo.write(FILE, with(&[SIGN_IN, SIGN_OUT])));
    // Beside those base has.
    let one = Repo::based_on(&[(FILE, &with(&[SIGN_IN]))]);
    must_pass_explained(&one, |repo| repo.write(FILE, with(&[SIGN_OUT, SIGN_IN])));
}

#[test]
fn other_layout_passes() {
    must_pass_explained(&repo(), |repo| repo.write(FILE, with(&[SIGN_OUT, SIGN_IN])));
    must_pass_explained(&repo(), |repo| {
        repo.replace(FILE, "version: 1", "# what proves it\nversion: 1 # the only one")
    });
    must_pass_explained(&repo(), |repo| repo.replace(FILE, "timeout: 60s", "timeout: 1m"));
    must_pass_explained(&repo(), |repo| {
        repo.replace(
            FILE,
            "command: [sh, tests/sign-in.sh]",
            "command:\n          - sh\n          - 'tests/sign-in.sh'",
        );
        repo.replace(
            FILE,
            "rubric: The error says what to do next",
            "rubric: \"The error says\n          what to do next\"",
        );
    });
    must_pass_explained(&repo(), |repo| repo.write(FILE, repo.read(FILE).replace('\n', "\r\n")));
}

#[test]
fn criteria_follow_an_archive() {
    must_pass_explained(&repo(), Repo::archive);
    let (repo, rename) = renaming();
    must_pass_explained(&repo, |repo| {
        rename(repo);
        repo.write(FILE, with(&[&renamed(), SIGN_OUT]));
    });
    // The requirement is removed, and its criterion with it.
    let delta = "## REMOVED Requirements\n\n### Requirement: Leave\n**Reason**: nobody does it\n**Migration**: none\n";
    let leave = "\n### Requirement: Leave\nThe system SHALL let users leave.\n\n#### Scenario: Door\n- **WHEN** a user \
        goes\n- **THEN** the door is open\n";
    let entry = "  - requirement: Leave\n    scenario: Door\n    verify: []\n";
    let dir = "openspec/changes/no-leave";
    let repo = Repo::based_on(&[
        (AUTH, &(spec("Sign in") + leave)),
        (FILE, &with(&[SIGN_IN, entry])),
        (&format!("{dir}/specs/auth/spec.md"), delta),
        (
            &format!("{dir}/proposal.md"),
            "# No\n\n## Why\nNobody has left in all the years.\n\n## What Changes\n- auth\n",
        ),
        (&format!("{dir}/tasks.md"), "## 1. Work\n- [x] 1.1 Do\n"),
    ]);
    must_pass_explained(&repo, |repo| {
        repo.write(AUTH, spec("Sign in"));
        repo.rename(dir, "openspec/changes/archive/2026-02-03-no-leave");
        repo.write(FILE, with(&[SIGN_IN]));
    });
}
