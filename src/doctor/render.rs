//! Checks in words: one line each, what to do at its end.

use super::check::{Check, Level};
use crate::report::{count, visible};

/// The checks, and what they come to.
pub fn human(top: &str, checks: &[Check]) -> String {
    let mut text = format!("specward {} in {}\n", env!("CARGO_PKG_VERSION"), visible(top));
    for check in checks {
        let agent = check.agent.map(|agent| format!("{agent}: ")).unwrap_or_default();
        let fix = check.fix.as_ref().map(|fix| format!("; to do: {}", visible(fix))).unwrap_or_default();
        let (subject, message) = (visible(&check.subject), visible(&check.message));
        text += &format!("{:<8}{agent}{subject}: {message}{fix}\n", check.level.word());
    }
    let number = |level| checks.iter().filter(|check| check.level == level).count();
    let notes = match number(Level::Info) {
        0 => String::new(),
        some => format!(", {} to know", count(some, "thing")),
    };
    let problems = match number(Level::Problem) {
        0 => "No problem".to_owned(),
        some => count(some, "problem"),
    };
    text += &format!("{problems}{notes}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Agent;

    #[test]
    fn each_is_one_line() {
        let checks = [
            Check::ok(None, "git", "is a repository"),
            Check::info(Agent::Claude, "a", "b").fix("c"),
            Check::problem(Agent::Codex, "x\ny", "\u{1b}[31m", "z"),
        ];
        let text = human("/repo", &checks);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "ok      git: is a repository",
                "info    claude: a: b; to do: c",
                "problem codex: x\\ny: \\u{1b}[31m; to do: z",
                "1 problem, 1 thing to know"
            ]
        );
        assert!(human("/repo", &checks[..1]).ends_with("\nNo problem\n"));
    }
}
