//! Programs whose end is known.

use std::sync::LazyLock;

use regex::Regex;

use super::outcome::Outcome;
use crate::shell::{Word, base_name};

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
        "ls" | "pwd" | "uname" | "id" if are_options(&arguments) => Outcome::Always(0),
        "date" if matches!(arguments[..], [format] if format.starts_with('+')) => Outcome::Always(0),
        "seq" if !arguments.is_empty() && arguments.iter().all(|word| word.parse::<f64>().is_ok()) => {
            Outcome::Always(0)
        }
        // It reads the script and runs nothing of it.
        name if SHELLS.contains(&name) && arguments.first() == Some(&"-n") => Outcome::Always(0),
        "false" => Outcome::Always(1),
        "wait" if arguments.is_empty() => Outcome::Always(0),
        "exit" | "return" => match arguments.first() {
            Some(code) => code.parse().map_or(Outcome::Depends, |code: i32| Outcome::Always(code & 0xff)),
            // The code of what came before.
            None => Outcome::Depends,
        },
        "test" => test_outcome(rest),
        "[" => test_outcome(rest.split_last().map_or(rest, |(_, inner)| inner)),
        name if is_constant_code(name, rest) => Outcome::Always(0),
        name if is_about_itself(name, &arguments) => Outcome::Always(0),
        _ => Outcome::Depends,
    }
}

const SHELLS: &[&str] = &["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh"];

/// Whether a program only reads what is on standard input, and succeeds when there is nothing.
pub(super) fn only_reads(words: &[Word]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    let arguments: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let name = base_name(&first.text);
    match name {
        "xargs" => true,
        _ if SHELLS.contains(&name) => arguments.iter().all(|word| matches!(*word, "-s" | "-e" | "-u" | "-x" | "-l")),
        _ => passes_on(words) && are_options(&arguments),
    }
}

/// Whether all a program writes is in the command, or known to the machine without looking at any file.
pub(super) fn is_of_the_machine(words: &[Word]) -> bool {
    const MACHINE: &[&str] = &[
        "true", ":", "false", "echo", "printf", "seq", "date", "pwd", "whoami", "hostname", "uname", "id", "sleep",
        "exit", "set", "export",
    ];
    let Some((first, rest)) = words.split_first() else { return true };
    let name = base_name(&first.text);
    words.iter().all(|word| word.is_literal) && (MACHINE.contains(&name) || is_constant_code(name, rest))
}

fn are_options(arguments: &[&str]) -> bool {
    arguments.iter().all(|word| word.starts_with('-'))
}

/// `python3 -c "print(1)"`, `node -e "0"`: code that calls nothing and looks at nothing.
fn is_constant_code(name: &str, arguments: &[Word]) -> bool {
    /// One statement, of whichever language.
    static CONSTANT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let value = r#"(?:\d+|True|true|None|null|"[^"\\$`#{]*"|'[^'\\]*')"#;
        let values = format!(r"(?:{value}(?:\s*,\s*{value})*)?");
        let call = r"(?:print|puts|console\.(?:log|error)|say|p)";
        let end = r"(?:(?:sys\.)?exit|quit|process\.exit)";
        Regex::new(&format!(
            r"^(?:pass|{values}|{call}\s*\(\s*{values}\s*\)|{call}\s+{values}|{end}\s*(?:\(\s*0?\s*\)|0)?|import (?:sys|os)|assert (?:True|1))$"
        ))
        .ok()
    });
    let is_python = name.starts_with("python") || name.starts_with("pypy");
    let [option, code] = arguments else { return false };
    let is_code = match name {
        _ if is_python => option.text == "-c",
        "node" | "nodejs" => matches!(option.text.as_str(), "-e" | "--eval" | "-p" | "--print" | "-pe"),
        "ruby" | "perl" => matches!(option.text.as_str(), "-e" | "-E"),
        _ => false,
    };
    let statements = || code.text.split([';', '\n']).map(str::trim);
    is_code
        && code.is_literal
        && CONSTANT.as_ref().is_some_and(|constant| statements().all(|statement| constant.is_match(statement)))
}

/// `--version`, `--help` and the like, with nothing else to do.
fn is_about_itself(name: &str, arguments: &[&str]) -> bool {
    const QUESTIONS: &[&str] =
        &["--version", "-V", "-vV", "-Vv", "-version", "--help", "-h", "-help", "version", "help"];
    const MANNERS: &[&str] = &["--verbose", "-v", "--quiet", "-q"];
    /// Programs that many use and nobody here writes, whose `help` takes the name of a command.
    const TOOLS: &[&str] = &[
        "cargo", "rustup", "git", "go", "npm", "pnpm", "yarn", "docker", "kubectl", "gh", "dotnet", "deno", "bun",
        "pip", "uv", "poetry", "brew", "bundle", "gem",
    ];
    let asks = arguments.iter().any(|word| QUESTIONS.contains(word))
        && arguments.iter().all(|word| QUESTIONS.contains(word) || MANNERS.contains(word));
    asks || TOOLS.contains(&name) && arguments.first() == Some(&"help")
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
