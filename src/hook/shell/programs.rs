//! Programs that write to the files they are given.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Call, Reader, expand, scripts};
use crate::hook::targets::{Action, Target, patch};
use crate::shell::Word;

/// A patch above this size is not read.
const MAX_PATCH: u64 = 4 * 1024 * 1024;

impl Reader<'_> {
    pub(super) fn program(&mut self, call: &Call<'_>) {
        match call.name {
            "sed" | "gsed" if call.has(&["-i", "--in-place"]) => {
                self.edited(call, &["-e", "-f", "--expression", "--file"])
            }
            "perl" | "ruby" if is_in_place(call.args) => self.perl(call),
            "awk" | "gawk" if call.args.iter().any(|word| word.text == "inplace") => {
                self.edited(call, &["-f", "-v", "-i", "-F"])
            }
            "yq" if call.has(&["-i", "--inplace"]) => self.each(&call.operands(&[]), call, &Action::Write),
            "prettier" if call.has(&["-w", "--write"]) => self.each(&call.operands(&[]), call, &Action::Write),
            "tee" | "sponge" | "dos2unix" | "unix2dos" | "ed" | "ex" => {
                self.each(&call.operands(&[]), call, &Action::Write)
            }
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
                    self.touched.targets.extend(texts.flat_map(|text| patch::targets(text, folder)));
                }
            }
            "git" => self.git(call),
            "specward" => self.specward(call),
            name if scripts::is_interpreter(name) => self.script(call),
            _ => {}
        }
    }

    pub(super) fn each(&mut self, words: &[&Word], call: &Call<'_>, action: &Action) {
        for word in words {
            self.add(call.folder, word, action.clone());
        }
    }

    /// The first operand is a script, unless an option brings one.
    fn edited(&mut self, call: &Call<'_>, valued: &[&str]) {
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
        for to in expand::paths(&to, call.folder, self.top) {
            if call.name == "rsync" && call.args.iter().any(|word| word.text.starts_with("--delete")) {
                self.touched.targets.push(Target::new(to.clone(), Action::Tree));
            }
            let is_folder = is_named || to.as_os_str().as_encoded_bytes().ends_with(b"/") || to.is_dir();
            for from in &operands {
                self.placed_at(call, from, &to, is_folder);
            }
        }
    }

    fn placed_at(&mut self, call: &Call<'_>, from: &Word, to: &Path, is_folder: bool) {
        let sources = expand::paths(from, call.folder, self.top);
        let at = |source: Option<&Path>| match source.and_then(Path::file_name).filter(|_| is_folder) {
            Some(name) => to.join(name),
            None => to.to_owned(),
        };
        let is_whole = call.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
        let targets: Vec<Target> = if call.name == "mv" {
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
        self.touched.targets.extend(targets);
    }

    fn find(&mut self, call: &Call<'_>) {
        let is_writing = |words: &[Word]| match words {
            [exec, program, ..] if matches!(exec.text.as_str(), "-exec" | "-execdir" | "-ok") => {
                matches!(program.text.as_str(), "rm" | "mv" | "truncate" | "shred")
                    || program.text == "sed" && words.iter().any(|word| word.text.starts_with("-i"))
            }
            [delete, ..] => delete.text == "-delete",
            [] => false,
        };
        let is_path = |word: &&Word| !word.text.starts_with(['-', '(', '!']);
        if (0..call.args.len()).any(|at| is_writing(&call.args[at..])) {
            let folders: Vec<&Word> = call.args.iter().take_while(is_path).collect();
            // Which of the files below it are meant depends on the rest.
            self.each(&folders, call, &Action::Write);
        }
    }

    fn patch(&mut self, call: &Call<'_>) {
        let level = call.args.iter().find_map(|word| word.text.strip_prefix("-p")?.parse().ok()).unwrap_or(0);
        let operands = call.operands(&["-i", "-d", "-o", "-r", "--input", "--directory", "-p"]);
        let folder = match call.value(&["-d", "--directory"]) {
            Some(word) => expand::paths(&word, call.folder, self.top).into_iter().next(),
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
            files.iter().copied().chain(inputs).flat_map(|word| expand::paths(word, call.folder, self.top)).collect();
        for file in files {
            let is_small = fs::metadata(&file).is_ok_and(|file| file.is_file() && file.len() <= MAX_PATCH);
            if let Some(content) = is_small.then(|| fs::read(&file).ok()).flatten() {
                let text = String::from_utf8_lossy(&content);
                self.touched.targets.extend(patch::diff_targets(&text, level, folder));
            }
        }
        for document in &call.command.documents {
            self.touched.targets.extend(patch::diff_targets(document, level, folder));
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
        let Some(folder) = call.folder else { return };
        let given = call.value(&["-c", "-e", "-E", "--eval"]).map(|word| word.text);
        let targets = given.iter().chain(&call.command.documents).flat_map(|text| scripts::targets(text, folder));
        self.touched.targets.extend(targets.collect::<Vec<Target>>());
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
