//! Where a push goes, and what is compared there.

use super::{HEADS, Range, Update, is_zeros};
use crate::repo::default_branch::{self, Branch, ORIGIN, UPSTREAM};
use crate::repo::environment::Environment;
use crate::repo::oid::Oid;
use crate::repo::open::Repository;
use crate::repo::scope::{self, Comparison, HeadSide, Undetermined};
use crate::repo::store::{GitError, Store};

/// Where a push goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Full names of the default branch, where the push goes. None when the push goes elsewhere than to where the default
    /// branch is known from.
    names: Vec<String>,
    /// Full names that would be the default branch as soon as they are there.
    heirs: Vec<String>,
    /// Default branches that work is compared with, the first before the others.
    known: Vec<Branch>,
    /// The default branch of the project, when a fork of it is pushed to.
    project: Option<Branch>,
    standing: Standing,
}

/// How the default branch is known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Standing {
    /// This is where the push goes to.
    Here,
    /// It is what a remote was seen to have.
    Agreed,
    /// It is a branch of one's own, and nothing is known of where the push goes.
    Own {
        /// Whether it is pushed for the first time.
        is_first: bool,
    },
    /// It is not known, and the other side, by this name, has branches.
    Unknown(String),
    /// It is not known, and nothing is known of the other side.
    Nothing,
}

impl Target {
    /// A remote, by its name or place, as this repository knows it, and what is pushed there.
    ///
    /// # Errors
    /// When its default branch cannot be told.
    pub fn remote(
        repository: &Repository,
        remote: Option<&str>,
        place: Option<&str>,
        updates: &[Update],
    ) -> Result<Self, Undetermined> {
        let store = repository.store();
        let remote = remote.unwrap_or(ORIGIN);
        let goes_to = repository.remotes().alike(remote, place, repository.workdir());
        let mut known = default_branch::agreed(store)?;
        // A fork is pushed to as well, and its default branch is behind or ahead of the one work is merged to.
        if known.is_empty() {
            let found = goes_to.iter().map(|of| default_branch::of_remote(store, of));
            known.extend(found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().next());
        }
        if !known.is_empty() {
            let there = |branch: &Branch| goes_to.iter().find_map(|remote| branch.at_remote(remote));
            let is_to = |remote: &str| goes_to.iter().any(|name| name == remote);
            // What a fork has was not agreed to by the project.
            if is_to(UPSTREAM) && !is_to(ORIGIN) && known.iter().any(|branch| there(branch).is_some()) {
                known.retain(|branch| there(branch).is_some());
            }
            let names = known.iter().filter_map(there).collect();
            let is_projects = |branch: &&Branch| branch.at_remote(UPSTREAM).is_some() && there(branch).is_none();
            let project = known.iter().find(is_projects).cloned();
            return Ok(Self { names, heirs: Vec::new(), known, project, standing: Standing::Agreed });
        }
        for of in goes_to.iter().map(String::as_str).chain([ORIGIN, UPSTREAM]) {
            if default_branch::is_name(of) && store.has_references(&format!("refs/remotes/{of}/"))? {
                return Ok(Self::without(Standing::Unknown(of.to_owned())));
            }
        }
        let is_empty_there = updates.iter().all(|update| is_zeros(&update.old));
        let Some(own) = default_branch::own(store)? else {
            let standing = if is_empty_there { Standing::Nothing } else { Standing::Unknown(remote.to_owned()) };
            return Ok(Self::without(standing));
        };
        let is_first = updates.iter().any(|update| update.remote == own.name && is_zeros(&update.old));
        let names = vec![own.name.clone()];
        Ok(Self { names, heirs: Vec::new(), known: vec![own], project: None, standing: Standing::Own { is_first } })
    }

    fn without(standing: Standing) -> Self {
        Self { names: Vec::new(), heirs: Vec::new(), known: Vec::new(), project: None, standing }
    }

    /// This repository, which is pushed to.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn here(repository: &Repository) -> Result<Self, Undetermined> {
        let store = repository.store();
        let said = store.head()?.branch;
        // A new repository may say `master` for ever, and have `main`.
        let mut names: Vec<String> = Vec::new();
        for name in said.into_iter().chain(default_branch::usual()) {
            let name = default_branch::resolved(store, &name)?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let found = default_branch::first(store, &names)?;
        let standing = Standing::Here;
        if let Some(found) = found {
            // What is looked at before it would take its place.
            let heirs = names.into_iter().take_while(|name| *name != found.name).collect();
            return Ok(Self { names: vec![found.name.clone()], heirs, known: vec![found], project: None, standing });
        }
        let names = if store.has_references(HEADS)? { Vec::new() } else { names };
        Ok(Self { names, heirs: Vec::new(), known: Vec::new(), project: None, standing })
    }

    /// What an update is to be judged by.
    ///
    /// The default branch is compared with what it is where it goes, and not with a merge base: what a forced push takes
    /// away is an edit. Any other branch is compared with where it left the default branch, whatever of it was pushed
    /// before: work is judged as a whole, or an edit of the specs would count as agreed once it was pushed.
    ///
    /// # Errors
    /// When something is missing to tell.
    pub fn range(&self, repository: &Repository, update: &Update) -> Result<Range, Undetermined> {
        let store = repository.store();
        let is_here = self.standing == Standing::Here;
        let shown = &update.remote;
        // What is pushed to a name that follows another goes to that other.
        let name = if is_here { default_branch::resolved(store, shown)? } else { shown.clone() };
        let is_default = self.names.contains(&name);
        if is_zeros(&update.new) {
            return self.deletion(store, update, &name);
        }
        if is_here && name.starts_with(REPLACE) {
            let message = format!("{shown} would have git show something else than what was judged");
            let fix = "leave replacements at home: push branches and tags".to_owned();
            return Ok(Range::Refused { message, fix });
        }
        let Some(head) = peeled(store, &update.new, "is pushed")? else {
            return Ok(Range::Nothing(format!("{shown} names no commit, and nothing in it is judged")));
        };
        if self.heirs.contains(&name)
            && let Some(default) = self.known.first()
        {
            return Ok(takes_place(shown, default, head));
        }
        if is_default {
            return self.default_branch(repository, update, head);
        }
        if self.known.is_empty() {
            return self.without_default(store, update, head);
        }
        if self.known.iter().any(|known| known.short() == name.trim_start_matches(HEADS))
            && let Some(old) = old(store, update)?
            && !contains(store, head, old)
        {
            // A remote may have several names. What is lost there is seen by what git says of it.
            return Ok(exact(update, head, Some(old)));
        }
        if let Some(default) = default_branch::containing(store, &self.known, head) {
            return match self.standing {
                Standing::Own { is_first: false } if is_zeros(&update.old) => {
                    let message = format!("{shown} is new, and nothing is known of the branches it will stand beside");
                    let fix = format!("push {} first, to a remote that has a name", default.short());
                    Err(Undetermined::new(message, fix))
                }
                Standing::Own { .. } => Ok(exact(update, head, old(store, update)?)),
                _ => Ok(has_all(shown, default)),
            };
        }
        branch(repository, &self.known, head)
    }

    fn deletion(&self, store: &dyn Store, update: &Update, name: &str) -> Result<Range, Undetermined> {
        let shown = &update.remote;
        if self.standing == Standing::Here && name.starts_with(HEADS) {
            // What is there counts, and not what whoever pushes says of it.
            if let Some(default) = self.known.iter().find(|_| self.names.iter().any(|default| default == name)) {
                return Ok(Range::DeletesDefault(default.commit));
            }
            if self.known.is_empty() && store.reference(name)?.is_some() {
                return Err(nameless(format!("{shown} is deleted, and may be the default branch: HEAD names none")));
            }
        }
        Ok(Range::Nothing(format!("{shown} is deleted, and nothing is left to judge")))
    }

    fn default_branch(&self, repository: &Repository, update: &Update, head: Oid) -> Result<Range, Undetermined> {
        let store = repository.store();
        let old = old(store, update)?;
        // A fork is brought up to the project it was made from.
        if let Some(project) = &self.project
            && let Some(old) = old.filter(|old| *old != head && contains(store, head, *old))
        {
            let project = std::slice::from_ref(project);
            if let Some(project) = default_branch::containing(store, project, head) {
                return Ok(has_all(&update.remote, project));
            }
            let bases = store.merge_bases(project[0].commit, head).unwrap_or_default();
            if bases.iter().any(|base| *base != old && contains(store, *base, old)) {
                return branch(repository, project, head);
            }
        }
        Ok(exact(update, head, old))
    }

    /// An update where nobody knows what the default branch is.
    fn without_default(&self, store: &dyn Store, update: &Update, head: Oid) -> Result<Range, Undetermined> {
        let shown = &update.remote;
        if is_zeros(&update.old) {
            match &self.standing {
                Standing::Here if store.has_references(HEADS)? => {
                    let message = format!("{shown} is new, and the default branch to compare it with is not here");
                    return Err(nameless(message));
                }
                Standing::Unknown(remote) => {
                    let message = format!("{shown} is new, and the default branch to compare it with is not known");
                    // A place has no such setting.
                    let remote = if default_branch::is_name(remote) { remote } else { "REMOTE" };
                    let how = format!("git remote set-head {remote}");
                    let fix = format!("run `{how} --auto`, or `{how} BRANCH` where it has no default branch yet");
                    return Err(Undetermined::new(message, fix));
                }
                _ => {}
            }
        }
        Ok(exact(update, head, old(store, update)?))
    }
}

/// Where git keeps what it shows in place of something else.
const REPLACE: &str = "refs/replace/";

/// A comparison with where a branch left the default one, the nearest of those that are known.
fn branch(repository: &Repository, known: &[Branch], head: Oid) -> Result<Range, Undetermined> {
    let store = repository.store();
    let Some(Branch { name, commit: default }) = default_branch::nearest(store, known, head) else {
        return Err(nameless("there is no default branch".to_owned()));
    };
    let source = format!("default branch ({})", name.trim_start_matches("refs/"));
    let bases = store.merge_bases(*default, head);
    if bases.is_ok_and(|bases| bases.is_empty()) && !repository.is_shallow() {
        let source = format!("{source}, with which it has no commit in common");
        return Ok(compare(Some(*default), None, Vec::new(), source, head, true));
    }
    // No CI runs here, so none has words of its own for a shallow clone.
    let mut bases = scope::merge_bases(repository, *default, head, &Environment::default())?;
    let base = bases.remove(0);
    Ok(compare(Some(base), Some(*default), bases, source, head, false))
}

/// A comparison with what the reference was.
fn exact(update: &Update, head: Oid, old: Option<Oid>) -> Range {
    let shown = &update.remote;
    match old {
        Some(old) if old == head => Range::Nothing(format!("{shown} has this commit already")),
        Some(old) => compare(Some(old), None, Vec::new(), format!("{shown} as it is there"), head, false),
        None => compare(None, None, Vec::new(), format!("nothing: {shown} is the first branch"), head, false),
    }
}

/// A branch that would be the default one from now on.
fn takes_place(shown: &str, default: &Branch, head: Oid) -> Range {
    let short = default.name.trim_start_matches("refs/");
    if head == default.commit {
        return Range::Nothing(format!("{shown} has nothing that {short} does not have, and takes its place"));
    }
    let fix = format!("until the server says `git symbolic-ref HEAD {}`", default.name);
    let source = format!("{short}, whose place as default branch it would take {fix}");
    compare(Some(default.commit), None, Vec::new(), source, head, false)
}

fn has_all(shown: &str, default: &Branch) -> Range {
    Range::Nothing(format!("{shown} has nothing that {} does not have", default.name.trim_start_matches("refs/")))
}

fn nameless(message: String) -> Undetermined {
    Undetermined::new(message, "name it in the repository that is pushed to: `git symbolic-ref HEAD refs/heads/NAME`")
}

/// Whether a commit has another one in its history. What cannot be read is no such history.
fn contains(store: &dyn Store, head: Oid, old: Oid) -> bool {
    head == old || store.merge_bases(old, head).is_ok_and(|bases| bases.contains(&old))
}

/// What the reference was.
fn old(store: &dyn Store, update: &Update) -> Result<Option<Oid>, Undetermined> {
    if is_zeros(&update.old) { Ok(None) } else { peeled(store, &update.old, "is what it is there") }
}

fn compare(
    base: Option<Oid>,
    tip: Option<Oid>,
    other_bases: Vec<Oid>,
    base_source: String,
    head: Oid,
    is_unrelated: bool,
) -> Range {
    let comparison = Comparison { base, tip, other_bases, base_source, head: HeadSide::Commit(head) };
    Range::Compare { comparison, is_unrelated }
}

fn peeled(store: &dyn Store, id: &str, what: &str) -> Result<Option<Oid>, Undetermined> {
    let parsed = id.parse::<Oid>().map_err(|error| {
        Undetermined::new(format!("`{id}` {what}, and is no name of a commit: {error}"), "run `git fsck`")
    })?;
    match store.peeled(parsed) {
        Err(GitError::MissingObject(missing)) => Err(Undetermined::new(
            format!("{id} {what}, and object {missing} is not here"),
            "run `git fetch`, look at what others pushed, and push again",
        )),
        peeled => Ok(peeled?),
    }
}
