//! Runs on the real material beside the repository: `../shared/cases`, and real histories in `../shared/corpus-pairs`.
//! Where it is missing, the tests say so and do nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: ../shared/{name} is not here");
    None
}

/// A command without anything of this environment that decides what git or specward see.
#[expect(clippy::disallowed_methods, reason = "tests start the programs they test")]
fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(folder).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder);
    for name in ["PATH", "TMPDIR"] {
        #[expect(clippy::disallowed_methods, reason = "the programs are found through PATH")]
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command
}

fn run(program: &str, args: &[&str], folder: &Path) -> Output {
    command(program, folder).args(args).output().unwrap_or_else(|error| panic!("{program}: {error}"))
}

fn specward(args: &[&str], folder: &Path) -> Output {
    run(env!("CARGO_BIN_EXE_specward"), args, folder)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a scratch folder");
    for entry in fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::write(&target, fs::read(entry.path()).expect("a file")).expect("a copy");
        }
    }
    let Ok(links) = fs::read_to_string(to.join("LINKS.tsv")) else { return };
    for (path, target) in links.lines().filter_map(|line| line.split_once('\t')) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        drop(fs::remove_file(&path));
        link(target, &path);
    }
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).expect("a link");
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) {}

/// The case folders of the index with the reference's strict exit code, where it has one.
fn cases(folder: &Path) -> Vec<(String, Option<i32>)> {
    let index = fs::read_to_string(folder.join("INDEX.md")).expect("INDEX.md");
    let rows = index.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| case"));
    rows.filter_map(|row| {
        let mut cells = row.split('|').map(str::trim).skip(1);
        Some((cells.next()?.to_owned(), cells.next()?.parse().ok()))
    })
    .collect()
}

#[test]
fn validate_exits_as_the_reference_does_on_every_case() {
    let Some(folder) = shared("cases") else { return };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (case, expected) in cases(&folder) {
        let Some(expected) = expected else { continue };
        let scratch = tempfile::tempdir().expect("a scratch folder");
        copy(&folder.join(&case), scratch.path());
        let output = specward(&["validate", "--changes", "--strict"], scratch.path());
        seen += 1;
        if output.status.code() != Some(expected) {
            wrong.push(format!("{case}: {:?} instead of {expected}", output.status.code()));
        }
    }
    assert!(seen > 50, "only {seen} cases were read from INDEX.md");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Plain `--frozen-spec` fails on every history that touches a file of the spec set, and tells each of them.
#[test]
fn strict_freeze_on_real_histories_and_frozen_cases() {
    let bundles = |folder: PathBuf, inner: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.map(|path| if inner.is_empty() { path } else { path.join(inner) }).collect()
    };
    let (Some(pairs), Some(cases)) = (shared("corpus-pairs"), shared("cases")) else { return };
    let mut files = bundles(pairs, "");
    files.extend(bundles(cases, "repo.bundle"));
    files.retain(|path| path.extension().is_some_and(|extension| extension == "bundle") && path.is_file());
    assert!(files.len() > 10, "only {} bundles", files.len());
    for bundle in files {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let clone = run("git", &["clone", "-q", &bundle.display().to_string(), "repo"], scratch.path());
        assert!(clone.status.success(), "{}: {}", bundle.display(), String::from_utf8_lossy(&clone.stderr));
        let repo = scratch.path().join("repo");
        let base = "refs/remotes/origin/base";
        let head = "refs/remotes/origin/head";
        let diff =
            ["-c", "core.quotePath=false", "diff", "--no-renames", "--name-only", "-z", &format!("{base}...{head}")];
        let diff = String::from_utf8(run("git", &diff, &repo).stdout).expect("UTF-8");
        let is_spec = |path: &&str| {
            ["specs/", "changes/", "schemas/", "verify/", "config.yaml", "specward.yaml"].iter().any(|name| {
                path.starts_with(&format!("openspec/{name}")) || path.contains(&format!("/openspec/{name}"))
            })
        };
        let touched: Vec<&str> = diff.split('\0').filter(is_spec).collect();
        let args = ["verify", "--changed", "--frozen-spec", "--base", base, "--head", head, "--format", "json"];
        let output = specward(&args, &repo);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let told: Vec<&str> =
            report["spec_changes"].as_array().expect("a list").iter().filter_map(|path| path.as_str()).collect();
        let name = bundle.display();
        for path in &touched {
            // A tasks.md that only had boxes ticked is no edit.
            assert!(told.contains(path) || path.ends_with("/tasks.md"), "{name}: {path} is not told");
        }
        for path in &told {
            assert!(touched.contains(path), "{name}: {path} did not change");
        }
        let expected = if told.is_empty() { Some(0) } else { Some(1) };
        let failed = report["findings"].as_array().expect("a list").iter().any(|finding| finding["level"] == "error");
        assert!(output.status.code() == expected || failed, "{name}: exit {:?}", output.status.code());
    }
}

/// The cases about a frozen spec, explained: as two commits, and with head as work tree.
#[test]
fn explained_freeze_on_the_frozen_cases() {
    let Some(folder) = shared("cases") else { return };
    let entries = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut cases: Vec<PathBuf> = entries
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("frozen-")))
        .collect();
    cases.sort();
    assert!(cases.len() > 10, "only {} cases", cases.len());
    // What a finding has to be about; none for those that pass.
    let wanted = |case: &str| match case {
        "frozen-archive-delta-mutated" => Some("freeze/archive-mutated"),
        "frozen-change-deleted" => Some("freeze/change-deleted"),
        "frozen-gate-config-edited" => Some("freeze/gate-edited"),
        "frozen-history-edit" => Some("freeze/history-edited"),
        "frozen-stale-base" => Some("freeze/delta-"),
        "frozen-symlink-swap" => Some("freeze/link-swap"),
        "frozen-task-removed" => Some("freeze/task-removed"),
        "frozen-task-reworded" => Some("freeze/task-reworded"),
        "frozen-unicode-path" => Some("freeze/direct-edit"),
        _ => None,
    };
    for case in cases {
        let name = case.file_name().expect("a name").to_string_lossy().into_owned();
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let bundle = case.join("repo.bundle").display().to_string();
        assert!(run("git", &["clone", "-q", "-b", "head", &bundle, "repo"], scratch.path()).status.success(), "{name}");
        let repo = scratch.path().join("repo");
        let frozen = ["verify", "--changed", "--frozen-spec=explained", "--format", "json", "--base", "origin/base"];
        for args in [&frozen[..], &[&frozen[..], &["--head", "origin/head"]].concat()] {
            let output = specward(args, &repo);
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let rules: Vec<&str> = report["findings"]
                .as_array()
                .expect("a list")
                .iter()
                .filter_map(|finding| finding["rule"].as_str())
                .collect();
            match wanted(&name) {
                Some(rule) => {
                    assert_eq!(output.status.code(), Some(1), "{name}");
                    assert!(rules.iter().any(|found| found.starts_with(rule)), "{name}: {rules:?}");
                }
                None => {
                    assert!(!rules.iter().any(|found| found.starts_with("freeze/")), "{name}: {rules:?}");
                    assert_eq!(output.status.code(), Some(0), "{name}: {rules:?}");
                }
            }
        }
    }
}
