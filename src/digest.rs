//! Digests as they are written: `sha256:` and 64 small hexadecimal digits.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// What a written digest begins with.
const PREFIX: &str = "sha256:";

/// Bytes of a written digest.
pub const LENGTH: usize = PREFIX.len() + 64;

/// The digest of some bytes.
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = PREFIX.to_owned();
    for byte in Sha256::digest(bytes) {
        _ = write!(text, "{byte:02x}");
    }
    text
}

/// Whether a text is a digest as [`sha256`] writes it.
pub fn is_digest(text: &str) -> bool {
    text.strip_prefix(PREFIX)
        .is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_other_programs_write_it() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
        assert!(is_digest(empty) && empty.len() == LENGTH);
        assert!(!is_digest(&empty.to_uppercase()) && !is_digest(&empty[1..]) && !is_digest(&empty[..70]));
    }
}
