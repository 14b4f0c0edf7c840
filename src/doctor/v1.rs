//! The JSON of `specward doctor`, version 1. A struct of its own: inner types may change, this may only grow.

use serde::Serialize;

use super::check::{Check, Level};

/// What was found of an installation.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "specward doctor")]
pub struct DoctorV1 {
    /// Version of this shape.
    pub schema_version: u32,
    /// Version of the program.
    pub specward: String,
    /// The top of the repository. Null when it could not be run.
    pub top: Option<String>,
    /// 0 all is well, 1 there is a problem, 2 could not run.
    pub exit_code: u8,
    /// How many problems there are.
    pub problems: usize,
    /// What was looked at, one by one.
    pub checks: Vec<CheckV1>,
    /// Why it could not be run. Null when it was.
    pub error: Option<ErrorV1>,
}

/// What one look at something came to.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckV1 {
    /// The agent it is about, by its word for `--agents`. Null when it is about all.
    pub agent: Option<String>,
    /// What was looked at: a file from the top or below `~/`, a variable, `git`, `PATH`, `sessions`.
    pub subject: String,
    /// `ok`, `info` or `problem`.
    pub level: Level,
    /// What was found.
    pub message: String,
    /// What to do. Every problem has one.
    pub fix: Option<String>,
}

/// Why nothing could be looked at.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorV1 {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub fix: Option<String>,
}

impl DoctorV1 {
    /// What checks came to.
    pub fn new(top: String, checks: &[Check]) -> Self {
        let problems = checks.iter().filter(|check| check.level == Level::Problem).count();
        Self {
            top: Some(top),
            exit_code: u8::from(problems > 0),
            problems,
            checks: checks.iter().map(CheckV1::from).collect(),
            ..Self::could_not_run(None)
        }
    }

    /// That nothing could be looked at.
    pub fn could_not_run(error: Option<ErrorV1>) -> Self {
        Self {
            schema_version: 1,
            specward: env!("CARGO_PKG_VERSION").to_owned(),
            top: None,
            exit_code: 2,
            problems: 0,
            checks: Vec::new(),
            error,
        }
    }
}

impl From<&Check> for CheckV1 {
    fn from(check: &Check) -> Self {
        let Check { agent, subject, level, message, fix } = check.clone();
        Self { agent: agent.map(|agent| agent.id().to_owned()), subject, level, message, fix }
    }
}
