"""A case of ours: criteria that pass, fail and cannot be checked, under names that try to be something else in each format.

Made, and not stored: a folder with an `openspec/` in it would be one of this repository's own projects.
"""

import json

EVIL = (
    "::error::b ##[error]c %0A,:]]></testcase></details> ```` |@user #12 GH-1 [x](https://a.b) ![i](https://a.b/c.png)"
    " <img src=x> **b** _i_ www.a.b"
)

SPEC = f"""# Auth {EVIL}

## Purpose
Lets people in who can prove who they are, and keeps everybody else out.

## Requirements

### Requirement: Sign in {EVIL}
The system SHALL let users sign in with a password {EVIL}.
"""

STEPS = "- **WHEN** it is so\n- **THEN** it is as it has to be\n"

FAULT = f"\n### Requirement: No scenario {EVIL}\nThe system SHALL be {EVIL}.\n"

FILE = "openspec/specs/auth/spec.md"

CHECKS = {
    "Holds": [{"file": {"path": FILE, "exists": True}}],
    f"Fails {EVIL}": [{"name": EVIL, "command": ["cat", FILE, "no-such-file"]}, {"file": {"path": FILE, "absent": True}}],
    "Unknown": [{"judge": {"rubric": f"It is clear {EVIL}"}}],
    "Open": [],
}


def write(place):
    """Writes the case into a folder that is not there yet."""
    spec, criteria = place / FILE, place / "openspec/verify/auth.yaml"
    for path in (spec, criteria):
        path.parent.mkdir(parents=True)
    scenarios = "".join(f"\n#### Scenario: {name}\n{STEPS}" for name in CHECKS)
    spec.write_text(SPEC + scenarios + FAULT, encoding="utf-8")
    requirement = f"Sign in {EVIL}"
    entries = [{"requirement": requirement, "scenario": name, "verify": checks} for name, checks in CHECKS.items()]
    # JSON is YAML.
    criteria.write_text(json.dumps({"version": 1, "criteria": entries}, indent=2), encoding="utf-8")
