//! Stored runs as commands show them.

use std::path::PathBuf;
use std::process::ExitCode;

use super::COULD_NOT_RUN;
use super::output;
use super::settings::Settings;
use crate::ledger::runs_folder;
use crate::repo::open::{OpenError, Repository};
use crate::report::{Verdict, visible};

pub const BOLD: &str = "\u{1b}[1m";
pub const DIM: &str = "\u{1b}[2m";
pub const CYAN: &str = "\u{1b}[36m";
pub const RESET: &str = "\u{1b}[0m";

/// Formats of what is shown of stored runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}

/// The repository around the working directory and the folder of its stored runs.
pub fn open(settings: &Settings) -> Result<(Repository, PathBuf), OpenError> {
    let repository = Repository::open(&settings.cwd, &settings.env)?;
    let folder = runs_folder(repository.common_dir());
    Ok((repository, folder))
}

/// Says why a command could not do its work.
pub fn could_not_run(message: &str, fix: &str) -> ExitCode {
    output::stderr(&format!("error: {}\nfix: {}\n", visible(message), visible(fix)));
    ExitCode::from(COULD_NOT_RUN)
}

/// A verdict in its colour.
pub fn coloured(verdict: Verdict) -> String {
    let colour = match verdict {
        Verdict::Pass => "\u{1b}[32m",
        Verdict::Fail => "\u{1b}[31m",
        Verdict::Unverifiable => "\u{1b}[33m",
        Verdict::Skipped => DIM,
    };
    format!("{colour}{}{RESET}", verdict.word())
}

/// A commit's id as people say it. `worktree` and `index` stay.
pub fn short(commit: &str) -> String {
    let is_id = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_id { commit[..10].to_owned() } else { visible(commit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_shortened_and_words_are_not() {
        assert_eq!(short("9fceb02d0ae598e95dc970b74767f19372d61af8"), "9fceb02d0a");
        assert_eq!(short("worktree"), "worktree");
        assert_eq!(short(&"ä".repeat(40)), "ä".repeat(40));
    }
}
