//! `specward import`: requirements written for Kiro or Spec Kit as a spec or a change, with criteria.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Map;

use super::COULD_NOT_RUN;
use super::failure::Failure;
use super::output;
use super::root::Root;
use super::settings::Settings;
use crate::criteria::folder;
use crate::import::model::Document;
use crate::import::naming::{self, is_capability};
use crate::import::plan::{self, Plan, Target, Unplanned};
use crate::import::write::criteria::Uneditable;
use crate::import::write::sections::Origin;
use crate::import::{self, Kind};
use crate::openspec::metadata::is_kebab_case;
use crate::report::visible;

mod files;
mod judged;
mod print;
mod source;

use files::Place;
use source::Source;

/// Import requirements of Kiro or Spec Kit as a spec or a change, with a criterion for each that has to be filled in
///
/// A second import brings up to date what changed in the source and leaves alone what was edited by hand. Exit code 0
/// done, 1 something was kept as edited by hand or does not validate strictly, 2 could not run and nothing was written.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Kiro's requirements.md or Spec Kit's spec.md
    file: PathBuf,
    /// The tool FILE was written for [default: found out]
    #[arg(long, value_name = "TOOL")]
    from: Option<Kind>,
    /// The capability it becomes [default: from FILE's folder or title]
    #[arg(long, value_name = "NAME")]
    capability: Option<String>,
    /// Write a change with ADDED requirements instead of a main spec
    #[arg(long, value_name = "NAME")]
    change: Option<String>,
    /// Print what would be written as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Overwrite what was edited by hand
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    match import(args, settings) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            failure.print(false, Map::new());
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

/// An import that was worked out.
struct Import<'a> {
    source: &'a Source,
    document: &'a Document,
    target: &'a Target,
    plan: &'a Plan,
    is_dry: bool,
}

fn import(args: &Args, settings: &Settings) -> Result<bool, Failure> {
    let root = Root::find(&settings.cwd)?.found()?;
    let source = Source::read(&settings.cwd.join(&args.file), &args.file, &root.path)?;
    let document = import::read(source.bytes.clone(), &source.path, args.from).map_err(|error| {
        let failure = Failure::new("unreadable_source", format!("{}: {error}", source.shown));
        failure.fix(fix_of(&error))
    })?;
    let target = target(args, &root, &source, &document)?;
    let place = Place::new(&root.path);
    let files = place.read_all(&target.paths())?;
    let plan = plan::plan(&document, &target, &files).map_err(|error| unplanned(&error))?;
    let findings = judged::findings(root.worktree(), &target, &plan)?;
    if !args.dry_run {
        place.write_all(&plan.edits)?;
    }
    let import = Import { source: &source, document: &document, target: &target, plan: &plan, is_dry: args.dry_run };
    output::text(&print::report(&import, &findings));
    Ok(findings.is_empty() && plan.is_settled())
}

fn fix_of(error: &import::detect::NotRead) -> &'static str {
    use import::detect::NotRead;
    match error {
        NotRead::NotUtf8(_) => "save the file as UTF-8",
        NotRead::Nul(_) => "save the file without NUL bytes",
        NotRead::Empty | NotRead::Neither => "name Kiro's requirements.md or Spec Kit's spec.md",
        NotRead::NotOf(_) => "leave --from out, or name another file",
    }
}

/// Where the import goes.
fn target(args: &Args, root: &Root, source: &Source, document: &Document) -> Result<Target, Failure> {
    let capability = match &args.capability {
        Some(name) if is_capability(name) => name.clone(),
        Some(name) => {
            let message = format!("`{name}` cannot be the name of a capability");
            return Err(Failure::new("invalid_item", message).fix("use small letters, digits and hyphens: sign-in"));
        }
        None => naming::capability(&source.path, document).ok_or_else(|| {
            let message = format!("{}: neither its folder nor its title gives the capability a name", source.shown);
            Failure::new("no_capability", message).fix("name it with --capability")
        })?,
    };
    if let Some(change) = args.change.as_ref().filter(|change| !is_kebab_case(change) || *change == "archive") {
        let message = format!("`{change}` cannot be the name of a change");
        return Err(Failure::new("invalid_item", message).fix("use small letters, digits and hyphens: add-sign-in"));
    }
    let project = root.project();
    let criteria = ["yaml", "yml"].map(|end| format!("openspec/{}/{capability}.{end}", folder::FOLDER));
    let criteria_path = criteria.iter().find(|path| root.path.join(path).exists()).unwrap_or(&criteria[0]).clone();
    Ok(Target {
        has_main_spec: matches!(project.target(&capability), Ok(Some(_))),
        origin: Origin { capability, source: source.written.clone() },
        source_path: source.from_root.clone(),
        change: args.change.clone(),
        criteria_path,
        is_forced: args.force,
    })
}

fn unplanned(error: &Unplanned) -> Failure {
    let fix = match error {
        Unplanned::Record { .. } => "restore the file, or delete it: then whatever differs counts as edited by hand",
        Unplanned::OtherSource { .. } => {
            "name another capability with --capability, or use --force when it is the same file under another name"
        }
        Unplanned::Criteria { reason: Uneditable::Refused(_), .. } => "split the source; nothing was written",
        Unplanned::Criteria { .. } => "mend the file; nothing was written",
    };
    Failure::new("unreadable_target", visible(&error.to_string())).fix(fix)
}

/// Files by their paths from the project's folder.
type Files = BTreeMap<String, String>;
