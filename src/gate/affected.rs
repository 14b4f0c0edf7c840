//! Which items a diff touches.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use crate::openspec::project::Project;
use crate::repo::snapshot::{Kind, join};

/// Items of one project that are to be judged.
#[derive(Debug, Default)]
pub(super) struct Affected {
    /// Everything: what decides about all items changed.
    pub all: bool,
    /// Capabilities, as folders below `specs/`.
    pub specs: BTreeSet<BString>,
    /// Folder names of open changes.
    pub changes: BTreeSet<BString>,
}

impl Affected {
    /// The items that edits of these paths touch.
    ///
    /// A changed main spec pulls in every open change with a delta for it, a changed delta its change and main spec,
    /// a changed configuration or schema everything.
    pub(super) fn by<'p>(project: &Project<'_>, paths: impl Iterator<Item = &'p BStr>) -> Self {
        let mut affected = Self::default();
        let mut changed_specs: BTreeSet<BString> = BTreeSet::new();
        let folder = [project.folder().as_bytes(), b"/"].concat();
        for path in paths {
            let Some(inner) = path.strip_prefix(folder.as_slice()) else {
                // The folder itself or one above became something else.
                affected.all |= folder.starts_with(path);
                continue;
            };
            match inner.split_once_str("/") {
                Some((b"specs", rest)) => changed_specs.extend(capability(rest)),
                Some((b"changes", rest)) => affected.change(rest),
                // `specs` or `changes` itself, config.yaml, schemas, specward.yaml.
                Some((b"schemas", _)) | None => affected.all = true,
                Some(_) => {}
            }
        }
        if !changed_specs.is_empty() {
            affected.pull_in_changes(project, &changed_specs);
            affected.specs.append(&mut changed_specs);
        }
        affected
    }

    fn change(&mut self, path: &[u8]) {
        // Without a slash something else than a folder is, or was, where a change belongs.
        let (name, rest) = path.split_once_str("/").unwrap_or((path, b""));
        if name == b"archive" {
            return;
        }
        self.changes.insert(BString::from(name));
        if let Some(delta) = rest.strip_prefix(b"specs/") {
            self.specs.extend(capability(delta));
        }
    }

    fn pull_in_changes(&mut self, project: &Project<'_>, capabilities: &BTreeSet<BString>) {
        let changes = project.path("changes");
        for name in project.change_names().unwrap_or_default() {
            let specs = join(join(changes.as_ref(), &name).as_ref(), "specs");
            let has_delta = |capability: &BString| {
                let delta = join(join(specs.as_ref(), capability).as_ref(), "spec.md");
                project.snapshot().followed_kind(delta.as_ref()).is_ok_and(|kind| kind != Kind::Dir)
            };
            if capabilities.iter().any(has_delta) {
                self.changes.insert(name);
            }
        }
    }
}

/// The capability a path below `specs/` belongs to, when it is a `spec.md` or took the place of one's folder.
fn capability(path: &[u8]) -> Option<BString> {
    let folder = path.strip_suffix(b"/spec.md").unwrap_or(path);
    Some(BString::from(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::snapshot::Worktree;

    fn affected(paths: &[&str]) -> Result<Affected, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        for path in ["openspec/changes/c1/specs/auth/spec.md", "openspec/changes/c2/specs/other/spec.md"] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
            std::fs::write(path, "x")?;
        }
        let worktree = Worktree::new(folder.path())?;
        Ok(Affected::by(&Project::new(&worktree, ""), paths.iter().map(|path| BStr::new(*path))))
    }

    #[test]
    fn what_pulls_in_what() -> Result<(), Box<dyn std::error::Error>> {
        let spec = affected(&["openspec/specs/auth/spec.md"])?;
        assert_eq!((spec.specs.len(), spec.changes.iter().next().map(ToString::to_string)), (1, Some("c1".to_owned())));
        let delta = affected(&["openspec/changes/c2/specs/a/b/spec.md"])?;
        assert!(
            delta.specs.contains(&BString::from("a/b")) && delta.changes.contains(&BString::from("c2")) && !delta.all
        );
        assert!(affected(&["openspec/config.yaml"])?.all);
        assert!(affected(&["openspec/schemas/x/schema.yaml"])?.all);
        let other =
            affected(&["src/main.rs", "openspec/changes/archive/old/specs/a/spec.md", "openspec/verify/a.yaml"])?;
        assert!(!other.all && other.specs.is_empty() && other.changes.is_empty());
        Ok(())
    }
}
