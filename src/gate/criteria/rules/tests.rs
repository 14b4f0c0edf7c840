use std::fs;

use super::*;
use crate::criteria::{Scenes, load_all};
use crate::repo::snapshot::Worktree;
use crate::report::ItemKind;

const SPEC: &str = "# auth

## Purpose
Lets people in.

## Requirements

### Requirement: Sign in
The system SHALL let users in.

#### Scenario: Right password
- **THEN** a

#### Scenario: Wrong password
- **THEN** b

#### Scenario: Twice
- **THEN** b

#### Scenario: Twice
- **THEN** b
";

/// File, rule and 1-based line of a finding.
type Shown = (String, &'static str, usize);

/// What is found about some files of criteria.
fn judge(files: &[(&str, &str)]) -> std::io::Result<(Vec<Shown>, Vec<Finding>)> {
    let dir = tempfile::tempdir()?;
    let mut all = vec![("specs/auth/spec.md", SPEC)];
    all.extend(files);
    for (path, content) in all {
        let path = dir.path().join("openspec").join(path);
        fs::create_dir_all(path.parent().unwrap_or(dir.path()))?;
        fs::write(path, content)?;
    }
    let worktree = Worktree::confined(dir.path())?;
    let project = Project::new(&worktree, "");
    let files = load_all(&project);
    let ids = CriterionIds::of(files.iter());
    let mut findings = Vec::new();
    for file in &files {
        let scenes = Scenes::of(&project, &file.capability);
        let matches: Vec<Matching> = file.criteria().iter().map(|criterion| scenes.find(&project, criterion)).collect();
        let item = Item::new(project.root(), ItemKind::Spec, &file.capability);
        findings.extend(judge_file(&project, file, &matches, &ids, &item));
    }
    let short = |finding: &Finding| {
        (finding.path.trim_start_matches("openspec/verify/").to_owned(), finding.rule, finding.line)
    };
    Ok((findings.iter().map(short).collect(), findings))
}

#[test]
fn each_rule_has_its_line() -> std::io::Result<()> {
    let auth = "version: 1
criteria:
- {requirement: Sign in, scenario: Right password, id: one, verify: [{command: [make]}]}
- {requirement: sign in, scenario: Right password, id: two, verify: [{command: [make]}]}
- {requirement: Sign in, scenario: Twice, id: three, verify: [{command: [make]}]}
- {requirement: Sign in, scenario: Wrong password, id: one, verify: [{command: [make]}]}
- {requirement: Sign in, scenario: Right password, id: four}
";
    let other = "version: 1\ncriteria:\n- {requirement: R, scenario: S, id: two, verify: [{command: [make]}]}\n";
    let bad = "version: 1\ncriterias:\n";
    let (shown, findings) =
        judge(&[("verify/auth.yaml", auth), ("verify/other.yaml", other), ("verify/sub/bad.yaml", bad)])?;
    let expected = [
        ("auth.yaml", "criteria/duplicate-id", 3),
        ("auth.yaml", "criteria/no-match", 4),
        ("auth.yaml", "criteria/duplicate-id", 4),
        ("auth.yaml", "criteria/ambiguous", 5),
        ("auth.yaml", "criteria/duplicate-id", 6),
        ("auth.yaml", "criteria/same-scenario", 7),
        ("auth.yaml", "criteria/no-check", 7),
        ("other.yaml", "criteria/no-match", 3),
        ("other.yaml", "criteria/duplicate-id", 3),
        ("sub/bad.yaml", "criteria/bad-file", 2),
    ];
    let expected: Vec<_> = expected.map(|(path, rule, line)| (path.to_owned(), rule, line)).to_vec();
    assert_eq!(shown, expected);
    let message = |at: usize| findings[at].message.as_str();
    assert_eq!(
        message(1),
        "`auth` has no requirement `sign in`; `Sign in` (openspec/specs/auth/spec.md:8) differs in case or spacing"
    );
    assert_eq!(message(2), "the id `two` is also that of openspec/verify/other.yaml:3");
    assert_eq!(
        message(3),
        "2 scenarios of the requirement are called `Twice` in openspec/specs/auth/spec.md, lines 17, 20"
    );
    assert!(message(9).contains("is `criteria` meant?"));
    assert_eq!(findings[9].source.as_deref(), Some("criterias:"));
    Ok(())
}

#[test]
fn nothing_is_found_in_what_is_right() -> std::io::Result<()> {
    let auth = "version: 1
criteria:
- {requirement: Sign in, scenario: Right password, verify: [{command: [make]}]}
- {requirement: Sign in, scenario: Wrong password, verify: [{command: [make]}]}
";
    assert_eq!(judge(&[("verify/auth.yaml", auth)])?.0, []);
    Ok(())
}

#[test]
fn what_could_not_be_read_is_unverifiable() -> std::io::Result<()> {
    let (shown, findings) = judge(&[("verify", "a file")])?;
    assert_eq!(shown.iter().map(|(_, rule, _)| *rule).collect::<Vec<_>>(), ["repo/unreadable"]);
    assert!(findings[0].cannot_check);
    Ok(())
}

#[test]
fn scenarios_that_need_a_check() -> std::io::Result<()> {
    let auth = "version: 1
criteria:
- {requirement: Sign in, scenario: Right password, verify: [{command: [make]}]}
- {requirement: Sign in, scenario: Wrong password}
";
    let dir = tempfile::tempdir()?;
    fs::create_dir_all(dir.path().join("openspec/specs/auth"))?;
    fs::create_dir_all(dir.path().join("openspec/verify"))?;
    fs::write(dir.path().join("openspec/specs/auth/spec.md"), SPEC)?;
    fs::write(dir.path().join("openspec/verify/auth.yaml"), auth)?;
    let worktree = Worktree::confined(dir.path())?;
    let project = Project::new(&worktree, "");
    let scenes = Scenes::of(&project, "auth");
    let files = load_all(&project);
    let matches: Vec<Matching> = files[0].criteria().iter().map(|criterion| scenes.find(&project, criterion)).collect();
    let item = Item::new(project.root(), ItemKind::Spec, "auth");
    let lines = |require| {
        let criteria = files[0].criteria().iter().zip(&matches);
        let found = judge_unchecked(&project, &scenes.scenarios(), criteria, require, &item);
        found.iter().map(|finding| finding.line).collect::<Vec<_>>()
    };
    assert!(lines(Require::Listed).is_empty());
    assert_eq!(lines(Require::All), [14, 17, 20]);
    assert_eq!(lines(Require::Changed), [14, 17, 20]);
    Ok(())
}
