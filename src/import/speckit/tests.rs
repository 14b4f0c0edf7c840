use super::*;

fn document(source: &str) -> Document {
    read(&Text::from_bytes(source.as_bytes().to_vec())).0
}

fn found(source: &str) -> Vec<String> {
    let one = |requirement: &Requirement| {
        let criteria: Vec<&str> = requirement.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
        format!("{} {}: {}", requirement.id, requirement.title, criteria.join(", "))
    };
    document(source).requirements.iter().map(one).collect()
}

const TEMPLATE: &str = "# Feature Specification: Sign in

**Feature Branch**: `001-sign-in`
**Status**: Draft
**Input**: User description: \"let people in\"

## User Scenarios & Testing *(mandatory)*

### User Story 1 - Password (Priority: P1)

People sign in.

**Why this priority**: first.

**Independent Test**: try.

**Acceptance Scenarios**:

1. **Given** a, **When** b, **Then** c
2. **Given** d, **When** e, **Then** f

---

### User Story 2 - Out (Priority: P2)

**Acceptance Scenarios**:

1. **Given** g, **When** h, **Then** i

### Edge Cases

- What happens when x?

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: System MUST let people in
  - with a password
  - with a key
- **FR-002**: System MUST lock out, when tried too often [NEEDS CLARIFICATION: how often?]

**Sessions**

- **FR-002a**: System MUST end sessions

### Key Entities *(include if feature involves data)*

- **User**: who

## Success Criteria *(mandatory)*

### Measurable Outcomes

- **SC-001**: 95% sign in at once

## Assumptions

- A-001: none
";

#[test]
fn the_template() {
    let all = found(TEMPLATE);
    assert_eq!(
        all,
        [
            "US1 Password: US1.1, US1.2",
            "US2 Out: US2.1",
            "FR-001 Let people in: FR-001",
            "FR-002 Lock out, when tried too often: FR-002",
            "FR-002a End sessions: FR-002a",
            "SC-001 95% sign in at once: SC-001",
        ]
    );
    let document = document(TEMPLATE);
    assert_eq!(document.title, "Sign in");
    assert!(document.purpose.join("").contains("let people in"));
    assert_eq!(document.noted_lines(), 5);
    assert_eq!(document.requirements[2].body.len(), 3);
    assert_eq!(document.requirements[5].sentence.as_deref(), Some("The system MUST meet success criterion SC-001."));
}

#[test]
fn the_older_template() {
    let source = "# Feature Specification: X\n\n## User Scenarios & Testing\n\n### Primary User Story\nAs a user I want.\n\n### Acceptance Scenarios\n1. **Given** a, **When** b, **Then** c\n2. Refunds are made.\n\n### Edge Cases\n- x\n\n## Requirements\n\n### Functional Requirements\n- **FR-001**: System MUST y\n";
    assert_eq!(found(source), ["US1 : US1.1, US1.2", "FR-001 Y: FR-001"]);
}

#[test]
fn stories_in_a_list_and_scenarios_apart() {
    let source = "# F\n\n## User Stories\n\n- **US1** — As a visitor, I want in.\n- **US2** — As a user, I want out.\n\n## Acceptance Scenarios\n\n### US1 — In\n\n**Given** a, **When** b, **Then** c.\n\n**Given** d, **When** e, **Then** f.\n\n### US2 — Out\n\n**Given** g, **When** h, **Then** i.\n\n## Rules\n\n- x\n";
    let all = found(source);
    let ids: Vec<&str> = all.iter().map(|one| one.split(' ').next().unwrap_or_default()).collect();
    assert_eq!(ids, ["US1", "US2"], "{all:?}");
    assert_eq!(document(source).criteria(), 3);
}

#[test]
fn ids_in_headings_and_tables() {
    let source = "# F\n\n## Requirements\n\n### FR-001: Sign in\n\nThe system MUST let people in.\n\n### FR-002\n\nThe system MUST keep others out.\n\n| ID | Text |\n|---|---|\n| SR-001 | Passwords MUST be hashed |\n";
    assert_eq!(
        found(source),
        ["FR-001 Sign in: FR-001", "FR-002 Keep others out: FR-002", "SR-001 Passwords MUST be hashed: SR-001"]
    );
}

#[test]
fn the_same_id_twice() {
    let source = "## Requirements\n- FR-001: System MUST a\n- FR-001: System MUST b\n";
    assert_eq!(found(source), ["FR-001 A: FR-001", "FR-001-2 B: FR-001-2"]);
}

#[test]
fn scenarios_without_a_heading() {
    for list in [
        "1. **Given** a, **When** b, **Then** c\n2. **Given** d, **When** e, **Then** f",
        "- Given a, When b, Then c\n- Given d, When e, Then f",
    ] {
        let source = format!(
            "# Feature Specification: X\n\n## User Scenarios & Testing\n\n### User Story 4 - D\n\nAs a user I want d.\n\n{list}\n"
        );
        let document = read(&Text::from_bytes(source.into_bytes())).0;
        let ids: Vec<&str> = document.requirements[0].criteria.iter().map(|criterion| criterion.id.as_str()).collect();
        assert_eq!(ids, ["US4.1", "US4.2"], "{list}");
    }
}
