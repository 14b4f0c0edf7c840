//! `specward hook pre-push`: each reference that is pushed, judged as its reader would.

use std::process::ExitCode;

use super::judged::{self, Updates};
use super::stdin;
use crate::cli::settings::Settings;
use crate::repo::oid::Oid;
use crate::repo::open::Repository;
use crate::repo::push::{self, Target, Update};
use crate::repo::scope::{Request, RequestKind, Undetermined};

/// Judge what is pushed: each line on standard input, as git writes them
///
/// A branch is compared with where it left the default branch of the remote, the default branch with what it is at the
/// remote. Without lines, what pre-commit says counts, and without that the commit that is checked out. Exit code 0 PASS
/// or nothing to judge, 1 FAIL, 2 could not run, 3 UNVERIFIABLE; the worst of all references.
#[derive(Debug, clap::Args)]
pub(in crate::cli::hook) struct Args {
    /// The remote's name, or its place when it has none
    #[arg(allow_hyphen_values = true)]
    remote: Option<String>,
    /// The remote's place
    #[arg(allow_hyphen_values = true)]
    url: Option<String>,
    /// Run no check of any criterion
    #[arg(long)]
    no_checks: bool,
}

pub(in crate::cli::hook) fn run(args: &Args, settings: &Settings) -> ExitCode {
    judged::exit(judge(args, settings))
}

fn judge(args: &Args, settings: &Settings) -> Result<u8, u8> {
    let repository = judged::repository(settings)?;
    let remote = args.remote.as_deref().or_else(|| settings.env.get("PRE_COMMIT_REMOTE_NAME"));
    let updates = updates(args, settings, &repository, remote)?;
    if updates.is_empty() {
        judged::say("nothing is pushed, as far as standard input says");
        return Ok(0);
    }
    let place = args.url.as_deref().or_else(|| settings.env.get("PRE_COMMIT_REMOTE_URL"));
    let target = Target::remote(&repository, remote, place, &updates).map_err(|error| judged::undetermined(&error))?;
    let task = |comparison| {
        let request = Request { kind: RequestKind::Changed, known: Some(comparison), ..Request::default() };
        judged::task(settings, request, args.no_checks)
    };
    let mut judging =
        Updates { repository: &repository, target: &target, task: &task, is_kept: true, done: Vec::new() };
    let codes: Vec<u8> = updates.iter().map(|update| judging.judge(update)).collect();
    Ok(judged::worst(codes))
}

/// What is pushed, from whoever knows.
fn updates(args: &Args, settings: &Settings, repository: &Repository, remote: Option<&str>) -> Result<Vec<Update>, u8> {
    let lines = stdin::lines().map_err(|error| {
        judged::could_not_run(
            &format!("standard input {error}"),
            "let git call this, or a hook manager that passes it on",
        )
    })?;
    let parsed = lines.iter().map(|line| {
        let [local, new, remote, old] = push::words(line).map(|words| words.map(str::to_owned)).ok_or_else(|| {
            let message = format!("standard input has the line `{line}`, which is not one that git writes");
            judged::could_not_run(&message, "each line is: local name, its id, remote name, its id")
        })?;
        Ok(Update { local, new, remote, old })
    });
    let parsed = parsed.collect::<Result<Vec<Update>, u8>>()?;
    if !parsed.is_empty() {
        return Ok(parsed);
    }
    let remote = remote.unwrap_or("origin");
    let said = match by_pre_commit(settings, repository, remote) {
        None if args.remote.is_some() => return Ok(Vec::new()),
        None => push::as_checked_out(repository, remote),
        Some(said) => said.map(Some),
    };
    Ok(said.map_err(|error| judged::undetermined(&error))?.into_iter().collect())
}

/// What pre-commit and prek say, which read standard input themselves and pass on the first line of it.
fn by_pre_commit(settings: &Settings, repository: &Repository, remote: &str) -> Option<Result<Update, Undetermined>> {
    let env = &settings.env;
    let branch = env.get("PRE_COMMIT_REMOTE_BRANCH");
    let local = env.get("PRE_COMMIT_LOCAL_BRANCH");
    // Neither a commit nor a branch: somebody runs the hook by hand.
    let revision = env.get("PRE_COMMIT_TO_REF").or(local)?;
    let update = || {
        let store = repository.store();
        let new = store.revision(revision)?.ok_or_else(|| Undetermined {
            message: format!("`{revision}`, which pre-commit says is pushed, is no commit here"),
            fix: "run `git fetch`, and push again".to_owned(),
        })?;
        let name = branch.or(local).unwrap_or("HEAD");
        let tracked = store.reference(&name.replacen("refs/heads/", &format!("refs/remotes/{remote}/"), 1))?;
        // Of a branch that is new there, what pre-commit compares with is any commit of it.
        let from = env.get("PRE_COMMIT_FROM_REF").filter(|_| tracked.is_some());
        let from = from.map(|from| store.revision(from)).transpose()?.flatten();
        let old = from.or(tracked).unwrap_or(Oid::null(store.hash_kind()));
        Ok(Update {
            local: local.unwrap_or(revision).to_owned(),
            new: new.to_string(),
            remote: name.to_owned(),
            old: old.to_string(),
        })
    };
    Some(update())
}
