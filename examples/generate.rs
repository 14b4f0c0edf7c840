//! Writes shell completions and man pages for a release: `cargo run --example generate -- FOLDER`.
//!
//! Not part of the program, so that whoever runs it does not carry what makes them.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap_complete::Shell;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("error: say where: cargo run --example generate -- FOLDER");
        return ExitCode::from(2);
    };
    match generate(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

/// Makes `completions/` with a file for each shell and `man/` with a page for each command.
fn generate(folder: &Path) -> io::Result<()> {
    let completions = folder.join("completions");
    fs::create_dir_all(&completions)?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut specward::cli::command(), "specward", &completions)?;
    }
    let man = folder.join("man");
    fs::create_dir_all(&man)?;
    clap_mangen::generate_to(specward::cli::command(), &man)
}
