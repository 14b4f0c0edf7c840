//! The environment, read once. No other module asks the operating system for variables.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

use crate::repo::environment::Environment;

/// What a command gets from outside its arguments.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where the command was started.
    pub cwd: PathBuf,
    /// Variables that decide something.
    pub env: Environment,
    /// The day it is, in UTC: everywhere the same.
    pub today: Date,
    /// All variables there are. Nothing here decides by them: checks get those that are allowed.
    pub inherited: Vec<(OsString, OsString)>,
}

/// Prefixes of the variables that decide something: our own, git's, the CI systems', those by which agents that read each
/// other's settings are told apart, and those that say where agents and programs are found.
const RELEVANT: &[&str] = &[
    "SPECWARD_",
    "GIT_",
    "GITHUB_",
    "CI",
    "PRE_COMMIT_",
    "GITLAB_CI",
    "RUNNER_TEMP",
    "CHANGE_",
    "JENKINS_URL",
    "TF_BUILD",
    "SYSTEM_PULLREQUEST_",
    "BITBUCKET_",
    "BUILDKITE",
    "COPILOT_",
    "CURSOR_",
    "CLAUDE_",
    "GEMINI_",
    "QWEN_",
    "CODEX_",
    "HERMES_",
    "HOME",
    "USERPROFILE",
    "PATH",
];

impl Settings {
    /// Reads the process's environment.
    ///
    /// # Errors
    /// When the working directory is gone.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn from_process() -> io::Result<Self> {
        let inherited: Vec<(OsString, OsString)> = env::vars_os().collect();
        let env = inherited
            .iter()
            .filter_map(|(name, value)| Some((name.to_str()?.to_owned(), value.clone())))
            .filter(|(name, _)| RELEVANT.iter().any(|prefix| name.starts_with(prefix)))
            .collect();
        let today = Offset::UTC.to_datetime(Timestamp::now()).date();
        Ok(Self { cwd: env::current_dir()?, env, today, inherited })
    }
}
