//! Which files of a change are which artifact, and changes that only wrap other changes.

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

use super::metadata::{METADATA_FILE, MetadataState};
use super::project::Project;
use super::schema::BUILT_IN;
use crate::repo::snapshot::{Kind, ReadError, Snapshot, join};

/// Links to folders are followed this deep, so that a circle of them ends.
const MAX_DEPTH: usize = 64;

/// Name of the schema a change follows: its own, else the project's, else the built-in one.
///
/// # Errors
/// A reason when the change's metadata cannot be used.
pub fn schema_name(project: &Project<'_>, metadata: &MetadataState) -> Result<String, String> {
    match metadata {
        MetadataState::Absent => Ok(project.configured_schema().unwrap_or(BUILT_IN).to_owned()),
        MetadataState::Valid(metadata) if project.knows_schema(&metadata.schema) => Ok(metadata.schema.clone()),
        MetadataState::Valid(metadata) => Err(format!("unknown schema `{}`", metadata.schema)),
        MetadataState::Unreadable(reason) => Err(reason.clone()),
        MetadataState::NotYaml { error, .. } => Err(error.to_string()),
        MetadataState::Invalid { reason, .. } => Err(reason.clone()),
    }
}

/// Reads a change's metadata file.
pub fn metadata(snapshot: &dyn Snapshot, change_dir: &BStr) -> MetadataState {
    match snapshot.read(join(change_dir, METADATA_FILE).as_ref()) {
        Ok(bytes) => MetadataState::parse(&bytes),
        Err(ReadError::Missing | ReadError::Dangling(_)) => MetadataState::Absent,
        Err(error) => MetadataState::Unreadable(error.to_string()),
    }
}

/// Files of a change that an artifact's `generates` names, by their real paths, sorted.
///
/// # Errors
/// When a link leads out of the change or the glob makes no sense.
pub fn outputs(snapshot: &dyn Snapshot, change_dir: &BStr, generates: &str) -> Result<Vec<BString>, ReadError> {
    let generates = plain_path(&generates.replace('\\', "/"));
    let real_dir = snapshot.resolve(change_dir)?;
    let is_inside = |path: &BString| path.starts_with(&[real_dir.as_slice(), b"/"].concat());
    check_way(snapshot, change_dir, &generates)?;
    let mut found = Vec::new();
    if is_glob(&generates) {
        let glob = GlobBuilder::new(&generates).literal_separator(true).backslash_escape(false).build();
        let glob = glob.map_err(|error| ReadError::Io(error.to_string()))?.compile_matcher();
        let wants_dots = generates.split('/').any(|part| part.starts_with('.'));
        collect(snapshot, change_dir, BStr::new(""), &glob, wants_dots, 0, &mut found)?;
    } else {
        let path = join(change_dir, generates.trim_end_matches('/'));
        match snapshot.resolve(path.as_ref()) {
            Ok(real) if snapshot.kind(real.as_ref()).is_ok_and(Kind::is_file) => found.push(real),
            Err(error @ ReadError::Outside(_)) => return Err(error),
            _ => {}
        }
    }
    if let Some(outside) = found.iter().find(|path| !is_inside(path)) {
        return Err(ReadError::Outside(outside.to_string()));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// A relative path without empty and `.` parts. A slash at the end stays.
pub fn plain_path(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let end = if path.ends_with('/') { "/" } else { "" };
    parts.join("/") + end
}

/// Refuses a path one of whose components is a link to nowhere or out of the tree, or a file with more to come. A glob's
/// components are looked up as they are written, so that what stands before its first wildcard is checked.
fn check_way(snapshot: &dyn Snapshot, change_dir: &BStr, generates: &str) -> Result<(), ReadError> {
    let mut path = change_dir.to_owned();
    for part in generates.split('/').filter(|part| !part.is_empty()) {
        path = join(path.as_ref(), part);
        match snapshot.kind(path.as_ref()) {
            Ok(Kind::Link) => {
                snapshot.resolve(path.as_ref())?;
            }
            Ok(_) => {}
            Err(error @ ReadError::NotADirectory) => return Err(error),
            Err(_) => break,
        }
    }
    Ok(())
}

fn collect(
    snapshot: &dyn Snapshot,
    top: &BStr,
    folder: &BStr,
    glob: &GlobMatcher,
    wants_dots: bool,
    depth: usize,
    found: &mut Vec<BString>,
) -> Result<(), ReadError> {
    if depth > MAX_DEPTH {
        return Ok(());
    }
    let dir = if folder.is_empty() { top.to_owned() } else { join(top, folder) };
    for entry in snapshot.list(dir.as_ref())? {
        if entry.name.starts_with(b".") && !wants_dots {
            continue;
        }
        let relative = join(folder, &entry.name);
        let path = join(top, &relative);
        let kind = match entry.kind {
            Kind::Link => match snapshot.followed_kind(path.as_ref()) {
                Err(error @ ReadError::Outside(_)) if glob.is_match(relative.to_path_lossy()) => return Err(error),
                kind => kind.unwrap_or(Kind::Special),
            },
            kind => kind,
        };
        if kind == Kind::Dir {
            collect(snapshot, top, relative.as_ref(), glob, wants_dots, depth + 1, found)?;
        } else if kind.is_file() && glob.is_match(relative.to_path_lossy()) {
            found.push(snapshot.resolve(path.as_ref())?);
        }
    }
    Ok(())
}

/// Whether the reference would expand this as a pattern.
fn is_glob(pattern: &str) -> bool {
    let has_braces = || {
        let inner = pattern.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        inner.into_iter().any(|(inner, _)| inner.contains(',') || inner.contains(".."))
    };
    pattern.contains(['*', '?', '[']) || has_braces()
}

/// How deep a change may be hidden below a folder of `changes/`.
const MAX_NESTING: usize = 3;

/// Changes inside a folder of `changes/` that is itself none, as paths below `changes/`, sorted. Empty for a change.
pub fn nested_changes(project: &Project<'_>, name: &BStr) -> Vec<String> {
    // Nobody takes these for changes, so nothing is hidden in them.
    if name == "archive" || name.starts_with(b".") {
        return Vec::new();
    }
    let changes = project.path("changes");
    let dir = join(changes.as_ref(), name);
    if looks_like_change(project, dir.as_ref()) || has_own_file(project, dir.as_ref()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    find_nested(project, dir.as_ref(), name, 1, &mut found);
    found.sort();
    found
}

fn find_nested(project: &Project<'_>, dir: &BStr, prefix: &BStr, depth: usize, found: &mut Vec<String>) {
    if depth > MAX_NESTING {
        return;
    }
    for entry in project.snapshot().list(dir).unwrap_or_default() {
        if entry.kind != Kind::Dir || entry.name.starts_with(b".") {
            continue;
        }
        let (child, id) = (join(dir, &entry.name), join(prefix, &entry.name));
        if looks_like_change(project, child.as_ref()) {
            found.push(id.to_str_lossy().into_owned());
        } else {
            find_nested(project, child.as_ref(), id.as_ref(), depth + 1, found);
        }
    }
}

fn looks_like_change(project: &Project<'_>, dir: &BStr) -> bool {
    let snapshot = project.snapshot();
    if [METADATA_FILE, "proposal.md", "tasks.md", "design.md"]
        .iter()
        .any(|name| snapshot.is_file(join(dir, name).as_ref()))
    {
        return true;
    }
    if has_any_file(snapshot, join(dir, "specs").as_ref(), 0) {
        return true;
    }
    let schema = schema_name(project, &metadata(snapshot, dir)).map(|name| project.schema(&name));
    let Ok(schema) = schema else { return false };
    let Ok(schema) = schema.as_ref() else { return false };
    schema
        .artifacts
        .iter()
        .any(|artifact| outputs(snapshot, dir, &artifact.generates).is_ok_and(|list| !list.is_empty()))
}

fn has_own_file(project: &Project<'_>, dir: &BStr) -> bool {
    let entries = project.snapshot().list(dir).unwrap_or_default();
    entries.iter().any(|entry| entry.kind != Kind::Dir && !entry.name.starts_with(b"."))
}

/// Whether a folder holds a file or link at any depth, dot names aside. What cannot be listed counts as empty.
fn has_any_file(snapshot: &dyn Snapshot, dir: &BStr, depth: usize) -> bool {
    depth <= MAX_DEPTH
        && snapshot.list(dir).unwrap_or_default().iter().any(|entry| {
            !entry.name.starts_with(b".")
                && match entry.kind {
                    Kind::Dir => has_any_file(snapshot, join(dir, &entry.name).as_ref(), depth + 1),
                    Kind::File | Kind::Executable | Kind::Link => true,
                    Kind::Submodule | Kind::Special => false,
                }
        })
}
