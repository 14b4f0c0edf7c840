//! What git does to files it is told by name. What it does to a whole branch is not guessed.

use std::path::{Path, PathBuf};

use super::{Call, Reader, operands};
use crate::hook::place;
use crate::hook::targets::Action;
use crate::shell::Word;

/// Options before the command that take a value.
const VALUED: &[&str] = &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"];

impl Reader<'_> {
    pub(super) fn git(&mut self, call: &Call<'_>) {
        let mut folder = call.folder.map(Path::to_owned);
        let mut rest = call.args;
        let name = loop {
            let Some((word, after)) = rest.split_first() else { return };
            rest = after;
            if word.text == "-C" || word.text == "--work-tree" {
                folder = after.first().and_then(|to| self.one(to, folder.as_deref()));
            }
            if VALUED.contains(&word.text.as_str()) {
                rest = after.get(1..).unwrap_or_default();
            } else if !word.text.starts_with('-') {
                break word.text.as_str();
            }
        };
        let inner = Call { name, args: rest, command: call.command, folder: folder.as_deref() };
        match name {
            "checkout" => self.checkout(&inner),
            "restore" => {
                let source = inner.value(&["-s", "--source"]).map(|word| word.text);
                let paths = inner.operands(&["-s", "--source"]);
                self.each(&paths, &inner, &Action::Restore(source));
            }
            "reset" => {
                let (rev, paths) = split(&inner, &[]);
                self.each(&paths, &inner, &Action::Restore(rev));
            }
            "rm" => self.each(&inner.operands(&[]), &inner, &Action::Tree),
            "mv" => self.moved(&inner),
            "clean" => self.each(&inner.operands(&["-e", "--exclude"]), &inner, &Action::Write),
            "stash" => {
                let operands = inner.operands(&["-m", "--message"]);
                if let Some((first, paths)) = operands.split_first()
                    && matches!(first.text.as_str(), "push" | "save")
                {
                    self.each(paths, &inner, &Action::Write);
                }
            }
            "apply" | "am" => self.applied(&inner),
            "update-index" => self.update_index(&inner),
            _ => {}
        }
    }

    fn one(&self, word: &Word, folder: Option<&Path>) -> Option<PathBuf> {
        self.paths(word, folder).into_iter().next()
    }

    fn checkout(&mut self, call: &Call<'_>) {
        // A new branch, or a side of a conflict.
        if call.has(&["-b", "-B", "--orphan", "--ours", "--theirs", "--merge", "--detach"]) {
            return;
        }
        let (rev, paths) = split(call, &[]);
        self.each(&paths, call, &Action::Restore(rev));
    }

    fn moved(&mut self, call: &Call<'_>) {
        let operands = call.operands(&[]);
        let Some((to, sources)) = operands.split_last() else { return };
        let Some(to) = self.one(to, call.folder) else { return };
        for source in sources {
            for path in self.paths(source, call.folder) {
                let name = path.file_name().filter(|_| sources.len() > 1 || to.is_dir());
                let to = name.map_or_else(|| to.clone(), |name| to.join(name));
                self.add(call.folder, source, Action::Move(to));
            }
        }
    }

    fn applied(&mut self, call: &Call<'_>) {
        let is_question =
            call.has(&["--check", "--stat", "--numstat", "--summary", "--abort", "--skip", "--show-current-patch"]);
        let Some(folder) = call.folder.filter(|_| !is_question) else { return };
        let level = call.args.iter().find_map(|word| word.text.strip_prefix("-p")?.parse().ok()).unwrap_or(1);
        let below = call.value(&["--directory"]).map(|word| word.text).unwrap_or_default();
        // Names in a diff begin at the top of the work tree, or here when there is none.
        let top = self.top.filter(|top| folder.starts_with(top)).unwrap_or(folder);
        let files = call.operands(&["--directory", "--exclude", "--include", "-C", "--whitespace"]);
        self.diffs(call, &files, level, &top.join(below));
    }

    fn update_index(&mut self, call: &Call<'_>) {
        let options =
            ["--assume-unchanged", "--skip-worktree", "--force-remove", "--chmod", "--cacheinfo", "--index-info"];
        if !call.has(&options) {
            return;
        }
        // `--cacheinfo <mode>,<object>,<path>`, and the same in three words.
        let operands = operands(call.args, &["--chmod"]);
        for word in operands {
            let path = word.text.rsplit(',').next().unwrap_or_default();
            self.add(call.folder, &Word { text: path.to_owned(), is_literal: word.is_literal }, Action::Write);
        }
    }
}

/// The commit and the paths of a command that takes both. Without `--` a first word that is no file is the commit.
fn split<'c>(call: &Call<'c>, valued: &[&str]) -> (Option<String>, Vec<&'c Word>) {
    let dashes = call.args.iter().position(|word| word.text == "--");
    if let Some(at) = dashes {
        let before = operands(&call.args[..at], valued);
        return (before.first().map(|word| word.text.clone()), call.args[at + 1..].iter().collect());
    }
    let words = call.operands(valued);
    let is_file = |word: &Word| call.folder.is_some_and(|folder| folder.join(&word.text).symlink_metadata().is_ok());
    match words.split_first() {
        Some((first, rest)) if !is_file(first) => (Some(first.text.clone()), rest.to_vec()),
        _ => (None, words),
    }
}

/// The commit and the file of `git show COMMIT:FILE`, which writes a file as git has it.
pub(super) fn shown(words: &[Word], folder: Option<&Path>, top: Option<&Path>) -> Option<(Option<String>, PathBuf)> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).take(5).collect();
    let (["git", "show", what] | ["git", "cat-file", "-p" | "blob", what]) = texts.as_slice() else { return None };
    let (rev, file) = what.strip_prefix(":0").unwrap_or(what).split_once(':')?;
    let base = if file.starts_with("./") || file.starts_with("../") { folder? } else { top? };
    Some((Some(rev.to_owned()).filter(|rev| !rev.is_empty()), place::plain(&base.join(file))))
}
