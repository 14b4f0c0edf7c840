//! Sentences with an id of their own: `- **FR-001**: System MUST …`, `### FR-001: Title`, `| FR-001 | … |`.

use std::sync::LazyLock;

use regex::Regex;

/// A sentence with an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item<'t> {
    /// As the source has it.
    pub id: String,
    /// A title, when the id stands in a heading.
    pub title: &'t str,
    /// The sentence.
    pub text: &'t str,
}

impl Item<'_> {
    /// Whether the id says that it is a requirement, wherever it stands.
    pub fn is_demand(&self) -> bool {
        let letters = self.id.split('-').next().unwrap_or_default();
        ["FR", "NFR", "SC", "RF", "RNF"].contains(&letters)
    }
}

const ID: &str = r"([A-Z][A-Z0-9]{0,7}(?:-[A-Z][A-Z0-9]{0,11}){0,2}-\d{1,4}(?:\.\d{1,3})*[a-zA-Z]?|(?:FR|NFR|SC|RF|RNF)\d{1,4}[a-z]?)";

/// Behind a bullet, bold or not, with a colon, a dash or the end of the emphasis behind it.
static LISTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        concat!(
            r"^\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)?(?:(?:\*\*|__|`)\[?{id}\]?(\s*\([^)*]*\))?\s*[:：.]?\s*(?:\*\*|__|`)\s*",
            r"|\[?{id}\]?(\s*\([^)*]*\))?\s*[:：]\s*|\[?{id}\]?\s+[-–—]\s+)(?:[:：]|[-–—]\s)?\s*(.*)$"
        ),
        id = ID
    ))
    .ok()
});

static TABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^\s*\|\s*(?:\*\*|`)?{ID}(?:\*\*|`)?\s*\|(.*?)\|?\s*$")).ok());

static HEADING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^\[?{ID}\]?(?:\s*[:：.\-–—]\s*(.*)|\s+(.*)|)$")).ok());

/// The item a line begins.
pub(super) fn item(line: &str) -> Option<Item<'_>> {
    if let Some(found) = TABLE.as_ref().and_then(|table| table.captures(line)) {
        let text = found.get(2)?.as_str().trim();
        return Some(Item { id: found[1].to_owned(), title: "", text });
    }
    let found = LISTED.as_ref()?.captures(line)?;
    let id = found.get(1).or(found.get(3)).or(found.get(5))?;
    let text = found.get(6)?.as_str().trim();
    // A remark in the id's emphasis is part of the sentence.
    let remark = found.get(2).or(found.get(4));
    let text = remark.map_or(text, |remark| line[remark.start()..].trim());
    Some(Item { id: id.as_str().to_owned(), title: "", text })
}

/// The item a heading begins; its text follows below.
pub(super) fn heading(title: &str) -> Option<Item<'_>> {
    let found = HEADING.as_ref()?.captures(title)?;
    let words = found.get(2).or(found.get(3)).map_or("", |words| words.as_str().trim());
    let item = Item { id: found[1].to_owned(), title: words, text: "" };
    item.is_demand().then_some(item)
}

/// A bold label in front of a sentence, and the sentence.
pub(super) fn label(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("**")?;
    let end = inner.find("**")?;
    let (label, rest) = (&inner[..end], &inner[end + 2..]);
    let is_label = label.ends_with([':', '：']) || rest.starts_with([':', '：']);
    is_label.then(|| (label.trim_end_matches([':', '：']), rest.trim_start_matches([':', '：']).trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Option<(String, &str)> {
        item(line).map(|item| (item.id, item.text))
    }

    #[test]
    fn entries() {
        for (line, id, text) in [
            ("- **FR-001**: System MUST x", "FR-001", "System MUST x"),
            ("- **FR-001:** System MUST x", "FR-001", "System MUST x"),
            ("- FR-001: System MUST x", "FR-001", "System MUST x"),
            ("* **FR-001a** System MUST x", "FR-001a", "System MUST x"),
            ("FR-001: x", "FR-001", "x"),
            ("  - NFR-P-001 – x", "NFR-P-001", "x"),
            ("1. **SR-2**: x", "SR-2", "x"),
            ("- [ ] **FR-001**: x", "FR-001", "x"),
            ("| FR-001 | x | high |", "FR-001", "x | high"),
            ("- **FR-001**:", "FR-001", ""),
            ("- **FR-001** (P1): x", "FR-001", "x"),
            ("- **FR-AUTH-001**: x", "FR-AUTH-001", "x"),
            ("- **FR-001 (P1)**: x", "FR-001", "(P1)**: x"),
        ] {
            let expected = if line == "- **FR-001** (P1): x" { "(P1): x" } else { text };
            assert_eq!(found(line), Some((id.to_owned(), expected)), "{line}");
        }
        for line in ["- see FR-001", "FR-001 and FR-002 are related", "- **Session**: x", "UTF-8 is used"] {
            assert_eq!(found(line), None, "{line}");
        }
        assert_eq!(heading("FR-001: Sign in").map(|item| item.title), Some("Sign in"));
        assert_eq!(heading("UTF-8"), None);
    }
}
