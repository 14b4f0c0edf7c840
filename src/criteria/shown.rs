//! Checks as people read them, on one line.

use std::fmt;

use super::{CheckKind, CommandLine, FileExpectation, SearchExpectation};

impl fmt::Display for CommandLine {
    /// As it could be typed into a shell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shell(line) => f.write_str(line),
            Self::Argv(argv) => {
                for (at, word) in argv.iter().enumerate() {
                    if at > 0 {
                        f.write_str(" ")?;
                    }
                    f.write_str(&quoted(word))?;
                }
                Ok(())
            }
        }
    }
}

/// A word in single quotes when a shell would read it as something else.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%^".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

impl fmt::Display for CheckKind {
    /// What the check looks at.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(check) => check.command.fmt(f),
            Self::File(check) => match &check.expect {
                FileExpectation::Absent => write!(f, "{} is absent", check.path),
                FileExpectation::Exists(_) => f.write_str(&check.path),
            },
            Self::Search(check) => {
                let how = match check.expect {
                    SearchExpectation::Absent => "nowhere".to_owned(),
                    SearchExpectation::Present => "somewhere".to_owned(),
                    SearchExpectation::Max(count) => format!("at most {count} times"),
                };
                write!(f, "/{}/ {how} in {}", check.pattern, check.files.join(", "))
            }
            Self::Junit(check) => match &check.test {
                Some(test) => write!(f, "{test} in {}", check.report),
                None => write!(f, "all tests in {}", check.report),
            },
            Self::Judge(check) => f.write_str(&check.rubric),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted() {
        let argv = ["cargo", "nextest", "run", "-E", "test(a b)", "", "it's"].map(str::to_owned).to_vec();
        assert_eq!(CommandLine::Argv(argv).to_string(), "cargo nextest run -E 'test(a b)' '' 'it'\\''s'");
    }
}
