//! The processes of programs that run, as groups that can be killed at once.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::{End, PAUSE, REAP};

/// Markers of programs that run, by the number of their group.
pub(super) type Registry = BTreeMap<u32, String>;

static REGISTRY: Mutex<Registry> = Mutex::new(BTreeMap::new());

/// Set when specward was told to end: nothing is started any more.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub(super) fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether specward was told to end.
pub(super) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A program that runs. Its number is not given to another process as long as this lives, because nobody else waits
/// for it.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) child: Box<dyn ChildWrapper>,
    is_over: bool,
}

impl Running {
    /// Starts a program in a group of its own. None when specward was told to end.
    pub(super) fn start(mut command: CommandWrap, marker: &str) -> io::Result<Option<Self>> {
        #[cfg(target_os = "linux")]
        super::sweep::adopt_orphans();
        // Held over the start: whoever kills what runs sees this program, or this program never starts.
        let mut registry = registry();
        if is_interrupted() {
            return Ok(None);
        }
        let child = command.spawn()?;
        registry.insert(child.id(), marker.to_owned());
        Ok(Some(Self { child, is_over: false }))
    }

    /// Whether the program itself has ended. It is not waited for yet, so that its number stays taken.
    #[cfg(unix)]
    pub(super) fn is_leader_gone(&mut self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(pid) = pid(self.child.id()) else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(pid), options) {
            Ok(status) => status.is_some(),
            Err(error) => error != rustix::io::Errno::INTR,
        }
    }

    /// Whether the program itself has ended.
    #[cfg(not(unix))]
    pub(super) fn is_leader_gone(&mut self) -> bool {
        !matches!(self.child.inner_mut().try_wait(), Ok(None))
    }

    /// Kills everything the program started, and it.
    pub(super) fn kill_all(&mut self) {
        // What is gone already cannot be killed.
        self.child.start_kill().ok();
        self.child.inner_mut().start_kill().ok();
        #[cfg(target_os = "linux")]
        super::sweep::sweep(self.child.id());
    }

    /// Kills what is left and says how the program ended.
    pub(super) fn end(mut self) -> Option<End> {
        self.finish()
    }

    fn finish(&mut self) -> Option<End> {
        if std::mem::replace(&mut self.is_over, true) {
            return None;
        }
        self.child.start_kill().ok();
        let until = Instant::now() + REAP;
        while !self.is_leader_gone() && Instant::now() < until {
            std::thread::sleep(PAUSE);
        }
        let mut registry = registry();
        let status = self.child.inner_mut().try_wait().ok().flatten();
        registry.remove(&self.child.id());
        status.and_then(end_of)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(unix)]
fn end_of(status: std::process::ExitStatus) -> Option<End> {
    use std::os::unix::process::ExitStatusExt;
    status.code().map(End::Exited).or_else(|| status.signal().map(End::Signalled))
}

#[cfg(not(unix))]
fn end_of(status: std::process::ExitStatus) -> Option<End> {
    status.code().map(End::Exited)
}

/// The number of a process, when it can be one.
#[cfg(unix)]
pub(super) fn pid(id: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(id).ok()?)
}

/// From now on a signal to end kills what runs, and ends specward with 128 and the signal's number. Without an effect
/// when it was called before, and where there are no signals.
pub fn kill_on_signals() {
    #[cfg(unix)]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        // Without this the groups outlive us when we are told to end, and nothing else is different.
        ONCE.call_once(|| listen().unwrap_or_default());
    }
}

/// Kills all programs that run, with what they started. None is started afterwards: this process is about to end.
pub fn kill_what_runs() {
    INTERRUPTED.store(true, Ordering::SeqCst);
    // Never let go of: nothing may start between this and the end.
    let registry = std::mem::ManuallyDrop::new(registry());
    #[cfg(unix)]
    for group in registry.keys() {
        if let Some(pid) = pid(*group) {
            rustix::process::kill_process_group(pid, rustix::process::Signal::KILL).ok();
        }
    }
    #[cfg(target_os = "linux")]
    super::sweep::sweep_all(&registry);
    #[cfg(not(unix))]
    let _ = registry.len();
}

#[cfg(unix)]
fn listen() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            kill_what_runs();
            signal_hook::low_level::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// Signals that whoever started us wants ignored (`nohup`), as a bit for each: they stay ignored.
#[cfg(unix)]
pub(super) fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
