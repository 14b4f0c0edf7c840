//! Which files a shell line writes to, where that is evident. A line can hide it in many ways: this is a courtesy to an
//! agent that does not try to, and whoever judges the result looks at files.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::targets::{Action, From, Target, Touched};
use crate::shell::lexer::{Token, pieces, substituted};
use crate::shell::{Unwrapped, Word, base_name, is_reserved, unwrapped};

mod expand;
mod git;
mod programs;
mod scripts;

/// Lines within lines are read this deep.
const DEPTH: usize = 8;

/// Longer lines are not read.
const MAX_LINE: usize = 1024 * 1024;

/// A program with its arguments and what its input and output are.
#[derive(Debug, Default)]
struct Command {
    words: Vec<Word>,
    redirections: Vec<(&'static str, Word)>,
    documents: Vec<String>,
}

/// Reads a line, or a script of several.
pub(super) fn line(line: &str, from: From<'_>, touched: &mut Touched) {
    let mut reader = Reader { top: from.top, touched, depth: 0 };
    reader.line(line, Some(from.cwd.to_owned()));
}

/// Reads a program and its arguments that no shell takes apart.
pub(super) fn argv(words: &[Value], from: From<'_>, touched: &mut Touched) {
    let words = words.iter().filter_map(|word| word.as_str().map(Word::from)).collect();
    let mut reader = Reader { top: from.top, touched, depth: 0 };
    reader.run(&Command { words, ..Command::default() }, &mut Some(from.cwd.to_owned()));
}

/// Reads a script that is no shell's.
pub(super) fn code(code: &str, from: From<'_>, touched: &mut Touched) {
    touched.targets.extend(scripts::targets(code, from.cwd));
}

struct Reader<'r> {
    top: Option<&'r Path>,
    touched: &'r mut Touched,
    depth: usize,
}

impl Reader<'_> {
    /// `folder` is none where nobody knows it.
    fn line(&mut self, line: &str, folder: Option<PathBuf>) {
        if self.depth >= DEPTH || line.len() > MAX_LINE {
            return;
        }
        self.depth += 1;
        let mut folders = vec![folder];
        let mut command = Command::default();
        for piece in pieces(line) {
            match piece {
                Token::Word(word) => command.words.push(word),
                Token::Redirection(sign, word) => command.redirections.push((sign, word)),
                Token::Document(lines) => command.documents.push(lines),
                Token::Operator(operator) => {
                    self.finish(&mut command, &mut folders);
                    if operator == "(" {
                        folders.push(folders.last().cloned().flatten());
                    } else if operator == ")" && folders.len() > 1 {
                        folders.pop();
                    }
                }
                Token::Unknown => {}
            }
        }
        self.finish(&mut command, &mut folders);
        self.depth -= 1;
    }

    fn finish(&mut self, command: &mut Command, folders: &mut [Option<PathBuf>]) {
        let command = std::mem::take(command);
        if let Some(folder) = folders.last_mut() {
            self.run(&command, folder);
        }
    }

    fn run(&mut self, command: &Command, folder: &mut Option<PathBuf>) {
        let is_inside = |word: &Word| is_reserved(&word.text) || matches!(word.text.as_str(), "!" | "{" | "}");
        let skipped = command.words.iter().take_while(|word| is_inside(word)).count();
        let words = command.words.get(skipped..).unwrap_or_default();
        for word in command.words.iter().chain(command.redirections.iter().map(|(_, word)| word)) {
            if !word.is_literal {
                for inside in substituted(&word.text) {
                    self.line(inside, folder.clone());
                }
            }
        }
        for (sign, word) in &command.redirections {
            let is_number = word.text == "-" || word.text.bytes().all(|byte| byte.is_ascii_digit());
            if matches!(*sign, ">" | ">>" | ">|" | "&>" | "&>>" | "<>") || *sign == ">&" && !is_number {
                self.add(folder.as_deref(), word, Action::Write);
            }
        }
        match unwrapped(words) {
            Unwrapped::Line(line, _) => self.line(&line, folder.clone()),
            Unwrapped::Argv(words) => {
                let Some((program, args)) = words.split_first() else { return };
                let name = base_name(&program.text);
                match name {
                    "cd" | "pushd" => *folder = self.entered(folder.as_deref(), args),
                    "popd" => *folder = None,
                    "bash" | "sh" | "zsh" | "dash" | "ksh" => {
                        for lines in &command.documents {
                            self.line(lines, folder.clone());
                        }
                    }
                    _ => {
                        let call = Call { name, args, command, folder: folder.as_deref() };
                        self.program(&call);
                    }
                }
            }
        }
    }

    fn entered(&self, folder: Option<&Path>, args: &[Word]) -> Option<PathBuf> {
        let to = args.iter().find(|word| !word.text.starts_with('-'))?;
        let folders = expand::paths(to, folder, self.top);
        <[PathBuf; 1]>::try_from(folders).ok().map(|[folder]| folder)
    }

    /// Notes what is done to the files a word stands for.
    fn add(&mut self, folder: Option<&Path>, word: &Word, action: Action) {
        let paths = expand::paths(word, folder, self.top);
        self.touched.targets.extend(paths.into_iter().map(|path| Target::new(path, action.clone())));
    }
}

/// A program that is run, behind everything that runs it.
struct Call<'c> {
    name: &'c str,
    args: &'c [Word],
    command: &'c Command,
    /// Where it is run; none where nobody knows.
    folder: Option<&'c Path>,
}

impl<'c> Call<'c> {
    /// Arguments that are no options. Those of `valued` take the word after them.
    fn operands(&self, valued: &[&str]) -> Vec<&'c Word> {
        operands(self.args, valued)
    }

    /// Whether one of these options is there; a single letter may stand among others.
    fn has(&self, options: &[&str]) -> bool {
        let is_it = |word: &str, option: &str| match option.strip_prefix('-') {
            Some(letter) if letter.len() == 1 => {
                word.starts_with('-') && !word.starts_with("--") && word[1..].contains(letter)
            }
            _ => word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')),
        };
        self.args
            .iter()
            .take_while(|word| word.text != "--")
            .any(|word| options.iter().any(|option| is_it(&word.text, option)))
    }

    /// The value of an option: the word after it, or what stands behind `=`. A single letter may be the last of others.
    fn value(&self, options: &[&str]) -> Option<Word> {
        let is_it = |word: &str, option: &str| match option.strip_prefix('-') {
            Some(letter) if letter.len() == 1 => {
                word.starts_with('-') && !word.starts_with("--") && word.ends_with(letter)
            }
            _ => word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')),
        };
        let at = self.args.iter().position(|word| options.iter().any(|option| is_it(&word.text, option)))?;
        let word = self.args.get(at)?;
        match word.text.split_once('=').filter(|(name, _)| name.starts_with("--")) {
            Some((_, value)) => Some(Word { text: value.to_owned(), is_literal: word.is_literal }),
            None => self.args.get(at + 1).cloned(),
        }
    }
}

fn operands<'w>(args: &'w [Word], valued: &[&str]) -> Vec<&'w Word> {
    let mut found = Vec::new();
    let mut rest = args;
    let mut is_over = false;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        if is_over || !word.text.starts_with('-') || word.text == "-" {
            found.push(word);
        } else if word.text == "--" {
            is_over = true;
        } else if valued.contains(&word.text.as_str()) {
            rest = after.get(1..).unwrap_or_default();
        }
    }
    found
}

#[cfg(test)]
mod tests;
