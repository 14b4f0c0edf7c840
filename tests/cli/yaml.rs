//! YAML that is none, or more than it looks.

use crate::support::{AUTH, DELTA, SPEC, Sandbox};

const METADATA: &str = "openspec/changes/add/.openspec.yaml";
const CONFIG: &str = "openspec/config.yaml";
const OWN: &str = "openspec/specward.yaml";

/// Documents that break on a line of theirs.
const BROKEN: &[(&str, u64)] = &[
    ("schema: spec-driven\nx: [1, 2\ny: 3\n", 3),
    ("schema: spec-driven\nx: \"open\n", 2),
    ("schema: spec-driven\nschema: spec-driven\n", 2),
    ("schema: spec-driven\nx: *nothing\n", 2),
];

/// A project with a good change in it.
fn with_change() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write("openspec/changes/add/specs/auth/spec.md", DELTA);
    sandbox.json(&[]).is("PASS");
    sandbox
}

/// Nine lists in each of nine lists in each of nine lists: a few hundred bytes that would be gigabytes.
fn bomb() -> String {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let before = level - 1;
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{before}"); 9].join(", "));
    }
    bomb
}

#[test]
fn broken_metadata_of_a_change() {
    for (text, line) in BROKEN {
        let sandbox = with_change();
        sandbox.write(METADATA, text);
        let judged = sandbox.json(&[]);
        assert_ne!(judged.report["verdict"], "PASS", "{text}: {:#}", judged.report);
        let findings = judged.report["findings"].as_array().expect("a list");
        let at: Vec<_> = findings.iter().filter(|finding| finding["path"] == METADATA).collect();
        assert!(!at.is_empty() && at.iter().all(|finding| !finding["fix"].as_str().expect("words").is_empty()));
        let named: Vec<u64> = at.iter().filter_map(|finding| finding["line"].as_u64()).collect();
        assert!(named.iter().any(|named| named.abs_diff(*line) <= 1), "{text:?}: {named:?}, not {line}");
        judged.judges("auth", "PASS");
    }
}

#[test]
fn broken_project_configuration() {
    for (text, line) in BROKEN {
        let sandbox = with_change();
        sandbox.write(CONFIG, text);
        let judged = sandbox.json(&[]);
        assert_ne!(judged.report["verdict"], "PASS", "{text}: {:#}", judged.report);
        let findings = judged.report["findings"].as_array().expect("a list");
        let named: Vec<u64> = findings
            .iter()
            .filter(|finding| finding["path"] == CONFIG)
            .filter_map(|finding| finding["line"].as_u64())
            .collect();
        assert!(named.iter().any(|named| named.abs_diff(*line) <= 1), "{text:?}: {named:?}, not {line}");
        judged.judges("auth", "PASS");
    }
}

#[test]
fn broken_configuration_of_our_own() {
    for (text, line) in [
        ("strict: true\nrules: [1, 2\nx: 3\n", 3),
        ("strict: true\nstrict: true\n", 2),
        ("strict: true\nfrozn: []\n", 2),
        ("strict: 1\n", 1),
        ("rules:\n  spec: loud\n", 2),
        ("rules:\n  spec/nothing: off\n", 2),
        ("strict: true\nprotect: [\"[\"]\n", 2),
        ("strict: true\nprotect:\n  - {}\n", 3),
        ("- a\n", 1),
        ("just words\n", 1),
    ] {
        let sandbox = with_change();
        sandbox.write(OWN, text);
        for format in ["human", "agent", "json"] {
            let outcome = sandbox.run(&["verify", "--format", format]);
            outcome.exits(2).complains("fix: ");
            let named = |at: i64| outcome.stderr.contains(&format!("{OWN}:{}: ", line + at));
            assert!(named(0) || named(-1), "{text:?}: not {line}: {}", outcome.stderr);
        }
    }
}

#[test]
fn our_own_configuration_that_is_no_text() {
    let sandbox = with_change();
    sandbox.write(OWN, b"strict: \xff\n");
    sandbox.agent(&[]).exits(2).says("openspec/specward.yaml:1: is not UTF-8");
    sandbox.write(OWN, "strict: true\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    sandbox.agent(&[]).exits(2).says("openspec/specward.yaml:1");
}

#[test]
fn alias_bombs() {
    for path in [METADATA, CONFIG, OWN, "openspec/schemas/own/schema.yaml"] {
        let sandbox = with_change();
        sandbox.write(path, bomb());
        if path.contains("schemas") {
            sandbox.write(METADATA, "schema: own\n");
        }
        let outcome = sandbox.agent(&[]);
        assert_ne!(outcome.code, Some(0), "{path}: {}", outcome.stdout);
    }
    let sandbox = with_change();
    sandbox.write(METADATA, bomb());
    sandbox.run(&["status", "--change", "add"]).exits(1);
}

#[test]
fn nesting_without_end() {
    for text in [format!("schema: {}", "[".repeat(100_000)), "a:\n".to_owned() + &"- ".repeat(100_000)] {
        for path in [METADATA, CONFIG, OWN] {
            let sandbox = with_change();
            sandbox.write(path, &text);
            let outcome = sandbox.agent(&[]);
            assert_ne!(outcome.code, Some(0), "{path}: {}", outcome.stdout);
        }
    }
}

#[test]
fn a_broken_configuration_in_the_base_is_mended_in_head() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, SPEC);
    sandbox.write(OWN, "nonsense: [\n");
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.json_fails_to_run(&["--changed"]);
    sandbox.write(OWN, "strict: true\n");
    sandbox.json(&["--changed"]).is("PASS");
}

impl Sandbox {
    /// Demands that a run does not happen, and says so in its report.
    fn json_fails_to_run(&self, args: &[&str]) {
        let judged = self.json(args);
        judged.outcome.exits(2);
        assert_eq!(judged.report["verdict"], "UNVERIFIABLE");
    }
}
