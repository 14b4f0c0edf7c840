//! A Markdown file as the reference reads it: normalised line ends, a line table, and which lines are fenced code.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};

use super::js;

/// A text cut into lines, with its fenced lines known.
///
/// One byte-order mark is dropped and `\r\n` and `\r` become `\n`, so line numbers and contents are the reference's.
#[derive(Debug, Clone)]
pub struct Text {
    content: String,
    /// Byte offset of each line's first byte.
    starts: Vec<u32>,
    /// Lines that belong to a fenced code block, its delimiters included.
    fenced: Vec<bool>,
    /// The text as it was, when dropping the byte-order mark or normalising line ends made another of it.
    original: Option<String>,
    had_bom: bool,
    lossy: bool,
}

impl Text {
    /// Reads bytes. What is not UTF-8 becomes U+FFFD, as in the reference; [`Text::is_lossy`] tells.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(content) => Self::new(content, false),
            Err(error) => {
                let content = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Self::new(content, true)
            }
        }
    }

    fn new(written: String, lossy: bool) -> Self {
        let without_bom = written.strip_prefix('\u{feff}');
        let had_bom = without_bom.is_some();
        let (content, original) = match normalise_line_ends(without_bom.unwrap_or(&written)) {
            Cow::Borrowed(_) if !had_bom => (written, None),
            normalised => (normalised.into_owned(), Some(written)),
        };
        let starts = line_starts(&content);
        let fenced = fence_mask(&content, &starts);
        Self { content, starts, fenced, original, had_bom, lossy }
    }

    /// The whole text before normalisation: with its byte-order mark and its own line ends.
    pub fn original(&self) -> &str {
        self.original.as_deref().unwrap_or(&self.content)
    }

    /// The whole text after normalisation.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Number of lines; an empty text has one empty line.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether the text has no character at all.
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// Whether the file began with a byte-order mark.
    pub fn had_bom(&self) -> bool {
        self.had_bom
    }

    /// Whether bytes that are not UTF-8 were replaced.
    pub fn is_lossy(&self) -> bool {
        self.lossy
    }

    /// Line `index` (0-based) without its line end.
    pub fn line(&self, index: usize) -> &str {
        let start = self.starts[index] as usize;
        let end = self.starts.get(index + 1).map_or(self.content.len(), |next| *next as usize - 1);
        &self.content[start..end]
    }

    /// Whether line `index` is inside a fenced code block or delimits one.
    pub fn fenced(&self, index: usize) -> bool {
        self.fenced[index]
    }

    /// The lines of a range, joined as they stand, without the last line end.
    pub fn lines(&self, range: Range<usize>) -> &str {
        if range.start >= range.end {
            return "";
        }
        let start = self.starts[range.start] as usize;
        let end = self.starts.get(range.end).map_or(self.content.len(), |next| *next as usize - 1);
        &self.content[start..end]
    }

    /// 0-based index of the line that holds byte `offset` of [`Text::content`].
    pub fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= offset).saturating_sub(1)
    }

    /// Byte offset of the first byte of line `index`.
    pub fn offset(&self, index: usize) -> usize {
        self.starts[index] as usize
    }

    /// The unfenced lines that begin with `#`: everything that can be a heading. Index is 0-based.
    pub fn hash_lines(&self) -> impl Iterator<Item = usize> + '_ {
        let bytes = self.content.as_bytes();
        (0..self.starts.len())
            .filter(move |index| bytes.get(self.starts[*index] as usize) == Some(&b'#') && !self.fenced[*index])
    }
}

/// `\r\n` and lone `\r` as `\n`; borrowed when there is none.
pub fn normalise_line_ends(content: &str) -> Cow<'_, str> {
    if memchr(b'\r', content.as_bytes()).is_none() {
        return Cow::Borrowed(content);
    }
    Cow::Owned(content.replace("\r\n", "\n").replace('\r', "\n"))
}

fn line_starts(content: &str) -> Vec<u32> {
    let mut starts = Vec::with_capacity(content.len() / 32 + 1);
    starts.push(0);
    // Files above 4 GiB are refused before they are read, so an offset fits.
    starts.extend(memchr_iter(b'\n', content.as_bytes()).map(|at| at as u32 + 1));
    starts
}

fn fence_mask(content: &str, starts: &[u32]) -> Vec<bool> {
    let mut mask = vec![false; starts.len()];
    let bytes = content.as_bytes();
    if memmem::find(bytes, b"```").is_none() && memmem::find(bytes, b"~~~").is_none() {
        return mask;
    }
    let mut fences = FenceTracker::default();
    for (index, fenced) in mask.iter_mut().enumerate() {
        let start = starts[index] as usize;
        let end = starts.get(index + 1).map_or(content.len(), |next| *next as usize - 1);
        *fenced = fences.feed(&content[start..end]);
    }
    mask
}

/// Follows code fences line by line.
///
/// A fence opens at a line whose first non-blank run is three or more backticks or tildes, at any indent and with any
/// info string; it closes at a line that is only the same marker, at least as long.
#[derive(Debug, Default)]
pub struct FenceTracker {
    open: Option<(u8, usize)>,
}

impl FenceTracker {
    /// Whether the next line is code, or closes it.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Takes the next line and tells whether it is fenced, delimiters included.
    pub fn feed(&mut self, line: &str) -> bool {
        let run = fence_run(line);
        match (self.open, run) {
            (None, None) => false,
            (None, Some((marker, length, _))) => {
                self.open = Some((marker, length));
                true
            }
            (Some((marker, length)), Some((seen, run, rest))) => {
                if seen == marker && run >= length && js::trim(rest).is_empty() {
                    self.open = None;
                }
                true
            }
            (Some(_), None) => true,
        }
    }
}

/// The marker, its length and what follows, when a line starts with a fence.
pub(super) fn fence_run(line: &str) -> Option<(u8, usize, &str)> {
    let trimmed = js::trim_start(line);
    let marker = *trimmed.as_bytes().first()?;
    if marker != b'`' && marker != b'~' {
        return None;
    }
    let length = trimmed.bytes().take_while(|byte| *byte == marker).count();
    (length >= 3).then(|| (marker, length, &trimmed[length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(content: &str) -> Text {
        Text::from_bytes(content.as_bytes().to_vec())
    }

    #[test]
    fn line_ends_are_normalised() {
        let text = text("\u{feff}a\r\nb\rc\n");
        assert!(text.had_bom());
        assert_eq!((0..text.len()).map(|i| text.line(i)).collect::<Vec<_>>(), ["a", "b", "c", ""]);
        assert_eq!(text.lines(0..2), "a\nb");
        assert_eq!(text.line_at(2), 1);
    }

    #[test]
    fn a_fence_closes_only_at_its_own_marker() {
        let text = text("````md\n```\n~~~\n`````\nafter\n   ~~~\nx");
        let fenced: Vec<bool> = (0..text.len()).map(|i| text.fenced(i)).collect();
        assert_eq!(fenced, [true, true, true, true, false, true, true]);
    }

    #[test]
    fn a_fence_with_a_tail_does_not_close() {
        let text = text("```\n``` x\n```\ny");
        assert!(!text.fenced(3));
        assert!(text.fenced(1));
    }
}
