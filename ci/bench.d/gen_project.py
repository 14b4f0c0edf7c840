#!/usr/bin/env python3
"""Write an OpenSpec project of a chosen size, for measurements.

    gen_project.py DIR --size small|big|huge [--git] [--gc] [--other N]
    gen_project.py DIR --specs N --requirements N --changes N [...]

size     specs x requirements  changes
small          3 x  4               2
big          200 x 20              50
huge        5000 x 10            1000

Every spec and every change passes `openspec validate --all --strict`. Change number C modifies
the first requirement of capability C and adds a requirement to it; no two changes touch the
same capability.

--git      makes DIR a repository with two commits, branches `base` and `head`, `head` checked
           out and clean. `head` adds a scenario to one delta (that of change-0) and touches one
           source file.
--gc       packs the repository; without it the objects stay loose, as the commits left them.
--other N  adds N small files in FOLDERS (1,000) folders outside openspec/, committed in `base`.

The same arguments give the same bytes and the same commit ids: nothing is random, and names,
dates and the git configuration are fixed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDERS = 1000

# Every file gets this modification time, long past, so that git never has to reread a file
# because it may have changed within the second in which the index was written.
MTIME = 1_735_776_000  # 2025-01-02T00:00:00Z
DATE = "2025-01-02T00:00:00Z"

ACTORS = ("account owner", "support agent", "billing clerk", "auditor", "courier")
ACTIONS = ("save", "list", "refuse", "publish", "archive", "sign", "refund", "requeue", "mask")
OBJECTS = (
    "the shipment label",
    "the access token",
    "the payment record",
    "the export file",
    "the delivery event",
    "the tax statement",
    "the consent form",
)


@dataclass(frozen=True)
class Shape:
    """How much of everything a project has."""

    specs: int
    requirements: int
    changes: int

    def __post_init__(self) -> None:
        if not (self.specs >= self.changes >= 1 and self.requirements >= 1):
            raise ValueError(f"needs specs >= changes >= 1 and requirements >= 1: {self}")

    @property
    def items(self) -> int:
        """What `validate --all` counts: specs and changes."""
        return self.specs + self.changes


SIZES = {
    "small": Shape(3, 4, 2),
    "big": Shape(200, 20, 50),
    "huge": Shape(5000, 10, 1000),
}

HEAD_DELTA = "openspec/changes/change-0/specs/cap-0/spec.md"
HEAD_SOURCE = "src/main.rs"
HEAD_SCENARIO_NAME = "The limit is lifted"


class Writer:
    """Writes files below a root, each with the fixed modification time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.made: set[str] = set()

    def write(self, path: str, text: str) -> None:
        folder, _, _ = path.rpartition("/")
        if folder not in self.made:
            os.makedirs(self.root / folder, exist_ok=True)
            self.made.add(folder)
        full = os.path.join(self.root, path)
        with open(full, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.utime(full, (MTIME, MTIME))


def scenario(name: str, actor: str, when: str, then: str) -> str:
    return f"#### Scenario: {name}\n- **GIVEN** the {actor} is signed in\n- **WHEN** {when}\n- **THEN** {then}\n\n"


def requirement(cap: int, number: int, limit: int) -> str:
    """One requirement of a capability, with two scenarios; its words follow from its numbers."""
    seed = cap * 31 + number * 7
    actor = ACTORS[seed % len(ACTORS)]
    action = ACTIONS[seed % len(ACTIONS)]
    thing = OBJECTS[seed % len(OBJECTS)]
    return (
        f"### Requirement: Rule {number} of capability {cap}\n"
        f"The system SHALL {action} {thing} within {limit} ms of the request.\n\n"
        + scenario(
            f"Rule {number} accepts a request",
            actor,
            f"the {actor} sends request {number} with a current key",
            f"the system answers with status {200 + number % 5}",
        )
        + scenario(
            f"Rule {number} refuses a request",
            actor,
            f"the {actor} sends request {number} with an expired key",
            f"the system answers with status {400 + number % 5} and keeps no copy",
        )
    )


def spec(cap: int, requirements: int) -> str:
    return (
        (
            f"# cap-{cap} Specification\n\n"
            "## Purpose\n"
            f"Capability {cap} lets the account owner and the support agent work on one kind of record.\n\n"
            "## Requirements\n\n"
        )
        + "".join(requirement(cap, number, 250) for number in range(requirements)).rstrip("\n")
        + "\n"
    )


def delta(cap: int) -> str:
    return (
        "## ADDED Requirements\n\n"
        f"### Requirement: Hourly limit of capability {cap}\n"
        "The system SHALL refuse the request of an account that sent 600 requests in one hour.\n\n"
        + scenario(
            "The limit is reached",
            "account owner",
            "the account owner sends request 601 in the same hour",
            "the system answers with status 429",
        )
        + "## MODIFIED Requirements\n\n"
        + requirement(cap, 0, 150)
        + scenario(
            "Rule 0 repeats an answer",
            "account owner",
            "the account owner sends request 0 twice with the same key",
            "the system answers both with the same body",
        )
    ).rstrip("\n") + "\n"


def write_change(out: Writer, number: int) -> None:
    folder, cap = f"openspec/changes/change-{number}", number
    out.write(f"{folder}/.openspec.yaml", "schema: spec-driven\ncreated: 2025-01-02\n")
    out.write(
        f"{folder}/proposal.md",
        f"# Change {number}\n\n"
        "## Why\n"
        f"One account can send capability {cap} any number of requests, and twice in the last "
        "quarter that stopped the others.\n\n"
        "## What Changes\n"
        f"- An hourly limit for cap-{cap}\n"
        "- Rule 0 answers within 150 ms\n\n"
        "## Capabilities\n\n"
        "### Modified Capabilities\n"
        f"- `cap-{cap}`: hourly limit and a shorter answer time\n\n"
        "## Impact\n"
        f"- src/cap_{cap}\n",
    )
    out.write(
        f"{folder}/tasks.md",
        "## 1. Limit\n\n- [x] 1.1 Count the requests of an account\n- [ ] 1.2 Refuse request 601\n",
    )
    out.write(f"{folder}/specs/cap-{cap}/spec.md", delta(cap))


def write_other(out: Writer, count: int) -> None:
    """Files that have nothing to do with OpenSpec, no two alike, evenly over the folders."""
    for number in range(count):
        folder = number % FOLDERS
        out.write(f"other/d{folder:03}/f{number // FOLDERS:05}.txt", f"file {number}\n")


def git(root: Path, *args: str) -> None:
    """Runs git with a fixed identity and dates, without the caller's GIT_* and configuration."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env.update(
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_AUTHOR_NAME="bench",
        GIT_AUTHOR_EMAIL="bench@example.org",
        GIT_AUTHOR_DATE=DATE,
        GIT_COMMITTER_NAME="bench",
        GIT_COMMITTER_EMAIL="bench@example.org",
        GIT_COMMITTER_DATE=DATE,
    )
    # No automatic packing: whether the objects are loose or packed is the caller's choice.
    fixed = ("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.autocrlf=false")
    subprocess.run(("git", "-C", str(root), *fixed, *args), check=True, env=env, stdout=subprocess.DEVNULL)


def generate(root: Path, shape: Shape, *, repository: bool, packed: bool = False, other: int = 0) -> None:
    """Writes the project into root, which must not exist or be empty."""
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise FileExistsError(f"{root} is not empty")
    out = Writer(root)
    out.write("openspec/config.yaml", "schema: spec-driven\n")
    for cap in range(shape.specs):
        out.write(f"openspec/specs/cap-{cap}/spec.md", spec(cap, shape.requirements))
    for number in range(shape.changes):
        write_change(out, number)
    out.write(HEAD_SOURCE, "fn main() {}\n")
    write_other(out, other)
    if not repository:
        return

    git(root, "init", "-q", "-b", "base")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    git(root, "switch", "-q", "-c", "head")
    out.write(
        HEAD_DELTA,
        delta(0)
        + "\n"
        + scenario(
            HEAD_SCENARIO_NAME,
            "support agent",
            "the support agent lifts the limit of an account",
            "the system answers request 601 of that account with status 200",
        ).rstrip("\n")
        + "\n",
    )
    out.write(HEAD_SOURCE, 'fn main() {\n    println!("limit");\n}\n')
    git(root, "commit", "-q", "-a", "-m", "head")
    if packed:
        git(root, "gc", "-q", "--prune=now")
    # The index as a developer's `git status` leaves it: every entry known to be up to date.
    git(root, "status", "--porcelain")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, metavar="DIR")
    parser.add_argument("--size", choices=SIZES)
    for name in ("specs", "requirements", "changes"):
        parser.add_argument(f"--{name}", type=int, metavar="N", help="instead of --size")
    parser.add_argument("--git", action="store_true", help="make it a repository")
    parser.add_argument("--gc", action="store_true", help="pack the repository")
    parser.add_argument("--other", type=int, default=0, metavar="N", help="files outside openspec/")
    args = parser.parse_args()

    counts = (args.specs, args.requirements, args.changes)
    if args.size and counts == (None, None, None):
        shape = SIZES[args.size]
    elif not args.size and None not in counts:
        try:
            shape = Shape(*counts)
        except ValueError as error:
            parser.error(str(error))
    else:
        parser.error("give --size, or all of --specs, --requirements and --changes")
    if args.gc and not args.git:
        parser.error("--gc needs --git")
    generate(args.dir, shape, repository=args.git, packed=args.gc, other=args.other)
    return 0


if __name__ == "__main__":
    sys.exit(main())
