//! Which items a diff brings before the judge, and how many it leaves alone.

use std::fs;

use crate::support::{AUTH, DELTA, SPEC, Sandbox, faulty};

const OTHER: &str = "openspec/specs/other/spec.md";

/// Three specs (`auth`, `other`, `deep/inner`) and three changes: `a1` and `a2` for `auth`, `o1` for `other`.
fn project() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write(OTHER, SPEC);
    sandbox.write("openspec/specs/deep/inner/spec.md", SPEC);
    for (change, capability) in [("a1", "auth"), ("a2", "auth"), ("o1", "other")] {
        sandbox.write(format!("openspec/changes/{change}/specs/{capability}/spec.md"), DELTA);
        sandbox.write(format!("openspec/changes/{change}/tasks.md"), "- [ ] 1.1 Do it\n");
    }
    sandbox.write("openspec/changes/archive/2026-01-01-old/specs/auth/spec.md", DELTA);
    sandbox.write("openspec/config.yaml", "schema: spec-driven\n");
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox
}

/// What is judged after a change to the work tree, in all three ways of looking at it.
#[track_caller]
fn check(sandbox: &Sandbox, expected: &[&str], left_alone: u64) {
    let mut reports = vec![sandbox.json(&["--changed"])];
    sandbox.git(&["add", "-A"]);
    reports.push(sandbox.json(&["--staged"]));
    sandbox.git(&["commit", "-qm", "second"]);
    reports.push(sandbox.json(&["--changed", "--base", "main", "--head", "work"]));
    for judged in reports {
        judged.judges_only(expected);
        assert_eq!(judged.report["judged"].as_u64(), Some(expected.len() as u64), "{:#}", judged.report);
        assert_eq!(judged.report["left_alone"].as_u64(), Some(left_alone), "{:#}", judged.report);
    }
}

#[test]
fn nothing_changed() {
    let sandbox = project();
    sandbox.write("src/main.rs", "fn main() {}\n");
    sandbox.json(&["--changed"]).is("PASS");
    check(&sandbox, &[], 6);
    sandbox.json(&["--changed"]).is("PASS");
}

#[test]
fn a_main_spec_pulls_in_the_changes_for_it() {
    let sandbox = project();
    sandbox.write(AUTH, SPEC.replace("keeps", "leaves"));
    assert_eq!(sandbox.json(&["--changed"]).report["spec_changed_in_diff"], true);
    check(&sandbox, &["change/a1", "change/a2", "spec/auth"], 3);
}

#[test]
fn a_delta_pulls_in_its_change_and_spec() {
    let sandbox = project();
    sandbox.write("openspec/changes/o1/specs/other/spec.md", DELTA.replace("ends", "stops"));
    check(&sandbox, &["change/o1", "spec/other"], 4);
}

#[test]
fn a_spec_several_folders_deep() {
    let sandbox = project();
    sandbox.write("openspec/specs/deep/inner/spec.md", SPEC.replace("keeps", "leaves"));
    sandbox.write("openspec/changes/deep/specs/deep/inner/spec.md", DELTA);
    check(&sandbox, &["change/deep", "spec/deep/inner"], 5);
}

#[test]
fn any_file_of_a_change_pulls_it_in() {
    let sandbox = project();
    sandbox.write("openspec/changes/a1/design.md", "# Design\n");
    check(&sandbox, &["change/a1"], 5);
}

#[test]
fn ticked_boxes_pull_their_change_in_and_are_no_edit_of_the_spec() {
    let sandbox = project();
    sandbox.write("openspec/changes/a1/tasks.md", "- [x] 1.1 Do it\n");
    let judged = sandbox.json(&["--changed", "--frozen-spec"]);
    judged.is("PASS").judges_only(&["change/a1"]);
    assert_eq!(judged.report["spec_changed_in_diff"], false);
    check(&sandbox, &["change/a1"], 5);
}

#[test]
fn a_reworded_task_is_an_edit_of_the_spec() {
    let sandbox = project();
    for (tasks, is_edit) in [("- [x] 1.1 Do it\n", false), ("- [x] 1.1 Do half of it\n", true)] {
        sandbox.write("openspec/changes/a1/tasks.md", tasks);
        assert_eq!(sandbox.json(&["--changed"]).report["spec_changed_in_diff"], is_edit, "{tasks}");
    }
}

#[cfg(unix)]
#[test]
fn another_mode_or_kind_is_an_edit_of_the_spec() {
    use std::os::unix::fs::PermissionsExt;
    let changes: [fn(&Sandbox); 3] = [
        |sandbox| fs::set_permissions(sandbox.path(AUTH), fs::Permissions::from_mode(0o755)).expect("a mode"),
        |sandbox| {
            fs::rename(sandbox.path(AUTH), sandbox.path("auth.md")).expect("it can be moved");
            sandbox.link(AUTH, "../../../auth.md");
        },
        |sandbox| {
            fs::remove_file(sandbox.path(AUTH)).expect("it is there");
            sandbox.write(format!("{AUTH}/spec.md"), SPEC);
        },
    ];
    for change in changes {
        let sandbox = project();
        assert_eq!(sandbox.json(&["--changed"]).report["spec_changed_in_diff"], false);
        change(&sandbox);
        let judged = sandbox.json(&["--changed"]);
        assert_eq!(judged.report["spec_changed_in_diff"], true, "{:#}", judged.report);
        assert!(judged.spec_changes().contains(&AUTH), "{:#}", judged.report);
    }
}

#[test]
fn a_frozen_spec_is_judged_as_well() {
    let sandbox = project();
    sandbox.write(AUTH, SPEC.replace("keeps", "leaves"));
    let judged = sandbox.json(&["--changed", "--frozen-spec"]);
    judged.is("FAIL").finds("freeze/spec-changed", AUTH, 4).judges("auth", "PASS");
}

#[test]
fn configuration_and_schemas_pull_in_everything() {
    for path in ["openspec/config.yaml", "openspec/schemas/own/schema.yaml", "openspec/specward.yaml"] {
        let sandbox = project();
        sandbox.write(path, "# new\n");
        check(&sandbox, &["change/a1", "change/a2", "change/o1", "spec/auth", "spec/deep/inner", "spec/other"], 0);
    }
}

#[test]
fn deleted_configuration_pulls_in_everything() {
    let sandbox = project();
    fs::remove_file(sandbox.path("openspec/config.yaml")).expect("it is there");
    check(&sandbox, &["change/a1", "change/a2", "change/o1", "spec/auth", "spec/deep/inner", "spec/other"], 0);
}

#[test]
fn a_deleted_spec_pulls_in_the_changes_for_it() {
    let sandbox = project();
    fs::remove_dir_all(sandbox.path("openspec/specs/auth")).expect("it is there");
    check(&sandbox, &["change/a1", "change/a2"], 3);
}

#[test]
fn a_deleted_change_is_not_judged() {
    let sandbox = project();
    fs::remove_dir_all(sandbox.path("openspec/changes/a1")).expect("it is there");
    check(&sandbox, &["spec/auth"], 4);
}

#[test]
fn archiving_a_change() {
    let sandbox = project();
    fs::rename(sandbox.path("openspec/changes/a1"), sandbox.path("openspec/changes/archive/2026-01-02-a1"))
        .expect("it can be moved");
    sandbox.write(AUTH, format!("{SPEC}\n{}", DELTA.split_once("\n\n").expect("a header").1));
    check(&sandbox, &["change/a2", "spec/auth"], 3);
}

#[test]
fn the_archive_touches_nothing() {
    let sandbox = project();
    sandbox.write("openspec/changes/archive/2026-01-01-old/specs/auth/spec.md", "nothing\n");
    check(&sandbox, &[], 6);
}

#[test]
fn what_the_diff_does_not_touch_is_neither_judged_nor_printed() {
    let sandbox = Sandbox::project();
    for path in [OTHER, "openspec/specs/another/spec.md"] {
        sandbox.write(path, faulty());
    }
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(AUTH, SPEC.replace("keeps", "leaves"));
    for format in ["human", "agent", "json"] {
        sandbox.run(&["verify", "--changed", "--format", format]).exits(0).never_says("other/").never_says("another");
    }
    sandbox.agent(&["--changed"]).says("1 passed, 0 failed, 0 unverifiable, 0 skipped (1 judged, 2 left alone)");
    sandbox.json(&[]).is("FAIL");
}

#[test]
fn untracked_files_count_and_ignored_ones_too() {
    let sandbox = project();
    sandbox.write(".gitignore", "openspec/specs/new/\n");
    sandbox.commit("ignore");
    sandbox.write("openspec/specs/new/spec.md", faulty());
    let judged = sandbox.json(&["--changed", "--frozen-spec"]);
    judged.is("FAIL").judges_only(&["spec/new"]);
    judged.finds("spec/no-scenario", "openspec/specs/new/spec.md", 8);
    judged.finds("freeze/spec-changed", "openspec/specs/new/spec.md", 1);
}

#[test]
fn named_items() {
    let sandbox = project();
    sandbox.json(&["auth"]).is("PASS").judges_only(&["spec/auth"]);
    sandbox.json(&["spec/auth", "change/a1"]).is("PASS").judges_only(&["change/a1", "spec/auth"]);
    sandbox.agent(&["atuh"]).exits(2).says("unknown item `atuh`").says("auth");
    sandbox.run(&["verify", "atuh"]).exits(2).complains("unknown item `atuh`").complains("auth");
    sandbox.write(AUTH, SPEC.replace("keeps", "leaves"));
    let judged = sandbox.json(&["--changed", "auth"]);
    judged.is("PASS").judges_only(&["spec/auth"]);
    assert_eq!(judged.report["left_alone"], 5);
    sandbox.json(&["--changed", "other"]).is("UNVERIFIABLE").reasons("not among the items", "leave the name out");
}

#[test]
fn a_named_item_does_not_hide_what_is_wrong_with_the_project() {
    let sandbox = project();
    sandbox.write(AUTH, faulty());
    let judged = sandbox.json(&["--changed", "--frozen-spec", "a1"]);
    judged.is("FAIL").finds("freeze/spec-changed", AUTH, 10);
}

#[test]
fn an_empty_project_is_no_pass() {
    let sandbox = Sandbox::bare_folder();
    for folder in ["specs", "changes"] {
        fs::create_dir_all(sandbox.path("openspec").join(folder)).expect("folders");
        sandbox.json(&[]).is("UNVERIFIABLE").reasons("nothing to judge", "openspec/");
    }
}
