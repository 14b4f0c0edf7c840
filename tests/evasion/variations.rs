//! Variations of the rows that were tried on the gate, and what they come to.

use std::fs;

use crate::repo::{AUTH, DELTA, Repo, TASKS, must_fail, spec};

const A: &str = "a/openspec/specs/x/spec.md";
const B: &str = "b/openspec/specs/y/spec.md";

/// Several projects, none at the top or one.
fn monorepo(with_top: bool) -> Repo {
    let repo = Repo::based_on(&[(A, &spec("A")), (B, &spec("B"))]);
    if !with_top {
        repo.git(&["checkout", "-q", "main"]);
        repo.remove("openspec");
        repo.commit("no project at the top");
        repo.git(&["checkout", "-q", "-B", "work"]);
    }
    repo
}

/// Of 6, 7, 25: a project beside others, taken out of the index, removed, or edited
#[test]
fn projects_below_the_top() {
    for with_top in [true, false] {
        must_fail(&monorepo(with_top), |repo| repo.write(B, spec("Nothing")), &[B]);
        must_fail(&monorepo(with_top), |repo| repo.remove("b"), &[B]);
        must_fail(&monorepo(with_top), |repo| repo.rename("b", "c"), &[B]);
        let repo = monorepo(with_top);
        repo.git(&["rm", "-rq", "b"]);
        repo.frozen().fails_frozen(&[B]);
        repo.frozen_index().fails_frozen(&[B]);
        let repo = monorepo(with_top);
        repo.git(&["rm", "-rq", "--cached", "b"]);
        repo.write(B, spec("Nothing"));
        repo.frozen().fails_frozen(&[B]);
        // From a folder of its own, and from one of another project's.
        let repo = monorepo(with_top);
        repo.write(B, spec("Nothing"));
        for folder in ["b", "a", "b/openspec/specs"] {
            repo.verify_in(&repo.path(folder), &[], &["--changed", "--frozen-spec"]).fails_frozen(&[B]);
        }
    }
}

/// The same where the git program is asked, and where the index says nothing about folders
#[test]
fn projects_below_the_top_of_other_repositories() {
    for reftable in [true, false] {
        let repo = if reftable { Repo::with(&["--ref-format=reftable"]) } else { Repo::new() };
        repo.write(B, spec("B"));
        repo.commit("another project");
        repo.git(&["branch", "-f", "main"]);
        if !reftable {
            repo.git(&["sparse-checkout", "set", "--sparse-index", "openspec", "src"]);
        }
        repo.git(&["rm", "-rq", "--sparse", "--cached", "b"]);
        repo.write(B, spec("Nothing"));
        repo.frozen().fails_frozen(&[B]);
    }
}

/// Of 8, 9: mode changes
#[test]
fn modes() {
    let executable = |repo: &Repo| {
        let mode: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(repo.path(AUTH), mode).expect("a mode");
    };
    must_fail(&Repo::new(), executable, &[AUTH]);
    let repo = Repo::new();
    repo.git(&["config", "core.fileMode", "false"]);
    repo.git(&["update-index", "--chmod=+x", AUTH]);
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_index().fails_frozen(&[AUTH]);
}

/// Of 12, 25: a ticked box in the work tree, something else in the index
#[test]
fn ticked_here_and_edited_there() {
    let ticked = |repo: &Repo| repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
    let repo = Repo::new();
    let text = repo.read(TASKS);
    repo.write(TASKS, "- [x] 1.1 Nothing\n");
    repo.git(&["add", "-A"]);
    repo.write(TASKS, &text);
    ticked(&repo);
    repo.frozen().fails_frozen(&[TASKS]);
    repo.commit("unticked");
    repo.frozen().passes();
    // The index names an object nobody has.
    let repo = Repo::new();
    ticked(&repo);
    let nobody = "1234567890123456789012345678901234567890";
    repo.git(&["update-index", "--cacheinfo", &format!("100644,{nobody},{TASKS}")]);
    repo.frozen().fails_frozen(&[TASKS]);
    repo.frozen_index().fails_frozen(&[TASKS]);
    // A box in a link's target is no box.
    let repo = Repo::new();
    repo.remove(TASKS);
    repo.link("- [ ] a", TASKS);
    repo.commit("a link");
    repo.git(&["branch", "-f", "main"]);
    repo.remove(TASKS);
    repo.link("- [x] a", TASKS);
    repo.frozen().fails_frozen(&[TASKS]);
}

/// Of 26: trees git itself would not write, with two entries of one name, or names that lead elsewhere
#[test]
fn malformed_trees() {
    for order in [["weak", "good"], ["good", "weak"]] {
        for name in ["spec.md", "../spec.md", "a/b", ".", "..", ".git", ""] {
            let repo = Repo::new();
            let good = repo.id(&format!("main:{AUTH}"));
            repo.weaken();
            repo.commit("weaken");
            let weak = repo.id(&format!("HEAD:{AUTH}"));
            repo.git(&["reset", "-q", "--hard", "main"]);
            let mut tree = Vec::new();
            for which in order {
                let (id, name) = if which == "good" { (&good, "spec.md") } else { (&weak, name) };
                tree.extend_from_slice(format!("100644 {name}\0").as_bytes());
                tree.extend((0..id.len()).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).expect("hex")));
            }
            let mut id = repo.object("tree", &tree);
            for folder in ["auth", "specs", "openspec", ""] {
                let parent = match folder {
                    "auth" => "main:openspec/specs",
                    "specs" => "main:openspec",
                    "openspec" => "main^{tree}",
                    _ => break,
                };
                let entries = repo.git(&["ls-tree", parent]);
                let line = |line: &str| {
                    let (head, name) = line.split_once('\t').expect("a tab");
                    if name == folder { format!("040000 tree {id}\t{name}\n") } else { format!("{head}\t{name}\n") }
                };
                let text: String = entries.lines().map(line).collect();
                let file = repo.outside("tree");
                fs::write(&file, text).expect("a file");
                let mut command = repo.clean("git", repo.top());
                let output = command.arg("mktree").stdin(fs::File::open(&file).expect("the file")).output();
                id = String::from_utf8(output.expect("git runs").stdout).expect("hex").trim().to_owned();
            }
            let commit = repo.git(&["commit-tree", "-p", "main", "-m", "malformed", &id]);
            let outcome = repo.verify(&["--changed", "--frozen-spec", "--base", "main", "--head", &commit]);
            outcome.is_unverifiable(&["is damaged"]);
        }
    }
}

/// Of 23: variables by which git would find other objects, or other settings
#[test]
fn variables_for_git() {
    let repo = Repo::new();
    let main = repo.id("main");
    repo.weaken();
    let head = repo.commit("weaken");
    repo.git(&["replace", &main, &head]);
    repo.git(&["update-ref", &format!("refs/elsewhere/{main}"), &head]);
    repo.write("../grafts", format!("{main} {head}\n"));
    repo.write("../shallow", format!("{head}\n"));
    repo.write("../config", "[core]\n\tuseReplaceRefs = true\n\tbare = true\n");
    let outside = |name: &str| repo.outside(name).to_str().expect("ASCII").to_owned();
    let (grafts, shallow, config, objects) =
        (outside("grafts"), outside("shallow"), outside("config"), outside("objects"));
    let setting = |key: &'static str, value: &'static str| {
        vec![("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", key), ("GIT_CONFIG_VALUE_0", value)]
    };
    for variables in [
        setting("core.useReplaceRefs", "true"),
        setting("core.commitGraph", "true"),
        setting("core.fileMode", "false"),
        setting("core.ignoreCase", "true"),
        setting("extensions.partialClone", "origin"),
        vec![("GIT_REPLACE_REF_BASE", "refs/elsewhere/")],
        vec![("GIT_GRAFT_FILE", &grafts)],
        vec![("GIT_SHALLOW_FILE", &shallow)],
        vec![("GIT_ALTERNATE_OBJECT_DIRECTORIES", &objects)],
        vec![("GIT_CONFIG_PARAMETERS", "'core.useReplaceRefs'='true'")],
    ] {
        for args in
            [&["--changed", "--frozen-spec"][..], &["--changed", "--frozen-spec", "--base", "main", "--head", "HEAD"]]
        {
            repo.verify_env(&variables, args).fails_frozen(&[AUTH]);
        }
    }
    // Without objects, or without a work tree, there is no verdict.
    for variables in [
        vec![("GIT_OBJECT_DIRECTORY", objects.as_str())],
        vec![("GIT_CONFIG_GLOBAL", &config)],
        setting("core.bare", "true"),
        setting("core.worktree", "/"),
        setting("core.repositoryFormatVersion", "99"),
        vec![("GIT_COMMON_DIR", &objects)],
        vec![("GIT_CEILING_DIRECTORIES", "/")],
        vec![("GIT_NAMESPACE", "x")],
    ] {
        let outcome = repo.verify_env(&variables, &["--changed", "--frozen-spec"]);
        assert!(!outcome.stdout.starts_with("SPECWARD VERDICT: PASS"), "{variables:?}: {outcome}");
    }
}

/// Of 24, 26: a commit graph with other parents than the commits have
#[test]
fn forged_commit_graph() {
    let repo = Repo::new();
    let main = repo.id("main");
    repo.weaken();
    repo.commit("weaken");
    repo.edit_source();
    repo.commit("source");
    // The graph of a history in which main is HEAD's child, under the names of this one.
    repo.git(&["replace", "--graft", &main, "HEAD~1"]);
    repo.git(&["commit-graph", "write", "--reachable"]);
    repo.git(&["replace", "-d", &main]);
    repo.frozen().fails_frozen(&[AUTH]);
    repo.git(&["commit-graph", "write", "--reachable"]);
    let path = repo.path(".git/objects/info/commit-graph");
    let mut graph = fs::read(&path).expect("a graph");
    drop(fs::remove_file(&path));
    let length = graph.len();
    graph[length - 60..].fill(0);
    fs::write(&path, graph).expect("a graph");
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_commits().fails_frozen(&[AUTH]);
}

/// Of 22, 23: `.git` is replaced, or lies where the gate is started
#[test]
fn other_git_folders() {
    let repo = Repo::new();
    repo.weaken();
    repo.rename(".git", "../moved.git");
    repo.frozen().could_not_run(&["not a git repository"]);
    repo.write(".git", "gitdir: /nowhere\n");
    repo.frozen().could_not_run(&["cannot be opened"]);
    repo.write(".git", "gitdir: ../moved.git\n");
    repo.frozen().fails_frozen(&[AUTH]);
    repo.remove(".git");
    repo.link("../moved.git", ".git");
    repo.frozen().fails_frozen(&[AUTH]);
    // Damaged.
    repo.write("../moved.git/HEAD", "nonsense\n");
    let outcome = repo.frozen();
    assert!(!outcome.stdout.starts_with("SPECWARD VERDICT: PASS"), "{outcome}");
}

/// Of 25: an index that is gone, damaged, or somebody else's
#[test]
fn other_indexes() {
    let repo = Repo::new();
    repo.weaken();
    let index = fs::read(repo.path(".git/index")).expect("an index");
    for bytes in [b"DIRC".to_vec(), Vec::new(), vec![0; 200], index[..index.len() / 2].to_vec()] {
        repo.write(".git/index", bytes);
        for args in [["--changed", "--frozen-spec"], ["--staged", "--frozen-spec"]] {
            let outcome = repo.verify(&args);
            assert!(!outcome.stdout.starts_with("SPECWARD VERDICT: PASS"), "{outcome}");
        }
    }
    repo.remove(".git/index");
    repo.frozen().fails_frozen(&[AUTH]);
    repo.frozen_index().fails_frozen(&[AUTH]);
    // Unmerged.
    let repo = Repo::new();
    let (good, weak) = (repo.id(&format!("main:{AUTH}")), repo.object("blob", b"weak\n"));
    repo.write(
        "../entries",
        format!("0 {good} 0\t{AUTH}\n100644 {good} 1\t{AUTH}\n100644 {good} 2\t{AUTH}\n100644 {weak} 3\t{AUTH}\n"),
    );
    let entries = fs::File::open(repo.outside("entries")).expect("the file");
    let mut command = repo.clean("git", repo.top());
    assert!(command.args(["update-index", "--index-info"]).stdin(entries).status().expect("git runs").success());
    repo.frozen_index().is_unverifiable(&["unmerged", AUTH]);
    repo.frozen().fails_frozen(&[AUTH]);
}

/// Of 9, 46: what is no file: sockets, empty folders, files where folders are
#[test]
fn no_files() {
    let repo = Repo::new();
    fs::create_dir_all(repo.path("openspec/specs/empty/deeper")).expect("folders");
    fs::create_dir_all(repo.path("openspec/changes/empty")).expect("folders");
    repo.frozen().passes();
    let _socket = std::os::unix::net::UnixListener::bind(repo.path("openspec/specs/auth/socket")).expect("a socket");
    repo.frozen().fails(&["openspec/specs/auth/socket", "socket"]);
    for folder in ["openspec", "openspec/specs", "openspec/changes", "openspec/specs/auth"] {
        let cheat = |repo: &Repo| {
            repo.remove(folder);
            repo.write(folder, "a file\n");
        };
        must_fail(&Repo::new(), cheat, &[if folder == "openspec/changes" { DELTA } else { AUTH }]);
    }
}

/// Files that come, go and change while the gate runs: never a crash, and never a PASS while the spec is weak
#[test]
fn while_it_runs() {
    let repo = Repo::new();
    repo.weaken();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                for number in 0..60 {
                    drop(fs::create_dir(repo.path(&format!("openspec/specs/x{number}"))));
                    drop(fs::write(repo.path(&format!("openspec/specs/x{number}/spec.md")), "x"));
                }
                for number in 0..60 {
                    drop(fs::remove_dir_all(repo.path(&format!("openspec/specs/x{number}"))));
                }
            }
        });
        for _ in 0..12 {
            let outcome = repo.frozen();
            assert!(outcome.stdout.starts_with("SPECWARD VERDICT: FAIL"), "{outcome}");
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

/// A reference that follows another one is no base: whoever writes it chooses the base.
#[test]
fn a_default_branch_that_follows_another_reference() {
    for (name, target) in
        [("refs/remotes/origin/main", "refs/heads/work"), ("refs/remotes/origin/HEAD", "refs/heads/work")]
    {
        let repo = Repo::new();
        repo.git(&["symbolic-ref", name, target]);
        repo.weaken();
        repo.commit("weaken");
        repo.verify(&["--changed", "--frozen-spec"]).is_unverifiable(&["points to refs/heads/work"]);
    }
}

/// An edit that base has made by now, too, is not one of this branch.
#[test]
fn what_stands_on_base_is_no_edit() {
    let repo = Repo::new();
    repo.weaken();
    let weakened = repo.commit("weaken");
    repo.frozen().fails_frozen(&[AUTH]);
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["cherry-pick", "-x", &weakened]);
    repo.git(&["checkout", "-q", "work"]);
    repo.frozen().passes();
    repo.frozen_commits().passes();
}
