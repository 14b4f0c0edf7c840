//! Hooks in a folder that others use too: looked at, and never written.

use super::GitHook;
use super::call::{Call, call};
use super::locate::Elsewhere;
use super::plain;
use super::plan::{Planned, State};
use crate::agents::problem::Fault;

/// How a hook is there, and what a person has to do.
pub(super) fn planned(place: &Elsewhere, hook: GitHook) -> Result<Planned, Fault> {
    let path = place.folder.join(hook.id());
    let planned = |state| Planned::new(hook, Some(path.clone()), state);
    let state = state(place, hook)?;
    if state == State::Installed {
        let mut planned = planned(state);
        planned.note = Some("calls specward, from outside of this repository".to_owned());
        return Ok(planned);
    }
    Ok(planned(state).kept(advice(place, hook)))
}

fn state(place: &Elsewhere, hook: GitHook) -> Result<State, Fault> {
    let path = place.folder.join(hook.id());
    // `/dev/null` as a folder has nothing in it.
    if !place.folder.is_dir() {
        return Ok(State::Missing);
    }
    let Some((script, is_executable)) = plain::script(&path)? else { return Ok(State::Missing) };
    let text = String::from_utf8_lossy(&script);
    let state = match plain::ours(&path, hook)? {
        Some(state) => state,
        None => match call(&text, hook) {
            Call::None => return Ok(State::Missing),
            Call::Bare if hook == GitHook::PrePush => State::Unfed,
            Call::Bare | Call::Fed => State::Installed,
        },
    };
    Ok(if is_executable { state } else { State::NotExecutable })
}

fn advice(place: &Elsewhere, hook: GitHook) -> String {
    let (folder, own, name) = (place.folder.display(), place.own.display(), hook.id());
    let by_hand = format!("or copy hooks/{name} of specward there yourself, and make it executable");
    if place.is_configured {
        return format!(
            "core.hooksPath is {folder}, outside of this repository, and what is there runs in others too; give this \
             repository its own (`git config --unset core.hooksPath`, or, where it is set for all repositories, `git \
             config core.hooksPath \"{own}\"`), {by_hand}"
        );
    }
    format!(
        "{folder} is a link that leads outside of this repository, and what is there runs in others too; put a folder \
         in its place, {by_hand}"
    )
}
