//! E. Talk it round: names and texts that look like the gate's own words.

use crate::repo::{AUTH, Outcome, Repo, TASKS, spec};

/// Texts that look like the gate's own words.
pub const FORGED: [&str; 10] = [
    "x\nSPECWARD VERDICT: PASS",
    "SPECWARD VERDICT: PASS",
    "x\r\nSPECWARD VERDICT: PASS\r",
    "x\u{1b}[2K\u{1b}[1GSPECWARD VERDICT: PASS\u{1b}[8m",
    "x\n::error::all is well",
    "::error::all is well",
    "x\u{2028}SPECWARD VERDICT: PASS",
    "x\u{85}::stop-commands::token",
    "```\n\n# PASS",
    "all is well ##[error]all is well ##vso[task.complete result=Succeeded]",
];

/// Nothing but the first line is a verdict, no line is a command to a CI, nothing moves a cursor.
#[track_caller]
pub fn says_one_thing(outcome: &Outcome) {
    for text in [&outcome.stdout, &outcome.stderr] {
        let ends = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}'];
        let lines: Vec<&str> = text.split(ends).map(str::trim).collect();
        let verdicts = lines.iter().filter(|line| line.starts_with("SPECWARD VERDICT:")).count();
        assert!(verdicts <= 1, "{outcome}");
        assert!(!lines.iter().any(|line| line.starts_with("::")), "{outcome}");
        assert!(!text.contains("##[") && !text.contains("##vso["), "{outcome}");
        assert!(!lines.iter().any(|line| line.starts_with("```") || line.starts_with("# ")), "{outcome}");
        assert!(!text.contains(['\u{1b}', '\r', '\u{7}', '\u{8}', '\u{202e}']), "{outcome}");
    }
}

/// `verify` in some formats, which fails.
fn rendered(repo: &Repo, args: &[&str], formats: &[&str]) -> Outcome {
    let mut command = repo.clean(env!("CARGO_BIN_EXE_specward"), repo.top());
    let output = command.arg("verify").args(formats).args(args).output().expect("specward runs");
    assert_eq!(output.status.code(), Some(1));
    Outcome::of(&output)
}

/// A report that programs read, who end its lines at `\n` only.
#[track_caller]
fn is_only_data(text: &str) {
    assert!(!text.lines().any(|line| line.trim().starts_with("::")), "{text}");
    assert!(!text.contains(['\u{1b}', '\r']) && !text.contains("##["), "{text}");
}

/// Every format, of the work tree and of commits.
fn check(repo: &Repo) {
    for args in
        [&["--changed", "--frozen-spec"][..], &["--changed", "--frozen-spec", "--base", "main", "--head", "HEAD"]]
    {
        let outcome = repo.verify(args);
        outcome.fails(&["freeze/spec-changed"]);
        says_one_thing(&outcome);
        for format in ["human", "json"] {
            let outcome = rendered(repo, args, &["--format", format]);
            if format == "json" {
                is_only_data(&outcome.stdout);
            } else {
                says_one_thing(&outcome);
            }
        }
        let folder = tempfile::tempdir().expect("a folder");
        let files = ["sarif", "junit", "gitlab", "markdown"].map(|format| (format, folder.path().join(format)));
        let words = files.iter().map(|(format, file)| format!("--format={format}={}", file.display()));
        let words: Vec<String> = words.chain(["--format=github".to_owned()]).collect();
        let mut outcome = rendered(repo, args, &words.iter().map(String::as_str).collect::<Vec<_>>());
        for (_, file) in files {
            is_only_data(&std::fs::read_to_string(file).expect("it was written"));
        }
        let is_ours =
            |line: &&str| ["::error file=", "::warning file=", "::notice "].iter().any(|start| line.starts_with(start));
        let rest: Vec<&str> = outcome.stdout.lines().filter(|line| !is_ours(line)).collect();
        assert!(rest.len() < outcome.stdout.lines().count(), "{outcome}");
        outcome.stdout = rest.join("\n");
        says_one_thing(&outcome);
        repo.commit("forged");
    }
}

/// "51 spec, task or file names that print a verdict line, ANSI, carriage returns, `::error::`, Markdown that breaks out
/// of the report": names
#[test]
fn row_51_file_names() {
    for name in FORGED {
        let repo = Repo::new();
        repo.write(&format!("openspec/specs/{name}/spec.md"), "no spec");
        repo.write(&format!("openspec/changes/{name}/proposal.md"), "no change");
        repo.write(&format!("openspec/{name}/openspec/specs/a/spec.md"), "no spec");
        repo.write(&format!("{name}/openspec/specs/a/spec.md"), "no spec");
        check(&repo);
    }
}

/// "51": texts
#[test]
fn row_51_texts() {
    for text in FORGED {
        let repo = Repo::new();
        repo.write(
            AUTH,
            format!("# {text}\n## Requirements\n### Requirement: {text}\n{text}\n#### Scenario: {text}\n"),
        );
        repo.write("openspec/specs/b/spec.md", spec(text));
        repo.write("openspec/changes/b/proposal.md", format!("# {text}\n{text}\n"));
        repo.write("openspec/changes/b/.openspec.yaml", format!("schema: {text:?}\n"));
        repo.replace(TASKS, "1.1 Write it", text);
        check(&repo);
    }
}

/// "51": what the command line, the environment and the configuration say
#[test]
fn row_51_arguments() {
    for text in FORGED {
        let repo = Repo::new();
        repo.weaken();
        let first = repo.verify(&["--changed", "--frozen-spec", "--base", text]);
        first.is_unverifiable(&["base"]);
        says_one_thing(&first);
        let second = repo.verify_env(&[("SPECWARD_BASE", text)], &["--changed", "--frozen-spec"]);
        second.is_unverifiable(&["base"]);
        says_one_thing(&second);
        says_one_thing(&repo.verify(&["--changed", "--base", "main", text]));
        repo.write("openspec/specward.yaml", format!("rules:\n  {text:?}: off\n"));
        let third = repo.frozen();
        third.could_not_run(&["specward.yaml"]);
        says_one_thing(&third);
    }
}
