//! `specward hook pre-commit`: what is staged, as `verify --staged --frozen-spec=explained` judges it.

use std::process::ExitCode;

use super::judged;
use crate::cli::settings::Settings;
use crate::repo::open::Repository;
use crate::repo::scope::{Request, RequestKind};
use crate::repo::staged;
use crate::report::{Report, Verdict};

/// Judge what is staged, as `specward verify --staged --frozen-spec=explained`
///
/// An edit that HEAD does not explain passes when the whole branch does, compared with where it left the default branch:
/// so it will be judged when it is pushed. Reads the index that git names. Exit code 0 PASS or no OpenSpec project, 1 FAIL, 2 could not run, 3 UNVERIFIABLE.
#[derive(Debug, clap::Args)]
pub(in crate::cli::hook) struct Args {
    /// Run no check of any criterion
    #[arg(long)]
    no_checks: bool,
}

pub(in crate::cli::hook) fn run(args: &Args, settings: &Settings) -> ExitCode {
    let request = Request { kind: RequestKind::Staged, ..Request::default() };
    // Checks take the time, and which comparison counts does not hang on them: they run once, with that one.
    let request = match is_edited(settings, &request) {
        true => as_branch(settings).unwrap_or(request),
        false => request,
    };
    let outcome = judged::report(&judged::task(settings, request, args.no_checks));
    judged::exit(Ok(judged::tell(outcome, "what is staged", true)))
}

/// Whether edits of the spec set are what is wrong, or part of it.
fn is_edited(settings: &Settings, request: &Request) -> bool {
    judged::report(&judged::task(settings, request.clone(), true)).is_ok_and(|report| has_edits(&report))
}

fn has_edits(report: &Report) -> bool {
    report.verdict == Verdict::Fail && report.findings.iter().any(|finding| finding.rule.starts_with("freeze/"))
}

/// The same for the whole branch, when that explains the edits: a proposal that is not on the default branch yet may be
/// written on, and an edit that should not have been committed may be undone. What HEAD has is no agreement by itself.
fn as_branch(settings: &Settings) -> Option<Request> {
    let repository = Repository::open(&settings.cwd, &settings.env).ok()?;
    if repository.is_merging() {
        return None;
    }
    let comparison = staged::as_branch(&repository).ok().flatten()?;
    let request = Request { kind: RequestKind::Staged, known: Some(comparison), ..Request::default() };
    // A run that could not happen explains nothing.
    let report = judged::report(&judged::task(settings, request.clone(), true)).ok()?;
    (report.reasons.is_empty() && !has_edits(&report)).then_some(request)
}
