//! What the documents in `tests/cases` need to be read and run.

pub mod diff;
pub mod document;
pub mod escape;
pub mod run;

/// Whether expected outputs are to be rewritten.
#[expect(clippy::disallowed_methods, reason = "a switch of the tests, not of the program")]
pub fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}
