//! Markdown line by line, as far as it says what is code: containers, fences, indented code and raw HTML, as CommonMark
//! has them.

mod html;

use std::borrow::Cow;

use html::Html;

/// Containers within one another that are followed. Nobody writes more, and each costs time at each line.
const MAX_DEPTH: usize = 32;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words, marks, comments.
    Text,
    /// Shown as it stands: code, a fence, or HTML such as `<pre>`.
    Code,
}

/// What swallows all that is added below a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swallow {
    /// A fence that is never closed.
    Fence,
    /// A comment that is never closed.
    Comment,
    /// Other raw HTML that ends in no blank line.
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    /// `>`
    Quote,
    /// An item of a list: by how much its lines are indented, and whether nothing but its marker is there yet.
    Item { indent: usize, is_bare: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Leaf {
    #[default]
    None,
    Paragraph,
    Fence(char, usize),
    Html(Html),
}

/// Reads lines.
#[derive(Debug, Default)]
pub(super) struct Reader {
    containers: Vec<Container>,
    leaf: Leaf,
    /// Where the leaf began.
    began: usize,
}

impl Reader {
    /// Takes the line that begins at an offset, without its line end.
    pub fn feed(&mut self, line: &str, at: usize) -> Kind {
        let line = untabbed(line);
        let (rest, matched) = self.enter(&line);
        if matched == self.containers.len() {
            if let Some(kind) = self.go_on(rest) {
                return kind;
            }
        } else if self.leaf != Leaf::Paragraph {
            // A leaf ends with its container.
            self.leaf = Leaf::None;
        }
        self.open(rest, matched, at)
    }

    /// What would swallow a text that is added below, and the offset of the line where it begins. What is inside of a
    /// list or a quotation ends with that.
    pub fn swallow(&self) -> Option<(Swallow, usize)> {
        let swallow = match self.leaf {
            Leaf::Fence(..) => Swallow::Fence,
            Leaf::Html(Html::Comment) => Swallow::Comment,
            Leaf::Html(html) if !html.ends_at_blank() => Swallow::Html,
            _ => return None,
        };
        self.containers.is_empty().then_some((swallow, self.began))
    }

    /// What of a line is inside of the containers that are open, and how many of them go on.
    fn enter<'l>(&mut self, line: &'l str) -> (&'l str, usize) {
        let mut rest = line;
        for (index, container) in self.containers.iter_mut().enumerate() {
            match container {
                Container::Quote => match after_quote(rest) {
                    Some(inner) => rest = inner,
                    None => return (rest, index),
                },
                Container::Item { is_bare, .. } if is_blank(rest) => {
                    if *is_bare {
                        return (rest, index);
                    }
                }
                Container::Item { indent, is_bare } => {
                    if indent_of(rest) < *indent {
                        return (rest, index);
                    }
                    rest = &rest[*indent..];
                    *is_bare = false;
                }
            }
        }
        (rest, self.containers.len())
    }

    /// What a line is in the fence or HTML that is open.
    fn go_on(&mut self, rest: &str) -> Option<Kind> {
        match self.leaf {
            Leaf::Fence(mark, length) => {
                let bare = rest.trim();
                let is_fence = bare.chars().all(|c| c == mark) && bare.len() >= length;
                if is_fence && indent_of(rest) < 4 {
                    self.leaf = Leaf::None;
                }
                Some(Kind::Code)
            }
            Leaf::Html(html) => {
                if html.ends_in(rest) {
                    self.leaf = Leaf::None;
                }
                Some(html.kind())
            }
            Leaf::None | Leaf::Paragraph => None,
        }
    }

    /// Opens what begins in a line, and closes what does not go on.
    fn open(&mut self, mut rest: &str, mut matched: usize, at: usize) -> Kind {
        // A paragraph goes on, even in containers that do not, until something else begins.
        let mut has_begun = matched == self.containers.len();
        loop {
            let is_in_paragraph = self.leaf == Leaf::Paragraph;
            let is_same_paragraph = is_in_paragraph && has_begun;
            if is_blank(rest) {
                self.close(matched, Leaf::None);
                return Kind::Text;
            }
            let indent = indent_of(rest);
            let bare = &rest[indent..];
            if indent >= 4 {
                if is_in_paragraph {
                    return Kind::Text;
                }
                self.close(matched, Leaf::None);
                return Kind::Code;
            }
            if let Some(inner) = after_quote(rest).filter(|_| matched < MAX_DEPTH) {
                self.close(matched, Leaf::None);
                self.containers.push(Container::Quote);
                (rest, matched, has_begun) = (inner, matched + 1, true);
                continue;
            }
            if is_heading(bare) {
                self.close(matched, Leaf::None);
                return Kind::Text;
            }
            if let Some((mark, length)) = fence(bare) {
                self.close(matched, Leaf::Fence(mark, length));
                self.began = at;
                return Kind::Code;
            }
            if let Some(html) = Html::begins(bare, is_in_paragraph) {
                self.close(matched, if html.ends_in(bare) { Leaf::None } else { Leaf::Html(html) });
                self.began = at;
                return html.kind();
            }
            if is_same_paragraph && is_underline(bare) || is_break(bare) {
                self.close(matched, Leaf::None);
                return Kind::Text;
            }
            if let Some((width, inner)) = item(bare, is_same_paragraph).filter(|_| matched < MAX_DEPTH) {
                self.close(matched, Leaf::None);
                self.containers.push(Container::Item { indent: indent + width, is_bare: is_blank(inner) });
                (rest, matched, has_begun) = (inner, matched + 1, true);
                continue;
            }
            if !is_in_paragraph {
                self.close(matched, Leaf::Paragraph);
            }
            return Kind::Text;
        }
    }

    fn close(&mut self, matched: usize, leaf: Leaf) {
        self.containers.truncate(matched);
        self.leaf = leaf;
    }
}

/// A line with blanks in place of its tabs.
fn untabbed(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut column = 0;
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        let width = if c == '\t' { 4 - column % 4 } else { 1 };
        text.extend(std::iter::repeat_n(if c == '\t' { ' ' } else { c }, width));
        column += width;
    }
    Cow::Owned(text)
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte == b' ')
}

fn indent_of(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

fn after_quote(text: &str) -> Option<&str> {
    let inner = text.trim_start_matches(' ').strip_prefix('>').filter(|_| indent_of(text) < 4)?;
    Some(inner.strip_prefix(' ').unwrap_or(inner))
}

fn is_heading(bare: &str) -> bool {
    let level = bare.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level) && (bare.len() == level || bare[level..].starts_with(' '))
}

/// The mark of a fence and its length.
fn fence(bare: &str) -> Option<(char, usize)> {
    let mark = bare.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = bare.chars().take_while(|c| *c == mark).count();
    // Backticks further on make it code within a line.
    (length >= 3 && !(mark == '`' && bare[length..].contains('`'))).then_some((mark, length))
}

fn is_underline(bare: &str) -> bool {
    let bare = bare.trim_end_matches(' ');
    bare.bytes().all(|byte| byte == b'=') || bare.bytes().all(|byte| byte == b'-')
}

fn is_break(bare: &str) -> bool {
    let mark = bare.bytes().next().filter(|mark| matches!(mark, b'*' | b'-' | b'_'));
    mark.is_some_and(|mark| {
        bare.bytes().all(|byte| byte == mark || byte == b' ') && bare.bytes().filter(|byte| *byte == mark).count() >= 3
    })
}

/// How wide the marker of an item is with the blanks behind it, and what follows.
fn item(bare: &str, is_in_paragraph: bool) -> Option<(usize, &str)> {
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let is_marker = match bare.as_bytes().get(digits)? {
        b'-' | b'+' | b'*' => digits == 0,
        b'.' | b')' => (1..=9).contains(&digits),
        _ => false,
    };
    let marker = digits + 1;
    let after = bare.get(marker..).filter(|after| is_marker && (after.is_empty() || after.starts_with(' ')))?;
    // Only what can be nothing else interrupts a paragraph.
    if is_in_paragraph && (is_blank(after) || digits > 0 && bare[..digits].parse() != Ok(1_u32)) {
        return None;
    }
    let blanks = if is_blank(after) || indent_of(after) > 4 { 1 } else { indent_of(after) };
    Some((marker + blanks, after.get(blanks..).unwrap_or_default()))
}

#[cfg(test)]
mod tests;
