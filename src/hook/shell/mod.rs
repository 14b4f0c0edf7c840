//! Which files a shell line writes to, where that is evident. A line can hide it in many ways: this is a courtesy to an
//! agent that does not try to, and whoever judges the result looks at files.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value;

use super::place;
use super::targets::{Action, From, Target, Touched};
use crate::openspec::project::FOLDER;
use crate::shell::lexer::{Token, pieces, substituted};
use crate::shell::{Unwrapped, Word, base_name, is_reserved, unwrapped};

mod editors;
mod expand;
mod feed;
mod git;
mod programs;
mod scripts;
mod variables;

use variables::Variables;

/// Lines within lines are read this deep.
const DEPTH: usize = 8;

/// More bytes are not read, lines within lines and what variables stand for counted again.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// More folders are not listed for the patterns of one call.
const MAX_LISTINGS: usize = 5_000;

/// No system takes longer paths.
const MAX_PATH: usize = 4096;

/// A program with its arguments and what its input and output are.
#[derive(Debug, Default)]
struct Command {
    words: Vec<Word>,
    redirections: Vec<(&'static str, Word)>,
    /// Here documents, here strings and what comes through a pipe.
    documents: Vec<String>,
    /// Where the files lie whose names come through a pipe.
    fed: Vec<Word>,
    /// Whether its output goes into a pipe.
    is_piped: bool,
}

/// A folder; none where nobody knows it.
type Folder = Option<Rc<Path>>;

/// Reads a line, or a script of several.
pub(super) fn line(line: &str, from: From<'_>, touched: &mut Touched) {
    let mut reader = Reader::new(from, touched);
    reader.line(line, Some(from.cwd.into()));
    reader.end();
}

/// Reads a program and its arguments that no shell takes apart.
pub(super) fn argv(words: &[Value], from: From<'_>, touched: &mut Touched) {
    let words = words.iter().filter_map(|word| word.as_str().map(Word::from)).collect();
    let mut reader = Reader::new(from, touched);
    reader.run(&Command { words, ..Command::default() }, &mut Some(from.cwd.into()));
    reader.end();
}

/// Reads a script that is no shell's.
pub(super) fn code(code: &str, from: From<'_>, touched: &mut Touched) {
    let mut reader = Reader::new(from, touched);
    reader.code(code, Some(from.cwd.into()));
    reader.end();
}

struct Reader<'r> {
    top: Option<&'r Path>,
    touched: &'r mut Touched,
    depth: usize,
    variables: Variables,
    /// Whether paths are those of folders some of whose files are meant.
    is_fed: bool,
    /// Bytes that may still be read.
    bytes: usize,
    /// Folders that may still be listed.
    listings: Cell<usize>,
}

impl<'r> Reader<'r> {
    fn new(from: From<'r>, touched: &'r mut Touched) -> Self {
        let listings = Cell::new(MAX_LISTINGS);
        let variables = Variables::default();
        Self { top: from.top, touched, depth: 0, variables, is_fed: false, bytes: MAX_BYTES, listings }
    }

    fn end(self) {
        self.touched.is_too_much |= self.listings.get() == 0;
    }

    /// Takes from what may be read.
    fn is_enough(&mut self, bytes: usize) -> bool {
        self.touched.is_too_much |= bytes > self.bytes;
        self.bytes = self.bytes.saturating_sub(bytes);
        self.touched.is_too_much
    }

    fn line(&mut self, line: &str, folder: Folder) {
        self.touched.is_too_much |= self.depth >= DEPTH;
        if self.is_enough(line.len()) {
            return;
        }
        self.depth += 1;
        let mut folders = vec![folder];
        let mut command = Command::default();
        for piece in pieces(line) {
            match piece {
                Token::Word(word) => command.words.push(word),
                Token::Redirection(sign, word) => {
                    if sign == "<<<" {
                        let text = self.filled(std::slice::from_ref(&word));
                        command.documents.extend(text.into_iter().map(|word| word.text));
                    }
                    command.redirections.push((sign, word));
                }
                Token::Document(lines) => command.documents.push(lines),
                Token::Operator(operator) => {
                    let mut done = std::mem::take(&mut command);
                    done.is_piped = matches!(operator, "|" | "|&");
                    self.finish(&done, &mut folders);
                    if done.is_piped {
                        command = feed::passed_on(done);
                    }
                    if operator == "(" {
                        folders.push(folders.last().cloned().flatten());
                    } else if operator == ")" && folders.len() > 1 {
                        folders.pop();
                    }
                }
                Token::Unknown => {}
            }
        }
        self.finish(&command, &mut folders);
        self.depth -= 1;
    }

    fn finish(&mut self, command: &Command, folders: &mut [Folder]) {
        if let Some(folder) = folders.last_mut() {
            self.run(command, folder);
        }
    }

    fn run(&mut self, command: &Command, folder: &mut Folder) {
        // It is denied already.
        if self.touched.is_too_much {
            return;
        }
        let is_inside = |word: &Word| {
            is_reserved(&word.text) && !matches!(word.text.as_str(), "for" | "select")
                || matches!(word.text.as_str(), "!" | "{" | "}")
        };
        let skipped = command.words.iter().take_while(|word| is_inside(word)).count();
        for word in command.words.iter().chain(command.redirections.iter().map(|(_, word)| word)) {
            if !word.is_literal {
                for inside in substituted(&word.text) {
                    self.line(inside, folder.clone());
                }
            }
        }
        let words = self.filled(command.words.get(skipped..).unwrap_or_default());
        if let [keyword, name, is_in, values @ ..] = words.as_slice()
            && matches!(keyword.text.as_str(), "for" | "select")
        {
            let values = if is_in.text == "in" { values } else { &[] };
            return self.variables.set(&name.text, values.to_vec());
        }
        if self.variables.assigned(&words) {
            return;
        }
        let restored = git::shown(&words, folder.as_deref(), self.top);
        for (sign, word) in &command.redirections {
            let is_number = word.text == "-" || word.text.bytes().all(|byte| byte.is_ascii_digit());
            if matches!(*sign, ">" | ">>" | ">|" | "&>" | "&>>" | "<>") || *sign == ">&" && !is_number {
                for word in self.filled(std::slice::from_ref(word)) {
                    let whole = restored.as_ref().filter(|_| matches!(*sign, ">" | ">|"));
                    self.redirected(folder.as_deref(), &word, whole);
                }
            }
        }
        let words = feed::with_fed(words, &command.fed);
        let was_fed = self.is_fed;
        self.is_fed |= words.is_fed;
        match unwrapped(&words.words) {
            Unwrapped::Line(line, _) => {
                if self.is_fed && !command.fed.is_empty() {
                    for name in ["0", "1", "@", "*"] {
                        self.variables.set(name, command.fed.clone());
                    }
                }
                self.line(&line, folder.clone());
            }
            Unwrapped::Argv(words) => self.argv(&words, command, folder),
        }
        self.is_fed = was_fed;
    }

    /// A program behind everything that runs it.
    fn argv(&mut self, words: &[Word], command: &Command, folder: &mut Folder) {
        let Some((program, args)) = words.split_first() else { return };
        match base_name(&program.text) {
            "cd" | "pushd" => *folder = self.entered(folder.as_deref(), args),
            "popd" => *folder = None,
            "bash" | "sh" | "zsh" | "dash" | "ksh" => {
                for lines in &command.documents {
                    self.line(lines, folder.clone());
                }
            }
            name => self.program(&Call { name, args, command, folder: folder.as_deref() }),
        }
    }

    /// A redirection, which puts a file back when it is what git has of it.
    fn redirected(&mut self, folder: Option<&Path>, word: &Word, restored: Option<&(Option<String>, PathBuf)>) {
        for path in self.paths(word, folder) {
            let action = match restored {
                Some((rev, file)) if place::plain(&path) == *file => Action::Restore(rev.clone()),
                _ => Action::Write,
            };
            self.note(Target::new(path, action));
        }
    }

    /// Words with variables put in.
    fn filled(&mut self, words: &[Word]) -> Vec<Word> {
        let Some(found) = self.variables.filled(words) else {
            self.touched.is_too_much = true;
            return Vec::new();
        };
        // A word costs more than its letters.
        let further = found.len().saturating_sub(words.len()) * 64;
        let letters: usize = found.iter().map(|word| word.text.len()).sum();
        if self.variables.is_empty() || !self.is_enough(letters + further) {
            return found;
        }
        Vec::new()
    }

    fn paths(&self, word: &Word, folder: Option<&Path>) -> Vec<PathBuf> {
        expand::paths(word, folder, self.top, &self.listings)
    }

    fn note(&mut self, mut target: Target) {
        if self.is_fed {
            // Some files in a folder, and which of them is not known; of the spec set all are meant.
            let is_set = target.path.file_name().is_some_and(|name| name == FOLDER);
            if let Action::Move(to) = &target.action {
                self.touched.add(Target::new(to.clone(), Action::Write));
            }
            target.action = if is_set { Action::Tree } else { Action::Write };
        }
        self.touched.add(target);
    }

    fn entered(&self, folder: Option<&Path>, args: &[Word]) -> Folder {
        let to = args.iter().find(|word| !word.text.starts_with('-'))?;
        let folders = self.paths(to, folder);
        let [folder] = <[PathBuf; 1]>::try_from(folders).ok()?;
        let is_short = |folder: &Path| folder.as_os_str().len() <= MAX_PATH;
        let folder = if is_short(&folder) { folder } else { place::resolved(&folder) };
        is_short(&folder).then(|| folder.into())
    }

    /// Notes what is done to the files a word stands for.
    fn add(&mut self, folder: Option<&Path>, word: &Word, action: Action) {
        for path in self.paths(word, folder) {
            self.note(Target::new(path, action.clone()));
        }
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
