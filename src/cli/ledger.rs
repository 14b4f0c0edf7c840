//! `specward ledger`: what proves that a ledger is as it was written.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use super::failure::print_json;
use super::output;
use super::stored::{self, Format};
use crate::digest::is_digest;
use crate::ledger::check::{Checked, check};
use crate::report::{count, visible};

/// Check the ledger that `specward verify --ledger FILE` writes
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, clap::Subcommand)]
enum Command {
    Check(CheckArgs),
}

/// Tell whether a line was changed, removed, inserted, moved or torn
///
/// Exit code 0 when no line was, 1 when one was or there is none, 2 when the file cannot be read. Lines that were removed
/// from the end leave no trace: keep the last digest elsewhere and pass it with --expect.
#[derive(Debug, Clone, clap::Args)]
struct CheckArgs {
    /// The ledger
    file: PathBuf,
    /// The digest the last line has to have
    #[arg(long, value_name = "DIGEST", value_parser = digest)]
    expect: Option<String>,
    /// How to print what is found
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    let Command::Check(args) = &args.command;
    let expected = args.expect.as_deref();
    let checked = match check(&args.file, expected) {
        Ok(checked) => checked,
        Err(error) => {
            let message = format!("{}: {error}", args.file.display());
            return stored::could_not_run(&message, "name a file that `specward verify --ledger FILE` wrote");
        }
    };
    match args.format {
        Format::Human => output::text(&text(&args.file, &checked, expected.is_some())),
        Format::Json => print_json(&json!({
            "schema_version": 1,
            "file": args.file.display().to_string(),
            "ok": checked.is_fine(),
            "lines": checked.lines,
            "last_digest": checked.last_digest,
            "end_is_proved": checked.is_fine() && expected.is_some(),
            "problems": checked.problems,
            "further_problems": checked.untold,
        })),
    }
    if checked.is_fine() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A digest as the ledger has them.
fn digest(text: &str) -> Result<String, String> {
    let text = text.trim();
    let message = "a digest is `sha256:` and 64 hexadecimal digits, as `ledger check` prints it";
    if is_digest(text) { Ok(text.to_owned()) } else { Err(message.to_owned()) }
}

fn text(file: &Path, checked: &Checked, is_expected: bool) -> String {
    let file = visible(&file.display().to_string());
    let mut text = String::new();
    for problem in &checked.problems {
        text += &format!("{file}:{}: {}\n", problem.line, visible(&problem.message));
    }
    if checked.untold > 0 {
        text += &format!("… and {} more\n", checked.untold);
    }
    let outcome = if checked.is_fine() { "each as it was written" } else { "not as they were written" };
    text += &format!("{file}: {}, {outcome}\n", count(checked.lines, "line"));
    if let Some(digest) = &checked.last_digest {
        text += &format!("last digest: {digest}\n");
    }
    if !is_expected {
        text += "note: lines removed from the end cannot be seen; keep the last digest elsewhere and pass it with --expect\n";
    }
    text
}
