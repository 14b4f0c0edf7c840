//! The lines of a source: which are code, which are headings, which begin an entry of a list.

use std::sync::LazyLock;

use regex::Regex;

use crate::openspec::text::Text;

/// A level below all headings, for lines of nothing but bold text that serve as one.
pub(super) const BOLD: usize = 7;

/// A line of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// 1-based.
    pub number: usize,
    /// Without its end.
    pub text: &'t str,
    /// Whether it is code with its fences, or a comment: nothing in it is structure.
    pub fenced: bool,
    /// Whether it is a comment, or goes on with one.
    pub is_comment: bool,
}

impl<'t> Line<'t> {
    /// Whether nothing is on it.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether it is a rule across the page, which says nothing.
    pub fn is_rule(&self) -> bool {
        let mut marks = self.text.chars().filter(|c| !c.is_whitespace());
        let Some(first) = marks.next().filter(|c| matches!(c, '-' | '*' | '_' | '=')) else { return false };
        !self.fenced && marks.clone().count() >= 2 && marks.all(|c| c == first)
    }

    /// Blanks before its text, a tab counting four.
    pub fn indent(&self) -> usize {
        let blanks = self.text.chars().take_while(|c| c.is_whitespace());
        blanks.map(|c| if c == '\t' { 4 } else { 1 }).sum()
    }

    /// Level and title when it is a heading, or a line of nothing but bold text.
    pub fn heading(&self) -> Option<(usize, &'t str)> {
        if self.fenced {
            return None;
        }
        let text = self.text.trim();
        let level = text.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&level) && self.indent() < 4 {
            let title = text[level..].strip_prefix([' ', '\t'])?.trim();
            return Some((level, title.trim_end_matches('#').trim_end()));
        }
        let inner = text.strip_prefix("**")?;
        let end = inner.find("**")?;
        let rest = inner[end + 2..].trim();
        let is_alone = rest.is_empty() || rest == ":" || rest == "：" || is_remark(rest);
        (is_alone && end > 0 && self.indent() < 4).then_some((BOLD, text))
    }
}

/// `*(mandatory)*` behind a title.
fn is_remark(rest: &str) -> bool {
    let rest = rest.trim_end_matches([':', '：']).trim().trim_matches(['*', '_']);
    rest.starts_with(['(', '（']) && rest.ends_with([')', '）']) && rest.chars().count() < 40
}

/// All lines of a text.
pub(super) fn lines(text: &Text) -> Vec<Line<'_>> {
    let all: Vec<&str> = (0..text.len()).map(|line| text.line(line)).collect();
    let comments = comments(&all, |line| text.fenced(line));
    let line = |(line, is_comment): (usize, bool)| {
        let fenced = text.fenced(line) || is_comment;
        Line { number: line + 1, text: all[line], fenced, is_comment }
    };
    comments.into_iter().enumerate().map(line).collect()
}

/// Which lines are comments and nothing else. One that is never closed is none: it would hide all that follows.
pub(super) fn comments(lines: &[&str], is_code: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut found = vec![false; lines.len()];
    let last_end = lines.iter().rposition(|line| line.contains("-->"));
    let mut is_open = false;
    for (at, line) in lines.iter().enumerate() {
        if !is_open && is_code(at) {
            continue;
        }
        let was_open = is_open;
        let mut rest = *line;
        let mut is_alone = true;
        loop {
            if is_open {
                let Some(end) = rest.find("-->") else { break };
                (is_open, rest) = (false, &rest[end + 3..]);
            }
            let Some(start) = rest.find("<!--").filter(|start| rest[..*start].matches('`').count() % 2 == 0) else {
                is_alone &= rest.trim().is_empty();
                break;
            };
            is_alone &= rest[..start].trim().is_empty();
            let after = &rest[start + 4..];
            if !after.contains("-->") && last_end.is_none_or(|end| end <= at) {
                is_alone = false;
                break;
            }
            (is_open, rest) = (true, after);
        }
        // Words behind the end of one stand where no structure begins.
        found[at] = was_open || is_alone && line.contains("<!--");
    }
    found
}

/// A text without emphasis and without a colon at its end.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace("**", "");
    text.trim().trim_matches('*').trim_end_matches([':', '：']).trim().trim_matches('*').trim().to_owned()
}

/// What an entry of a list begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marker<'t> {
    /// Whether it has a number of its own.
    pub is_numbered: bool,
    /// The number, or that of a label such as `AC-2` behind a bullet.
    pub label: Option<&'t str>,
    /// What follows; a label behind a bullet is part of it.
    pub rest: &'t str,
}

static NUMBERED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:\*\*|__)?(?:[（(](\d{1,4})[)）]\s*|(\d{1,4}(?:\.\d{1,4})+[a-z]?)[.:：)]?(?:\*\*|__)?[.:：)]?\s+",
        r"|(\d{1,4}[a-z]?)(?:[.)](?:\*\*|__)?\s+|(?:\*\*|__)[.)]\s+|[、．]\s*))(.*)$"
    ))
    .ok()
});

static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:\*\*|__)?(?:(?:AC|REQ|NFR|US|AS|TC|R|S|C)[-_ ]?(\d{1,4}(?:[.\-]\d{1,4})*[a-z]?)|(\d{1,4}(?:\.\d{1,4})+))",
        r"(?:\*\*|__)?\s*(?:\([^)]*\)\s*)?(?:\*\*|__)?[:：.)\-–—]?(?:\*\*|__)?\s+"
    ))
    .ok()
});

/// The mark of a list's entry, when a line has one.
pub(super) fn marker(line: &str) -> Option<Marker<'_>> {
    let text = line.trim();
    let behind = |bullet: &&str| text.strip_prefix(*bullet)?.strip_prefix([' ', '\t']);
    if let Some(rest) = ["-", "*", "+", "•"].iter().find_map(behind) {
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("[ ]").map_or(rest, str::trim_start);
        return Some(Marker { is_numbered: false, label: label(rest), rest });
    }
    let found = NUMBERED.as_ref()?.captures(text)?;
    let label = found.get(1).or(found.get(2)).or(found.get(3))?;
    let rest = found.get(4).map_or("", |rest| rest.as_str());
    let rest = rest.strip_prefix("[ ]").unwrap_or(rest).trim();
    (!rest.is_empty()).then_some(Marker { is_numbered: true, label: Some(label.as_str()), rest })
}

fn label(text: &str) -> Option<&str> {
    let found = LABEL.as_ref()?.captures(text)?;
    found.get(1).or(found.get(2)).map(|label| label.as_str())
}

/// A criterion's text without a label such as `AC-2:` in front.
pub(super) fn without_label(text: &str) -> &str {
    match LABEL.as_ref().and_then(|label| label.find(text)) {
        Some(found) => &text[found.end()..],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Option<(bool, Option<&str>, &str)> {
        marker(line).map(|marker| (marker.is_numbered, marker.label, marker.rest))
    }

    #[test]
    fn markers() {
        assert_eq!(found("1. WHEN x"), Some((true, Some("1"), "WHEN x")));
        assert_eq!(found("  2) x"), Some((true, Some("2"), "x")));
        assert_eq!(found("3、当"), Some((true, Some("3"), "当")));
        assert_eq!(found("1.2 WHEN x"), Some((true, Some("1.2"), "WHEN x")));
        assert_eq!(found("**1.2** WHEN x"), Some((true, Some("1.2"), "WHEN x")));
        assert_eq!(found("**1.** WHEN x"), Some((true, Some("1"), "WHEN x")));
        assert_eq!(found("（4）x"), Some((true, Some("4"), "x")));
        assert_eq!(found("- AC-2: WHEN x"), Some((false, Some("2"), "AC-2: WHEN x")));
        assert_eq!(found("- [ ] 1.1 x"), Some((false, Some("1.1"), "1.1 x")));
        assert_eq!(found("* x"), Some((false, None, "x")));
        assert_eq!(found("-x"), None);
        assert_eq!(found("10 users"), None);
        assert_eq!(found("**bold** x"), None);
    }

    #[test]
    fn headings() {
        let line = |text| Line { number: 1, text, fenced: false, is_comment: false };
        let heading = |text| line(text).heading();
        assert_eq!(heading("### A ###"), Some((3, "A")));
        assert_eq!(heading("**Acceptance Criteria:**"), Some((BOLD, "**Acceptance Criteria:**")));
        assert_eq!(heading("**Acceptance Scenarios**:"), Some((BOLD, "**Acceptance Scenarios**:")));
        assert_eq!(heading("**Given** x"), None);
        assert_eq!(heading("#tag"), None);
        assert!(line("- - -").is_rule());
        assert!(!line("- x").is_rule());
    }

    #[test]
    fn comments_are_told_apart() {
        let found = |text: &str| {
            let lines: Vec<&str> = text.split('\n').collect();
            comments(&lines, |_| false).into_iter().map(|is_it| if is_it { 'c' } else { '.' }).collect::<String>()
        };
        assert_eq!(found("a\n<!--\nb\n-->\nc"), ".ccc.");
        assert_eq!(found("<!-- a -->\nb <!-- c -->\nd <!-- e\nf -->\ng"), "c..c.");
        assert_eq!(found("<!-- a\nb"), "..");
        assert_eq!(found("`<!--`\nb -->\nc"), "...");
    }
}
