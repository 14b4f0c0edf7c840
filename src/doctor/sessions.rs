//! Sessions of agents in this work tree: records that were damaged, and sessions that were let go.

use std::path::Path;

use super::check::{Check, Level};
use super::surroundings::Surroundings;
use crate::repo::open::common_dir_of;
use crate::session::{RecordError, SessionFolder, sessions_folder};

/// Sessions that were let go and are named. Of more only the number is told.
const NAMED: usize = 10;

/// What is remembered of sessions.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let Some(common) = common_dir_of(around.top()) else { return Vec::new() };
    let mut sessions = SessionFolder::all(&common);
    sessions.sort_by(|one, other| one.path().cmp(other.path()));
    let found = sessions.iter().filter_map(|session| check(around, session));
    // A problem is never left out.
    let (mut checks, notes): (Vec<Check>, Vec<Check>) = found.partition(|check| check.level == Level::Problem);
    let more = notes.len().saturating_sub(NAMED);
    checks.extend(notes.into_iter().take(NAMED));
    if more > 0 {
        let folder = around.shown(&sessions_folder(&common));
        checks.push(Check::info(None, "sessions", format!("{more} more were let go, in {folder}")));
    }
    checks
}

fn check(around: &Surroundings, session: &SessionFolder) -> Option<Check> {
    let unfinished = session.unfinished();
    match session.record() {
        Err(error) => {
            let message = match error {
                RecordError::Edited => "its record was changed since it was written".to_owned(),
                other => format!("its record cannot be used: {other}"),
            };
            let fix = "run `specward accept --reason …` when the specs are right as they are, and begin a new session";
            Some(Check::problem(None, around.shown(session.path()), message, fix))
        }
        Ok(Some(record)) if Path::new(&record.top) != around.top() => None,
        Ok(record) => {
            let unfinished = unfinished?;
            let name =
                record.map_or_else(String::new, |record| format!("session {} of {}: ", record.session, record.agent));
            let message = format!("{name}it was let go with a failure");
            let fix = format!("read {}", around.shown(&unfinished));
            Some(Check::info(None, around.shown(session.path()), message).fix(fix))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::surroundings::tests::{Scratch, has};
    use super::*;
    use crate::session::UNFINISHED;

    #[test]
    fn sessions_are_named() {
        let scratch = Scratch::new();
        scratch.write(".git/HEAD", "ref: refs/heads/main\n");
        let common = scratch.around.top().join(".git");
        let top = scratch.around.top().display().to_string();
        let write = |name: &str, top: &str| {
            let session = SessionFolder::of(&common, name);
            let record = crate::session::made_up(name, top);
            session.write_record(&record).unwrap();
            session
        };
        let well = write("well", &top);
        assert_eq!(checks(&scratch.around), []);
        let gone = write("gone", &top);
        gone.leave(UNFINISHED, "x").unwrap();
        write("elsewhere", "/elsewhere").leave(UNFINISHED, "x").unwrap();
        let line = format!("info {}: session gone of claude: it was let go", scratch.around.shown(gone.path()));
        has(&checks(&scratch.around), &[&line]);
        assert_eq!(checks(&scratch.around).len(), 1);
        let record = well.path().join("record");
        let text = fs::read_to_string(&record).unwrap();
        fs::write(&record, text.replace("claude", "codex!")).unwrap();
        let damaged = format!("problem {}: its record was changed", scratch.around.shown(well.path()));
        has(&checks(&scratch.around), &[&line, &damaged]);
        for number in 0..20 {
            write(&number.to_string(), &top).leave(UNFINISHED, "x").unwrap();
        }
        has(&checks(&scratch.around), &["info sessions: 11 more were let go, in .git/specward/sessions", &damaged]);
    }
}
