//! Commands that prove nothing, and those that do.

use super::*;
use crate::criteria::model::Expectation;

fn shell(line: &str) -> CommandCheck {
    CommandCheck { command: CommandLine::Shell(line.to_owned()), expect: Expectation::default() }
}

fn argv(argv: &[&str]) -> CommandCheck {
    let argv = argv.iter().map(|word| (*word).to_owned()).collect();
    CommandCheck { command: CommandLine::Argv(argv), expect: Expectation::default() }
}

fn containing(mut check: CommandCheck, text: &str) -> CommandCheck {
    check.expect.stdout.contains.push(text.to_owned());
    check
}

#[test]
fn lines_that_always_pass() {
    let lines = [
        "true",
        ":",
        "echo ok",
        "printf ok",
        "exit 0",
        "sleep 1",
        "cargo test || true",
        "cargo test || :",
        "cargo test || exit 0",
        "cargo test; true",
        "cargo test; exit 0",
        "cargo test &",
        "cargo test | cat",
        "cargo test 2>&1 | tee log",
        "! false",
        "/bin/true",
        "env true",
        "env A=b true",
        "test 1",
        "[ 1 = 1 ]",
        "[ -n x ]",
        "python -c pass",
        "python3 -c ''",
        "git --version",
        "cargo --version",
        "cargo test && false || true",
        "(cargo test) || true",
        "{ cargo test; true; }",
        "cargo test || echo failed",
        "sh -c 'exit 0'",
        "bash -lc 'cargo test || true'",
        "timeout 5 true",
        "nice -n 5 true",
        "sudo -u x true",
        "command true",
        "nohup true",
        "exec true",
        "cargo test\ntrue",
        "true && true",
        "cargo test & wait",
        "cargo test || { echo bad; true; }",
        "cargo test || (exit 0)",
        "",
        "A=b",
        "set -e; echo ok",
        "cargo test || true # really",
        "cmd /C 'exit 0'",
        "cargo test; echo $?",
        "true | true",
        "set -e; cargo test || true",
        "eval true",
        "eval 'cargo test || true'",
        "f() { true; }; f",
        "function f { cargo test; true; }; f",
        "f() { exit 0; }; f",
        "f() { cargo test || return 1; }; f || true",
        "f() { cargo test; }; f; true",
        "case x in x) ;; esac",
        "case x in x) echo a;; *) true; esac",
        "if true; then :; fi",
        "for x in a b; do echo $x; done",
        "sh",
        "cat",
        "ls -la",
        "git ls-files | xargs true",
    ];
    for line in lines {
        assert!(is_trivial(&shell(line)).is_some(), "{line}");
    }
}

#[test]
fn programs_that_always_pass() {
    for words in [
        &["true"][..],
        &["/bin/true"],
        &["/usr/bin/env", "true"],
        &["echo", "x"],
        &["sh", "-c", "true"],
        &["bash", "-c", "x || true"],
        &["test", "1"],
        &["[", "1", "=", "1", "]"],
        &["git", "--version"],
        &["sleep", "0"],
        &["env", "-i", "sh", "-c", ":"],
        &["cmd", "/C", "exit", "0"],
        &["sh"],
        &["bash", "-s"],
        &["cat"],
        &["cat", "-n"],
        &["ls"],
        &["pwd"],
        &["date"],
        &["date", "+%s"],
        &["seq", "3"],
        &["python3", "-c", "print(1)"],
        &["python3.12", "-c", "import sys; print('a', 2)\nsys.exit(0)"],
        &["node", "-e", "0"],
        &["node", "-e", "console.log(\"x\"); process.exit(0);"],
        &["ruby", "-e", "puts 'x'"],
        &["cargo", "--version", "--verbose"],
        &["rustc", "-vV"],
        &["cargo", "help", "test"],
        &["xargs", "true"],
        &["sh", "-n", "f"],
        &["eval", "true"],
    ] {
        assert!(is_trivial(&argv(words)).is_some(), "{words:?}");
    }
}

#[test]
fn honest_commands() {
    let lines = [
        "cargo test",
        "cargo test || exit 1",
        "grep -q x f || echo missing && exit 1",
        "cargo test && true",
        "cargo test && echo ok",
        "set -o pipefail; cargo test | cat",
        "set -euo pipefail; cargo test | tee log; echo done",
        "set -e; cargo test; echo done",
        "sh -ec 'cargo test; true'",
        "cargo test | grep -q ok",
        "! grep -q TODO src",
        "test -f x",
        "test -f x && exit 1; exit 0",
        "[ -e x ]",
        "[ \"$(cat x)\" = y ]",
        "test \"$X\" = 1",
        "cargo test || { echo bad; exit 1; }",
        "cargo test & wait $!",
        "exit 1",
        "false",
        "if cargo test; then echo ok; else exit 1; fi",
        "for x in a b; do cargo test || exit 1; done",
        "./target/debug/tool --version",
        "cargo run -- --help",
        "cargo test || exit 1; echo done",
        "x=$(cargo test) && echo ok",
        "cat <<E | tool\ntrue\nE",
        "echo x | tool",
        "timeout 5 cargo test",
        "true && cargo test",
        "false || cargo test",
        "! cargo test",
        "bash check.sh",
        "git diff --quiet",
        "./true",
        "git --version extra",
        "cargo test || exit",
        "bash -o pipefail -c 'cargo test'",
        "cat < f",
        "sh < f",
        "echo x | sh",
        "eval cargo test",
        "eval \"$X\"",
        "set -e; eval 'cargo test; true'",
        "f() { cargo test; }; f",
        "f() { cargo test || return 1; true; }; f",
        "f() { cargo test || exit 1; }; f; true",
        "g() { exit 1; }; f() { cargo test || g; }; f; true",
        "set -e; f() { cargo test; true; }; f",
        "set -e; { cargo test; true; }",
        "f() { g; }; g() { exit 1; }; f; true",
        "cargo test || { echo bad; exit 1; }; echo done",
        "case $(cat f) in x) exit 1;; esac",
        "case $(cat f) in x) ;; *) false;; esac",
        "case x in x) cargo test;; esac",
        "if true; then cargo test; fi",
        "for f in *; do test -s $f || exit 1; done",
        "while read x; do grep -q \"$x\" f || exit 1; done < g",
        "git ls-files | xargs grep -L x",
    ];
    for line in lines {
        assert_eq!(is_trivial(&shell(line)), None, "{line}");
    }
    for words in [
        &["cargo", "test"][..],
        &["sh", "check.sh"],
        &["grep", "-q", "x", "f"],
        &["echo.sh"],
        &["tools/true"],
        &["test", "-f", "x"],
        &["python3", "-c", "import x; assert x.y()"],
        &["python3", "-c", "import x"],
        &["python3", "-c", "print(open('x').read())"],
        &["python3", "-c", "assert False"],
        &["node", "-e", "require('./x')"],
        &["node", "-e", "process.exit(1)"],
        &["cat", "file"],
        &["ls", "file"],
        &["ls", "-l", "file"],
        &["tool", "help", "x"],
        &["cargo", "test", "--verbose"],
        &["rustc", "-v", "x.rs"],
        &["xargs", "cargo", "test"],
        &["sh", "f", "-n"],
    ] {
        assert_eq!(is_trivial(&argv(words)), None, "{words:?}");
    }
}

#[test]
fn expected_texts() {
    assert_eq!(is_trivial(&containing(shell("echo ok"), "ok")), Some(OWN_WORDS));
    assert_eq!(is_trivial(&containing(argv(&["echo", "all", "ok"]), "all ok")), Some(OWN_WORDS));
    assert_eq!(is_trivial(&containing(shell("cargo test; echo done"), "done")), Some(OWN_WORDS));
    assert_eq!(is_trivial(&containing(shell("printf 'a\\nb'"), "b")), Some(OWN_WORDS));
    assert_eq!(is_trivial(&containing(shell("cargo test"), "")), Some(EMPTY_TEXT));
    assert_eq!(is_trivial(&containing(shell("cargo --version"), "cargo 1.9")), None);
    assert_eq!(is_trivial(&containing(shell("cargo test || true"), "1 passed")), None);
    assert_eq!(is_trivial(&containing(shell("cargo test && echo ok"), "ok")), None);
    assert_eq!(is_trivial(&containing(shell("cargo test && echo ok || true"), "ok")), None);
    assert_eq!(is_trivial(&containing(shell("echo $(cargo test)"), "ok")), None);
    assert_eq!(is_trivial(&containing(argv(&["seq", "3"]), "3")), Some(OF_THE_MACHINE));
    assert_eq!(is_trivial(&containing(argv(&["python3", "-c", "print(1)"]), "1")), Some(OF_THE_MACHINE));
    assert_eq!(is_trivial(&containing(argv(&["pwd"]), "/")), Some(OF_THE_MACHINE));
    assert_eq!(is_trivial(&containing(argv(&["ls"]), "Cargo.toml")), None);
    assert_eq!(is_trivial(&containing(shell("echo *.rs"), "main.rs")), None);
    let mut listed = argv(&["ls"]);
    listed.expect.stdout.not_contains.push("core".to_owned());
    assert_eq!(is_trivial(&listed), None);
    for (pattern, expected) in
        [(".*", Some(EMPTY_TEXT)), ("", Some(EMPTY_TEXT)), ("^$", None), ("x", None), ("(", None)]
    {
        let mut check = shell("cargo test");
        check.expect.stderr.matches.push(pattern.to_owned());
        assert_eq!(is_trivial(&check), expected, "{pattern}");
    }
}

#[test]
fn expected_codes() {
    let with = |line: &str, exit: ExitExpectation| {
        let mut check = shell(line);
        check.expect.exit = exit;
        check
    };
    assert_eq!(is_trivial(&with("cargo test", ExitExpectation::Any)), Some(NOTHING_EXPECTED));
    assert_eq!(is_trivial(&with("exit 3", ExitExpectation::OneOf(vec![3]))), Some(ALWAYS_PASSES));
    assert_eq!(is_trivial(&with("true", ExitExpectation::OneOf(vec![1]))), None);
    let mut absent = with("cargo test", ExitExpectation::Any);
    absent.expect.stderr.not_contains.push("panicked".to_owned());
    assert_eq!(is_trivial(&absent), Some(NOTHING_NEEDED));
    absent.expect.stdout.contains.push("1 passed".to_owned());
    assert_eq!(is_trivial(&absent), None);
    let many = |codes: &[i32]| with("cargo test", ExitExpectation::OneOf(codes.to_vec()));
    assert_eq!(is_trivial(&many(&[0, 1, 2, 101])), Some(TOO_MANY_CODES));
    assert_eq!(is_trivial(&containing(many(&[0, 1, 2, 101]), "usage")), None);
    for honest in [&[0, 1, 2][..], &[0, 1, 1, 0], &[1, 2, 3, 4], &[0, 2, 3, 4]] {
        assert_eq!(is_trivial(&many(honest)), None, "{honest:?}");
    }
    assert_eq!(is_trivial(&containing(with("cargo test; echo ok", ExitExpectation::Any), "ok")), Some(OWN_WORDS));
}

#[test]
fn any_line_is_read() {
    for line in ["sh -c \"sh -c 'sh -c true'\"", "|||", "&&", "((((", "!", "! !", "exit 99999999999", "$(", "; ;"] {
        is_trivial(&shell(line));
    }
    is_trivial(&argv(&[]));
    // Nobody waits for it to end.
    let calls = "f; ".repeat(200);
    is_trivial(&shell(&format!("f() {{ {calls} }}; f || {{ {calls} }}")));
}
