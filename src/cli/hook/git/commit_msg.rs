//! `specward hook commit-msg`: a commit that edits the spec set says which part of it.

use std::path::PathBuf;
use std::process::ExitCode;

use bstr::{BStr, BString, ByteSlice};

use super::judged;
use crate::cli::settings::Settings;
use crate::gate::{self, Place, Progress, RunError};
use crate::repo::scope::{Request, RequestKind};
use crate::report::Report;

/// Demand that a commit which edits the spec set names what it edits, or says why with `Spec-Change: REASON`
///
/// Exit code 0 it does, or there is nothing to name; 1 it does not; 2 could not run; 3 the index cannot be read.
#[derive(Debug, clap::Args)]
pub(in crate::cli::hook) struct Args {
    /// The file with the message
    file: PathBuf,
}

pub(in crate::cli::hook) fn run(args: &Args, settings: &Settings) -> ExitCode {
    judged::exit(judge(args, settings))
}

/// Names that are listed. Of more only the number is told.
const LISTED: usize = 12;

fn judge(args: &Args, settings: &Settings) -> Result<u8, u8> {
    let repository = judged::repository(settings)?;
    // What is merged was named where it was committed.
    if repository.is_merging() {
        return Ok(0);
    }
    let request = Request { kind: RequestKind::Staged, ..Request::default() };
    let report = match gate::verify(&judged::task(settings, request, true), &Progress::default()) {
        Ok(report) => report,
        Err(RunError::NoProject) => return Ok(0),
        Err(error) => return Err(judged::could_not_run(&error.to_string(), &error.fix())),
    };
    if report.spec_changes.is_none()
        && let Some(reason) = report.reasons.first()
    {
        judged::refused(&reason.message, &reason.fix);
        return Err(3);
    }
    let paths = report.spec_changes.as_deref().unwrap_or_default();
    if paths.is_empty() {
        return Ok(0);
    }
    let file = settings.cwd.join(&args.file);
    let bytes = std::fs::read(&file).map_err(|error| {
        judged::could_not_run(&format!("{}: {error}", file.display()), "let git call this with its file")
    })?;
    // Git says so when nobody edits the message: lines of `#` belong to it then.
    let is_edited = settings.env.get("GIT_EDITOR") != Some(":");
    let message = message(&bytes.to_str_lossy(), repository.comment(), is_edited);
    let names = names(&report, paths);
    if is_explained(&message) || names.iter().any(|name| is_named(&message, name)) {
        return Ok(0);
    }
    let shown = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(LISTED);
    let what = match (shown.as_str(), more) {
        ("", _) => "add a line `Spec-Change: REASON`".to_owned(),
        (shown, 0) => format!("name one of {shown}, or add a line `Spec-Change: REASON`"),
        (shown, more) => format!("name one of {shown} and {more} more, or add a line `Spec-Change: REASON`"),
    };
    let first = &paths[0];
    let others = if paths.len() > 1 { format!(" and {} more", paths.len() - 1) } else { String::new() };
    let told = format!("the commit edits the spec set ({first}{others}), and its message does not say what of it");
    Ok(judged::refused(&told, &format!("{what}; the message is kept in {}", args.file.display())))
}

/// Changes and capabilities that some paths belong to.
fn names(report: &Report, paths: &[String]) -> Vec<String> {
    let roots = report.scope.roots.iter().map(|root| if root == "." { "" } else { root.as_str() });
    let roots: Vec<BString> = roots.map(BString::from).collect();
    let mut names = Vec::new();
    for path in paths {
        match gate::place_in(BStr::new(path), &roots) {
            Some((_, Place::Spec { capability })) => names.push(capability.to_string()),
            Some((_, Place::Criteria { capability })) => names.push(capability),
            Some((_, Place::Open { change, inner })) => {
                names.push(change.to_string());
                names.extend(capability(&inner));
            }
            Some((_, Place::Archived { change, inner })) => {
                names.push(undated(&change.to_string()).to_owned());
                names.extend(capability(&inner));
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup();
    names
}

/// The capability that a delta is for.
fn capability(inner: &BString) -> Option<String> {
    Some(inner.strip_prefix(b"specs/")?.strip_suffix(b"/spec.md")?.to_str_lossy().into_owned())
}

/// The name of an archived change, without the day.
fn undated(name: &str) -> &str {
    let is_dated = name.len() > 11
        && name.bytes().take(11).enumerate().all(|(at, byte)| match at {
            4 | 7 | 10 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if is_dated { &name[11..] } else { name }
}

/// What of a file git keeps as the message: what stands above the scissors, without comments.
fn message(text: &str, comment: Option<&str>, is_edited: bool) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let cut = lines.iter().position(|line| line.ends_with(SCISSORS)).unwrap_or(lines.len());
    let mark = match comment {
        // Git took a character that no line of the message begins with.
        Some("auto") => lines.last().and_then(|line| line.get(..1)).filter(|first| AUTO.contains(first)).unwrap_or("#"),
        Some("") | None => "#",
        Some(mark) => mark,
    };
    let kept = lines[..cut].iter().filter(|line| !is_edited || !line.starts_with(mark));
    kept.copied().collect::<Vec<_>>().join("\n")
}

/// What git writes above a difference that does not belong to the message.
const SCISSORS: &str = " ------------------------ >8 ------------------------";

/// The characters that git chooses from.
const AUTO: &str = "#;@!$%^&|:";

/// Whether a message says why specs are edited.
fn is_explained(message: &str) -> bool {
    const TRAILER: &str = "spec-change:";
    let is_trailer = |line: &str| {
        let start = line.get(..TRAILER.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(TRAILER)) && !line[TRAILER.len()..].trim().is_empty()
    };
    message.lines().any(is_trailer)
}

/// Whether a name stands in a message as a word of its own.
fn is_named(message: &str, name: &str) -> bool {
    let (message, name) = (message.to_lowercase(), name.to_lowercase());
    let is_part = |character: char| character.is_alphanumeric() || "-_".contains(character);
    message.match_indices(&name).any(|(at, _)| {
        !message[..at].chars().next_back().is_some_and(is_part)
            && !message[at + name.len()..].chars().next().is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_message() {
        let text = "Subject\n# comment\n; other\nbody\n# ------------------------ >8 ------------------------\ndiff\n";
        assert_eq!(message(text, None, true), "Subject\n; other\nbody");
        assert_eq!(message(text, Some(";"), true), "Subject\n# comment\nbody");
        assert_eq!(message(text, None, false), "Subject\n# comment\n; other\nbody");
        assert_eq!(message("#1 fix\n; a\n; b\n", Some("auto"), true), "#1 fix");
        assert_eq!(message("é", Some("auto"), true), "é");
    }

    #[test]
    fn what_names_something() {
        assert!(is_named("Add sign-out.", "sign-out") && is_named("specs(Auth): x", "auth"));
        assert!(!is_named("author", "auth") && !is_named("sign-outs", "sign-out") && !is_named("re-auth", "auth"));
        assert!(is_explained("x\n\nspec-change: legal asked\n") && !is_explained("Spec-Change:  \n"));
        assert_eq!(
            (undated("2026-01-02-add-x"), undated("add-x"), undated("2026-01-02-")),
            ("add-x", "add-x", "2026-01-02-")
        );
    }
}
