//! When a session begins.

use super::{Call, Settings, task};
use crate::hook::answer::{self, Answer};
use crate::hook::{place, start};
use crate::repo::open::common_dir_of;
use crate::session::SessionFolder;

/// Nothing, or what the user has to know. Without a name of the session, or without a repository, there is no place to
/// write anything down.
pub(super) fn answer(call: &Call, settings: &Settings) -> Answer {
    let Some(top) = place::top(&call.cwd) else { return answer::silent() };
    let Some((session, common)) = call.payload.session.as_deref().zip(common_dir_of(&top)) else {
        return answer::silent();
    };
    let folder = SessionFolder::of(&common, session);
    match start::begin(&task(settings, &call.cwd), &folder, session, call.agent) {
        Ok(()) => answer::silent(),
        Err(error) => {
            let message = format!("specward could not write down how the specs are, so it cannot tell later: {error}");
            answer::tell(call.agent, &call.payload, &message)
        }
    }
}
