"""Renders cases in the formats for CI and compares each report with its schema. Started through `ci/formats`.

Prints one line for each report that is not as it has to be, then `N passed, N failed`; exits 1 when one is not, 2 when
nothing could be compared.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema
from lxml import etree
from markdown_it import MarkdownIt

import own

TOP = Path(__file__).resolve().parents[2]
SCHEMAS = TOP / "tests" / "fixtures" / "schemas"
FOOTER = "Fix the implementation, not the spec. If a criterion is wrong, report it to the human."
SEVERITIES = ["info", "minor", "major", "critical", "blocker"]
COMMANDS = {"error", "warning", "notice"}
PROPERTIES = {"file", "line", "endLine", "col", "endColumn", "title"}


def schema(name):
    document = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(document)
    return kind(document)


SARIF, ISSUE = schema("sarif-2.1.0.schema.json"), schema("codeclimate.json")
JENKINS, ANT = (etree.XMLSchema(etree.parse(SCHEMAS / name)) for name in ("junit-10.xsd", "ant-junit.xsd"))


def demand(holds, words):
    if not holds:
        raise AssertionError(words)


def follows(validator, document):
    for error in validator.iter_errors(document):
        where = "/".join(map(str, error.absolute_path))
        raise AssertionError(f"{where}: {error.message[:200]}")


def is_relative(path):
    return path != "" and not path.startswith(("/", "./", "../"))


def check_sarif(text):
    log = json.loads(text)
    follows(SARIF, log)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        demand(rules[result["ruleIndex"]]["id"] == result["ruleId"], "a result has another rule's index")
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        demand(uri.isascii() and not set(uri) & set(' \\:<>"{}|^`') and is_relative(uri), f"uri {uri}")
        demand(place["region"]["startLine"] >= 1, "line 0")


def check_gitlab(text):
    demand(text.startswith("["), "no list, or a byte order mark before it")
    issues = json.loads(text)
    for issue in issues:
        follows(ISSUE, issue)
        demand(issue["severity"] in SEVERITIES, f"severity {issue['severity']}")
        demand(is_relative(issue["location"]["path"]), f"path {issue['location']['path']}")
        demand(issue["location"]["lines"]["begin"] >= 1, "line 0")
    twice = [name for name, times in Counter(issue["fingerprint"] for issue in issues).items() if times > 1]
    demand(not twice, f"a fingerprint twice: {twice}")


def check_junit(text):
    document = etree.fromstring(text.encode())
    demand(JENKINS.validate(document), f"junit-10.xsd: {JENKINS.error_log.last_error}")
    totals = Counter()
    for suite in document:
        cases = suite.findall("testcase")
        numbers = {"tests": len(cases)}
        for key, word in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            numbers[key] = sum(case.find(word) is not None for case in cases)
        for key, number in numbers.items():
            demand(suite.get(key) == str(number), f"{key} is {suite.get(key)} and not {number}")
        totals.update(numbers)
    for key in ("tests", "failures", "errors"):
        demand(document.get(key) == str(totals[key]), f"{key} of all suites is {document.get(key)}")
    demand(totals["tests"] > 0, "no test case")
    # The schema of Ant has no totals.
    for key in list(document.attrib):
        del document.attrib[key]
    demand(ANT.validate(document), f"ant-junit.xsd: {ANT.error_log.last_error}")


def check_markdown(text):
    demand(len(text) <= 60_000, f"{len(text)} characters")
    demand(text.startswith("## specward: "), "no verdict in the first line")
    verdict = text.split("\n", 1)[0].split(": ")[1]
    demand((text.rstrip("\n").endswith(FOOTER)) == (verdict != "PASS"), "the last line")
    depth = 0
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type in ("link_open", "image"):
            raise AssertionError("a link")
        if token.type == "fence":
            demand(token.info == "text", "a fence that is not ours")
        if token.type == "html_block":
            demand(set(token.content.split("\n")[0].split(">")[0][:9]) <= set("</details>"), f"HTML {token.content[:60]}")
            depth += token.content.count("<details>") - token.content.count("</details>")
            demand(depth in (0, 1), "details that do not end")
        if token.type == "inline":
            kinds = {child.type for child in token.children}
            demand(not kinds & {"link_open", "image", "code_inline", "em_open", "strong_open"}, f"{kinds}: {token.content[:60]}")
            html = {child.content for child in token.children if child.type == "html_inline"}
            demand(html <= {"<code>", "</code>"}, f"HTML {html}")
    demand(depth == 0, "details that do not end")


def check_github(text):
    lines = text.rstrip("\n").split("\n")
    levels = Counter()
    for line in lines:
        demand("##[" not in line and "##vso[" not in line and "\r" not in line, f"a command: {line[:80]}")
        if not line.lstrip().startswith("::"):
            continue
        demand(line.count("::") >= 2, f"half a command: {line[:80]}")
        head, message = line[2:].split("::", 1)
        command, _, properties = head.partition(" ")
        demand(command in COMMANDS, f"a command: {line[:80]}")
        names = [one.partition("=")[0] for one in properties.split(",")]
        demand(set(names) <= PROPERTIES and len(set(names)) == len(names), f"properties {names}")
        for value in [message, *(one.partition("=")[2] for one in properties.split(","))]:
            rest = value.replace("%25", "").replace("%0D", "").replace("%0A", "").replace("%3A", "").replace("%2C", "")
            demand("%" not in rest, f"what does not unescape: {value[:80]}")
        levels[command] += 1
    demand(all(number <= 10 for number in levels.values()), f"{levels}")
    demand(lines[-1].split(":")[0] in ("PASS", "FAIL", "UNVERIFIABLE"), f"the last line: {lines[-1][:80]}")


OWN = Path("names-that-mean-no-good")
CHECKS = {"sarif": check_sarif, "junit": check_junit, "gitlab": check_gitlab, "markdown": check_markdown}


def prepare(case, place, env):
    """Makes a project of a case, as ci/cases does. The words of `verify` for it."""
    if case == OWN:
        own.write(place)
        return []
    if (case / "repo.bundle").exists():
        git = lambda *words, cwd=None: subprocess.run(["git", *words], cwd=cwd, env=env, check=True, capture_output=True)
        git("clone", "-q", "--no-checkout", str(case / "repo.bundle"), str(place))
        for branch in ("base", "head"):
            git("branch", "-q", "-f", branch, f"origin/{branch}", cwd=place)
        git("checkout", "-q", "head", cwd=place)
        return ["--changed", "--base", "base", "--frozen-spec=explained", "--head", "head"]
    shutil.copytree(case, place, symlinks=True)
    links = place / "LINKS.tsv"
    for line in links.read_text().splitlines() if links.exists() else []:
        name, target = line.split("\t")[:2]
        link = place / name
        link.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(link, ignore_errors=True)
        link.unlink(missing_ok=True)
        link.symlink_to(target)
    for name in ("EXPECT.md", "LINKS.tsv"):
        (place / name).unlink(missing_ok=True)
    return []


def run(binary, command, words, place, reports, env):
    """One call for all formats. What is wrong with each report."""
    reports.mkdir()
    files = [word for name in CHECKS for word in ("--format", f"{name}={reports / name}")]
    line = [str(binary), command, "--format", "github", *files, *words]
    done = subprocess.run(line, cwd=place, env=env, capture_output=True, text=True, encoding="utf-8")
    texts = {name: (reports / name).read_text(encoding="utf-8") for name in CHECKS if (reports / name).exists()}
    texts["github"] = done.stdout
    problems = []
    for name, check in {**CHECKS, "github": check_github}.items():
        try:
            demand(name in texts, f"no report: exit code {done.returncode}, {done.stderr.strip()[:200]}")
            if command == "lint" and name == "markdown":
                demand(len(texts[name]) <= 60_000, "too long")
            else:
                check(texts[name])
            problems.append(None)
        except (AssertionError, ValueError, KeyError, IndexError, etree.XMLSyntaxError) as error:
            problems.append(f"{name}: {type(error).__name__} {error}")
    return problems


def one_case(binary, case, scratch, env):
    place = scratch / case.name
    words = prepare(case, place, env)
    outcomes = run(binary, "verify", [*words, "--strict"], place, scratch / f"{case.name}.verify", env)
    if not words:
        outcomes += run(binary, "lint", ["--min-score", "90"], place, scratch / f"{case.name}.lint", env)
    return case.name, outcomes


def main():
    parser = argparse.ArgumentParser(prog="ci/formats")
    parser.add_argument("--bin", type=Path, help="our program (default: the release build, else the debug build)")
    parser.add_argument("--cases", type=Path, default=TOP.parent / "shared" / "cases")
    options = parser.parse_args()
    target = Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target"))
    known = [options.bin] if options.bin else [target / kind / "specward" for kind in ("release", "debug")]
    binary = next((path.resolve() for path in known if path.exists()), None)
    if binary is None:
        print("formats: there is no program; run `cargo build --release`, or name one with --bin", file=sys.stderr)
        return 2
    if not options.cases.is_dir():
        print(f"skipped: {options.cases} (no such folder)")
    # Ours has criteria, and names that try to be something else in each format.
    cases = [OWN, *sorted(path.parent for path in options.cases.glob("*/EXPECT.md"))]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="formats-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        scratch = Path(folder)
        env = {"PATH": os.environ["PATH"], "HOME": folder, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for name, outcomes in pool.map(lambda case: one_case(binary, case, scratch, env), cases):
            for problem in outcomes:
                passed, failed = (passed, failed + 1) if problem else (passed + 1, failed)
                if problem:
                    print(f"  {name} · {problem}")
    print(f"{passed} passed, {failed} failed")
    return 2 if passed + failed == 0 else int(failed > 0)


sys.exit(main())
