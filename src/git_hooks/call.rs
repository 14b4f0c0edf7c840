//! Calls of ours in somebody's script.

use super::GitHook;

/// What every call of ours from a hook begins with.
const CALL: &str = "specward hook ";

/// How a script calls ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    /// Not at all.
    None,
    /// With the script's own standard input.
    Bare,
    /// With standard input of its own.
    Fed,
}

/// How a script calls ours for a hook. Comments are passed over.
pub(super) fn call(script: &str, hook: GitHook) -> Call {
    let is_part = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    let of_line = |line: &str| {
        let Some((before, rest)) = line.split_once(CALL) else { return Call::None };
        match rest.trim_start().strip_prefix(hook.id()) {
            Some(rest) if !rest.starts_with(is_part) => {
                if before.trim_end().ends_with('|') || rest.contains('<') {
                    Call::Fed
                } else {
                    Call::Bare
                }
            }
            _ => Call::None,
        }
    };
    let lines = script.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.map(of_line).max().unwrap_or(Call::None)
}

/// Whether a script calls ours for any hook, or may.
pub(super) fn is_any(script: &[u8]) -> bool {
    memchr::memmem::find(script, CALL.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_scripts() {
        for (text, wanted) in [
            ("specward hook pre-push \"$1\" \"$2\"", Call::Bare),
            ("cat\nexec ~/.cargo/bin/specward hook pre-push \"$@\"", Call::Bare),
            ("printf '%s\\n' \"$lines\" | specward hook pre-push \"$@\"", Call::Fed),
            ("specward hook pre-push \"$@\" <<LINES || exit $?\n$lines\nLINES", Call::Fed),
            ("  # specward hook pre-push", Call::None),
            ("specward hook pre-commit", Call::None),
            ("specward hook pre-push-not", Call::None),
        ] {
            assert_eq!(call(text, GitHook::PrePush), wanted, "{text}");
        }
    }
}
