//! Command lines of our pages are understood by the program, and the options they name exist.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::pages::{self, Page};
use crate::shell;

/// Options that pages name alone and that are another program's.
const FOREIGN: [(&str, &str); 9] = [
    ("--base-url", "ci/install.sh"),
    ("--depth", "git clone"),
    ("--no-verify", "git commit"),
    ("--omit=optional", "npm"),
    ("--quick", "ci/bench"),
    ("--rust", "ci/hook-managers"),
    ("--sha256", "ci/install.sh"),
    ("--target", "ci/install.sh"),
    ("--trust-folder", "GitHub Copilot"),
];

#[test]
fn each_command_line_is_understood() {
    let program = specward::cli::command();
    let mut count = 0;
    let mut faults = Vec::new();
    for (path, page) in pages::all() {
        let (lines, found) = faults_of(&page, &program);
        count += lines;
        faults.extend(found.into_iter().map(|fault| format!("{path}:{fault}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 100, "only {count} command lines were found");
}

#[test]
fn a_command_line_that_means_nothing_is_told() {
    let page = Page::parse(
        "`specward verify --chnged`, `specward verfy`, `--frozen-spec=weak`, `--no-such`, `specward ledger chek FILE`\n\n\
         ```console\n$ specward verify --frozen-spec strict --shard 5/2\n$ cd x && specward lint --min-score many\n```\n",
    );
    let (count, faults) = faults_of(&page, &specward::cli::command());
    assert_eq!(count, 7);
    let lines: Vec<&str> = faults.iter().map(|fault| &fault[..2]).collect();
    assert_eq!(lines, ["4:", "5:", "1:", "1:", "1:", "1:", "1:"], "{faults:#?}");
    let page = Page::parse(
        "`specward verify --frozen-spec=explained`, `--frozen-spec=strict`, `specward hook …`, `specward runs -n N`, `-n N`\n",
    );
    assert_eq!(faults_of(&page, &specward::cli::command()), (5, Vec::new()));
}

#[test]
fn each_command_has_its_exit_codes_told() {
    const PAGE: &str = "docs/exit-codes.md";
    let codes = Page::parse(&pages::read(PAGE)).codes;
    for command in specward::cli::command().get_subcommands() {
        let name = command.get_name();
        let is_told = codes.iter().any(|code| {
            let text = code.text.strip_prefix("specward ").unwrap_or(&code.text);
            text.split(' ').next() == Some(name)
        });
        assert!(is_told, "{PAGE} says nothing of `specward {name}`");
    }
}

#[test]
fn each_option_is_told_of() {
    let mut told = String::new();
    for path in pages::all().into_keys().filter(|path| !path.starts_with("docs/rules/")) {
        told += &pages::read(&path);
    }
    let mut untold = Vec::new();
    options(&specward::cli::command(), &mut |command, option| {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-';
        let mut found = told.split(option).skip(1);
        if !found.any(|rest| rest.is_empty() || rest.starts_with(is_end)) {
            untold.push(format!("{command} {option}"));
        }
    });
    assert!(untold.is_empty(), "no page tells of these: {untold:#?}");
}

/// Calls for each long option of a command and of those in it, but for those that are hidden.
fn options(command: &Command, each: &mut impl FnMut(&str, &str)) {
    for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
        if let Some(long) = argument.get_long() {
            each(command.get_name(), &format!("--{long}"));
        }
    }
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        options(inner, each);
    }
}

/// How many command lines and options a page names, and what is wrong with them.
fn faults_of(page: &Page, program: &Command) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut faults = Vec::new();
    let mut look = |line: usize, text: String, outcome: Result<(), String>| {
        count += 1;
        faults.extend(outcome.err().map(|why| format!("{line}: `{text}`: {why}")));
    };
    for line in shell::lines(page) {
        if let Some(words) = called(&line.words) {
            look(line.line, words.join(" "), parsed(words, program));
        }
    }
    for code in &page.codes {
        if code.text.starts_with("specward ") {
            for words in shell::commands(&code.text.replace(['<', '>'], "…")).iter().filter_map(|words| called(words))
            {
                let is_pattern = words.iter().any(|word| is_placeholder(word));
                look(
                    code.line,
                    words.join(" "),
                    if is_pattern { known(words, program) } else { parsed(words, program) },
                );
            }
        } else if code.text.starts_with('-') && code.text.len() > 1 {
            let option = code.text.split(' ').next().unwrap_or_default();
            // `-exec` is `find`'s, and `-was` an ending.
            let is_option = option.starts_with("--") && option.len() > 2 || option.len() == 2;
            if is_option && FOREIGN.iter().all(|(foreign, _)| *foreign != option) {
                let outcome = if has(program, option) { Ok(()) } else { Err("no command has this option".to_owned()) };
                look(code.line, option.to_owned(), outcome);
            }
        }
    }
    (count, faults)
}

/// The words from `specward` on, when that is the program a line calls.
fn called(words: &[String]) -> Option<&[String]> {
    let is_example = words.iter().any(|word| word == "--example");
    if words.starts_with(&["cargo".to_owned(), "run".to_owned()]) && !is_example {
        return words.iter().position(|word| word == "--").map(|at| &words[at..]);
    }
    let is_before =
        |word: &&String| ["if", "!", "exec", "npx", "then", "run:"].contains(&word.as_str()) || word.contains('=');
    let before = words.iter().take_while(is_before).count();
    words.get(before).is_some_and(|word| word == "specward").then(|| &words[before..])
}

/// Whether a word stands for others.
fn is_placeholder(word: &str) -> bool {
    let value = word.rsplit_once('=').map_or(word, |(_, value)| value);
    let is_name = value.chars().any(char::is_alphabetic) && value.chars().all(|c| c.is_uppercase() || "/_".contains(c));
    is_name || word.contains(['…', '['])
}

/// A line as somebody would type it. That something is left out is no fault: pages talk about commands.
fn parsed(words: &[String], program: &Command) -> Result<(), String> {
    let Err(error) = program.clone().try_get_matches_from(words) else { return Ok(()) };
    let is_without_value =
        matches!(error.get(ContextKind::InvalidValue), Some(ContextValue::String(value)) if value.is_empty());
    match error.kind() {
        ErrorKind::InvalidValue if is_without_value => Ok(()),
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::MissingSubcommand
        | ErrorKind::MissingRequiredArgument => Ok(()),
        _ => Err(error.to_string().lines().next().unwrap_or_default().to_owned()),
    }
}

/// A line with placeholders: its commands and options exist.
fn known(words: &[String], program: &Command) -> Result<(), String> {
    let mut command = program;
    for word in &words[1..] {
        if word.starts_with('-') {
            if !option(command, word) {
                return Err(format!("`{}` has no `{word}`", command.get_name()));
            }
        } else if let Some(inner) = command.find_subcommand(word) {
            command = inner;
        } else if command.has_subcommands() && !is_placeholder(word) {
            return Err(format!("`{}` has no command `{word}`", command.get_name()));
        }
    }
    Ok(())
}

/// Whether the program or a command of it has an option.
fn has(command: &Command, word: &str) -> bool {
    option(command, word) || command.get_subcommands().any(|inner| has(inner, word))
}

/// Whether a command itself has an option, and takes the value that is given behind `=`.
fn option(command: &Command, word: &str) -> bool {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    if ["--help", "-h", "--version", "-V"].contains(&name) {
        return true;
    }
    command.get_arguments().any(|argument| {
        let is_it = argument.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long))
            || argument.get_short().is_some_and(|short| name == format!("-{short}"));
        let values = argument.get_possible_values();
        let is_taken =
            |value: &str| values.is_empty() || is_placeholder(value) || values.iter().any(|v| v.matches(value, false));
        is_it && value.is_none_or(is_taken)
    })
}
