//! What one look at something came to.

use crate::agents::Agent;

/// How it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// As it should be.
    Ok,
    /// Something to know. Nobody has to act on it.
    Info,
    /// Something does not work, or works otherwise than it seems.
    Problem,
}

impl Level {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Info => "info",
            Self::Problem => "problem",
        }
    }
}

/// What one look at something came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The agent it is about. None when it is about all.
    pub agent: Option<Agent>,
    /// What was looked at: a file, mostly.
    pub subject: String,
    /// How it is.
    pub level: Level,
    /// What was found.
    pub message: String,
    /// What to do. Every problem has one.
    pub fix: Option<String>,
}

impl Check {
    /// That something is as it should be.
    pub fn ok(agent: impl Into<Option<Agent>>, subject: impl Into<String>, message: impl Into<String>) -> Self {
        Self { agent: agent.into(), subject: subject.into(), level: Level::Ok, message: message.into(), fix: None }
    }

    /// Something to know.
    pub fn info(agent: impl Into<Option<Agent>>, subject: impl Into<String>, message: impl Into<String>) -> Self {
        Self { level: Level::Info, ..Self::ok(agent, subject, message) }
    }

    /// Something that has to be mended.
    pub fn problem(
        agent: impl Into<Option<Agent>>,
        subject: impl Into<String>,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { level: Level::Problem, fix: Some(fix.into()), ..Self::ok(agent, subject, message) }
    }

    /// The same with what to do.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}
