//! Lines that were meant as a requirement header, a delta section or a rename, and are none for the delta reader.

use std::borrow::Cow;

use super::delta::Operation;
use super::heading;
use super::js;

/// A line that was meant as a requirement header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearHeader {
    /// The name it gives.
    pub name: String,
    /// What keeps it from being one.
    pub flaw: Flaw,
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
        }
    }
}

/// Whether a character is there and shows nothing.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

fn visible(line: &str) -> Cow<'_, str> {
    if line.is_ascii() || !line.contains(is_invisible) {
        return Cow::Borrowed(line);
    }
    Cow::Owned(line.chars().filter(|c| !is_invisible(*c)).collect())
}

/// Blanks before the text, when it is no indented code.
fn indent(line: &str) -> Option<usize> {
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    (indent <= 3 && !line[indent..].starts_with('\t')).then_some(indent)
}

/// A bullet, number or quotation mark at the start, and what follows it.
pub fn strip_marker(text: &str) -> Option<&str> {
    let after = match text.strip_prefix(['-', '*', '+', '>']) {
        Some(after) => after,
        None => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            text[digits..].strip_prefix(['.', ')']).filter(|_| (1..=9).contains(&digits))?
        }
    };
    after.starts_with([' ', '\t']).then(|| js::trim_start(after))
}

/// A line that reads as a requirement header and is none.
pub fn near_requirement(line: &str) -> Option<NearHeader> {
    if !line.contains([':', '：']) || heading::requirement_name(line).is_some() {
        return None;
    }
    let shown = visible(line);
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
    let (worded, bare) = match bare.split_once(' ') {
        Some((word, rest)) if hashes > 0 && operation_of(&word.to_ascii_lowercase()).is_some() => {
            (true, js::trim_start(rest))
        }
        _ => (false, bare),
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
    } else if worded {
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
    Some(NearHeader { name: name.to_owned(), flaw })
}

fn html_heading(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("<h").or_else(|| text.strip_prefix("<H"))?;
    let (attributes, inner) = rest.split_once('>')?;
    attributes.starts_with(|c: char| ('1'..='6').contains(&c)).then(|| js::trim_start(inner))
}

/// A line that was meant as a delta section's title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearSection {
    /// What it was meant to do.
    pub operation: Operation,
    /// Whether the title is one of the four but for its form. Else only what stands below tells.
    pub is_certain: bool,
}

const STRICT: [(&str, Operation); 4] = [
    ("added", Operation::Added),
    ("modified", Operation::Modified),
    ("removed", Operation::Removed),
    ("renamed", Operation::Renamed),
];

const LOOSE: [(&str, Operation); 22] = [
    ("add", Operation::Added),
    ("adds", Operation::Added),
    ("adding", Operation::Added),
    ("addition", Operation::Added),
    ("additions", Operation::Added),
    ("additional", Operation::Added),
    ("new", Operation::Added),
    ("modify", Operation::Modified),
    ("modifies", Operation::Modified),
    ("modifying", Operation::Modified),
    ("modification", Operation::Modified),
    ("modifications", Operation::Modified),
    ("changed", Operation::Modified),
    ("updated", Operation::Modified),
    ("update", Operation::Modified),
    ("remove", Operation::Removed),
    ("removal", Operation::Removed),
    ("removals", Operation::Removed),
    ("deleted", Operation::Removed),
    ("delete", Operation::Removed),
    ("deprecated", Operation::Removed),
    ("rename", Operation::Renamed),
];

fn operation_of(word: &str) -> Option<Operation> {
    STRICT.iter().chain(&LOOSE).find(|(known, _)| *known == word).map(|(_, operation)| *operation)
}

/// Whether a title begins with one of the four words in capitals.
pub fn names_operation(title: &str) -> bool {
    let word = title.split(' ').next().unwrap_or_default();
    STRICT.iter().any(|(known, _)| {
        word.len() == known.len() && word.bytes().all(|b| b.is_ascii_uppercase()) && word.eq_ignore_ascii_case(known)
    })
}

/// A heading (or bold line) that reads as a delta section's title and is none.
pub fn near_section(line: &str) -> Option<NearSection> {
    if line.len() > 120
        || Operation::from_title(heading::heading(line).filter(|(level, _)| *level == 2).map_or("", |(_, title)| title))
            .is_some()
    {
        return None;
    }
    let shown = visible(line);
    let text = &shown[indent(&shown)?..];
    let hashes = text.bytes().take_while(|byte| *byte == b'#').count();
    let title = js::trim(&text[hashes..]);
    let is_bold =
        hashes == 0 && title.len() > 4 && title.starts_with("**") && title.trim_end_matches(':').ends_with("**");
    if hashes > 6 || hashes == 0 && !is_bold {
        return None;
    }
    // What stands in brackets is a note, unless the title itself is in another language and the brackets translate it.
    let outside = title.split(['(', '（', '[', '【']).next().unwrap_or_default();
    let words = words(outside);
    let is_foreign = outside.chars().any(char::is_alphabetic) && words.is_empty();
    let words = if is_foreign {
        self::words(&title[outside.len()..])
    } else if outside.chars().any(|c| c.is_alphabetic() && !c.is_ascii()) {
        return None;
    } else {
        words
    };
    let words: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| !matches!(*word, "the" | "delta" | "newly" | "spec")).collect();
    let find = |list: &[(&str, Operation)], word: &str| {
        list.iter().find(|(known, _)| *known == word).map(|(_, operation)| *operation)
    };
    let (operation, is_certain) = match words[..] {
        [word] if hashes > 0 && hashes <= 2 => (find(&STRICT, word)?, true),
        [one, two] => {
            let (word, noun) = if is_requirements(two) { (one, two) } else { (two, one) };
            let strict = find(&STRICT, word);
            if is_requirements(noun) {
                (strict.or_else(|| find(&LOOSE, word).filter(|_| !is_bold))?, strict.is_some())
            } else {
                let is_noun = matches!(
                    two,
                    "capability"
                        | "capabilities"
                        | "feature"
                        | "features"
                        | "scenario"
                        | "scenarios"
                        | "behavior"
                        | "behaviour"
                        | "specs"
                );
                (find(&STRICT, one).filter(|_| is_noun && hashes == 2)?, false)
            }
        }
        _ => return None,
    };
    Some(NearSection { operation, is_certain })
}

/// Words of ASCII letters, in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    parts.map(str::to_ascii_lowercase).collect()
}

/// `requirements`, or a slip of it.
fn is_requirements(word: &str) -> bool {
    word.starts_with("req") && (word == "reqs" || word == "req" || super::near::distance(word, "requirements") <= 2)
}

/// What stands between an old and a new name.
pub const ARROWS: [&str; 7] = ["->", "→", "=>", "⇒", "➜", "➔", "⟶"];

/// Whether a line of a RENAMED section reads as half a rename, or as a whole one with an arrow.
pub fn near_rename(line: &str) -> bool {
    let text = js::trim_start(line);
    let is_heading = text.starts_with('#');
    let text = strip_marker(text).unwrap_or(text).trim_start_matches(['*', '_', '`', '#', ' ']);
    let is_label = ["FROM", "TO", "OLD", "NEW"].iter().any(|label| {
        js::strip_prefix_ignore_case(text, label)
            .is_some_and(|rest| js::trim_start(rest.trim_start_matches(['*', '_', '`'])).starts_with([':', '：']))
    });
    let has_arrow = ARROWS.iter().any(|arrow| text.contains(arrow));
    is_label || has_arrow && (is_heading || js::strip_prefix_ignore_case(text, "Requirement").is_some())
}

/// Whether a section's only words say that there is nothing in it.
pub fn says_nothing(content: &str) -> bool {
    const NONE: [&str; 40] = [
        "none",
        "n/a",
        "na",
        "nil",
        "nothing",
        "no",
        "empty",
        "not applicable",
        "no changes",
        "no change",
        "none yet",
        "no requirements",
        "no entries",
        "not used",
        "unused",
        "none in this change",
        "none for this change",
        "无",
        "無",
        "没有",
        "暂无",
        "不适用",
        "なし",
        "特になし",
        "該当なし",
        "없음",
        "해당 없음",
        "nenhum",
        "nenhuma",
        "n/d",
        "ninguno",
        "ninguna",
        "aucun",
        "aucune",
        "keine",
        "keiner",
        "nessuno",
        "nessuna",
        "нет",
        "não se aplica",
    ];
    let text = js::trim(content);
    let text = strip_marker(text).unwrap_or(text);
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if text.is_empty() || NONE.contains(&text.as_str()) {
        return true;
    }
    // "None. Everything stays." and "No requirements are removed by this change."
    const FIRST: [&str; 6] = ["无需", "無需", "不需要", "没有", "なし", "없음"];
    if text.contains('\n') {
        return false;
    }
    let first = text.split(' ').next().unwrap_or_default();
    let is_negative = matches!(first, "no" | "nothing") && !text.contains(['`', '#']) && !text.contains(" longer");
    is_negative
        || first == "none"
        || first == "none."
        || first == "none:"
        || FIRST.iter().any(|word| text.starts_with(word))
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

    #[test]
    fn titles() {
        let certain = |line| near_section(line).is_some_and(|near| near.is_certain);
        for line in [
            "## ADDED  Requirements",
            "## Added Requirement",
            "# ADDED Requirements",
            "### ADDED Requirements",
            "## ADDED Requirements:",
            "##ADDED Requirements",
            " ## MODIFIED Requirements",
            "## **REMOVED Requirements**",
            "**RENAMED Requirements**",
            "## Requirements Added",
            "## ADDED Requirments",
            "## ADDED",
            "## ADDED Requirements (new)",
            "## 新增需求（ADDED Requirements）",
            "## 1. ADDED Requirements",
        ] {
            assert!(certain(line), "{line}");
        }
        for line in ["## New Requirements", "## Removed Capabilities"] {
            assert!(near_section(line).is_some_and(|near| !near.is_certain), "{line}");
        }
        for line in [
            "## ADDED Requirements",
            "## added requirements ",
            "## Testing Requirements",
            "## Requirements",
            "## Notes on ADDED Requirements",
            "## Changes",
            "ADDED Requirements",
            "- **ADDED Requirements** stay",
        ] {
            assert_eq!(near_section(line), None, "{line}");
        }
    }

    #[test]
    fn renames() {
        for line in [
            "- From: `### Requirement: A`",
            "from: A",
            "- **TO**: B",
            "### Requirement: A → B",
            "- Requirement: A -> B",
        ] {
            assert!(near_rename(line), "{line}");
        }
        assert!(!near_rename("- Reason: terminology (A → B)"));
    }

    #[test]
    fn nothing() {
        for text in [
            "- None",
            "(none)",
            "无。",
            "*N/A*",
            "No requirements are removed by this change.",
            "---",
            "None. The rest stays, `x` too.",
            "无需修改现有规范。",
        ] {
            assert!(says_nothing(text), "{text}");
        }
        assert!(!says_nothing("- Widget colors"));
        assert!(!says_nothing("The widget no longer paints."));
    }
}
