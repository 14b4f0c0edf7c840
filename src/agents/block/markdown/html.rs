//! Raw HTML in Markdown: where it begins, and where it ends.

use super::Kind;
use crate::openspec::html::{BLOCKS, RAW};

/// What begins a line of HTML, by how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Html {
    /// `<pre>` and its like, up to an end tag of any of them.
    Raw,
    /// `<!--` up to `-->`
    Comment,
    /// `<?` up to `?>`
    Instruction,
    /// `<!A` up to `>`
    Declaration,
    /// `<![CDATA[` up to `]]>`
    Data,
    /// Any other tag, up to a blank line.
    Tag,
}

impl Html {
    /// What HTML begins with a line that has no blanks before it.
    pub fn begins(bare: &str, is_in_paragraph: bool) -> Option<Self> {
        let after = bare.strip_prefix('<')?;
        if after.starts_with("!--") {
            return Some(Self::Comment);
        }
        if after.starts_with('?') {
            return Some(Self::Instruction);
        }
        if after.starts_with("![CDATA[") {
            return Some(Self::Data);
        }
        if let Some(after) = after.strip_prefix('!') {
            return after.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(Self::Declaration);
        }
        let name = after.strip_prefix('/').unwrap_or(after);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len());
        let (name, rest) = name.split_at(end);
        let is_one_of = |names: &[&str]| names.iter().any(|it| it.eq_ignore_ascii_case(name));
        let is_whole = rest.is_empty() || rest.starts_with([' ', '>']);
        if is_one_of(RAW) && is_whole && !after.starts_with('/') {
            return Some(Self::Raw);
        }
        if is_one_of(BLOCKS) && (is_whole || rest.starts_with("/>")) {
            return Some(Self::Tag);
        }
        // A tag of another name has to be alone on its line, and interrupts nothing.
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        (!is_in_paragraph && is_name && is_alone(rest, after.starts_with('/'))).then_some(Self::Tag)
    }

    /// Whether it ends in a line.
    pub fn ends_in(self, line: &str) -> bool {
        match self {
            Self::Raw => {
                let line = line.to_ascii_lowercase();
                RAW.iter().any(|name| line.contains(&format!("</{name}>")))
            }
            Self::Comment => line.contains("-->"),
            Self::Instruction => line.contains("?>"),
            Self::Declaration => line.contains('>'),
            Self::Data => line.contains("]]>"),
            Self::Tag => super::is_blank(line),
        }
    }

    /// Whether it ends at a blank line.
    pub fn ends_at_blank(self) -> bool {
        self == Self::Tag
    }

    /// What its lines are. Readers of plain text see what stands in a comment or between tags.
    pub fn kind(self) -> Kind {
        match self {
            Self::Comment | Self::Tag => Kind::Text,
            Self::Raw | Self::Instruction | Self::Declaration | Self::Data => Kind::Code,
        }
    }
}

/// Whether what follows a tag's name is the rest of the tag and nothing else.
fn is_alone(rest: &str, is_end: bool) -> bool {
    let rest = if is_end { Some(rest) } else { after_attributes(rest) };
    let Some(rest) = rest.map(str::trim_start) else { return false };
    let rest = if is_end { rest } else { rest.strip_prefix('/').unwrap_or(rest) };
    rest.strip_prefix('>').is_some_and(|after| after.trim().is_empty())
}

/// What follows the attributes of a tag. None when one of them is none.
fn after_attributes(mut rest: &str) -> Option<&str> {
    loop {
        let name = rest.trim_start();
        if name.len() == rest.len() || !name.starts_with(|c: char| c.is_ascii_alphabetic() || "_:".contains(c)) {
            return Some(rest);
        }
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"_.:-".contains(c)).unwrap_or(name.len());
        rest = &name[end..];
        let Some(value) = rest.trim_start().strip_prefix('=').map(str::trim_start) else { continue };
        let end = match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].find(quote)? + 2,
            _ => value.find([' ', '"', '\'', '=', '<', '>', '`']).unwrap_or(value.len()),
        };
        rest = value.get(end..).filter(|_| end > 0)?;
    }
}
