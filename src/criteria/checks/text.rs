//! Whether a text has what is expected of it.

use std::borrow::Cow;

use bstr::ByteSlice;
use regex::bytes::RegexBuilder;

use super::excerpt::{first_lines, located, odd_encoding};
use crate::criteria::{Observed, TextExpectation};
use crate::report::shown_line;

/// Most matches that are shown.
const MAX_MATCHES: usize = 20;

/// Lines that are shown of a text that lacks something.
const FIRST_LINES: usize = 10;

/// Judges a text that people know as `name`: a file's path, `stdout`.
///
/// A line break in what is expected stands for either kind of line break in the text. FAIL when something does not
/// hold; UNVERIFIABLE when an expectation makes no sense or the text is UTF-16. Evidence are the first matches, as
/// `name:line:text`, or the first lines of a text that lacks something.
pub fn judge(expect: &TextExpectation, name: &str, text: &[u8]) -> Observed {
    if expect.is_empty() {
        return Observed::pass(format!("{name} is there"), "");
    }
    if let Some(reason) = odd_encoding(text) {
        return Observed::unverifiable(format!("{name} was not looked at: {reason}; save it as UTF-8"), "");
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut looked = Looked { name, raw: text, plain: plain_breaks(text), ..Looked::default() };
    for needle in &expect.contains {
        looked.contains(needle);
    }
    for needle in &expect.not_contains {
        looked.not_contains(needle);
    }
    for pattern in &expect.matches {
        looked.matches(pattern);
    }
    looked.outcome(expect)
}

/// What was seen so far.
#[derive(Default)]
struct Looked<'t> {
    name: &'t str,
    raw: &'t [u8],
    /// The text with `\n` for every line break.
    plain: Cow<'t, [u8]>,
    missing: Vec<String>,
    unwanted: Vec<String>,
    senseless: Vec<String>,
    /// What shows that something holds.
    found: Vec<String>,
    /// What shows that something does not.
    proof: Vec<String>,
}

impl Looked<'_> {
    /// The text to look in: as it is for whoever asks about carriage returns.
    fn text(&self, expected: &str, escape: &str) -> &[u8] {
        if expected.contains('\r') || expected.contains(escape) { self.raw } else { &self.plain }
    }

    fn contains(&mut self, needle: &str) {
        if needle.is_empty() {
            self.senseless.push("an empty text is in every text".to_owned());
            return;
        }
        let text = self.text(needle, "\r");
        match text.find(needle) {
            Some(at) => self.found.push(self.line_at(text, at)),
            None => self.missing.push(quoted(needle)),
        }
    }

    fn not_contains(&mut self, needle: &str) {
        if needle.is_empty() {
            self.senseless.push("an empty text is in every text".to_owned());
            return;
        }
        let text = self.text(needle, "\r");
        let places: Vec<usize> = text.find_iter(needle).take(MAX_MATCHES).collect();
        if !places.is_empty() {
            let lines: Vec<String> = places.into_iter().map(|at| self.line_at(text, at)).collect();
            self.proof.extend(lines);
            self.unwanted.push(quoted(needle));
        }
    }

    fn matches(&mut self, pattern: &str) {
        let text = self.text(pattern, "\\r");
        match RegexBuilder::new(pattern).multi_line(true).build() {
            Err(error) => self.senseless.push(format!("{} is no pattern: {}", quoted(pattern), reason(&error))),
            Ok(regex) => match regex.find(text) {
                Some(found) => self.found.push(self.line_at(text, found.start())),
                None => self.missing.push(format!("a match of {}", quoted(pattern))),
            },
        }
    }

    /// The line of a byte, with its place.
    fn line_at(&self, text: &[u8], at: usize) -> String {
        let start = text[..at].rfind_byte(b'\n').map_or(0, |before| before + 1);
        let end = text[at..].find_byte(b'\n').map_or(text.len(), |length| at + length);
        located(self.name, text[..at].find_iter("\n").count() + 1, &text[start..end])
    }

    fn outcome(mut self, expect: &TextExpectation) -> Observed {
        let name = self.name;
        if !self.missing.is_empty() || !self.unwanted.is_empty() {
            let mut parts = Vec::new();
            if !self.missing.is_empty() {
                parts.push(format!("lacks {}", listed(&self.missing)));
                let rest = first_lines(name, self.raw, FIRST_LINES);
                self.proof.extend((!rest.is_empty()).then_some(rest));
            }
            if !self.unwanted.is_empty() {
                parts.push(format!("has {}, which it must not", listed(&self.unwanted)));
            }
            return Observed::fail(format!("{name} {}", parts.join(" and ")), self.proof.join("\n"));
        }
        self.found.truncate(MAX_MATCHES);
        let evidence = self.found.join("\n");
        if !self.senseless.is_empty() {
            return Observed::unverifiable(format!("{name} was not judged: {}", listed(&self.senseless)), evidence);
        }
        let message = match (expect.contains.len() + expect.matches.len(), expect.not_contains.len()) {
            (0, _) => format!("{name} has nothing that it must not have"),
            (_, 0) => format!("{name} has what it must have"),
            _ => format!("{name} has what it must have, and nothing that it must not"),
        };
        Observed::pass(message, evidence)
    }
}

/// Why a pattern is none, on one line.
pub(super) fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().next_back().unwrap_or_default();
    shown_line(last.strip_prefix("error: ").unwrap_or(last))
}

fn quoted(text: &str) -> String {
    format!("`{}`", shown_line(text))
}

/// The first three of a list, and how many more there are.
pub(super) fn listed(list: &[String]) -> String {
    let shown = list.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
    if list.len() > 3 { format!("{shown} and {} more", list.len() - 3) } else { shown }
}

fn plain_breaks(text: &[u8]) -> Cow<'_, [u8]> {
    if text.contains_str("\r\n") { Cow::Owned(Vec::from(text).replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    fn expect(contains: &[&str], not_contains: &[&str], matches: &[&str]) -> TextExpectation {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        TextExpectation { contains: owned(contains), not_contains: owned(not_contains), matches: owned(matches) }
    }

    #[test]
    fn all_of_it_has_to_hold() {
        let text = b"one\ntwo\nthree\n";
        let judged = |expect: &TextExpectation| judge(expect, "a", text);
        let pass = judged(&expect(&["two"], &["four"], &["^th.ee$"]));
        assert_eq!((pass.verdict, pass.evidence.as_str()), (Verdict::Pass, "a:2:two\na:3:three"));
        let fail = judged(&expect(&["two", "five"], &["t"], &["^wo"]));
        assert_eq!(fail.verdict, Verdict::Fail);
        assert_eq!(fail.message, "a lacks `five`, a match of `^wo` and has `t`, which it must not");
        assert!(fail.evidence.starts_with("a:2:two\na:3:three\na:1:one\n"), "{}", fail.evidence);
    }

    #[test]
    fn line_breaks_are_those_of_the_text() {
        let text = b"\xef\xbb\xbfone\r\ntwo\r\n";
        for (expect, verdict) in [
            (expect(&["one\ntwo"], &[], &["^one$", "^two$", "e\\nt"]), Verdict::Pass),
            (expect(&[], &["one\ntwo"], &[]), Verdict::Fail),
            (expect(&[], &["\r"], &[]), Verdict::Fail),
            (expect(&["\r\n"], &[], &["one\\r"]), Verdict::Pass),
        ] {
            assert_eq!(judge(&expect, "a", text).verdict, verdict, "{expect:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_no_pass() {
        for expect in [expect(&[""], &[], &[]), expect(&["a"], &[""], &[]), expect(&[], &[], &["("])] {
            assert_eq!(judge(&expect, "a", b"a").verdict, Verdict::Unverifiable, "{expect:?}");
        }
        let wide = judge(&expect(&[], &["a"], &[]), "a", b"\xff\xfea\0");
        assert_eq!(wide.verdict, Verdict::Unverifiable);
        assert_eq!(judge(&expect(&["b"], &[], &["("]), "a", b"a").verdict, Verdict::Fail);
    }
}
