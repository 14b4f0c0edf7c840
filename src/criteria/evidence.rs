//! Makes evidence fit to be kept and shown: no secrets, no more than configured.

use std::borrow::Cow;

use crate::redact::{MARK, redact};
use crate::report::{Evidence, shortened, visible};

/// Shorter values of variables are words like `true` and `test`, which stand in any output.
const MIN_SECRET: usize = 8;

/// Makes evidence of what checks see.
#[derive(Debug, Clone, Default)]
pub struct Keeper {
    /// Bytes that are kept of one check's evidence.
    max: usize,
    /// Values that must not be shown, whatever they look like. The longest first: one may be part of another.
    secrets: Vec<String>,
}

impl Keeper {
    /// Keeps at most `max` bytes of a check's evidence, and nothing of `values`: what variables hold that the
    /// configuration gives to checks is mostly secret.
    pub fn new(max: usize, values: impl Iterator<Item = String>) -> Self {
        let mut secrets: Vec<String> = values.filter(|value| value.len() >= MIN_SECRET).collect();
        secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        secrets.dedup();
        Self { max, secrets }
    }

    /// Evidence of which `dropped` bytes were lost on the way. Too long a text loses its middle: the start says what ran,
    /// the end how it went.
    pub fn evidence(&self, text: &str, dropped: u64) -> Evidence {
        // Secrets first: where the text is cut one could be cut in two, and no longer be known for one.
        let (text, hidden) = self.hide(text);
        let redacted = redact(&text);
        let total = text.len() as u64 + dropped;
        let (kept, is_cut) = match redacted.text.len() > self.max {
            true => (without_middle(&redacted.text, self.max), true),
            false => (redacted.text.to_string(), dropped > 0),
        };
        Evidence { text: kept.into(), total, is_cut, redacted: redacted.count + hidden }
    }

    /// One line without secrets.
    pub fn line(&self, text: &str) -> String {
        shortened(visible(&redact(&self.hide(text).0).text))
    }

    fn hide<'t>(&self, text: &'t str) -> (Cow<'t, str>, usize) {
        let mut shown = Cow::Borrowed(text);
        let mut count = 0;
        for secret in &self.secrets {
            let found = shown.matches(secret.as_str()).count();
            if found > 0 {
                shown = shown.replace(secret.as_str(), MARK).into();
                count += found;
            }
        }
        (shown, count)
    }
}

fn without_middle(text: &str, max: usize) -> String {
    let start = (0..=max / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = (text.len() - (max - max / 2)..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let (head, tail) = (&text[..start], &text[end..]);
    // Whole lines, when that costs little.
    let head = head.rsplit_once('\n').filter(|(kept, _)| kept.len() > max / 4).map_or(head, |(kept, _)| kept);
    let tail = tail.split_once('\n').filter(|(_, kept)| kept.len() > max / 4).map_or(tail, |(_, kept)| kept);
    let left_out = text.len() - head.len() - tail.len();
    format!("{head}\n… {left_out} bytes left out …\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, dropped: u64, max: usize) -> Evidence {
        Keeper::new(max, std::iter::empty()).evidence(text, dropped)
    }

    #[test]
    fn long_evidence_loses_its_middle() {
        let text = (0..1000).map(|line| format!("line {line}\n")).collect::<String>();
        let evidence = of(&text, 5, 1024);
        assert!(evidence.is_cut && evidence.total == text.len() as u64 + 5);
        assert!(evidence.text.starts_with("line 0\n") && evidence.text.ends_with("line 999\n"));
        assert!(evidence.text.len() < 1100 && evidence.text.contains("bytes left out"));
        assert_eq!(&*of("short", 0, 1024).text, "short");
    }

    #[test]
    fn characters_are_not_cut() {
        let evidence = of(&"ä".repeat(1000), 0, 101);
        assert!(evidence.is_cut && evidence.text.starts_with('ä') && evidence.text.ends_with('ä'));
    }

    #[test]
    fn a_secret_where_the_text_is_cut_is_gone() {
        let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        let text = format!("{}{secret}{}", "a b\n".repeat(30), "c d\n".repeat(100));
        assert!(!of(&text, 0, 250).text.contains("ghp_0123"));
    }

    #[test]
    fn values_of_variables_are_hidden() {
        let values = ["s3cr3t-value", "s3cr3t-value-2", "test"].map(str::to_owned);
        let keeper = Keeper::new(1024, values.into_iter());
        let evidence = keeper.evidence("a test of s3cr3t-value-2 and s3cr3t-value", 0);
        assert_eq!((&*evidence.text, evidence.redacted), ("a test of [REDACTED] and [REDACTED]", 2));
        assert_eq!(keeper.line("s3cr3t-value\n"), "[REDACTED]\\n");
    }
}
