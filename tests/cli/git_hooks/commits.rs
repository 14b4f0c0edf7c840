//! `git commit` through the installed hook.

use super::{edited, hooked, propose, repository, with_program, without_program};
use crate::support::{AUTH, SPEC, Sandbox, faulty};

#[test]
fn refused_and_accepted() {
    let sandbox = hooked();
    let before = sandbox.head();
    sandbox.write(AUTH, edited());
    let outcome = sandbox.try_git(&["commit", "-qam", "edit"]);
    outcome.exits(1).complains("freeze/direct-edit").complains("FAIL");
    assert_eq!(sandbox.head(), before);
    sandbox.git(&["checkout", "-q", "HEAD", "--", AUTH]);
    propose(&sandbox, "add-out");
    sandbox.git(&["add", "-A"]);
    sandbox.try_git(&["commit", "-qm", "propose"]).exits(0).complains("PASS");
    // What is invalid is refused as well.
    sandbox.write("openspec/changes/add-out/specs/auth/spec.md", "## ADDED\n");
    sandbox.try_git(&["commit", "-qam", "bad"]).exits(1).complains("delta/");
}

#[test]
fn the_index_is_judged() {
    let sandbox = hooked();
    propose(&sandbox, "add-out");
    sandbox.git(&["add", "-A"]);
    sandbox.write(AUTH, edited());
    sandbox.try_git(&["commit", "-qm", "propose"]).exits(0);
    // The other way round: the work tree is good, the index is not.
    sandbox.git(&["add", AUTH]);
    sandbox.write(AUTH, SPEC);
    sandbox.try_git(&["commit", "-qm", "edit"]).exits(1).complains("freeze/direct-edit");
    // Half of a file.
    sandbox.git(&["reset", "-q", "--hard"]);
    sandbox.write("openspec/changes/more/proposal.md", "## Why\nx\n");
    sandbox.write(AUTH, edited());
    sandbox.git(&["add", AUTH]);
    sandbox.write(AUTH, faulty());
    sandbox.try_git(&["commit", "-qm", "half"]).exits(1).complains("a passkey").never_says("spec/no-scenario");
}

#[test]
fn another_index_than_the_usual_one() {
    let sandbox = hooked();
    sandbox.write("code", "1");
    sandbox.git(&["add", "code"]);
    sandbox.git(&["commit", "-qm", "code"]);
    // `git commit PATH` leaves out what is staged.
    sandbox.write(AUTH, edited());
    sandbox.git(&["add", AUTH]);
    sandbox.write("code", "2");
    sandbox.try_git(&["commit", "-qm", "code", "code"]).exits(0);
    sandbox.git(&["reset", "-q"]);
    sandbox.write("code", "3");
    sandbox.git(&["add", "code"]);
    sandbox.try_git(&["commit", "-qm", "spec", AUTH]).exits(1).complains("freeze/direct-edit");
    sandbox.try_git(&["commit", "-qam", "all"]).exits(1).complains("freeze/direct-edit");
}

#[test]
fn a_linked_work_tree() {
    let sandbox = hooked();
    sandbox.git(&["worktree", "add", "-q", "-b", "other", "../linked"]);
    let linked = sandbox.at("../linked");
    linked.write(AUTH, edited());
    linked.try_git(&["commit", "-qam", "edit"]).exits(1).complains("freeze/direct-edit");
    linked.git(&["checkout", "-q", "HEAD", "--", AUTH]);
    propose(&linked, "add-out");
    linked.git(&["add", "-A"]);
    linked.try_git(&["commit", "-qm", "propose"]).exits(0);
    // Hooks are one for all work trees.
    linked.run(&["init", "--git-hooks", "--check"]).exits(0).says("up to date");
    linked.run(&["init", "--git-hooks", "--uninstall"]).exits(0);
    assert!(!sandbox.path(".git/hooks/pre-commit").exists());
}

#[test]
fn the_first_commit() {
    let sandbox = with_program(Sandbox::project());
    sandbox.init(&[]);
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    sandbox.git(&["add", "-A"]);
    sandbox.try_git(&["commit", "-qm", "first"]).exits(0).complains("the first specs there are");
}

#[test]
fn work_on_a_branch_goes_on() {
    let sandbox = hooked();
    sandbox.git(&["switch", "-qc", "work"]);
    propose(&sandbox, "add-out");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "propose"]);
    // Nobody agreed to the proposal yet.
    sandbox
        .write("openspec/changes/add-out/proposal.md", "## Why\nAnother reason, which is as long as it has to be.\n");
    sandbox.try_git(&["commit", "-qam", "otherwise"]).exits(0).complains("from default branch (heads/main)");
    // What should not have been committed is undone.
    super::commit_edit(&sandbox);
    sandbox.write("code", "1");
    sandbox.git(&["add", "-A"]);
    sandbox.write(AUTH, SPEC);
    sandbox.try_git(&["commit", "-qam", "undo"]).exits(0);
    // Once it is agreed it stays.
    sandbox.git(&["branch", "-qf", "main", "work"]);
    sandbox.write("openspec/changes/add-out/proposal.md", "## Why\nNo reason.\n");
    sandbox.try_git(&["commit", "-qam", "less"]).exits(1).complains("freeze/proposal-edited");
}

#[test]
fn merges() {
    let sandbox = hooked();
    sandbox.write("code", "1");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "code"]);
    sandbox.git(&["switch", "-qc", "work"]);
    propose(&sandbox, "add-out");
    sandbox.write("code", "work");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "work"]);
    // On main somebody edits the spec, with everybody's consent.
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("code", "main");
    super::commit_edit(&sandbox);
    sandbox.git(&["switch", "-q", "work"]);
    let merge = |sandbox: &Sandbox, branch: &str| {
        assert_ne!(sandbox.try_git(&["merge", "-q", branch]).code, Some(0), "there is a conflict");
        sandbox.write("code", "both");
        sandbox.git(&["add", "code"]);
    };
    merge(&sandbox, "main");
    // What main says is no edit of the merge.
    sandbox.try_git(&["commit", "-qm", "merge"]).exits(0).complains("MERGE_HEAD, which is on the default branch");
    sandbox.git(&["reset", "-q", "--hard", "HEAD~"]);
    // Losing it is.
    merge(&sandbox, "main");
    sandbox.write(AUTH, SPEC);
    sandbox.git(&["add", AUTH]);
    sandbox.try_git(&["commit", "-qm", "merge"]).exits(1).complains("freeze/direct-edit");
    sandbox.git(&["merge", "--abort"]);
    // What comes from a branch that nobody agreed to is an edit.
    sandbox.git(&["switch", "-qc", "sly", "main"]);
    sandbox.write(AUTH, SPEC.replace("a password", "anything"));
    sandbox.write("code", "sly");
    sandbox.git(&["commit", "-qanm", "sly"]);
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("code", "main again");
    sandbox.git(&["commit", "-qanm", "main"]);
    merge(&sandbox, "sly");
    sandbox.try_git(&["commit", "-qm", "merge"]).exits(1).complains("freeze/direct-edit");
}

#[test]
fn without_the_program_nothing_passes() {
    let sandbox = without_program(hooked());
    sandbox.write("code", "1");
    sandbox.git(&["add", "-A"]);
    let outcome = sandbox.try_git(&["commit", "-qm", "code"]);
    outcome.exits(1).complains("cargo install --locked specward");
}

#[cfg(unix)]
#[test]
fn a_program_that_path_does_not_have() {
    let sandbox = without_program(hooked());
    for folder in [".cargo/bin", ".local/bin"] {
        let found = sandbox.top.join("home").join(folder);
        std::fs::create_dir_all(&found).expect("folders");
        std::os::unix::fs::symlink(crate::support::SPECWARD, found.join("specward")).expect("a link");
        sandbox.write("code", folder);
        sandbox.git(&["add", "-A"]);
        sandbox.try_git(&["commit", "-qm", "code"]).exits(0).complains("PASS");
        std::fs::remove_dir_all(&found).expect("it was there");
    }
}

#[test]
fn where_there_is_no_project() {
    let sandbox = hooked();
    sandbox.git(&["switch", "-q", "--orphan", "pages"]);
    sandbox.write("index.html", "hi");
    sandbox.git(&["add", "index.html"]);
    sandbox.try_git(&["commit", "-qm", "pages"]).exits(0).complains("no OpenSpec project");
    // It does not go away unseen.
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["rm", "-rq", "openspec"]);
    sandbox.try_git(&["commit", "-qm", "gone"]).exits(1).complains("freeze/capability-removed");
}

#[test]
fn usage() {
    let sandbox = repository();
    // To agents that call hooks 2 would be a refusal.
    sandbox.run(&["hook", "pre-comit"]).exits(1);
    sandbox.run(&["hook", "pre-commit", "--nonsense"]).exits(1);
    let outside = with_program(Sandbox::bare_folder());
    outside.run(&["hook", "pre-commit"]).exits(2).complains("not a git repository");
    outside.run(&["hook", "pre-push"]).exits(2).complains("not a git repository");
}

#[test]
fn a_project_that_begins_to_be_judged() {
    let sandbox = hooked();
    for weak in [
        "frozen: off\n",
        "frozen: explained\nrules: { spec: off }\n",
        "frozen: explained\njudge: { command: ['true'] }\n",
    ] {
        sandbox.write("openspec/specward.yaml", weak);
        sandbox.git(&["add", "-A"]);
        sandbox.try_git(&["commit", "-qm", "begin"]).exits(1).complains("freeze/gate-edited");
    }
    std::fs::remove_file(sandbox.path("openspec/specward.yaml")).expect("it is there");
    sandbox.run(&["init", "--agents=claude"]).exits(0).says("openspec/specward.yaml");
    sandbox.git(&["add", "-A"]);
    sandbox.try_git(&["commit", "-qm", "begin"]).exits(0).complains("PASS");
    // Adding what allows an edit does not allow it.
    sandbox.git(&["reset", "-q", "--hard", "HEAD~"]);
    sandbox.write("openspec/specward.yaml", "frozen: explained\n");
    sandbox.write(AUTH, edited());
    sandbox.git(&["add", "-A"]);
    sandbox.try_git(&["commit", "-qm", "begin"]).exits(1).complains("freeze/direct-edit");
}

#[test]
fn comments_in_the_list_of_hooks() {
    let sandbox = hooked();
    let list = "repos:\n  - repo: local\n    hooks: [{id: specward-verify-system, entry: specward hook pre-commit}]\n";
    sandbox.write(".pre-commit-config.yaml", list);
    sandbox.git(&["add", "-A"]);
    sandbox.try_git(&["commit", "-qm", "list"]).exits(0);
    sandbox.write(".pre-commit-config.yaml", format!("# ours\n{list}# more to come\n"));
    sandbox.try_git(&["commit", "-qam", "words"]).exits(0);
    sandbox.write(".pre-commit-config.yaml", list.replace("    hooks", "    # hooks"));
    sandbox.try_git(&["commit", "-qam", "off"]).exits(1).complains("freeze/gate-edited");
}
