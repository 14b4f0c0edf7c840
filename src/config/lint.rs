//! What a project asks of the quality of its specs.

use serde::{Deserialize, Deserializer};

use super::{Config, RuleLevel};
use crate::report::Level;
use crate::rules::{self, Rule};

/// `lint`: how good requirements have to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct LintConfig {
    /// Points each judged requirement needs, of 100. `specward verify` lints too when this is given: then a requirement
    /// with fewer points fails, and so does an error of a quality rule.
    #[schemars(range(max = 100))]
    #[serde(alias = "min_score", deserialize_with = "a_number")]
    pub min_score: Option<u8>,
}

/// A key without a value asks for nothing, and was meant to.
fn a_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    u8::deserialize(deserializer).map(Some)
}

impl Config {
    /// This configuration with the levels of `base` for rules that `lint` runs, where those are stricter: whoever is judged
    /// can ask for more, and not for less.
    pub fn as_strict_as(&self, base: &Self) -> Self {
        let mut config = self.clone();
        for rule in rules::all().filter(|rule| rule.weight.is_some()) {
            let is_pedantic = rule.weight.is_some_and(|weight| weight.is_pedantic);
            let is_told = |config: &Self| match is_pedantic {
                // Naming the group turns on none of these.
                true => config.has_level_for(rule.id),
                false => config.level_of(rule.id).is_some(),
            };
            if is_told(self) || is_told(base) {
                let own = if is_pedantic && !is_told(self) { RuleLevel::Off } else { self.level_for(rule) };
                let other = if is_pedantic && !is_told(base) { RuleLevel::Off } else { base.level_for(rule) };
                config.rules.insert(rule.id.to_owned(), own.max(other));
            }
        }
        config
    }

    /// The level a rule has: as configured, else its own.
    fn level_for(&self, rule: &Rule) -> RuleLevel {
        self.level_of(rule.id).unwrap_or(match rule.level {
            Level::Info => RuleLevel::Info,
            Level::Warning => RuleLevel::Warning,
            Level::Error => RuleLevel::Error,
        })
    }
}

impl LintConfig {
    /// What is wrong with it, and under which key.
    pub(super) fn fault(self) -> Option<(&'static str, String)> {
        let score = self.min_score.filter(|score| *score > 100)?;
        Some(("min-score", format!("`lint: min-score` is {score}, and a requirement has at most 100 points")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stricter_level_counts() -> Result<(), Box<dyn std::error::Error>> {
        let config = |text: &str| Config::parse(text.as_bytes(), "specward.yaml");
        let merged = |head: &str, base: &str, rule: &str| -> Result<_, Box<dyn std::error::Error>> {
            Ok(config(head)?.as_strict_as(&config(base)?).rules.get(rule).copied())
        };
        for (head, base, expected) in [
            ("rules: {quality: off}", "", Some(RuleLevel::Warning)),
            ("rules: {quality/vague: off}", "rules: {quality/vague: error}", Some(RuleLevel::Error)),
            ("rules: {quality/vague: error}", "rules: {quality/vague: off}", Some(RuleLevel::Error)),
            ("rules: {quality: off}", "rules: {quality/vague: off}", Some(RuleLevel::Off)),
            ("", "", None),
        ] {
            assert_eq!(merged(head, base, "quality/vague")?, expected, "{head} {base}");
        }
        // A rule of taste runs when one of the two names it.
        assert_eq!(merged("rules: {quality: error}", "", "quality/passive")?, None);
        assert_eq!(merged("", "rules: {quality/passive: info}", "quality/passive")?, Some(RuleLevel::Info));
        assert!(config("lint: {min-score: }").is_err() && config("lint: {min-score: 101}").is_err());
        Ok(())
    }
}
