//! A. Change what is demanded, under `--frozen-spec=explained`: what the workflow does not explain fails, with the reason.

use crate::repo::{ARCHIVED, AUTH, DELTA, MOVED, PROPOSAL, Repo, TASKS, must_fail_explained, spec};

fn at(rule: &str, path: &str) -> String {
    format!("freeze/{rule} at {path}:")
}

#[track_caller]
fn fails(cheat: impl FnOnce(&Repo), rule: &str, path: &str) {
    must_fail_explained(&Repo::new(), cheat, &[&at(rule, path)]);
}

/// "1 edit a main spec directly"
#[test]
fn row_01_edit_main_spec() {
    fails(Repo::weaken, "direct-edit", AUTH);
    fails(|repo| repo.write("openspec/specs/new/spec.md", spec("New")), "direct-edit", "openspec/specs/new/spec.md");
    fails(|repo| repo.write("openspec/specs/auth/notes.md", "x\n"), "direct-edit", "openspec/specs/auth/notes.md");
    // Together with a legitimate archive.
    let cheat = |repo: &Repo| {
        repo.archive();
        repo.weaken();
    };
    fails(cheat, "direct-edit", AUTH);
    let other = |repo: &Repo| {
        repo.archive();
        repo.replace("openspec/specs/billing/spec.md", " within 1 second", "");
    };
    fails(other, "direct-edit", "openspec/specs/billing/spec.md");
    // An explanation that the same diff brings along.
    let own = |repo: &Repo| {
        let delta = "## ADDED Requirements\n\n### Requirement: Back door\nThe system SHALL let Eve in.\n\n\
            #### Scenario: Eve\n- **WHEN** Eve asks\n- **THEN** she is in\n";
        repo.write("openspec/changes/archive/2026-02-03-eve/specs/auth/spec.md", delta);
        let text = repo.read(AUTH) + &delta.replace("## ADDED Requirements\n", "");
        repo.write(AUTH, text);
    };
    let archived = at("history-edited", "openspec/changes/archive/2026-02-03-eve/specs/auth/spec.md");
    must_fail_explained(&Repo::new(), own, &[&at("direct-edit", AUTH), "2026-02-03-eve", &archived]);
    let open = |repo: &Repo| {
        repo.write("openspec/changes/eve/specs/auth/spec.md", repo.read(DELTA).replace("Sign out", "Leave"));
        let text =
            repo.read(AUTH) + &repo.read(DELTA).replace("## ADDED Requirements\n", "").replace("Sign out", "Leave");
        repo.write(AUTH, text);
    };
    must_fail_explained(&Repo::new(), open, &[&at("direct-edit", AUTH), "only `eve` explains this edit"]);
}

/// "2 weaken a delta (drop a scenario, a step, a bound such as "within 1 second")"
#[test]
fn row_02_weaken_delta() {
    fails(|repo| repo.replace(DELTA, " within 1 second", ""), "delta-weakened", DELTA);
    fails(|repo| repo.replace(DELTA, "- **THEN** the session ends\n", ""), "delta-weakened", DELTA);
    fails(|repo| repo.replace(DELTA, "#### Scenario: Sign out\n", ""), "delta-weakened", DELTA);
    fails(|repo| repo.remove(DELTA), "delta-weakened", DELTA);
    fails(|repo| repo.remove("openspec/changes/add-logout/specs"), "delta-weakened", DELTA);
    // Another delta is another agreement, also when it says more.
    fails(|repo| repo.replace(DELTA, "the session ends", "the session ends at once"), "delta-edited", DELTA);
    let other = "openspec/changes/add-logout/specs/billing/spec.md";
    fails(|repo| repo.write(other, "## REMOVED Requirements\n\n### Requirement: Pay\n"), "delta-edited", other);
    fails(|repo| repo.rename(DELTA, other), "delta-weakened", DELTA);
}

/// "3 SHALL → SHOULD/MAY, MUST NOT → nothing"
#[test]
fn row_03_weaken_keyword() {
    fails(|repo| repo.replace(DELTA, "SHALL", "SHOULD"), "delta-weakened", DELTA);
    fails(|repo| repo.replace(AUTH, "The system SHALL", "The system MAY"), "direct-edit", AUTH);
    fails(|repo| repo.replace(AUTH, " and MUST NOT store a password", ""), "direct-edit", AUTH);
    let both = |repo: &Repo| {
        repo.replace(AUTH, "MUST NOT", "MUST");
        repo.replace(DELTA, "SHALL", "MAY");
    };
    must_fail_explained(&Repo::new(), both, &[&at("delta-weakened", DELTA), &at("direct-edit", AUTH)]);
}

/// "4 weaken in the very commit that archives"
#[test]
fn row_04_weaken_while_archiving() {
    let moved = format!("{MOVED}/specs/auth/spec.md");
    // Both the delta and the spec are weaker.
    let cheat = |repo: &Repo| {
        repo.replace(DELTA, " within 1 second", "");
        repo.archive();
    };
    must_fail_explained(&Repo::new(), cheat, &[&at("archive-mutated", &moved), &at("direct-edit", AUTH)]);
    let scenario = "\n#### Scenario: Twice\n- **WHEN** nobody is signed in\n- **THEN** nothing happens\n";
    let delta = Repo::new().read(DELTA) + scenario;
    let cheat = |repo: &Repo| {
        repo.replace(DELTA, scenario, "");
        repo.archive();
        assert!(!repo.read(AUTH).contains("Twice"));
    };
    let repo = Repo::based_on(&[(DELTA, &delta)]);
    must_fail_explained(&repo, cheat, &[&at("archive-mutated", &moved), &at("direct-edit", AUTH)]);
    // Only the spec, only the delta.
    let spec_only = |repo: &Repo| {
        repo.archive();
        repo.replace(AUTH, "end the session within 1 second", "end the session");
    };
    must_fail_explained(&Repo::new(), spec_only, &[&at("direct-edit", AUTH), "archive of `add-logout`"]);
    let delta_only = |repo: &Repo| {
        repo.archive();
        repo.replace(&moved, "SHALL", "MAY");
    };
    fails(delta_only, "archive-mutated", &moved);
    let delta_gone = |repo: &Repo| {
        repo.archive();
        repo.remove(&format!("{MOVED}/specs"));
    };
    fails(delta_gone, "archive-mutated", DELTA);
    let proposal = |repo: &Repo| {
        repo.archive();
        repo.replace(&format!("{MOVED}/proposal.md"), "- End sessions on the server\n", "");
    };
    fails(proposal, "proposal-edited", &format!("{MOVED}/proposal.md"));
    let tasks = |repo: &Repo| {
        repo.archive();
        repo.replace(&format!("{MOVED}/tasks.md"), "- [ ] 1.2 Test it\n", "");
    };
    fails(tasks, "task-removed", &format!("{MOVED}/tasks.md"));
    // In commits of their own.
    let repo = Repo::new();
    repo.replace(DELTA, " within 1 second", "");
    repo.commit("weaken");
    repo.archive();
    repo.explained().fails(&[&at("archive-mutated", &moved)]);
    repo.commit("archive");
    repo.explained_commits().fails(&[&at("archive-mutated", &moved), &at("direct-edit", AUTH)]);
}

/// "5 archive by `mv`, deltas never merged"
#[test]
fn row_05_archive_by_mv() {
    let cheat = |repo: &Repo| repo.rename("openspec/changes/add-logout", MOVED);
    fails(cheat, "archive-unmerged", &format!("{MOVED}/specs/auth/spec.md"));
    // Also when the spec was wrapped otherwise, and without a date.
    let wrapped = |repo: &Repo| {
        repo.rename("openspec/changes/add-logout", "openspec/changes/archive/add-logout");
        repo.replace(AUTH, "The system SHALL answer", "The system SHALL\nanswer");
    };
    fails(wrapped, "archive-unmerged", "openspec/changes/archive/add-logout/specs/auth/spec.md");
}

/// "6 delete the open change"
#[test]
fn row_06_delete_change() {
    fails(|repo| repo.remove("openspec/changes/add-logout"), "change-deleted", DELTA);
    let renamed = |repo: &Repo| repo.rename("openspec/changes/add-logout", "openspec/changes/add-logout-2");
    must_fail_explained(&Repo::new(), renamed, &[&at("change-deleted", DELTA), "add-logout-2"]);
    let all = [at("change-deleted", DELTA), at("capability-removed", AUTH)];
    must_fail_explained(&Repo::new(), |repo| repo.remove("openspec"), &[&all[0], &all[1]]);
    // Moved out of sight, into the archive under another name, or into a folder nobody reads.
    for to in ["docs/add-logout", "openspec/changes/archive/2026-02-02-other", "openspec/changes/.hidden"] {
        fails(|repo| repo.rename("openspec/changes/add-logout", to), "change-deleted", DELTA);
    }
}

/// "7 delete a capability, or rename its folder (100 % rename, empty content diff)"
#[test]
fn row_07_delete_or_rename_capability() {
    fails(|repo| repo.remove("openspec/specs/auth"), "capability-removed", AUTH);
    let cheat = |repo: &Repo| repo.rename("openspec/specs/auth", "openspec/specs/login");
    let reasons = [at("capability-removed", AUTH), at("direct-edit", "openspec/specs/login/spec.md")];
    must_fail_explained(&Repo::new(), cheat, &[&reasons[0], &reasons[1]]);
    // Retired by a change that must not retire it.
    let delta = "## REMOVED Requirements\n\n### Requirement: Pay\n**Reason**: gone\n**Migration**: none\n";
    let repo = Repo::based_on(&[("openspec/changes/no-pay/specs/billing/spec.md", delta)]);
    let retire = |repo: &Repo| {
        repo.rename("openspec/changes/no-pay", "openspec/changes/archive/2026-02-02-no-pay");
        repo.remove("openspec/specs/billing");
    };
    must_fail_explained(&repo, retire, &[&at("capability-removed", "openspec/specs/billing/spec.md")]);
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
        fails(|repo| repo.rename(from, to), "capability-removed", AUTH);
    }
    let change = |repo: &Repo| repo.rename("openspec/changes/add-logout", "openspec/changes/Add-Logout");
    fails(change, "change-deleted", DELTA);
    fails(|repo| repo.rename(DELTA, "openspec/changes/add-logout/specs/Auth/spec.md"), "delta-weakened", DELTA);
}

/// "9 spec.md becomes a symlink, a folder, a submodule"
#[test]
fn row_09_spec_becomes_something_else() {
    for path in [AUTH, DELTA, TASKS, PROPOSAL] {
        let linked = |repo: &Repo| {
            repo.rename(path, "docs/moved.md");
            let up = "../".repeat(path.matches('/').count());
            repo.link(format!("{up}docs/moved.md"), path);
        };
        fails(linked, "link-swap", path);
    }
    let folder = |repo: &Repo| {
        let text = repo.read(AUTH);
        repo.remove(AUTH);
        repo.write(&format!("{AUTH}/spec.md"), text);
    };
    fails(folder, "link-swap", AUTH);
    // A new change may not bring links along.
    let new = "openspec/changes/new/specs/auth/spec.md";
    fails(|repo| repo.link("../../../../specs/auth/spec.md", new), "link-swap", new);

    let repo = Repo::new();
    repo.git(&["rm", "-rq", "openspec/specs/auth"]);
    repo.git(&["clone", "-q", ".", "openspec/specs/auth"]);
    repo.explained().fails(&[AUTH]);
    repo.commit("submodule");
    repo.explained_commits().fails(&[&at("link-swap", "openspec/specs/auth")]);
}

/// "10 wrap a requirement in a fence or an HTML comment, shift its heading level, indent it, zero-width or look-alike
/// characters in its name"
#[test]
fn row_10_hide_requirement_in_text() {
    for (path, rule, heading) in [
        (AUTH, "direct-edit", "### Requirement: Sign in"),
        (DELTA, "delta", "### Requirement: Sign out"),
        (DELTA, "delta", "#### Scenario: Sign out"),
    ] {
        let words = heading.trim_start_matches('#');
        for hidden in [
            format!("```\n{heading}"),
            format!("<!--\n{heading}"),
            format!("#{heading}"),
            format!("     {heading}"),
            format!(" {heading}"),
            format!("{heading}\u{200b}"),
            heading.replace('i', "\u{456}"),
            heading.replace(words, &format!(" {words}")),
            format!("x {heading}"),
        ] {
            let reason = format!("freeze/{rule}");
            must_fail_explained(&Repo::new(), |repo| repo.replace(path, heading, &hidden), &[&reason, path]);
        }
    }
}

/// "11 a second `## Requirements`"
#[test]
fn row_11_second_requirements_section() {
    let cheat = |repo: &Repo| repo.replace(AUTH, "## Requirements\n", "## Requirements\n\n## Requirements\n");
    fails(cheat, "direct-edit", AUTH);
    let while_archiving = |repo: &Repo| {
        repo.archive();
        cheat(repo);
    };
    fails(while_archiving, "direct-edit", AUTH);
}

/// "12 tasks: delete, reword, merge, tick inside a fence; move an open task to another file"
#[test]
fn row_12_tasks() {
    let (one, two) = ("- [ ] 1.1 Write it\n", "- [ ] 1.2 Test it\n");
    for (from, to, rule) in [
        (two, "", "task-removed"),
        (two, "- [ ] 1.2 Look at it\n", "task-reworded"),
        (&[one, two].concat(), "- [x] 1.1 Write it and test it\n", "task-reworded"),
        ("- [ ] 1.3 An", "- [x] 1.3 An", "task-reworded"),
        (one, "- [x] 1.1 Write it (skipped)\n", "task-reworded"),
        (one, "- [x] ~~1.1 Write it~~\n", "task-reworded"),
        (one, "- [-] 1.1 Write it\n", "task-reworded"),
        (one, "<!-- - [ ] 1.1 Write it -->\n", "task-removed"),
        (one, "```\n- [ ] 1.1 Write it\n```\n", "task-removed"),
    ] {
        fails(|repo| repo.replace(TASKS, from, to), rule, TASKS);
    }
    let moved = |repo: &Repo| {
        repo.replace(TASKS, two, "");
        repo.write("openspec/changes/add-logout/later.md", two);
    };
    fails(moved, "task-removed", TASKS);
    fails(|repo| repo.remove(TASKS), "task-removed", TASKS);
    fails(|repo| repo.write(TASKS, ""), "task-removed", TASKS);
}

/// "13 proposal: shrink the scope"
#[test]
fn row_13_proposal() {
    fails(|repo| repo.replace(PROPOSAL, "- End sessions on the server\n", ""), "proposal-edited", PROPOSAL);
    fails(|repo| repo.remove(PROPOSAL), "proposal-edited", PROPOSAL);
}

/// "14 edit history under `changes/archive`"
#[test]
fn row_14_history() {
    fails(|repo| repo.write(ARCHIVED, "# Add auth\n\n## Why\nNo reason.\n"), "history-edited", ARCHIVED);
    fails(|repo| repo.remove("openspec/changes/archive"), "history-edited", ARCHIVED);
    let again = |repo: &Repo| {
        repo.rename("openspec/changes/archive/2026-01-01-add-auth", "openspec/changes/archive/2026-01-02-add-auth");
    };
    fails(again, "history-edited", ARCHIVED);
    let opened = |repo: &Repo| repo.rename("openspec/changes/archive/2026-01-01-add-auth", "openspec/changes/add-auth");
    must_fail_explained(&Repo::new(), opened, &[&at("history-edited", ARCHIVED)]);
    let added = "openspec/changes/archive/2026-01-01-add-auth/specs/auth/spec.md";
    fails(|repo| repo.write(added, "## ADDED Requirements\n"), "history-edited", added);
    let repo = Repo::new();
    let tasks = "openspec/changes/archive/2026-01-01-add-auth/tasks.md";
    repo.write(tasks, "- [ ] 1.1 Never done\n");
    repo.commit("unfinished");
    repo.git(&["branch", "-f", "main"]);
    must_fail_explained(&repo, |repo| repo.replace(tasks, "[ ]", "[x]"), &[&at("history-edited", tasks)]);
}

/// "15 conflict markers committed"
#[test]
fn row_15_conflict_markers() {
    let line = "- **AND** the sign-in is logged\n";
    let conflict = format!("<<<<<<< HEAD\n{line}=======\n>>>>>>> other\n");
    fails(|repo| repo.replace(AUTH, line, &conflict), "direct-edit", AUTH);
    let line = "- **THEN** the session ends\n";
    let conflict = format!("<<<<<<< HEAD\n{line}=======\n>>>>>>> other\n");
    fails(|repo| repo.replace(DELTA, line, &conflict), "delta-edited", DELTA);
}

/// "16 a copy of the spec under another root made "nearest" (new `openspec/` nearer to the code)"
#[test]
fn row_16_nearer_root() {
    let repo = Repo::new();
    let copy = "src/openspec/specs/auth/spec.md";
    repo.write(copy, spec("Sign in").replace(" within 1 second", ""));
    let there = repo.path("src");
    let args = ["--changed", "--frozen-spec=explained"];
    repo.verify_in(&there, &[], &args).fails(&[&at("direct-edit", copy)]);
    repo.weaken();
    repo.verify_in(&there, &[], &args).fails(&[&at("direct-edit", copy), &at("direct-edit", AUTH)]);
    repo.commit("nearer");
    repo.explained_commits().fails(&[&at("direct-edit", copy), &at("direct-edit", AUTH)]);
    // Where the project of base is not above either.
    let repo = Repo::new();
    repo.git(&["checkout", "-q", "main"]);
    repo.rename("openspec", "a/openspec");
    repo.commit("below");
    repo.git(&["checkout", "-q", "-B", "work"]);
    repo.write(AUTH, spec("Sign in").replace(" within 1 second", ""));
    repo.explained().fails(&[&at("direct-edit", AUTH)]);
    repo.commit("above");
    repo.explained_commits().fails(&[&at("direct-edit", AUTH)]);
}

/// "17 `skip_specs: true` on a change that had deltas, schema swapped for one without specs."
#[test]
fn row_17_skip_specs_or_other_schema() {
    let metadata = "openspec/changes/add-logout/.openspec.yaml";
    let skip = |repo: &Repo| {
        repo.remove("openspec/changes/add-logout/specs");
        repo.write(metadata, "schema: spec-driven\nskip_specs: true\n");
    };
    let reasons = [at("metadata-edited", metadata), at("delta-weakened", DELTA)];
    must_fail_explained(&Repo::new(), skip, &[&reasons[0], &reasons[1]]);
    let schema = "openspec/schemas/lax/schema.yaml";
    let swap = |repo: &Repo| {
        repo.write(schema, "name: lax\nversion: 1\nartifacts: []\n");
        repo.write("openspec/config.yaml", "schema: lax\n");
    };
    let reasons = [at("metadata-edited", schema), at("metadata-edited", "openspec/config.yaml")];
    must_fail_explained(&Repo::new(), swap, &[&reasons[0], &reasons[1]]);
    let archived = |repo: &Repo| {
        repo.write(metadata, "schema: spec-driven\nretire_capabilities: true\n");
        repo.archive();
    };
    fails(archived, "metadata-edited", &format!("{MOVED}/.openspec.yaml"));
}

/// Of 37, 39, 43, 45: the gate's own files
#[test]
fn the_gates_own_files() {
    let block = "# Agents\n<!-- specward:start -->\nRun specward before you stop.\n<!-- specward:end -->\nBe kind.\n";
    let criteria = "version: 1\ncriteria:\n  - requirement: Sign in\n    scenario: Right password\n    verify:\n      - \
        file: { path: AGENTS.md, exists: true }\n";
    let files: [(&str, &str); 7] = [
        (".github/workflows/gate.yml", "on: push\njobs: {gate: {steps: [{run: specward verify}]}}\n"),
        (".pre-commit-config.yaml", "repos: [{repo: local, hooks: [{id: specward, entry: specward verify}]}]\n"),
        (".claude/settings.json", "{\"hooks\": {\"Stop\": \"specward hook\"}}\n"),
        (".husky/pre-commit", "specward verify --staged\n"),
        ("openspec/specward.yaml", "strict: false\n"),
        ("openspec/verify/auth.yaml", criteria),
        ("AGENTS.md", block),
    ];
    for (path, text) in files {
        let repo = || Repo::based_on(&files);
        let reason = at("gate-edited", path);
        let cheat = |to: &'static str| move |repo: &Repo| repo.write(path, to);
        let weaker = if path == "AGENTS.md" { "Be kind.\n" } else { "# nothing\n" };
        must_fail_explained(&repo(), cheat(weaker), &[&reason]);
        must_fail_explained(&repo(), |repo| repo.remove(path), &[&reason]);
        // In the index alone.
        let other = repo();
        other.write(path, weaker);
        other.git(&["add", "-A"]);
        other.write(path, text);
        other.explained().fails(&[&reason]);
    }
    // What is beside the block, and what does not call the gate, is nobody's business.
    let repo = Repo::based_on(&[("AGENTS.md", block), (".github/workflows/ci.yml", "run: cargo test\n")]);
    repo.replace("AGENTS.md", "Be kind.", "Be quick.");
    repo.write(".github/workflows/ci.yml", "run: cargo nextest\n");
    repo.explained().passes();
    // Unless specs are edited in the same breath.
    repo.weaken();
    repo.explained().fails(&[&at("gate-edited", ".github/workflows/ci.yml"), &at("direct-edit", AUTH)]);
    let off = ".claude/settings.local.json";
    fails(|repo| repo.write(off, "{\"disableAllHooks\": true}\n"), "gate-edited", off);
}

/// Of 38: suppressions and what is let through because it is old
#[test]
fn suppressions() {
    let allow = "<!-- specward: allow spec/no-scenario -- nobody will look -->\n";
    let before = |path: &'static str, heading: &'static str| {
        move |repo: &Repo| repo.replace(path, heading, &format!("{allow}{heading}"))
    };
    fails(before(AUTH, "### Requirement: Sign in"), "direct-edit", AUTH);
    fails(before(DELTA, "### Requirement: Sign out"), "delta-edited", DELTA);
    let while_archiving = |repo: &Repo| {
        repo.archive();
        before(AUTH, "### Requirement: Sign out")(repo);
    };
    fails(while_archiving, "direct-edit", AUTH);
    let old = "openspec/specward-baseline.yaml";
    fails(|repo| repo.write(old, "version: 1\nfindings: []\n"), "gate-edited", old);
}

/// Of 25: the index, or the commit below the work tree, has what nothing explains
#[test]
fn what_lies_below_the_work_tree() {
    let repo = Repo::new();
    repo.weaken();
    repo.git(&["add", "-A"]);
    repo.git(&["restore", "--source=main", "--worktree", "."]);
    repo.explained().fails(&[&at("direct-edit", AUTH), "in the index"]);
    repo.git(&["commit", "-q", "-m", "weaken"]);
    repo.explained().fails(&[&at("direct-edit", AUTH)]);
    // Explained here, weakened there.
    let repo = Repo::new();
    repo.weaken();
    repo.git(&["add", "-A"]);
    repo.git(&["restore", "--source=main", "--worktree", "."]);
    repo.archive();
    repo.explained().fails(&[&at("direct-edit", AUTH), "in the index"]);
    // An archive that is staged in part is no edit.
    let repo = Repo::new();
    repo.archive();
    repo.git(&["add", "-u"]);
    repo.explained().passes();
}

/// Of 37: the configuration that decides is base's
#[test]
fn the_configuration_of_base_decides() {
    let config = "openspec/specward.yaml";
    let tick = |repo: &Repo| repo.replace(DELTA, "within 1 second", "within\n1 second");
    for (base, head, flag, is_explained) in [
        (Some("explained"), Some("explained"), "--frozen-spec", true),
        (Some("explained"), None, "--frozen-spec", true),
        (None, Some("explained"), "--frozen-spec", false),
        (Some("strict"), Some("strict"), "--frozen-spec", false),
        (None, None, "--frozen-spec", false),
        (None, None, "--frozen-spec=explained", true),
        (Some("strict"), Some("strict"), "--frozen-spec=explained", true),
        (Some("explained"), Some("explained"), "--frozen-spec=strict", false),
        (Some("explained"), Some("explained"), "--strict", true),
        (Some("strict"), Some("strict"), "--strict", false),
    ] {
        let text = |mode: &str| format!("frozen: {mode}\n");
        let repo = match base {
            Some(mode) => Repo::based_on(&[(config, &text(mode))]),
            None => Repo::new(),
        };
        tick(&repo);
        let outcome = repo.verify(&["--changed", flag]);
        let is_edited = base != head;
        match head {
            Some(mode) => repo.write(config, text(mode)),
            None if base.is_some() => repo.remove(config),
            None => {}
        }
        let with_head = repo.verify(&["--changed", flag]);
        if is_explained {
            outcome.passes();
            if is_edited { with_head.fails(&[&at("gate-edited", config)]) } else { with_head.passes() }
        } else {
            outcome.fails_frozen(&[DELTA]);
            with_head.fails_frozen(&[DELTA]);
        }
    }
    // Head's can ask for more, not for less.
    let repo = Repo::new();
    repo.write(config, "frozen: strict\n");
    repo.verify(&["--changed"]).fails_frozen(&[config]);
    let repo = Repo::based_on(&[(config, "frozen: strict\n")]);
    repo.write(config, "frozen: off\n");
    repo.weaken();
    repo.verify(&["--changed"]).fails_frozen(&[config, AUTH]);
}

/// Of 25: the commit has what CI will judge, whatever the work tree makes of it
#[test]
fn what_was_committed_is_judged_with_its_own_files() {
    // The folder moved, and the main spec left out.
    let repo = Repo::new();
    repo.archive();
    repo.git(&["add", "openspec/changes"]);
    repo.git(&["commit", "-q", "-m", "archive"]);
    let unmerged = [&*at("archive-unmerged", &format!("{MOVED}/specs/auth/spec.md")), "in the commit"];
    repo.explained().fails(&unmerged);
    repo.git(&["update-index", "--assume-unchanged", AUTH]);
    repo.explained().fails(&unmerged);
    repo.explained_commits().fails(&unmerged[..1]);
    // The spec committed, and the archive ignored.
    let repo = Repo::new();
    repo.write(".git/info/exclude", "openspec/changes/archive/20*\n");
    repo.archive();
    repo.commit("archive");
    repo.explained().fails(&["freeze/change-deleted"]);
    repo.explained_commits().fails(&["freeze/change-deleted"]);
    // All of it committed passes, and so does more of it in the work tree.
    let repo = Repo::new();
    repo.archive();
    repo.commit("archive");
    repo.edit_source();
    repo.explained().passes();
    repo.replace(&format!("{MOVED}/tasks.md"), "- [ ] 1.1", "- [x] 1.1");
    repo.explained().passes();
}

/// Files that no reader of specs looks at are none on any side
#[test]
fn hidden_files_in_the_index_are_no_edit() {
    let repo = Repo::new();
    repo.write("openspec/specs/.DS_Store", "x");
    repo.explained().passes();
    repo.git(&["add", "-A"]);
    repo.explained().passes();
    repo.frozen().passes();
    repo.commit("desktop");
    repo.explained().passes();
    repo.explained_commits().passes();
    repo.frozen().passes();
    // What readers look at is told once where it is.
    let repo = Repo::new();
    repo.write("openspec/specs/notes.md", "x\n");
    repo.git(&["add", "-A"]);
    repo.git(&["rm", "-q", "-f", "--cached", "openspec/changes/add-logout/tasks.md"]);
    repo.git(&["add", "-A"]);
    std::fs::remove_file(repo.path("openspec/specs/notes.md")).expect("a file");
    repo.explained().fails(&["this file was added in the index"]);
}

/// A ticked box differs from base, though nothing was committed
#[test]
fn a_ticked_box_is_compared() {
    let repo = Repo::new();
    repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
    repo.verify(&["--changed", "--base", "HEAD", "--frozen-spec=explained"]).passes();
    repo.verify(&["--changed", "--base", "HEAD", "--frozen-spec"]).passes();
    repo.replace(TASKS, "- [x] 1.1", "- [ ] 1.1");
    repo.verify(&["--changed", "--base", "HEAD", "--frozen-spec"]).is_unverifiable(&["nothing was compared"]);
}

/// A second project beside the one that base has was agreed by nobody
#[test]
fn another_project() {
    let cheat = |repo: &Repo| {
        repo.write("src/openspec/changes/eve/specs/auth/spec.md", repo.read(DELTA));
        repo.write("src/openspec/changes/eve/proposal.md", repo.read(PROPOSAL));
        repo.write("src/openspec/changes/eve/tasks.md", repo.read(TASKS));
    };
    let repo = Repo::new();
    cheat(&repo);
    repo.git(&["add", "-A"]);
    let reasons = ["base has no such `openspec/`"];
    repo.explained().fails(&reasons);
    repo.explained_index().fails(&reasons);
    repo.commit("another");
    repo.explained().fails(&reasons);
    repo.explained_commits().fails(&reasons);
    // One that base has, be it without specs and changes yet, gets its first change.
    let repo = Repo::based_on(&[("src/openspec/config.yaml", "schema: spec-driven\n")]);
    cheat(&repo);
    repo.explained().passes();
}

/// A change that is stale on base writes over what came in
#[test]
fn a_stale_change_is_archived() {
    let modified = |text: &str| {
        let block = spec("Pay").split_once("### ").map(|(_, block)| format!("### {block}")).unwrap_or_default();
        format!("## MODIFIED Requirements\n\n{}", block.replace("within 1 second", text))
    };
    let (billing, delta) = ("openspec/specs/billing/spec.md", "openspec/changes/faster/specs/billing/spec.md");
    let repo = Repo::based_on(&[(delta, &modified("within 0.5 seconds"))]);
    repo.replace(billing, "a password.", "a password. It MUST NOT tell how many are left.");
    repo.commit("gain");
    repo.git(&["branch", "-f", "main"]);
    let cheat = |repo: &Repo| {
        repo.rename("openspec/changes/faster", "openspec/changes/archive/2026-02-02-faster");
        repo.write(billing, spec("Pay").replace("within 1 second", "within 0.5 seconds"));
    };
    must_fail_explained(&repo, cheat, &["merge/stale-base", "MUST NOT tell"]);
}
