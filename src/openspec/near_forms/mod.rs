//! Lines that were meant as a requirement header, a delta section or a rename, and are none for the delta reader.

use std::borrow::Cow;

use super::js;

mod entries;
mod headers;
mod meant;
mod sections;

pub use entries::{
    ARROWS, demands, is_explaining_title, is_name_label, labelled, meant_operation, near_rename, says_nothing,
    tells_why,
};
pub use headers::{Flaw, NearHeader, bare_requirement, near_requirement};
pub use meant::{Meant, meant};
pub use sections::{NearSection, disguised_section, names_operation, near_section};

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
