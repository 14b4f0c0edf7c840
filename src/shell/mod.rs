//! Shell lines, read as far as it takes to tell what they run and what their exit code depends on.

pub(crate) mod lexer;
mod wrappers;

pub(crate) use wrappers::{Unwrapped, base_name, unwrapped};

use lexer::Token;

/// How deep groups may be nested. Deeper ones are not looked into.
const DEPTH: usize = 16;

/// Lines with more pieces are read without their `case`s, whose ends have to be looked for.
const MAX_TOKENS: usize = 10_000;

/// Words that begin a compound command or stand inside one.
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "select", "function",
    "[[", "((",
];

/// A word, without its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its text, expansions as they are written.
    pub(crate) text: String,
    /// Whether the shell puts nothing into it.
    pub(crate) is_literal: bool,
}

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), is_literal: true }
    }
}

/// What stands between two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;`, a new line, or the end.
    Then,
    /// `&`
    Background,
}

/// One part of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A program, its arguments, assignments before it. Redirections are left out.
    Simple(Vec<Word>),
    /// `( … )` or `{ … }`
    Group(List),
    /// `name() { … }`: a function, which is not run by that.
    Function(String, List),
    /// `case … in … esac`: what its branches run.
    Case(Vec<List>),
    /// Something that is not understood.
    Other,
}

/// Commands joined by `|`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pipeline {
    /// Whether `!` stands before it.
    pub(crate) is_negated: bool,
    /// Its commands.
    pub(crate) stages: Vec<Stage>,
}

/// Pipelines and what stands after each.
pub(crate) type List = Vec<(Pipeline, Joint)>;

/// Reads a line, or a script of several.
pub(crate) fn parse(line: &str) -> List {
    let tokens = lexer::tokens(line);
    let mut at = 0;
    let mut list = List::new();
    while at < tokens.len() {
        list.append(&mut parse_list(&tokens, &mut at, 0));
        // A bracket that closes nothing.
        at += 1;
    }
    list
}

/// Whether a word is part of a compound command.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// All programs that a line names with their arguments, in their order, also those in groups.
pub(crate) fn commands(list: &List) -> Vec<Vec<Word>> {
    let mut found = Vec::new();
    for stage in list.iter().flat_map(|(pipeline, _)| &pipeline.stages) {
        match stage {
            Stage::Simple(words) => {
                let words = words.iter().skip_while(|word| is_reserved(&word.text) || word.text == "!");
                found.push(words.cloned().collect());
            }
            Stage::Group(list) | Stage::Function(_, list) => found.append(&mut commands(list)),
            Stage::Case(branches) => branches.iter().for_each(|list| found.append(&mut commands(list))),
            Stage::Other => {}
        }
    }
    found
}

/// Up to the bracket that closes it.
fn parse_list(tokens: &[Token], at: &mut usize, depth: usize) -> List {
    let mut list = List::new();
    let mut pipeline = Pipeline::default();
    let mut words: Vec<Word> = Vec::new();
    while let Some(token) = tokens.get(*at) {
        let is_first = words.is_empty();
        match token {
            Token::Word(word) if is_first && word.is_literal && word.text == "!" => {
                pipeline.is_negated = !pipeline.is_negated;
            }
            Token::Word(word) if is_first && word.is_literal && word.text == "{" => {
                group(tokens, at, depth, &mut pipeline)
            }
            Token::Word(word) if is_first && word.is_literal && word.text == "}" => break,
            Token::Word(word) if is_first && word.is_literal && word.text == "case" => {
                let stage = case(tokens, at, depth);
                pipeline.stages.push(stage);
            }
            Token::Word(word) if is_first && word.is_literal && word.text == "function" => {
                let name = tokens.get(*at + 1).and_then(literal).unwrap_or_default().to_owned();
                *at += 1;
                let stage = function(name, tokens, at, depth);
                pipeline.stages.push(stage);
            }
            Token::Word(word) => words.push(word.clone()),
            Token::Operator("(") if is_first => group(tokens, at, depth, &mut pipeline),
            // A function, or an array.
            Token::Operator("(") => {
                let name = words.pop().filter(|word| words.is_empty() && word.is_literal);
                words.clear();
                *at -= 1;
                let stage = function(name.map(|word| word.text).unwrap_or_default(), tokens, at, depth);
                pipeline.stages.push(stage);
            }
            Token::Operator(")") => break,
            Token::Operator("|" | "|&") => close(&mut words, &mut pipeline),
            Token::Operator(operator) => {
                close(&mut words, &mut pipeline);
                let joint = match *operator {
                    "&&" => Joint::And,
                    "||" => Joint::Or,
                    "&" => Joint::Background,
                    _ => Joint::Then,
                };
                if !pipeline.stages.is_empty() {
                    list.push((std::mem::take(&mut pipeline), joint));
                }
            }
            // Left out by the lexer, or not understood.
            Token::Redirection(..) | Token::Document(_) | Token::Unknown => pipeline.stages.push(Stage::Other),
        }
        *at += 1;
    }
    close(&mut words, &mut pipeline);
    if !pipeline.stages.is_empty() {
        list.push((pipeline, Joint::Then));
    }
    list
}

fn close(words: &mut Vec<Word>, pipeline: &mut Pipeline) {
    if !words.is_empty() {
        pipeline.stages.push(Stage::Simple(std::mem::take(words)));
    }
}

/// At its opening bracket; leaves `at` on its closing one.
fn group(tokens: &[Token], at: &mut usize, depth: usize, pipeline: &mut Pipeline) {
    if depth >= DEPTH {
        pipeline.stages.push(Stage::Other);
        return;
    }
    *at += 1;
    let list = parse_list(tokens, at, depth + 1);
    pipeline.stages.push(Stage::Group(list));
}

/// At a function's name; leaves `at` on the bracket that closes its body. When it is no function after all, the brackets
/// after it are read as commands, and it is not understood.
fn function(name: String, tokens: &[Token], at: &mut usize, depth: usize) -> Stage {
    if matches!((tokens.get(*at + 1), tokens.get(*at + 2)), (Some(Token::Operator("(")), Some(Token::Operator(")")))) {
        *at += 2;
    } else if matches!(tokens.get(*at + 1), Some(Token::Operator("("))) {
        *at += 1;
        return Stage::Other;
    }
    while matches!(tokens.get(*at + 1), Some(Token::Operator("\n"))) {
        *at += 1;
    }
    let has_body = tokens.get(*at + 1).and_then(literal) == Some("{");
    if name.is_empty() || !has_body || depth >= DEPTH {
        return Stage::Other;
    }
    *at += 2;
    Stage::Function(name, parse_list(tokens, at, depth + 1))
}

/// At `case`; leaves `at` on `esac`.
fn case(tokens: &[Token], at: &mut usize, depth: usize) -> Stage {
    let rest = tokens.get(*at..).unwrap_or_default();
    if tokens.len() > MAX_TOKENS {
        return Stage::Other;
    }
    let Some(last) = end_of_case(rest) else { return Stage::Other };
    *at += last;
    let is_in = |token: &Token| literal(token) == Some("in");
    let Some(mut next) = rest.iter().position(is_in).map(|found| found + 1).filter(|_| depth < DEPTH) else {
        return Stage::Other;
    };
    let mut branches = Vec::new();
    while next < last {
        let of_branch = rest.get(next..last).unwrap_or_default();
        let Some(pattern) = of_branch.iter().position(|token| *token == Token::Operator(")")) else { break };
        let body = of_branch.get(pattern + 1..).unwrap_or_default();
        let length = end_of_branch(body);
        branches.push(parse_list(body.get(..length).unwrap_or_default(), &mut 0, depth + 1));
        next += pattern + 1 + length + 1;
    }
    Stage::Case(branches)
}

/// How far `esac` is from its `case`.
fn end_of_case(tokens: &[Token]) -> Option<usize> {
    let mut open = 0_usize;
    tokens.iter().position(|token| {
        match literal(token) {
            Some("case") => open += 1,
            Some("esac") => open = open.saturating_sub(1),
            _ => return false,
        }
        open == 0
    })
}

/// How far `;;` is, those of a `case` inside left out.
fn end_of_branch(tokens: &[Token]) -> usize {
    let mut open = 0_usize;
    let end = tokens.iter().position(|token| {
        match literal(token) {
            Some("case") => open += 1,
            Some("esac") => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0 && *token == Token::Operator(";;")
    });
    end.unwrap_or(tokens.len())
}

fn literal(token: &Token) -> Option<&str> {
    match token {
        Token::Word(word) if word.is_literal => Some(&word.text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(list: &List) -> String {
        let mut text = String::new();
        for (pipeline, joint) in list {
            if pipeline.is_negated {
                text.push('!');
            }
            let stages = pipeline.stages.iter().map(|stage| match stage {
                Stage::Simple(words) => words.iter().map(|word| format!("[{}]", word.text)).collect(),
                Stage::Group(list) => format!("({})", shown(list)),
                Stage::Function(name, list) => format!("{name}()({})", shown(list)),
                Stage::Case(branches) => branches.iter().map(|list| format!("case({})", shown(list))).collect(),
                Stage::Other => "?".to_owned(),
            });
            let stages = stages.collect::<Vec<_>>();
            text.push_str(&stages.join("|"));
            text.push_str(match joint {
                Joint::And => "&&",
                Joint::Or => "||",
                Joint::Then => ";",
                Joint::Background => "&",
            });
        }
        text
    }

    #[test]
    fn lines() {
        let cases = [
            ("a b && c || d; e & f", "[a][b]&&[c]||[d];[e]&[f];"),
            ("a 'b c' \"d e\" f\\ g # h", "[a][b c][d e][f g];"),
            ("a | b |& c\nd", "[a]|[b]|[c];[d];"),
            ("a >x 2>&1 <y &>z b", "[a][b];"),
            ("a 2 > x; b>y c", "[a][2];[b][c];"),
            ("! a; (b; c) && { d; e; }", "![a];([b];[c];)&&([d];[e];);"),
            ("a $(b; c) `d; e` ${f:-;} \"$(g \")\" )\"", "[a][$(b; c)][`d; e`][${f:-;}][$(g \")\" )];"),
            ("a ''", "[a][];"),
            ("f() { a; }", "f()([a];);"),
            ("f()\n{ a\n}\nf x", "f()([a];);[f][x];"),
            ("function f { a; }; f", "f()([a];);[f];"),
            ("function f() { a; }; f", "f()([a];);[f];"),
            ("f() a", "?"),
            ("x=(a b)", "?"),
            ("case x in a|b) c;; (*) d; e;; esac; f", "case([c];)case([d];[e];);[f];"),
            ("case x in a) case y in b) c;; esac;; esac && d", "case(case([c];);)&&[d];"),
            ("case x in x) ;; esac", "case();"),
            ("case x in", "?"),
            ("a) b", "[a];[b];"),
            ("", ""),
            ("a 'b", "[a][b];"),
            ("a\\\nb", "[ab];"),
        ];
        for (line, expected) in cases {
            let found = shown(&parse(line));
            assert!(if expected == "?" { found.contains('?') } else { found == expected }, "{line}: {found}");
        }
    }

    #[test]
    fn any_depth_is_read() {
        for line in
            ["(".repeat(100_000), ")".repeat(100_000), "{ ".repeat(100_000), "$(".repeat(100_000), "`".repeat(99_999)]
        {
            parse(&line);
        }
        for piece in ["case x in a) ", "f() { ", "f() ", "function ", "case "] {
            parse(&piece.repeat(5_000));
        }
        parse(&format!("{}{}", "case x in a) ".repeat(5_000), "esac ".repeat(5_000)));
    }

    #[test]
    fn redirections_and_documents() {
        use lexer::{pieces, substituted};
        let shown = |line: &str| {
            let pieces = pieces(line).into_iter().map(|token| match token {
                Token::Word(word) => format!("[{}]", word.text),
                Token::Operator(operator) => operator.to_owned(),
                Token::Redirection(sign, word) => format!("{sign}({})", word.text),
                Token::Document(lines) => format!("<<({lines})"),
                Token::Unknown => "?".to_owned(),
            });
            pieces.collect::<String>()
        };
        assert_eq!(shown("a 2>b >>'c d' &> e"), "[a]>(b)>>(c d)&>(e)");
        assert_eq!(shown("a <<X >b && c\n1\n2\nX\nd"), "[a]<<(1\n2\n)>(b)&&[c]\n[d]");
        assert_eq!(shown("a <<-'X' <<Y\n\t1\n\tX\n2\nY\nd"), "[a]<<(\t1\n)<<(2\n)\n[d]");
        assert_eq!(shown("a << X\n1"), "[a]<<(1)\n");
        assert_eq!(shown("a <<<b"), "[a]<<<(b)");
        assert_eq!(substituted("a$(b c)d`e`$f$(g $(h))"), ["b c", "e", "g $(h)"]);
        assert_eq!(substituted("$(a"), ["a"]);
        assert_eq!(substituted("`a"), ["a"]);
    }
}
