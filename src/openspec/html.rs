//! HTML in Markdown: which lines begin a block of it, and which tags hide or set apart what they hold.

/// Elements that begin a block wherever their tag begins a line. It ends at a blank line.
pub(crate) const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

/// Elements whose contents are no Markdown up to an end tag. They begin a block too, and hold text back.
pub(crate) const RAW: &[&str] = &["pre", "script", "style", "textarea"];

/// Elements inside a line that hide words or strike them out.
const TURNING: &[&str] = &["del", "s", "strike", "template", "noscript", "object", "svg", "select", "xmp", "plaintext"];

/// Whether a line without its indent begins a block of HTML. Below prose fewer do.
pub fn begins_block(line: &str, is_below_prose: bool) -> bool {
    let Some(rest) = line.strip_prefix('<') else { return false };
    if rest.starts_with(['!', '?']) {
        return true;
    }
    // Any other tag does when it is alone on the line.
    is_one_of(rest, BLOCKS) || is_one_of(rest, RAW) || !is_below_prose && line.ends_with('>')
}

/// Whether a text holds a comment, or a tag that hides, strikes out or sets apart. What is written as code is none.
pub fn hides(text: &str) -> bool {
    let last = text.matches('`').count();
    text.split('`').enumerate().any(|(at, part)| {
        // A single mark opens no code.
        let is_code = at % 2 == 1 && at != last;
        !is_code
            && part.match_indices('<').any(|(at, _)| {
                let rest = &part[at + 1..];
                rest.starts_with(['!', '?']) || [BLOCKS, RAW, TURNING].iter().any(|names| is_one_of(rest, names))
            })
    })
}

fn is_one_of(rest: &str, names: &[&str]) -> bool {
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let end = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (name, after) = rest.split_at(end);
    let ends = after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/');
    ends && names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks() {
        assert!(begins_block("<details>", true) && begins_block("</DIV >", true) && begins_block("<!-- a", true));
        assert!(begins_block("<id>", false) && !begins_block("<id>", true) && !begins_block("<id> is", false));
        assert!(!begins_block("<path>", true) && !begins_block("a <div>", false));
    }

    #[test]
    fn what_hides() {
        assert!(hides("a ` <!-- b") && hides("<details hidden>") && hides("x <del>y</del>"));
        assert!(!hides("a `<!--` b `<div>`") && !hides("Vec<String>, a < b, <id>"));
    }
}
