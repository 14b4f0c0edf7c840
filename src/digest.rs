//! Digests of what is kept: SHA-256, as `sha256sum` computes it.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// `sha256:` and the digest in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let mut shown = "sha256:".to_owned();
    for byte in Sha256::digest(bytes) {
        // Writing to a string does not fail.
        let _ = write!(shown, "{byte:02x}");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digest() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
    }
}
