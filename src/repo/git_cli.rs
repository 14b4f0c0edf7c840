//! The repository through the git program: for what gix does not read (reftable) or have (objects a partial clone
//! left at its remote). The only place here that starts processes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use bstr::{BString, ByteSlice};

use super::node::Folder;
use super::oid::{HashKind, ObjectKind, Oid};
use super::snapshot::Kind;
use super::store::{Commit, GitError, Head, IndexEntries, IndexEntry, Store};

/// Variables that would make git look elsewhere than at the repository that was found.
const REDIRECTING: &[&str] =
    &["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES"];

/// A repository read by running git.
#[derive(Debug)]
pub(super) struct GitCli {
    git_dir: PathBuf,
    hash: HashKind,
}

impl GitCli {
    pub(super) fn new(git_dir: impl Into<PathBuf>, hash: HashKind) -> Self {
        Self { git_dir: git_dir.into(), hash }
    }

    #[expect(clippy::disallowed_methods, reason = "the fallback to the git program")]
    fn command(&self) -> Command {
        let mut command = Command::new("git");
        for name in REDIRECTING {
            command.env_remove(name);
        }
        command
            .arg("--no-replace-objects")
            .args(["-c", "core.commitGraph=false", "-c", "core.fsmonitor=false"])
            .arg("--git-dir")
            .arg(&self.git_dir)
            .env("GIT_GRAFT_FILE", "/dev/null")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        command
    }

    fn run<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Result<Output, GitError> {
        let output = self.command().args(args).output();
        output.map_err(|error| GitError::Other(format!("the git program cannot be run: {error}")))
    }

    /// Standard output of a command that answered, none when it failed without a word.
    fn answer<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Result<Option<Vec<u8>>, GitError> {
        let output = self.run(args)?;
        if output.status.success() {
            return Ok(Some(output.stdout));
        }
        match output.stderr.trim() {
            b"" => Ok(None),
            message => Err(GitError::Other(message.to_str_lossy().lines().next().unwrap_or_default().to_owned())),
        }
    }

    /// What `git diff` says of these ends, in the work tree `top` when one of them is there.
    pub(super) fn difference(&self, top: Option<&Path>, ends: &[&str]) -> Result<Vec<u8>, GitError> {
        let mut command = self.command();
        if let Some(top) = top {
            command.arg("--work-tree").arg(top).current_dir(top);
        }
        // As text whatever attributes say: head's own would hide what they name.
        command.args(["diff", "--text", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"]);
        command.args(ends).arg("--");
        let output = command.output();
        let output = output.map_err(|error| GitError::Other(format!("the git program cannot be run: {error}")))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(GitError::Other(output.stderr.to_str_lossy().lines().next().unwrap_or_default().to_owned()))
    }

    /// Files of a work tree that are neither in the index nor ignored.
    pub(super) fn untracked(&self, top: &Path) -> Result<Vec<BString>, GitError> {
        let mut command = self.command();
        command.arg("--work-tree").arg(top).current_dir(top);
        command.args(["ls-files", "--others", "--exclude-standard", "-z"]);
        let output = command.output();
        let output = output.map_err(|error| GitError::Other(format!("the git program cannot be run: {error}")))?;
        if !output.status.success() {
            return Err(GitError::Other(output.stderr.to_str_lossy().lines().next().unwrap_or_default().to_owned()));
        }
        Ok(output.stdout.split_str("\0").filter(|path| !path.is_empty()).map(BString::from).collect())
    }

    fn commit(&self, revision: &str) -> Result<Option<Oid>, GitError> {
        let revision = format!("{revision}^{{commit}}");
        let answer = self.answer(["rev-parse", "--verify", "--quiet", "--end-of-options", &revision])?;
        answer.map(|hex| parse_oid(&hex)).transpose()
    }

    fn object(&self, id: Oid, kind: ObjectKind) -> Result<Vec<u8>, GitError> {
        let word = match kind {
            ObjectKind::Blob => "blob",
            ObjectKind::Tree => "tree",
            ObjectKind::Commit => "commit",
        };
        let output = self.run(["cat-file", word, &id.to_string()])?;
        if !output.status.success() {
            return Err(GitError::MissingObject(id.to_string()));
        }
        if Oid::of(self.hash, kind, &output.stdout).map_err(GitError::Other)? != id {
            return Err(GitError::Damaged(id.to_string()));
        }
        Ok(output.stdout)
    }
}

fn parse_oid(hex: &[u8]) -> Result<Oid, GitError> {
    hex.trim().to_str_lossy().parse().map_err(GitError::Other)
}

impl Store for GitCli {
    fn hash_kind(&self) -> HashKind {
        self.hash
    }

    fn head(&self) -> Result<Head, GitError> {
        Ok(Head { branch: self.symbolic_target("HEAD")?, commit: self.commit("HEAD").unwrap_or_default() })
    }

    fn reference(&self, name: &str) -> Result<Option<Oid>, GitError> {
        match self.answer(["show-ref", "--verify", "--quiet", "--", name])? {
            Some(_) => self.commit(name),
            None => Ok(None),
        }
    }

    fn symbolic_target(&self, name: &str) -> Result<Option<String>, GitError> {
        let answer = self.answer(["symbolic-ref", "--quiet", name])?;
        Ok(answer.map(|target| target.trim().to_str_lossy().into_owned()))
    }

    fn revision(&self, revision: &str) -> Result<Option<Oid>, GitError> {
        self.commit(revision)
    }

    fn has_references(&self, prefix: &str) -> Result<bool, GitError> {
        let answer = self.answer(["for-each-ref", "--count=1", prefix])?;
        Ok(answer.is_some_and(|refs| !refs.trim().is_empty()))
    }

    fn peeled(&self, id: Oid) -> Result<Option<Oid>, GitError> {
        if !self.run(["cat-file", "-e", &id.to_string()])?.status.success() {
            return Err(GitError::MissingObject(id.to_string()));
        }
        let output = self.run(["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{id}^{{commit}}")])?;
        output.status.success().then(|| parse_oid(&output.stdout)).transpose()
    }

    fn merge_bases(&self, one: Oid, other: Oid) -> Result<Vec<Oid>, GitError> {
        let answer = self.answer(["merge-base", "--all", &one.to_string(), &other.to_string()])?.unwrap_or_default();
        answer.lines().map(parse_oid).collect()
    }

    fn tree_of(&self, commit: Oid) -> Result<Oid, GitError> {
        Store::commit(self, commit).map(|commit| commit.tree)
    }

    fn commit(&self, id: Oid) -> Result<Commit, GitError> {
        let data = self.object(id, ObjectKind::Commit)?;
        // The message, which can say anything, comes after the first empty line.
        let header = data.lines().take_while(|line| !line.is_empty());
        let parents =
            header.filter_map(|line| line.strip_prefix(b"parent ")).map(parse_oid).collect::<Result<_, _>>()?;
        let tree = data.lines().next().and_then(|line| line.strip_prefix(b"tree "));
        let tree = tree.map_or_else(|| Err(GitError::Damaged(id.to_string())), parse_oid)?;
        Ok(Commit { tree, parents })
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn tree(&self, id: Oid) -> Result<Folder, GitError> {
        super::gix_store::parse_tree(&self.object(id, ObjectKind::Tree)?, self.hash)
    }

    fn blob(&self, id: Oid) -> Result<Vec<u8>, GitError> {
        self.object(id, ObjectKind::Blob)
    }

    fn index(&self, file: &Path, prefixes: &[BString], committed: Option<Oid>) -> Result<IndexEntries, GitError> {
        let mut found = IndexEntries::default();
        // Everything when no prefix is given to git would be wrong: no prefix here means nothing is asked for.
        if !prefixes.is_empty() {
            let paths = prefixes.iter().map(|prefix| format!(":(top,literal){}", prefix.to_str_lossy()));
            let entries = self.listed(file, &["ls-files", "--stage", "--full-name"], paths)?;
            found.entries = entries.iter().map(|line| index_entry(line)).collect::<Result<_, _>>()?;
        }
        let inner = || std::iter::once(PROJECTS.to_owned());
        let mut paths = self.listed(file, &["ls-files", "--full-name"], inner())?;
        if let Some(tree) = committed {
            // What was taken out of the index is not found in it.
            let tree = tree.to_string();
            paths.extend(self.listed(
                file,
                &["diff-index", "--cached", "--no-renames", "--name-only", &tree],
                inner(),
            )?);
        }
        let root = |path: &Vec<u8>| path.find("/openspec/").map(|at| BString::from(&path[..at]));
        found.project_roots = paths.iter().filter_map(root).collect();
        found.project_roots.sort();
        found.project_roots.dedup();
        Ok(found)
    }
}

/// Files of projects below the top.
const PROJECTS: &str = ":(top,glob)**/openspec/**";

impl GitCli {
    /// What a command that reads an index prints, at its NUL bytes.
    fn listed(
        &self,
        index: &Path,
        command: &[&str],
        paths: impl Iterator<Item = String>,
    ) -> Result<Vec<Vec<u8>>, GitError> {
        let output = self.command().env("GIT_INDEX_FILE", index).args(command).args(["-z", "--"]).args(paths).output();
        let output = output.map_err(|error| GitError::Other(format!("the git program cannot be run: {error}")))?;
        if !output.status.success() {
            return Err(GitError::Other(output.stderr.trim().to_str_lossy().into_owned()));
        }
        Ok(output.stdout.split(|byte| *byte == 0).filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect())
    }
}

/// `<mode> <id> <stage>\t<path>`
fn index_entry(line: &[u8]) -> Result<IndexEntry, GitError> {
    let malformed = || GitError::Other(format!("git ls-files said `{}`", line.to_str_lossy()));
    let (head, path) = line.split_once_str("\t").ok_or_else(malformed)?;
    let words: Vec<&[u8]> = head.split(|byte| *byte == b' ').collect();
    let [mode, id, stage] = words[..] else { return Err(malformed()) };
    let kind = match mode {
        b"100644" => Kind::File,
        b"100755" => Kind::Executable,
        b"120000" => Kind::Link,
        b"160000" => Kind::Submodule,
        b"040000" => Kind::Dir,
        _ => return Err(malformed()),
    };
    Ok(IndexEntry {
        path: BString::from(path),
        kind,
        id: parse_oid(id)?,
        is_unmerged: stage != b"0",
        is_intent_to_add: false,
    })
}
