//! A. Change what is demanded. Strict freeze: every edit of the spec set fails.

use crate::repo::{ARCHIVED, AUTH, DELTA, PROPOSAL, Repo, TASKS, must_fail, spec};

/// "1 edit a main spec directly"
#[test]
fn row_01_edit_main_spec() {
    must_fail(&Repo::new(), Repo::weaken, &[AUTH]);
}

/// "2 weaken a delta (drop a scenario, a step, a bound such as "within 1 second")"
#[test]
fn row_02_weaken_delta() {
    must_fail(&Repo::new(), |repo| repo.replace(DELTA, " within 1 second", ""), &[DELTA]);
    let step = "- **THEN** the session ends\n";
    must_fail(&Repo::new(), |repo| repo.replace(DELTA, step, ""), &[DELTA]);
    let scenario =
        "\n#### Scenario: Wrong password\n- **WHEN** the password is wrong\n- **THEN** the user is refused\n";
    must_fail(&Repo::new(), |repo| repo.replace(AUTH, scenario, ""), &[AUTH]);
}

/// "3 SHALL → SHOULD/MAY, MUST NOT → nothing"
#[test]
fn row_03_weaken_keyword() {
    must_fail(&Repo::new(), |repo| repo.replace(AUTH, "The system SHALL", "The system SHOULD"), &[AUTH]);
    must_fail(&Repo::new(), |repo| repo.replace(AUTH, " and MUST NOT store a password", ""), &[AUTH]);
}

/// "4 weaken in the very commit that archives"
#[test]
fn row_04_weaken_while_archiving() {
    let archived = "openspec/changes/archive/2026-02-02-add-logout";
    let cheat = |repo: &Repo| {
        let delta = repo.read(DELTA);
        repo.rename("openspec/changes/add-logout", archived);
        let merged = repo.read(AUTH) + &delta.replace("## ADDED Requirements\n", "").replace(" within 1 second", "");
        repo.write(AUTH, merged);
    };
    must_fail(&Repo::new(), cheat, &[AUTH, DELTA, &format!("{archived}/tasks.md")]);
}

/// "5 archive by `mv`, deltas never merged"
#[test]
fn row_05_archive_by_mv() {
    let archived = "openspec/changes/archive/2026-02-02-add-logout";
    let cheat = |repo: &Repo| repo.rename("openspec/changes/add-logout", archived);
    must_fail(&Repo::new(), cheat, &[DELTA, PROPOSAL, &format!("{archived}/proposal.md")]);
}

/// "6 delete the open change"
#[test]
fn row_06_delete_change() {
    must_fail(&Repo::new(), |repo| repo.remove("openspec/changes/add-logout"), &[DELTA, PROPOSAL, TASKS]);
    must_fail(&Repo::new(), |repo| repo.remove("openspec"), &[AUTH, DELTA]);
}

/// "7 delete a capability, or rename its folder (100 % rename, empty content diff)"
#[test]
fn row_07_delete_or_rename_capability() {
    must_fail(&Repo::new(), |repo| repo.remove("openspec/specs/auth"), &[AUTH]);
    let cheat = |repo: &Repo| repo.rename("openspec/specs/auth", "openspec/specs/login");
    must_fail(&Repo::new(), cheat, &[AUTH, "openspec/specs/login/spec.md"]);
}

/// "8 case-only rename"
#[test]
fn row_08_case_only_rename() {
    for (from, to) in [
        ("openspec/specs/auth", "openspec/specs/Auth"),
        (AUTH, "openspec/specs/auth/Spec.md"),
        ("openspec/specs", "openspec/Specs"),
        ("openspec", "OpenSpec"),
    ] {
        must_fail(&Repo::new(), |repo| repo.rename(from, to), &[AUTH]);
    }
}

/// "9 spec.md becomes a symlink, a folder, a submodule"
#[test]
fn row_09_spec_becomes_something_else() {
    let linked = |repo: &Repo| {
        repo.rename(AUTH, "docs/auth.md");
        repo.link("../../../docs/auth.md", AUTH);
    };
    must_fail(&Repo::new(), linked, &[AUTH]);
    let folder = |repo: &Repo| {
        let text = repo.read(AUTH);
        repo.remove(AUTH);
        repo.write(&format!("{AUTH}/spec.md"), text);
    };
    must_fail(&Repo::new(), folder, &[AUTH]);

    let repo = Repo::new();
    repo.git(&["rm", "-rq", "openspec/specs/auth"]);
    repo.git(&["clone", "-q", ".", "openspec/specs/auth"]);
    repo.frozen().fails_frozen(&[AUTH]);
    repo.commit("submodule");
    assert!(repo.git(&["ls-files", "--stage", "openspec/specs/auth"]).starts_with("160000"));
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_commits().fails_frozen(&[AUTH, "openspec/specs/auth"]);
}

/// "10 wrap a requirement in a fence or an HTML comment, shift its heading level, indent it, zero-width or look-alike
/// characters in its name"
#[test]
fn row_10_hide_requirement_in_text() {
    let heading = "### Requirement: Sign in";
    for hidden in [
        "```\n### Requirement: Sign in",
        "<!--\n### Requirement: Sign in",
        "#### Requirement: Sign in",
        "     ### Requirement: Sign in",
        "### Requirement: Sign\u{200b} in",
        "### Requirement: S\u{456}gn in",
    ] {
        must_fail(&Repo::new(), |repo| repo.replace(AUTH, heading, hidden), &[AUTH]);
    }
}

/// "11 a second `## Requirements`"
#[test]
fn row_11_second_requirements_section() {
    let cheat = |repo: &Repo| repo.replace(AUTH, "## Requirements\n", "## Requirements\n\n## Requirements\n");
    must_fail(&Repo::new(), cheat, &[AUTH]);
}

/// "12 tasks: delete, reword, merge, tick inside a fence; move an open task to another file"
#[test]
fn row_12_tasks() {
    let (one, two) = ("- [ ] 1.1 Write it\n", "- [ ] 1.2 Test it\n");
    for (from, to) in [
        (two, ""),
        (two, "- [ ] 1.2 Look at it\n"),
        ("- [ ] 1.1 Write it\n- [ ] 1.2 Test it\n", "- [x] 1.1 Write it and test it\n"),
        ("- [ ] 1.1 Write it\n- [ ] 1.2 Test it\n", "- [x] 1.2 Test it\n- [x] 1.1 Write it\n"),
        ("- [ ] 1.3 An", "- [x] 1.3 An"),
        (one, "- [x] 1.1 Write it (skipped)\n"),
        (one, "- [-] 1.1 Write it\n"),
        (one, "* [x] 1.1 Write it\n"),
        (one, "  - [x] 1.1 Write it\n"),
        (one, "- [x]  1.1 Write it\n"),
    ] {
        must_fail(&Repo::new(), |repo| repo.replace(TASKS, from, to), &[TASKS]);
    }
    let moved = |repo: &Repo| {
        repo.replace(TASKS, two, "");
        repo.write("openspec/changes/add-logout/later.md", two);
    };
    must_fail(&Repo::new(), moved, &[TASKS, "openspec/changes/add-logout/later.md"]);

    // A box that was ticked on base and is open again is an edit too.
    let repo = Repo::new();
    repo.replace(TASKS, one, "- [x] 1.1 Write it\n");
    repo.commit("ticked");
    repo.git(&["branch", "-f", "main"]);
    must_fail(&repo, |repo| repo.replace(TASKS, "- [x] 1.1", "- [ ] 1.1"), &[TASKS]);
}

/// "13 proposal: shrink the scope"
#[test]
fn row_13_shrink_proposal() {
    must_fail(&Repo::new(), |repo| repo.replace(PROPOSAL, "- End sessions on the server\n", ""), &[PROPOSAL]);
}

/// "14 edit history under `changes/archive`"
#[test]
fn row_14_edit_archive() {
    must_fail(&Repo::new(), |repo| repo.replace(ARCHIVED, "Nobody", "Somebody"), &[ARCHIVED]);
    // Ticking is for open changes.
    let repo = Repo::new();
    let tasks = "openspec/changes/archive/2026-01-01-add-auth/tasks.md";
    repo.write(tasks, "- [ ] 1.1 Never done\n");
    repo.commit("unfinished");
    repo.git(&["branch", "-f", "main"]);
    must_fail(&repo, |repo| repo.replace(tasks, "[ ]", "[x]"), &[tasks]);
}

/// "15 conflict markers committed"
#[test]
fn row_15_conflict_markers() {
    let line = "- **AND** the sign-in is logged\n";
    let conflict = format!("<<<<<<< HEAD\n{line}=======\n>>>>>>> other\n");
    must_fail(&Repo::new(), |repo| repo.replace(AUTH, line, &conflict), &[AUTH]);
}

/// "16 a copy of the spec under another root made "nearest" (new `openspec/` nearer to the code)"
#[test]
fn row_16_nearer_root() {
    let repo = Repo::new();
    let copy = "src/openspec/specs/auth/spec.md";
    repo.write(copy, spec("Sign in").replace(" within 1 second", ""));
    let there = repo.path("src");
    repo.verify_in(&there, &[], &["--changed", "--frozen-spec"]).fails_frozen(&[copy]);
    // The old root still counts, wherever the run is started.
    repo.weaken();
    repo.verify_in(&there, &[], &["--changed", "--frozen-spec"]).fails_frozen(&[AUTH, copy]);
    repo.commit("nearer");
    let commits = ["--changed", "--frozen-spec", "--base", "main", "--head", "HEAD"];
    repo.verify_in(&there, &[], &commits).fails_frozen(&[AUTH, copy]);
    repo.verify(&commits).fails_frozen(&[AUTH, copy]);
}

/// "17 `skip_specs: true` on a change that had deltas, schema swapped for one without specs."
#[test]
fn row_17_skip_specs_or_other_schema() {
    let metadata = "openspec/changes/add-logout/.openspec.yaml";
    let skip = |repo: &Repo| {
        repo.remove("openspec/changes/add-logout/specs");
        repo.write(metadata, "schema: spec-driven\nskip_specs: true\n");
    };
    must_fail(&Repo::new(), skip, &[metadata, DELTA]);
    let schema = "openspec/schemas/lax/schema.yaml";
    let swap = |repo: &Repo| {
        repo.write(schema, "name: lax\nversion: 1\nartifacts: []\n");
        repo.write("openspec/config.yaml", "schema: lax\n");
    };
    must_fail(&Repo::new(), swap, &["openspec/config.yaml", schema]);
}
