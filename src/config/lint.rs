//! What a project asks of the quality of its specs.

use serde::Deserialize;

/// `lint`: how good requirements have to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct LintConfig {
    /// Points each judged requirement needs, of 100. `specward verify` lints too when this is given: then a requirement
    /// with fewer points fails, and so does an error of a quality rule.
    #[schemars(range(max = 100))]
    #[serde(alias = "min_score")]
    pub min_score: Option<u8>,
}

impl LintConfig {
    /// What is wrong with it, and under which key.
    pub(super) fn fault(self) -> Option<(&'static str, String)> {
        let score = self.min_score.filter(|score| *score > 100)?;
        Some(("min-score", format!("`lint: min-score` is {score}, and a requirement has at most 100 points")))
    }
}
