//! Makes evidence fit to be kept and shown: no secrets, no more than configured.

use crate::redact::redact;
use crate::report::{Evidence, shortened, visible};

/// Evidence of at most `max` bytes, of which `dropped` more were lost on the way. Too long a text loses its middle: the
/// start says what ran, the end how it went.
pub fn of(text: &str, dropped: u64, max: usize) -> Evidence {
    // Secrets first: where the text is cut one could be cut in two, and no longer be known for one.
    let redacted = redact(text);
    let total = text.len() as u64 + dropped;
    let (text, is_cut) = match redacted.text.len() > max {
        true => (without_middle(&redacted.text, max), true),
        false => (redacted.text.into_owned(), dropped > 0),
    };
    Evidence { text: text.into(), total, is_cut, redacted: redacted.count }
}

/// One line without secrets.
pub fn line(text: &str) -> String {
    shortened(visible(&redact(text).text))
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
}
