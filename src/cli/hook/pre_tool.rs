//! Before a tool runs.

use std::cell::OnceCell;

use bstr::{BStr, ByteSlice};

use super::Call;
use crate::hook::answer::{self, Answer};
use crate::hook::guard::{self, Known};
use crate::hook::{place, targets};
use crate::repo::open::common_dir_of;
use crate::report::visible;
use crate::session::SessionFolder;

/// A denial, or nothing. What is not understood is let through, unless it is too much to be read: when the turn ends, files
/// are looked at.
pub(super) fn answer(call: &Call) -> Answer {
    let top = place::top(&call.cwd);
    if let Some(problem) = &call.payload.problem {
        // Nobody writes such a document in good faith.
        if call.payload.is_excessive
            && let Some(reason) = guard::refusal_unread(problem, &call.cwd)
        {
            return answer::deny(call.agent, &call.payload, &reason);
        }
        let is_ours = top.as_deref().is_some_and(|top| place::has_project(top, &call.cwd));
        let told = format!("specward: standard input was not understood, nothing was checked: {}\n", visible(problem));
        return Answer { stderr: if is_ours { told } else { String::new() }, ..Answer::default() };
    }
    let from = targets::From { cwd: &call.cwd, top: top.as_deref() };
    let touched = targets::of(&call.payload, from);
    let record = OnceCell::new();
    let recorded = || {
        let (session, common) = call.payload.session.as_deref().zip(common_dir_of(top.as_deref()?))?;
        SessionFolder::of(&common, session).record().ok().flatten()
    };
    // Without a record of the session, what is there now counts as what was there.
    let was_there = |path: &BStr| match record.get_or_init(recorded) {
        Some(record) => record.had(path),
        None => top.as_deref().is_none_or(|top| top.join(path.to_path_lossy()).symlink_metadata().is_ok()),
    };
    let is_old = |rev: Option<&str>| {
        let began = || record.get_or_init(recorded).as_ref().and_then(|record| record.head.clone());
        guard::is_usual_base(rev)
            || rev.is_some_and(|rev| rev.len() >= 7 && began().is_some_and(|head| head.starts_with(rev)))
    };
    let known = Known { was_there: &was_there, is_old: &is_old };
    match guard::refusal(&touched, &call.cwd, &known) {
        Some(reason) => answer::deny(call.agent, &call.payload, &reason),
        None => answer::silent(),
    }
}
