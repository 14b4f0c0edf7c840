//! Criteria: their files, which of them are run, whose version counts, and what they come to.

use std::fs;

use serde_json::Value;

use crate::checked::{FAILS, FILE, HOLDS, criteria, on_branch, put, spec};
use crate::support::{AUTH, Sandbox};

/// The one stored run of a sandbox.
fn stored(sandbox: &Sandbox) -> String {
    let mut files = fs::read_dir(sandbox.path(".git/specward/runs")).expect("a folder");
    let text = fs::read_to_string(files.next().expect("a run").expect("an entry").path()).expect("UTF-8");
    assert!(files.next().is_none(), "one run");
    text
}

#[test]
fn nested_capability() {
    let sandbox = Sandbox::project();
    sandbox.write("openspec/specs/net/http/spec.md", spec(&["One"]));
    sandbox.write("openspec/verify/net/http.yaml", criteria(&[("One", &[HOLDS])]));
    let judged = sandbox.json(&[]);
    judged.is("PASS").has("one", "PASS");
    assert_eq!(judged.criterion("one")["capability"], "net/http");
    assert_eq!(judged.criterion("one")["path"], "openspec/verify/net/http.yaml");
}

#[test]
fn misspelt_key() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[HOLDS])]);
    sandbox.write(FILE, criteria(&[("One", &[HOLDS])]).replace("    verify:", "    verfy:"));
    sandbox.json(&[]).is("FAIL").finds("criteria/bad-file", FILE, 6).reports("criteria/bad-file", "is `verify` meant?");
}

#[test]
fn files_that_make_no_sense() {
    let sandbox = Sandbox::bare_folder();
    let entry = |check: &str| criteria(&[("One", &[check])]);
    sandbox.write(AUTH, spec(&["One"]));
    for (text, line, words) in [
        (String::new(), 1, "`version: 1` and `criteria` have to be there"),
        ("[]".to_owned(), 1, "has to have keys"),
        ("criteria: []\n".to_owned(), 1, "begin it with `version: 1`"),
        ("version: 2\ncriteria: []\n".to_owned(), 1, "`version` has to be 1"),
        ("version: 1\ncriteria: {}\n".to_owned(), 2, "has to be a list"),
        ("version: 1\ncriteria: [\n".to_owned(), 2, "this is not YAML"),
        ("version: 1\n\ncriteria:\n  - scenario: One\n".to_owned(), 4, "has no `requirement`"),
        (entry("comand: [make]"), 7, "is `command` meant?"),
        (entry("command: make test"), 7, "has to be a list: `[make, test]`"),
        (entry("command: []"), 7, "an empty list"),
        (entry("{ command: [make], shell: true }"), 7, "one line of text, not a list"),
        (entry("{ command: [make], timeout: -1 }"), 7, "`timeout`"),
        (entry("{ command: [make], expect: { exit: zero } }"), 7, "`exit` has to be a number"),
        (entry("{ command: [make], expect: { exit: any } }"), 7, "or nothing could fail"),
        (entry("{ command: [make], file: { path: a, exists: true } }"), 7, "a check has one kind"),
        (entry("file: { path: ../a, exists: true }"), 7, "from the top of the repository"),
        (entry("file: { path: /etc/passwd, exists: true }"), 7, "from the top of the repository"),
        (entry("file: { path: a }"), 7, "expects nothing"),
        (entry("search: { files: [src], pattern: '(' , expect: absent }"), 7, "regular expression"),
        (entry("search: { files: [], pattern: x, expect: absent }"), 7, "files"),
        (entry("junit: { report: a.xml, newer-than: ['['] }"), 7, "unclosed character class"),
        (entry("judge: { rubric: x, threshold: 2 }"), 7, "threshold"),
    ] {
        sandbox.write(FILE, &text);
        let judged = sandbox.json(&[]);
        judged.is("FAIL").finds("criteria/bad-file", FILE, line).reports("criteria/bad-file", words);
        assert_eq!(judged.criteria(), [""; 0], "none of such a file is run: {text}");
    }
    sandbox.write(FILE, b"version: 1\ncriteria:\n  - \xff\n");
    sandbox.json(&[]).is("FAIL").finds("criteria/bad-file", FILE, 3).reports("criteria/bad-file", "not UTF-8");
}

#[test]
fn what_keeps_checks_from_running_cannot_be_declared_fine() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[HOLDS])]);
    for (text, rule) in
        [("version: 2\n".to_owned(), "criteria/bad-file"), (criteria(&[("Onne", &[HOLDS])]), "criteria/no-match")]
    {
        sandbox.write(FILE, text);
        for config in [
            "rules: { criteria: off }\n".to_owned(),
            format!("rules: {{ {rule}: info }}\n"),
            format!("allow: [{{ rule: {rule}, reason: known, expires: 9999-12-31 }}]\n"),
        ] {
            sandbox.write("openspec/specward.yaml", &config);
            sandbox.json(&[]).is("FAIL").reports(rule, "");
        }
    }
    // A matter of opinion can.
    put(&sandbox, &[("One", &[])]);
    sandbox.write("openspec/specward.yaml", "rules: { criteria/no-check: off }\n");
    assert_eq!(sandbox.json(&[]).is("UNVERIFIABLE").report["findings"], Value::Array(Vec::new()));
}

#[test]
fn files_that_cannot_be_read() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, spec(&["One"]));
    fs::write(sandbox.top.join("outside.yaml"), criteria(&[("One", &[HOLDS])])).expect("a file");
    for (target, rule, verdict) in
        [("../../../outside.yaml", "repo/outside-tree", "FAIL"), ("nowhere.yaml", "repo/unreadable", "UNVERIFIABLE")]
    {
        sandbox.link(FILE, target);
        let judged = sandbox.json(&[]);
        judged.is(verdict).finds(rule, FILE, 1);
        assert_eq!(judged.criteria(), [""; 0]);
        fs::remove_file(sandbox.path(FILE)).expect("a link");
    }
    crate::support::pipe(&sandbox, FILE);
    sandbox.json(&[]).is("UNVERIFIABLE").finds("repo/unreadable", FILE, 1);
}

#[test]
fn scenario_of_an_open_change() {
    let sandbox = on_branch(&[("One", &[HOLDS])], &[]);
    let delta = spec(&["New"]).replace("### Requirement: Sign in", "### Requirement: Sign out");
    let delta = &delta[delta.find("### Requirement").expect("it is there")..];
    sandbox.write("openspec/changes/add/specs/auth/spec.md", format!("## ADDED Requirements\n\n{delta}"));
    sandbox.write("openspec/changes/other/specs/net/spec.md", format!("## ADDED Requirements\n\n{delta}"));
    for change in ["add", "other"] {
        sandbox.write(format!("openspec/changes/{change}/proposal.md"), "## Why\nIt is so.\n\n## What Changes\n- x\n");
    }
    let new = criteria(&[("New", &[FAILS])]).replace("requirement: Sign in", "requirement: Sign out");
    sandbox.write(FILE, criteria(&[("One", &[HOLDS])]) + new.split_once("criteria:\n").expect("entries").1);
    let judged = sandbox.json(&["change/add"]);
    judged.is("FAIL").has("new", "FAIL");
    assert_eq!(judged.criteria(), ["new"], "the change's own only");
    sandbox.json(&["--changed", "--base", "main"]).is("FAIL").has("new", "FAIL");
    assert_eq!(sandbox.json(&["change/other"]).criteria(), [""; 0]);
}

#[test]
fn no_such_scenario() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("Right password", &[HOLDS])]);
    sandbox.write(FILE, criteria(&[("Right pasword", &[HOLDS])]));
    let judged = sandbox.json(&[]);
    judged.is("FAIL").finds("criteria/no-match", FILE, 3).reports("criteria/no-match", "`Right password`");
    assert_eq!(judged.criteria(), [""; 0]);
}

#[test]
fn same_id_twice() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[HOLDS]), ("Two", &[HOLDS])]);
    sandbox.write(FILE, criteria(&[("One", &[HOLDS]), ("Two", &[HOLDS])]).replace("id: two", "id: one"));
    sandbox.json(&[]).is("FAIL").finds("criteria/duplicate-id", FILE, 3).finds("criteria/duplicate-id", FILE, 8);
    // Of two files too.
    put(&sandbox, &[("One", &[HOLDS])]);
    sandbox.write("openspec/specs/net/spec.md", spec(&["One"]));
    sandbox.write("openspec/verify/net.yaml", criteria(&[("One", &[HOLDS])]));
    sandbox.json(&[]).is("FAIL").finds("criteria/duplicate-id", FILE, 3).reports("criteria/duplicate-id", "net.yaml:3");
}

#[test]
fn one_check_fails() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[HOLDS, FAILS, "file: { path: openspec, exists: true }"]), ("Two", &[HOLDS])]);
    let judged = sandbox.json(&[]);
    judged.is("FAIL").has("one", "FAIL").has("two", "PASS");
    let verdicts: Vec<&Value> =
        judged.criterion("one")["checks"].as_array().expect("a list").iter().map(|check| &check["verdict"]).collect();
    assert_eq!(verdicts, ["PASS", "FAIL", "UNVERIFIABLE"], "the worst of them is the criterion's");
    let agent = sandbox.agent(&[]);
    agent.exits(1).says("SPECWARD VERDICT: FAIL\n").says("\n## one: Sign in / One\nEARS: The system SHALL let");
    agent.says("\nFailed check: 2 file\n").never_says("## two");
}

#[test]
fn no_check() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[])]);
    let judged = sandbox.json(&[]);
    judged.is("UNVERIFIABLE").has("one", "UNVERIFIABLE").finds("criteria/no-check", FILE, 3);
    assert!(judged.criterion("one")["reason"].as_str().expect("a reason").contains(FILE));
    sandbox.agent(&[]).exits(3).says("Reason: it has no check: add one to `verify` in openspec/verify/auth.yaml\n");
}

#[test]
fn missing_program() {
    let mut sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &["command: [no-such-program, all]"]), ("Two", &["command: [./bin/none]"])]);
    let judged = sandbox.json(&[]);
    judged.is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "`no-such-program` is not in PATH");
    judged.tells("two", "UNVERIFIABLE", "`./bin/none` does not exist in `").tells(
        "two",
        "UNVERIFIABLE",
        &sandbox.root.display().to_string(),
    );
    sandbox.write("openspec/specward.yaml", "checks: { path: [tools] }\n");
    sandbox.json(&[]).tells("one", "UNVERIFIABLE", "/root/tools").tells("one", "UNVERIFIABLE", "`checks: path:`");
    // One that is there only where it is not looked for.
    sandbox.write("openspec/specward.yaml", "");
    sandbox.write("tools/no-such-program", "#!/bin/sh\n");
    sandbox.make_executable("tools/no-such-program");
    let tools = sandbox.path("tools").display().to_string();
    sandbox.look_first_in(&[&tools]);
    sandbox.json(&[]).tells("one", "UNVERIFIABLE", "which is inside the judged tree and therefore not searched");
}

#[test]
fn no_test_ran() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &["command: [sh, tests.sh]"]), ("Two", &["command: [sh, some.sh]"])]);
    sandbox.write("tests.sh", "echo 'running 0 tests'\necho\necho 'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s'\n");
    sandbox.write(
        "some.sh",
        "echo 'test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out; finished in 0.00s'\n",
    );
    let judged = sandbox.json(&[]);
    judged.is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "no test ran").tells("two", "PASS", "2 tests run");
}

#[test]
fn trivial_check() {
    let sandbox = Sandbox::bare_folder();
    for check in
        ["command: ['true']", "{ command: 'exit 0', shell: true }", "{ command: './t.sh || true', shell: true }"]
    {
        put(&sandbox, &[("One", &[check])]);
        let judged = sandbox.json(&[]);
        judged.is("FAIL").finds("criteria/trivial-check", FILE, 7);
        judged.reports("criteria/trivial-check", "proves nothing: ").tells("one", "UNVERIFIABLE", "proves nothing");
    }
}

/// The index, commits, the work tree and a file git does not follow yet: wherever the code is, the criterion sees it.
#[test]
fn code_only() {
    let check = "command: [sh, -c, \"! grep -rqs bad src\"]";
    let sandbox = on_branch(&[("One", &[check])], &[("src/a", "good\n")]);
    let base = ["--changed", "--frozen-spec", "--base", "main"];
    sandbox.write("notes", "unrelated\n");
    sandbox.json(&base).is("PASS").has("one", "PASS");
    sandbox.write("src/b", "bad\n");
    sandbox.json(&base).is("FAIL").has("one", "FAIL");
    sandbox.git(&["add", "-A"]);
    sandbox.json(&["--staged", "--frozen-spec"]).is("FAIL").has("one", "FAIL");
    sandbox.commit("bad");
    sandbox.json(&base).is("FAIL").has("one", "FAIL");
    sandbox.json(&[&base[..], &["--head", "HEAD"]].concat()).is("FAIL").has("one", "FAIL");
    // Who asks for less is heard on base only.
    sandbox.write("openspec/specward.yaml", "criteria: { run: judged }\n");
    sandbox.json(&base).is("FAIL").has("one", "FAIL");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("openspec/specward.yaml", "criteria: { run: judged }\n");
    sandbox.commit("less");
    sandbox.git(&["switch", "-qc", "other"]);
    sandbox.write("src/b", "bad\n");
    sandbox.commit("bad again");
    assert_eq!(sandbox.json(&base).is("PASS").criteria(), [""; 0]);
}

#[test]
fn untouched_capability() {
    let sandbox = on_branch(&[("One", &[HOLDS])], &[]);
    sandbox.write("openspec/specs/net/spec.md", spec(&["Far"]));
    sandbox.write("openspec/verify/net.yaml", criteria(&[("Far", &[FAILS])]));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.commit("second");
    sandbox.git(&["switch", "-q", "work"]);
    sandbox.git(&["merge", "-q", "main"]);
    sandbox.write(AUTH, spec(&["One"]).replace("with a password", "with a passphrase"));
    let judged = sandbox.json(&["--changed", "--base", "main"]);
    assert_eq!(judged.is("PASS").criteria(), ["one"]);
    // Edited criteria bring their capability in, and a whole tree has all.
    sandbox.write("openspec/verify/net.yaml", criteria(&[("Far", &[FAILS, HOLDS])]));
    sandbox.json(&["--changed", "--base", "main"]).is("FAIL").has("far", "FAIL").has("one", "PASS");
    assert_eq!(sandbox.json(&[]).is("FAIL").criteria(), ["one", "far"]);
    assert_eq!(sandbox.json(&["net"]).is("FAIL").criteria(), ["far"]);
}

#[test]
fn no_checks() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &["command: [sh, t.sh]"])]);
    sandbox.write("t.sh", "touch ran\nexit 1\n");
    let judged = sandbox.json(&["--no-checks"]);
    judged.is("PASS").has("one", "SKIPPED");
    assert_eq!(judged.criterion("one")["reason"], "--no-checks");
    assert!(!sandbox.path("ran").exists());
    sandbox.json(&[]).is("FAIL");
    assert!(sandbox.path("ran").exists(), "the check would have run");
}

#[test]
fn only_one() {
    let sandbox = on_branch(&[("One", &[HOLDS]), ("Two", &[FAILS]), ("Three", &[HOLDS])], &[]);
    let judged = sandbox.json(&["--only", "one"]);
    judged.is("PASS").has("one", "PASS").has("two", "SKIPPED").has("three", "SKIPPED");
    sandbox.json(&["--only", "one", "three"]).is("PASS").has("three", "PASS");
    sandbox.json(&["--only", "one,two"]).is("FAIL").has("two", "FAIL").has("three", "SKIPPED");
    // One that is named is run though a comparison judges nothing of its capability.
    sandbox.write("openspec/specs/net/spec.md", spec(&["Far"]));
    let judged = sandbox.json(&["--changed", "--base", "main", "--only", "two"]);
    assert_eq!(judged.is("FAIL").criteria(), ["two"]);
}

#[test]
fn unknown_criterion() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("Right password", &[HOLDS])]);
    let outcome = sandbox.run(&["verify", "--only", "right-pasword"]);
    outcome.exits(2).complains("unknown criterion `right-pasword`").complains("right-password").complains("fix: ");
    sandbox.run(&["verify", "--only", ""]).exits(2).complains("unknown criterion");
    sandbox.run(&["verify", "--only"]).exits(2);
    sandbox.run(&["verify", "--only", "right-password", "--no-checks"]).exits(2).complains("--no-checks");
    for jobs in ["0", "-1", "257", "many"] {
        sandbox.run(&["verify", "--jobs", jobs]).exits(2).complains(jobs);
    }
    let none = Sandbox::project();
    none.run(&["verify", "--only", "a/b/c"]).exits(2).complains("there is no criterion");
}

/// A check that fails until the program says so, and one that passes anyway.
const STRICT: &str = "file: { path: app.txt, contains: locked }";
const WEAK: &str = "file: { path: app.txt, contains: open }";

#[test]
fn weakened_check() {
    let sandbox = on_branch(&[("One", &[STRICT])], &[("app.txt", "open\n")]);
    sandbox.write(FILE, criteria(&[("One", &[WEAK])]));
    sandbox.json(&["--changed", "--base", "main"]).is("PASS").has("one", "PASS");
    for freeze in ["--frozen-spec", "--frozen-spec=explained"] {
        let judged = sandbox.json(&["--changed", "--base", "main", freeze]);
        judged.is("FAIL").has("one", "FAIL");
        assert_eq!(judged.criterion("one")["is_of_base"], true);
        assert!(judged.check("one", 1, "message").contains("locked"), "{:#}", judged.report);
    }
    let frozen = ["--changed", "--base", "main", "--frozen-spec"];
    sandbox.agent(&frozen).exits(1).says("This is the criterion as base has it; edits of it do not count.\n");
    sandbox.run(&[&["verify"], &frozen[..]].concat()).exits(1).says("openspec/verify/auth.yaml:3 (base's version)\n");
    // The same check in another layout is the same.
    sandbox.write(FILE, format!("# More words\n{}", criteria(&[("One", &[STRICT])])));
    let judged = sandbox.json(&frozen);
    assert_eq!(judged.has("one", "FAIL").criterion("one")["is_of_base"], false);
}

#[test]
fn removed_criterion() {
    let sandbox = on_branch(&[("One", &[STRICT]), ("Two", &[HOLDS])], &[("app.txt", "open\n")]);
    fs::remove_file(sandbox.path(FILE)).expect("it is there");
    let frozen = ["--changed", "--base", "main", "--frozen-spec"];
    let judged = sandbox.json(&frozen);
    judged.is("FAIL").has("one", "FAIL").has("two", "PASS");
    assert_eq!(judged.criterion("one")["is_of_base"], true);
    assert_eq!(sandbox.json(&frozen[..3]).is("PASS").criteria(), [""; 0], "nobody asked for base's");
    // With its scenario it is gone for good only when a change explains that.
    sandbox.write(AUTH, spec(&["Two"]));
    sandbox.json(&frozen).is("FAIL").has("one", "FAIL");
}

#[test]
fn new_criterion() {
    let sandbox = on_branch(&[("One", &[WEAK])], &[("app.txt", "open\n"), (AUTH, &spec(&["One", "Two"]))]);
    sandbox.write(FILE, criteria(&[("One", &[WEAK]), ("Two", &[STRICT])]));
    let judged = sandbox.json(&["--changed", "--base", "main", "--frozen-spec=explained"]);
    judged.is("FAIL").has("one", "PASS").has("two", "FAIL");
    assert_eq!(judged.criterion("two")["is_of_base"], false);
    assert_eq!(judged.report["findings"], Value::Array(Vec::new()), "to add one is allowed");
    sandbox.write("app.txt", "open, locked\n");
    sandbox.json(&["--changed", "--base", "main", "--frozen-spec=explained"]).is("PASS");
}

#[test]
fn changed_scenario_without_a_check() {
    let sandbox = on_branch(
        &[("One", &[HOLDS])],
        &[("openspec/specward.yaml", "criteria: { require: changed }\n"), (AUTH, &spec(&["One", "Old"]))],
    );
    let compare = ["--changed", "--base", "main"];
    sandbox.write(AUTH, spec(&["One", "Old", "New"]));
    let judged = sandbox.json(&compare);
    judged.is("FAIL").finds("criteria/unchecked", AUTH, 19).reports("criteria/unchecked", "`New`");
    let findings = judged.report["findings"].as_array().expect("a list");
    let unchecked = findings.iter().filter(|finding| finding["rule"] == "criteria/unchecked");
    assert_eq!(unchecked.count(), 1, "what was there needs none: {findings:#?}");
    sandbox.agent(&compare).exits(1).says("Fix: list it in openspec/verify/auth.yaml, with at least one check\n");
    // A listed one without a check is no better.
    sandbox.write(FILE, criteria(&[("One", &[HOLDS]), ("New", &[])]));
    sandbox.json(&compare).is("FAIL").finds("criteria/unchecked", AUTH, 19);
    sandbox.write(FILE, criteria(&[("One", &[HOLDS]), ("New", &[HOLDS])]));
    sandbox.json(&compare).is("PASS");
    // To take the demand away does not help under a freeze.
    sandbox.write(FILE, criteria(&[("One", &[HOLDS])]));
    sandbox.write("openspec/specward.yaml", "");
    sandbox.json(&compare).is("PASS");
    sandbox.json(&[&compare[..], &["--frozen-spec"]].concat()).is("FAIL").finds("criteria/unchecked", AUTH, 19);
}

#[test]
fn all_scenarios() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[HOLDS]), ("Two", &[HOLDS])]);
    sandbox.write("openspec/specward.yaml", "criteria: { require: all }\n");
    sandbox.json(&[]).is("PASS");
    sandbox.write(FILE, criteria(&[("One", &[HOLDS])]));
    for args in [&[][..], &["--no-checks"]] {
        sandbox.json(args).is("FAIL").finds("criteria/unchecked", AUTH, 15).reports("criteria/unchecked", "`Two`");
    }
    fs::remove_dir_all(sandbox.path("openspec/verify")).expect("it is there");
    sandbox.json(&[]).is("FAIL").finds("criteria/unchecked", AUTH, 11).finds("criteria/unchecked", AUTH, 15);
    sandbox.write("openspec/specward.yaml", "criteria: { require: everything }\n");
    sandbox.run(&["verify"]).exits(2).complains("openspec/specward.yaml").complains("everything").complains("fix: ");
}

/// A token as a code host hands them out, made up.
const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

#[test]
fn secret_in_the_output() {
    let sandbox = on_branch(
        &[("One", &["command: [sh, t.sh]"]), ("Two", &["file: { path: conf, not-contains: token }"])],
        &[("t.sh", &format!("echo \"using {TOKEN}\"; echo 'password=hunter2hunter2' >&2; exit 1\n"))],
    );
    sandbox.write("conf", format!("token: {TOKEN}\n"));
    let judged = sandbox.json(&[]);
    judged.is("FAIL").has("one", "FAIL").has("two", "FAIL");
    assert!(judged.check("one", 1, "evidence").contains("using "), "{:#}", judged.report);
    assert!(judged.criterion("one")["checks"][0]["redacted"].as_u64() >= Some(2), "{:#}", judged.report);
    let stored = stored(&sandbox);
    let texts = [judged.outcome.stdout.clone(), stored, sandbox.agent(&[]).stdout, sandbox.run(&["verify"]).stdout];
    let explained = sandbox.run(&["explain", "one"]);
    explained.exits(0).says("using ");
    for text in texts.iter().chain([&explained.stdout, &sandbox.run(&["explain", "two", "--format", "json"]).stdout]) {
        assert!(text.contains("one") || text.contains("two"), "{text}");
        for secret in [TOKEN, &TOKEN[..12], "hunter2hunter2"] {
            assert!(!text.contains(secret), "`{secret}` is in\n{text}");
        }
    }
}

#[test]
fn long_output() {
    let sandbox = on_branch(
        &[("One", &["command: [sh, t.sh]"])],
        &[("openspec/specward.yaml", "max-evidence-bytes: 1024\n"), ("t.sh", "seq 1000; exit 1\n")],
    );
    let judged = sandbox.json(&[]);
    let evidence = judged.is("FAIL").check("one", 1, "evidence");
    let lines: Vec<&str> = evidence.lines().collect();
    assert!(lines.contains(&"1") && lines.contains(&"1000") && !lines.contains(&"500"), "{evidence}");
    assert!(evidence.contains(" bytes left out "), "{evidence}");
    let check = &judged.criterion("one")["checks"][0];
    assert_eq!(check["evidence_truncated"], true);
    assert!(check["evidence_bytes"].as_u64() > Some(3000) && evidence.len() < 1200, "{check:#}");
    sandbox.run(&["explain", "one"]).exits(0).says(" bytes left out ").says("    | 1000\n");
}

#[test]
fn edited_test() {
    let sandbox = on_branch(
        &[("One", &["command: [./check.sh]"]), ("Two", &[HOLDS])],
        &[("check.sh", "#!/bin/sh\ngrep -q locked app.txt\n"), ("app.txt", "open\n")],
    );
    sandbox.make_executable("check.sh");
    sandbox.git(&["commit", "-qam", "executable"]);
    sandbox.git(&["branch", "-qf", "main"]);
    sandbox.write(AUTH, spec(&["One", "Two"]).replace("with a password", "with a passphrase"));
    let compare = ["--changed", "--base", "main"];
    let judged = sandbox.json(&compare);
    assert_eq!(judged.is("FAIL").criterion("one")["touched"], Value::Array(Vec::new()));
    sandbox.write("check.sh", "#!/bin/sh\ngrep -q o app.txt\n");
    let judged = sandbox.json(&compare);
    judged.is("PASS").finds("criteria/touched", FILE, 3).reports("criteria/touched", "check.sh");
    assert_eq!(judged.criterion("one")["touched"], serde_json::json!(["check.sh"]));
    assert_eq!(judged.criterion("two")["touched"], serde_json::json!([AUTH]), "the file it looks at");
    sandbox.write("openspec/specward.yaml", "protect: [check.sh]\n");
    sandbox.git(&["add", "-A"]);
    let strict = sandbox.json(&[&compare[..], &["--frozen-spec"]].concat());
    assert!(strict.is("FAIL").spec_changes().contains(&"check.sh"), "{:#}", strict.report);
}

#[test]
fn half_covered() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, spec(&["One", "Two"]));
    sandbox.write(FILE, criteria(&[("One", &[HOLDS])]));
    let judged = sandbox.json(&[]);
    assert_eq!(judged.is("PASS").report["coverage"], serde_json::json!({ "covered": 1, "total": 2 }));
    sandbox.run(&["verify"]).exits(0).says("\nCoverage: 1 of 2 scenarios have a check (50 %)\n");
    // One without a check covers nothing.
    sandbox.write(FILE, criteria(&[("One", &[HOLDS]), ("Two", &[])]));
    assert_eq!(sandbox.json(&[]).report["coverage"]["covered"], 1);
    sandbox.write(FILE, criteria(&[("One", &[HOLDS]), ("Two", &[HOLDS])]));
    assert_eq!(sandbox.json(&[]).report["coverage"]["covered"], 2);
}
