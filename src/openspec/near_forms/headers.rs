//! Lines that were meant as a requirement header and are none.

use std::borrow::Cow;

use super::demands;
use super::sections::operation_of;
use super::{indent, strip_marker, visible};
use crate::openspec::delta::Operation;
use crate::openspec::heading;
use crate::openspec::js;

/// A line that was meant as a requirement header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearHeader {
    /// The name it gives.
    pub name: String,
    /// What keeps it from being one.
    pub flaw: Flaw,
    /// What a word before `Requirement` says is to be done with it.
    pub operation: Option<Operation>,
}

/// What keeps a line from being a requirement header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// Blanks before the hashes.
    Indented,
    /// Another number of hashes.
    Level(usize),
    /// A full-width colon.
    Colon,
    /// Bold, italic or code around it.
    Emphasis,
    /// A list item or a quotation.
    Listed,
    /// Something between the word and the colon.
    Numbered,
    /// A word before `Requirement`, such as "New".
    Worded,
    /// Characters that nobody sees.
    Invisible,
    /// Written as an HTML heading.
    Html,
    /// Hashes that a reader sees and that are none: escaped or full-width.
    Hashes,
    /// No hashes and no marks at all.
    Bare,
}

impl Flaw {
    /// What is wrong, as the end of "this is no requirement header: …".
    pub fn reason(self) -> String {
        match self {
            Self::Indented => "there are blanks before the `#`".to_owned(),
            Self::Level(0) => "it has no `###`".to_owned(),
            Self::Level(level) => format!("it has {level} `#` where 3 are needed"),
            Self::Colon => "its colon is full-width".to_owned(),
            Self::Emphasis => "the word `Requirement:` is in bold, italics or backticks".to_owned(),
            Self::Listed => "it stands in a list or quotation".to_owned(),
            Self::Numbered => "`Requirement` is not followed by its colon".to_owned(),
            Self::Worded => "there is a word before `Requirement`".to_owned(),
            Self::Invisible => "it has invisible characters in it".to_owned(),
            Self::Html => "it is an HTML heading".to_owned(),
            Self::Hashes => "its `#` are escaped or full-width".to_owned(),
            Self::Bare => "it has no `###`".to_owned(),
        }
    }
}

/// A line that reads as a requirement header and is none.
pub fn near_requirement(line: &str) -> Option<NearHeader> {
    if !line.contains([':', '：']) || heading::requirement_name(line).is_some() {
        return None;
    }
    let shown = visible(line);
    if let Some(hashes) = shown
        .strip_prefix('\\')
        .filter(|rest| rest.starts_with('#'))
        .map(Cow::Borrowed)
        .or_else(|| shown.starts_with('＃').then(|| Cow::Owned(shown.replacen('＃', "#", 6))))
    {
        let name = heading::requirement_name(&hashes).map(str::to_owned);
        let name = name.or_else(|| near_requirement(&hashes).map(|near| near.name))?;
        return (!name.is_empty()).then_some(NearHeader { name, flaw: Flaw::Hashes, operation: None });
    }
    let indent = indent(&shown)?;
    let text = &shown[indent..];
    let listed = strip_marker(text);
    let text = listed.unwrap_or(text);
    let (html, text) = match html_heading(text) {
        Some(inner) => (true, inner),
        None => (false, text),
    };
    let hashes = text.bytes().take_while(|byte| *byte == b'#').count();
    let inner = js::trim_start(&text[hashes..]);
    let bare = inner.trim_start_matches(['*', '_', '`']);
    let marks = &inner[..inner.len() - bare.len()];
    let bare = js::trim_start(bare);
    let worded = bare.split_once(' ').filter(|_| hashes > 0);
    let worded = worded.and_then(|(word, rest)| Some((operation_of(&word.to_ascii_lowercase())?, rest)));
    let (operation, bare) = match worded {
        Some((operation, rest)) => (Some(operation), js::trim_start(rest)),
        None => (None, bare),
    };
    let after = js::strip_prefix_ignore_case(bare, "Requirement")?;
    let colon = after.find([':', '：'])?;
    let between = js::trim(&after[..colon]).trim_matches(['*', '_', '`']);
    let is_number = between.len() <= 12 && between.bytes().any(|byte| byte.is_ascii_digit());
    if !(between.is_empty() || between.eq_ignore_ascii_case("s") || is_number && !between.contains(' ')) {
        return None;
    }
    let rest = &after[colon..];
    let is_wide = rest.starts_with('：');
    let rest = js::trim(&rest[if is_wide { '：'.len_utf8() } else { 1 }..]);
    if hashes == 0 && !html {
        // `**Requirement: X**` alone on its line; `**Requirement:** text` is a label.
        let is_bold = marks.len() >= 2 && !marks.contains('`') && rest.ends_with(marks) && !rest.starts_with(marks);
        if !is_bold || after[..colon].contains(['*', '_']) {
            return None;
        }
    } else if hashes > 6 || listed.is_some() && marks.contains('`') {
        return None;
    }
    // `**Requirement: X**` closes what it opened; a name may have marks of its own.
    let name = if marks.is_empty() { rest } else { rest.strip_suffix(marks).unwrap_or(rest) };
    let name = if html { name.split('<').next().unwrap_or_default() } else { heading::normalise_name(name) };
    if name.is_empty() {
        return None;
    }
    let flaw = if listed.is_some() {
        Flaw::Listed
    } else if html {
        Flaw::Html
    } else if indent > 0 {
        Flaw::Indented
    } else if hashes != 3 {
        Flaw::Level(hashes)
    } else if operation.is_some() {
        Flaw::Worded
    } else if is_wide {
        Flaw::Colon
    } else if !between.is_empty() {
        Flaw::Numbered
    } else if matches!(shown, Cow::Owned(_)) {
        Flaw::Invisible
    } else if marks.is_empty() && !after[..colon].contains(['*', '_', '`']) {
        Flaw::Numbered
    } else {
        Flaw::Emphasis
    };
    Some(NearHeader { name: name.to_owned(), flaw, operation })
}

/// `Requirement: X` alone on a line, without hashes. Only what stands around tells whether it was meant as a header.
pub fn bare_requirement(line: &str) -> Option<NearHeader> {
    const MARKS: [char; 3] = ['*', '_', '`'];
    let text = js::trim(line);
    let text = strip_marker(text).unwrap_or(text).trim_matches(MARKS);
    let rest = js::strip_prefix_ignore_case(text, "Requirement")?;
    let rest = js::trim_start(rest.trim_start_matches(MARKS));
    let name = js::trim(rest.strip_prefix([':', '：'])?.trim_matches(MARKS));
    let is_name = !name.is_empty() && name.chars().count() <= 80 && !name.ends_with(['.', '。', ';']) && !demands(name);
    // One word with a number is a reference: `Requirement: REQ-12`.
    let is_reference = !name.contains(' ') && name.contains(|c: char| c.is_ascii_digit() || c == '-' || c == '/');
    (is_name && !is_reference).then(|| NearHeader { name: name.to_owned(), flaw: Flaw::Bare, operation: None })
}

pub(super) fn html_heading(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("<h").or_else(|| text.strip_prefix("<H"))?;
    let (attributes, inner) = rest.split_once('>')?;
    attributes.starts_with(|c: char| ('1'..='6').contains(&c)).then(|| js::trim_start(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw(line: &str) -> Option<Flaw> {
        near_requirement(line).map(|near| near.flaw)
    }

    #[test]
    fn headers_that_are_none() {
        assert_eq!(flaw("#### Requirement: X"), Some(Flaw::Level(4)));
        assert_eq!(flaw("####Requirement:X"), Some(Flaw::Level(4)));
        assert_eq!(flaw(" ### Requirement: X"), Some(Flaw::Indented));
        assert_eq!(flaw("### Requirement：X"), Some(Flaw::Colon));
        assert_eq!(flaw("### **Requirement: X**"), Some(Flaw::Emphasis));
        assert_eq!(flaw("### **Requirement**: X"), Some(Flaw::Emphasis));
        assert_eq!(flaw("### Requirement 1: X"), Some(Flaw::Numbered));
        assert_eq!(flaw("### Requirement : X"), Some(Flaw::Numbered));
        assert_eq!(flaw("### New Requirement: X"), Some(Flaw::Worded));
        assert_eq!(flaw("**Requirement: X**"), Some(Flaw::Level(0)));
        assert_eq!(flaw("- ### Requirement: X"), Some(Flaw::Listed));
        assert_eq!(flaw("###\u{200b} Requirement: X"), Some(Flaw::Invisible));
        assert_eq!(flaw("<h3>Requirement: X</h3>"), Some(Flaw::Html));
        assert_eq!(flaw("\\### Requirement: X"), Some(Flaw::Hashes));
        assert_eq!(flaw("＃＃＃ Requirement: X"), Some(Flaw::Hashes));
    }

    #[test]
    fn bare_names() {
        for line in [
            "Requirement: Invoice ping",
            "- **Requirement: Invoice ping**",
            "Requirement：发票",
            "> **Requirement**: Ping",
        ] {
            assert!(bare_requirement(line).is_some(), "{line}");
        }
        for line in ["Requirement: REQ-12", "Requirement: The system SHALL ping", "Requirements: ping", "**"] {
            assert_eq!(bare_requirement(line), None, "{line}");
        }
    }

    #[test]
    fn what_is_no_near_header() {
        for line in [
            "###Requirement: X",
            "**Requirement**: The system SHALL",
            "**Requirement:** The system SHALL",
            "Requirement: X",
            "- `### Requirement: X`",
            "    ### Requirement: X",
            "### Requirements overview: X",
            "#### Scenario: X",
        ] {
            assert_eq!(flaw(line), None, "{line}");
        }
    }
}
