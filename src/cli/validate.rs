//! `specward validate`: the reference's command, same arguments, same JSON, same exit codes.

use std::process::ExitCode;
use std::time::Instant;

use bstr::{BStr, BString};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::failure::{Failure, print_json};
use super::items::{self, Items};
use super::output;
use super::root::Root;
use super::settings::Settings;
use crate::gate::{self, RuleSet};
use crate::openspec::change::Change;
use crate::openspec::collate;
use crate::openspec::discovery::SpecFile;
use crate::openspec::project::Project;
use crate::report::{Finding, Item, ItemKind, Level, visible};

/// Validate changes and specs exactly as `openspec validate` does, without Node
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A change or a spec
    item: Option<String>,
    /// Validate all changes and specs
    #[arg(long)]
    all: bool,
    /// Validate all open changes
    #[arg(long)]
    changes: bool,
    /// Validate all specs
    #[arg(long)]
    specs: bool,
    /// Check that archived changes have no open tasks
    #[arg(long)]
    archived: bool,
    /// What ITEM is, when both a change and a spec have that name: change or spec
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Let warnings fail
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Accepted for compatibility with openspec: specward never asks
    #[arg(long)]
    no_interactive: bool,
    /// Accepted for compatibility with openspec: specward uses all cores
    #[arg(long, value_name = "N")]
    concurrency: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    match validate(args, settings) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            failure.print(args.json, serde_json::Map::new());
            ExitCode::FAILURE
        }
    }
}

fn validate(args: &Args, settings: &Settings) -> Result<bool, Failure> {
    let is_bulk = args.all || args.changes || args.specs;
    let root = Root::find(&settings.cwd)?;
    let root = if is_bulk { root.found()? } else { root };
    let project = root.project();
    if args.archived {
        return archived(args, &root, &project);
    }
    if is_bulk {
        return bulk(args, &root, &project);
    }
    match args.item.as_ref().filter(|name| !name.is_empty()) {
        Some(name) => single(args, &root, &project, name),
        None => {
            output::stderr("nothing to validate: pass --all, --changes, --specs, --archived, or a change or spec\n");
            Ok(false)
        }
    }
}

/// One item of the result.
#[derive(Debug, Serialize)]
struct Validated {
    id: String,
    #[serde(rename = "type")]
    kind: ItemKind,
    valid: bool,
    issues: Vec<Issue>,
    #[serde(rename = "durationMs")]
    duration_ms: u64,
}

/// One finding of an item, as the reference shapes it, with our rule.
#[derive(Debug, Serialize)]
struct Issue {
    level: &'static str,
    path: String,
    line: usize,
    message: String,
    rule: &'static str,
    /// The file itself, which people want to see and the reference does not tell.
    #[serde(skip)]
    file: String,
}

#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Totals {
    items: usize,
    passed: usize,
    failed: usize,
}

impl Validated {
    fn new(id: &str, kind: ItemKind, findings: Vec<Finding>, strict: bool, started: Instant) -> Self {
        let fails = |finding: &Finding| finding.level == Level::Error || strict && finding.level == Level::Warning;
        Self {
            id: id.to_owned(),
            kind,
            valid: !findings.iter().any(fails),
            issues: findings.into_iter().map(Issue::from).collect(),
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }
}

impl From<Finding> for Issue {
    fn from(finding: Finding) -> Self {
        let level = match finding.level {
            Level::Error => "ERROR",
            Level::Warning => "WARNING",
            Level::Info => "INFO",
        };
        let message = format!("{}; {}", finding.message, finding.fix);
        Self { level, path: finding.anchor, line: finding.line, message, rule: finding.rule, file: finding.path }
    }
}

/// What to validate, before anything of it is read.
enum Work<'a> {
    Change(&'a BString),
    Spec(&'a SpecFile),
}

fn bulk(args: &Args, root: &Root, project: &Project<'_>) -> Result<bool, Failure> {
    let (with_changes, with_specs) = (args.all || args.changes, args.all || args.specs);
    let mut work: Vec<Work<'_>> = Vec::new();
    let changes = if with_changes { Items::of(project)?.changes } else { Vec::new() };
    work.extend(changes.iter().map(Work::Change));
    if with_specs {
        refuse_unreadable_specs(project)?;
        work.extend(project.specs().files.iter().map(|file| Work::Spec(file)));
    }
    let one = |work: &Work<'_>| match work {
        Work::Change(name) => validate_change(project, (*name).as_ref(), args.strict),
        Work::Spec(file) => validate_spec(project, file, args.strict),
    };
    // Starting threads costs more than judging a few items.
    let mut validated: Vec<Validated> = if work.len() < gate::PARALLEL_FROM {
        work.iter().map(one).collect()
    } else {
        work.par_iter().map(one).collect()
    };
    validated.sort_by_cached_key(|item| collate::key(&item.id));
    let mut kinds = Vec::new();
    if with_changes {
        kinds.push(ItemKind::Change);
    }
    if with_specs {
        kinds.push(ItemKind::Spec);
    }
    Ok(print(&validated, &kinds, args.json, root, "No items found to validate.\n"))
}

/// A folder of specs that cannot be listed would hide them.
fn refuse_unreadable_specs(project: &Project<'_>) -> Result<(), Failure> {
    match project.specs().unreadable.first() {
        Some((path, error)) => Err(Failure::new("validate_error", format!("{path}: {error}"))),
        None => Ok(()),
    }
}

fn archived(args: &Args, root: &Root, project: &Project<'_>) -> Result<bool, Failure> {
    let names = project
        .archived_names()
        .map_err(|error| Failure::new("validate_error", format!("openspec/changes/archive: {error}")))?;
    let one = |name: &BString| {
        let started = Instant::now();
        let change = Change::load_archived(project, name.as_ref());
        let item = Item::new(project.root(), ItemKind::Change, &change.id);
        Validated::new(&change.id, ItemKind::Change, gate::archived(&change, &item), false, started)
    };
    let validated: Vec<Validated> = if names.len() < gate::PARALLEL_FROM {
        names.iter().map(one).collect()
    } else {
        names.par_iter().map(one).collect()
    };
    Ok(print(&validated, &[ItemKind::Change], args.json, root, "No archived changes found.\n"))
}

fn single(args: &Args, root: &Root, project: &Project<'_>, name: &str) -> Result<bool, Failure> {
    refuse_unreadable_specs(project)?;
    let kind = Items::of(project)?.resolve(name, items::kind(args.kind.as_deref()))?;
    items::check_name(name, kind)?;
    let validated = match kind {
        ItemKind::Spec => match project.spec(name) {
            Some(file) => validate_spec(project, &file, args.strict),
            None => {
                let started = Instant::now();
                let path = project.path(&format!("specs/{name}/spec.md"));
                let item = Item::new(project.root(), ItemKind::Spec, name);
                Validated::new(name, kind, gate::missing_spec(project, &item, path.as_ref()), args.strict, started)
            }
        },
        ItemKind::Change | ItemKind::Project => validate_change(project, name.into(), args.strict),
    };
    if args.json {
        return Ok(print(&[validated], &[kind], true, root, ""));
    }
    print_single(&validated);
    Ok(validated.valid)
}

fn validate_change(project: &Project<'_>, name: &BStr, strict: bool) -> Validated {
    let started = Instant::now();
    let change = Change::load(project, name);
    let item = Item::new(project.root(), ItemKind::Change, &change.id);
    Validated::new(
        &change.id,
        ItemKind::Change,
        gate::change(project, &change, &item, RuleSet::Reference),
        strict,
        started,
    )
}

fn validate_spec(project: &Project<'_>, file: &SpecFile, strict: bool) -> Validated {
    let started = Instant::now();
    let item = Item::new(project.root(), ItemKind::Spec, &file.id);
    Validated::new(&file.id, ItemKind::Spec, gate::main_spec(project, file, &item, RuleSet::Reference), strict, started)
}

/// Prints the result and tells whether everything is valid.
fn print(items: &[Validated], kinds: &[ItemKind], json: bool, root: &Root, when_empty: &str) -> bool {
    let totals = |kind: Option<ItemKind>| {
        items.iter().filter(|item| kind.is_none_or(|kind| item.kind == kind)).fold(Totals::default(), |sum, item| {
            Totals {
                items: sum.items + 1,
                passed: sum.passed + usize::from(item.valid),
                failed: sum.failed + usize::from(!item.valid),
            }
        })
    };
    let all = totals(None);
    if json {
        #[derive(Serialize)]
        struct Document<'a> {
            items: &'a [Validated],
            summary: Summary,
            version: &'static str,
            root: Value,
        }
        #[derive(Serialize)]
        struct Summary {
            totals: Totals,
            #[serde(rename = "byType")]
            by_type: serde_json::Map<String, Value>,
        }
        let by_kind =
            |kind: &ItemKind| (kind.word().to_owned(), serde_json::to_value(totals(Some(*kind))).unwrap_or_default());
        let summary = Summary { totals: all, by_type: kinds.iter().map(by_kind).collect() };
        print_json(&Document { items, summary, version: "1.0", root: root.to_json() });
        return all.failed == 0;
    }
    if items.is_empty() {
        output::text(when_empty);
        return true;
    }
    let mut text = String::new();
    for item in items {
        text += &format!("{} {}/{}\n", if item.valid { '✓' } else { '✗' }, item.kind.word(), visible(&item.id));
        for issue in &item.issues {
            text += &format!("  {}\n", issue.to_line());
        }
    }
    text += &format!("Totals: {} passed, {} failed ({} items)\n", all.passed, all.failed, all.items);
    output::text(&text);
    all.failed == 0
}

impl Issue {
    fn to_line(&self) -> String {
        let mark = match self.level {
            "ERROR" => '✗',
            "WARNING" => '⚠',
            _ => 'ℹ',
        };
        format!("{mark} [{}] {}:{}: {} ({})", self.level, self.file, self.line, visible(&self.message), self.rule)
    }
}

fn print_single(item: &Validated) {
    let kind = if item.kind == ItemKind::Change { "Change" } else { "Specification" };
    let outcome = if item.valid { "is valid" } else { "has issues" };
    let mut text = format!("{kind} `{}` {outcome}\n", visible(&item.id));
    for issue in &item.issues {
        text += &format!("{}\n", issue.to_line());
    }
    output::text(&text);
}
