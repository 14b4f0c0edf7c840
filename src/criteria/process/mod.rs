//! Starts one program, waits for it no longer than it may take, and leaves nothing of it behind.

mod captured;
pub mod environment;
mod group;
mod reader;
mod resolve;
#[cfg(target_os = "linux")]
mod sweep;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

pub use captured::Captured;
pub use environment::CheckEnvironment;
pub use group::{kill_on_signals, kill_what_runs};

use super::model::CommandLine;
use super::test_counts::TestCounts;
use group::Running;
use reader::Reader;

/// The variable that marks a check's processes, and tells a specward among them that it is inside a check.
pub const MARKER: &str = "SPECWARD_CHECK";

/// How long output is waited for when the program has ended. What is in a pipe is read in far less; only a process that
/// escaped and holds the pipe open makes this pass.
const DRAIN: Duration = Duration::from_secs(2);

/// How long a killed program may take to be gone. A kill is immediate unless the kernel is stuck.
const REAP: Duration = Duration::from_secs(5);

/// The longest pause between two looks at a program that runs.
const PAUSE: Duration = Duration::from_millis(10);

/// What to run.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// A program with its arguments, or a line for `sh -c` (`cmd /C` on Windows).
    pub command: &'a CommandLine,
    /// Where it runs: the root of the judged tree, absolute.
    pub folder: &'a Path,
    /// All variables that it sees.
    pub env: &'a CheckEnvironment,
    /// What it reads. None for nothing at all.
    pub stdin: Option<&'a [u8]>,
    /// After this long it is killed, with everything it started.
    pub timeout: Duration,
    /// Value of [`MARKER`] in its processes. Unique among the programs of this process.
    pub marker: &'a str,
}

/// How a program ended, and what it wrote.
#[derive(Debug, Clone)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// Standard output.
    pub stdout: Captured,
    /// Standard error.
    pub stderr: Captured,
    /// From start to end, without the cleaning up.
    pub duration: Duration,
    /// The file that was run, when one was found.
    pub program: Option<PathBuf>,
    /// What test runners said in its output.
    pub tests: TestCounts,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// With this code.
    Exited(i32),
    /// By this signal, which somebody else sent.
    Signalled(i32),
    /// It took too long and was killed.
    TimedOut,
    /// There is no such program. Says where it was looked for, and what to do.
    NotFound(String),
    /// It is there and does not start. Says why, and what to do.
    NotStarted(String),
    /// specward itself was told to end.
    Interrupted,
}

impl Ended {
    /// One that never ran.
    fn without_running(end: End, program: Option<PathBuf>) -> Self {
        Self {
            end,
            stdout: Captured::default(),
            stderr: Captured::default(),
            duration: Duration::ZERO,
            program,
            tests: TestCounts::default(),
        }
    }
}

/// Runs a program to its end. When this returns, none of its processes is left that could be found and killed.
pub fn run(order: &Order<'_>) -> Ended {
    let (program, arguments) = program_of(order.command);
    let path = match resolve::resolve(&program, order.folder, order.env) {
        Ok(path) => path,
        Err(end) => return Ended::without_running(end, None),
    };
    let command = command(order, &path, &arguments);
    let start = Instant::now();
    let mut running = match Running::start(command, order.marker) {
        Ok(Some(running)) => running,
        Ok(None) => return Ended::without_running(End::Interrupted, Some(path)),
        Err(error) => {
            let why = resolve::why_not_started(&path, &error);
            return Ended::without_running(End::NotStarted(why), Some(path));
        }
    };
    let (finished, events) = mpsc::channel();
    let streams = connect(&mut *running.child, order.stdin, &finished);
    drop(finished);
    let (stdout, stderr) = match streams {
        Ok(streams) => streams,
        Err(error) => {
            running.end();
            let why = format!("its output cannot be read: {error}");
            return Ended::without_running(End::NotStarted(why), Some(path));
        }
    };
    // A time that is further away than a clock can tell never comes.
    let end = wait(&mut running, start.checked_add(order.timeout), &events);
    let duration = start.elapsed();
    running.kill_all();
    let until = Instant::now() + DRAIN;
    while !(stdout.is_finished() && stderr.is_finished()) && Instant::now() < until {
        if events.recv_timeout(PAUSE) == Err(mpsc::RecvTimeoutError::Disconnected) {
            // Both threads are over, if not with a word.
            break;
        }
        // Whoever holds the pipe got away.
        running.kill_all();
    }
    let end = match (end, running.end()) {
        (Waited::Ended, Some(end)) => end,
        (Waited::Ended, None) => End::NotStarted("the system does not say how it ended; run it again".to_owned()),
        (Waited::TimedOut, _) => End::TimedOut,
        (Waited::Interrupted, _) => End::Interrupted,
    };
    let end = if group::is_interrupted() { End::Interrupted } else { end };
    let ((stdout, mut tests), (stderr, others)) = (stdout.take(), stderr.take());
    tests.add(others);
    Ended { end, stdout, stderr, duration, program: Some(path), tests }
}

/// The program and its arguments; a shell for a line.
fn program_of(command: &CommandLine) -> (String, Vec<String>) {
    match command {
        CommandLine::Argv(argv) => match argv.split_first() {
            Some((program, arguments)) => (program.clone(), arguments.to_vec()),
            None => (String::new(), Vec::new()),
        },
        CommandLine::Shell(line) if cfg!(windows) => ("cmd".to_owned(), vec!["/C".to_owned(), line.clone()]),
        CommandLine::Shell(line) => ("sh".to_owned(), vec!["-c".to_owned(), line.clone()]),
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that starts what checks name")]
fn command(order: &Order<'_>, program: &Path, arguments: &[String]) -> CommandWrap {
    let mut command = Command::new(program);
    #[cfg(windows)]
    match order.command {
        // cmd has quoting rules of its own, and the line is written for it.
        CommandLine::Shell(line) => {
            use std::os::windows::process::CommandExt;
            command.arg("/C").raw_arg(line);
        }
        CommandLine::Argv(_) => {
            command.args(arguments);
        }
    }
    #[cfg(not(windows))]
    command.args(arguments);
    command
        .current_dir(order.folder)
        .env_clear()
        .envs(order.env.variables().map(|(name, value)| (name.to_owned(), value.to_owned())))
        .env(MARKER, OsString::from(order.marker))
        .stdin(if order.stdin.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    command
}

/// Readers for what it writes, and a writer for what it reads.
fn connect(
    child: &mut dyn ChildWrapper,
    stdin: Option<&[u8]>,
    finished: &mpsc::Sender<()>,
) -> std::io::Result<(Reader, Reader)> {
    let missing = || std::io::Error::other("no pipe");
    let stdout = Reader::start(child.stdout().take().ok_or_else(missing)?, finished.clone())?;
    let stderr = Reader::start(child.stderr().take().ok_or_else(missing)?, finished.clone())?;
    if let (Some(bytes), Some(pipe)) = (stdin, child.stdin().take()) {
        reader::write(pipe, bytes.to_vec())?;
    }
    Ok((stdout, stderr))
}

/// What ended the waiting.
enum Waited {
    Ended,
    TimedOut,
    Interrupted,
}

fn wait(running: &mut Running, deadline: Option<Instant>, events: &mpsc::Receiver<()>) -> Waited {
    let mut pause = Duration::from_millis(1);
    loop {
        if running.is_leader_gone() {
            return Waited::Ended;
        }
        if group::is_interrupted() {
            return Waited::Interrupted;
        }
        let left = deadline.map_or(PAUSE, |deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Waited::TimedOut;
        }
        match events.recv_timeout(pause.min(left)) {
            // A closed pipe mostly means that the program is about to end.
            Ok(()) => pause = Duration::from_millis(1),
            Err(mpsc::RecvTimeoutError::Timeout) => pause = (pause * 2).min(PAUSE),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                std::thread::sleep(pause.min(left));
                pause = (pause * 2).min(PAUSE);
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
