//! What a project asks of the hooks of agents.

use serde::Deserialize;

use crate::session::Bounds;

/// `hooks`: how often an agent is kept from ending its turn before it is let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct HooksConfig {
    /// Times an agent is sent back for the same failure.
    #[schemars(range(min = 1, max = 100))]
    #[serde(alias = "same_failure")]
    pub same_failure: u32,
    /// Times an agent is sent back in one session.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(alias = "per_session")]
    pub per_session: u32,
}

impl Default for HooksConfig {
    fn default() -> Self {
        let Bounds { same, session } = Bounds::default();
        Self { same_failure: same, per_session: session }
    }
}

impl HooksConfig {
    /// What is wrong with it, and under which key.
    pub(super) fn fault(self) -> Option<(&'static str, String)> {
        let is_out = |number: u32, most: u32| number == 0 || number > most;
        if is_out(self.same_failure, 100) {
            return Some(("same-failure", "`hooks: same-failure` has to be from 1 to 100".to_owned()));
        }
        is_out(self.per_session, 1000)
            .then(|| ("per-session", "`hooks: per-session` has to be from 1 to 1000".to_owned()))
    }

    /// The same as bounds.
    pub fn bounds(self) -> Bounds {
        Bounds { same: self.same_failure, session: self.per_session }
    }
}
