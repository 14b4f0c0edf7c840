//! The file that is imported.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::cli::failure::Failure;
use crate::import::detect::MAX_BYTES;

/// A source's bytes, and what it is called.
#[derive(Debug)]
pub(super) struct Source {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its whole path with `/` between folders: it tells the capability.
    pub path: String,
    /// As the user named it.
    pub shown: String,
    /// As it is named in what is written: from the project's folder, or its name alone when it lies elsewhere.
    pub written: String,
    /// From the project's folder, wherever it lies.
    pub from_root: String,
}

impl Source {
    /// Reads a source.
    ///
    /// # Errors
    /// When it is no file, too large, or cannot be read.
    pub fn read(path: &Path, named: &Path, root: &Path) -> Result<Self, Failure> {
        let shown = named.display().to_string();
        let fault =
            |message: String, fix: &str| Failure::new("unreadable_source", format!("{shown}: {message}")).fix(fix);
        let metadata = fs::metadata(path).map_err(|error| fault(error.to_string(), "name a file that can be read"))?;
        if metadata.is_dir() {
            return Err(fault("is a folder".to_owned(), "name the file in it: requirements.md or spec.md"));
        }
        if !metadata.is_file() {
            return Err(fault("is no regular file".to_owned(), "save it as a file first"));
        }
        if metadata.len() > MAX_BYTES {
            let message = format!("{} bytes are more than the {MAX_BYTES} that are read", metadata.len());
            return Err(fault(message, "split it"));
        }
        let bytes = fs::read(path).map_err(|error| fault(error.to_string(), "make it readable"))?;
        // Where a link leads says nothing: the name the user gave does.
        let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
        let whole = match (folder, path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        };
        let joined = |path: &Path| path.display().to_string().replace('\\', "/");
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let written = whole.strip_prefix(root).map_or(name, joined);
        // It stands in code marks on one line of what is written.
        let written = written.replace(['`', '\n', '\r'], " ");
        Ok(Self { bytes, path: joined(&whole), shown, written, from_root: joined(&relative(&whole, root)) })
    }
}

/// A path from a folder, with `..` as far as it lies outside. One that shares nothing with it stays whole.
fn relative(path: &Path, folder: &Path) -> PathBuf {
    let shared = path.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
    if shared == 0 {
        return path.to_owned();
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(path.components().skip(shared)).collect()
}
