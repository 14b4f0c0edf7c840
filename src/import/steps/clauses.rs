//! Cuts a sentence where WHEN, THEN and their like begin.

use crate::openspec::scenario::{StepKind, keywords};

/// What a clause says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Given.
    Given,
    /// While, where: holds all along.
    State,
    /// When, if.
    Trigger,
    /// Then.
    Response,
    /// And, but: goes on with the clause before.
    More,
}

/// A keyword and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause {
    /// What the keyword says.
    pub role: Role,
    /// The words behind it.
    pub text: String,
}

/// A sentence cut up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Cut {
    /// What stands before the first keyword.
    pub before: String,
    /// The clauses, in order.
    pub clauses: Vec<Clause>,
}

impl Cut {
    /// Whether there is a clause of that kind.
    pub fn has(&self, role: Role) -> bool {
        self.clauses.iter().any(|clause| clause.role == role)
    }
}

/// Cuts a sentence. Lines of it are separated by line feeds: a keyword may begin each.
pub(super) fn cut(sentence: &str) -> Cut {
    let mut cut = Cut::default();
    let mut from = 0;
    let mut quoted: Option<char> = None;
    let mut before = Before { c: '\n', solid: '\n' };
    let mut skip_to = 0;
    for (at, c) in sentence.char_indices() {
        if at < skip_to {
            continue;
        }
        match (quoted, c) {
            (None, '`' | '"') => quoted = Some(c),
            (None, '“') => quoted = Some('”'),
            (None, '「') => quoted = Some('」'),
            (Some(end), c) if c == end => quoted = None,
            // A quote that is left open at a line's end is none.
            (Some(_), '\n') => quoted = None,
            _ => {}
        }
        if quoted.is_none()
            && let Some((role, len)) = found(sentence, at, before, &cut)
        {
            let ended = clean(&sentence[from..at]);
            match cut.clauses.last_mut() {
                Some(clause) => clause.text = ended,
                None => cut.before = ended,
            }
            cut.clauses.push(Clause { role, text: String::new() });
            from = at + len;
            skip_to = from;
        }
        before.c = c;
        if !c.is_whitespace() || c == '\n' {
            before.solid = c;
        }
    }
    let rest = clean(&sentence[from.min(sentence.len())..]);
    match cut.clauses.last_mut() {
        Some(clause) => clause.text = rest,
        None => cut.before = rest,
    }
    cut
}

/// What stands before a place: the character, and the last one that is not blank.
#[derive(Debug, Clone, Copy)]
struct Before {
    c: char,
    solid: char,
}

/// The keyword that begins at a place, and its length with the colon or emphasis behind it.
fn found(sentence: &str, at: usize, before: Before, cut: &Cut) -> Option<(Role, usize)> {
    let text = &sentence[at..];
    if !text.starts_with(char::is_alphabetic) || before.c.is_alphanumeric() && before.c.is_ascii() {
        return None;
    }
    let is_bold = sentence[..at].ends_with("**") || sentence[..at].ends_with("__");
    let is_start = sentence[..at].trim_matches(['*', '_', ' ', '>']).is_empty() || before.solid == '\n';
    let is_start = is_start || is_bold && sentence[..at].trim_end_matches(['*', '_', ' ']).ends_with('\n');
    let is_pause = matches!(before.solid, ',' | ';' | '.' | '，' | '；' | '。' | '、' | ':');
    let (role, len, is_english, is_unspaced) = word(text)?;
    let written = &text[..len];
    let is_loud = len > 1 && written.chars().any(char::is_uppercase) && !written.chars().any(char::is_lowercase);
    let is_open = !cut.clauses.is_empty();
    let has_response = cut.has(Role::Response);
    let is_long = written.chars().count() >= 4 || is_unspaced;
    let is_it = match role {
        Role::More => is_bold && is_open || is_start && is_open && (is_english || is_loud),
        _ if is_bold || is_start && (is_english || is_loud || is_long) => true,
        // What follows the response belongs to it, unless it is set apart.
        _ if has_response => is_pause && is_given_when(cut) && role != Role::State && (is_english || is_loud),
        Role::Response => is_open && (is_loud || is_pause && (is_english || is_long) || is_english && before.c == ' '),
        Role::Given | Role::Trigger | Role::State => {
            // "the system SHALL x WHEN y": the condition comes last, and is looked for elsewhere.
            is_open && (is_loud || is_pause && (is_english || is_long)) && !demands(open_text(sentence, cut, at))
        }
    };
    is_it.then(|| (role, len + behind(&text[len..])))
}

/// Whether the sentence is in the manner of Given, When, Then, where further ones may follow.
fn is_given_when(cut: &Cut) -> bool {
    cut.clauses.first().is_some_and(|clause| clause.role == Role::Given)
}

/// What has been read of the clause that is open.
fn open_text<'s>(sentence: &'s str, cut: &Cut, at: usize) -> &'s str {
    if cut.clauses.is_empty() { "" } else { &sentence[..at] }
}

/// Whether a text says what is to be done.
fn demands(text: &str) -> bool {
    super::modal(text).is_some()
}

/// Emphasis, colon and blanks behind a keyword.
fn behind(rest: &str) -> usize {
    let trimmed = rest.trim_start_matches(['*', '_']).trim_start_matches([':', '：']).trim_start_matches(['*', '_']);
    rest.len() - trimmed.len()
}

/// The keyword a text begins with: what it says, its length, whether it is English, whether its language has no blanks.
fn word(text: &str) -> Option<(Role, usize, bool, bool)> {
    const OWN: &[(&str, Role)] = &[
        ("while", Role::State),
        ("where", Role::State),
        ("whenever", Role::Trigger),
        ("during", Role::State),
        ("mientras", Role::State),
        ("enquanto", Role::State),
    ];
    for (word, role) in OWN {
        let is_it = text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        if is_it && !text[word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-') {
            return Some((*role, word.len(), word.starts_with('w') || word.starts_with("dur"), false));
        }
    }
    let found = keywords(text).into_iter().next()?;
    let role = match found.kind {
        StepKind::Given => Role::Given,
        StepKind::When | StepKind::If => Role::Trigger,
        StepKind::Then => Role::Response,
        StepKind::And => Role::More,
    };
    Some((role, found.len, found.language == 0, found.unspaced))
}

/// A clause on one line, without what set it apart from the next.
fn clean(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // The emphasis of the keyword that follows.
    for mark in ["**", "__"] {
        if text.matches(mark).count() % 2 == 1
            && let Some(rest) = text.strip_suffix(mark)
        {
            text = rest.trim_end().to_owned();
        }
    }
    let text = text.trim_end_matches([',', ';', '，', '；', '、']).trim_end();
    text.trim_start_matches([',', ':', '：', '，']).trim_start().to_owned()
}
