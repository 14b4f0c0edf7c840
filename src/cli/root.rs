//! Finds the project the drop-in commands work on, as the reference does.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::failure::Failure;
use crate::openspec::metadata::is_kebab_case;
use crate::openspec::project::{FOLDER, Project};
use crate::openspec::yaml;
use crate::repo::snapshot::Worktree;

/// The project a drop-in command works on.
#[derive(Debug)]
pub struct Root {
    /// The folder that holds `openspec/`, without links.
    pub path: PathBuf,
    /// Whether there is such a folder, or the working directory merely stands in for it.
    pub is_found: bool,
    worktree: Worktree,
}

impl Root {
    /// The nearest folder upwards whose `openspec/` is a project; the working directory when there is none.
    ///
    /// # Errors
    /// When the project points to a store, which is not supported, or a folder cannot be entered.
    pub fn find(cwd: &Path) -> Result<Self, Failure> {
        let start = fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned());
        for folder in start.ancestors() {
            let openspec = folder.join(FOLDER);
            if !openspec.is_dir() {
                continue;
            }
            let has_planning = ["specs", "changes"].iter().any(|name| is_planning(&openspec.join(name)));
            let config =
                ["config.yaml", "config.yml"].iter().map(|name| openspec.join(name)).find(|path| path.exists());
            if let Some(config) = config.filter(|_| !has_planning) {
                refuse_store(&config)?;
                return Self::at(folder, true);
            }
            if has_planning {
                return Self::at(folder, true);
            }
        }
        Self::at(&start, false)
    }

    fn at(folder: &Path, is_found: bool) -> Result<Self, Failure> {
        let worktree = Worktree::new(folder)
            .map_err(|error| Failure::new("unreadable_root", format!("{}: {error}", folder.display())))?;
        Ok(Self { path: folder.to_owned(), is_found, worktree })
    }

    /// Demands that a project was found.
    ///
    /// # Errors
    /// When none was.
    pub fn found(self) -> Result<Self, Failure> {
        if self.is_found {
            return Ok(self);
        }
        let failure = Failure::new("no_openspec_root", "no OpenSpec project here or in a folder above");
        Err(failure.fix("run `openspec init`, or create `openspec/specs/` and `openspec/changes/`"))
    }

    /// The files below [`Root::path`].
    pub fn worktree(&self) -> &Worktree {
        &self.worktree
    }

    /// The project.
    pub fn project(&self) -> Project<'_> {
        Project::new(&self.worktree, "")
    }

    /// The block the reference ends its JSON with.
    pub fn to_json(&self) -> Value {
        let source = if self.is_found { "nearest" } else { "implicit" };
        serde_json::json!({ "path": self.path.display().to_string(), "source": source })
    }
}

/// Whether a folder holds specs or changes of this project, rather than being a store somebody put there.
fn is_planning(folder: &Path) -> bool {
    folder.is_dir() && !folder.join(".openspec-store/store.yaml").exists()
}

/// A project without specs and changes may say that they live elsewhere, in a store of the user's. What is not in the
/// repository cannot be judged, so that is an error here.
fn refuse_store(config: &Path) -> Result<(), Failure> {
    let text = fs::read(config).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let parsed =
        text.map_err(|error| error.to_string()).and_then(|text| yaml::parse(&text).map_err(|error| error.to_string()));
    let problem = match parsed {
        Err(_) => "it cannot be read as YAML",
        Ok(Value::Object(map)) => match map.get("store") {
            None => return Ok(()),
            Some(Value::String(store)) => {
                if !is_kebab_case(store) {
                    let message = format!("{} names the store `{store}`, which is not in kebab case", config.display());
                    return Err(Failure::new("invalid_store_id", message).fix("mend the file"));
                }
                let message = format!("{} names the store `{store}`; stores are not supported", config.display());
                return Err(Failure::new("no_registered_stores", message).fix("run specward in the store's own folder"));
            }
            Some(_) => "`store` must be a string",
        },
        Ok(_) => return Ok(()),
    };
    Err(Failure::new("invalid_store_pointer", format!("{}: {problem}", config.display())).fix("mend the file"))
}
