//! What a program wrote, without the middle when it is too much.

use std::collections::VecDeque;

/// How much of the beginning is kept, and as much of the end: 4 MiB.
const HALF: usize = 4 << 20;

/// What a program wrote to one stream: the first and the last [`HALF`] of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    is_unfinished: bool,
}

impl Captured {
    /// Adds what was read.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total = self.total.saturating_add(bytes.len() as u64);
        let (first, rest) = bytes.split_at(bytes.len().min(HALF - self.head.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(HALF)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(HALF);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    /// Notes that nobody waited for the rest.
    pub(super) fn set_unfinished(&mut self) {
        self.is_unfinished = true;
    }

    /// Bytes that the program wrote.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Bytes that were not kept.
    pub fn left_out(&self) -> u64 {
        self.total.saturating_sub((self.head.len() + self.tail.len()) as u64)
    }

    /// Whether something is missing: the middle, or an end that a process still held the pipe for.
    pub fn is_cut(&self) -> bool {
        self.is_unfinished || self.left_out() > 0
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// As text. What is not UTF-8 is replaced; a line in the middle says how much was left out.
    pub fn text(&self) -> String {
        let mut bytes = Vec::with_capacity(self.head.len() + self.tail.len());
        bytes.extend_from_slice(&self.head);
        let left_out = self.left_out();
        if left_out > 0 {
            bytes.extend_from_slice(format!("\n… {left_out} bytes left out …\n").as_bytes());
        }
        bytes.extend(&self.tail);
        match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }
}

impl From<&[u8]> for Captured {
    fn from(bytes: &[u8]) -> Self {
        let mut captured = Self::default();
        captured.push(bytes);
        captured
    }
}

#[cfg(test)]
mod tests {
    use super::{Captured, HALF};

    #[test]
    fn everything_is_kept_up_to_two_halves() {
        let bytes: Vec<u8> = (0..2 * HALF).map(|at| b'a' + (at % 23) as u8).collect();
        let mut captured = Captured::default();
        for chunk in bytes.chunks(65_537) {
            captured.push(chunk);
        }
        assert!(!captured.is_cut());
        assert_eq!(captured.text().as_bytes(), bytes);
    }

    #[test]
    fn the_middle_is_left_out_and_counted() {
        for size in [1000, 2 * HALF + 10] {
            let mut captured = Captured::default();
            captured.push(b"first");
            let chunk = vec![b'.'; size];
            while captured.total() < 3 * HALF as u64 {
                captured.push(&chunk);
            }
            captured.push(b"last");
            let text = captured.text();
            assert!(captured.is_cut());
            assert!(text.starts_with("first") && text.ends_with("last"));
            assert!(text.contains(&format!("\n… {} bytes left out …\n", captured.left_out())));
            assert_eq!(captured.left_out(), captured.total() - 2 * HALF as u64);
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        assert_eq!(Captured::from(&b"a\xff\0b"[..]).text(), "a\u{fffd}\0b");
    }
}
