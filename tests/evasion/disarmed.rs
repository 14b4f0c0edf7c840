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

/// "38 suppression comment, baseline file extended"
#[test]
fn row_38_suppression() {
    let comment = "<!-- specward: allow spec/no-normative-keyword -- the wording was agreed -->\n";
    // A requirement that no longer demands anything, and a comment that says it is fine.
    let weaken = |repo: &Repo| {
        let weak = repo.read(AUTH).replace("SHALL", "will").replace("MUST NOT", "will not");
        repo.write(AUTH, weak.replace("### Requirement", &format!("{comment}### Requirement")));
    };
    must_fail(&Repo::new(), weaken, &[AUTH]);
    // The comment alone, for something that base has.
    let weak = spec("Pay").replace("SHALL", "will").replace("MUST NOT", "will not");
    let billing = "openspec/specs/billing/spec.md";
    let repo = Repo::based_on(&[(billing, &weak)]);
    let allow = |repo: &Repo| repo.write(billing, repo.read(billing).replace("### Req", &format!("{comment}### Req")));
    must_fail(&repo, allow, &[billing]);
    // One that was there, stretched to more rules or more of the file.
    let allowed = weak.replace("### Req", &format!("{comment}### Req"));
    for (from, to) in [("allow spec/", "allow spec/purpose-too-brief, spec/"), ("# Spec", "<!-- -->\n# Spec")] {
        let repo = Repo::based_on(&[(billing, &allowed)]);
        must_fail(&repo, |repo: &Repo| repo.replace(billing, from, to), &[billing]);
    }
    // In the open change that is implemented.
    let delta = crate::repo::DELTA;
    let allow = |repo: &Repo| {
        repo.replace(delta, "### Req", "<!-- specward: allow delta/no-normative-keyword -- agreed -->\n### Req")
    };
    must_fail(&Repo::new(), allow, &[delta]);
    must_fail(&Repo::new(), |repo| repo.write(PROPOSAL, format!("{comment}{}", repo.read(PROPOSAL))), &[PROPOSAL]);
}

/// "38": in the configuration, and in a file that is not there yet
#[test]
fn row_38_entries_and_baseline() {
    let entry = "allow:\n  - {rule: spec/no-normative-keyword, reason: agreed, expires: 2999-12-31}\n";
    must_fail(&Repo::new(), |repo| repo.write(CONFIG, entry), &[CONFIG]);
    let expired = entry.replace("2999", "2020");
    must_fail(&Repo::based_on(&[(CONFIG, &expired)]), |repo| repo.write(CONFIG, entry), &[CONFIG]);

    let baseline = "openspec/specward-baseline.yaml";
    let empty = "version: 1\nfindings: []\n";
    must_fail(&Repo::new(), |repo| repo.write(baseline, empty), &[baseline]);
    // Extended by the program itself, or by hand.
    let weak = spec("Pay").replace("SHALL", "will").replace("MUST NOT", "will not");
    for before in [None, Some(empty)] {
        let mut files = vec![("openspec/specs/billing/spec.md", weak.as_str())];
        files.extend(before.map(|text| (baseline, text)));
        let record = |repo: &Repo| {
            let output = repo.clean(env!("CARGO_BIN_EXE_specward"), repo.top()).arg("baseline").output();
            assert!(output.expect("specward runs").status.success());
            assert!(repo.read(baseline).contains("spec/no-normative-keyword"));
        };
        must_fail(&Repo::based_on(&files), record, &[baseline]);
    }
    // Taken away, or put where git does not look.
    let repo = Repo::based_on(&[(baseline, empty)]);
    must_fail(&repo, |repo| repo.remove(baseline), &[baseline]);
    let repo = Repo::new();
    repo.write(".git/info/exclude", "specward-baseline.yaml\n");
    repo.write(baseline, empty);
    repo.frozen().fails_frozen(&[baseline]);
}

/// "38": an error of the reference, an edit and an unreadable file stand, whoever allows them
#[test]
fn row_38_what_nobody_can_allow() {
    let repo = Repo::new();
    let comment = "<!-- specward: allow spec/no-scenario, freeze/spec-changed -- agreed -->\n";
    let text = repo.read(AUTH);
    let without = &text[..text.find("#### Scenario").expect("it is there")];
    repo.write(AUTH, without.replace("### Req", &format!("{comment}### Req")));
    repo.verify(&[]).fails(&["spec/no-scenario", "suppress/refused"]);
    repo.frozen().fails_frozen(&[AUTH]);
    // A baseline that holds all fingerprints anybody can think of.
    let mut forged = "version: 1\nfindings:\n".to_owned();
    for rule in ["spec/no-scenario", "freeze/spec-changed"] {
        forged += &format!("  - {{path: {AUTH}, rule: {rule}, fingerprint: '0000000000000000'}}\n");
    }
    repo.write("openspec/specward-baseline.yaml", forged);
    repo.verify(&[]).fails(&["spec/no-scenario"]);
    repo.write("openspec/specward-baseline.yaml", "version: [\n");
    repo.frozen().could_not_run(&["openspec/specward-baseline.yaml"]);
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
