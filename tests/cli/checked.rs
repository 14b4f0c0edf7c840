//! Projects with criteria, and what a report says of them.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{Judged, Sandbox};

/// The requirement all scenarios here belong to.
pub const REQUIREMENT: &str = "Sign in";

/// The file of the criteria of `auth`.
pub const FILE: &str = "openspec/verify/auth.yaml";

/// A check that passes wherever the spec `auth` is.
pub const HOLDS: &str = "file: { path: openspec/specs/auth/spec.md, exists: true }";

/// A check that fails wherever the spec `auth` is.
pub const FAILS: &str = "file: { path: openspec/specs/auth/spec.md, absent: true }";

/// A main spec without any fault, with these scenarios.
pub fn spec(scenarios: &[&str]) -> String {
    let mut text = "# Auth\n\n## Purpose\nLets people in who can prove who they are, and keeps everybody else out.\n\n\
                    ## Requirements\n\n### Requirement: Sign in\nThe system SHALL let users sign in with a password.\n"
        .to_owned();
    for name in scenarios {
        let _ = write!(text, "\n#### Scenario: {name}\n- **WHEN** it is so\n- **THEN** it is as it has to be\n");
    }
    text
}

/// A file of criteria: scenarios, each with its checks as YAML, one a line. The id is the scenario's name.
pub fn criteria(entries: &[(&str, &[&str])]) -> String {
    let mut text = "version: 1\ncriteria:\n".to_owned();
    for (scenario, checks) in entries {
        let id = scenario.to_lowercase().replace(' ', "-");
        let _ = write!(text, "  - requirement: {REQUIREMENT}\n    scenario: {scenario}\n    id: {id}\n    verify:");
        text += if checks.is_empty() { " []\n" } else { "\n" };
        for check in *checks {
            let _ = writeln!(text, "      - {check}");
        }
    }
    text
}

/// Puts the spec `auth` and its criteria into a sandbox. The scenarios are those that have criteria.
pub fn put(sandbox: &Sandbox, entries: &[(&str, &[&str])]) {
    let scenarios: Vec<&str> = entries.iter().map(|(scenario, _)| *scenario).collect();
    sandbox.write("openspec/specs/auth/spec.md", spec(&scenarios));
    sandbox.write(FILE, criteria(entries));
}

/// A repository with criteria, committed on `main`, with the branch `work` checked out on top.
pub fn on_branch(entries: &[(&str, &[&str])], files: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, entries);
    for (path, content) in files {
        sandbox.write(path, content);
    }
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox
}

impl Judged {
    /// A criterion of the report.
    #[track_caller]
    pub fn criterion(&self, id: &str) -> &Value {
        let all = self.report["criteria"].as_array().expect("a list");
        all.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("no criterion `{id}` in {:#}", self.report))
    }

    /// Ids of the criteria, in their order.
    pub fn criteria(&self) -> Vec<&str> {
        let all = self.report["criteria"].as_array().expect("a list");
        all.iter().map(|one| one["id"].as_str().expect("a word")).collect()
    }

    /// Demands a criterion's verdict.
    #[track_caller]
    pub fn has(&self, id: &str, verdict: &str) -> &Self {
        assert_eq!(self.criterion(id)["verdict"], verdict, "{:#}", self.report);
        self
    }

    /// A word of a check of a criterion: `message`, `evidence`, `subject`.
    #[track_caller]
    pub fn check(&self, id: &str, number: usize, key: &str) -> &str {
        self.criterion(id)["checks"][number - 1][key].as_str().unwrap_or_else(|| panic!("{:#}", self.criterion(id)))
    }

    /// Demands that a criterion's first check has a verdict, and a message that contains some words.
    #[track_caller]
    pub fn tells(&self, id: &str, verdict: &str, words: &str) -> &Self {
        self.has(id, verdict);
        let message = self.check(id, 1, "message");
        assert!(message.contains(words), "`{words}` is missing in {:#}", self.criterion(id));
        self
    }

    /// Demands a finding of a rule whose message contains some words.
    #[track_caller]
    pub fn reports(&self, rule: &str, words: &str) -> &Self {
        let all = self.report["findings"].as_array().expect("a list");
        let is_it = |finding: &&Value| {
            finding["rule"] == rule && finding["message"].as_str().is_some_and(|message| message.contains(words))
        };
        assert!(all.iter().any(|finding| is_it(&finding)), "{rule} `{words}` is missing in {:#}", self.report);
        self
    }
}

#[cfg(unix)]
impl Sandbox {
    /// Puts folders before those in which programs are looked for.
    #[expect(clippy::disallowed_methods, reason = "the tests' own PATH")]
    pub fn look_first_in(&mut self, folders: &[&str]) {
        let rest = std::env::var("PATH").expect("a PATH");
        self.set("PATH", [folders, &[rest.as_str()]].concat().join(":"));
    }

    /// Lets a file be run.
    pub fn make_executable(&self, path: &str) {
        use std::os::unix::fs::PermissionsExt;
        let permissions = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.path(path), permissions).expect("permissions");
    }
}
