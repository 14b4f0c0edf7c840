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

/// Between two looks: a killed process takes a moment to be gone.
const PAUSE: Duration = Duration::from_micros(200);

/// Makes orphans of programs our children, so that they can be found even without their marker.
pub(super) fn adopt_orphans() {
    static ONCE: Once = Once::new();
    // An old kernel has no such thing; then the marker alone has to do.
    ONCE.call_once(|| rustix::process::set_child_subreaper(Some(getpid())).unwrap_or_default());
}

/// Kills what a program left behind, until nothing is left.
pub(super) fn sweep(leader: u32) {
    until_none(|innocent| {
        let registry = registry();
        // An orphan without a marker can be anybody's as long as others run. The last one cleans up.
        let is_alone = registry.keys().all(|group| *group == leader);
        let ours = registry.get(&leader).map(|marker| (leader, marker.as_str()));
        round(&registry, &ours.into_iter().collect(), is_alone, innocent)
    });
}

/// Kills what all programs left behind, with the registry in hand.
pub(super) fn sweep_all(registry: &Registry) {
    let all = registry.iter().map(|(leader, marker)| (*leader, marker.as_str())).collect();
    until_none(|innocent| round(registry, &all, true, innocent));
}

/// Looks again and again, at first only at what is new: a process that starts its successor and ends is overtaken only
/// by one who is faster. Nothing is left when nothing is found among all.
fn until_none(mut round: impl FnMut(&mut BTreeSet<u32>) -> usize) {
    let until = Instant::now() + PATIENCE;
    let mut innocent = BTreeSet::new();
    while Instant::now() < until {
        let looks_at_all = innocent.is_empty();
        if round(&mut innocent) > 0 {
            std::thread::sleep(PAUSE);
        } else if looks_at_all {
            return;
        } else {
            innocent.clear();
        }
    }
}

/// What the system says about a process.
struct Process {
    pid: u32,
    parent: u32,
    group: u32,
    is_dead: bool,
}

/// Kills every process of these programs once, but for the innocent ones, which it adds to. Returns how many there were.
fn round(registry: &Registry, ours: &BTreeMap<u32, &str>, is_alone: bool, innocent: &mut BTreeSet<u32>) -> usize {
    let own = id(getpid());
    let own_group = id(getpgrp());
    let mut doomed = BTreeSet::new();
    let mut others = Vec::new();
    let mut count = 0;
    for process in processes(innocent) {
        if process.pid == own || registry.contains_key(&process.pid) && !ours.contains_key(&process.pid) {
            continue;
        }
        // Adopted: everything that we start ourselves is in our own group or is a leader.
        let is_orphan = process.parent == own && process.group != own_group && !registry.contains_key(&process.pid);
        if process.is_dead {
            if let Some(pid) = pid(process.pid).filter(|_| is_orphan) {
                waitpid(Some(pid), WaitOptions::NOHANG).ok();
                // Dead, but it may have started another just before.
                count += 1;
            }
            continue;
        }
        let is_ours = match marker_of(process.pid) {
            Some(marker) => ours.values().any(|our| our.as_bytes() == marker),
            None => is_orphan && is_alone && !registry.contains_key(&process.group),
        };
        if is_ours || ours.contains_key(&process.group) {
            count += usize::from(kill(process.pid));
            doomed.insert(process.pid);
        } else {
            others.push(process);
        }
    }
    // Whoever a doomed process started goes with it, whatever its environment says.
    while let Some(at) = others.iter().position(|process| doomed.contains(&process.parent)) {
        let child = others.swap_remove(at);
        count += usize::from(kill(child.pid));
        doomed.insert(child.pid);
    }
    innocent.extend(others.iter().map(|process| process.pid));
    count
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

/// Every process but the innocent ones, one after the other: what is found late is looked at fresh.
fn processes(innocent: &BTreeSet<u32>) -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|id| !innocent.contains(id)).filter_map(process)
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
