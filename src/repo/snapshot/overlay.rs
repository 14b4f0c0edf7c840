//! A tree with some files as they would be.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::{Entry, Kind, ReadError, Snapshot, is_below};

/// A tree below, and files that stand in front of what it has at their paths.
pub struct Overlay<'s> {
    below: &'s dyn Snapshot,
    files: BTreeMap<BString, Vec<u8>>,
}

impl<'s> Overlay<'s> {
    /// Puts files over a tree, by their paths from its top.
    pub fn new(below: &'s dyn Snapshot, files: BTreeMap<BString, Vec<u8>>) -> Self {
        Self { below, files }
    }

    fn has_below(&self, folder: &BStr) -> bool {
        self.files.keys().any(|path| is_below(path.as_ref(), folder))
    }
}

impl Snapshot for Overlay<'_> {
    fn list(&self, dir: &BStr) -> Result<Vec<Entry>, ReadError> {
        let mut entries = match self.below.list(dir) {
            Err(ReadError::Missing) if self.has_below(dir) => Vec::new(),
            listed => listed?,
        };
        let start = if dir.is_empty() { 0 } else { dir.len() + 1 };
        for path in self.files.keys().filter(|path| is_below(path.as_ref(), dir)) {
            let rest = &path[start..];
            let name = rest.split_str("/").next().unwrap_or_default();
            if !entries.iter().any(|entry| entry.name == name) {
                let kind = if name.len() == rest.len() { Kind::File } else { Kind::Dir };
                entries.push(Entry { name: name.into(), kind });
            }
        }
        Ok(entries)
    }

    fn read(&self, path: &BStr) -> Result<Vec<u8>, ReadError> {
        self.files.get(path).cloned().map_or_else(|| self.below.read(path), Ok)
    }

    fn kind(&self, path: &BStr) -> Result<Kind, ReadError> {
        match self.below.kind(path) {
            _ if self.files.contains_key(path) => Ok(Kind::File),
            Err(ReadError::Missing) if self.has_below(path) => Ok(Kind::Dir),
            kind => kind,
        }
    }

    fn resolve(&self, path: &BStr) -> Result<BString, ReadError> {
        if self.files.contains_key(path) {
            return Ok(path.to_owned());
        }
        match self.below.resolve(path) {
            Err(ReadError::Missing) if self.has_below(path) => Ok(path.to_owned()),
            resolved => resolved,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::snapshot::Worktree;

    #[test]
    fn files_stand_in_front() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join("a"))?;
        std::fs::write(folder.path().join("a/x"), "old")?;
        std::fs::write(folder.path().join("a/y"), "y")?;
        let below = Worktree::new(folder.path())?;
        let files = [("a/x", "new"), ("b/c/z", "z")].map(|(path, text)| (path.into(), text.as_bytes().to_vec()));
        let tree = Overlay::new(&below, files.into());
        assert_eq!(tree.read(b"a/x".as_bstr())?, b"new");
        assert_eq!(tree.read(b"a/y".as_bstr())?, b"y");
        assert_eq!(tree.list(b"a".as_bstr())?.len(), 2);
        assert_eq!(tree.list(b"b".as_bstr())?, [Entry { name: "c".into(), kind: Kind::Dir }]);
        assert_eq!(tree.list(b"b/c".as_bstr())?, [Entry { name: "z".into(), kind: Kind::File }]);
        assert!(tree.is_dir(b"b".as_bstr()) && tree.is_file(b"b/c/z".as_bstr()));
        assert_eq!(tree.kind(b"q".as_bstr()), Err(ReadError::Missing));
        Ok(())
    }
}
