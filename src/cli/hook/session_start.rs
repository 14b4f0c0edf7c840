//! When a session begins.

use std::path::Path;

use super::{Call, Settings, task};
use crate::hook::answer::{self, Answer};
use crate::hook::{place, start};
use crate::repo::open::common_dir_of;
use crate::session::SessionFolder;

/// Nothing, or what the user has to know. Each folder that the client has open is written down.
pub(super) fn answer(call: &Call, settings: &Settings) -> Answer {
    let mut faults: Vec<String> = Vec::new();
    for folder in std::iter::once(&call.cwd).chain(&call.payload.folders) {
        faults.extend(record(call, settings, folder).err());
    }
    faults.dedup();
    if faults.is_empty() {
        return answer::silent();
    }
    let message =
        format!("specward could not write down how the specs are, so it cannot tell later: {}", faults.join("; "));
    answer::tell(call.agent, &call.payload, &message)
}

/// Without a name of the session, or without a repository, there is no place to write anything down.
fn record(call: &Call, settings: &Settings, cwd: &Path) -> Result<(), String> {
    let Some(top) = place::top(cwd) else { return Ok(()) };
    let Some((session, common)) = call.payload.session.as_deref().zip(common_dir_of(&top)) else { return Ok(()) };
    let folder = SessionFolder::of(&common, session);
    let is_late = matches!(call.payload.source.as_deref(), Some("resume" | "compact"));
    start::begin(&task(settings, cwd), &folder, session, call.agent, is_late).map_err(|error| error.to_string())
}
