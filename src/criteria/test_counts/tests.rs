//! What real runners print. The texts are cut from runs of them.

use super::*;
use crate::criteria::model::CommandLine;

fn counts(output: &str) -> (bool, u64, u64) {
    let mut recogniser = Recogniser::default();
    recogniser.feed(output.as_bytes());
    let whole = recogniser.finish();
    // It makes no difference how the pieces come.
    let mut recogniser = Recogniser::default();
    for byte in output.as_bytes() {
        recogniser.feed(&[*byte]);
    }
    assert_eq!(recogniser.finish(), whole);
    (whole.recognised, whole.ran, whole.skipped)
}

#[test]
fn cargo_test() {
    let two = "running 4 tests\ntest t::ig ... ignored\ntest t::ok ... ok\ntest t::sp - should panic ... ok\ntest t::bad ... FAILED\n\n\
               test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.08s\n\n   \
               Doc-tests cr\n\nrunning 1 test\ntest src/lib.rs - f (line 1) ... ok\n\n\
               test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.09s\n";
    assert_eq!(counts(two), (true, 4, 1));
    let quiet = "\nrunning 1 test\n.\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n";
    assert_eq!(counts(quiet), (true, 1, 0));
    let none = "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s\n";
    assert_eq!(counts(none), (true, 0, 0));
    let ignored = "test t::ig ... ignored\n\ntest result: ok. 0 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.00s";
    assert_eq!(counts(ignored), (true, 0, 1));
    let coloured = "test result: \x1b[32mok\x1b[0m. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\r\n";
    assert_eq!(counts(coloured), (true, 3, 0));
    let built = "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.00s\n  Executable unittests src/lib.rs (x)\n";
    assert!(!counts(built).0);
}

#[test]
fn nextest() {
    let run = "        PASS [   0.095s] (3/3) cr t::sp\n────────────\n     Summary [   0.103s] 3 tests run: 2 passed, 1 failed, 1 skipped\n        FAIL [   0.086s] (2/3) cr t::bad\n";
    assert_eq!(counts(run), (true, 3, 1));
    assert_eq!(counts("     Summary [   0.000s] 0 tests run: 0 passed, 4 skipped\n"), (true, 0, 4));
    assert_eq!(counts("     Summary [   0.000s] 1/3 tests run: 0 passed, 1 failed, 2 skipped\n"), (true, 1, 2));
    let coloured = "\x1b[32;1m     Summary\x1b[0m [   0.006s] \x1b[1m1\x1b[0m test run: \x1b[1m1\x1b[0m \x1b[32;1mpassed\x1b[0m, \x1b[1m3\x1b[0m \x1b[33;1mskipped\x1b[0m\n";
    assert_eq!(counts(coloured), (true, 1, 3));
}

#[test]
fn pytest() {
    let cases = [
        ("==== 1 failed, 1 passed, 1 skipped, 1 xfailed, 1 xpassed, 1 error in 0.34s =====", (true, 4, 2)),
        ("1 passed, 9 deselected in 0.04s", (true, 1, 0)),
        ("10 deselected in 0.16s", (true, 0, 0)),
        ("============================ 10 deselected in 0.07s ============================", (true, 0, 0)),
        ("======================= 1 skipped, 5 deselected in 0.04s =======================", (true, 0, 1)),
        ("============================ no tests ran in 0.02s =============================", (true, 0, 0)),
        ("6 tests collected in 0.04s", (true, 0, 0)),
        ("================= 3 passed, 1 warning in 75.02s (0:01:15) ==================", (true, 3, 0)),
        (
            "\x1b[31m==== \x1b[31m\x1b[1m1 failed\x1b[0m, \x1b[32m1 passed\x1b[0m\x1b[31m in 0.23s\x1b[0m\x1b[31m =====\x1b[0m",
            (true, 2, 0),
        ),
        ("3 files changed in 0.2s", (false, 0, 0)),
        ("    Finished `dev` profile in 0.01s", (false, 0, 0)),
    ];
    for (line, expected) in cases {
        assert_eq!(counts(&format!("collected 6 items\n\n{line}\n")), expected, "{line}");
    }
}

#[test]
fn unittest() {
    let failed = "----------------------------------------------------------------------\nRan 4 tests in 0.004s\n\nFAILED (failures=1, skipped=1, expected failures=1)\n";
    assert_eq!(counts(failed), (true, 2, 2));
    assert_eq!(counts("Ran 1 test in 0.000s\n\nOK\n"), (true, 1, 0));
    assert_eq!(counts("Ran 1 test in 0.001s\n\nOK (skipped=1)\n"), (true, 0, 1));
    assert_eq!(counts("Ran 0 tests in 0.000s\n\nOK\n"), (true, 0, 0));
    assert_eq!(counts("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"), (true, 0, 0));
}

#[test]
fn jest() {
    let all = "Test Suites: 1 failed, 1 skipped, 1 of 2 total\nTests:       1 failed, 2 skipped, 1 todo, 2 passed, 6 total\nSnapshots:   0 total\n";
    assert_eq!(counts(all), (true, 3, 3));
    assert_eq!(counts("Tests:       6 skipped, 6 total\n"), (true, 0, 6));
    assert_eq!(counts("No tests found, exiting with code 0\n"), (true, 0, 0));
    let coloured = "\x1b[1mTests:       \x1b[22m\x1b[1m\x1b[33m5 skipped\x1b[39m\x1b[22m, \x1b[1m\x1b[32m1 passed\x1b[39m\x1b[22m, 6 total\n";
    assert_eq!(counts(coloured), (true, 1, 5));
    let json = format!(
        "{{\"numFailedTestSuites\":0,\"numFailedTests\":0,\"numPassedTestSuites\":1,\"numPassedTests\":1,\"numPendingTestSuites\":1,\"numPendingTests\":5,\"numRuntimeErrorTestSuites\":0,\"numTodoTests\":0,\"rest\":\"{}\"}}\n",
        "x".repeat(10_000)
    );
    assert_eq!(counts(&json), (true, 1, 5));
}

#[test]
fn vitest() {
    let all = " Test Files  1 failed | 1 skipped (2)\n      Tests  1 failed | 1 passed | 2 skipped | 1 todo (5)\n   Start at  02:33:14\n";
    assert_eq!(counts(all), (true, 2, 3));
    let coloured = "\x1b[2m Test Files \x1b[22m \x1b[33m2 skipped\x1b[39m\x1b[90m (2)\x1b[39m\n\x1b[2m      Tests \x1b[22m \x1b[33m5 skipped\x1b[39m\x1b[90m (5)\x1b[39m\n";
    assert_eq!(counts(coloured), (true, 0, 5));
    assert_eq!(counts("\x1b[31mNo test files found, exiting with code 1\n\x1b[39m\n"), (true, 0, 0));
    let tap = "TAP version 13\n1..2\nok 1 - a.test.js # time=18.75ms {\n    1..4\n    ok 1 - ok # time=17.59ms\n    ok 2 - bad # SKIP\n    ok 3 - sk # SKIP\n    ok 4 - td # SKIP\n}\nok 2 - b.test.js # SKIP {\n    1..1\n    ok 1 - sk # SKIP\n}\n";
    assert_eq!(counts(tap), (true, 1, 4));
}

#[test]
fn go() {
    let plain = "--- FAIL: TestBad (0.00s)\n    a_test.go:6: x\nFAIL\nFAIL\tx\t0.003s\n?   \tx/none\t[no test files]\nok  \tx/sub\t0.002s\nFAIL\n";
    assert_eq!(counts(plain), (true, 2, 0));
    let none =
        "ok  \tx\t0.002s [no tests to run]\n?   \tx/none\t[no test files]\nok  \tx/sub\t0.002s [no tests to run]\n";
    assert_eq!(counts(none), (true, 0, 0));
    assert_eq!(counts("ok  \tx\t(cached)\n"), (true, 1, 0));
    let verbose = "=== RUN   TestSub\n=== RUN   TestSub/a\n--- PASS: TestSub (0.00s)\n    --- PASS: TestSub/a (0.00s)\n=== RUN   ExampleX\n--- PASS: ExampleX (0.00s)\nPASS\nok  \tx\t0.002s\n=== RUN   TestSkip\n    a_test.go:3: no\n--- SKIP: TestSkip (0.00s)\nPASS\nok  \tx/sub\t0.002s\n";
    assert_eq!(counts(verbose), (true, 2, 1));
    let hidden = "=== RUN   TestSub\n=== RUN   TestSub/a\n    a_test.go:3: no\n--- PASS: TestSub (0.00s)\n    --- SKIP: TestSub/a (0.00s)\nPASS\nok  \tx\t0.002s\n";
    assert_eq!(counts(hidden), (true, 0, 1));
    let warned = "testing: warning: no tests to run\nPASS\nok  \tx\t0.002s [no tests to run]\n";
    assert_eq!(counts(warned), (true, 0, 0));
    let json = r#"{"Time":"2026-12-01T02:34:12.088841361Z","Action":"output","Package":"x","Test":"TestOk","Output":"--- PASS: TestOk (0.00s)\n"}
{"Time":"2026-12-01T02:34:12.088843825Z","Action":"pass","Package":"x","Test":"TestOk","Elapsed":0}
{"Time":"2026-12-01T02:34:12.088865476Z","Action":"skip","Package":"x","Test":"TestSkip","Elapsed":0}
{"Time":"2026-12-01T02:34:12.089144547Z","Action":"output","Package":"x/sub","Output":"ok  \tx\t0.005s\n"}
{"Time":"2026-12-01T02:34:12.089162266Z","Action":"skip","Package":"x/sub","Test":"TestSkip","Elapsed":0}
{"Time":"2026-12-01T02:34:12.089528865Z","Action":"pass","Package":"x","Elapsed":0.006}
{"Time":"2026-12-01T02:34:12.0910779Z","Action":"skip","Package":"x/none","Elapsed":0}
"#;
    assert_eq!(counts(json), (true, 1, 2));
    let nothing = r#"{"Time":"2026-12-01T02:34:13.284495122Z","Action":"output","Package":"x","Output":"ok  \tx\t0.003s [no tests to run]\n"}
{"Time":"2026-12-01T02:34:13.284761263Z","Action":"pass","Package":"x","Elapsed":0.003}
"#;
    assert_eq!(counts(nothing), (true, 0, 0));
}

#[test]
fn a_package_of_go_that_only_says_ok_is_a_guess() {
    let mut recogniser = Recogniser::default();
    recogniser.feed(b"ok  \tx/sub\t0.002s\n--- PASS: TestOk (0.00s)\nPASS\nok  \tx\t0.002s\n");
    assert_eq!(recogniser.finish(), TestCounts { recognised: true, ran: 2, skipped: 0, guessed: 1, found_none: false });
}

#[test]
fn node() {
    let tap = "TAP version 13\n# Subtest: ok\nok 1 - ok\n  ---\n  duration_ms: 1\n  ...\nnot ok 2 - bad\nok 3 - sk # SKIP\nok 4 - td # TODO\n    # Subtest: x\n    ok 1 - x\n    ok 2 - y # SKIP\n    1..2\nok 5 - g\n1..5\n# tests 6\n# suites 1\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 2\n# todo 1\n# duration_ms 775.462846\n";
    assert_eq!(counts(tap), (true, 3, 3));
    let spec = "▶ g\n  ﹣ x (0.121384ms) # test name does not match pattern\n✔ g (25.733346ms)\nℹ tests 6\nℹ suites 1\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 5\nℹ todo 0\nℹ duration_ms 1098.79234\n";
    assert_eq!(counts(spec), (true, 1, 5));
    let none = "TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 14.1551\n";
    assert_eq!(counts(none), (true, 0, 0));
    let mut recogniser = Recogniser::default();
    recogniser.feed(b"Could not find 'nofile'\n");
    assert_eq!(recogniser.finish(), TestCounts { found_none: true, ..TestCounts::default() });
}

#[test]
fn a_file_of_node_without_a_test_is_no_test() {
    let tap = "TAP version 13\n# 1\n# Subtest: /n/nf/e.test.mjs\nok 1 - /n/nf/e.test.mjs\n  ---\n  duration_ms: 234.506604\n  ...\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 247.799952\n";
    assert_eq!(counts(tap), (true, 0, 0));
    let spec = "1\n✔ /n/nf/e.test.mjs (105.036927ms)\n✔ x (1.142374ms)\nℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 241.489563\n";
    assert_eq!(counts(spec), (true, 1, 0));
}

#[test]
fn mocha() {
    let all = "\n\n  g\n    ✔ ok\n    1) bad\n    - sk\n    - pending\n\n\n  1 passing (5ms)\n  2 pending\n  1 failing\n\n  1) g\n       bad:\n";
    assert_eq!(counts(all), (true, 2, 2));
    assert_eq!(counts("\n\n  0 passing (1ms)\n\n"), (true, 0, 0));
    assert_eq!(counts("\n\n  0 passing (2ms)\n  1 pending\n\n"), (true, 0, 1));
    assert_eq!(counts("Error: No test files found: \"nofile.js\"\n"), (true, 0, 0));
    let tap = "ok 1 g ok\nnot ok 2 g bad\n  1 == 2\nok 3 g sk # SKIP -\nok 4 g pending # SKIP -\n# tests 2\n# pass 1\n# fail 1\n1..4\n";
    assert_eq!(counts(tap), (true, 2, 2));
}

#[test]
fn dotnet_phpunit_and_rspec() {
    let dotnet =
        "Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 12 ms - x.dll (net8.0)\n";
    assert_eq!(counts(dotnet), (true, 3, 1));
    assert_eq!(counts("No test matches the given testcase filter `x` in /x.dll\n"), (true, 0, 0));
    assert_eq!(counts("OK (3 tests, 5 assertions)\n"), (true, 3, 0));
    assert_eq!(counts("Tests: 3, Assertions: 5, Failures: 1, Skipped: 1.\n"), (true, 2, 1));
    assert_eq!(counts("No tests executed!\n"), (true, 0, 0));
    assert_eq!(counts("3 examples, 0 failures, 1 pending\n"), (true, 2, 1));
}

#[test]
fn bun_deno_and_playwright() {
    let bun = "bun test v1.2.0\n\na.test.ts:\n(pass) ok [0.1ms]\n\n 2 pass\n 1 skip\n 1 fail\n 3 expect() calls\nRan 4 tests across 1 file. [11.00ms]\n";
    assert_eq!(counts(bun), (true, 3, 1));
    assert_eq!(counts("\n 0 pass\n 4 filtered out\n 0 fail\nRan 0 tests across 1 files. [5.00ms]\n"), (true, 0, 0));
    assert_eq!(counts("\n 0 pass\n 2 skip\n 0 fail\nRan 2 tests across 1 file. [5.00ms]\n"), (true, 0, 2));
    assert!(!counts(" 0 pass\n 0 fail\n").0);
    assert_eq!(counts("ok | 0 passed | 0 failed (3ms)\n"), (true, 0, 0));
    assert_eq!(counts("\nFAILED | 1 passed (2 steps) | 1 failed | 3 ignored | 9 filtered out (5ms)\n"), (true, 2, 3));
    assert_eq!(counts("error: No test modules found\n"), (true, 0, 0));
    assert_eq!(counts("Error: No tests found\n"), (true, 0, 0));
    let playwright =
        "\nRunning 4 tests using 2 workers\n\n  1 failed\n    a.spec.ts:3:5 › x\n  1 skipped\n  2 passed (2.5s)\n";
    assert_eq!(counts(playwright), (true, 3, 1));
    assert_eq!(counts("\nRunning 1 test using 1 worker\n  -  1 a.spec.ts:3:5 › x\n\n  1 skipped\n"), (true, 0, 1));
}

#[test]
fn maven_gradle_and_junit() {
    let maven = "[INFO] Running x.ATest\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s -- in x.ATest\n[INFO] \n[INFO] Results:\n[INFO] \n[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n";
    assert_eq!(counts(maven), (true, 2, 1));
    assert_eq!(counts("Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n"), (true, 0, 0));
    assert_eq!(counts("[INFO] No tests to run.\n"), (true, 0, 0));
    assert_eq!(counts("[INFO] Tests are skipped.\n"), (true, 0, 0));
    assert_eq!(counts("> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n"), (true, 0, 0));
    assert_eq!(counts("> Task :a:test NO-SOURCE\n> Task :b:test\n"), (true, 1, 0));
    assert_eq!(counts("> No tests found for given includes: [x](--tests filter)\n"), (true, 0, 0));
    assert_eq!(counts("[         0 tests started         ]\n[         2 tests skipped         ]\n"), (true, 0, 2));
    assert!(!counts("> Task :compileJava\n").0);
}

#[test]
fn googletest_ctest_prove_and_minitest() {
    let gtest = "[==========] Running 3 tests from 1 test suite.\n[ RUN      ] A.x\n[       OK ] A.x (0 ms)\n[  FAILED  ] A.y (0 ms)\n[==========] 3 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 1 test.\n[  SKIPPED ] 1 test, listed below:\n[  SKIPPED ] A.z\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.y\n";
    assert_eq!(counts(gtest), (true, 2, 1));
    let none = "[==========] Running 0 tests from 0 test suites.\n[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n";
    assert_eq!(counts(none), (true, 0, 0));
    assert_eq!(counts("No tests were found!!!\n"), (true, 0, 0));
    assert_eq!(counts("100% tests passed, 0 tests failed out of 3\n"), (true, 3, 0));
    let skipped =
        "100% tests passed, 0 tests failed out of 1\n\nThe following tests did not run:\n\t  1 - a (Skipped)\n";
    assert_eq!(counts(skipped), (true, 0, 1));
    assert_eq!(counts("Files=1, Tests=0,  0 wallclock secs\nResult: NOTESTS\n"), (true, 0, 0));
    assert_eq!(counts("Files=1, Tests=2,  0 wallclock secs\nResult: PASS\n"), (true, 2, 0));
    assert_eq!(counts("0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n"), (true, 0, 0));
    assert_eq!(counts("3 runs, 5 assertions, 0 failures, 0 errors, 1 skips\n"), (true, 2, 1));
    assert_eq!(
        counts("2 tests, 2 assertions, 0 failures, 0 errors, 0 pendings, 1 omissions, 0 notifications\n"),
        (true, 1, 1)
    );
}

#[test]
fn a_plan_of_none() {
    for text in ["1..0\n", "TAP version 14\n1..0 # SKIP no network\n"] {
        assert_eq!(counts(text), (true, 0, 0), "{text}");
    }
    assert_eq!(counts("1..0\nok 1 - x\n1..1\n"), (true, 1, 0));
    assert!(!counts("1..09\n11..0\n").0);
}

#[test]
fn what_stands_before_a_line() {
    let none = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s";
    for prefix in [
        "[INFO] ",
        "[INFO]     ",
        "2026-12-01T03:51:29.123Z ",
        "2026-12-01 03:51:29,123 INFO ",
        "[2026-12-01 03:51:29] ",
        "[03:51:29] [test] ",
        "web-1  | ",
        "app:test: ",
        "#12 0.345 ",
        "50 % done\r",
        "a\rb\r",
    ] {
        assert_eq!(counts(&format!("{prefix}{none}\n")), (true, 0, 0), "{prefix}");
    }
}

#[test]
fn other_output_is_no_test_runners() {
    for text in [
        "",
        "ok\n",
        "2 passed, 0 failed, 0 unverifiable, 0 skipped\n",
        "all tests pass\n",
        "\u{1b}[31m\0\n",
        "Tests are good\n",
        "12 errors\n",
        "0 errors in 3s\n",
        "2 errors in 3s\n",
        "1 error, 2 warnings in 0.5s\n",
        "0 failed in 2s\n",
        "3 tests in 2s\n",
        "1 pending\n",
        "0 failing\n",
        "# tests 0\n",
        "Tests were left out (see the log)\n",
        "Tests: see the total\n",
        "Running 3 tasks\n1 skipped\n",
    ] {
        assert!(!counts(text).0, "{text}");
    }
    let mut recogniser = Recogniser::default();
    recogniser.feed(&[b'x'; 100_000]);
    assert!(recogniser.line.len() <= LINE);
    recogniser.feed(b"\n1 passed in 0.01s\n");
    assert_eq!(recogniser.finish().ran, 1);
}

#[test]
fn runners_by_their_command() {
    let argv = |line: &str| runner(&CommandLine::Argv(line.split(' ').map(str::to_owned).collect())).is_some();
    let shell = |line: &str| runner(&CommandLine::Shell(line.to_owned())).is_some();
    let runners = [
        "cargo test",
        "cargo t --lib x",
        "cargo +nightly --locked test x",
        "cargo nextest run -E test(timeout)",
        "pytest -k x",
        "python3 -m pytest",
        "python -m unittest x",
        "python3.11 -m coverage run -m pytest",
        "npx jest",
        "npx --yes vitest run",
        "pnpm exec mocha",
        "pnpm vitest",
        "yarn jest",
        "bunx vitest",
        "jest",
        "node_modules/.bin/vitest run",
        "go test ./...",
        "node --test",
        "node --import tsx --test x",
        "uv run pytest",
        "uv run --with x pytest",
        "poetry run python -m pytest",
        "bundle exec rspec",
        "env A=b cargo test",
        "timeout 5 cargo test",
        "bash -lc cargo\u{20}test",
        "dotnet test",
        "node node_modules/.bin/jest",
        "bun test x",
        "deno test",
        "npx playwright test",
        "./mvnw -B verify",
        "ctest --test-dir build",
        "prove -v t",
    ];
    for line in runners {
        assert!(argv(line) || line.starts_with("bash"), "{line}");
        assert!(shell(line) || line.starts_with("bash") || line.contains('('), "{line}");
    }
    for line in [
        "cd x && cargo test",
        "cargo build; (pytest)",
        "bash -lc 'cargo test'",
        "for x in 1 2; do cargo test; done",
        "if cargo test; then :; fi",
        "! cargo test | cat",
    ] {
        assert!(shell(line), "{line}");
    }
    let others = [
        "cargo build",
        "cargo nextest list",
        "npm test",
        "make test",
        "go vet ./...",
        "echo cargo test",
        "node a.js",
        "python x.py",
        "test -f x",
        "cargo run -- test",
        "git grep pytest",
        "node jest.config.js",
        "bun run build",
        "mvn -DskipTests verify",
        "mvn package",
        "npx playwright install",
        "ctest -N",
    ];
    for line in others {
        assert!(!argv(line) && !shell(line), "{line}");
    }
}
