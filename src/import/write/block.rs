//! A requirement as a block of a spec.

use std::collections::HashSet;

use super::safe;
use crate::import::leftover::words;
use crate::import::model::{Criterion, Piece, Requirement};

/// The block, from its header to its last line.
pub fn requirement(requirement: &Requirement) -> String {
    let mut text = format!("### Requirement: {}\n", requirement_name(requirement));
    let body = safe::text(body(requirement));
    text.push_str(&body);
    if !body.is_empty() {
        text.push('\n');
    }
    if let Some(sentence) = &requirement.sentence {
        let gap = if body.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{gap}{sentence}\n"));
    }
    for criterion in &requirement.criteria {
        text.push_str(&format!("\n#### Scenario: {}\n", scenario_name(criterion)));
        for step in &criterion.steps {
            text.push_str(&format!("- **{}** {}\n", step.keyword, safe::comments(&step.text)));
        }
    }
    text.trim_end().to_owned()
}

/// The name of a requirement: its id and its title.
pub fn requirement_name(requirement: &Requirement) -> String {
    safe::name(&format!("{} {}", requirement.id, requirement.title))
}

/// The name of a criterion's scenario.
pub fn scenario_name(criterion: &Criterion) -> String {
    safe::name(&format!("{} {}", criterion.id, criterion.name))
}

/// Whether a block's name is that of the requirement with an id.
pub fn is_of(name: &str, id: &str) -> bool {
    let rest = name.get(..id.len()).filter(|start| start.eq_ignore_ascii_case(id)).map(|_| &name[id.len()..]);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', '\t']))
}

fn body(requirement: &Requirement) -> Vec<String> {
    let mut lines = Vec::new();
    for piece in &requirement.body {
        match piece {
            Piece::Text(text) => lines.push(text.clone()),
            Piece::Criterion(at) => {
                let Some(criterion) = requirement.criteria.get(*at) else { continue };
                // The sentence with MUST stands for criteria whose steps say all there is.
                if requirement.sentence.is_none() || !is_covered(criterion) {
                    let mut own = criterion.lines.iter();
                    lines.push(format!("- {}: {}", criterion.id, own.next().map_or("", String::as_str)));
                    lines.extend(own.cloned());
                }
            }
        }
    }
    lines
}

/// Whether a scenario's name and steps have every word of the criterion.
fn is_covered(criterion: &Criterion) -> bool {
    let mut known: HashSet<String> = HashSet::new();
    for text in std::iter::once(&criterion.name).chain(criterion.steps.iter().map(|step| &step.text)) {
        known.extend(words(&text.replace("**", "")).map(str::to_lowercase));
    }
    known.extend(["given", "when", "then", "and"].map(str::to_owned));
    let is_plain = !criterion.lines.iter().any(|line| line.trim_start().starts_with(['|', '`', '~']));
    let is_known = |line: &String| words(&line.replace("**", "")).all(|word| known.contains(&word.to_lowercase()));
    is_plain && criterion.lines.iter().all(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::detect::read;

    fn blocks(source: &str) -> Vec<String> {
        let document = read(source.into(), "x.md", None);
        document.map(|document| document.requirements.iter().map(requirement).collect()).unwrap_or_default()
    }

    #[test]
    fn a_requirement_of_kiro() {
        let source = "### Requirement 1: Sign in\n\n**User Story:** As a user, I want in.\n\n#### Acceptance Criteria\n\n1. WHEN the password is right THEN the system SHALL let in:\n   - at once\n2. THE system SHALL log it\n";
        assert_eq!(
            blocks(source),
            ["### Requirement: REQ 1 Sign in
**User Story:** As a user, I want in.

**Acceptance Criteria:**
- REQ 1.1: WHEN the password is right THEN the system SHALL let in:
   - at once
- REQ 1.2: THE system SHALL log it

#### Scenario: REQ 1.1 the password is right
- **WHEN** the password is right
- **THEN** the system SHALL let in:
- **AND** at once

#### Scenario: REQ 1.2 Log it
- **WHEN** at any time
- **THEN** THE system SHALL log it"]
        );
    }

    #[test]
    fn a_story_and_a_sentence_of_spec_kit() {
        let source = "### User Story 1 - In (Priority: P1)\n\nPeople sign in.\n\n**Acceptance Scenarios**:\n\n1. **Given** a, **When** b, **Then** c\n\n## Requirements\n\n- **FR-001**: System MUST stop when it rains hard\n";
        assert_eq!(
            blocks(source),
            [
                "### Requirement: US1 In
(Priority: P1)

People sign in.

**Acceptance Scenarios:**

The system MUST satisfy the acceptance scenarios of user story 1.

#### Scenario: US1.1 b
- **GIVEN** a
- **WHEN** b
- **THEN** c",
                "### Requirement: FR-001 Stop when it rains hard
System MUST stop when it rains hard

#### Scenario: FR-001 Stop when it rains hard
- **WHEN** it rains hard
- **THEN** System MUST stop when it rains hard"
            ]
        );
    }

    #[test]
    fn ids_are_told_apart() {
        assert!(is_of("REQ 1 Sign in", "REQ 1") && is_of("REQ 1", "REQ 1") && is_of("FR-001: x", "FR-001"));
        assert!(!is_of("REQ 10 x", "REQ 1") && !is_of("FR-001a x", "FR-001") && !is_of("REQ", "REQ 1"));
    }
}
