//! `specward ci`: the gate as a CI runner needs it, with what its system shows to people and hands to later steps.

mod github;
mod place;

use std::ffi::OsString;
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
use crate::report::{Reason, Report, Verdict, visible};
use crate::rules::Freeze;
use place::{Place, cut};

/// Judge what a CI run is for, and tell it in the CI's own ways
///
/// That is `verify --changed --frozen-spec=explained` unless base's specward.yaml or an option says otherwise, from the base
/// that the event names. On GitHub
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

/// Most bytes of a comment. GitHub takes 65,536, in which there has to be room for whose it is.
const MAX_COMMENT: usize = 65_000;

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
    // A comment that says how it was before would be believed.
    let args = Args { comment: comment_file(std::env::args_os()), ..Args::default() };
    ExitCode::from(args.deliver(&report, COULD_NOT_RUN, &targets, &settings))
}

/// The file for the comment, of a command line that cannot be used as a whole.
fn comment_file(words: impl IntoIterator<Item = OsString>) -> Option<PathBuf> {
    let mut words = words.into_iter().filter_map(|word| word.into_string().ok());
    while let Some(word) = words.next() {
        match word.strip_prefix("--comment") {
            Some("") => return words.next().map(PathBuf::from),
            Some(rest) if rest.starts_with('=') && rest.len() > 1 => return Some(PathBuf::from(&rest[1..])),
            _ => {}
        }
    }
    None
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
            judging.is_last = judging.frozen_spec.is_none();
            judging.frozen_spec.get_or_insert(None);
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
            if label.trim().is_empty() {
                return Err(Problem {
                    message: "the label of `--override-label` (input `override-label`) has no name".to_owned(),
                    fix: "name a label, or leave it out".to_owned(),
                });
            }
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
        let (printed, files): (Vec<Target>, Vec<Target>) =
            targets.iter().cloned().partition(|target| target.file().is_none());
        let mut judged = Judged { report: report.clone(), exit_code };
        let mut written = self.write(&judged, &files, &place);
        if !written.faults.is_empty() {
            // Nobody shall read a verdict in one place that another place does not have.
            judged.is_not_all_written(&written.faults);
            let faults = std::mem::take(&mut written.faults);
            written = self.write(&judged, &files, &place);
            written.faults = faults;
        }
        // What could not run was told on standard error already.
        let shown = printed.iter().find(|target| exit_code != COULD_NOT_RUN || !target.is_for_the_terminal());
        let text =
            shown.map(|target| judged.render(target.format(), target.is_for_the_terminal() && !place.is_github()));
        let is_annotated = printed.iter().any(|target| target.format() == Format::Github);
        let annotations = (!is_annotated).then(|| judged.render(Format::Github, false));
        let mut faults = written.faults;
        faults.extend(place.print(text.as_deref(), annotations.as_deref()).err());
        faults.extend(place.summarise(&judged.markdown()).err());
        let mut code = if faults.is_empty() && !output::is_lost() { judged.exit_code } else { COULD_NOT_RUN };
        let verdict = judged.report.verdict;
        let verdict = if code == COULD_NOT_RUN { verdict.worst(Verdict::Unverifiable) } else { verdict };
        let shown =
            |path: Option<PathBuf>| path.map(|path| settings.cwd.join(path).display().to_string()).unwrap_or_default();
        let outputs = [
            ("verdict", verdict.word().to_owned()),
            ("exit-code", code.to_string()),
            ("report", shown(written.json)),
            ("sarif", shown(written.sarif)),
            ("handoff", shown(written.handoff)),
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

    /// Writes the files that were asked for, and the one that later steps read.
    fn write(&self, judged: &Judged, files: &[Target], place: &Place) -> Written {
        let mut written = Written::default();
        for target in files {
            let path = target.file().and_then(|path| written.file(path, &judged.render(target.format(), false)));
            match target.format() {
                Format::Json => written.json = written.json.take().or(path),
                Format::Sarif => written.sarif = written.sarif.take().or(path),
                _ => {}
            }
        }
        if !files.iter().any(|target| target.format() == Format::Json)
            && let Some(path) = place.report_file(&judged.report.run_id)
        {
            written.json = written.file(&path, &judged.render(Format::Json, false));
        }
        if let Some(path) = self.handoff.as_ref().filter(|_| !judged.is_passed()) {
            written.handoff = written.file(path, &judged.render(Format::Agent, false));
        }
        if let Some(path) = &self.comment {
            let text = judged.markdown();
            let text = cut(&text, MAX_COMMENT - MARKER.len());
            written.file(path, &format!("{MARKER}{text}"));
        }
        written
    }
}

/// A report with the exit code that goes with it.
struct Judged {
    report: Report,
    exit_code: u8,
}

impl Judged {
    fn is_passed(&self) -> bool {
        self.report.verdict == Verdict::Pass && self.exit_code == 0
    }

    fn render(&self, format: Format, styled: bool) -> String {
        formats::render(&self.report, self.exit_code, format, styled)
    }

    fn markdown(&self) -> String {
        markdown(&self.report, &self.render(Format::Markdown, false))
    }

    /// Puts what could not be written among the reasons: the run did not do what was asked.
    fn is_not_all_written(&mut self, faults: &[String]) {
        let fix = "name a file in a folder that is there and may be written to";
        let reason = |fault: &String| Reason { message: format!("not written: {fault}"), fix: fix.to_owned() };
        self.report.reasons.extend(faults.iter().map(reason));
        self.report.verdict = self.report.verdict.worst(Verdict::Unverifiable);
        self.exit_code = COULD_NOT_RUN;
    }
}

/// Files that were written, and why others were not.
#[derive(Default)]
struct Written {
    json: Option<PathBuf>,
    sarif: Option<PathBuf>,
    handoff: Option<PathBuf>,
    faults: Vec<String>,
}

impl Written {
    /// Writes a file: its path, when that worked.
    fn file(&mut self, path: &Path, text: &str) -> Option<PathBuf> {
        match output::file(path, text) {
            Ok(()) => Some(path.to_owned()),
            Err(error) => {
                self.faults.push(format!("{}: {error}", path.display()));
                None
            }
        }
    }
}

/// The Markdown report. Above it stands that edits were allowed, which nobody shall have to look for.
fn markdown(report: &Report, text: &str) -> String {
    match report.notes.iter().find(|note| note.starts_with(ALLOWED)) {
        Some(note) => format!("{}\n\n{text}", visible(note)),
        None => text.to_owned(),
    }
}
