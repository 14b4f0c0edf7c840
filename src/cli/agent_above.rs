//! Whether an agent started this process.

use std::ffi::OsString;

/// Variables that agents set for what they start, and what they are called.
const MARKS: &[(&str, &str)] = &[
    ("CLAUDECODE", "Claude Code"),
    ("CLAUDE_CODE_SESSION_ID", "Claude Code"),
    ("CODEX_SANDBOX", "Codex"),
    ("CODEX_SESSION_ID", "Codex"),
    ("CODEX_THREAD_ID", "Codex"),
    ("CODEX_CI", "Codex"),
    ("GEMINI_CLI", "Gemini CLI"),
    ("GEMINI_SESSION_ID", "Gemini CLI"),
    ("COPILOT_CLI", "GitHub Copilot"),
    ("COPILOT_AGENT_SESSION_ID", "GitHub Copilot"),
    ("CURSOR_AGENT", "Cursor"),
    ("QWEN_CODE", "Qwen Code"),
    ("QWEN_PROJECT_DIR", "Qwen Code"),
    ("OPENCODE", "OpenCode"),
    ("KIRO_SESSION_ID", "Kiro"),
    ("HERMES_SESSION_ID", "Hermes Agent"),
    ("HERMES_INTERACTIVE", "Hermes Agent"),
    ("CLINE_ACTIVE", "Cline"),
    ("AI_AGENT", "an agent"),
];

/// Programs that are agents, as the system calls them.
#[cfg(target_os = "linux")]
const PROGRAMS: &[&str] =
    &["claude", "codex", "gemini", "copilot", "cursor-agent", "qwen", "opencode", "kiro-cli", "hermes", "cline", "amp"];

/// The agent that started this process, by its own variables and by those and the names of the processes above it, as far
/// as the system tells. It is no proof that there is none.
pub fn agent_above(inherited: &[(OsString, OsString)]) -> Option<String> {
    let own = |name: &str| inherited.iter().any(|(key, value)| key == name && !value.is_empty());
    let marked = MARKS.iter().find(|(name, _)| own(name)).map(|(_, agent)| (*agent).to_owned());
    marked.or_else(above)
}

#[cfg(target_os = "linux")]
fn above() -> Option<String> {
    use std::fs;

    let mut pid = std::process::id();
    // Nobody starts anything that deep.
    for _ in 0..64 {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // Behind the name, which may hold anything: the state, and who started it.
        pid = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        if pid <= 1 {
            return None;
        }
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        if PROGRAMS.contains(&name.trim_end()) {
            return Some(name.trim_end().to_owned());
        }
        let variables = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let is_set = |mark: &str| {
            variables.split(|byte| *byte == 0).any(|one| {
                one.strip_prefix(mark.as_bytes()).is_some_and(|rest| rest.len() > 1 && rest.starts_with(b"="))
            })
        };
        if let Some((_, agent)) = MARKS.iter().find(|(name, _)| is_set(name)) {
            return Some((*agent).to_owned());
        }
    }
    None
}

#[cfg(not(target_os = "linux"))]
fn above() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_told_by_its_variables() {
        let variable = |name: &str, value: &str| vec![(OsString::from(name), OsString::from(value))];
        assert_eq!(agent_above(&variable("CLAUDECODE", "1")).as_deref(), Some("Claude Code"));
        assert_eq!(agent_above(&variable("AI_AGENT", "x")).as_deref(), Some("an agent"));
    }
}
