//! Which shell commands are ours, and which of others call us.

/// Our calls, without the agent.
const CALLS: [&str; 3] = ["specward hook session-start", "specward hook pre-tool", "specward hook stop"];

/// What a command of ours begins with, in any version, and what it ends in.
const FRAMES: [(&str, &[&str]); 2] = [
    ("command -v specward >/dev/null 2>&1 || ", &["; exit 0", " esac"]),
    ("if (Get-Command specward -ErrorAction SilentlyContinue) {", &["}; exit 0"]),
];

/// Whether a command is one that we write or wrote: our call in its frame, or alone. One with more in it is somebody
/// else's.
pub(super) fn is_ours(command: &str) -> bool {
    let command = command.trim();
    let calls = CALLS.iter().map(|call| command.matches(call).count()).sum::<usize>();
    let is_framed = FRAMES
        .iter()
        .any(|(start, ends)| command.starts_with(start) && ends.iter().any(|end| command.ends_with(end)) && calls == 1);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " -_=./".contains(c);
    is_framed || CALLS.iter().any(|call| command.starts_with(call)) && command.chars().all(is_plain)
}

/// The call in a command of ours, with the agent.
pub(super) fn call(command: &str) -> Option<&str> {
    let start = CALLS.iter().find_map(|call| command.find(call))?;
    let call = &command[start..];
    Some(call[..call.find(|c: char| !c.is_ascii_alphanumeric() && !" -".contains(c)).unwrap_or(call.len())].trim_end())
}

/// Whether a command has a call where a shell runs it, not as words that are printed.
pub(super) fn calls(command: &str, call: &str) -> bool {
    command.match_indices(call).any(|(at, _)| {
        let before = command[..at].trim_end_matches(|c: char| !c.is_whitespace() && !";&|(){}'\"`".contains(c));
        let is_path = before.len() == at || command[before.len()..at].ends_with('/');
        let before = before.trim_end_matches([' ', '\t']);
        let word = before.rsplit(|c: char| c.is_whitespace() || ";&|(){}".contains(c)).next().unwrap_or_default();
        let starts = before.is_empty() || before.ends_with(['\n', ';', '&', '|', '(', '{', '!']);
        let is_whole = !command[at + call.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
        is_path && is_whole && (starts || matches!(word, "then" | "do" | "else" | "exec" | "time" | "if"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_a_command_is() {
        for (command, is_it) in [
            ("specward hook stop", true),
            ("specward hook stop --agent claude --timeout 200", true),
            (" command -v specward >/dev/null 2>&1 || exit 0; specward hook stop --agent claude; exit 0", true),
            ("if (Get-Command specward -ErrorAction SilentlyContinue) { specward hook stop }; exit 0", true),
            ("specward hook stop && make lint", false),
            ("make lint && specward hook stop --agent claude", false),
            ("echo 'run specward hook stop'", false),
            ("command -v specward >/dev/null 2>&1 || exit 0; specward hook stop; exit 0; make", false),
            ("command -v specward >/dev/null 2>&1 || exit 0; specward verify; exit 0", false),
            ("specward verify", false),
        ] {
            assert_eq!(is_ours(command), is_it, "{command}");
        }
    }

    #[test]
    fn what_a_command_calls() {
        let ours = "specward hook stop --agent claude";
        assert_eq!(call("command -v specward || exit 0; specward hook stop --agent claude; exit 0"), Some(ours));
        assert_eq!(call("specward verify"), None);
        for (command, does) in [
            ("make && specward hook stop --agent claude", true),
            ("specward hook stop --agent claude | tee x", true),
            ("if specward hook stop --agent claude; then x; fi", true),
            ("cd x; ./bin/specward hook stop --agent claude", true),
            ("(specward hook stop --agent claude)", true),
            ("echo specward hook stop --agent claude", false),
            ("echo 'specward hook stop --agent claude'", false),
            ("make; specward hook stop --agent claude2", false),
            ("make; myspecward hook stop --agent claude", false),
            ("make; specward hook stop --agent codex", false),
        ] {
            assert_eq!(calls(command, ours), does, "{command}");
        }
    }
}
