//! What is base and what is head.

use super::ci::{self, CiWord};
use super::default_branch;
use super::environment::Environment;
use super::oid::Oid;
use super::open::{OpenError, Repository};
use super::staged;
use super::store::{GitError, Head, Store};
use super::subject;

/// What the command line asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Only what differs between base and head.
    pub kind: RequestKind,
    /// `--base`.
    pub base: Option<String>,
    /// `--head`.
    pub head: Option<String>,
    /// Both, when somebody worked them out already. Nothing else counts then.
    pub known: Option<Comparison>,
}

/// Kinds of [`Request`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RequestKind {
    /// The whole tree as it lies in the work tree.
    #[default]
    Tree,
    /// What differs between base and head.
    Changed,
    /// HEAD against the index.
    Staged,
}

/// Base and head, resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The commit compared from: the merge base. None for a repository without commits, whose base is empty.
    pub base: Option<Oid>,
    /// The commit base means itself. What head has as this commit has it was not edited here.
    pub tip: Option<Oid>,
    /// Further merge bases, of histories that merged one another. Any of them is as good a base.
    pub other_bases: Vec<Oid>,
    /// Where the base came from.
    pub base_source: String,
    /// What is judged.
    pub head: HeadSide,
}

/// What is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadSide {
    /// A commit.
    Commit(Oid),
    /// The work tree, with index and untracked files, on top of this commit, if there is one yet.
    Worktree(Option<Oid>),
    /// The index.
    Index,
}

/// Why base or head cannot be told. The run is UNVERIFIABLE then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Undetermined {
    /// What is missing.
    pub message: String,
    /// The way out.
    pub fix: String,
}

impl Undetermined {
    pub(super) fn new(message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { message: message.into(), fix: fix.into() }
    }
}

impl From<GitError> for Undetermined {
    fn from(error: GitError) -> Self {
        let fix = match &error {
            GitError::MissingObject(_) => "fetch it: `git fetch --unshallow`, or `fetch-depth: 0` in the checkout step",
            GitError::Damaged(_) => "run `git fsck` and clone again",
            GitError::Ambiguous { .. } => "name it in full, such as `refs/heads/main`, or by its commit id",
            GitError::Other(_) => "run the same revision through `git log -1` to see what git says",
        };
        Self::new(error.to_string(), fix)
    }
}

impl From<OpenError> for Undetermined {
    fn from(error: OpenError) -> Self {
        Self::new(error.to_string(), error.fix())
    }
}

/// A base that was named, before it is resolved.
struct Named {
    word: CiWord,
    /// Whether a CI named it: what it names is a commit or a reference in full.
    is_of_ci: bool,
}

/// Resolves a request for a comparison.
///
/// # Errors
/// When base or head cannot be told, or when they are the same commit so that nothing would be compared.
pub fn resolve(repository: &Repository, env: &Environment, request: &Request) -> Result<Comparison, Undetermined> {
    if let Some(known) = &request.known {
        return Ok(known.clone());
    }
    let store = repository.store();
    let head = store.head()?;
    if request.kind == RequestKind::Staged {
        if repository.workdir().is_none() {
            let message = "this is a bare repository: it has no index";
            return Err(Undetermined::new(message, "compare commits: `--changed --base REV --head REV`"));
        }
        return staged::resolve(repository, &head);
    }
    // Only needed where HEAD has a part: a repository whose HEAD names no commit can still compare two others.
    let head_commit = || {
        let message = "HEAD names no commit yet, so there is nothing to compare with";
        head.commit.ok_or_else(|| Undetermined::new(message, "commit first, or use `--staged`"))
    };
    let named = named_base(env, request)?;
    let head_revision = request.head.clone().or_else(|| named.as_ref().and_then(|named| named.word.head.clone()));
    let head_side = match &head_revision {
        Some(revision) => HeadSide::Commit(commit(repository, revision, "head", env)?),
        None if repository.workdir().is_none() => {
            return Err(Undetermined::new(
                "this is a bare repository: there is no work tree to judge",
                "name the commit to judge: `--head REV`",
            ));
        }
        None => HeadSide::Worktree(Some(head_commit()?)),
    };
    let (HeadSide::Commit(tip) | HeadSide::Worktree(Some(tip))) = head_side else { unreachable_head()? };
    let is_before_push = named.as_ref().is_some_and(|named| named.word.is_before_push);
    // Whoever names a base or a head knows what is to be judged. An event does not know what was checked out for it.
    if head_revision.is_none() && named.as_ref().is_none_or(|named| named.is_of_ci) {
        subject::check(store, tip, env)?;
    }
    let (base, base_source) = match named {
        Some(named) => match merged_into(store, tip, &named.word)? {
            Some(base) => (base, format!("{}, the first parent of its test merge ({base})", named.word.source)),
            None => agreed(store, tip, &named.word, named_commit(repository, &named, env)?)?,
        },
        None => default_base(repository, &head, head_commit()?, env)?,
    };
    let mut merge_bases = merge_bases(repository, base, tip, env)?;
    let merge_base = merge_bases.remove(0);
    // From the merge base nobody would see what the push took away.
    if is_before_push && merge_base != base {
        let message = format!("head has not all of {base}, which was there before: {REPLACED}");
        return Err(Undetermined::new(message, REPLACED_FIX));
    }
    if matches!(head_side, HeadSide::Commit(_)) && merge_base == tip {
        let message = match base == tip {
            true => format!("base and head are the same commit ({tip}): nothing would be compared"),
            false => format!("base has all of head ({tip}) already: nothing would be compared"),
        };
        return Err(Undetermined::new(message, "name the commit the work started from: `--base REV`"));
    }
    Ok(Comparison { base: Some(merge_base), tip: Some(base), other_bases: merge_bases, base_source, head: head_side })
}

/// The index has no commit of its own; requests for it never get here.
fn unreachable_head<T>() -> Result<T, Undetermined> {
    Err(Undetermined::new("the index has no commit", "use `--staged` alone"))
}

fn named_base(env: &Environment, request: &Request) -> Result<Option<Named>, Undetermined> {
    let said = |base: &str, source: &str| Named { word: CiWord::new(base, source), is_of_ci: false };
    if let Some(base) = &request.base {
        return Ok(Some(said(base, "--base")));
    }
    if let Some(base) = env.get("SPECWARD_BASE") {
        return Ok(Some(said(base, "SPECWARD_BASE")));
    }
    let word = ci::word(env).map_err(|reason| Undetermined::new(reason, "pass the base commit: `--base REV`"))?;
    Ok(word.map(|word| Named { word, is_of_ci: true }))
}

/// What the work was merged into, when what is judged is a merge of it that was made to try it out: the one that the CI
/// names, or one into a commit of the base branch. The commit that an event names as base can be older: what the base
/// branch has got since would count as edits of this work.
fn merged_into(store: &dyn Store, tip: Oid, word: &CiWord) -> Result<Option<Oid>, Undetermined> {
    let Some(merge) = &word.merge else { return Ok(None) };
    let [into, head] = store.commit(tip)?.parents[..] else { return Ok(None) };
    if head.to_string() != merge.head {
        return Ok(None);
    }
    let is_named = merge.commit.as_ref().is_some_and(|commit| *commit == tip.to_string());
    // Into anything else its author can have merged it.
    let is_theirs = is_named || branch(store, word)?.is_some_and(|(_, branch)| has(store, branch, into));
    Ok(is_theirs.then_some(into))
}

/// The commit that a CI names as base, or the branch it was on, where that has more by now: what the branch has got since
/// was agreed to, also where this work has it too.
fn agreed(store: &dyn Store, tip: Oid, word: &CiWord, base: Oid) -> Result<(Oid, String), Undetermined> {
    let named = format!("{} ({})", word.source, word.base);
    match branch(store, word)? {
        Some((name, branch)) if branch != base && has(store, branch, base) && !has(store, branch, tip) => {
            Ok((branch, format!("{named}, which {} has", name.trim_start_matches("refs/remotes/"))))
        }
        _ => Ok((base, named)),
    }
}

/// The branch that the work is to be merged into, where it is known and here.
fn branch<'a>(store: &dyn Store, word: &'a CiWord) -> Result<Option<(&'a str, Oid)>, Undetermined> {
    let Some(name) = &word.branch else { return Ok(None) };
    Ok(default_branch::commit(store, name)?.map(|commit| (name.as_str(), commit)))
}

/// Whether a branch has a commit. What cannot be told is not so.
fn has(store: &dyn Store, branch: Oid, commit: Oid) -> bool {
    branch == commit || store.merge_bases(branch, commit).is_ok_and(|bases| bases.contains(&commit))
}

/// The commit a base means that was named.
fn named_commit(repository: &Repository, named: &Named, env: &Environment) -> Result<Oid, Undetermined> {
    let Named { word, is_of_ci } = named;
    let is_short_id = word.base.len() < 40 && word.base.bytes().all(|byte| byte.is_ascii_hexdigit());
    // Some CIs give the first digits of a commit. A tag can be called like that.
    if *is_of_ci && is_short_id && has_reference(repository.store(), &word.base) {
        let candidates = "a reference is called like the commit".to_owned();
        return Err(GitError::Ambiguous { name: word.base.clone(), candidates }.into());
    }
    commit(repository, &word.base, "base", env).map_err(|error| match () {
        () if repository.is_shallow() => error,
        () if word.is_before_push => Undetermined::new(format!("{}; {REPLACED}", error.message), REPLACED_FIX),
        () if *is_of_ci && word.base.starts_with("refs/remotes/") => {
            Undetermined::new(error.message, ci::branch_fix(env))
        }
        () => error,
    })
}

/// What a push did whose branch was at another commit before, which nobody has any more.
const REPLACED: &str = "the push replaced history";

const REPLACED_FIX: &str = "name the last commit that was good: `--base REV`";

fn has_reference(store: &dyn Store, name: &str) -> bool {
    PLACES.iter().any(|place| store.reference(&format!("{place}{name}")).is_ok_and(|found| found.is_some()))
}

/// The commit a revision means.
fn commit(repository: &Repository, revision: &str, role: &str, env: &Environment) -> Result<Oid, Undetermined> {
    let store = repository.store();
    refuse_ambiguous(store, revision)?;
    if let Some(commit) = store.revision(revision)? {
        return Ok(commit);
    }
    // A checkout in CI has the branches of its remote, not their local namesakes.
    if let Some(commit) = store.reference(&format!("refs/remotes/origin/{revision}"))? {
        return Ok(commit);
    }
    let message = format!("the {role} `{revision}` is no commit of this repository");
    Err(if repository.is_shallow() {
        Undetermined::new(format!("{message}, which is a shallow clone"), ci::shallow_fix(env))
    } else {
        Undetermined::new(message, format!("fetch it, or name another with `--{role} REV`"))
    })
}

/// Where git looks for a short name, in its order.
const PLACES: [&str; 5] = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];

/// Git takes the first of several references that have a name, at best with a warning: a tag called like a branch, a
/// branch `origin/main`, a file `main` in `.git`. Whoever can make one would choose the base.
fn refuse_ambiguous(store: &dyn Store, revision: &str) -> Result<(), Undetermined> {
    let name = revision.split(['^', '~', '@', ':', ' ']).next().unwrap_or_default();
    if name.is_empty() || name == "HEAD" || name.starts_with("refs/") || name.parse::<Oid>().is_ok() {
        return Ok(());
    }
    let mut found = Vec::new();
    for place in PLACES {
        found.extend(store.reference(&format!("{place}{name}")).unwrap_or_default());
    }
    if found.iter().all(|commit| *commit == found[0]) {
        return Ok(());
    }
    let candidates = "several references have that name".to_owned();
    Err(GitError::Ambiguous { name: revision.to_owned(), candidates }.into())
}

/// The default branch of the upstream, or HEAD when that is what is checked out and upstream has all of it. Commits that
/// upstream has not are work like that of any branch, whatever this one is called.
fn default_base(
    repository: &Repository,
    head: &Head,
    head_commit: Oid,
    env: &Environment,
) -> Result<(Oid, String), Undetermined> {
    let store = repository.store();
    for name in default_branch::candidates(store, "origin")? {
        let Some(commit) = default_branch::commit(store, &name)? else { continue };
        let branch = name.trim_start_matches("refs/remotes/origin/").trim_start_matches("refs/heads/");
        let is_checked_out =
            head.branch.as_deref().is_some_and(|head| head.trim_start_matches("refs/heads/") == branch);
        let is_upstream = name.starts_with("refs/remotes/");
        if !is_checked_out || is_upstream && commit != head_commit {
            return Ok((commit, format!("default branch ({})", name.trim_start_matches("refs/"))));
        }
        if repository.is_shallow() {
            let message = "this is a shallow clone of the default branch: what came before HEAD is not here";
            return Err(Undetermined::new(message, ci::shallow_fix(env)));
        }
        return Ok((head_commit, format!("HEAD, which is the default branch ({branch})")));
    }
    let message = "there is no base: no origin/HEAD, origin/main, origin/master, main or master";
    Err(Undetermined::new(message, "name the commit the work started from: `--base REV`, or SPECWARD_BASE"))
}

/// At least one.
pub(super) fn merge_bases(
    repository: &Repository,
    base: Oid,
    tip: Oid,
    env: &Environment,
) -> Result<Vec<Oid>, Undetermined> {
    if base == tip {
        return Ok(vec![tip]);
    }
    match repository.store().merge_bases(base, tip) {
        Ok(bases) if !bases.is_empty() => Ok(bases),
        Err(error @ GitError::Damaged(_)) => Err(error.into()),
        _ if repository.is_shallow() => {
            let message = "this is a shallow clone: base and head have no common commit in it";
            Err(Undetermined::new(message, ci::shallow_fix(env)))
        }
        Ok(_) => Err(Undetermined::new(
            format!("base {base} and head {tip} have no common ancestor"),
            "name a base that head descends from: `--base REV`",
        )),
        Err(error) => Err(error.into()),
    }
}
