//! What a stored run knows of a criterion. Nothing is run again.

use std::cell::RefCell;
use std::process::ExitCode;

use serde_json::json;

use crate::cli::failure::print_json;
use crate::cli::output;
use crate::cli::settings::Settings;
use crate::cli::stored::{self, BOLD, CYAN, DIM, Format, RESET, coloured, short};
use crate::gate::nearest;
use crate::ledger::{self, Listed, RunRecord};
use crate::repo::open::Repository;
use crate::report::criterion_v1::{self, CheckV1, CriterionV1};
use crate::report::{Verdict, count, unmistakable, visible};

/// What is asked for.
#[derive(Debug)]
pub struct Question<'a> {
    /// A criterion's id, or its end.
    pub name: &'a str,
    /// A run's id or the start of one; the newest run that has the criterion when none is given.
    pub run: Option<&'a str>,
    /// Whether checks that passed are shown too.
    pub all: bool,
    /// How to print.
    pub format: Format,
}

/// Why there is nothing to explain.
#[derive(Debug)]
pub enum Failure {
    /// No run that was looked at has such a criterion.
    Unknown {
        /// Ids of criteria there are, the most similar first.
        near: Vec<String>,
        /// Where was looked, in words.
        place: String,
        /// What to do.
        fix: String,
    },
    /// Something else.
    Other {
        /// What is wrong.
        message: String,
        /// What to do.
        fix: String,
    },
}

/// Explains a criterion as a stored run has it.
pub fn explain(question: &Question<'_>, settings: &Settings) -> Result<ExitCode, Failure> {
    let other = |message: String, fix: &str| Failure::Other { message, fix: fix.to_owned() };
    let (repository, folder) = stored::open(settings).map_err(|error| match question.run {
        Some(_) => Failure::Other { message: error.to_string(), fix: error.fix() },
        None => Failure::Unknown { near: Vec::new(), place: format!("no stored run ({error})"), fix: error.fix() },
    })?;
    let mut known = Vec::new();
    let mut runs = 0;
    // The newest run in which it was run: that it was skipped explains nothing.
    let skipped_in: RefCell<Option<String>> = RefCell::default();
    let mut show = |run: &RunRecord, takes_skipped: bool| -> Result<bool, Failure> {
        runs += 1;
        match find(&run.criteria, question.name) {
            Found::One(criterion) if criterion.verdict == Verdict::Skipped && !takes_skipped => {
                skipped_in.borrow_mut().get_or_insert_with(|| run.run_id.clone());
                Ok(false)
            }
            Found::One(criterion) => {
                let criterion = with_evidence(run, criterion);
                print(question, run, &criterion, moved_since(run, &repository).as_deref());
                Ok(true)
            }
            Found::Several(ids) => {
                let message = format!("several criteria are called `{}`: {}", question.name, ids.join(", "));
                Err(other(message, "give the whole id"))
            }
            Found::None => {
                known.extend(run.criteria.iter().map(|criterion| criterion.id.clone()));
                Ok(false)
            }
        }
    };
    if let Some(wanted) = question.run {
        let run = ledger::load(&folder, wanted)
            .map_err(|error| other(error.to_string(), "`specward runs` lists the runs that are stored"))?;
        if show(&run, true)? {
            return Ok(ExitCode::SUCCESS);
        }
        let fix = "`specward explain CRITERION` without --run looks in all stored runs".to_owned();
        return Err(Failure::Unknown { near: near(question.name, known), place: format!("run {}", run.run_id), fix });
    }
    let listed = ledger::list(&folder)
        .map_err(|error| other(format!("{}: {error}", folder.display()), "see who may read that folder"))?;
    for listed in listed {
        if let Listed::Run(run) = listed
            && show(&run, false)?
        {
            return Ok(ExitCode::SUCCESS);
        }
    }
    if let Some(run) = skipped_in.take().and_then(|id| ledger::load(&folder, &id).ok())
        && show(&run, true)?
    {
        return Ok(ExitCode::SUCCESS);
    }
    let (place, fix) = match runs {
        0 => ("no run is stored".to_owned(), "`specward verify` in this repository stores a run".to_owned()),
        runs => (
            format!("{} looked at", count(runs, "stored run")),
            "`specward verify` stores a run with the criteria there are now".to_owned(),
        ),
    };
    Err(Failure::Unknown { near: near(question.name, known), place, fix })
}

fn near(name: &str, mut known: Vec<String>) -> Vec<String> {
    known.sort_unstable();
    known.dedup();
    nearest(name, known.into_iter())
}

enum Found<'a> {
    One(&'a CriterionV1),
    Several(Vec<String>),
    None,
}

impl<'a> Found<'a> {
    fn of(found: &[&'a CriterionV1]) -> Self {
        match found {
            [] => Self::None,
            [one] => Self::One(one),
            several => Self::Several(several.iter().map(|criterion| criterion.name()).collect()),
        }
    }
}

/// The criterion of an id, else the only one whose id ends with `/` and the name.
fn find<'a>(criteria: &'a [CriterionV1], name: &str) -> Found<'a> {
    if let Some(criterion) = criteria.iter().find(|criterion| criterion.name() == name) {
        return Found::One(criterion);
    }
    let same: Vec<&CriterionV1> = criteria.iter().filter(|criterion| criterion.id == name).collect();
    if !same.is_empty() {
        return Found::of(&same);
    }
    let ends = |criterion: &&CriterionV1| criterion.id.strip_suffix(name).is_some_and(|start| start.ends_with('/'));
    let found: Vec<&CriterionV1> = criteria.iter().filter(|_| !name.is_empty()).filter(ends).collect();
    Found::of(&found)
}

/// The criterion with all its evidence: what it shares with others is stored with the first of them.
fn with_evidence(run: &RunRecord, criterion: &CriterionV1) -> CriterionV1 {
    let mut whole = criterion.clone();
    for check in &mut whole.checks {
        let shared = check.evidence_of.take().and_then(|name| criterion_v1::find(&run.criteria, &name));
        if let Some(shared) = shared {
            check.evidence.clone_from(&shared.evidence);
        }
    }
    whole
}

/// Says so when the commit that was judged is no longer the one that is checked out.
fn moved_since(run: &RunRecord, repository: &Repository) -> Option<String> {
    let head = repository.store().head().ok()?.commit?.to_string();
    let judged = &run.scope.head;
    let is_commit = judged.len() >= 40 && judged.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_commit && *judged != head)
        .then(|| format!("this run judged {}, and {} is checked out now", short(judged), short(&head)))
}

fn print(question: &Question<'_>, run: &RunRecord, criterion: &CriterionV1, moved: Option<&str>) {
    if question.format == Format::Human {
        return output::text(&text(run, criterion, question.all, moved));
    }
    let is_shown = |check: &&CheckV1| question.all || check.verdict != Verdict::Pass;
    let shown =
        CriterionV1 { checks: criterion.checks.iter().filter(is_shown).cloned().collect(), ..criterion.clone() };
    print_json(&json!({
        "schema_version": 1,
        "run_id": run.run_id,
        "time": run.time,
        "base": run.scope.base,
        "head": run.scope.head,
        "moved": moved,
        "passed_checks_left_out": criterion.checks.len() - shown.checks.len(),
        "criterion": shown,
    }));
}

fn text(run: &RunRecord, criterion: &CriterionV1, all: bool, moved: Option<&str>) -> String {
    let shown = |text: &str| visible(text);
    let mut out = format!("{BOLD}{}{RESET}\n", shown(&criterion.id));
    let mut field = |name: &str, value: String| out += &format!("  {name:<9}  {value}\n");
    field("title", format!("{} — {}", shown(&criterion.requirement), shown(&criterion.scenario)));
    if !criterion.ears.is_empty() {
        field("ears", shown(&criterion.ears));
    }
    if let Some(pattern) = &criterion.pattern {
        field("pattern", shown(pattern));
    }
    for judge in criterion.checks.iter().filter(|check| check.kind == "judge") {
        field("rubric", shown(&judge.subject));
    }
    field("listed in", format!("{}:{}", shown(&criterion.path), criterion.line));
    if criterion.is_of_base {
        field("version", "of base: what head says of it was not run".to_owned());
    }
    field("verdict", coloured(criterion.verdict));
    if let Some(reason) = &criterion.reason {
        field("reason", shown(reason));
    }
    for path in &criterion.touched {
        field("touched", format!("{} (a check relies on it, and the diff changes it)", shown(path)));
    }
    let scope = match &run.scope.base {
        Some(base) => format!("{}..{}", short(base), short(&run.scope.head)),
        None => short(&run.scope.head),
    };
    field("run", format!("{} ({}), {scope}", run.run_id, shown(&run.time)));
    if let Some(moved) = moved {
        field("note", shown(moved));
    }
    let mut left_out = 0;
    for check in &criterion.checks {
        if all || check.verdict != Verdict::Pass {
            out += &check_text(check);
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        out += &format!("\n{DIM}{} passed; --all shows them{RESET}\n", count(left_out, "check"));
    }
    out
}

/// A check with its evidence, line by line: what programs printed is not let loose on a terminal.
fn check_text(check: &CheckV1) -> String {
    let name = check.name.as_ref().map(|name| format!(" {}", visible(name))).unwrap_or_default();
    let (kind, seconds) = (visible(&check.kind), check.duration_ms / 1000);
    let (tenths, verdict) = (check.duration_ms % 1000 / 100, coloured(check.verdict));
    let mut out = format!("\n{CYAN}check {} {kind}{name}{RESET}  {verdict}  {seconds}.{tenths} s\n", check.index);
    out += &format!("  {}\n", unmistakable(&visible(&check.subject)));
    if !check.message.is_empty() {
        out += &format!("  {}\n", unmistakable(&visible(&check.message)));
    }
    let mut about = Vec::new();
    if check.evidence_truncated {
        about.push(format!("cut, of {}", count(usize::try_from(check.evidence_bytes).unwrap_or(usize::MAX), "byte")));
    }
    if check.redacted > 0 {
        about.push(format!("{} redacted", count(check.redacted, "secret")));
    }
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    if check.evidence.is_empty() {
        return out + &format!("  {DIM}no evidence{about}{RESET}\n");
    }
    out += &format!("  {DIM}evidence{about}:{RESET}\n");
    for line in check.evidence.lines() {
        // Behind a bar, or a CI would take a line for a command.
        out += &format!("    | {}\n", visible(&line.replace('\t', "    ")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn criterion(id: &str) -> CriterionV1 {
        let json = json!({ "id": id, "requirement": "r", "scenario": "s", "verdict": "PASS" });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn an_id_or_its_only_end_finds_a_criterion() {
        let criteria = [criterion("auth/sign-in/right"), criterion("auth/sign-out/right"), criterion("right")];
        let id = |name: &str| match find(&criteria, name) {
            Found::One(criterion) => criterion.id.clone(),
            Found::Several(ids) => format!("{} of them", ids.len()),
            Found::None => "none".to_owned(),
        };
        assert_eq!(id("right"), "right");
        assert_eq!(id("sign-in/right"), "auth/sign-in/right");
        assert_eq!(id("in/right"), "none");
        assert_eq!(id(""), "none");
        assert!(matches!(find(&criteria[..2], "right"), Found::Several(ids) if ids.len() == 2));
    }

    #[test]
    fn evidence_cannot_steer_a_terminal() {
        let check: CheckV1 = serde_json::from_value(json!({
            "index": 1, "type": "command", "verdict": "FAIL", "evidence_bytes": 9, "evidence_truncated": true, "redacted": 1,
            "evidence": "a\u{1b}[2J\rb\n\tc:\\tmp\n::error::d\u{202e}",
        }))
        .unwrap();
        let text = check_text(&check);
        assert!(text.contains("    | a\\u{1b}[2J\\rb\n    |     c:\\tmp\n    | ::error::d\\u{202e}\n"), "{text}");
        assert!(text.contains("cut, of 9 bytes, 1 secret redacted"), "{text}");
    }
}
