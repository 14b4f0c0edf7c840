//! Programs that run the program after them.

use super::Word;

/// What is run behind all wrappers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unwrapped {
    /// A program with its arguments; only assignments, or nothing, when it is empty.
    Argv(Vec<Word>),
    /// A line for a shell, and whether the shell stops at the first failure (`-e`).
    Line(String, bool),
}

/// Wrappers, the options of theirs that take a value, and how many words stand before the program.
const WRAPPERS: &[(&str, &[&str], usize)] = &[
    ("env", &["-u", "--unset", "-C", "--chdir"], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("ionice", &["-c", "-n", "--class", "--classdata"], 0),
    ("timeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    ("gtimeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    ("sudo", &["-u", "-g", "--user", "--group"], 0),
    ("doas", &["-u"], 0),
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("time", &["-f", "-o"], 0),
    ("caffeinate", &[], 0),
    ("xvfb-run", &["-n", "-s"], 0),
    ("busybox", &[], 0),
    ("toybox", &[], 0),
    ("unbuffer", &[], 0),
    ("flock", &["-w", "-E", "--wait", "--timeout"], 1),
    ("taskset", &[], 1),
    ("chrt", &[], 1),
    ("xargs", &["-n", "-I", "-P", "-L", "-d", "-s", "-E", "-a"], 0),
];

const SHELLS: &[&str] = &["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish"];

/// An option with a line for a shell is looked for among so many words.
const MAX_OPTIONS: usize = 32;

/// Programs whose option `-c` takes a line for a shell, also behind other letters.
const LINE_OPTION: &[&str] = &["script", "su", "runuser", "flock"];

/// The name of a program without its folder and `.exe`.
pub(crate) fn base_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name)
}

/// Looks through wrappers.
pub(crate) fn unwrapped(words: &[Word]) -> Unwrapped {
    let mut words = without_assignments(words);
    while let Some((first, rest)) = words.split_first() {
        let name = base_name(&first.text);
        if SHELLS.contains(&name) {
            return shell(rest).unwrap_or_else(|| Unwrapped::Argv(words.to_vec()));
        }
        if name.eq_ignore_ascii_case("cmd") {
            let Some(at) = rest.iter().position(|word| word.text.eq_ignore_ascii_case("/c")) else { break };
            return Unwrapped::Line(joined(rest.get(at + 1..).unwrap_or_default()), false);
        }
        if LINE_OPTION.contains(&name)
            && let Some(line) = line_option(rest)
        {
            return Unwrapped::Line(line, false);
        }
        if name == "env"
            && let Some(at) =
                rest.iter().take(MAX_OPTIONS).position(|word| matches!(word.text.as_str(), "-S" | "--split-string"))
        {
            return Unwrapped::Line(joined(rest.get(at + 1..).unwrap_or_default()), false);
        }
        if name == "eval" {
            return Unwrapped::Line(joined(rest), false);
        }
        let Some((_, valued, before)) = WRAPPERS.iter().find(|(wrapper, _, _)| *wrapper == name) else { break };
        let inner = behind(rest, valued, *before);
        // `command -v x` asks, `env` alone shows the variables.
        let is_question =
            name == "command" && rest.first().is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V"));
        if is_question || inner.is_empty() {
            break;
        }
        words = inner;
    }
    Unwrapped::Argv(words.to_vec())
}

/// The program after a wrapper's options.
fn behind<'a>(words: &'a [Word], valued: &[&str], mut before: usize) -> &'a [Word] {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let text = word.text.as_str();
        if text == "--" {
            rest = after;
        } else if text.starts_with('-') {
            let skipped = usize::from(valued.contains(&text));
            rest = after.get(skipped..).unwrap_or_default();
        } else if is_assignment(text) {
            rest = after;
        } else if before > 0 {
            before -= 1;
            rest = after;
        } else {
            return rest;
        }
    }
    rest
}

/// The line of `sh -c`, with options before it.
fn shell(words: &[Word]) -> Option<Unwrapped> {
    let mut stops = false;
    let mut is_line = false;
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let text = word.text.as_str();
        if text == "-o" || text == "+o" || text == "-O" {
            stops |= after.first().is_some_and(|option| option.text == "errexit");
            rest = after.get(1..).unwrap_or_default();
        } else if let Some(options) = text.strip_prefix('-').filter(|options| !options.starts_with('-')) {
            stops |= options.contains('e');
            is_line |= options.contains('c');
            rest = after;
            if options.contains('o') {
                stops |= after.first().is_some_and(|option| option.text == "errexit");
                rest = after.get(1..).unwrap_or_default();
            }
        } else if text.starts_with("--") {
            rest = after;
        } else {
            return is_line.then(|| Unwrapped::Line(word.text.clone(), stops));
        }
    }
    None
}

/// The line behind `-c` or `--command`.
fn line_option(words: &[Word]) -> Option<String> {
    let is_it = |word: &Word| {
        let text = word.text.as_str();
        text == "--command" || text.starts_with('-') && !text.starts_with("--") && text.ends_with('c')
    };
    let words = words.get(..MAX_OPTIONS).unwrap_or(words);
    let of_name = words.iter().find_map(|word| word.text.strip_prefix("--command=")).map(str::to_owned);
    of_name.or_else(|| words.get(words.iter().position(is_it)? + 1).map(|word| word.text.clone()))
}

fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn without_assignments(words: &[Word]) -> &[Word] {
    let program = words.iter().position(|word| !is_assignment(&word.text)).unwrap_or(words.len());
    words.get(program..).unwrap_or_default()
}

/// `NAME=value`
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::lexer::{Token, tokens};

    #[test]
    fn programs_behind_others() {
        let shown = |line: &str| {
            let words: Vec<Word> = tokens(line)
                .into_iter()
                .filter_map(|token| match token {
                    Token::Word(word) => Some(word),
                    _ => None,
                })
                .collect();
            match unwrapped(&words) {
                Unwrapped::Argv(words) => joined(&words),
                Unwrapped::Line(line, _) => format!("sh: {line}"),
            }
        };
        for line in [
            "busybox a b",
            "setsid -w a b",
            "nohup a b",
            "timeout -s 9 5 a b",
            "xargs -I {} a b",
            "env -i X=y a b",
            "flock -n lock a b",
            "taskset 1 a b",
        ] {
            assert_eq!(shown(line), "a b", "{line}");
        }
        for line in [
            "script -qc 'a b' /dev/null",
            "script --command='a b'",
            "su x -c 'a b'",
            "env -S 'a b'",
            "flock l -c 'a b'",
        ] {
            assert_eq!(shown(line), "sh: a b", "{line}");
        }
        assert_eq!(shown("script log"), "script log");
    }
}
