//! Which agents are meant.

use std::str::FromStr;

use clap::ValueEnum;

use crate::agents::Agent;

/// Which agents are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Choice {
    /// Those whose files or folders are there.
    #[default]
    Present,
    /// All that are known.
    All,
    /// These, in the order of all.
    Some(Vec<Agent>),
}

impl Choice {
    /// The agents.
    pub fn agents(&self, present: impl FnOnce() -> Vec<Agent>) -> Vec<Agent> {
        match self {
            Self::Present => present(),
            Self::All => Agent::ALL.to_vec(),
            Self::Some(agents) => agents.clone(),
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => return Ok(Self::Present),
            "all" => return Ok(Self::All),
            _ => {}
        }
        let mut agents = text.split(',').map(|name| Agent::from_str(name.trim(), false).map_err(|_| unknown(name)));
        let mut agents = agents.by_ref().collect::<Result<Vec<Agent>, String>>()?;
        agents.sort();
        agents.dedup();
        Ok(Self::Some(agents))
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = Agent::ALL.into_iter().map(Agent::id).collect();
    format!("no agent is called `{}`; name some of {}, or all", name.trim(), names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_on_the_command_line() {
        assert_eq!("".parse(), Ok(Choice::Present));
        assert_eq!("all".parse(), Ok(Choice::All));
        assert_eq!("codex, claude,codex".parse(), Ok(Choice::Some(vec![Agent::Claude, Agent::Codex])));
        for text in ["x", "claude,", "claude,all"] {
            assert!(text.parse::<Choice>().is_err_and(|error| error.contains("no agent is called")), "{text}");
        }
    }
}
