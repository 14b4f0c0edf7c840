//! Must pass, under `--frozen-spec=explained`: false alarms are defects too.

use crate::repo::{AUTH, DELTA, MOVED, PROPOSAL, Repo, TASKS, must_pass_explained, spec};

const BILLING: &str = "openspec/specs/billing/spec.md";

fn requirement(name: &str) -> String {
    format!(
        "\n### Requirement: {name}\nThe system SHALL do {name} within 2 seconds.\n\n#### Scenario: {name}\n- **WHEN** it is \
         asked for {name}\n- **THEN** it is done\n"
    )
}

fn added(name: &str) -> String {
    format!("## ADDED Requirements\n{}", requirement(name))
}

/// "new change folder"
#[test]
fn new_change() {
    let work = |repo: &Repo| {
        repo.edit_source();
        repo.write("openspec/changes/add-keys/proposal.md", repo.read(PROPOSAL));
        repo.write("openspec/changes/add-keys/specs/auth/spec.md", added("keys"));
        repo.write("openspec/changes/add-keys/specs/keys/spec.md", added("more keys"));
        repo.write("openspec/changes/add-keys/.openspec.yaml", "schema: spec-driven\ncreated: 2026-02-02\n");
        repo.write("openspec/changes/add-keys/tasks.md", "- [ ] 1.1 Do it\n");
    };
    must_pass_explained(&Repo::new(), work);
}

/// "ticked boxes", and what else happens to an open change while it is implemented
#[test]
fn ticked_boxes_and_notes() {
    let work = |repo: &Repo| {
        repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
        repo.replace(TASKS, "- [ ] 1.2 Test it\n", "- [X] 1.2 Test it\n- [ ] 1.4 Look again\n");
        repo.write("openspec/changes/add-logout/design.md", "# Design\n\nHow it is done.\n");
        repo.write("openspec/changes/add-logout/notes/today.md", "Half of it.\n");
        repo.write("openspec/changes/add-logout/.openspec.yaml", "schema: spec-driven\n");
    };
    must_pass_explained(&Repo::new(), work);
    // Unticked again, and ticked in steps.
    let repo = Repo::new();
    repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
    repo.commit("one");
    repo.replace(TASKS, "- [ ] 1.2", "- [x] 1.2");
    repo.explained().passes();
    repo.git(&["branch", "-f", "main"]);
    must_pass_explained(&repo, |repo| repo.replace(TASKS, "- [x] 1.1", "- [ ] 1.1"));
}

/// "faithful archive"
#[test]
fn archive() {
    must_pass_explained(&Repo::new(), Repo::archive);
    let ticked = |repo: &Repo| {
        repo.edit_source();
        repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
        repo.replace(TASKS, "- [ ] 1.2", "- [x] 1.2");
        repo.archive();
        repo.write(&format!("{MOVED}/design.md"), "Written down afterwards.\n");
    };
    must_pass_explained(&Repo::new(), ticked);
    // Ticked and archived in commits of their own.
    let repo = Repo::new();
    repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
    repo.commit("ticked");
    must_pass_explained(&repo, Repo::archive);
    // Of a capability that is new: its purpose is filled in by hand.
    let repo = Repo::based_on(&[("openspec/changes/add-keys/specs/keys/spec.md", &added("keys"))]);
    let work = |repo: &Repo| {
        repo.rename("openspec/changes/add-keys", "openspec/changes/archive/2026-02-02-add-keys");
        let purpose = "Lets people keep keys for whatever they want to unlock later.";
        let text = format!("# Keys\n\n## Purpose\n{purpose}\n\n## Requirements\n{}", requirement("keys"));
        repo.write("openspec/specs/keys/spec.md", text);
    };
    must_pass_explained(&repo, work);
}

/// "faithful archive, also with several changes at once"
#[test]
fn several_archives() {
    let modified = requirement("keys").replace("within 2 seconds", "within 1 second");
    let repo = Repo::based_on(&[
        ("openspec/changes/b-keys/specs/auth/spec.md", &added("keys")),
        ("openspec/changes/a-keys/specs/auth/spec.md", &format!("## MODIFIED Requirements\n{modified}")),
        ("openspec/changes/c-keys/specs/billing/spec.md", &added("bills")),
    ]);
    let work = |repo: &Repo| {
        for name in ["a-keys", "b-keys", "c-keys"] {
            repo.rename(&format!("openspec/changes/{name}"), &format!("openspec/changes/archive/2026-02-02-{name}"));
        }
        let auth = repo.read(AUTH) + &modified;
        repo.archive();
        let logout = repo.read(AUTH).replace(&repo.git(&["show", &format!("main:{AUTH}")]), "");
        repo.write(AUTH, auth + &logout);
        repo.write(BILLING, repo.read(BILLING) + &requirement("bills"));
    };
    must_pass_explained(&repo, work);
}

/// "faithful archive … with `retire_capabilities`"
#[test]
fn retired_capability() {
    let delta = "## REMOVED Requirements\n\n### Requirement: Pay\n**Reason**: gone\n**Migration**: none\n";
    let repo = Repo::based_on(&[
        ("openspec/changes/no-pay/specs/billing/spec.md", delta),
        ("openspec/changes/no-pay/.openspec.yaml", "schema: spec-driven\nretire_capabilities: true\n"),
    ]);
    let work = |repo: &Repo| {
        repo.rename("openspec/changes/no-pay", "openspec/changes/archive/2026-02-02-no-pay");
        repo.remove("openspec/specs/billing");
    };
    must_pass_explained(&repo, work);
}

/// "sync of an active delta"
#[test]
fn sync() {
    let work = |repo: &Repo| {
        let merged = repo.read(AUTH) + &repo.read(DELTA).replace("## ADDED Requirements\n", "");
        repo.write(AUTH, merged);
    };
    must_pass_explained(&Repo::new(), work);
    // In another order, and archived later.
    let repo = Repo::new();
    let delta = repo.read(DELTA).replace("## ADDED Requirements\n\n", "");
    repo.replace(AUTH, "### Requirement: Sign in", &format!("{delta}\n### Requirement: Sign in"));
    repo.commit("sync");
    repo.explained_commits().passes();
    repo.git(&["branch", "-f", "main"]);
    must_pass_explained(&repo, |repo| repo.rename("openspec/changes/add-logout", MOVED));
}

/// "CRLF/LF and re-wrap"
#[test]
fn line_ends_and_wrapping() {
    let files = [AUTH, DELTA, PROPOSAL, TASKS, "openspec/config.yaml"];
    let crlf = |repo: &Repo| files.iter().for_each(|path| repo.write(path, repo.read(path).replace('\n', "\r\n")));
    must_pass_explained(&Repo::new(), crlf);
    let blanks = |repo: &Repo| {
        files[..4].iter().for_each(|path| repo.write(path, repo.read(path).replace(".\n", ".  \n") + "\n\n"));
    };
    must_pass_explained(&Repo::new(), blanks);
    let wrapped = |repo: &Repo| {
        repo.replace(AUTH, "The system SHALL answer within 1 second", "The system SHALL\nanswer within 1\nsecond");
        repo.replace(DELTA, "- **THEN** the session ends", "- **THEN** the session\n  ends");
        repo.replace(PROPOSAL, "People who share a computer", "People who share\na computer");
    };
    must_pass_explained(&Repo::new(), wrapped);
    // While a box is ticked, and while it is archived.
    let all = |repo: &Repo| {
        repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
        repo.archive();
        for path in [AUTH, &format!("{MOVED}/tasks.md"), &format!("{MOVED}/specs/auth/spec.md")] {
            repo.write(path, repo.read(path).replace('\n', "\r\n"));
        }
    };
    must_pass_explained(&Repo::new(), all);
}

/// "main moved on after the branch", "a change archived on base while the branch was open"
#[test]
fn main_moved_on() {
    let repo = Repo::new();
    repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
    repo.commit("ticked");
    repo.git(&["checkout", "-q", "main"]);
    repo.archive();
    repo.write("openspec/changes/add-keys/specs/auth/spec.md", added("keys"));
    let archive = repo.commit("archive on main");
    repo.git(&["checkout", "-q", "work"]);
    repo.explained().passes();
    repo.explained_commits().passes();
    // The same commit, taken over.
    repo.git(&["reset", "-q", "--hard", "main~1"]);
    repo.edit_source();
    repo.commit("source");
    repo.git(&["cherry-pick", &archive]);
    repo.explained().passes();
    repo.explained_commits().passes();
    // Merged in.
    repo.git(&["reset", "-q", "--hard", "main~1"]);
    repo.edit_source();
    repo.commit("source");
    repo.git(&["merge", "-q", "-m", "merge main", "main"]);
    repo.explained().passes();
    repo.explained_commits().passes();
}

/// "merge commit from main without spec edits", "rename of source files", "a submodule bump outside `openspec/`"
#[test]
fn nothing_of_the_specs() {
    let repo = Repo::new();
    repo.edit_source();
    repo.commit("source");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("README.md", "read me\n");
    repo.commit("main moves on");
    repo.git(&["checkout", "-q", "work"]);
    repo.git(&["merge", "-q", "-m", "merge main", "main"]);
    must_pass_explained(&repo, |repo| repo.rename("src/main.rs", "lib/main.rs"));
    let other = Repo::new();
    let url = other.top().to_str().expect("ASCII").to_owned();
    let bump = |repo: &Repo| {
        repo.git(&["submodule", "-q", "add", &url, "vendor/other"]);
    };
    must_pass_explained(&Repo::new(), bump);
}

/// "spec edits that stand on base already", "revert of an own earlier edit"
#[test]
fn edits_that_are_none() {
    let repo = Repo::new();
    repo.weaken();
    let weakened = repo.commit("weaken");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["cherry-pick", "-x", &weakened]);
    repo.git(&["checkout", "-q", "work"]);
    repo.explained().passes();
    repo.explained_commits().passes();
    let repo = Repo::new();
    repo.weaken();
    repo.remove("openspec/changes/add-logout");
    repo.commit("weaken");
    repo.git(&["revert", "--no-edit", "HEAD"]);
    repo.explained().passes();
    repo.explained_commits().passes();
}

/// "first commit of a repository"
#[test]
fn first_commit() {
    let repo = Repo::empty(&[]);
    repo.write(AUTH, spec("Sign in"));
    repo.git(&["add", "-A"]);
    repo.explained_index().passes();
    // A project that gets its first specs later.
    let repo = Repo::empty(&[]);
    repo.write("src/main.rs", "fn main() {}\n");
    repo.commit("source");
    repo.git(&["checkout", "-q", "-b", "work"]);
    let adopt = |repo: &Repo| {
        repo.write(AUTH, spec("Sign in"));
        repo.write("openspec/config.yaml", "schema: spec-driven\n");
        repo.write("openspec/specward.yaml", "frozen: explained\n");
    };
    must_pass_explained(&repo, adopt);
}

/// An archived change that demands nothing needs no agreement
#[test]
fn archived_without_deltas() {
    let work = |repo: &Repo| {
        repo.write("openspec/changes/archive/2026-02-03-tooling/proposal.md", "# Tooling\n\n## Why\nFaster builds.\n");
    };
    must_pass_explained(&Repo::new(), work);
}

/// The same where `openspec/` is a link, in a project below the top, and with names that are not ASCII
#[test]
fn other_places() {
    let (delta, archived) =
        ("a/openspec/changes/事件/specs/鍵/鎖/spec.md", "a/openspec/changes/archive/2026-02-02-事件");
    let text = format!("# 鍵\n\n## Purpose\n{}\n\n## Requirements\n{}", "鍵を守る。".repeat(12), requirement("一"));
    let repo = Repo::based_on(&[("a/openspec/specs/鍵/鎖/spec.md", &text), (delta, &added("二"))]);
    let work = |repo: &Repo| {
        repo.rename("a/openspec/changes/事件", archived);
        repo.write("a/openspec/specs/鍵/鎖/spec.md", text.clone() + &requirement("二"));
    };
    must_pass_explained(&repo, work);
    let repo = Repo::new();
    repo.rename("openspec", "docs/spec");
    repo.link("docs/spec", "openspec");
    repo.commit("linked");
    repo.git(&["branch", "-f", "main"]);
    repo.archive();
    repo.explained().passes();
    repo.replace(AUTH, "end the session within 1 second", "end the session");
    repo.explained().fails(&["freeze/direct-edit"]);
}
