use std::fs;

use super::*;
use crate::repo::snapshot::Worktree;

const MAIN: &str = "# auth

## Purpose
x

## Requirements

### Requirement: Sign in
Users come. When a user signs in, the system SHALL open a session.

#### Scenario: Right password
- **WHEN** a
- **THEN** b

#### Scenario: Wrong password ##
- **THEN** b

```
#### Scenario: Fenced
```

### Requirement: Audit
It SHALL log.

#### Scenario: Twice
- **THEN** a

#### Scenario: Twice
- **THEN** b

#### Scenario: Once
- **THEN** b

### Requirement: Same
It SHALL a.

#### Scenario: A
- **THEN** a

### Requirement: Same
It SHALL b.
";

const DELTA: &str = "## ADDED Requirements

### Requirement: Sign out
The system SHALL close the session.

#### Scenario: Button
- **THEN** b

## MODIFIED Requirements

### Requirement: Sign in
While offline, the system SHALL wait.

#### Scenario: Right password
- **THEN** c

## RENAMED Requirements
- FROM: `### Requirement: Audit`
- TO: `### Requirement: Audit trail`
";

struct Fixture {
    _dir: tempfile::TempDir,
    worktree: Worktree,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> std::io::Result<Self> {
        let dir = tempfile::tempdir()?;
        for (path, content) in files {
            let path = dir.path().join("openspec").join(path);
            fs::create_dir_all(path.parent().unwrap_or(dir.path()))?;
            fs::write(path, content)?;
        }
        let worktree = Worktree::confined(dir.path())?;
        Ok(Self { _dir: dir, worktree })
    }

    fn usual() -> std::io::Result<Self> {
        Self::new(&[("specs/auth/spec.md", MAIN), ("changes/c1/specs/auth/spec.md", DELTA)])
    }

    fn find(&self, capability: &str, requirement: &str, scenario: &str) -> Matching {
        let criterion = Criterion {
            id: "x".to_owned(),
            capability: capability.to_owned(),
            requirement: requirement.to_owned(),
            scenario: scenario.to_owned(),
            ears: None,
            checks: Vec::new(),
            path: BString::default(),
            line: 0,
        };
        let project = Project::new(&self.worktree, "");
        Scenes::of(&project, capability).find(&project, &criterion)
    }

    /// Places with the 1-based lines of requirement and scenario.
    fn places(&self, requirement: &str, scenario: &str) -> Vec<(Place, usize, usize)> {
        let found = self.find("auth", requirement, scenario);
        let place = |found: &Match| (found.place.clone(), found.requirement_line + 1, found.scenario_line + 1);
        found.found().iter().map(place).collect()
    }

    fn no_match(&self, capability: &str, requirement: &str, scenario: &str) -> Option<NoMatch> {
        match self.find(capability, requirement, scenario) {
            Matching::NoMatch(none) => Some(none),
            _ => None,
        }
    }
}

#[test]
fn the_main_spec_and_open_deltas() -> std::io::Result<()> {
    let fixture = Fixture::usual()?;
    let change = Place::Change("c1".to_owned());
    assert_eq!(fixture.places("Sign in", "Right password"), [(Place::Main, 8, 11), (change.clone(), 11, 14)]);
    assert_eq!(fixture.places("Sign in", "Wrong password"), [(Place::Main, 8, 15)]);
    assert_eq!(fixture.places("Sign out", "Button"), [(change, 3, 6)]);
    assert_eq!(fixture.places("Sign in", "Fenced"), []);
    let found = fixture.find("auth", "Sign in", "Right password");
    let shapes: Vec<_> = found.found().iter().map(|found| (found.ears.as_str(), found.pattern)).collect();
    assert_eq!(
        shapes,
        [
            ("When a user signs in, the system SHALL open a session.", Some("event")),
            ("While offline, the system SHALL wait.", Some("state"))
        ]
    );
    Ok(())
}

#[test]
fn both_names_while_a_rename_is_open() -> std::io::Result<()> {
    let fixture = Fixture::usual()?;
    assert_eq!(fixture.places("Audit", "Once"), fixture.places("Audit trail", "Once"));
    assert_eq!(fixture.places("Audit trail", "Once").len(), 1);
    // The near name is looked for in the requirement of the old name.
    let none = fixture.no_match("auth", "Audit trail", "once");
    let nearest = none.and_then(|none| none.nearest).map(|near| (near.name, near.difference));
    assert_eq!(nearest, Some(("Once".to_owned(), Some("case or spacing"))));
    Ok(())
}

#[test]
fn equal_names_are_ambiguous() -> std::io::Result<()> {
    let fixture = Fixture::usual()?;
    let lines = |requirement, scenario| match fixture.find("auth", requirement, scenario) {
        Matching::Ambiguous { lines, is_requirement, .. } => (lines, is_requirement),
        _ => Default::default(),
    };
    assert_eq!(lines("Audit", "Twice"), (vec![24, 27], false));
    assert_eq!(lines("Same", "A"), (vec![33, 39], true));
    Ok(())
}

#[test]
fn the_nearest_name() -> std::io::Result<()> {
    let fixture = Fixture::usual()?;
    let nearest = |requirement: &str, scenario: &str| {
        let none = fixture.no_match("auth", requirement, scenario)?;
        let near = none.nearest?;
        Some((none.missing, near.name, near.difference, near.requirement))
    };
    let case = Some("case or spacing");
    let text = str::to_owned;
    assert_eq!(nearest("sign in", "Right password"), Some((Missing::Requirement, text("Sign in"), case, None)));
    assert_eq!(nearest("Sign in", "right password"), Some((Missing::Scenario, text("Right password"), case, None)));
    let label = Some("`Scenario:` before the name");
    assert_eq!(
        nearest("Sign in", "Scenario: Wrong password"),
        Some((Missing::Scenario, text("Wrong password"), label, None))
    );
    let label = Some("`Requirement:` before the name");
    assert_eq!(nearest("### Requirement: Sign in", "x"), Some((Missing::Requirement, text("Sign in"), label, None)));
    assert_eq!(nearest("Sign in", "Once"), Some((Missing::Scenario, text("Once"), None, Some(text("Audit")))));
    assert_eq!(nearest("Sign in", "Payment by card"), None);
    let none = fixture.no_match("auht", "Sign in", "Right password");
    let none = none.map(|none| (none.missing, none.nearest.map(|near| near.name)));
    assert_eq!(none, Some((Missing::Capability, Some(text("auth")))));
    Ok(())
}

#[test]
fn all_scenarios_of_a_capability() -> std::io::Result<()> {
    let fixture = Fixture::usual()?;
    let all = Scenes::of(&Project::new(&fixture.worktree, ""), "auth").scenarios();
    let names: Vec<_> = all.iter().map(|scenario| (scenario.scenario.as_str(), scenario.line + 1)).collect();
    assert_eq!(
        names,
        [
            ("Right password", 11),
            ("Wrong password", 15),
            ("Twice", 25),
            ("Twice", 28),
            ("Once", 31),
            ("A", 37),
            ("Button", 6),
            ("Right password", 14)
        ]
    );
    Ok(())
}
