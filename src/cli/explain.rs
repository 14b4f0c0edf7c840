//! `specward explain`: a rule's page, a group's rules, or all of them.

use std::process::ExitCode;

use super::COULD_NOT_RUN;
use super::output;
use crate::gate::nearest;
use crate::openspec::text::FenceTracker;
use crate::report::visible;
use crate::rules::{self, GROUPS, Group, Origin, Rule};

const BOLD: &str = "\u{1b}[1m";
const CYAN: &str = "\u{1b}[36m";
const RESET: &str = "\u{1b}[0m";

/// Say what a rule is about, or list the rules
///
/// With a rule's id its page is printed: what it does, why it matters, how to fix what it finds. With a group's name
/// the rules of that group are listed, without an argument all of them.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// A rule, such as spec/no-scenario, or a group, such as spec
    rule: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    let Some(name) = args.rule.as_deref() else {
        return print(&list(GROUPS));
    };
    let name = name.trim();
    if let Some(rule) = rules::find(name) {
        return print(&styled(&rule.page(None)));
    }
    match GROUPS.iter().find(|group| group.name == name.trim_end_matches('/')) {
        Some(group) => print(&list(std::slice::from_ref(group))),
        None => {
            let near = near(name).join(", ");
            output::stderr(&format!("error: there is no rule or group `{}`; nearest: {near}\n", visible(name)));
            output::stderr("fix: `specward explain` lists all rules\n");
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

/// Prints what was asked for. That it could not be written is `main`'s to tell.
fn print(text: &str) -> ExitCode {
    output::text(text);
    ExitCode::SUCCESS
}

/// The rules somebody may have meant: of that name in any group, else the ones of the most similar id.
fn near(name: &str) -> Vec<String> {
    let lower = name.to_lowercase().replace('_', "-");
    let is_same = |rule: &&Rule| rule.id.split('/').nth(1) == Some(lower.as_str());
    let same: Vec<String> = rules::all().filter(is_same).map(|rule| rule.id.to_owned()).collect();
    let groups = GROUPS.iter().map(|group| group.name.to_owned());
    if same.is_empty() { nearest(&lower, rules::all().map(|rule| rule.id.to_owned()).chain(groups)) } else { same }
}

/// Groups with their rules, one a line.
fn list(groups: &[Group]) -> String {
    let width = rules::all().map(|rule| rule.id.len()).max().unwrap_or_default();
    let mut out = String::new();
    for group in groups {
        if !out.is_empty() {
            out.push('\n');
        }
        out += &format!("{BOLD}{}{RESET}\n", group.name);
        for rule in group.rules {
            let origin = if rule.origin == Origin::Reference { "reference" } else { "own" };
            out += &format!("  {:width$}  {:7}  {origin:9}  {}\n", rule.id, rule.level.word(), rule.summary);
        }
    }
    out
}

/// A page with its headings and examples set off by colour. Whoever reads it in a pipe gets the Markdown alone.
fn styled(page: &str) -> String {
    let mut fences = FenceTracker::default();
    let mut out = String::with_capacity(page.len() + 256);
    for line in page.lines() {
        let style = match fences.feed(line) {
            true => CYAN,
            false if line.starts_with('#') => BOLD,
            false => "",
        };
        let end = if style.is_empty() { "" } else { RESET };
        out += &format!("{style}{line}{end}\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_may_be_meant() {
        assert_eq!(near("no_Scenario"), ["spec/no-scenario", "delta/no-scenario"]);
        assert!(near("spec/no-scenari").contains(&"spec/no-scenario".to_owned()));
        assert!(near("sepc").contains(&"spec".to_owned()));
    }

    #[test]
    fn headings_in_examples_are_no_headings() {
        assert_eq!(styled("# a\nb\n```\n# c\n```\n").matches(BOLD).count(), 1);
    }
}
