//! The lines that git writes to a hook.

use std::io::{self, IsTerminal, Read};

use bstr::ByteSlice;

/// More than git writes for any push.
const MAX_BYTES: u64 = 64 << 20;

/// The lines on standard input, without empty ones. A terminal is not waited for: git never gives one to these hooks.
///
/// # Errors
/// When it cannot be read to its end.
pub(super) fn lines() -> io::Result<Vec<String>> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::new();
    stdin.lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("is longer than 64 MiB"));
    }
    Ok(bytes.lines().filter(|line| !line.trim().is_empty()).map(|line| line.to_str_lossy().into_owned()).collect())
}
