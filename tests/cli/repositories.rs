//! Repositories of every kind git knows.

use std::fs;

use crate::support::{AUTH, FAULT, SPEC, Sandbox, faulty};

/// The folder holds a repository with two commits: a good spec on `main`, a faulty one on `work`. Returns both ids.
fn two_commits(sandbox: &Sandbox) -> (String, String) {
    sandbox.write(AUTH, SPEC);
    let first = sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(AUTH, faulty());
    (first, sandbox.commit("second"))
}

/// What every way of looking at those two commits must come to.
fn check_two_commits(sandbox: &Sandbox, first: &str, second: &str) {
    let judged = sandbox.json(&["--changed", "--frozen-spec", "--base", first, "--head", second]);
    judged.is("FAIL").finds("freeze/spec-changed", AUTH, FAULT).finds("spec/no-scenario", AUTH, 8);
    judged.compared_from(&sandbox.git(&["rev-parse", first]), "--base");
    assert_eq!(judged.spec_changes(), [AUTH]);
}

#[test]
fn a_bare_repository() {
    let sandbox = Sandbox::bare_folder();
    sandbox.init(&[]);
    let (first, second) = two_commits(&sandbox);
    sandbox.git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    let bare = sandbox.at("../bare.git");
    check_two_commits(&bare, &first, &second);
    check_two_commits(&bare, "main", "work");
    bare.json(&["--changed", "--base", &first]).is("UNVERIFIABLE").reasons("bare repository", "--head REV");
    // The index of a bare repository is none: everything is deleted in it.
    let staged = bare.agent(&["--staged"]);
    assert_ne!(staged.code, Some(0), "{}", staged.stdout);
    bare.agent(&[]).exits(2).says("no OpenSpec project");
}

#[test]
fn a_linked_work_tree() {
    let sandbox = Sandbox::repository();
    let first = sandbox.head();
    sandbox.git(&["worktree", "add", "-q", "-b", "work", "../linked"]);
    let linked = sandbox.at("../linked");
    linked.write(AUTH, faulty());
    let judged = linked.json(&["--changed", "--frozen-spec"]);
    judged.is("FAIL").finds("freeze/spec-changed", AUTH, FAULT).compared_from(&first, "heads/main");
    // Its index is its own.
    linked.git(&["add", "-A"]);
    linked.json(&["--staged", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    sandbox.json(&["--staged", "--frozen-spec"]).is("PASS");
    let second = linked.commit("second");
    check_two_commits(&linked, &first, &second);
    linked.json(&[]).is("FAIL");
    sandbox.json(&[]).is("PASS");
}

#[test]
fn inside_a_submodule() {
    let sandbox = Sandbox::bare_folder();
    let inner = Sandbox::repository();
    sandbox.init(&[]);
    sandbox.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        inner.root.to_str().expect("a path"),
        "sub",
    ]);
    sandbox.commit("with a submodule");
    let sub = sandbox.at("sub");
    sub.git(&["switch", "-qc", "work"]);
    sub.json(&[]).is("PASS");
    sub.write(AUTH, faulty());
    sub.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    sub.git(&["add", "-A"]);
    sub.json(&["--staged"]).is("FAIL").finds("spec/no-scenario", AUTH, 8);
}

#[test]
fn a_submodule_in_the_place_of_a_spec() {
    let sandbox = Sandbox::on_branch();
    let first = sandbox.git(&["rev-parse", "main"]);
    let inner = Sandbox::repository();
    sandbox.git(&["rm", "-rq", "openspec/specs/auth"]);
    sandbox.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        "--force",
        inner.root.to_str().expect("a path"),
        "openspec/specs/auth",
    ]);
    let second = sandbox.commit("second");
    for args in [&["--base", &first, "--head", &second][..], &["--base", &first]] {
        let judged = sandbox.json(&[&["--changed", "--frozen-spec"], args].concat());
        judged.is("FAIL");
        assert!(!judged.spec_changes().is_empty(), "{:#}", judged.report);
        let judged = sandbox.json(&[&["--changed"], args].concat());
        assert_ne!(judged.report["verdict"], "PASS", "{args:?} {:#}", judged.report);
    }
}

#[test]
fn sha256() {
    let sandbox = Sandbox::bare_folder();
    sandbox.init(&["--object-format=sha256"]);
    let (first, second) = two_commits(&sandbox);
    assert_eq!(first.len(), 64);
    check_two_commits(&sandbox, &first, &second);
    sandbox.json(&["--changed"]).is("FAIL").compared_from(&first, "heads/main");
    sandbox.write(AUTH, SPEC);
    let judged = sandbox.json(&["--changed"]);
    judged.is("PASS");
    assert_eq!(judged.spec_changes(), [AUTH], "the index still has it");
    sandbox.git(&["add", "-A"]);
    sandbox.json(&["--staged"]).is("PASS");
    sandbox.json(&["--changed"]).is("PASS");
}

#[test]
fn reftable() {
    let sandbox = Sandbox::bare_folder();
    sandbox.init(&["--ref-format=reftable"]);
    let (first, second) = two_commits(&sandbox);
    check_two_commits(&sandbox, &first, &second);
    check_two_commits(&sandbox, "main", "work");
    sandbox.json(&["--changed"]).is("FAIL").compared_from(&first, "heads/main");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.json(&["--changed"]).is("PASS").compared_from(&first, "HEAD, which is the default branch");
    sandbox.write(AUTH, faulty());
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    sandbox.json(&["--staged"]).is("PASS");
    sandbox.git(&["add", "-A"]);
    sandbox.json(&["--staged", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    sandbox.json(&["--changed", "--base", "nothing"]).is("UNVERIFIABLE").reasons("no commit", "--base REV");
}

#[test]
fn reftable_without_commits() {
    let sandbox = Sandbox::project();
    sandbox.init(&["--ref-format=reftable"]);
    sandbox.json(&["--changed"]).is("UNVERIFIABLE").reasons("no commit yet", "--staged");
    sandbox.git(&["add", "-A"]);
    let judged = sandbox.json(&["--staged"]);
    judged.is("PASS");
    assert_eq!(judged.spec_changes(), [AUTH]);
}

#[test]
fn reftable_with_a_project_below_another() {
    for format in ["files", "reftable"] {
        let sandbox = Sandbox::project();
        sandbox.write(format!("pkg/{AUTH}"), SPEC);
        sandbox.init(&[&format!("--ref-format={format}")]);
        sandbox.commit("first");
        sandbox.git(&["switch", "-qc", "work"]);
        sandbox.write(format!("pkg/{AUTH}"), faulty());
        let judged = sandbox.json(&["--changed", "--frozen-spec"]);
        judged.is("FAIL").finds("freeze/spec-changed", &format!("pkg/{AUTH}"), FAULT);
        sandbox.git(&["add", "-A"]);
        let judged = sandbox.json(&["--staged", "--frozen-spec"]);
        judged.is("FAIL").finds("freeze/spec-changed", &format!("pkg/{AUTH}"), FAULT);
    }
}

#[test]
fn reftable_in_a_linked_work_tree() {
    let sandbox = Sandbox::project();
    sandbox.init(&["--ref-format=reftable"]);
    sandbox.commit("first");
    sandbox.git(&["worktree", "add", "-q", "-b", "work", "../linked"]);
    let linked = sandbox.at("../linked");
    linked.write(AUTH, faulty());
    linked.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    linked.git(&["add", "-A"]);
    linked.json(&["--staged", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
}

/// A repository on `work` whose index knows folders outside `kept` only as a whole.
fn sparse(kept: &str) -> Sandbox {
    let sandbox = Sandbox::project();
    for path in ["src/main.rs", "other/deep/file.txt", "pkg/openspec/specs/inner/spec.md"] {
        sandbox.write(path, SPEC);
    }
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.git(&["sparse-checkout", "set", "--cone", "--sparse-index", kept]);
    assert!(sandbox.git(&["ls-files", "--sparse"]).contains("other/"), "the index is sparse");
    sandbox
}

#[test]
fn a_sparse_index_that_keeps_the_project() {
    let sandbox = sparse("openspec");
    sandbox.json(&[]).is("PASS");
    sandbox.json(&["--staged", "--frozen-spec"]).is("PASS");
    sandbox.write(AUTH, faulty());
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    sandbox.git(&["add", "-A"]);
    sandbox.json(&["--staged", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    let second = sandbox.commit("second");
    check_two_commits(&sandbox, "main", &second);
}

#[test]
fn a_sparse_index_without_the_project() {
    let sandbox = sparse("src");
    assert!(!sandbox.path("openspec").exists());
    // The work tree does not have it, so it cannot be judged there; the index and commits have it.
    let judged = sandbox.json(&["--changed"]);
    assert_ne!(judged.report["verdict"], "PASS", "{:#}", judged.report);
    let staged = sandbox.json(&["--staged", "--frozen-spec"]);
    staged.is("PASS");
    assert!(staged.spec_changes().is_empty());
    sandbox.agent(&[]).exits(2).says("no OpenSpec project");
}

#[test]
fn a_sparse_index_and_a_project_below() {
    let sandbox = sparse("src");
    let staged = sandbox.json(&["--staged", "--frozen-spec"]);
    assert!(staged.spec_changes().is_empty(), "{:#}", staged.report);
    // Staged past the sparse checkout.
    let blob = sandbox.git(&["hash-object", "-w", "src/main.rs"]);
    sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("100755,{blob},pkg/openspec/specs/inner/spec.md")]);
    let staged = sandbox.json(&["--staged", "--frozen-spec"]);
    assert_eq!(staged.spec_changes(), ["pkg/openspec/specs/inner/spec.md"], "{:#}", staged.report);
    staged.is("FAIL");
}

/// A repository with two commits that serves partial clones.
fn server() -> (Sandbox, String, String) {
    let sandbox = Sandbox::bare_folder();
    sandbox.init(&[]);
    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    let (first, second) = two_commits(&sandbox);
    (sandbox, first, second)
}

fn partial_clone(server: &Sandbox, filter: &str, name: &str) -> Sandbox {
    let url = format!("file://{}", server.root.display());
    server.git(&["clone", "-q", &format!("--filter={filter}"), "--no-checkout", &url, name]);
    server.at(name)
}

#[test]
fn a_partial_clone_with_missing_blobs() {
    let (sandbox, first, second) = server();
    let partial = partial_clone(&sandbox, "blob:none", "../partial");
    // They are fetched.
    check_two_commits(&partial, &first, &second);
    let cut_off = partial_clone(&sandbox, "blob:none", "../cut-off");
    cut_off.git(&["remote", "set-url", "origin", "/nowhere"]);
    let judged = cut_off.json(&["--changed", "--base", &first, "--head", &second]);
    judged.is("UNVERIFIABLE");
    // That something changed is known without the blobs.
    let judged = cut_off.json(&["--changed", "--frozen-spec", "--base", &first, "--head", &second]);
    assert_ne!(judged.report["verdict"], "PASS", "{:#}", judged.report);
}

#[test]
fn a_treeless_clone_that_cannot_reach_its_remote() {
    let (sandbox, first, second) = server();
    let partial = partial_clone(&sandbox, "tree:0", "../partial");
    partial.git(&["remote", "set-url", "origin", "/nowhere"]);
    let judged = partial.json(&["--changed", "--base", &first, "--head", &second]);
    judged.is("UNVERIFIABLE").reasons("is not here", "fetch");
}

#[test]
fn missing_and_damaged_objects() {
    let sandbox = Sandbox::bare_folder();
    sandbox.init(&[]);
    let (first, second) = two_commits(&sandbox);
    let id = sandbox.git(&["rev-parse", &format!("{second}:openspec/specs")]);
    let object = sandbox.path(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    let content = fs::read(&object).expect("a loose object");
    let args = ["--changed", "--base", &first, "--head", &second];
    fs::remove_file(&object).expect("it is there");
    sandbox.json(&args).is("UNVERIFIABLE").reasons("is not here", "fetch");
    for broken in [&content[..content.len() / 2], b"", b"nonsense"] {
        fs::write(&object, broken).expect("a file");
        let judged = sandbox.json(&args);
        judged.is("UNVERIFIABLE");
    }
}

#[test]
fn a_spec_with_the_content_of_another_blob() {
    let sandbox = Sandbox::bare_folder();
    sandbox.init(&[]);
    let (first, second) = two_commits(&sandbox);
    let args = ["--changed", "--base", &first, "--head", &second];
    sandbox.json(&args).is("FAIL").finds("spec/no-scenario", AUTH, 8);
    // The good text in place of the faulty one.
    let loose = |commit: &str| {
        let id = sandbox.git(&["rev-parse", &format!("{commit}:{AUTH}")]);
        sandbox.path(format!(".git/objects/{}/{}", &id[..2], &id[2..]))
    };
    fs::remove_file(loose(&second)).expect("it is there");
    fs::copy(loose(&first), loose(&second)).expect("copied");
    sandbox.json(&args).is("UNVERIFIABLE").judges("auth", "UNVERIFIABLE").finds("repo/unreadable", AUTH, 1);
}

#[cfg(unix)]
#[test]
fn somebody_elses_repository() {
    let sandbox = Sandbox::on_branch();
    sandbox.write(AUTH, faulty());
    let chown = |folder: &std::path::Path| std::os::unix::fs::chown(folder, Some(65_534), None);
    if chown(&sandbox.root).is_err() {
        eprintln!("skipped: only root can give a folder to somebody else");
        return;
    }
    chown(&sandbox.path(".git")).expect("it worked once");
    for args in [&["--changed"][..], &["--staged"]] {
        let outcome = sandbox.agent(args);
        outcome.exits(2).says("belongs to another user").says("safe.directory");
        outcome.says(&sandbox.root.display().to_string());
    }
    // Nothing of git is needed for the tree as it lies there.
    sandbox.json(&[]).is("FAIL").finds("spec/no-scenario", AUTH, 8);
    // A folder deeper inside is no way around it.
    sandbox.at("openspec").agent(&["--changed"]).exits(2).says("belongs to another user");
    // Neither is an environment that says so, only the user's own word is.
    sandbox.git(&["config", "--global", "--add", "safe.directory", sandbox.root.to_str().expect("a path")]);
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
}

#[test]
fn no_repository() {
    let sandbox = Sandbox::project();
    sandbox.json(&[]).is("PASS");
    for args in [&["--changed"][..], &["--staged"], &["--changed", "--base", "a", "--head", "b"]] {
        sandbox.agent(args).exits(2).says("not a git repository").says("Fix: ").complains("not a git repository");
    }
    // The drop-in commands need none.
    sandbox.run(&["validate", "--all"]).exits(0);
    sandbox.run(&["list", "--specs"]).exits(0);
    sandbox.run(&["show", "auth"]).exits(0);
}

#[test]
fn a_broken_repository() {
    for (path, content) in [
        (".git/HEAD", &b"nonsense\n"[..]),
        (".git/HEAD", b""),
        (".git/config", b"[core\n"),
        (".git/index", b"nonsense"),
        (".git/refs/heads/work", b"nonsense\n"),
        (".git/shallow", b"nonsense\n"),
    ] {
        let sandbox = Sandbox::on_branch();
        sandbox.write(path, content);
        sandbox.write(AUTH, faulty());
        for args in [&["--changed", "--frozen-spec"][..], &["--staged", "--frozen-spec"]] {
            let outcome = sandbox.agent(args);
            // What is staged has nothing to do with where history was cut off.
            let is_unconcerned = path == ".git/shallow" && args[0] == "--staged";
            assert_eq!(outcome.code == Some(0), is_unconcerned, "{path} {args:?}: {}", outcome.stdout);
            assert!(is_unconcerned || outcome.stdout.contains("Fix: "), "{path}: {}", outcome.stdout);
        }
    }
}

#[test]
fn a_git_file_that_leads_nowhere() {
    let sandbox = Sandbox::project();
    sandbox.write(".git", "gitdir: /nowhere\n");
    for args in [&["--changed"][..], &["--staged"]] {
        let outcome = sandbox.agent(args);
        assert!(matches!(outcome.code, Some(2 | 3)), "{}", outcome.stdout);
        outcome.says("Fix: ");
    }
    sandbox.json(&[]).is("PASS");
}

#[test]
fn git_is_not_installed() {
    let mut sandbox = Sandbox::on_branch();
    sandbox.write(AUTH, faulty());
    sandbox.set("PATH", "/nowhere");
    // Only what gix cannot read needs the program.
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, FAULT);
    let sandbox = Sandbox::project();
    sandbox.init(&["--ref-format=reftable"]);
    sandbox.commit("first");
    let mut sandbox = sandbox;
    sandbox.set("PATH", "/nowhere");
    sandbox.json(&["--changed"]).is("UNVERIFIABLE").reasons("git program cannot be run", "");
}
