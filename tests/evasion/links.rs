//! Links in and around the spec set.

use std::fs;

use crate::repo::{AUTH, DELTA, Repo, TASKS, must_fail};

/// Of 9, 16: `openspec/`, or a part of it, is a link. What it leads to is frozen, and judged
#[test]
fn linked_folders() {
    for (moved, to, target) in [
        ("openspec", "docs/planning", "docs/planning"),
        ("openspec", "docs/openspec", "docs/openspec"),
        ("openspec/specs", "docs/specs", "../docs/specs"),
        ("openspec/changes", "work/changes", "../work/changes"),
        ("openspec/config.yaml", "config.yaml", "../config.yaml"),
    ] {
        let repo = Repo::new();
        repo.git(&["checkout", "-q", "main"]);
        repo.rename(moved, to);
        repo.link(target, moved);
        repo.commit("linked");
        repo.git(&["checkout", "-q", "-B", "work"]);
        let real = |path: &str| path.replacen(moved, to, 1);
        let edited = match moved {
            "openspec/changes" => real(DELTA),
            "openspec/config.yaml" => real("openspec/config.yaml"),
            _ => real(AUTH),
        };
        must_fail(&repo, |repo| repo.write(&edited, "no spec\n"), &[&edited]);
        if moved != "openspec/config.yaml" {
            let judged = repo.verify(&["--changed"]);
            judged.fails(&["openspec/"]);
        }
        if moved != "openspec/specs" && moved != "openspec/config.yaml" {
            let repo = Repo::new();
            repo.git(&["checkout", "-q", "main"]);
            repo.rename(moved, to);
            repo.link(target, moved);
            repo.commit("linked");
            repo.git(&["checkout", "-q", "-B", "work"]);
            let tasks = real(TASKS);
            repo.replace(&tasks, "Write it", "Do not");
            repo.frozen().fails_frozen(&[&tasks]);
        }
    }
}

/// Of 9: a link that leads out of the repository, made now or long ago
#[test]
fn links_out_of_the_tree() {
    for folder in
        ["openspec", "openspec/specs", "openspec/changes", "openspec/specs/auth", "openspec/changes/add-logout"]
    {
        let cheat = |repo: &Repo| {
            let outside = repo.outside("outside");
            fs::rename(repo.path(folder), &outside).expect("renamable");
            repo.link(outside, folder);
        };
        let lost = if folder.contains("changes") { DELTA } else { AUTH };
        let repo = Repo::new();
        cheat(&repo);
        let outcome = repo.frozen();
        if ["openspec", "openspec/specs", "openspec/changes"].contains(&folder) {
            outcome.is_unverifiable(&[folder, "leads out"]);
        } else {
            outcome.fails_frozen(&[lost]);
        }
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "-m", "linked"]);
        repo.git(&["branch", "-f", "main"]);
        repo.edit_source();
        repo.commit("source");
        if ["openspec/specs", "openspec/changes"].contains(&folder) {
            repo.frozen_commits().is_unverifiable(&[folder, "leads out"]);
        }
    }
}

/// What a link below `openspec/` shows is frozen with it, also where the link stands on base already.
#[test]
fn links_below_the_spec_set() {
    for (link, target, file) in [
        ("openspec/specs/linked/spec.md", "../../../docs/auth.md", "docs/auth.md"),
        ("openspec/specs/linked", "../../docs", "docs/spec.md"),
        ("openspec/changes/c9", "../../docs", "docs/specs/a/spec.md"),
    ] {
        let repo = Repo::new();
        repo.git(&["checkout", "-q", "main"]);
        repo.write(file, "# Auth\n");
        repo.link(target, link);
        repo.commit("a link");
        repo.git(&["checkout", "-q", "-B", "work"]);
        repo.write("src/free.rs", "");
        repo.frozen().passes();
        repo.write(file, "# Nothing\n");
        repo.frozen().fails_frozen(&[file]);
    }
}
