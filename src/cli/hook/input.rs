//! Standard input of a hook.

use std::io::{self, IsTerminal, Read};

use crate::hook::payload::MAX_BYTES;

/// All there is, but no more than is looked at. A terminal is not waited for: nobody types a document.
pub(super) fn read() -> Vec<u8> {
    let stdin = io::stdin();
    let mut bytes = Vec::new();
    if !stdin.is_terminal() {
        // What could be read before a failure is a broken document, and told as one.
        let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
        drop(stdin.lock().take(most).read_to_end(&mut bytes));
    }
    bytes
}
