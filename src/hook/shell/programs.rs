//! Programs that write to the files they are given.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Call, Command, Folder, Reader, feed, scripts};
use crate::hook::targets::{Action, Target, patch};
use crate::shell::Word;

/// A patch above this size is not read.
const MAX_PATCH: u64 = 4 * 1024 * 1024;

impl Reader<'_> {
    pub(super) fn program(&mut self, call: &Call<'_>) {
        match call.name {
            "sed" | "gsed" => self.sed(call),
            "perl" | "ruby" if is_in_place(call.args) => self.perl(call),
            "awk" | "gawk" | "mawk" | "nawk" => self.awk(call),
            "tar" | "gtar" | "bsdtar" => self.tar(call),
            "unzip" => self.unzip(call),
            "sd" if !call.has(&["-p", "--preview"]) => {
                self.each(call.operands(&["-n", "-f"]).get(2..).unwrap_or_default(), call, &Action::Write)
            }
            "ed" => self.each(&call.operands(&["-p"]), call, &Action::Write),
            "vi" | "vim" | "nvim" | "ex" if !call.has(&["-R", "-M"]) => {
                self.each(&call.operands(&["-c", "-s", "-S", "-u", "--cmd"]), call, &Action::Write)
            }
            "yq" if call.has(&["-i", "--inplace"]) => self.each(&call.operands(&[]), call, &Action::Write),
            "prettier" if call.has(&["-w", "--write"]) => self.each(&call.operands(&[]), call, &Action::Write),
            "tee" | "sponge" | "dos2unix" | "unix2dos" => self.each(&call.operands(&[]), call, &Action::Write),
            "touch" => self.each(&call.operands(&["-d", "-r", "-t", "--date", "--reference"]), call, &Action::Write),
            "truncate" => self.each(&call.operands(&["-s", "-r", "--size", "--reference"]), call, &Action::Write),
            "rm" | "rmdir" | "unlink" | "shred" | "trash" => {
                self.each(&call.operands(&["-n", "-s"]), call, &Action::Tree)
            }
            "chmod" | "chown" | "chgrp" => {
                let operands = call.operands(&["--reference", "--from"]);
                let action = if call.has(&["-R", "--recursive"]) { Action::Tree } else { Action::Write };
                self.each(operands.get(1..).unwrap_or_default(), call, &action);
            }
            "mv" | "cp" | "ln" | "install" | "link" | "rsync" | "scp" => self.placed(call),
            "dd" => {
                for word in call.args {
                    if let Some(file) = word.text.strip_prefix("of=") {
                        self.add(
                            call.folder,
                            &Word { text: file.to_owned(), is_literal: word.is_literal },
                            Action::Write,
                        );
                    }
                }
            }
            "sort" | "curl" | "wget" => {
                let options: &[&str] =
                    if call.name == "wget" { &["-O", "--output-document"] } else { &["-o", "--output"] };
                if let Some(word) = call.value(options) {
                    self.add(call.folder, &word, Action::Write);
                }
            }
            "find" => self.find(call),
            "patch" => self.patch(call),
            "apply_patch" | "applypatch" => {
                let texts = call.args.iter().map(|word| &word.text).chain(&call.command.documents);
                if let Some(folder) = call.folder {
                    self.touched.extend(texts.flat_map(|text| patch::targets(text, folder)));
                }
            }
            "git" => self.git(call),
            "specward" => self.specward(call),
            name if scripts::is_interpreter(name) => self.script(call),
            _ => {}
        }
    }

    pub(super) fn each(&mut self, words: &[&Word], call: &Call<'_>, action: &Action) {
        let mut known = HashSet::new();
        for word in words.iter().filter(|word| known.insert((&word.text, word.is_literal))) {
            self.add(call.folder, word, action.clone());
        }
    }

    /// The first operand is a script, unless an option brings one.
    pub(super) fn edited(&mut self, call: &Call<'_>, valued: &[&str]) {
        let operands = call.operands(valued);
        let scripts = ["-e", "-f", "--expression", "--file"];
        let scripts: Vec<&str> = scripts.into_iter().filter(|option| valued.contains(option)).collect();
        let has_script = call.args.iter().any(|word| scripts.iter().any(|option| word.text.starts_with(option)));
        let files = operands.get(usize::from(!has_script)..).unwrap_or_default();
        self.each(files, call, &Action::Write);
    }

    /// `-pi -e '…' FILE…`: options may stand together, and the last one takes the script.
    fn perl(&mut self, call: &Call<'_>) {
        let mut files: Vec<&Word> = Vec::new();
        let mut has_script = false;
        let mut rest = call.args;
        while let Some((word, after)) = rest.split_first() {
            rest = after;
            let is_option = word.text.starts_with('-') && word.text.len() > 1;
            if is_option && word.text.ends_with(['e', 'E']) {
                has_script = true;
                rest = after.get(1..).unwrap_or_default();
            } else if !is_option {
                files.push(word);
            }
        }
        let files = files.get(usize::from(!has_script)..).unwrap_or_default();
        self.each(files, call, &Action::Write);
    }

    /// Programs whose last argument, or an option, is where to.
    fn placed(&mut self, call: &Call<'_>) {
        let valued =
            ["-t", "--target-directory", "-S", "--suffix", "-m", "-o", "-g", "--mode", "-e", "--exclude", "--include"];
        let mut operands = call.operands(&valued);
        let is_whole = call.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
        let folder = call.value(&["-t", "--target-directory"]);
        if call.name == "install" && call.has(&["-d", "--directory"]) {
            return self.each(&operands, call, &Action::Write);
        }
        let to = match &folder {
            Some(word) => word.clone(),
            // `ln FILE` puts a link of that name here.
            None if operands.len() < 2 && call.name == "ln" => Word::from("."),
            None if operands.len() < 2 => return,
            None => match operands.pop() {
                Some(word) => word.clone(),
                None => return,
            },
        };
        let is_remote = to.text.contains(':') && matches!(call.name, "rsync" | "scp");
        if is_remote {
            return;
        }
        let is_named = folder.is_some() || operands.len() > 1 || matches!(to.text.as_str(), "." | "..");
        for to in self.paths(&to, call.folder) {
            if call.name == "rsync" && call.args.iter().any(|word| word.text.starts_with("--delete")) {
                self.note(Target::new(to.clone(), Action::Tree));
            }
            let is_folder = is_named || to.as_os_str().as_encoded_bytes().ends_with(b"/") || to.is_dir();
            let mut known = HashSet::new();
            for from in operands.iter().filter(|from| known.insert(&from.text)) {
                if self.touched.is_too_much {
                    return;
                }
                self.placed_at(call, from, &to, is_folder, is_whole);
            }
        }
    }

    fn placed_at(&mut self, call: &Call<'_>, from: &Word, to: &Path, is_folder: bool, is_whole: bool) {
        let at = |source: Option<&Path>| match source.and_then(Path::file_name).filter(|_| is_folder) {
            Some(name) => to.join(name),
            None => to.to_owned(),
        };
        let targets: Vec<Target> = if call.name == "mv" {
            let sources = self.paths(from, call.folder);
            let known = sources.iter().map(|source| Target::new(source.clone(), Action::Move(at(Some(source)))));
            let unknown = sources.is_empty().then(|| Target::new(at(None), Action::Write));
            known.chain(unknown).collect()
        } else {
            let name = Path::new(&from.text);
            let named = at(Some(name));
            // What becomes of a folder's content cannot be told; of a folder by that name it can.
            let action = if is_whole && named != to { Action::Tree } else { Action::Write };
            vec![Target::new(named, action)]
        };
        targets.into_iter().for_each(|target| self.note(target));
    }

    /// Which of the files below its folders are meant depends on the rest.
    fn find(&mut self, call: &Call<'_>) {
        let meant = feed::found(call.args);
        let mut rest = call.args;
        while let Some((word, after)) = rest.split_first() {
            rest = after;
            match word.text.as_str() {
                "-delete" => self.fed(|reader| reader.each(&meant.iter().collect::<Vec<_>>(), call, &Action::Tree)),
                "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                    if let Some(file) = after.first() {
                        self.add(call.folder, file, Action::Write);
                    }
                }
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let is_end = |word: &Word| matches!(word.text.as_str(), ";" | "+");
                    let length = after.iter().position(is_end).unwrap_or(after.len());
                    let (run, after) = after.split_at(length);
                    rest = after;
                    let words = feed::put_in(run, "{}", &meant);
                    let mut folder = call.folder.map(Into::into);
                    self.depth += 1;
                    if self.depth < super::DEPTH && !self.is_enough(length) {
                        self.fed(|reader| {
                            reader.run(&Command { words, fed: meant.clone(), ..Command::default() }, &mut folder)
                        });
                    }
                    self.depth -= 1;
                }
                _ => {}
            }
        }
    }

    /// Does something to files of which only the folders are known.
    fn fed(&mut self, act: impl FnOnce(&mut Self)) {
        let was_fed = std::mem::replace(&mut self.is_fed, true);
        act(self);
        self.is_fed = was_fed;
    }

    fn patch(&mut self, call: &Call<'_>) {
        let level = call.args.iter().find_map(|word| word.text.strip_prefix("-p")?.parse().ok()).unwrap_or(0);
        let operands = call.operands(&["-i", "-d", "-o", "-r", "--input", "--directory", "-p"]);
        let folder = match call.value(&["-d", "--directory"]) {
            Some(word) => self.paths(&word, call.folder).into_iter().next(),
            None => call.folder.map(Path::to_owned),
        };
        if call.has(&["--dry-run"]) {
            return;
        }
        if let Some(file) = operands.first() {
            self.add(folder.as_deref(), file, Action::Write);
        }
        let file = call.value(&["-i", "--input"]);
        let files: Vec<&Word> = operands.get(1).copied().into_iter().chain(&file).collect();
        if let Some(folder) = folder {
            self.diffs(call, &files, level, &folder);
        }
    }

    /// The files that diffs are about: those in these files, on standard input, and in here documents.
    pub(super) fn diffs(&mut self, call: &Call<'_>, files: &[&Word], level: usize, folder: &Path) {
        let inputs = call.command.redirections.iter().filter(|(sign, _)| *sign == "<").map(|(_, word)| word);
        let files: Vec<PathBuf> =
            files.iter().copied().chain(inputs).flat_map(|word| self.paths(word, call.folder)).collect();
        for file in files {
            let is_small = fs::metadata(&file).is_ok_and(|file| file.is_file() && file.len() <= MAX_PATCH);
            if let Some(content) = is_small.then(|| fs::read(&file).ok()).flatten() {
                let text = String::from_utf8_lossy(&content);
                self.touched.extend(patch::diff_targets(&text, level, folder));
            }
        }
        for document in &call.command.documents {
            self.touched.extend(patch::diff_targets(document, level, folder));
        }
    }

    /// Commands of ours by which an agent would decide what it is judged by.
    fn specward(&mut self, call: &Call<'_>) {
        let operands = call.operands(&[]);
        let is_asking = call.has(&["-h", "--help"]);
        let first = operands.first().map(|word| word.text.as_str()).unwrap_or_default();
        let is_forbidden = matches!(first, "accept" | "hook") || first == "init" && call.has(&["--uninstall"]);
        if is_forbidden && !is_asking {
            self.touched.commands.push(format!("specward {first}"));
        }
    }

    /// A script on the command line or in a here document.
    fn script(&mut self, call: &Call<'_>) {
        let given = call.value(&["-c", "-e", "-E", "--eval"]).map(|word| word.text);
        for text in given.iter().chain(&call.command.documents) {
            self.code(text, call.folder.map(Into::into));
        }
    }

    /// A script of another language.
    pub(super) fn code(&mut self, text: &str, folder: Folder) {
        if self.is_enough(text.len()) {
            return;
        }
        let found = scripts::read(text);
        if let Some(folder) = &folder {
            found.files.iter().for_each(|name| self.note(Target::new(folder.join(name), Action::Write)));
        }
        found.lines.iter().for_each(|line| self.line(line, folder.clone()));
    }
}

/// Whether a perl edits its files: an `i` among options that stand together, and not in a module's name.
fn is_in_place(args: &[Word]) -> bool {
    let has_it = |word: &Word| {
        let letters = word
            .text
            .strip_prefix('-')
            .filter(|letters| !letters.starts_with(['-', 'M', 'm', 'I', 'r', 'x', 'd', 'F']));
        letters.is_some_and(|letters| {
            letters.chars().take_while(|letter| !matches!(letter, 'e' | 'E')).any(|letter| letter == 'i')
        })
    };
    args.iter().take_while(|word| word.text.starts_with('-')).any(has_it)
}
