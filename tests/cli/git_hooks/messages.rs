//! `git commit` through the commit-msg hook.

use super::{commit_edit, propose, repository};
use crate::support::{AUTH, SPEC, Sandbox};

fn hooked() -> Sandbox {
    let sandbox = repository();
    sandbox.run(&["init", "--git-hooks=commit-msg"]).exits(0);
    assert!(!sandbox.path(".git/hooks/pre-commit").exists());
    sandbox
}

#[test]
fn a_message_names_what_is_edited() {
    let sandbox = hooked();
    propose(&sandbox, "add-out");
    sandbox.git(&["add", "-A"]);
    let refused = |message: &str| {
        let outcome = sandbox.try_git(&["commit", "-qm", message]);
        outcome.exits(1).complains("name one of `add-out`, `auth`").complains("Spec-Change: REASON");
    };
    refused("Some work");
    refused("Some work of an author");
    refused("Spec-Change:");
    for message in ["Propose add-out", "auth: propose", "Some work\n\nSpec-Change: the lawyers asked", "#12 auth"] {
        sandbox.try_git(&["commit", "-qm", message]).exits(0);
        sandbox.git(&["reset", "-q", "--soft", "HEAD~"]);
    }
}

#[test]
fn comments_are_no_message() {
    let mut sandbox = hooked();
    propose(&sandbox, "add-out");
    sandbox.git(&["add", "-A"]);
    // An editor that writes a subject above what git prepared, which lists the files.
    sandbox.set("GIT_EDITOR", "sed -i.bak '1s/^/Some work/'");
    sandbox.try_git(&["commit", "-qv"]).exits(1).complains("name one of `add-out`, `auth`");
    sandbox.git(&["config", "core.commentChar", ";"]);
    sandbox.try_git(&["commit", "-qv"]).exits(1).complains("name one of `add-out`, `auth`");
    sandbox.git(&["config", "core.commentChar", "auto"]);
    sandbox.try_git(&["commit", "-q"]).exits(1).complains("name one of `add-out`, `auth`");
    sandbox.set("GIT_EDITOR", "sed -i.bak '1s/^/Add sign-out to auth/'");
    sandbox.try_git(&["commit", "-qv"]).exits(0);
}

#[test]
fn nothing_is_asked_of_other_commits() {
    let sandbox = hooked();
    sandbox.write("code", "1");
    sandbox.git(&["add", "-A"]);
    let outcome = sandbox.try_git(&["commit", "-qm", "x"]);
    assert_eq!(outcome.exits(0).stderr, "");
    // Nor of merges, whose parts were named.
    sandbox.git(&["switch", "-qc", "work"]);
    commit_edit(&sandbox);
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write(AUTH, SPEC.replace("a password", "a token"));
    sandbox.git(&["commit", "-qanm", "other"]);
    assert_ne!(sandbox.try_git(&["merge", "-q", "work"]).code, Some(0));
    sandbox.git(&["checkout", "-q", "--theirs", AUTH]);
    sandbox.git(&["add", AUTH]);
    sandbox.try_git(&["commit", "-qm", "merge"]).exits(0);
}
