//! D. Disarm the gate: its configuration, and input that would make it slow or crash.

use std::time::{Duration, Instant};

use crate::repo::{AUTH, PROPOSAL, Repo, must_fail, spec};

const CONFIG: &str = "openspec/specward.yaml";

/// "37 `specward.yaml`: rule off, frozen list emptied, roots moved"
#[test]
fn row_37_configuration() {
    let off = "rules:\n  spec: off\n  repo: off\n  freeze: off\n";
    must_fail(&Repo::new(), |repo| repo.write(CONFIG, off), &[CONFIG]);

    // The list of protected files is base's and head's together.
    let protecting = "strict: true\nprotect: [\"tests/**\"]\n";
    for emptied in ["protect: []\n", "", "protect: [\"nothing/**\"]\n"] {
        let cheat = |repo: &Repo| {
            repo.write(CONFIG, emptied);
            repo.write("tests/auth.rs", "");
        };
        must_fail(&Repo::based_on(&[(CONFIG, protecting)]), cheat, &[CONFIG, "tests/auth.rs"]);
    }
    let cheat = |repo: &Repo| {
        repo.remove(CONFIG);
        repo.remove("tests");
    };
    must_fail(&Repo::based_on(&[(CONFIG, protecting)]), cheat, &[CONFIG, "tests/auth.rs"]);
}

/// "37": roots moved. Base's roots are compared whatever head says.
#[test]
fn row_37_roots_moved() {
    let elsewhere = "elsewhere/openspec/specs/auth/spec.md";
    let move_roots = |repo: &Repo| {
        repo.write(CONFIG, "roots: [elsewhere]\n");
        repo.write(elsewhere, spec("Sign in"));
        repo.weaken();
    };
    must_fail(&Repo::new(), move_roots, &[CONFIG, AUTH, elsewhere]);
    // One that the base lists and head does not.
    let (a, b) = ("a/openspec/specs/x/spec.md", "b/openspec/specs/y/spec.md");
    let listed = "roots: [a, b]\nprotect: [\"tests/**\"]\n";
    let repo = Repo::based_on(&[(a, &spec("A")), (b, &spec("B")), (CONFIG, listed)]);
    let drop_one = |repo: &Repo| {
        repo.write(CONFIG, "roots: [a]\n");
        repo.write(b, spec("Nothing"));
    };
    must_fail(&repo, drop_one, &[CONFIG, b]);
    // The file that lists the roots, where there is no project beside it.
    for (change, path) in [("roots: [a]\nprotect: [\"tests/**\"]\n", CONFIG), (listed, "tests/auth.rs")] {
        let repo = Repo::based_on(&[(a, &spec("A")), (b, &spec("B")), (CONFIG, listed)]);
        repo.git(&["checkout", "-q", "main"]);
        for folder in ["specs", "changes"] {
            repo.remove(&format!("openspec/{folder}"));
        }
        repo.commit("no project at the top");
        repo.git(&["checkout", "-q", "-B", "work"]);
        let cheat = |repo: &Repo| {
            repo.write(CONFIG, change);
            if path != CONFIG {
                repo.write(path, "");
            }
        };
        must_fail(&repo, cheat, &[path]);
    }
}

/// "37": globs that name a folder, or begin with `./`, protect too
#[test]
fn row_37_ways_to_write_a_glob() {
    for glob in ["tests", "tests/", "./tests/**", "/tests/**", "**/*.rs", "tests/{auth,other}.rs", "t*"] {
        let repo = Repo::based_on(&[(CONFIG, &format!("protect: ['{glob}']\n")), ("README.md", "")]);
        repo.write("README.md", "free\n");
        repo.frozen().passes();
        repo.write("tests/auth.rs", "");
        repo.frozen().fails_frozen(&["tests/auth.rs"]);
        repo.commit("a test");
        repo.frozen_commits().fails_frozen(&["tests/auth.rs"]);
    }
}

/// "37": a configuration that cannot be read is no configuration
#[test]
fn row_37_broken_configuration() {
    for text in ["roots: [", "protect: [\"[\"]\n", "rule: {}\n", "strict: \u{0}\n"] {
        let repo = Repo::new();
        repo.write(CONFIG, text);
        repo.weaken();
        repo.frozen().could_not_run(&[CONFIG]);
        repo.commit("broken");
        repo.frozen_commits().could_not_run(&[CONFIG]);
    }
    for make in [
        |repo: &Repo| repo.link("/dev/zero", CONFIG),
        |repo: &Repo| repo.link("specward.yaml", CONFIG),
        |repo: &Repo| std::fs::create_dir(repo.path(CONFIG)).expect("a folder"),
        |repo: &Repo| pipe(repo, CONFIG),
    ] {
        let repo = Repo::new();
        make(&repo);
        repo.weaken();
        repo.frozen().could_not_run(&[CONFIG]);
    }
}

fn pipe(repo: &Repo, path: &str) {
    let status = repo.clean("mkfifo", repo.top()).arg(path).status().expect("mkfifo runs");
    assert!(status.success());
}

fn soon<T>(run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    result
}

/// "46 make the gate slow: time-out, huge file, deep nesting, fork bomb in a check, output flood" (as far as there are
/// no checks)
#[test]
fn row_46_slow() {
    // A file too large to be read, without taking room on the disk.
    let repo = Repo::new();
    let huge = std::fs::File::create(repo.path(AUTH)).expect("a file");
    huge.set_len(1 << 40).expect("a sparse file");
    soon(|| repo.frozen()).fails(&[AUTH, "too many"]);
    repo.remove(AUTH);
    // Folders nested deeper than a stack goes, in a folder that base has and in a new one.
    for folder in ["openspec/specs/auth", "openspec/specs/new", "openspec/changes/new"] {
        let repo = Repo::new();
        let deep = format!("{folder}{}/x.md", "/d".repeat(500));
        repo.write(&deep, "x");
        soon(|| repo.frozen()).fails(&[folder, "too deep"]);
        repo.git(&["add", "-A"]);
        soon(|| repo.frozen_index()).is_unverifiable(&["too deep"]);
        repo.git(&["commit", "-q", "-m", "deep"]);
        soon(|| repo.frozen_commits()).fails(&[folder, "too deep"]);
    }
    // A pipe nobody writes to, a link to something endless.
    for path in [AUTH, "openspec/specs/auth/pipe", "openspec/config.yaml", "openspec/changes/add-logout/.openspec.yaml"]
    {
        let repo = Repo::new();
        drop(std::fs::remove_file(repo.path(path)));
        pipe(&repo, path);
        soon(|| repo.frozen()).fails(&[path, "pipe"]);
    }
    let repo = Repo::new();
    repo.remove(AUTH);
    repo.link("/dev/zero", AUTH);
    soon(|| repo.frozen()).fails_frozen(&[AUTH]);
    // More findings and more files than anybody reads.
    let repo = Repo::new();
    for number in 0..300 {
        repo.write(&format!("openspec/specs/auth/{number}.md"), "");
    }
    repo.write(AUTH, "## Requirements\n".to_owned() + &"### Requirement: X\n".repeat(2_000));
    let outcome = soon(|| repo.frozen());
    outcome.fails_frozen(&["openspec/specs/auth/0.md"]);
    assert!(outcome.stdout.len() < 20_000, "{} bytes", outcome.stdout.len());
}

/// "47 make it crash: bad UTF-8, NUL, YAML bomb, enormous line"
#[test]
fn row_47_crash() {
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned()
        + &('b'..='z')
            .zip('a'..)
            .map(|(name, of)| format!("{name}: &{name} [*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of}]\n"))
            .collect::<String>();
    // A build without optimisation takes its time; how long a larger one takes is measured elsewhere.
    let line = "x".repeat(1024 * 1024);
    for (path, content) in [
        (AUTH, b"# a\n## Purpose\n\xff\xfe\xc0\n## Requirements\n".to_vec()),
        (AUTH, b"\xff\xfe#\0 \0a\0\n\0".to_vec()),
        (AUTH, b"# a\n## Requirements\n### Requirement: \0\0\n".to_vec()),
        (AUTH, format!("## Requirements\n### Requirement: {line}").into_bytes()),
        (AUTH, "## Requirements\n### Requirement: A\n".repeat(5_000).into_bytes()),
        (AUTH, ("`".repeat(100_000) + "\n").repeat(5).into_bytes()),
        ("openspec/config.yaml", bomb.clone().into_bytes()),
        ("openspec/changes/add-logout/.openspec.yaml", bomb.clone().into_bytes()),
        ("openspec/schemas/x/schema.yaml", bomb.clone().into_bytes()),
        ("openspec/config.yaml", "[".repeat(200_000).into_bytes()),
        ("openspec/changes/add-logout/.openspec.yaml", ("schema: ".to_owned() + &"{a: ".repeat(100_000)).into_bytes()),
        (PROPOSAL, b"\0\xff\n".repeat(1000)),
        (crate::repo::TASKS, b"- [ ] \xff\n".to_vec()),
    ] {
        let repo = Repo::new();
        repo.write(path, content);
        soon(|| repo.frozen()).fails_frozen(&[path]);
        repo.commit("bad");
        soon(|| repo.frozen_commits()).fails_frozen(&[path]);
    }
    let repo = Repo::new();
    repo.write(CONFIG, bomb);
    soon(|| repo.frozen()).could_not_run(&[CONFIG]);
}

/// "48 two gates at once, lock held for ever": git's locks keep nobody from reading
#[test]
fn row_48_locks() {
    let repo = Repo::new();
    repo.weaken();
    for lock in
        ["index.lock", "HEAD.lock", "refs/heads/main.lock", "refs/heads/work.lock", "packed-refs.lock", "config.lock"]
    {
        repo.write(&format!(".git/{lock}"), "");
    }
    soon(|| repo.frozen()).fails_frozen(&[AUTH]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| repo.frozen().fails_frozen(&[AUTH]));
        }
    });
}
