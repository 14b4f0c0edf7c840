//! What GitHub Actions reads: commands in the log, and files with outputs and the summary of a step.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Most bytes of a step's summary: what is longer is not shown at all.
pub const MAX_SUMMARY: usize = 1024 * 1024;

/// A word that nobody can foresee who wrote what is printed.
fn random_word() -> String {
    // Each state has keys of its own, which the operating system draws.
    let part = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", part(), part())
}

/// A text as a group of the log in which nothing is a command.
pub fn guarded(title: &str, text: &str) -> String {
    let word = random_word();
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("::group::{title}\n::stop-commands::{word}\n{text}{end}::{word}::\n::endgroup::\n")
}

/// An output of the step, as the file of outputs has it. No value can end itself or begin another one.
pub fn output(name: &str, value: &str) -> String {
    let word = format!("specward_{}", random_word());
    format!("{name}<<{word}\n{value}\n{word}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ() {
        assert_ne!(random_word(), random_word());
        assert_eq!(random_word().len(), 32);
    }

    #[test]
    fn nothing_in_a_group_is_a_command() {
        let text = guarded("specward", "::error::forged");
        let lines: Vec<&str> = text.lines().collect();
        let word = lines[1].strip_prefix("::stop-commands::").unwrap();
        let resumed = format!("::{word}::");
        assert_eq!(lines, ["::group::specward", lines[1], "::error::forged", &resumed, "::endgroup::"]);
    }

    #[test]
    fn values_of_several_lines_stay_one_value() {
        let text = output("report", "a\nverdict=PASS");
        let word = text.lines().next().unwrap().strip_prefix("report<<").unwrap();
        assert_eq!(text, format!("report<<{word}\na\nverdict=PASS\n{word}\n"));
    }
}
