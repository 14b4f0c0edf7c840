//! Programs that ended in every way, and what is made of it.

use super::*;
use crate::criteria::Observed;
use crate::criteria::model::Expectation;
use crate::criteria::test_counts::Recogniser;

fn argv(line: &str) -> CommandLine {
    CommandLine::Argv(line.split(' ').map(str::to_owned).collect())
}

fn check(line: &str) -> CommandCheck {
    CommandCheck { command: argv(line), expect: Expectation::default() }
}

fn expecting(line: &str, change: impl FnOnce(&mut Expectation)) -> CommandCheck {
    let mut check = check(line);
    change(&mut check.expect);
    check
}

fn ended(end: End, stdout: &str, stderr: &str) -> Ended {
    let mut tests = TestCounts::default();
    for text in [stdout, stderr] {
        let mut recogniser = Recogniser::default();
        recogniser.feed(text.as_bytes());
        tests.add(recogniser.finish());
    }
    Ended {
        end,
        stdout: Captured::from(stdout.as_bytes()),
        stderr: Captured::from(stderr.as_bytes()),
        duration: Duration::from_millis(2140),
        program: Some("/usr/bin/program".into()),
        tests,
    }
}

fn exited(code: i32, stdout: &str) -> Ended {
    ended(End::Exited(code), stdout, "")
}

/// What one check alone sees of a run.
fn judged(check: &CommandCheck, ended: &Ended) -> Observed {
    let output = Output::of(ended);
    let (verdict, message) = judge(check, ended, &output);
    let (evidence, dropped) = evidence(&check.command, ended, &output);
    Observed { verdict, message, evidence, dropped }
}

#[track_caller]
fn assert_verdict(observed: &Observed, verdict: Verdict, part: &str) {
    assert_eq!(observed.verdict, verdict, "{}", observed.message);
    assert!(observed.message.contains(part), "{}", observed.message);
}

#[test]
fn exit_codes() {
    let plain = check("tool x");
    assert_verdict(&judged(&plain, &exited(0, "")), Verdict::Pass, "exits with 0");
    assert_verdict(&judged(&plain, &exited(3, "")), Verdict::Fail, "exits with 3, not with 0");
    let other = expecting("tool x", |expect| expect.exit = ExitExpectation::OneOf(vec![1, 2]));
    assert_verdict(&judged(&other, &exited(2, "")), Verdict::Pass, "");
    assert_verdict(&judged(&other, &exited(0, "")), Verdict::Fail, "exits with 0, not with 1 or 2");
    let any = expecting("tool x", |expect| {
        expect.exit = ExitExpectation::Any;
        expect.stdout.contains.push("x".to_owned());
    });
    assert_verdict(&judged(&any, &exited(9, "x")), Verdict::Pass, "");
    assert_verdict(&judged(&any, &exited(9, "y")), Verdict::Fail, "stdout does not contain `x`");
}

#[test]
fn what_did_not_run_to_its_end_is_unverifiable() {
    let any = expecting("tool x", |expect| expect.exit = ExitExpectation::Any);
    for (end, part) in [
        (End::TimedOut, "did not end within 2.1 s"),
        (End::Signalled(11), "killed by signal 11"),
        (End::NotFound("nowhere".to_owned()), "nowhere"),
        (End::NotStarted("not so".to_owned()), "not so"),
        (End::Interrupted, "run it again"),
    ] {
        assert_verdict(&judged(&any, &ended(end, "", "")), Verdict::Unverifiable, part);
    }
}

#[test]
fn texts() {
    let with = |change: fn(&mut Expectation)| expecting("tool x", change);
    let output = ended(End::Exited(0), "one\r\ntwo \x1b[32m3\x1b[0m passed\n", "warning: w\n");
    let good = with(|expect| {
        expect.stdout.contains = vec!["one".to_owned(), "3 passed".to_owned(), "\x1b[32m3".to_owned()];
        expect.stdout.matches = vec!["^one$".to_owned(), r"\d+ passed$".to_owned()];
        expect.stderr.not_contains = vec!["error".to_owned()];
    });
    assert_verdict(&judged(&good, &output), Verdict::Pass, "");
    let bad = with(|expect| expect.stderr.not_contains = vec!["warning".to_owned()]);
    assert_verdict(&judged(&bad, &output), Verdict::Fail, "stderr contains `warning`");
    let bad = with(|expect| expect.stdout.matches = vec!["^two$".to_owned()]);
    assert_verdict(&judged(&bad, &output), Verdict::Fail, "`^two$` does not match stdout");
    let broken = with(|expect| expect.stdout.matches = vec!["(".to_owned()]);
    assert_verdict(&judged(&broken, &output), Verdict::Unverifiable, "no regular expression");
    let worst = with(|expect| {
        expect.stdout.matches = vec!["(".to_owned()];
        expect.stderr.contains = vec!["none".to_owned()];
    });
    assert_verdict(&judged(&worst, &output), Verdict::Fail, "stderr does not contain");
}

#[test]
fn what_was_not_kept_is_not_judged() {
    let mut output = exited(0, "");
    output.stdout = Captured::from(&b"start "[..]);
    for _ in 0..3 {
        output.stdout = {
            let mut all = output.stdout.text().into_bytes();
            all.extend(vec![b'.'; 4 << 20]);
            Captured::from(&all[..])
        };
    }
    let with = |change: fn(&mut Expectation)| expecting("tool x", change);
    let seen = with(|expect| expect.stdout.contains = vec!["start".to_owned()]);
    assert_verdict(&judged(&seen, &output), Verdict::Pass, "");
    for unseen in [
        with(|expect| expect.stdout.contains = vec!["x".to_owned()]),
        with(|expect| expect.stdout.not_contains = vec!["x".to_owned()]),
        with(|expect| expect.stdout.matches = vec!["x".to_owned()]),
    ] {
        let observed = judged(&unseen, &output);
        assert_verdict(&observed, Verdict::Unverifiable, "was not kept");
        assert!(observed.dropped > 0);
    }
}

#[test]
fn tests_that_did_not_run_prove_nothing() {
    let none = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s\n";
    let ignored = "test result: ok. 0 passed; 0 failed; 2 ignored; 0 measured; 4 filtered out; finished in 0.00s\n";
    let one = "test result: ok. 1 passed; 0 failed; 2 ignored; 0 measured; 4 filtered out; finished in 0.00s\n";
    let text = expecting("cargo test", |expect| expect.stdout.contains = vec!["test result: ok".to_owned()]);
    for check in [check("cargo test"), check("make test"), text] {
        assert_verdict(&judged(&check, &exited(0, none)), Verdict::Unverifiable, "no test ran; ");
        assert_verdict(&judged(&check, &exited(0, ignored)), Verdict::Unverifiable, "no test ran, 2 were skipped; ");
        assert_verdict(&judged(&check, &exited(0, one)), Verdict::Pass, "1 test run, 2 skipped");
    }
}

#[test]
fn what_only_looks_like_a_summary_has_a_way_out() {
    let none = exited(0, "copied\n3 skipped in 2s\n");
    assert_verdict(&judged(&check("sync x"), &none), Verdict::Unverifiable, "when it is no test run, say what");
    let text = expecting("sync x", |expect| expect.stdout.contains = vec!["copied".to_owned()]);
    assert_verdict(&judged(&text, &none), Verdict::Pass, "exits with 0");
    let missing = expecting("sync x", |expect| expect.stdout.contains = vec!["moved".to_owned()]);
    assert_verdict(&judged(&missing, &none), Verdict::Fail, "");
    let absent = expecting("sync x", |expect| expect.stdout.not_contains = vec!["moved".to_owned()]);
    assert_verdict(&judged(&absent, &none), Verdict::Unverifiable, "no test ran");
    for output in ["0 errors in 3s\n", "1 pending\n", "0 failing\n"] {
        assert_verdict(&judged(&check("lint x"), &exited(0, output)), Verdict::Pass, "exits with 0");
    }
}

#[test]
fn a_runner_without_a_word_proves_nothing() {
    assert_verdict(&judged(&check("pytest -qq"), &exited(0, ".\n")), Verdict::Unverifiable, "how many tests ran");
    let absent = expecting("pytest -qq", |expect| expect.stdout.not_contains = vec!["x".to_owned()]);
    assert_verdict(&judged(&absent, &exited(0, ".\n")), Verdict::Unverifiable, "how many tests ran");
    let text = expecting("pytest -qq", |expect| expect.stdout.contains = vec!["[100%]".to_owned()]);
    assert_verdict(&judged(&text, &exited(0, ". [100%]\n")), Verdict::Pass, "");
    assert_verdict(&judged(&check("make test"), &exited(0, ".\n")), Verdict::Pass, "");
}

#[test]
fn no_tests_is_not_a_failure() {
    assert_verdict(&judged(&check("cargo nextest run x"), &exited(4, "")), Verdict::Unverifiable, "no test ran");
    assert_verdict(&judged(&check("uv run pytest x"), &exited(5, "")), Verdict::Unverifiable, "no test ran");
    let jest = ended(End::Exited(1), "", "No tests found, exiting with code 1\n");
    assert_verdict(&judged(&check("npx jest x"), &jest), Verdict::Unverifiable, "no test ran");
    assert_verdict(&judged(&check("cargo test x"), &exited(101, "error: could not compile")), Verdict::Fail, "101");
    let crashed = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\nrunning 1 test\n";
    assert_verdict(&judged(&check("cargo test x"), &exited(101, crashed)), Verdict::Fail, "101");
    let broken = "Test Suites: 1 failed, 1 total\nTests:       0 total\n";
    assert_verdict(&judged(&check("npx jest x"), &exited(1, broken)), Verdict::Fail, "");
    assert_verdict(&judged(&check("cargo build"), &exited(4, "")), Verdict::Fail, "");
}

#[test]
fn selected_tests_of_go_have_to_be_told_of() {
    let ok = exited(0, "ok  \tx\t0.002s\n");
    assert_verdict(&judged(&check("go test ./..."), &ok), Verdict::Pass, "");
    assert_verdict(&judged(&check("go test -run TestX ./x"), &ok), Verdict::Unverifiable, "add `-v`");
    let verbose = exited(0, "--- PASS: TestX (0.00s)\nPASS\nok  \tx\t0.002s\n");
    assert_verdict(&judged(&check("go test -v -run=TestX ./x"), &verbose), Verdict::Pass, "1 test run");
}

#[test]
fn evidence_shows_the_command_its_end_and_its_output() {
    let output = ended(End::Exited(101), "\x1b[1mout\x1b[0m", "err\n");
    let observed = judged(&check("cargo nextest run -E test(timeout) it's"), &output);
    let expected = "$ cargo nextest run -E 'test(timeout)' 'it'\\''s'\nexit 101 after 2.1 s (/usr/bin/program)\n\
                    --- stdout\nout\n--- stderr\nerr\n";
    assert_eq!(observed.evidence, expected);
    let only = judged(&check("a"), &exited(0, "x\n"));
    assert_eq!(only.evidence, "$ a\nexit 0 after 2.1 s (/usr/bin/program)\nx\n");
    let line = CommandCheck { command: CommandLine::Shell("a | b".to_owned()), expect: Expectation::default() };
    assert!(judged(&line, &exited(0, "")).evidence.starts_with("$ a | b\n"));
}
