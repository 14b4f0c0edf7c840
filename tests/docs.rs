//! Documentation is held to what the program is: generated pages, links, command lines, options, examples.
//!
//! `UPDATE=1 cargo test --test docs` writes what is generated: the pages of rules, and their lines in `docs/SUMMARY.md`.

#[path = "docs/commands.rs"]
mod commands;
#[path = "docs/evasion.rs"]
mod evasion;
#[path = "docs/examples.rs"]
mod examples;
#[cfg(unix)]
#[path = "docs/getting_started.rs"]
mod getting_started;
#[path = "docs/links.rs"]
mod links;
#[path = "docs/pages.rs"]
mod pages;
#[path = "docs/rule_pages.rs"]
mod rule_pages;
#[path = "docs/shell.rs"]
mod shell;
#[path = "docs/summary.rs"]
mod summary;
