//! Finds processes that left their group (`setsid`, a double fork) and kills them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Once;
use std::time::{Duration, Instant};

use bstr::ByteSlice;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpgrp, getpid, kill_process, pidfd_open, pidfd_send_signal, waitpid,
};

use super::MARKER;
use super::group::{Registry, pid, registry};

/// How long processes are looked for that come back as fast as they are killed.
const PATIENCE: Duration = Duration::from_secs(3);

/// Makes orphans of programs our children, so that they can be found even without their marker.
pub(super) fn adopt_orphans() {
    static ONCE: Once = Once::new();
    // An old kernel has no such thing; then the marker alone has to do.
    ONCE.call_once(|| rustix::process::set_child_subreaper(Some(getpid())).unwrap_or_default());
}

/// Kills what a program left behind, until nothing is left.
pub(super) fn sweep(leader: u32, marker: &str) {
    until_none(|| {
        let registry = registry();
        // An orphan without a marker can be anybody's as long as others run. The last one cleans up.
        let is_alone = registry.keys().all(|group| *group == leader);
        round(&registry, &BTreeMap::from([(leader, marker)]), is_alone)
    });
}

/// Kills what all programs left behind, with the registry in hand.
pub(super) fn sweep_all(registry: &Registry) {
    let all = registry.iter().map(|(leader, marker)| (*leader, marker.as_str())).collect();
    until_none(|| round(registry, &all, true));
}

fn until_none(mut round: impl FnMut() -> usize) {
    let until = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    while round() > 0 && Instant::now() < until {
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// What the system says about a process.
struct Process {
    pid: u32,
    parent: u32,
    group: u32,
    is_dead: bool,
}

/// Kills every process of these programs once. Returns how many were alive.
fn round(registry: &Registry, ours: &BTreeMap<u32, &str>, is_alone: bool) -> usize {
    let own = id(getpid());
    let own_group = id(getpgrp());
    let processes = processes();
    let mut doomed = BTreeSet::new();
    for process in &processes {
        if process.pid == own || registry.contains_key(&process.pid) && !ours.contains_key(&process.pid) {
            continue;
        }
        // Adopted: everything that we start ourselves is in our own group or is a leader.
        let is_orphan = process.parent == own && process.group != own_group && !registry.contains_key(&process.pid);
        if process.is_dead {
            if let Some(pid) = pid(process.pid).filter(|_| is_orphan) {
                waitpid(Some(pid), WaitOptions::NOHANG).ok();
            }
            continue;
        }
        let is_ours = match marker_of(process.pid) {
            Some(marker) => ours.values().any(|our| our.as_bytes() == marker),
            None => is_orphan && is_alone && !registry.contains_key(&process.group),
        };
        if is_ours || ours.contains_key(&process.group) {
            doomed.insert(process.pid);
        }
    }
    // Whoever a doomed process started goes with it, whatever its environment says.
    while let Some(child) = processes.iter().find(|process| {
        !process.is_dead && doomed.contains(&process.parent) && !doomed.contains(&process.pid) && process.pid != own
    }) {
        doomed.insert(child.pid);
    }
    doomed.into_iter().filter(|process| kill(*process)).count()
}

fn id(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().unsigned_abs()
}

/// Kills a process. False when there is none, or when it is not ours to kill.
fn kill(process: u32) -> bool {
    let Some(pid) = pid(process) else { return false };
    match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(handle) => pidfd_send_signal(handle, Signal::KILL).is_ok(),
        Err(rustix::io::Errno::SRCH) => false,
        Err(_) => kill_process(pid, Signal::KILL).is_ok(),
    }
}

fn processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter_map(process).collect()
}

/// `<pid> (<name, which can say anything>) <state> <parent> <group> …`
fn process(pid: u32) -> Option<Process> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once_str(") ")?;
    let mut words = rest.to_str().ok()?.split(' ');
    let is_dead = matches!(words.next()?, "Z" | "X" | "x");
    Some(Process { pid, parent: words.next()?.parse().ok()?, group: words.next()?.parse().ok()?, is_dead })
}

/// The marker in a process's environment.
fn marker_of(pid: u32) -> Option<Vec<u8>> {
    let environ = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut variables = environ.split(|byte| *byte == 0);
    variables.find_map(|variable| Some(variable.strip_prefix(MARKER.as_bytes())?.strip_prefix(b"=")?.to_vec()))
}
