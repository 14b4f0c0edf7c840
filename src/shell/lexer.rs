//! The words and operators of a shell line.

use super::Word;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Word(Word),
    Operator(&'static str),
    /// Where output goes or input comes from: the sign without digits, and the word after it.
    Redirection(&'static str, Word),
    /// The lines of a here document.
    Document(String),
    /// What follows cannot be read as commands.
    Unknown,
}

/// Longest first.
const OPERATORS: &[&str] = &["&&", "||", ";;", "|&", ";", "&", "|", "(", ")", "\n"];

/// Redirections, longest first. Each takes the word after it.
const REDIRECTIONS: &[&str] = &["&>>", "<<<", "&>", ">>", "<&", ">&", "<>", ">|", "<", ">"];

/// Reads the words and operators of a line, up to a here document. Redirections are left out.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    let mut tokens = pieces(line);
    // The lines of a here document are no commands.
    if let Some(at) = tokens.iter().position(|token| matches!(token, Token::Document(_))) {
        tokens.truncate(at);
        tokens.push(Token::Unknown);
    }
    tokens.retain(|token| !matches!(token, Token::Redirection(..)));
    tokens
}

/// Reads a line with all there is in it. Nothing is an error: what is open at the end is closed.
pub(crate) fn pieces(line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = line;
    let mut sign = None;
    let mut documents: Vec<Awaited> = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r']);
        if let Some(continued) = rest.strip_prefix("\\\n") {
            rest = continued;
            continue;
        }
        let Some(first) = rest.chars().next() else { return tokens };
        if first == '#' {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        let bare = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if let Some(after) = bare.strip_prefix("<<").filter(|after| !after.starts_with('<')) {
            let (is_indented, after) = after.strip_prefix('-').map_or((false, after), |after| (true, after));
            let (end, after) = word(after.trim_start_matches([' ', '\t']));
            documents.push(Awaited { at: tokens.len(), end: end.text, is_indented });
            tokens.push(Token::Document(String::new()));
            rest = after;
            continue;
        }
        // Digits before it are part of a redirection, and of nothing else.
        if let Some((found, after)) = REDIRECTIONS.iter().find_map(|sign| Some((*sign, bare.strip_prefix(sign)?))) {
            rest = after;
            sign = Some(found);
            continue;
        }
        if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
            tokens.push(Token::Operator(operator));
            rest = &rest[operator.len()..];
            sign = None;
            if *operator == "\n" {
                for awaited in documents.drain(..) {
                    let (document, after) = awaited.read(rest);
                    tokens[awaited.at] = Token::Document(document);
                    rest = after;
                }
            }
            continue;
        }
        let (word, after) = word(rest);
        rest = after;
        tokens.push(match sign.take() {
            Some(sign) => Token::Redirection(sign, word),
            None => Token::Word(word),
        });
    }
}

/// A here document whose lines are still to come.
struct Awaited {
    /// Which token it is.
    at: usize,
    /// The line that ends it.
    end: String,
    /// Whether tabs before that line do not count.
    is_indented: bool,
}

impl Awaited {
    /// Its lines, and what comes after them.
    fn read<'a>(&self, text: &'a str) -> (String, &'a str) {
        let mut length = 0;
        for line in text.split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r']);
            if (if self.is_indented { bare.trim_start_matches('\t') } else { bare }) == self.end {
                return (text[..length].to_owned(), &text[length + line.len()..]);
            }
            length += line.len();
        }
        (text.to_owned(), "")
    }
}

/// What is run inside of a word to put its output there: `$(…)` and backticks.
pub(crate) fn substituted(word: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = word;
    while let Some(at) = rest.find(['$', '`']) {
        let from = &rest[at..];
        let (inside, length) = if let Some(inside) = from.strip_prefix('`') {
            let end = inside.find('`').unwrap_or(inside.len());
            (&inside[..end], (end + 2).min(from.len()))
        } else if from.starts_with("$(") {
            let length = 1 + bracketed(&from[1..], '(', ')');
            (from[2..length].strip_suffix(')').unwrap_or(&from[2..length]), length)
        } else {
            ("", 1)
        };
        if !inside.is_empty() {
            found.push(inside);
        }
        rest = &from[length..];
    }
    found
}

/// The word at the beginning, which is not empty, and what comes after it.
fn word(text: &str) -> (Word, &str) {
    let mut word = Word { text: String::new(), is_literal: true };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
            '\'' => {
                let (inside, after) = after.split_once('\'').unwrap_or((after, ""));
                word.text.push_str(inside);
                rest = after;
            }
            '"' => rest = double_quoted(after, &mut word),
            '\\' => {
                let escaped = after.chars().next();
                word.text.extend(escaped.filter(|c| *c != '\n'));
                rest = &after[escaped.map_or(0, char::len_utf8)..];
            }
            '$' | '`' => rest = expansion(rest, &mut word),
            '*' | '?' | '~' => {
                word.is_literal = false;
                word.text.push(c);
                rest = after;
            }
            _ => {
                word.text.push(c);
                rest = after;
            }
        }
    }
    if rest.len() == text.len() {
        // Cannot be: whatever begins no word is an operator. Read on all the same.
        rest = text.char_indices().nth(1).map_or("", |(at, _)| &text[at..]);
    }
    (word, rest)
}

/// Up to the closing quote.
fn double_quoted<'a>(text: &'a str, word: &mut Word) -> &'a str {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '"' => return after,
            '\\' => {
                let escaped = after.chars().next();
                if !escaped.is_some_and(|c| matches!(c, '"' | '\\' | '$' | '`' | '\n')) {
                    word.text.push('\\');
                }
                word.text.extend(escaped.filter(|c| *c != '\n'));
                rest = &after[escaped.map_or(0, char::len_utf8)..];
            }
            '$' | '`' => rest = expansion(rest, word),
            _ => {
                word.text.push(c);
                rest = after;
            }
        }
    }
    rest
}

/// At `$` or a backtick: as it is written, up to its end.
fn expansion<'a>(text: &'a str, word: &mut Word) -> &'a str {
    let length = if let Some(inside) = text.strip_prefix('`') {
        inside.find('`').map_or(text.len(), |end| end + 2)
    } else if text.starts_with("$(") {
        1 + bracketed(&text[1..], '(', ')')
    } else if text.starts_with("${") {
        1 + bracketed(&text[1..], '{', '}')
    } else {
        let next = text[1..].chars().next();
        let is_name = next.is_some_and(|c| c.is_ascii_alphanumeric() || "_@*#?-$!".contains(c));
        word.is_literal &= !is_name;
        word.text.push('$');
        return &text[1..];
    };
    word.is_literal = false;
    word.text.push_str(&text[..length]);
    &text[length..]
}

/// Length up to and with the bracket that closes the first one. What is quoted does not count.
fn bracketed(text: &str, open: char, close: char) -> usize {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => is_escaped = true,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, _) if c == open => depth += 1,
            (None, _) if c == close => {
                depth -= 1;
                if depth == 0 {
                    return at + c.len_utf8();
                }
            }
            _ => {}
        }
    }
    text.len()
}
