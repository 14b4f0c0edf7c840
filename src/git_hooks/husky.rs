//! Hooks as husky has them: files of the repository, to which a block of ours is added.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::GitHook;
use super::call::{Call, call};
use super::plan::{Planned, State, Step, fault};
use crate::agents::problem::Fault;

const START: &str = "# specward:start";
const END: &str = "# specward:end";

/// What the first line of a hook is that git runs itself.
const SHEBANG: &str = "#!/bin/sh\n";

/// What is wrong with a line that calls ours for a push and leaves standard input to chance.
const UNFED: &str = "calls specward by a line that shares standard input with those around it: what is read above is \
                     not judged, and what stands below gets nothing; delete that line and run this again";

fn block(hook: GitHook) -> String {
    let template = match hook {
        GitHook::PrePush => include_str!("templates/husky-pre-push.sh"),
        GitHook::PreCommit | GitHook::CommitMsg => include_str!("templates/husky.sh"),
    };
    template.replace("NAME", hook.id())
}

pub(super) fn install(folder: &Path, hook: GitHook, is_direct: bool) -> Result<Planned, Fault> {
    let path = folder.join(hook.id());
    let planned = |state| Planned::new(hook, Some(path.clone()), state);
    let write =
        |before: Option<String>, text| Step::Write { path: path.clone(), before: before.map(String::into_bytes), text };
    let block = block(hook);
    let Some(old) = read(&path)? else {
        let text = if is_direct { format!("{SHEBANG}{block}") } else { block };
        return Ok(planned(State::Missing).steps("create", vec![write(None, text)]));
    };
    let Some((start, end)) = find(&old, &path)? else {
        let call = call(&old, hook);
        if call == Call::Bare && hook == GitHook::PrePush {
            return Ok(planned(State::Unfed).kept(UNFED));
        }
        if call != Call::None {
            let mut planned = planned(State::Installed);
            planned.note = Some("a command of yours calls specward, and stands for ours".to_owned());
            return Ok(planned);
        }
        // Above everything else: a line that ends the script would end it before ours.
        let at = if old.starts_with("#!") { old.find('\n').map_or(old.len(), |at| at + 1) } else { 0 };
        let (head, rest) = old.split_at(at);
        let gap = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
        let text = format!("{head}{gap}{block}{rest}");
        return Ok(planned(State::Missing).steps("update", vec![write(Some(old.clone()), text)]));
    };
    if old[start..end] == block {
        return Ok(planned(State::Installed));
    }
    let text = format!("{}{block}{}", &old[..start], &old[end..]);
    Ok(planned(State::Stale).steps("update", vec![write(Some(old.clone()), text)]))
}

pub(super) fn uninstall(folder: &Path, hook: GitHook) -> Result<Option<Planned>, Fault> {
    let path = folder.join(hook.id());
    let Some(old) = read(&path)? else { return Ok(None) };
    let Some((start, end)) = find(&old, &path)? else { return Ok(None) };
    let text = format!("{}{}", &old[..start], &old[end..]);
    let planned = Planned::new(hook, Some(path.clone()), State::Installed);
    if text.is_empty() || text == SHEBANG {
        return Ok(Some(planned.steps("remove", vec![Step::Delete(path)])));
    }
    let write = Step::Write { path, before: Some(old.into_bytes()), text };
    Ok(Some(planned.steps("update", vec![write])))
}

/// Where the block is.
fn find(text: &str, path: &Path) -> Result<Option<(usize, usize)>, Fault> {
    let at = |mark: &str| {
        let mut at = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            let start = at;
            at += line.len();
            (start, at, line.trim_end())
        });
        lines.filter(|(_, _, line)| *line == mark).map(|(start, end, _)| (start, end)).collect::<Vec<_>>()
    };
    match (&at(START)[..], &at(END)[..]) {
        ([], []) => Ok(None),
        ([(start, _)], [(_, end)]) if start < end => Ok(Some((*start, *end))),
        _ => Err(fault(
            path,
            format!("has `{START}` and `{END}` not once each, in this order"),
            "mend or delete these lines",
        )),
    }
}

fn read(path: &PathBuf) -> Result<Option<String>, Fault> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fault(path, error.to_string(), "make it readable")),
        Ok(metadata) if !metadata.is_file() => {
            return Err(fault(path, "is no file", "put a file in its place, or delete it"));
        }
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(|error| fault(path, error.to_string(), "make it readable"))?;
    String::from_utf8(bytes).map(Some).map_err(|_| fault(path, "is not UTF-8", "save it as UTF-8"))
}
