//! `specward explain`: a rule's page, a group's rules, all of them, or a criterion of a stored run.

use std::process::ExitCode;

use super::output;
use super::settings::Settings;
use super::stored::{self, BOLD, CYAN, Format, RESET};
use crate::gate::nearest;
use crate::openspec::text::FenceTracker;
use crate::rules::{self, GROUPS, Group, Origin, Rule};

mod criterion;

use criterion::{Failure, Question};

/// Say what a rule is about, list the rules, or show why a criterion did not pass
///
/// With a rule's id its page is printed: what it does, why it matters, how to fix what it finds. With a group's name
/// the rules of that group are listed, without an argument all of them. With a criterion's id its last stored run is
/// shown: each check that did not pass, with its evidence. Nothing is run again.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// A rule, such as spec/no-scenario, a group, such as spec, or a criterion's id or its end after a slash
    name: Option<String>,
    /// The run to look in, by its id or the start of it; for a criterion [default: the newest that has it]
    #[arg(long, value_name = "ID", requires = "name")]
    run: Option<String>,
    /// Show the checks that passed too; for a criterion
    #[arg(long, requires = "name")]
    all: bool,
    /// How to print; rules and groups are printed as Markdown and a list
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let Some(name) = args.name.as_deref() else {
        return print(&list(GROUPS));
    };
    let name = name.trim();
    // A run has criteria only, so with one named nothing else is meant.
    if args.run.is_none() {
        if let Some(rule) = rules::find(name) {
            return print(&styled(&rule.page(None)));
        }
        // Several rules may have one code: that of main specs and that of deltas.
        let of_code: Vec<String> =
            rules::all().filter(|rule| has_code(rule, name)).map(|rule| rule.page(None)).collect();
        if !of_code.is_empty() {
            return print(&styled(&of_code.join("\n")));
        }
        if let Some(group) = GROUPS.iter().find(|group| group.name == name.trim_end_matches('/')) {
            return print(&list(std::slice::from_ref(group)));
        }
    }
    let question = Question { name, run: args.run.as_deref(), all: args.all, format: args.format };
    match criterion::explain(&question, settings) {
        Ok(code) => code,
        Err(Failure::Other { message, fix }) => stored::could_not_run(&message, &fix),
        Err(Failure::Unknown { near, place, fix }) if args.run.is_some() => {
            let near = if near.is_empty() { "it has none".to_owned() } else { format!("nearest: {}", near.join(", ")) };
            stored::could_not_run(&format!("there is no criterion `{name}` in {place}; {near}"), &fix)
        }
        Err(Failure::Unknown { near, place, fix }) => {
            let near = nearest(name, self::near(name).into_iter().chain(near));
            let message =
                format!("there is no rule, group or criterion `{name}` ({place}); nearest: {}", near.join(", "));
            stored::could_not_run(&message, &format!("`specward explain` lists all rules; for a criterion: {fix}"))
        }
    }
}

/// Whether a rule has that code in `lint`.
fn has_code(rule: &Rule, code: &str) -> bool {
    rule.weight.is_some_and(|weight| weight.code.eq_ignore_ascii_case(code))
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
