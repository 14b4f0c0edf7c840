//! Programs with a language of their own, and those that unpack.

use super::{Call, Reader};
use crate::hook::targets::Action;
use crate::shell::Word;

impl Reader<'_> {
    pub(super) fn sed(&mut self, call: &Call<'_>) {
        let valued = ["-e", "-f", "--expression", "--file"];
        if call.has(&["-i", "--in-place"]) {
            self.edited(call, &valued);
        }
        // `w FILE` as a command or behind `s/…/…/`; the name goes on to the end of the line.
        for line in call.args.iter().flat_map(|word| word.text.lines()) {
            for (at, _) in line.match_indices("w ") {
                let before = line[..at].chars().next_back();
                let is_command = before.is_none_or(|c| "/|,#@:; }$gpiIMme0123456789".contains(c));
                if is_command {
                    self.add(call.folder, &Word::from(line[at + 2..].trim()), Action::Write);
                    break;
                }
            }
        }
    }

    pub(super) fn awk(&mut self, call: &Call<'_>) {
        if call.args.iter().any(|word| word.text == "inplace") {
            self.edited(call, &["-f", "-v", "-i", "-F"]);
        }
        for word in call.args {
            for name in quoted_behind(&word.text, &[">"]) {
                self.add(call.folder, &Word::from(name), Action::Write);
            }
            for line in quoted_behind(&word.text, &["|", "system("]) {
                self.line(line, call.folder.map(Into::into));
            }
        }
    }

    pub(super) fn tar(&mut self, call: &Call<'_>) {
        let bundle = call.args.first().map(|word| word.text.as_str()).filter(|text| !text.starts_with('-'));
        let has = |letter: char, name: &str| {
            bundle.is_some_and(|bundle| bundle.contains(letter)) || call.has(&[&format!("-{letter}"), name])
        };
        let archive = match bundle.filter(|bundle| bundle.contains('f')) {
            Some(_) => call.args.get(1).cloned(),
            None => call.value(&["-f", "--file"]),
        };
        if has('c', "--create") || has('r', "--append") {
            if let Some(archive) = archive {
                self.add(call.folder, &archive, Action::Write);
            }
        } else if has('x', "--extract") || call.has(&["--get"]) {
            let operands = call.operands(&["-f", "--file", "-C", "--directory", "-X", "--exclude"]);
            // The bundle and the archive behind it.
            let skipped = bundle.map_or(0, |bundle| 1 + usize::from(bundle.contains('f')));
            self.unpacked(call, call.value(&["-C", "--directory"]), operands.get(skipped..).unwrap_or_default());
        }
    }

    pub(super) fn unzip(&mut self, call: &Call<'_>) {
        if !call.has(&["-l", "-p", "-t", "-v", "-Z", "-z"]) {
            let operands = call.operands(&["-d", "-x"]);
            self.unpacked(call, call.value(&["-d"]), operands.get(1..).unwrap_or_default());
        }
    }

    /// What an archive holds is not known, but where it goes.
    fn unpacked(&mut self, call: &Call<'_>, folder: Option<Word>, members: &[&Word]) {
        let to = folder.unwrap_or_else(|| Word::from("."));
        let was_fed = std::mem::replace(&mut self.is_fed, true);
        self.add(call.folder, &to, Action::Write);
        for path in self.paths(&to, call.folder) {
            members.iter().for_each(|member| self.add(Some(&path), member, Action::Write));
        }
        self.is_fed = was_fed;
    }
}

/// Every text in double quotes right behind one of these signs.
fn quoted_behind<'t>(text: &'t str, signs: &[&str]) -> Vec<&'t str> {
    let behind = |(at, sign): (usize, &str)| {
        let rest = text[at + sign.len()..].trim_start_matches(['>', ' ']).strip_prefix('"')?;
        rest.find('"').map(|end| &rest[..end])
    };
    signs.iter().flat_map(|sign| text.match_indices(*sign)).filter_map(behind).collect()
}
