//! `specward ci`: the gate as a CI runner needs it, with what its system shows to people and hands to later steps.

mod github;
mod place;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::COULD_NOT_RUN;
use super::formats::{self, Format, Formats, Target};
use super::output;
use super::settings::Settings;
use super::verify::{self, Judging};
use crate::gate::RunError;
use crate::repo::ci;
use crate::repo::open::Repository;
use crate::repo::scope::{Request, RequestKind};
use crate::repo::subject;
use crate::report::{Report, Verdict, visible};
use crate::rules::Freeze;
use place::{Place, cut};

/// Judge what a CI run is for, and tell it in the CI's own ways
///
/// That is `verify --changed --frozen-spec=explained` unless said otherwise, from the base that the event names. On GitHub
/// the report is printed in a group, with annotations behind it, and the summary and the outputs of the step are written.
/// Exit code 0 PASS, 1 FAIL, 2 could not run, 3 UNVERIFIABLE.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    /// Commit to compare from; its merge base with head is used [default: SPECWARD_BASE, what the CI says, or the default
    /// branch]
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Commit to judge [default: the work tree with index and untracked files]
    #[arg(long, value_name = "REV")]
    head: Option<String>,
    #[command(flatten)]
    judging: Judging,
    /// Let edits of the spec pass, unless base's specward.yaml says otherwise
    #[arg(long, conflicts_with = "frozen_spec")]
    no_frozen_spec: bool,
    /// Let edits of the frozen spec pass when the pull request has a label of this name; GitHub only
    #[arg(long, value_name = "NAME")]
    override_label: Option<String>,
    /// Write the report for a coding agent to FILE unless the verdict is PASS
    #[arg(long, value_name = "FILE")]
    handoff: Option<PathBuf>,
    /// Write the report as the text of a comment to FILE
    #[arg(long, value_name = "FILE")]
    comment: Option<PathBuf>,
    #[command(flatten)]
    formats: Formats,
}

/// The first line of a comment of ours, by which it is found again.
const MARKER: &str = "<!-- specward -->\n";

/// How the note begins that says why edits did not fail.
const ALLOWED: &str = "edits of the spec are allowed by the label";

/// Most bytes of a comment on GitHub.
const MAX_COMMENT: usize = 65_536;

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let mut settings = settings.clone();
    // Whoever calls this has a run in mind that has something to compare, whether or not the system says so.
    settings.env = settings.env.with("CI", "true");
    let targets = match args.formats.targets() {
        // A log without a word of what was found helps nobody.
        Ok(targets) if targets.iter().all(|target| target.file().is_some()) => {
            targets.into_iter().chain(Formats::of(Format::Human).targets().unwrap_or_default()).collect()
        }
        Ok(targets) => targets,
        Err(message) => return could_not_start(&message, "run `specward ci --help`", true),
    };
    let (report, exit_code) = match catch_unwind(AssertUnwindSafe(|| args.judge(&settings))) {
        Ok(Ok(judged)) => judged,
        Ok(Err(Problem { message, fix })) => {
            verify::tell(&message, &fix);
            (verify::stopped(&message, &fix), COULD_NOT_RUN)
        }
        Err(_) => {
            let (message, fix) = ("specward crashed", "report it to the specward project, with the lines above");
            verify::tell(message, fix);
            (verify::stopped(message, fix), COULD_NOT_RUN)
        }
    };
    ExitCode::from(args.deliver(&report, exit_code, &targets, &settings))
}

/// Tells the CI of a run that could not even begin: wrong arguments, a folder that is gone. `is_new` when nobody has been
/// told on standard error yet.
pub fn could_not_start(message: &str, fix: &str, is_new: bool) -> ExitCode {
    if is_new {
        verify::tell(message, fix);
    }
    let report = verify::stopped(message, fix);
    let (Ok(settings), Ok(targets)) = (Settings::from_process(), Formats::of(Format::Human).targets()) else {
        return ExitCode::from(COULD_NOT_RUN);
    };
    ExitCode::from(Args::default().deliver(&report, COULD_NOT_RUN, &targets, &settings))
}

/// Why a run could not happen.
struct Problem {
    message: String,
    fix: String,
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        Self { message: error.to_string(), fix: error.fix() }
    }
}

impl Args {
    /// The report and the exit code.
    fn judge(&self, settings: &Settings) -> Result<(Report, u8), Problem> {
        let env = &settings.env;
        let mut judging = self.judging.clone();
        if !self.no_frozen_spec {
            judging.frozen_spec.get_or_insert(Some(Freeze::Explained));
        }
        let mut request =
            Request { kind: RequestKind::Changed, base: self.base.clone(), head: self.head.clone(), known: None };
        let mut notes = Vec::new();
        let is_named = self.base.is_some() || self.head.is_some() || env.get("SPECWARD_BASE").is_some();
        // What cannot be opened is told by the gate.
        let whole_tree = || subject::whole_tree(&Repository::open(&settings.cwd, env).ok()?, env);
        if !is_named && let Some(note) = whole_tree() {
            (request.kind, judging.frozen_spec) = (RequestKind::Tree, None);
            notes.push(note);
        }
        if let Some(label) = &self.override_label {
            let has_it = ci::has_label(env, label).map_err(|message| Problem {
                message,
                fix: "run it where the event file is whole, or without `--override-label`".to_owned(),
            })?;
            if has_it {
                judging.frozen_spec = Some(Some(Freeze::Off));
                notes.push(format!("{ALLOWED} `{label}`"));
            }
        }
        Ok(judging.judge(request, Vec::new(), settings, &notes)?)
    }

    /// Writes everything that was asked for and that the system reads, whatever of it cannot be written; the exit code, which
    /// is another one when something could not.
    fn deliver(&self, report: &Report, exit_code: u8, targets: &[Target], settings: &Settings) -> u8 {
        let place = Place::of(&settings.env);
        let render = |format, styled| formats::render(report, exit_code, format, styled);
        let (printed, files): (Vec<Target>, Vec<Target>) =
            targets.iter().cloned().partition(|target| target.file().is_none());
        let mut code = formats::delivered(&files, render).unwrap_or(exit_code);
        // What could not run was told on standard error already.
        let shown = printed.iter().find(|target| exit_code != COULD_NOT_RUN || !target.is_for_the_terminal());
        let text = shown.map(|target| render(target.format(), target.is_for_the_terminal() && !place.is_github()));
        let is_annotated = printed.iter().any(|target| target.format() == Format::Github);
        let annotations = (!is_annotated).then(|| render(Format::Github, false));
        let markdown = markdown(report, &render(Format::Markdown, false));
        let mut faults = Vec::new();
        faults.extend(place.print(text.as_deref(), annotations.as_deref()).err());
        let mut write = |path: &Path, text: &str| match output::file(path, text) {
            Ok(()) => Some(path.to_owned()),
            Err(error) => {
                faults.push(format!("{}: {error}", path.display()));
                None
            }
        };
        let named = |format| files.iter().find(|target| target.format() == format).and_then(Target::file);
        let json = match named(Format::Json) {
            Some(path) => Some(path.to_owned()),
            None => place.report_file(&report.run_id).and_then(|path| write(&path, &render(Format::Json, false))),
        };
        let is_passed = report.verdict == Verdict::Pass && exit_code == 0;
        let handoff = self.handoff.as_ref().filter(|_| !is_passed);
        let handoff = handoff.and_then(|path| write(path, &render(Format::Agent, false)));
        if let Some(path) = &self.comment {
            let text = cut(&markdown, MAX_COMMENT - MARKER.len());
            write(path, &format!("{MARKER}{text}"));
        }
        faults.extend(place.summarise(&markdown).err());
        code = if faults.is_empty() && !output::is_lost() { code } else { COULD_NOT_RUN };
        let verdict = if code == COULD_NOT_RUN { Verdict::Unverifiable } else { report.verdict };
        let shown =
            |path: Option<PathBuf>| path.map(|path| settings.cwd.join(path).display().to_string()).unwrap_or_default();
        let outputs = [
            ("verdict", verdict.word().to_owned()),
            ("exit-code", code.to_string()),
            ("report", shown(json)),
            ("sarif", shown(named(Format::Sarif).map(Path::to_owned))),
            ("handoff", shown(handoff)),
        ];
        if let Err(fault) = place.set_outputs(&outputs) {
            faults.push(fault);
            code = COULD_NOT_RUN;
        }
        for fault in &faults {
            output::stderr(&format!("error: {}\n", visible(fault)));
        }
        code
    }
}

/// The Markdown report. Above it stands that edits were allowed, which nobody shall have to look for.
fn markdown(report: &Report, text: &str) -> String {
    match report.notes.iter().find(|note| note.starts_with(ALLOWED)) {
        Some(note) => format!("{}\n\n{text}", visible(note)),
        None => text.to_owned(),
    }
}
