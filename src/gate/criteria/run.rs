//! Runs the checks of the planned criteria: commands first, equal ones once, then what looks at files, the judge last.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::bench::Bench;
use super::plan::{Key, Planned, Settings, commands, key};
use super::trust;
use crate::criteria::checks::command::Output;
use crate::criteria::checks::judge::{Diff, Question};
use crate::criteria::checks::{command, file, judge, junit, search};
use crate::criteria::evidence::Keeper;
use crate::criteria::process::{self, End, Ended, Order};
use crate::criteria::{CheckKind, JudgeCheck, Observed};
use crate::gate::verify::{Progress, Task};
use crate::report::{CheckResult, CriterionResult, Evidence, Reason, Verdict, display_path, shown_line};

/// Bytes of the difference that the judge is given.
const MAX_DIFFERENCE: usize = 512 * 1024;

/// Runs everything that is planned. The results are in the order of the plan.
pub(super) fn run(
    planned: &[Planned],
    settings: &[Settings],
    bench: &dyn Bench,
    task: &Task,
    progress: &Progress,
) -> Vec<CriterionResult> {
    let reports = reports(planned, bench);
    let runner = Runner { planned, settings, bench, task, progress, reports };
    let (keys, places) = commands(planned, settings);
    let judges = runner.judges();
    progress.checks_total.store(keys.len() + judges.len(), Ordering::Relaxed);
    let ended = runner.run_commands(&keys);
    let mut results: Vec<CriterionResult> = planned
        .iter()
        .map(|one| {
            let observe = |at: usize| {
                let shared = key(one, at, settings).and_then(|key| places.get(&key)).map(|at| &ended[*at]);
                // A fault of ours is no verdict on this check, and the others are still looked at.
                let looked = catch_unwind(AssertUnwindSafe(|| runner.observe(one, at, shared)));
                looked.unwrap_or_else(|_| Some(runner.crashed(one)))
            };
            runner.result(one, observe)
        })
        .collect();
    runner.ask_judges(&judges, &mut results);
    for (result, one) in results.iter_mut().zip(planned) {
        settle(result, one);
    }
    results
}

struct Runner<'a> {
    planned: &'a [Planned],
    settings: &'a [Settings],
    bench: &'a dyn Bench,
    task: &'a Task,
    progress: &'a Progress,
    /// What reports of tests were before anything ran.
    reports: BTreeMap<String, junit::Mark>,
}

/// Notes the reports of tests that checks look at.
fn reports(planned: &[Planned], bench: &dyn Bench) -> BTreeMap<String, junit::Mark> {
    let checks = planned.iter().filter(|one| one.skipped.is_none()).flat_map(|one| &one.criterion.checks);
    let mut names = checks.filter_map(|check| match &check.kind {
        CheckKind::Junit(check) => Some(&check.report),
        _ => None,
    });
    let started = SystemTime::now();
    let Some(first) = names.next() else { return BTreeMap::new() };
    // Without a folder no report is looked at either.
    let Ok(folder) = bench.folder() else { return BTreeMap::new() };
    let mark = |name: &String| (name.clone(), junit::Mark::new(name, &folder, started));
    std::iter::once(first).chain(names).map(mark).collect()
}

/// What a shared command came to, or why it was not run.
type Shared = Result<Run, Reason>;

/// A command that was run, made ready for all checks that share it.
struct Run {
    ended: Ended,
    output: Output,
    evidence: Evidence,
}

/// What a check saw, as it is kept.
struct Seen {
    verdict: Verdict,
    message: String,
    evidence: Evidence,
    duration: Duration,
}

impl Seen {
    fn of(observed: Observed, duration: Duration, keeper: &Keeper) -> Self {
        let Observed { verdict, message, evidence: text, dropped } = observed;
        Self { verdict, message: keeper.line(&message), evidence: keeper.evidence(&text, dropped), duration }
    }

    fn skipped(why: &str) -> Self {
        let (verdict, evidence) = (Verdict::Skipped, Evidence::default());
        Self { verdict, message: why.to_owned(), evidence, duration: Duration::ZERO }
    }
}

impl Runner<'_> {
    /// Where programs are started, if they may be.
    fn ground(&self) -> Result<PathBuf, Reason> {
        trust::refusal(self.task).map_or_else(|| self.bench.folder(), Err)
    }

    fn run_commands(&self, keys: &[Key]) -> Vec<Shared> {
        if keys.is_empty() {
            return Vec::new();
        }
        let folder = match self.ground() {
            Ok(folder) => folder,
            Err(reason) => return keys.iter().map(|_| Err(reason.clone())).collect(),
        };
        process::kill_on_signals();
        let jobs = self.settings.iter().map(|settings| settings.jobs).max().unwrap_or(1);
        self.in_parallel(jobs, keys.len(), |at| {
            let (project, command, timeout) = &keys[at];
            let order = Order {
                command,
                folder: &folder,
                env: &self.settings[*project].env,
                stdin: None,
                timeout: *timeout,
                marker: &format!("{}/{}", self.task.run_id, at + 1),
            };
            let ended = self.watched(&command.to_string(), || process::run(&order));
            let output = Output::of(&ended);
            let (text, dropped) = command::evidence(command, &ended, &output);
            let evidence = self.settings[*project].keeper.evidence(&text, dropped);
            Ok(Run { ended, output, evidence })
        })
    }

    /// Calls `work` for each number below `count`, some at a time, and returns what comes out in order.
    fn in_parallel<T: Send + Sync>(&self, jobs: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let slots: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
        let next = AtomicUsize::new(0);
        let take = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = slots.get(at) else { break };
                slot.get_or_init(|| work(at));
            }
        };
        thread::scope(|scope| {
            for _ in 1..jobs.min(count) {
                scope.spawn(take);
            }
            take();
        });
        slots.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// Does some work while whoever watches can see that it runs.
    fn watched<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        let running = || self.progress.running.lock().unwrap_or_else(PoisonError::into_inner);
        let started = Instant::now();
        running().push((shown_line(what), started));
        let done = work();
        let mut list = running();
        if let Some(at) = list.iter().position(|(_, since)| *since == started) {
            list.remove(at);
        }
        drop(list);
        self.progress.checks_done.fetch_add(1, Ordering::Relaxed);
        done
    }

    fn crashed(&self, one: &Planned) -> Seen {
        let message = "specward crashed while it looked; report it to the specward project with this criterion";
        Seen::of(Observed::unverifiable(message, ""), Duration::ZERO, &self.settings[one.project].keeper)
    }

    /// What a check sees. None when it is the judge's turn later.
    fn observe(&self, one: &Planned, at: usize, shared: Option<&Shared>) -> Option<Seen> {
        let check = &one.criterion.checks[at];
        let started = Instant::now();
        let keeper = &self.settings[one.project].keeper;
        let observed = match &check.kind {
            CheckKind::Command(command) => {
                if let Some(why) = one.trivial[at] {
                    let message = format!("this command proves nothing: {why}; name one that runs a test");
                    return Some(Seen::of(Observed::unverifiable(message, ""), Duration::ZERO, keeper));
                }
                return match shared? {
                    Ok(run) => {
                        let (verdict, message) = command::judge(command, &run.ended, &run.output);
                        let (message, evidence) = (keeper.line(&message), run.evidence.clone());
                        Some(Seen { verdict, message, evidence, duration: run.ended.duration })
                    }
                    Err(reason) => Some(Seen::of(not_run(reason), Duration::ZERO, keeper)),
                };
            }
            CheckKind::File(check) => self.look(|files| file::judge(check, files)),
            CheckKind::Search(check) => self.look(|files| search::judge(check, files)),
            CheckKind::Junit(check) => match (self.bench.folder(), self.reports.get(&check.report)) {
                (Ok(folder), Some(mark)) => junit::judge(check, &folder, mark),
                (Ok(_), None) => Observed::unverifiable("nobody noted what the report was before the run", ""),
                (Err(reason), _) => not_run(&reason),
            },
            CheckKind::Judge(_) if self.task.checks.is_without_judge => return Some(Seen::skipped("--no-judge")),
            CheckKind::Judge(_) if self.settings[one.project].judge.is_none() => Observed::unverifiable(
                "there is no judge: name a command with `judge: command:` in openspec/specward.yaml",
                "",
            ),
            CheckKind::Judge(_) => return None,
        };
        Some(Seen::of(observed, started.elapsed(), keeper))
    }

    fn look(&self, judge: impl Fn(&dyn crate::repo::snapshot::Snapshot) -> Observed) -> Observed {
        let mut observed = Observed::unverifiable("nobody looked", "");
        match self.bench.with_files(&mut |files| observed = judge(files)) {
            Ok(()) => observed,
            Err(reason) => not_run(&reason),
        }
    }

    fn result(&self, one: &Planned, observe: impl Fn(usize) -> Option<Seen>) -> CriterionResult {
        let criterion = &one.criterion;
        let checks = (0..criterion.checks.len()).map(|at| {
            let seen = if one.skipped.is_some() { None } else { observe(at) };
            self.check_result(one, at, seen.unwrap_or_else(|| Seen::skipped("not run")))
        });
        CriterionResult {
            id: criterion.id.clone(),
            root: one.root.clone(),
            capability: criterion.capability.clone(),
            requirement: criterion.requirement.clone(),
            scenario: criterion.scenario.clone(),
            ears: one.ears.clone(),
            pattern: one.pattern.map(str::to_owned),
            path: display_path(criterion.path.as_ref()),
            line: criterion.line + 1,
            is_of_base: one.is_of_base,
            verdict: Verdict::Skipped,
            reason: None,
            checks: checks.collect(),
            touched: one.touched.clone(),
        }
    }

    fn check_result(&self, one: &Planned, at: usize, seen: Seen) -> CheckResult {
        let check = &one.criterion.checks[at];
        CheckResult {
            index: at + 1,
            kind: check.kind.word(),
            name: check.name.clone(),
            subject: self.settings[one.project].keeper.line(&check.kind.to_string()),
            verdict: seen.verdict,
            message: seen.message,
            evidence: seen.evidence,
            duration: seen.duration,
        }
    }

    /// The judge's checks, as places in the plan and in the criterion.
    fn judges(&self) -> Vec<(usize, usize, &JudgeCheck)> {
        let mut found = Vec::new();
        for (place, one) in self.planned.iter().enumerate().filter(|(_, one)| one.skipped.is_none()) {
            if self.task.checks.is_without_judge || self.settings[one.project].judge.is_none() {
                continue;
            }
            for (at, check) in one.criterion.checks.iter().enumerate() {
                if let CheckKind::Judge(judge) = &check.kind {
                    found.push((place, at, judge));
                }
            }
        }
        found
    }

    fn ask_judges(&self, judges: &[(usize, usize, &JudgeCheck)], results: &mut [CriterionResult]) {
        if judges.is_empty() {
            return;
        }
        let folder = self.ground();
        let difference = self.bench.difference(MAX_DIFFERENCE);
        process::kill_on_signals();
        let jobs = self.settings.iter().map(|settings| settings.jobs).max().unwrap_or(1);
        let asked = &*results;
        let answers = self.in_parallel(jobs, judges.len(), |number| {
            let (place, at, check) = judges[number];
            let (one, result) = (&self.planned[place], &asked[place]);
            let started = Instant::now();
            let folder = match &folder {
                Ok(folder) => folder,
                Err(reason) => return (not_run(reason), Duration::ZERO),
            };
            let Some((command, timeout)) = &self.settings[one.project].judge else {
                return (Observed::unverifiable("there is no judge", ""), Duration::ZERO);
            };
            let diff = difference.as_ref().map(|(text, is_all)| Diff { text, truncated: !is_all });
            let document = judge::document(&Question {
                criterion: &one.criterion,
                ears: &one.ears,
                text: &one.steps,
                rubric: &check.rubric,
                threshold: check.threshold,
                diff,
                evidence: &result.checks,
            });
            let order = Order {
                command,
                folder,
                env: &self.settings[one.project].env,
                stdin: Some(document.as_bytes()),
                timeout: one.criterion.checks[at].timeout.unwrap_or(*timeout),
                marker: &format!("{}/judge-{}", self.task.run_id, number + 1),
            };
            let ended = self.watched(&format!("judge of {}", result.id), || process::run(&order));
            (answered(&ended, check.threshold), started.elapsed())
        });
        for ((place, at, _), (observed, duration)) in judges.iter().zip(answers) {
            let one = &self.planned[*place];
            let keeper = &self.settings[one.project].keeper;
            let seen = Seen::of(observed, duration, keeper);
            results[*place].checks[*at] = self.check_result(one, *at, seen);
        }
    }
}

/// What the judge's command answered, when it came to an answer.
fn answered(ended: &Ended, threshold: u16) -> Observed {
    let how = match &ended.end {
        End::Exited(0) => return judge::answer(&ended.stdout.text(), threshold),
        End::Exited(code) => format!("ended with exit code {code}"),
        End::Signalled(signal) => format!("was ended by signal {signal}"),
        End::TimedOut => "did not answer in time; give it longer with `judge: timeout:`".to_owned(),
        End::NotFound(why) | End::NotStarted(why) => format!("could not be run: {why}"),
        End::Interrupted => "was interrupted".to_owned(),
    };
    Observed::unverifiable(format!("the judge {how}"), ended.stderr.text())
}

fn not_run(reason: &Reason) -> Observed {
    Observed::unverifiable(format!("{}; {}", reason.message, reason.fix), "")
}

/// Adds up a criterion's verdict.
fn settle(result: &mut CriterionResult, one: &Planned) {
    if let Some(why) = &one.skipped {
        (result.verdict, result.reason) = (Verdict::Skipped, Some(why.clone()));
        return;
    }
    if result.checks.is_empty() {
        result.verdict = Verdict::Unverifiable;
        result.reason = Some(format!("it has no check: add one to `verify` in {}", result.path));
        return;
    }
    result.verdict = result.checks.iter().map(|check| check.verdict).fold(Verdict::Skipped, Verdict::worst);
    if result.verdict == Verdict::Skipped {
        result.reason = Some("all of its checks ask the judge (--no-judge)".to_owned());
    }
}
