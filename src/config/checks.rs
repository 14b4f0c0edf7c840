//! What a project asks of its criteria, and of the checks that prove them.

use std::time::Duration;

use serde::Deserialize;

use super::duration;

/// Bytes of evidence kept of a check unless something else is configured.
pub const EVIDENCE_BYTES: usize = 64 * 1024;

/// Bytes of evidence that can be configured.
const EVIDENCE_RANGE: std::ops::RangeInclusive<usize> = 1024..=16 * 1024 * 1024;

/// Checks that can run at once.
const MAX_JOBS: usize = 256;

/// `criteria`: which scenarios need a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct CriteriaConfig {
    /// Which scenarios need at least one check: those that are listed, also each that the difference adds or modifies, or
    /// every one.
    pub require: Require,
    /// Which criteria a comparison runs.
    pub run: RunScope,
}

/// Which criteria a comparison runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunScope {
    /// Those of the specs and changes it judges.
    Judged,
    /// All of them as soon as anything outside of `openspec/` differs, else those of what it judges.
    #[default]
    Affected,
}

/// Which scenarios need at least one check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Require {
    /// None but those that `openspec/verify/` lists.
    #[default]
    Listed,
    /// Also each scenario that the difference between base and head adds or modifies.
    Changed,
    /// Every scenario.
    All,
}

/// `checks`: how checks are run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ChecksConfig {
    /// Variables of the environment that checks get besides the usual ones: a name, or `PREFIX_*`.
    pub env: Vec<String>,
    /// Folders in which programs are looked for, in place of `PATH`. Relative ones start at the top of the repository.
    pub path: Vec<String>,
    /// After this long a check that names no time of its own is ended, and could not be run.
    #[serde(deserialize_with = "duration::deserialize")]
    #[schemars(with = "duration::Described")]
    pub timeout: Duration,
    /// How many checks run at once.
    #[schemars(range(min = 1, max = 256))]
    pub jobs: usize,
}

impl Default for ChecksConfig {
    fn default() -> Self {
        Self { env: Vec::new(), path: Vec::new(), timeout: Duration::from_secs(600), jobs: 1 }
    }
}

/// `judge`: who judges by a rubric.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct JudgeConfig {
    /// A program and its arguments, run without a shell. Nobody judges when there is none.
    pub command: Vec<String>,
    /// After this long it is ended, and could not judge.
    #[serde(deserialize_with = "duration::deserialize")]
    #[schemars(with = "duration::Described")]
    pub timeout: Duration,
}

impl Default for JudgeConfig {
    fn default() -> Self {
        Self { command: Vec::new(), timeout: Duration::from_secs(120) }
    }
}

impl ChecksConfig {
    /// What makes no sense, with the key it stands under.
    pub(super) fn fault(&self) -> Option<(&'static str, String)> {
        if let Some(name) = self.env.iter().find(|name| !is_variable(name)) {
            return Some(("env", format!("checks: `{name}` is no name of a variable and no `PREFIX_*`")));
        }
        if let Some(folder) = self.path.iter().find(|folder| folder.trim().is_empty() || folder.contains('\0')) {
            return Some(("path", format!("checks: `{folder}` is no folder")));
        }
        if !(1..=MAX_JOBS).contains(&self.jobs) {
            return Some(("jobs", format!("checks: `jobs` has to be a number from 1 to {MAX_JOBS}")));
        }
        None
    }
}

impl JudgeConfig {
    /// What makes no sense, with the key it stands under.
    pub(super) fn fault(&self) -> Option<(&'static str, String)> {
        let is_bad = self.command.first().is_some_and(|program| program.trim().is_empty())
            || self.command.iter().any(|word| word.contains('\0'));
        is_bad.then(|| ("command", "judge: `command` names no program".to_owned()))
    }
}

/// What makes no sense about the bytes of evidence.
pub(super) fn evidence_fault(bytes: usize) -> Option<String> {
    let (least, most) = (EVIDENCE_RANGE.start(), EVIDENCE_RANGE.end());
    (!EVIDENCE_RANGE.contains(&bytes))
        .then(|| format!("`max-evidence-bytes` has to be a number from {least} (1 KiB) to {most} (16 MiB)"))
}

fn is_variable(name: &str) -> bool {
    let stem = name.strip_suffix('*').unwrap_or(name);
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    stem.starts_with(is_first) && stem.chars().all(|c| is_first(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn parse(text: &str) -> Result<Config, (usize, String)> {
        Config::parse(text.as_bytes(), "specward.yaml").map_err(|error| (error.line, error.message))
    }

    #[test]
    fn defaults() {
        let config = parse("strict: true\n").unwrap_or_default();
        assert_eq!(config.criteria.require, Require::Listed);
        assert_eq!((config.checks.timeout.as_secs(), config.checks.jobs), (600, 1));
        assert_eq!((config.judge.timeout.as_secs(), config.judge.command.len()), (120, 0));
        assert_eq!(config.max_evidence_bytes, 65_536);
        assert_eq!(Config::default().max_evidence_bytes, 65_536);
    }

    #[test]
    fn everything_given() {
        let config = parse(
            "criteria: {require: changed}\nchecks:\n  env: [FOO, BAR_*]\n  path: [/opt/bin, tools]\n  timeout: 5m\n  jobs: 4\njudge:\n  command: [judge, --json]\n  timeout: 30\nmax_evidence_bytes: 1024\n",
        );
        let config = config.unwrap_or_default();
        assert_eq!(config.criteria.require, Require::Changed);
        assert_eq!(config.checks.env, ["FOO", "BAR_*"]);
        assert_eq!(config.checks.path, ["/opt/bin", "tools"]);
        assert_eq!((config.checks.timeout.as_secs(), config.checks.jobs), (300, 4));
        assert_eq!((config.judge.timeout.as_secs(), config.judge.command.len()), (30, 2));
        assert_eq!(config.max_evidence_bytes, 1024);
        assert_eq!(parse("max-evidence-bytes: 2048\n").map(|config| config.max_evidence_bytes), Ok(2048));
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line) in [
            ("criteria:\n  require: some\n", 2),
            ("criteria:\n  required: all\n", 2),
            ("checks:\n  env: ['*']\n", 2),
            ("checks:\n  env: [A=B]\n", 2),
            ("checks:\n  env: ['']\n", 2),
            ("checks:\n  path: ['']\n", 2),
            ("checks:\n  timeout: 0\n", 2),
            ("checks:\n  timeout: soon\n", 2),
            ("checks:\n  timeout: 25h\n", 2),
            ("checks:\n  jobs: 0\n", 2),
            ("checks:\n  jobs: -1\n", 2),
            ("judge:\n  command: ['']\n", 2),
            ("judge:\n  command: claude\n", 2),
            ("judge:\n  timeout: 1.5\n", 2),
            ("strict: true\nmax-evidence-bytes: 1023\n", 2),
            ("strict: true\nmax_evidence_bytes: 16777217\n", 2),
            ("max-evidence-bytes: 2048\nmax_evidence_bytes: 2048\n", 1),
        ] {
            let fault = parse(text);
            assert_eq!(fault.as_ref().map_err(|(line, _)| *line).err(), Some(line), "{text}: {fault:?}");
        }
    }
}
