//! Naming an item on the command line.

use bstr::{BStr, BString, ByteSlice};

use super::failure::Failure;
use crate::gate::nearest;
use crate::openspec::project::Project;
use crate::repo::snapshot::ReadError;
use crate::report::ItemKind;

/// Open changes and main specs of a project, by id.
#[derive(Debug)]
pub struct Items {
    /// Folder names of open changes.
    pub changes: Vec<BString>,
    /// Capabilities.
    pub specs: Vec<String>,
}

impl Items {
    /// Lists a project's items.
    ///
    /// # Errors
    /// When `changes/` cannot be listed.
    pub fn of(project: &Project<'_>) -> Result<Self, Failure> {
        let unreadable = |error| Failure::new("validate_error", format!("openspec/changes: {error}"));
        let changes = project.change_names().map_err(unreadable)?;
        let specs = project.specs().files.iter().map(|file| file.id.clone()).collect();
        Ok(Self { changes, specs })
    }

    /// Lists a project's items. A `changes/` that cannot be listed has none.
    pub fn of_readable(project: &Project<'_>) -> Self {
        let specs = project.specs().files.iter().map(|file| file.id.clone()).collect();
        Self { changes: project.change_names().unwrap_or_default(), specs }
    }

    /// What a name means, given `--type` or not.
    ///
    /// # Errors
    /// When it means nothing, or two things.
    pub fn resolve(&self, name: &str, kind: Option<ItemKind>) -> Result<ItemKind, Failure> {
        if let Some(kind) = kind {
            return Ok(kind);
        }
        let is_change = self.changes.iter().any(|change| change.to_str_lossy() == name);
        let is_spec = self.specs.iter().any(|spec| spec == name);
        match (is_change, is_spec) {
            (true, false) => Ok(ItemKind::Change),
            (false, true) => Ok(ItemKind::Spec),
            (true, true) => {
                let failure = Failure::new("ambiguous_item", format!("`{name}` is both a change and a spec"));
                Err(failure.fix("pass --type change or --type spec"))
            }
            (false, false) => Err(self.unknown(name)),
        }
    }

    /// An unknown name, with the nearest that exist.
    pub fn unknown(&self, name: &str) -> Failure {
        let changes = self.changes.iter().map(|change| change.to_str_lossy().into_owned());
        let near = nearest(name, changes.chain(self.specs.iter().cloned()));
        let hint = if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) };
        Failure::new("unknown_item", format!("unknown item `{name}`{hint}"))
    }
}

/// Demands that every main spec was found: no folder kept itself to itself, no link led out.
///
/// # Errors
/// The first that was not, and why.
pub fn readable_specs<'p>(project: &'p Project<'_>) -> Result<(), (&'p BStr, &'p ReadError)> {
    let specs = project.specs();
    let refused = || specs.files.iter().find_map(|file| Some((file.path.as_ref(), file.refused.as_ref()?)));
    let unreadable = specs.unreadable.first().map(|(path, error)| (path.as_ref(), error));
    unreadable.or_else(refused).map_or(Ok(()), Err)
}

/// Reads `--type`. Anything but `change` and `spec` counts as not given, as in the reference.
pub fn kind(word: Option<&str>) -> Option<ItemKind> {
    match word?.to_ascii_lowercase().as_str() {
        "change" => Some(ItemKind::Change),
        "spec" => Some(ItemKind::Spec),
        _ => None,
    }
}

/// Refuses names that would lead out of the folder of items. Spec ids may have several parts.
///
/// # Errors
/// When the name is empty or has separators or dots where it must not.
pub fn check_name(name: &str, kind: ItemKind) -> Result<(), Failure> {
    let problem = |part: &str| part.is_empty() || part == "." || part == ".." || part.contains(['/', '\\', '\0']);
    let is_bad = match kind {
        ItemKind::Spec => name.split('/').any(problem),
        ItemKind::Change | ItemKind::Project => problem(name),
    };
    if is_bad {
        return Err(Failure::new("invalid_item", format!("`{name}` is no name of a {}", kind.word())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        assert!(check_name("a/b", ItemKind::Spec).is_ok());
        assert!(check_name("a/../b", ItemKind::Spec).is_err());
        assert!(check_name("a/b", ItemKind::Change).is_err());
    }
}
