//! Programs whose end is known.

use super::outcome::Outcome;
use crate::criteria::shell::{Word, base_name};

/// Programs that read what is piped into them and succeed whatever it is.
pub(super) fn passes_on(words: &[Word]) -> bool {
    const PASSING: &[&str] = &["cat", "tee", "head", "tail", "sort", "uniq", "wc", "tr", "less", "more", "nl", "ts"];
    words.first().is_some_and(|word| PASSING.contains(&base_name(&word.text)))
}

/// What a program ends with, by its name and arguments.
pub(super) fn program_outcome(words: &[Word]) -> Outcome {
    let Some((first, rest)) = words.split_first() else { return Outcome::Always(0) };
    let arguments: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    match base_name(&first.text) {
        // A program of one's own that has a folder in its name is another one than the one everybody knows.
        _ if first.text.contains(['/', '\\'])
            && !first.text.starts_with("/bin/")
            && !first.text.starts_with("/usr/bin/") =>
        {
            Outcome::Depends
        }
        "true" | ":" | "echo" | "printf" | "sleep" | "set" | "export" | "shopt" | "yes" | "alias" | "trap" => {
            Outcome::Always(0)
        }
        "pwd" | "date" | "whoami" | "hostname" | "uname" | "env" | "printenv" | "id" if arguments.is_empty() => {
            Outcome::Always(0)
        }
        "false" => Outcome::Always(1),
        "wait" if arguments.is_empty() => Outcome::Always(0),
        "exit" | "return" => match arguments.first() {
            Some(code) => code.parse().map_or(Outcome::Depends, |code: i32| Outcome::Always(code & 0xff)),
            // The code of what came before.
            None => Outcome::Depends,
        },
        "test" => test_outcome(rest),
        "[" => test_outcome(rest.split_last().map_or(rest, |(_, inner)| inner)),
        "python" | "python3" if matches!(arguments[..], ["-c", "pass" | ""]) => Outcome::Always(0),
        "node" | "ruby" | "perl" if matches!(arguments[..], ["-e", "" | ";" | "1"]) => Outcome::Always(0),
        _ if is_about_itself(&arguments) => Outcome::Always(0),
        _ => Outcome::Depends,
    }
}

/// `--version`, `--help` and the like, with nothing else to do.
fn is_about_itself(arguments: &[&str]) -> bool {
    const QUESTIONS: &[&str] = &["--version", "-V", "-version", "--help", "-h", "-help", "version", "help"];
    matches!(arguments, [only] if QUESTIONS.contains(only))
}

/// `test 1`, `[ 1 = 1 ]`: without a file or variable in it.
fn test_outcome(words: &[Word]) -> Outcome {
    if words.iter().any(|word| !word.is_literal) {
        return Outcome::Depends;
    }
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let holds = match texts[..] {
        [] => false,
        [one] => !one.is_empty(),
        ["!", one] => one.is_empty(),
        ["-n", one] => !one.is_empty(),
        ["-z", one] => one.is_empty(),
        [one, "=" | "==" | "-eq", other] => one == other,
        [one, "!=" | "-ne", other] => one != other,
        _ => return Outcome::Depends,
    };
    Outcome::Always(i32::from(!holds))
}

/// What `echo` and `printf` write, when nothing is put into it.
pub(super) fn write_own(words: &[Word], written: &mut String) {
    let Some((first, rest)) = words.split_first() else { return };
    if !matches!(base_name(&first.text), "echo" | "printf") {
        return;
    }
    let texts: Vec<&str> = rest.iter().filter(|word| word.is_literal).map(|word| word.text.as_str()).collect();
    written.push_str(&texts.join(" ").replace("\\n", "\n"));
    written.push('\n');
}
