//! How the spec set was when a session began.

use std::collections::BTreeMap;

use bstr::{BString, ByteSlice};
use serde::{Deserialize, Serialize};

use super::tally::Bounds;
use crate::digest::sha256;
use crate::repo::graft::FileEntry;
use crate::repo::oid::Oid;
use crate::repo::snapshot::{Kind, is_below};

/// Version of a record's shape.
pub const RECORD_VERSION: u32 = 1;

/// What a session began with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Version of this shape.
    pub version: u32,
    /// Version of the program.
    pub specward: String,
    /// The client's name of the session.
    pub session: String,
    /// The client.
    pub agent: String,
    /// When it was made: RFC 3339, UTC.
    pub time: String,
    /// The top of the work tree whose files are recorded, without links.
    pub top: String,
    /// Whether the session had begun already, as far as the client said.
    #[serde(default)]
    pub is_late: bool,
    /// Folders that hold a project, from the top.
    #[serde(default)]
    pub roots: Vec<RecordedPath>,
    /// Digest of all files outside of the spec set, where checks could look at them.
    #[serde(default)]
    pub outside: Option<String>,
    /// The commit that was checked out; none in a repository without commits.
    pub head: Option<String>,
    /// The commit the default branch was at, as far as it could be told.
    pub tip: Option<String>,
    /// The merge base of the two.
    pub merge_base: Option<String>,
    /// Paths whose files are recorded, from the top.
    pub paths: Vec<RecordedPath>,
    /// Files at and below these paths, as they lay on disk.
    pub files: Vec<RecordedFile>,
    /// Where the index had something else: what, or nothing.
    pub index: Vec<RecordedFile>,
    /// How often the agent may be sent back.
    #[serde(default)]
    pub bounds: Bounds,
    /// What a person accepted since.
    #[serde(default)]
    pub accepted: Vec<Acceptance>,
}

/// A path, which need not be UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecordedPath {
    /// As text.
    Text(String),
    /// As bytes.
    Bytes(Vec<u8>),
}

impl From<&BString> for RecordedPath {
    fn from(path: &BString) -> Self {
        path.to_str().map_or_else(|_| Self::Bytes(path.to_vec()), |text| Self::Text(text.to_owned()))
    }
}

impl From<&RecordedPath> for BString {
    fn from(path: &RecordedPath) -> Self {
        match path {
            RecordedPath::Text(text) => text.as_str().into(),
            RecordedPath::Bytes(bytes) => bytes.as_slice().into(),
        }
    }
}

/// A file: git's mode of it, git's name for its content, its path. An empty mode says that nothing is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile(pub String, pub String, pub RecordedPath);

impl RecordedFile {
    /// That nothing is at a path.
    pub fn nothing(path: &BString) -> Self {
        Self(String::new(), String::new(), path.into())
    }

    /// The path.
    pub fn path(&self) -> BString {
        (&self.2).into()
    }

    /// The file, none when it says that nothing is there.
    ///
    /// # Errors
    /// When mode or name are none.
    pub fn entry(&self) -> Result<Option<FileEntry>, RecordError> {
        let kind = match self.0.as_str() {
            "" => return Ok(None),
            "100644" => Kind::File,
            "100755" => Kind::Executable,
            "120000" => Kind::Link,
            "160000" => Kind::Submodule,
            other => return Err(RecordError::Malformed(format!("a file has the mode `{other}`"))),
        };
        let id: Oid = self.1.parse().map_err(RecordError::Malformed)?;
        Ok(Some(FileEntry { path: self.path(), kind, id }))
    }
}

impl From<&FileEntry> for RecordedFile {
    fn from(file: &FileEntry) -> Self {
        let mode = match file.kind {
            Kind::Executable => "100755",
            Kind::Link => "120000",
            Kind::Submodule => "160000",
            Kind::File | Kind::Dir | Kind::Special => "100644",
        };
        Self(mode.to_owned(), file.id.to_string(), (&file.path).into())
    }
}

/// That a person said that files are right as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// When: RFC 3339, UTC.
    pub time: String,
    /// Why.
    pub reason: String,
    /// Which files; all that differed when empty.
    pub paths: Vec<String>,
}

fn is_at_or_below(path: &BString, folder: &BString) -> bool {
    path == folder || is_below(path.as_ref(), folder.as_ref())
}

/// Why a record cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It was changed after it was written.
    #[error("its digest is not that of its content: it was edited")]
    Edited,
    /// It is none, or of another version.
    #[error("{0}")]
    Malformed(String),
}

impl Record {
    /// The file's content: a line of JSON, and a line with the digest of the first.
    ///
    /// # Errors
    /// Never in practice: it is plain data.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let line = serde_json::to_string(self)?;
        let digest = sha256(line.as_bytes());
        Ok(format!("{line}\n{digest}\n"))
    }

    /// Reads what [`Self::to_text`] gave.
    ///
    /// # Errors
    /// When the digest does not fit, or it is no record of this version.
    pub fn parse(text: &[u8]) -> Result<Self, RecordError> {
        let malformed = |what: &str| RecordError::Malformed(what.to_owned());
        let text = text.to_str().map_err(|_| malformed("it is not UTF-8"))?;
        let (line, rest) = text.split_once('\n').ok_or_else(|| malformed("it is torn: it has no digest"))?;
        if rest.strip_suffix('\n') != Some(sha256(line.as_bytes()).as_str()) {
            return Err(RecordError::Edited);
        }
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let Versioned { version } =
            serde_json::from_str(line).map_err(|error| malformed(&format!("it is no record: {error}")))?;
        if version != RECORD_VERSION {
            return Err(malformed(&format!("its version is {version}, and this specward knows {RECORD_VERSION} only")));
        }
        serde_json::from_str(line).map_err(|error| malformed(&format!("it is no record: {error}")))
    }

    /// Whether something was at a path, or below it, when the session began.
    pub fn had(&self, path: &[u8]) -> bool {
        let is_there = |file: &RecordedFile| {
            let recorded = match &file.2 {
                RecordedPath::Text(text) => text.as_bytes(),
                RecordedPath::Bytes(bytes) => bytes,
            };
            recorded.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest[0] == b'/' || path.is_empty())
        };
        self.files.iter().any(is_there)
    }

    /// Paths whose files are recorded.
    pub fn recorded_paths(&self) -> Vec<BString> {
        self.paths.iter().map(BString::from).collect()
    }

    /// The files as they lay on disk.
    ///
    /// # Errors
    /// When one of them is none.
    pub fn on_disk(&self) -> Result<Vec<FileEntry>, RecordError> {
        self.files.iter().filter_map(|file| file.entry().transpose()).collect()
    }

    /// The same files as the index had them.
    ///
    /// # Errors
    /// When one of them is none.
    pub fn in_index(&self) -> Result<Vec<FileEntry>, RecordError> {
        let mut files: BTreeMap<BString, FileEntry> =
            self.on_disk()?.into_iter().map(|file| (file.path.clone(), file)).collect();
        for file in &self.index {
            match file.entry()? {
                Some(entry) => files.insert(file.path(), entry),
                None => files.remove(&file.path()),
            };
        }
        Ok(files.into_values().collect())
    }

    /// Paths at or below `asked` (all when empty) where another record of the same work tree has something else.
    pub fn differing(&self, other: &Self, asked: &[BString]) -> Vec<BString> {
        let is_asked = |path: &BString| asked.is_empty() || asked.iter().any(|one| is_at_or_below(path, one));
        let of = |record: &Self| -> BTreeMap<BString, (String, String)> {
            let files = record.files.iter().filter(|file| is_asked(&file.path()));
            files.map(|file| (file.path(), (file.0.clone(), file.1.clone()))).collect()
        };
        let (mine, theirs) = (of(self), of(other));
        let mut paths: Vec<BString> =
            mine.keys().chain(theirs.keys()).filter(|path| mine.get(*path) != theirs.get(*path)).cloned().collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// Takes over what another record of the same work tree has at some paths.
    pub fn take_over(&mut self, other: &Self, paths: &[BString]) {
        let is_taken = |file: &RecordedFile| paths.contains(&file.path());
        for (own, others) in [(&mut self.files, &other.files), (&mut self.index, &other.index)] {
            own.retain(|file| !is_taken(file));
            own.extend(others.iter().filter(|file| is_taken(file)).cloned());
            own.sort_by_cached_key(RecordedFile::path);
        }
        // A path that was not looked at before is from now on.
        let new: Vec<RecordedPath> = paths
            .iter()
            .filter(|path| !self.paths.iter().any(|one| is_at_or_below(path, &one.into())))
            .map(RecordedPath::from)
            .collect();
        self.paths.extend(new);
    }

    /// Says how the index differed from what lay on disk.
    pub fn set_index(&mut self, on_disk: &[FileEntry], in_index: &[FileEntry]) {
        let by_path = |files: &[FileEntry]| -> BTreeMap<BString, FileEntry> {
            files.iter().map(|file| (file.path.clone(), file.clone())).collect()
        };
        let (disk, index) = (by_path(on_disk), by_path(in_index));
        let other = index.values().filter(|file| disk.get(&file.path) != Some(file)).map(RecordedFile::from);
        let gone = disk.keys().filter(|path| !index.contains_key(*path)).map(RecordedFile::nothing);
        self.index = other.chain(gone).collect();
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn record() -> Record {
        let file = |path: &str| {
            let id = "ce013625030ba8dba906f756967f9e9ca394464a";
            RecordedFile("100644".to_owned(), id.to_owned(), RecordedPath::Text(path.to_owned()))
        };
        Record {
            version: RECORD_VERSION,
            specward: "0.1.0".to_owned(),
            session: "s-1".to_owned(),
            agent: "claude".to_owned(),
            time: "2026-12-01T10:00:00Z".to_owned(),
            top: "/repo".to_owned(),
            is_late: false,
            roots: Vec::new(),
            outside: None,
            head: None,
            tip: None,
            merge_base: None,
            paths: vec![RecordedPath::Text("openspec/specs".to_owned())],
            files: vec![file("openspec/specs/a/spec.md"), file("openspec/specs/b/spec.md")],
            index: Vec::new(),
            bounds: Bounds::default(),
            accepted: Vec::new(),
        }
    }

    #[test]
    fn comes_back_and_shows_edits() {
        let text = record().to_text().unwrap_or_default();
        assert_eq!(Record::parse(text.as_bytes()), Ok(record()));
        let edited = text.replacen("claude", "codex!", 1);
        assert_eq!(Record::parse(edited.as_bytes()), Err(RecordError::Edited));
        for torn in ["", "{", &text[..text.len() / 2], &text[..text.len() - 1]] {
            assert!(Record::parse(torn.as_bytes()).is_err(), "{torn}");
        }
        let later = Record { version: 2, ..record() }.to_text().unwrap_or_default();
        assert!(
            matches!(Record::parse(later.as_bytes()), Err(RecordError::Malformed(why)) if why.contains("version is 2"))
        );
    }

    #[test]
    fn knows_what_was_there() {
        let record = record();
        assert!(record.had(b"openspec/specs/a/spec.md") && record.had(b"openspec/specs/a") && record.had(b""));
        assert!(!record.had(b"openspec/specs/c") && !record.had(b"openspec/specs/a/spec"));
    }

    #[test]
    fn the_index_is_kept_as_a_difference() -> Result<(), RecordError> {
        let mut record = record();
        let on_disk = record.on_disk()?;
        let mut in_index = vec![on_disk[0].clone()];
        in_index.push(FileEntry { path: "openspec/specs/c/spec.md".into(), ..on_disk[0].clone() });
        record.set_index(&on_disk, &in_index);
        assert_eq!(record.index.len(), 2);
        assert_eq!(record.in_index()?, in_index);
        Ok(())
    }

    #[test]
    fn a_path_need_not_be_text() {
        let path = BString::from(b"a\xff".as_slice());
        let recorded = RecordedPath::from(&path);
        let text = serde_json::to_string(&recorded).unwrap_or_default();
        assert_eq!(serde_json::from_str::<RecordedPath>(&text).ok().as_ref().map(BString::from), Some(path));
    }
}
