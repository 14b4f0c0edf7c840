//! A question to whoever sits at the terminal.

use std::io::{self, BufRead, IsTerminal};

use crate::cli::output;

/// Asks, and tells whether the answer was yes. Where nobody can be asked, nobody is: calling the program was the answer.
pub(super) fn confirmed(question: &str) -> bool {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return true;
    }
    output::text(question);
    let mut answer = String::new();
    let is_read = io::stdin().lock().read_line(&mut answer).is_ok();
    is_read && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}
