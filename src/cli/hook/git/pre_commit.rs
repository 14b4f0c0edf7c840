//! `specward hook pre-commit`: what is staged, as `verify --staged --frozen-spec=explained` judges it.

use std::process::ExitCode;

use super::judged;
use crate::cli::settings::Settings;
use crate::repo::scope::{Request, RequestKind};

/// Judge what is staged, as `specward verify --staged --frozen-spec=explained`
///
/// Reads the index that git names. Exit code 0 PASS or no OpenSpec project, 1 FAIL, 2 could not run, 3 UNVERIFIABLE.
#[derive(Debug, clap::Args)]
pub(in crate::cli::hook) struct Args {
    /// Run no check of any criterion
    #[arg(long)]
    no_checks: bool,
}

pub(in crate::cli::hook) fn run(args: &Args, settings: &Settings) -> ExitCode {
    let request = Request { kind: RequestKind::Staged, ..Request::default() };
    let task = judged::task(settings, request, args.no_checks);
    judged::exit(Ok(judged::run(&task, "what is staged", true)))
}
