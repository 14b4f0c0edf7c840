//! `--format NAME[=FILE]`, given once or several times, and `--output FILE`: which reports go where.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use super::{COULD_NOT_RUN, output};
use crate::report::render::{agent, github, gitlab, human, json, junit, markdown, sarif};
use crate::report::{Report, visible};

/// Formats of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// For coding agents: short, no colour
    Agent,
    /// For programs
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// Annotations in the log of GitHub Actions
    Github,
    /// JUnit XML, a test case for each item and criterion
    Junit,
    /// GitLab's code quality report
    Gitlab,
    /// For a pull request's comment or a job's summary
    Markdown,
}

/// A format and where its report goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    format: Format,
    /// None for standard output.
    file: Option<PathBuf>,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err("there is no file after `=`".to_owned()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        match Format::from_str(name, false) {
            Ok(format) => Ok(Self { format, file }),
            Err(_) => Err(format!("known formats are {}", names().join(", "))),
        }
    }
}

fn names() -> Vec<String> {
    let named = |format: &Format| format.to_possible_value().map(|value| value.get_name().to_owned());
    Format::value_variants().iter().filter_map(named).collect()
}

/// What a command line says about formats.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Formats {
    /// How to print the report: human, agent, json, sarif, github, junit, gitlab or markdown. With =FILE it is written to
    /// that file. Several times for several reports, of which one at most goes to standard output [default: human]
    #[arg(long = "format", value_name = "NAME[=FILE]")]
    targets: Vec<Target>,
    /// Write the report to a file and nothing to standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Formats {
    /// One format on standard output.
    pub fn of(format: Format) -> Self {
        Self { targets: vec![Target { format, file: None }], output: None }
    }

    /// Which reports go where.
    ///
    /// # Errors
    /// When two of them go to the same place, or `--output` has none to write.
    pub fn targets(&self) -> Result<Vec<Target>, String> {
        let mut targets = self.targets.clone();
        if targets.is_empty() {
            targets.push(Target { format: Format::Human, file: None });
        }
        let mut printed = targets.iter_mut().filter(|target| target.file.is_none());
        let first = printed.next();
        if let (Some(first), Some(second)) = (&first, printed.next()) {
            let (first, second) = (first.name(), second.name());
            return Err(format!(
                "`{first}` and `{second}` both go to standard output; write one to a file: {second}=FILE"
            ));
        }
        match (first, &self.output) {
            (Some(first), Some(file)) => first.file = Some(file.clone()),
            (None, Some(_)) => return Err("--output has no report to write: each --format names a file".to_owned()),
            (_, None) => {}
        }
        for (index, target) in targets.iter().enumerate() {
            let place = |target: &Target| target.file.as_ref().and_then(|file| std::path::absolute(file).ok());
            let is_same = |other: &&Target| other.file.is_some() && place(other) == place(target);
            if let Some(other) = targets[..index].iter().find(is_same) {
                return Err(format!("`{}` and `{}` have the same file", other.name(), target.name()));
            }
        }
        Ok(targets)
    }

    /// The format whose report goes to standard output, of a command line that cannot be used as a whole. None when it is
    /// a command line of another command.
    pub fn printed(command: &str, words: &[OsString]) -> Option<Format> {
        let mut words = words.iter().skip(1).filter_map(|word| word.to_str());
        words.find(|word| !word.starts_with('-')).filter(|word| *word == command)?;
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--format") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('='),
                None => None,
            };
            if let Some(Target { format, file: None }) = value.and_then(|value| value.parse().ok()) {
                return Some(format);
            }
        }
        Some(Format::Human)
    }
}

impl Target {
    fn name(&self) -> String {
        self.format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Where the report goes; none for standard output.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Whether it is what a person reads on the terminal, who has standard error as well.
    pub fn is_for_the_terminal(&self) -> bool {
        self.format == Format::Human && self.file.is_none()
    }
}

/// Writes a report in each of these formats. All are tried, also after one could not be written. Says what could not be
/// written, and returns the exit code for that; None when all were.
pub fn delivered(targets: &[Target], render: impl Fn(Format, bool) -> String) -> Option<u8> {
    let mut faults = Vec::new();
    for target in targets {
        let text = render(target.format, target.is_for_the_terminal());
        match &target.file {
            Some(path) => {
                faults.extend(output::file(path, &text).err().map(|error| format!("{}: {error}", path.display())))
            }
            None => faults.extend(output::stdout(&text).err().map(|error| format!("standard output: {error}"))),
        }
    }
    for fault in &faults {
        output::stderr(&format!("error: {}\n", visible(fault)));
    }
    (!faults.is_empty()).then_some(COULD_NOT_RUN)
}

/// A report of `verify` as text. `styled` asks for colours, where a format has any.
pub fn render(report: &Report, exit_code: u8, format: Format, styled: bool) -> String {
    match format {
        Format::Human => human::render(report, styled),
        Format::Agent => agent::render(report),
        Format::Json => json::render(report, exit_code),
        Format::Sarif => sarif::render(report),
        Format::Github => github::render(report),
        Format::Junit => junit::render(report),
        Format::Gitlab => gitlab::render(report),
        Format::Markdown => markdown::render(report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formats(targets: &[&str], output: Option<&str>) -> Result<Vec<Target>, String> {
        let targets: Result<Vec<Target>, String> = targets.iter().map(|text| text.parse()).collect();
        Formats { targets: targets?, output: output.map(PathBuf::from) }.targets()
    }

    #[test]
    fn one_goes_to_standard_output() {
        assert_eq!(formats(&[], None), formats(&["human"], None));
        assert_eq!(formats(&["json"], Some("a")), formats(&["json=a"], None));
        assert_eq!(formats(&["human", "sarif=a"], Some("b")), formats(&["human=b", "sarif=a"], None));
        assert!(formats(&["human", "json"], None).is_err_and(|error| error.contains("json=FILE")));
        assert!(formats(&["json=a"], Some("b")).is_err());
        assert!(formats(&["json=a", "sarif=./a"], None).is_err());
        assert!(formats(&["json="], None).is_err());
        assert!(formats(&["xml"], None).is_err_and(|error| error.contains("junit")));
    }

    #[test]
    fn format_of_a_command_line() {
        let of = |line: &str| Formats::printed("verify", &line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("specward verify --format json --bogus"), Some(Format::Json));
        assert_eq!(of("specward verify --format=sarif=a --format agent"), Some(Format::Agent));
        assert_eq!(of("specward verify --format=sarif=a"), Some(Format::Human));
        assert_eq!(of("specward lint --format json"), None);
    }
}
