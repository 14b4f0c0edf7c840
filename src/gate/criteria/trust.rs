//! Whether programs of head may be started here.

use crate::gate::verify::Task;
use crate::repo::ci;
use crate::report::Reason;

/// Why no program is started. The programs that checks start are head's or run head's code, whoever wrote the checks: in
/// a CI run that has secrets and rights which those who wrote head must not get, none is.
///
/// In a session of an agent nothing is asked: what an agent may run is not for us to say, and its variables are its own.
pub(super) fn refusal(task: &Task) -> Option<Reason> {
    let event = ci::privileged_event(&task.env).filter(|_| task.session.is_none())?;
    Some(Reason {
        message: format!("nothing of head is run for the event `{event}`, which has secrets of the base repository"),
        fix: "pass `--no-checks` here, and run the checks for the event `pull_request`".to_owned(),
    })
}
