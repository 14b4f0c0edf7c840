//! What `openspec/specward.yaml` asks of hooks, and what it lets through.

use crate::config::{Config, HooksConfig, RuleLevel};
use crate::rules::Freeze;

use super::check::Check;
use super::reading;
use super::surroundings::Surroundings;
use crate::report::count;

/// What holds where nobody says what is frozen.
const UNSAID: &str = "hooks let no edit of a spec pass, `specward ci` those that the workflow explains, and `specward verify` \
                      each one unless --frozen-spec is given";

/// What the configuration makes of hooks.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let subject = around.config.as_str();
    let text = match reading::text(&around.top().join(subject)) {
        Ok(Some(text)) => text,
        Ok(None) => {
            let message = format!("is not there: {UNSAID}");
            return vec![
                Check::info(None, subject, message).fix("run `specward init`, which writes `frozen: explained`"),
            ];
        }
        Err(message) => return vec![Check::problem(None, subject, message, "mend it")],
    };
    let config = match Config::parse(text.as_bytes(), subject) {
        Ok(config) => config,
        Err(error) => {
            let message = format!("line {}: {}", error.line, error.message);
            return vec![Check::problem(None, subject, message, "mend it: with it nothing can be verified")];
        }
    };
    let mut checks = vec![frozen(subject, config.frozen)];
    let off = config.rules.iter().filter(|(_, level)| **level == RuleLevel::Off).map(|(name, _)| name.as_str());
    let off: Vec<&str> = off.collect();
    if !off.is_empty() {
        checks.push(Check::info(None, subject, format!("rules are switched off: {}", off.join(", "))));
    }
    if !config.allow.is_empty() {
        let rules: Vec<&str> = config.allow.iter().filter_map(|allow| allow.rule.as_deref()).collect();
        let message = format!("`allow` lets findings pass: {}", rules.join(", "));
        checks.push(Check::info(None, subject, message));
    }
    checks.extend(bounds(subject, config.hooks));
    checks
}

fn frozen(subject: &str, freeze: Option<Freeze>) -> Check {
    match freeze {
        Some(Freeze::Explained) => {
            Check::ok(None, subject, "`frozen: explained`: an agent may propose a change and weaken none")
        }
        Some(Freeze::Strict) => Check::ok(None, subject, "`frozen: strict`: an agent may edit no spec"),
        Some(Freeze::Off) => {
            let message = "`frozen: off`: no hook refuses to write a spec before it happens";
            Check::problem(None, subject, message, "write `frozen: explained`")
        }
        None => {
            let message = format!("has no `frozen`: {UNSAID}");
            Check::info(None, subject, message).fix("write `frozen: explained` or `frozen: strict`")
        }
    }
}

/// How often an agent is sent back, when that is more often than agents themselves allow.
fn bounds(subject: &str, hooks: HooksConfig) -> Option<Check> {
    let usual = HooksConfig::default();
    if hooks.same_failure <= usual.same_failure && hooks.per_session <= usual.per_session {
        return None;
    }
    let message = format!(
        "`hooks` sends an agent back up to {} for the same failure and {} in a session; usual are {} and {}",
        count(hooks.same_failure as usize, "time"),
        hooks.per_session,
        usual.same_failure,
        usual.per_session
    );
    Some(Check::info(None, subject, message))
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    #[test]
    fn what_it_makes_of_hooks() {
        let path = "openspec/specward.yaml";
        has(&checks(&Scratch::new().around), &["info openspec/specward.yaml: is not there"]);
        for (text, lines) in [
            ("frozen: explained\n", &["ok openspec/specward.yaml: `frozen: explained`"] as &[&str]),
            ("frozen: strict\n", &["ok openspec/specward.yaml: `frozen: strict`"]),
            ("frozen: off\n", &["problem openspec/specward.yaml: `frozen: off`"]),
            ("", &["info openspec/specward.yaml: has no `frozen`"]),
            ("\nfrozzen: 1\n", &["problem openspec/specward.yaml: line 2: "]),
            ("rules: {task: off, spec: info}\n", &["info openspec/specward.yaml: rules are switched off: task"]),
            ("hooks: {same-failure: 9}\n", &["info openspec/specward.yaml: `hooks` sends an agent back up to 9 times"]),
            (
                "allow:\n- {rule: spec/no-body, reason: later, expires: 2099-01-01}\n",
                &["info openspec/specward.yaml: `allow` lets findings pass: spec/no-body"],
            ),
        ] {
            let scratch = Scratch::new();
            scratch.write(path, text);
            has(&checks(&scratch.around), lines);
        }
    }
}
