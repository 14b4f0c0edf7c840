//! `frozen: explained`: an agent may propose and tick off, and not weaken.

use super::*;

/// A project with an open change, an archived one, criteria, and the configuration that `init` writes.
fn project() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write("openspec/specward.yaml", "frozen: explained\nprotect: [tests]\n");
    sandbox.write("openspec/changes/open/proposal.md", "# Open\n");
    sandbox.write("openspec/changes/open/tasks.md", "- [ ] 1.1 a\n");
    sandbox.write("openspec/changes/open/specs/auth/spec.md", DELTA);
    sandbox.write("openspec/changes/archive/2026-01-01-old/proposal.md", "# Old\n");
    sandbox.write("openspec/verify/auth.yaml", "version: 1\n");
    sandbox.write("tests/a.rs", "");
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox
}

#[test]
fn a_proposal_may_be_written_and_tasks_ticked() {
    let sandbox = project();
    for path in [
        "openspec/changes/new/proposal.md",
        "openspec/changes/new/specs/auth/spec.md",
        "openspec/changes/open/tasks.md",
        "openspec/changes/open/design.md",
        "openspec/verify/new.yaml",
        "tests/new.rs",
    ] {
        is_let_through(&write(&sandbox, path));
    }
    for command in [
        "mkdir -p openspec/changes/archive && mv openspec/changes/open openspec/changes/archive/2026-02-02-open",
        "git mv openspec/changes/open openspec/changes/archive/2026-02-02-open",
        "openspec archive open -y",
        "sed -i 's/\\[ \\]/[x]/' openspec/changes/open/tasks.md",
    ] {
        is_let_through(&call(&sandbox, "bash", &json!({ "command": command })));
    }
}

#[test]
fn what_was_agreed_stays() {
    let sandbox = project();
    for path in [
        AUTH,
        "openspec/specs/new/spec.md",
        "openspec/changes/open/proposal.md",
        "openspec/changes/open/.openspec.yaml",
        "openspec/changes/open/specs/auth/spec.md",
        "openspec/changes/open/specs/new/spec.md",
        "openspec/changes/archive/2026-01-01-old/proposal.md",
        "openspec/verify/auth.yaml",
        "openspec/specward.yaml",
        "openspec/config.yaml",
        "openspec/schemas/x/schema.yaml",
        "tests/a.rs",
    ] {
        is_denied(&write(&sandbox, path));
    }
    for command in [
        "rm -r openspec/changes/open",
        "rm openspec/changes/open/tasks.md",
        "mv openspec/changes/open openspec/changes/other",
        "mv openspec/changes/open openspec/changes/archive/2026-01-01-old",
        "mv openspec/changes/open/specs openspec/changes/archive/2026-02-02-open",
        "rm -r openspec/changes/archive",
        "rm -rf openspec",
    ] {
        is_denied(&call(&sandbox, "bash", &json!({ "command": command })));
    }
    let outcome = write(&sandbox, AUTH);
    outcome.complains("propose a change in openspec/changes/<new-id>/");
}
