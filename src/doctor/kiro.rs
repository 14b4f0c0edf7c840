//! Kiro: hooks that are switched off one by one.

use serde_json::Value;

use super::check::Check;
use super::surroundings::Surroundings;
use crate::agents::Agent;
use crate::agents::json::calls_us;

const AGENT: Agent = Agent::Kiro;

/// The repository's hooks.
const HOOKS: &str = ".kiro/hooks/specward.json";

/// What keeps its hooks from running.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let document = around.own_json(HOOKS).unwrap_or_default();
    let hooks = document.get("hooks").and_then(Value::as_array).into_iter().flatten();
    let is_off = |hook: &&Value| hook.get("enabled").and_then(Value::as_bool) == Some(false) && calls_us(hook);
    let name = |hook: &Value| hook.get("name").and_then(Value::as_str).unwrap_or("one without a name").to_owned();
    let off: Vec<String> = hooks.filter(is_off).map(name).collect();
    let mut checks = Vec::new();
    if !off.is_empty() {
        let message = format!("`enabled: false` switches hooks of specward off: {}", off.join(", "));
        checks.push(Check::problem(AGENT, HOOKS, message, "run `specward init --agents=kiro`"));
    }
    checks.push(Check::info(AGENT, HOOKS, "Kiro cannot be kept from stopping: it is told what fails, and CI decides"));
    checks
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    #[test]
    fn hooks_that_are_switched_off() {
        let scratch = Scratch::new();
        scratch.install(AGENT);
        has(&checks(&scratch.around), &["info .kiro/hooks/specward.json: Kiro cannot be kept"]);
        let text = std::fs::read_to_string(scratch.around.top().join(HOOKS)).unwrap();
        scratch.write(HOOKS, &text.replacen("\"enabled\": true", "\"enabled\": false", 2));
        let names = "specward-session-start, specward-pre-tool";
        let line =
            format!("problem .kiro/hooks/specward.json: `enabled: false` switches hooks of specward off: {names}");
        has(&checks(&scratch.around), &[&line]);
    }
}
