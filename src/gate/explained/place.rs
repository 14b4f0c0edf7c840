//! Where in a project a path belongs.

use bstr::{BStr, BString, ByteSlice};

use crate::config;
use crate::criteria::folder;
use crate::openspec::project::FOLDER;
use crate::repo::snapshot::join;

/// A place in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// `specs/<capability>/spec.md`
    Spec { capability: BString },
    /// Anything else below `specs/`.
    SpecsOther,
    /// A file of an open change: the change's folder, the path below it.
    Open { change: BString, inner: BString },
    /// A file of an archived change.
    Archived { change: BString, inner: BString },
    /// A file directly in `changes/`.
    ChangesOther,
    /// `config.yaml`, `schemas/`.
    Settings,
    /// `verify/<capability>.yaml`
    Criteria { capability: String },
    /// `specward.yaml`, what is let through because it is old, anything else in `verify/`.
    Gate,
}

/// The project a path belongs to, as an index into `roots`, and where in it. None outside of every `openspec/`.
pub(crate) fn place(path: &BStr, roots: &[BString]) -> Option<(usize, Place)> {
    // A project inside another one's folder is the nearer one.
    let mut nearest: Option<(usize, &[u8], usize)> = None;
    for (at, root) in roots.iter().enumerate() {
        let folder = join(root.as_ref(), FOLDER);
        let Some(inner) = path.strip_prefix(folder.as_slice()).and_then(|rest| rest.strip_prefix(b"/")) else {
            continue;
        };
        if nearest.is_none_or(|(_, _, length)| folder.len() > length) {
            nearest = Some((at, inner, folder.len()));
        }
    }
    let (at, inner, _) = nearest?;
    Some((at, inside(inner)))
}

fn inside(inner: &[u8]) -> Place {
    let (first, rest) = inner.split_once_str("/").unwrap_or((inner, b""));
    match first {
        b"specs" => match rest.strip_suffix(b"/spec.md") {
            Some(capability) => Place::Spec { capability: capability.into() },
            None => Place::SpecsOther,
        },
        b"changes" => match rest.split_once_str("/") {
            Some((b"archive", rest)) => match rest.split_once_str("/") {
                Some((change, inner)) => Place::Archived { change: change.into(), inner: inner.into() },
                None => Place::Archived { change: BString::default(), inner: rest.into() },
            },
            Some((change, inner)) => Place::Open { change: change.into(), inner: inner.into() },
            None => Place::ChangesOther,
        },
        name if name == folder::FOLDER.as_bytes() => match folder::capability_of(rest.into()) {
            Some(capability) => Place::Criteria { capability },
            None => Place::Gate,
        },
        name if name == config::FILE.as_bytes() || name == config::baseline::FILE.as_bytes() => Place::Gate,
        _ => Place::Settings,
    }
}

/// Whether a path below a change is a delta, or lies where deltas do.
pub(super) fn is_delta(inner: &BStr) -> bool {
    inner.starts_with(b"specs/") || inner.contains_str("/specs/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let roots = [BString::from(""), "a".into()];
        let at = |path: &str| place(path.into(), &roots);
        assert_eq!(at("openspec/specs/x/y/spec.md"), Some((0, Place::Spec { capability: "x/y".into() })));
        assert_eq!(
            at("a/openspec/changes/c/tasks.md"),
            Some((1, Place::Open { change: "c".into(), inner: "tasks.md".into() }))
        );
        assert_eq!(
            at("openspec/changes/archive/2026-01-01-c/specs/a/spec.md"),
            Some((0, Place::Archived { change: "2026-01-01-c".into(), inner: "specs/a/spec.md".into() }))
        );
        assert_eq!(at("openspec/specs/spec.md"), Some((0, Place::SpecsOther)));
        assert_eq!(at("openspec/changes/README.md"), Some((0, Place::ChangesOther)));
        assert_eq!(at("openspec/verify/a/b.yaml"), Some((0, Place::Criteria { capability: "a/b".to_owned() })));
        assert_eq!(at("openspec/verify/.a.yaml"), Some((0, Place::Gate)));
        assert_eq!(at("openspec/verify/a.json"), Some((0, Place::Gate)));
        assert_eq!(at("tests/a.rs"), None);
    }
}
