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
    let outcome = judged::report(&judged::task(settings, request, args.no_checks));
    let outcome = match outcome {
        Ok(report) if is_edited(&report) => Ok(as_branch(args, settings).unwrap_or(report)),
        outcome => outcome,
    };
    judged::exit(Ok(judged::tell(outcome, "what is staged", true)))
}

/// Whether edits of the spec set are what is wrong, or part of it.
fn is_edited(report: &Report) -> bool {
    report.verdict == Verdict::Fail && report.findings.iter().any(|finding| finding.rule.starts_with("freeze/"))
}

/// The same for the whole branch, when that explains the edits: a proposal that is not on the default branch yet may be
/// written on, and an edit that should not have been committed may be undone. What HEAD has is no agreement by itself.
fn as_branch(args: &Args, settings: &Settings) -> Option<Report> {
    let repository = Repository::open(&settings.cwd, &settings.env).ok()?;
    if repository.is_merging() {
        return None;
    }
    let comparison = staged::as_branch(&repository).ok().flatten()?;
    let request = Request { kind: RequestKind::Staged, known: Some(comparison), ..Request::default() };
    let report = judged::report(&judged::task(settings, request, args.no_checks)).ok()?;
    Some(report).filter(|report| !is_edited(report))
}
