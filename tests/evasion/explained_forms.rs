//! What may differ under `--frozen-spec=explained`: forms that hide or turn around what was agreed, and those that do not.

use std::os::unix::fs::PermissionsExt;

use crate::repo::{AUTH, DELTA, MOVED, Repo, TASKS, must_fail_explained, must_pass_explained};

fn at(rule: &str, path: &str) -> String {
    format!("freeze/{rule} at {path}:")
}

#[track_caller]
fn fails(cheat: impl FnOnce(&Repo), rule: &str, path: &str) {
    must_fail_explained(&Repo::new(), cheat, &[&at(rule, path)]);
}

/// What is put among the tasks.
#[test]
fn tasks_hidden_or_turned_around() {
    let two = "- [ ] 1.2 Test it\n";
    let allow = "<!-- specward: allow task/archived-open -- fine -->\n# Tasks\n\n";
    let suppressed = |repo: &Repo| {
        repo.write(TASKS, allow.to_owned() + &repo.read(TASKS));
        repo.archive();
    };
    fails(suppressed, "task-reworded", &format!("{MOVED}/tasks.md"));
    for (to, rule) in [
        ("<!-- notes --> <!--\n- [ ] 1.2 Test it\n", "task-removed"),
        ("- [x] 1.2 Test it\n  or leave it, as you like\n", "task-reworded"),
        ("## Not to be done\n- [ ] 1.2 Test it\n", "task-reworded"),
        ("<details>\n\n- [ ] 1.2 Test it\n", "task-reworded"),
        ("\nNow:\n\n        - [ ] 1.2 Test it\n", "task-removed"),
    ] {
        fails(|repo| repo.replace(TASKS, two, to), rule, TASKS);
    }
    let notes = "- [x] 1.2 Test it\n  - with two browsers\n- [ ] 1.4 Look again\n";
    must_pass_explained(&Repo::new(), |repo| repo.replace(TASKS, two, notes));
}

/// The purpose of a capability that is new.
#[test]
fn purposes() {
    let requirement = "\n### Requirement: Keys\nThe system SHALL keep keys.\n\n#### Scenario: Keys\n- **WHEN** a key is \
        kept\n- **THEN** it is there\n";
    let own = "Lets people keep keys for whatever they want to unlock later.";
    let archived = |delta: &str, purpose: &str| {
        let repo = Repo::based_on(&[("openspec/changes/add-keys/specs/keys/spec.md", delta)]);
        repo.rename("openspec/changes/add-keys", "openspec/changes/archive/2026-02-02-add-keys");
        let text = format!("# keys Specification\n\n## Purpose\n{purpose}\n\n## Requirements\n{requirement}");
        repo.write("openspec/specs/keys/spec.md", text);
        repo
    };
    let spec = at("direct-edit", "openspec/specs/keys/spec.md");
    let with = format!("## Purpose\n{own}\n\n## ADDED Requirements\n{requirement}");
    let without = format!("## ADDED Requirements\n{requirement}");
    archived(&with, own).explained().passes();
    archived(&without, own).explained().passes();
    archived(&with, &format!("{own}\n\nNothing below is binding.")).explained().fails(&[&spec]);
    for more in
        ["<!-- only an idea from here on", "<!-- specward: allow scenario/no-when -- fine -->", "<details hidden>"]
    {
        archived(&without, &format!("{own}\n\n{more}")).explained().fails(&[&spec]);
    }
}

/// Line breaks and blanks that are structure, and marks that are not.
#[test]
fn forms() {
    let table = "Role | May delete\n--- | ---\nadmin | yes\nguest | no\n";
    let text = format!(
        "{table}\n- one\n\n  It MUST NOT *leak* an account.\n\nlast\n\n---\n\n~~~\ncode\n~~~\n\n#### Scenario: Right"
    );
    let repo = || {
        let repo = Repo::new();
        repo.replace(AUTH, "#### Scenario: Right", &text);
        repo.commit("base");
        repo.git(&["branch", "-f", "main"]);
        repo
    };
    for (from, to) in [
        ("yes\nguest", "yes guest"),
        ("yes\nguest", "yes\n\nguest"),
        ("  It MUST NOT", "          It MUST NOT"),
        ("last\n\n---", "last\n---"),
    ] {
        must_fail_explained(&repo(), |repo| repo.replace(AUTH, from, to), &[&at("direct-edit", AUTH)]);
    }
    let formatted = |repo: &Repo| {
        repo.replace(AUTH, "It MUST NOT *leak* an account.", "It MUST NOT\n  _leak_ an\n  account.");
        repo.replace(AUTH, "~~~", "```");
        repo.replace(AUTH, "---\n\n", "***\n\n");
    };
    must_pass_explained(&repo(), formatted);
    must_pass_explained(&Repo::new(), |repo| repo.replace(DELTA, "- **WHEN** the user", "* __WHEN__ the\n  user"));
}

/// Files that call the gate
#[test]
fn gate_files() {
    let make = "gate:\n\tspecward verify --changed\n";
    let package = "{\n  \"scripts\": {\n    \"gate\": \"specward verify --changed\"\n  }\n}\n";
    let hook = "#!/bin/sh\nspecward verify --staged\n";
    let repo = || Repo::based_on(&[("Makefile", make), ("package.json", package), (".husky/pre-commit", hook)]);
    let dead = |repo: &Repo| repo.write("Makefile", make.replace("gate:", "gate:\n\ttrue\nold:"));
    must_fail_explained(&repo(), dead, &[&at("gate-edited", "Makefile")]);
    let twice = |repo: &Repo| repo.replace("package.json", "changed\"", "changed\", \"gate\": \"true\"");
    must_fail_explained(&repo(), twice, &[&at("gate-edited", "package.json")]);
    // A checkout may do this, a commit may not.
    let returns = repo();
    returns.write(".husky/pre-commit", hook.replace('\n', "\r\n"));
    returns.commit("carriage returns");
    returns.explained_commits().fails(&[&at("gate-edited", ".husky/pre-commit")]);
    let settings = ".claude/settings.local.json";
    let off = |repo: &Repo| repo.write(settings, "{\"disable\\u0041llHooks\": true}");
    must_fail_explained(&repo(), off, &[&at("gate-edited", settings)]);
    let more = |repo: &Repo| repo.replace("package.json", "changed\"", "changed\",\n    \"lint\": \"eslint\"");
    must_pass_explained(&repo(), more);
    let repo = repo();
    let mode = |mode: u32| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(repo.path(".husky/pre-commit"), permissions).expect("a mode");
    };
    mode(0o755);
    repo.commit("executable");
    repo.git(&["branch", "-f", "main"]);
    mode(0o644);
    repo.commit("not executable");
    repo.explained_commits().fails(&[&at("gate-edited", ".husky/pre-commit")]);
}

/// What a schema of one's own asks for
#[test]
fn planned_artifacts() {
    let schema = "name: own\nversion: 1\nartifacts:\n  - {id: needs, generates: needs.md, description: d, template: t.md}\n  \
        - {id: tasks, generates: tasks.md, description: d, template: t.md, requires: [needs]}\n  \
        - {id: review, generates: review.md, description: d, template: t.md, requires: [tasks]}\n";
    let dir = "openspec/changes/own";
    let (needs, review) = (format!("{dir}/needs.md"), format!("{dir}/review.md"));
    let repo = || {
        Repo::based_on(&[
            ("openspec/schemas/own/schema.yaml", schema),
            (&format!("{dir}/.openspec.yaml"), "schema: own\nskip_specs: true\n"),
            (&format!("{dir}/tasks.md"), "- [ ] 1.1 Do it\n"),
            (&needs, "It answers within 1 second.\n"),
            (&review, "Nobody looked.\n"),
        ])
    };
    let weaker = |repo: &Repo| repo.replace(&needs, " within 1 second", "");
    must_fail_explained(&repo(), weaker, &[&at("proposal-edited", &needs)]);
    must_pass_explained(&repo(), |repo| repo.replace(&review, "Nobody", "Somebody"));
}
