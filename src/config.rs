//! `openspec/specward.yaml`: what a project asks of the gate.

use std::collections::BTreeMap;

use globset::GlobSet;
use serde::Deserialize;

use crate::report::{Finding, Level};
use crate::rules::{self, Freeze, Origin};

mod allow;
pub mod baseline;
mod checks;
pub mod duration;
pub mod globs;
mod hooks;
mod lint;

pub use allow::{Allow, Allowed};
pub use checks::{ChecksConfig, CriteriaConfig, EVIDENCE_BYTES, JudgeConfig, Require, RunScope};
pub use hooks::HooksConfig;
pub use lint::LintConfig;

/// The file's name inside `openspec/`.
pub const FILE: &str = "specward.yaml";

/// A project's configuration. Unknown keys are errors: a misspelt one would be a rule that does not run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// Let warnings fail, as `--strict` does.
    pub strict: bool,
    /// Globs of further files, from the top of the repository, that count as spec set: tests, scripts, runner settings.
    /// A folder's name stands for all it holds.
    pub protect: Vec<String>,
    /// What edits of the spec set are allowed in a comparison: all of them (`off`), those the workflow explains, or none.
    /// Without it all of them are, and none where `--frozen-spec` or the hook of an agent asks. Base's file decides; head's
    /// can only ask for more.
    pub frozen: Option<Freeze>,
    /// Levels by rule id (`spec/no-scenario`) or group (`spec`). An id wins over its group. A rule by which the
    /// reference fails stays an error.
    pub rules: BTreeMap<String, RuleLevel>,
    /// Folders that hold an `openspec/`, from the top of the repository, when they shall not be found automatically.
    pub roots: Vec<String>,
    /// Findings that are let through, each with a reason and until a day. An error of the reference, an edit of a frozen
    /// file and what could not be checked cannot be.
    #[serde(deserialize_with = "allow::with_lines")]
    #[schemars(with = "Vec<Allow>")]
    pub allow: Vec<Allow>,
    /// Which scenarios need a check.
    pub criteria: CriteriaConfig,
    /// How checks are run.
    pub checks: ChecksConfig,
    /// Who judges by a rubric.
    pub judge: JudgeConfig,
    /// How good requirements have to be.
    pub lint: LintConfig,
    /// How often an agent is kept from ending its turn.
    pub hooks: HooksConfig,
    /// Bytes of evidence kept of each check. Of more the beginning and the end are kept.
    #[serde(alias = "max_evidence_bytes")]
    #[schemars(range(min = 1024, max = 16_777_216))]
    pub max_evidence_bytes: usize,
    /// 1-based line of `roots`, for messages.
    #[serde(skip)]
    pub roots_line: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            strict: false,
            protect: Vec::new(),
            frozen: None,
            rules: BTreeMap::new(),
            roots: Vec::new(),
            allow: Vec::new(),
            criteria: CriteriaConfig::default(),
            checks: ChecksConfig::default(),
            judge: JudgeConfig::default(),
            lint: LintConfig::default(),
            hooks: HooksConfig::default(),
            max_evidence_bytes: EVIDENCE_BYTES,
            roots_line: 0,
        }
    }
}

/// What a rule counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleLevel {
    /// Not reported.
    Off,
    /// Reported, never fails.
    Info,
    /// Fails under `--strict`.
    Warning,
    /// Fails.
    Error,
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: {message}")]
pub struct ConfigError {
    /// The file.
    pub path: String,
    /// 1-based.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Config {
    /// Parses the file's bytes. An empty file configures nothing.
    ///
    /// # Errors
    /// When it is not YAML, has a key nobody knows, a rule nobody knows, or a glob that makes no sense.
    pub fn parse(bytes: &[u8], path: &str) -> Result<Self, ConfigError> {
        let fail = |line: usize, message: String| ConfigError { path: path.to_owned(), line, message };
        let text = std::str::from_utf8(bytes).map_err(|_| fail(1, "is not UTF-8".to_owned()))?;
        if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
            return Ok(Self::default());
        }
        let options = serde_yaml::options! { strict_booleans: true, with_snippet: false };
        let config: Option<Self> = serde_yaml::from_str_with_options(text, options).map_err(|error| {
            let told = crate::openspec::yaml::told(&error);
            fail(told.line, told.message)
        })?;
        // `---` alone, say.
        let mut config = config.unwrap_or_default();
        config.roots_line = crate::openspec::yaml::line_of_key(text, "roots").unwrap_or(1);
        for name in config.rules.keys() {
            if rules::find(name).is_none() && !rules::GROUPS.iter().any(|group| group.name == name) {
                let line = crate::openspec::yaml::line_of_key(text, name).unwrap_or(1);
                return Err(fail(line, format!("there is no rule or group `{name}`{}", suggestion(name))));
            }
        }
        config
            .protected()
            .map_err(|message| fail(crate::openspec::yaml::line_of_key(text, "protect").unwrap_or(1), message))?;
        if let Some((key, message)) = config
            .checks
            .fault()
            .or_else(|| config.judge.fault())
            .or_else(|| config.lint.fault())
            .or_else(|| config.hooks.fault())
        {
            return Err(fail(crate::openspec::yaml::line_of_key(text, key).unwrap_or(1), message));
        }
        if let Some(message) = checks::evidence_fault(config.max_evidence_bytes) {
            let line = ["max-evidence-bytes", "max_evidence_bytes"]
                .iter()
                .find_map(|key| crate::openspec::yaml::line_of_key(text, key));
            return Err(fail(line.unwrap_or(1), message));
        }
        Ok(config)
    }

    /// The globs of [`Config::protect`].
    ///
    /// # Errors
    /// When one makes no sense.
    pub fn protected(&self) -> Result<GlobSet, String> {
        globs::set("protect", &self.protect)
    }

    /// Whether a project that had no configuration would be judged as strictly with this one, or more so. What decides
    /// where to look, who judges and what is run is not judged as more or less.
    pub fn only_asks_for_more(&self) -> bool {
        let more = Self {
            strict: false,
            protect: Vec::new(),
            frozen: None,
            rules: BTreeMap::new(),
            criteria: CriteriaConfig { require: Require::default(), ..self.criteria },
            lint: LintConfig::default(),
            roots_line: 0,
            ..self.clone()
        };
        matches!(self.frozen, Some(Freeze::Explained | Freeze::Strict))
            && self.rules.values().all(|level| *level == RuleLevel::Error)
            && more == Self::default()
    }

    /// Gives findings their configured levels and drops those of rules that are off.
    pub fn apply(&self, findings: &mut Vec<Finding>) {
        if self.rules.is_empty() {
            return;
        }
        findings.retain_mut(|finding| {
            let Some(level) = self.level_of(finding.rule) else { return true };
            // Neither can what was not checked be declared to be fine.
            let is_fixed = finding.cannot_check
                || rules::find(finding.rule).is_some_and(|rule| {
                    finding.level == Level::Error && rule.origin == Origin::Reference
                        || rules::criteria::keeps_checks_from_running(rule)
                });
            match level {
                _ if is_fixed => {}
                RuleLevel::Off => return false,
                RuleLevel::Info => finding.level = Level::Info,
                RuleLevel::Warning => finding.level = Level::Warning,
                RuleLevel::Error => finding.level = Level::Error,
            }
            true
        });
    }

    /// Whether a level is configured for a rule by its own id, and not by its group, other than that it is off.
    pub fn has_level_for(&self, rule: &str) -> bool {
        self.rules.get(rule).is_some_and(|level| *level != RuleLevel::Off)
    }

    fn level_of(&self, rule: &str) -> Option<RuleLevel> {
        let group = rule.split('/').next().unwrap_or_default();
        self.rules.get(rule).or_else(|| self.rules.get(group)).copied()
    }
}

pub(crate) fn suggestion(name: &str) -> String {
    let tail = name.rsplit('/').next().unwrap_or(name);
    let near = rules::all().find(|rule| rule.id.ends_with(tail) || rule.id.contains(name));
    near.map(|rule| format!("; is `{}` meant?", rule.id)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, (usize, String)> {
        Config::parse(text.as_bytes(), "specward.yaml").map_err(|error| (error.line, error.message))
    }

    #[test]
    fn empty_and_full() {
        assert_eq!(parse("# nothing\n"), Ok(Config::default()));
        let config = parse(
            "strict: true\nprotect: [\"tests/**\"]\nrules:\n  spec: warning\n  spec/no-scenario: off\nroots: [a]\n",
        );
        let config = config.unwrap_or_default();
        assert!(config.strict && config.roots == ["a"]);
        assert_eq!(config.level_of("spec/no-scenario"), Some(RuleLevel::Off));
        assert_eq!(config.level_of("spec/no-body"), Some(RuleLevel::Warning));
        assert_eq!(config.level_of("delta/no-body"), None);
    }

    #[test]
    fn what_asks_for_more() {
        let asks = |text: &str| parse(text).is_ok_and(|config| config.only_asks_for_more());
        for more in [
            "",
            "strict: true\n",
            "protect: [tests]\n",
            "rules: {spec: error}\n",
            "criteria: {require: all}\n",
            "lint: {min-score: 80}\n",
        ] {
            assert!(asks(&format!("frozen: explained\n{more}")) && asks(&format!("{more}frozen: strict\n")), "{more}");
            assert!(!asks(&format!("frozen: off\n{more}")) && !asks(more), "{more}");
        }
        for other in [
            "rules: {spec: warning}",
            "rules: {freeze/gate-edited: off}",
            "roots: [a]",
            "allow: [{rule: spec/no-scenario, path: a, reason: b, until: 2026-01-01}]",
            "criteria: {run: judged}",
            "checks: {timeout: 1}",
            "checks: {path: [tools]}",
            "judge: {command: ['true']}",
            "hooks: {same-failure: 1}",
            "max-evidence-bytes: 1024",
        ] {
            assert!(!asks(&format!("frozen: strict\n{other}\n")), "{other}");
        }
    }

    #[test]
    fn globs_of_folders_and_from_the_top() {
        let is_match = |glob: &str, path: &str| {
            let config = Config { protect: vec![glob.to_owned()], ..Config::default() };
            config.protected().is_ok_and(|set| set.is_match(path))
        };
        for glob in ["tests", "tests/", "./tests/**", "/tests/*.rs", ".//tests"] {
            assert!(is_match(glob, "tests/a.rs"), "{glob}");
            assert!(!is_match(glob, "tests.rs"), "{glob}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(parse("strict: true\nfrozn: []\n").map_err(|(line, _)| line), Err(2));
        assert_eq!(parse("rules:\n  spec/no-scenari: off\n").map_err(|(line, _)| line), Err(2));
        assert_eq!(parse("rules:\n  spec: loud\n").map_err(|(line, _)| line), Err(2));
        assert_eq!(parse("protect: [\"[\"]\n").map_err(|(line, _)| line), Err(1));
    }
}
