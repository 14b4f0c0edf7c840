//! Standard input of a hook.

use std::io::{self, IsTerminal, Read};

use crate::hook::payload::MAX_BYTES;

/// The document on standard input, but no more than is looked at. A terminal is not waited for: nobody types a document.
pub(super) fn read() -> Vec<u8> {
    let stdin = io::stdin();
    if stdin.is_terminal() { Vec::new() } else { document(stdin.lock()) }
}

/// Up to the end of the first document: a client may keep standard input open behind it.
fn document(input: impl Read) -> Vec<u8> {
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut input = input.take(most);
    let mut bytes = Vec::new();
    let mut extent = Extent::default();
    let mut chunk = vec![0; 64 * 1024];
    loop {
        match input.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // What could be read before a failure is a broken document, and told as one.
            Ok(0) | Err(_) => return bytes,
            Ok(length) => {
                let new = chunk.get(..length).unwrap_or_default();
                bytes.extend_from_slice(new);
                if new.iter().any(|byte| extent.ends_with(*byte)) {
                    return bytes;
                }
            }
        }
    }
}

/// How far a reader is in a JSON object.
#[derive(Debug, Default)]
struct Extent {
    depth: usize,
    is_text: bool,
    is_escaped: bool,
}

impl Extent {
    /// Takes the next byte. Whether the object ends with it.
    fn ends_with(&mut self, byte: u8) -> bool {
        if std::mem::take(&mut self.is_escaped) {
            return false;
        }
        match byte {
            b'\\' => self.is_escaped = self.is_text,
            b'"' => self.is_text = !self.is_text && self.depth > 0,
            b'{' if !self.is_text => self.depth += 1,
            b'}' if !self.is_text && self.depth > 0 => {
                self.depth -= 1;
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that writes in pieces of so many bytes and never closes: to read on would wait for ever.
    struct Open<'a>(&'a [u8], usize);

    impl Read for Open<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "read on behind the document");
            let (piece, rest) = self.0.split_at(self.1.min(self.0.len()));
            buffer[..piece.len()].copy_from_slice(piece);
            self.0 = rest;
            Ok(piece.len())
        }
    }

    #[test]
    fn the_end_of_the_document_is_enough() {
        for text in [r#"{}"#, r#" {"a": {"b": "}\"}\\"}, "c": ["{"]}"#, "\u{feff}{\"é\": {}}", "{\"a\": 1}\n"] {
            for size in [1, 3, 1000] {
                let found = document(Open(text.as_bytes(), size));
                assert_eq!(String::from_utf8(found).expect("text").trim_end(), text.trim_end(), "{size}");
            }
        }
    }

    #[test]
    fn other_input_is_read_to_its_end() {
        for text in ["", "no JSON", "[1]", "{\"a\": {", "\"a\" }", "}"] {
            assert_eq!(document(text.as_bytes()), text.as_bytes());
        }
        assert_eq!(document(io::repeat(b'{')).len(), MAX_BYTES + 1);
    }
}
