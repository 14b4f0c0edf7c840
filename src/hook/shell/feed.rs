//! Files whose names come through a pipe or from `find`.

use super::{Command, operands};
use crate::shell::{Word, base_name};

/// What the program behind a pipe gets of the one before it.
pub(super) fn passed_on(before: Command) -> Command {
    let words = &before.words;
    let program = words.iter().position(|word| !word.text.contains('=')).unwrap_or(words.len());
    let Some((first, args)) = words.get(program..).unwrap_or_default().split_first() else { return Command::default() };
    let plain = |valued: &[&str]| operands(args, valued).into_iter().cloned().collect::<Vec<Word>>();
    let has = |letter: char| {
        let is_it =
            |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letter);
        args.iter().any(is_it)
    };
    let mut next = Command::default();
    match base_name(&first.text) {
        "find" => next.fed = found(args),
        "echo" | "printf" => {
            next.fed = plain(&[]);
            next.documents = vec![next.fed.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")];
        }
        "ls" | "fd" | "fdfind" => next.fed = plain(&[]),
        // A pattern that picks names is itself a good part of them.
        "grep" | "egrep" | "fgrep" | "rg" | "ag" if !before.fed.is_empty() => {
            next.fed = before.fed;
            next.fed.extend(plain(&[]).into_iter().filter(|_| !has('v')));
        }
        "grep" | "egrep" | "fgrep" | "rg" | "ag" if has('l') => next.fed = plain(&[]),
        "git" if args.first().is_some_and(|word| matches!(word.text.as_str(), "ls-files" | "grep")) => {
            next.fed = plain(&[]);
        }
        "cat" => {
            next.documents = before.documents;
            next.fed = before.fed;
        }
        // Filters keep the names they are given.
        _ => next.fed = before.fed,
    }
    next
}

/// Where the files lie that a `find` with these arguments finds.
pub(super) fn found(args: &[Word]) -> Vec<Word> {
    let is_path = |word: &&Word| !word.text.starts_with(['-', '(', '!']);
    let leading = args.iter().skip_while(|word| matches!(word.text.as_str(), "-L" | "-H" | "-P"));
    let mut found: Vec<Word> = leading.take_while(is_path).cloned().collect();
    let is_excluding = args.iter().any(|word| matches!(word.text.as_str(), "!" | "-not" | "-prune"));
    let patterns = args.windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-path" | "-wholename" | "-ipath"));
    found.extend(patterns.filter(|_| !is_excluding).map(|pair| Word { text: pair[1].text.clone(), is_literal: false }));
    found
}

/// Words, and whether files of which only the folders are known are among them.
pub(super) struct Fed {
    pub words: Vec<Word>,
    pub is_fed: bool,
}

/// The words of an `xargs` with the names it gets.
pub(super) fn with_fed(words: Vec<Word>, fed: &[Word]) -> Fed {
    let is_xargs = |word: &Word| !fed.is_empty() && base_name(&word.text) == "xargs";
    let Some(at) = words.iter().position(is_xargs) else { return Fed { words, is_fed: false } };
    let after = &words[at + 1..];
    let mark = after.iter().enumerate().find_map(|(at, word)| match word.text.strip_prefix("-I")? {
        "" => after.get(at + 1).map(|word| word.text.clone()),
        mark => Some(mark.to_owned()),
    });
    // Without a mark the names come last.
    let words = match mark.filter(|mark| !mark.is_empty()) {
        Some(mark) => put_in(&words, &mark, fed),
        None => words.into_iter().chain(fed.iter().cloned()).collect(),
    };
    Fed { words, is_fed: true }
}

/// Words with names in the place of a mark. The option that says what the mark is stays.
pub(super) fn put_in(words: &[Word], mark: &str, names: &[Word]) -> Vec<Word> {
    let mut found = Vec::with_capacity(words.len());
    let mut was_option = false;
    for word in words {
        if was_option || !word.text.contains(mark) || word.text.starts_with("-I") {
            found.push(word.clone());
        } else if word.text == mark {
            found.extend(names.iter().cloned());
        } else {
            let joined = names.iter().map(|name| name.text.as_str()).take(100).collect::<Vec<_>>().join(" ");
            found.push(Word { text: word.text.replace(mark, &joined), is_literal: word.is_literal });
        }
        was_option = word.text == "-I";
    }
    found
}
