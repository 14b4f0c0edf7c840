//! Shows how far a long run is, on a terminal, once it has taken half a second.

use std::io::IsTerminal;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::output;
use crate::gate::Progress;

const PATIENCE: Duration = Duration::from_millis(500);
const INTERVAL: Duration = Duration::from_millis(100);
const WIDTH: usize = 30;

/// Characters of a running command: the line has to fit into a narrow terminal.
const MAX_SHOWN: usize = 50;

/// Runs `work` while its progress is shown.
pub fn watched<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            let mut wait = PATIENCE;
            let mut is_shown = false;
            // The sender is dropped when the work is over, which ends the wait at once.
            while let Err(mpsc::RecvTimeoutError::Timeout) = is_done.recv_timeout(wait) {
                output::stderr(&bar(progress));
                (wait, is_shown) = (INTERVAL, true);
            }
            if is_shown {
                output::stderr("\r\u{1b}[2K");
            }
        });
        let result = work();
        drop(done);
        result
    })
}

fn bar(progress: &Progress) -> String {
    if let Some(line) = running(progress) {
        return format!("\r\u{1b}[2K{line}");
    }
    let (done, total) = (progress.done.load(Ordering::Relaxed), progress.total.load(Ordering::Relaxed));
    if total == 0 {
        return "\r\u{1b}[2Kreading".to_owned();
    }
    let filled = WIDTH * done / total;
    format!("\r\u{1b}[2Kjudging [{}{}] {done}/{total}", "=".repeat(filled), " ".repeat(WIDTH - filled))
}

/// The check that has run longest, and how long.
fn running(progress: &Progress) -> Option<String> {
    let running = progress.running.lock().unwrap_or_else(PoisonError::into_inner);
    let (what, since) = running.first()?;
    let more = running.len() - 1;
    let others = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (done, total) = (progress.checks_done.load(Ordering::Relaxed), progress.checks_total.load(Ordering::Relaxed));
    let what: String = what.chars().take(MAX_SHOWN).collect();
    Some(format!("checking [{done}/{total}] {what}{others} ({} s)", since.elapsed().as_secs()))
}
