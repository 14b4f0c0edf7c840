//! Where a run's results go in each CI system.

use std::path::PathBuf;

use super::github;
use crate::cli::output;
use crate::repo::ci::{self, System};
use crate::repo::environment::Environment;

/// A CI system and the files it reads.
pub struct Place {
    system: System,
    /// Folder for files that are gone when the job is over.
    scratch: Option<PathBuf>,
    summary: Option<PathBuf>,
    outputs: Option<PathBuf>,
}

impl Place {
    /// What the variables say.
    pub fn of(env: &Environment) -> Self {
        let system = ci::system(env);
        let path = |name: &str| env.path(name).filter(|_| system == System::Github);
        Self {
            system,
            scratch: path("RUNNER_TEMP"),
            summary: path("GITHUB_STEP_SUMMARY"),
            outputs: path("GITHUB_OUTPUT"),
        }
    }

    /// Whether lines of the log can be commands.
    pub fn is_github(&self) -> bool {
        self.system == System::Github
    }

    /// Where the report for programs goes when nobody named a file for it.
    pub fn report_file(&self, run_id: &str) -> Option<PathBuf> {
        Some(self.scratch.as_ref()?.join(format!("specward-{run_id}.json")))
    }

    /// Prints a report so that nothing in it is a command, then the annotations, where there are any.
    ///
    /// # Errors
    /// One line, when standard output cannot be written to.
    pub fn print(&self, text: Option<&str>, annotations: Option<&str>) -> Result<(), String> {
        let printed = match (self.is_github(), text) {
            (true, text) => format!(
                "{}{}",
                text.map(|text| github::guarded("specward", text)).unwrap_or_default(),
                annotations.unwrap_or_default()
            ),
            (false, text) => text.unwrap_or_default().to_owned(),
        };
        output::stdout(&printed).map_err(|error| format!("standard output: {error}"))
    }

    /// Appends to the summary of the job, as much as the system takes.
    ///
    /// # Errors
    /// One line, when the file cannot be written to.
    pub fn summarise(&self, markdown: &str) -> Result<(), String> {
        let Some(path) = &self.summary else { return Ok(()) };
        let used = std::fs::metadata(path).map_or(0, |metadata| usize::try_from(metadata.len()).unwrap_or(usize::MAX));
        let text = cut(markdown, github::MAX_SUMMARY.saturating_sub(used));
        output::append(path, &text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes the outputs of the step.
    ///
    /// # Errors
    /// One line, when the file cannot be written to.
    pub fn set_outputs(&self, outputs: &[(&str, String)]) -> Result<(), String> {
        let Some(path) = &self.outputs else { return Ok(()) };
        let text: String = outputs.iter().map(|(name, value)| github::output(name, value)).collect();
        output::append(path, &text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// What stands in place of what is cut off.
const CUT: &str = "\n\nThe rest is cut off: the report has all of it.\n";

/// Markdown of at most `limit` bytes. What is too long ends with a whole line; blocks that are open there are closed.
pub fn cut(markdown: &str, limit: usize) -> String {
    if markdown.len() <= limit {
        return markdown.to_owned();
    }
    let end = limit.saturating_sub(CUT.len() + MAX_CLOSING);
    let end = (0..=end).rev().find(|at| markdown.is_char_boundary(*at)).unwrap_or(0);
    let kept = &markdown[..markdown[..end].rfind('\n').map_or(0, |line| line + 1)];
    let closed = closing(kept);
    let text = format!("{kept}{closed}{CUT}");
    if text.len() <= limit { text } else { String::new() }
}

/// More bytes than any text has that closes what is open.
const MAX_CLOSING: usize = 256;

/// Closes a fence and collapsible blocks that a text leaves open.
fn closing(markdown: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut details = 0_usize;
    for line in markdown.lines().map(str::trim_start) {
        let run = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if run >= open.len() && line[run..].trim().is_empty() => fence = None,
            Some(_) => {}
            None if run >= 3 => fence = Some(&line[..run]),
            None => {
                details += line.matches("<details").count();
                details = details.saturating_sub(line.matches("</details>").count());
            }
        }
    }
    let fence = fence.map(|fence| format!("{fence}\n")).unwrap_or_default();
    format!("{fence}{}", "</details>\n".repeat(details.min(8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_ends_with_a_line_and_closed_blocks() {
        assert_eq!(cut("short\n", 100), "short\n");
        let long =
            format!("# Report\n<details>\n<summary>x</summary>\n\n````text\n{}", "ä line of evidence\n".repeat(99));
        let text = cut(&long, 600);
        assert!(text.len() <= 600);
        assert!(text.ends_with(&format!("ä line of evidence\n````\n</details>\n{CUT}")), "{text}");
        assert_eq!(cut(&long, 3), "");
    }
}
