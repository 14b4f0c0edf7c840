//! Files of criteria, edited as text: what somebody wrote into them stays byte for byte.

use std::collections::{HashMap, HashSet};

use bstr::ByteSlice;

use super::yaml::quoted;
use crate::criteria::{Criterion, file};

/// A criterion as an import wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// Its requirement's name.
    pub requirement: String,
    /// Its scenario's name.
    pub scenario: String,
    /// Its sentence.
    pub ears: String,
}

/// What is to be done to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Entries that are added where there is none, and brought up to date where there is one.
    pub written: Vec<Entry>,
    /// Ids of entries whose scenario is gone.
    pub gone: Vec<String>,
}

/// What was done to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edited {
    /// The text.
    pub text: String,
    /// How many entries are new.
    pub added: usize,
    /// Ids of entries that are gone from the source and stay, since somebody gave them checks.
    pub kept: Vec<String>,
}

/// Why a file cannot be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Uneditable {
    /// It cannot be read.
    #[error("{0}")]
    Bad(#[from] file::FileFault),
    /// Its list is written on one line, or in another way that leaves no place for an entry.
    #[error(
        "its list of criteria is written in a way that no entry can be added to; write each entry as `- requirement: …` on lines of its own"
    )]
    Style,
}

/// The file for a capability with what is wanted of it. None when nothing is to be done.
///
/// # Errors
/// When the file as it stands cannot be read, or no place for an entry can be found.
pub fn edit(before: Option<&str>, capability: &str, wanted: &Wanted) -> Result<Edited, Uneditable> {
    let Some(before) = before else {
        let entries: String = wanted.written.iter().map(|entry| rendered(entry, "  ")).collect();
        let list = if entries.is_empty() { "criteria: []\n".to_owned() } else { format!("criteria:\n{entries}") };
        let text = format!("# Fill in `verify`: until then each criterion is UNVERIFIABLE.\nversion: 1\n{list}");
        let edited = Edited { text, added: wanted.written.len(), kept: Vec::new() };
        confirm(&edited, capability, wanted, 0)?;
        return Ok(edited);
    };
    let known = parse(before, capability)?;
    let mut lines: Vec<String> = before.split_inclusive('\n').map(str::to_owned).collect();
    let mut edited = Edited::default();
    let end_of = end_of_line(before);
    let mut list = List::of(&lines, &known).ok_or(Uneditable::Style)?;
    let mut by_id: HashMap<&str, (usize, &Criterion)> = HashMap::new();
    let mut names: HashSet<(&str, &str)> = HashSet::new();
    for (at, criterion) in known.iter().enumerate() {
        by_id.insert(&criterion.id, (at, criterion));
        names.insert((&criterion.requirement, &criterion.scenario));
    }
    // From the end on, so that the lines before stay where they are.
    let mut changes: Vec<(usize, Option<&Entry>)> = Vec::new();
    let mut new: Vec<&Entry> = Vec::new();
    for entry in &wanted.written {
        match by_id.get(entry.id.as_str()) {
            Some((at, criterion)) if !is_as_wanted(criterion, entry) => changes.push((*at, Some(entry))),
            Some(_) => {}
            None if names.contains(&(entry.requirement.as_str(), entry.scenario.as_str())) => {}
            None => new.push(entry),
        }
    }
    changes.extend(wanted.gone.iter().filter_map(|id| by_id.get(id.as_str()).map(|(at, _)| (*at, None))));
    edited.added = new.len();
    if !new.is_empty() {
        if let Some((line, text)) = list.empty.take() {
            lines[line] = text;
        }
        let at = list.end;
        let text: String = new.iter().map(|entry| rendered(entry, &list.indent)).collect();
        let ended = at.checked_sub(1).and_then(|last| lines.get_mut(last));
        if let Some(last) = ended.filter(|last| !last.ends_with('\n')) {
            last.push_str(end_of);
        }
        lines.insert(at, text.replace('\n', end_of));
    }
    changes.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, entry) in changes {
        let range = list.entries[at].clone();
        match entry {
            Some(entry) => update(&mut lines[range], entry),
            None if known[at].checks.is_empty() && !has_comment(&lines[range.clone()]) => {
                lines.drain(range);
            }
            None => edited.kept.push(known[at].id.clone()),
        }
    }
    edited.text = lines.concat();
    edited.kept.reverse();
    confirm(&edited, capability, wanted, known.len())?;
    Ok(edited)
}

fn parse(text: &str, capability: &str) -> Result<Vec<Criterion>, file::FileFault> {
    file::parse(text.as_bytes(), b"".as_bstr(), capability)
}

/// Reads the text again: what was wanted has to be in it, or it is not written.
fn confirm(edited: &Edited, capability: &str, wanted: &Wanted, before: usize) -> Result<(), Uneditable> {
    let now = match parse(&edited.text, capability) {
        Ok(now) => now,
        // A list that lost its last entry.
        Err(_) => return Err(Uneditable::Style),
    };
    let is_there = |entry: &Entry| {
        now.iter().any(|criterion| {
            criterion.id == entry.id && is_as_wanted(criterion, entry)
                || criterion.requirement == entry.requirement && criterion.scenario == entry.scenario
        })
    };
    let is_complete = wanted.written.iter().all(is_there) && now.len() + wanted.gone.len() >= before + edited.added;
    is_complete.then_some(()).ok_or(Uneditable::Style)
}

fn is_as_wanted(criterion: &Criterion, entry: &Entry) -> bool {
    criterion.requirement == entry.requirement
        && criterion.scenario == entry.scenario
        && criterion.ears.as_deref() == Some(entry.ears.as_str())
}

/// The ends of lines a text uses.
fn end_of_line(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn rendered(entry: &Entry, indent: &str) -> String {
    format!(
        "{indent}- requirement: {}\n{indent}  scenario: {}\n{indent}  id: {}\n{indent}  ears: {}\n{indent}  verify: []\n",
        quoted(&entry.requirement),
        quoted(&entry.scenario),
        entry.id,
        quoted(&entry.ears)
    )
}

fn has_comment(lines: &[String]) -> bool {
    lines.iter().any(|line| line.trim_start().starts_with('#') || line.contains(" #") && !line.contains('"'))
}

/// Where the list of criteria stands in a file.
struct List {
    /// Blanks before each `-`.
    indent: String,
    /// The lines of each entry, without blank lines and comments behind it.
    entries: Vec<std::ops::Range<usize>>,
    /// Where a new entry goes.
    end: usize,
    /// The line `criteria:` without what says that the list is empty.
    empty: Option<(usize, String)>,
}

impl List {
    fn of(lines: &[String], known: &[Criterion]) -> Option<Self> {
        let Some(first) = known.first() else {
            let at = lines.iter().position(|line| line.starts_with("criteria:"))?;
            let line = &lines[at];
            let rest = line["criteria:".len()..].trim_end_matches(['\r', '\n']);
            let value = rest.split(" #").next().unwrap_or_default().trim();
            let text = line.replacen(value, "", usize::from(!value.is_empty()));
            let is_empty = ["", "[]", "null", "~"].contains(&value);
            let list = Self { indent: "  ".to_owned(), entries: Vec::new(), end: at + 1, empty: Some((at, text)) };
            return is_empty.then_some(list);
        };
        let written = lines.get(first.line)?;
        let indent: String = written.chars().take_while(|c| *c == ' ').collect();
        let starts: Vec<usize> = known.iter().map(|criterion| criterion.line).collect();
        let is_entry = |line: &usize| {
            let rest = lines.get(*line).and_then(|line| line.strip_prefix(indent.as_str()));
            rest.is_some_and(|rest| rest.starts_with("- "))
        };
        if !starts.iter().all(is_entry) || !starts.windows(2).all(|pair| pair[0] < pair[1]) {
            return None;
        }
        let end_of = |start: usize, limit: usize| {
            let is_inside = |line: &String| {
                let blanks = line.len() - line.trim_start_matches(' ').len();
                line.trim().is_empty() || blanks > indent.len()
            };
            let stop =
                lines[start + 1..limit].iter().position(|line| !is_inside(line)).map_or(limit, |at| start + 1 + at);
            let last = lines[start..stop]
                .iter()
                .rposition(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            start + last.unwrap_or(0) + 1
        };
        let limits = starts.iter().skip(1).copied().chain([lines.len()]);
        let entries: Vec<_> = starts.iter().zip(limits).map(|(start, limit)| *start..end_of(*start, limit)).collect();
        let end = entries.last()?.end;
        Some(Self { indent, entries, end, empty: None })
    }
}

/// Replaces the scalars of an entry that say which scenario it means, and nothing else.
fn update(lines: &mut [String], entry: &Entry) {
    for (key, value) in [("requirement", &entry.requirement), ("scenario", &entry.scenario), ("ears", &entry.ears)] {
        let Some(at) = lines.iter().position(|line| key_at(line, key).is_some()) else { continue };
        let Some(start) = key_at(&lines[at], key) else { continue };
        let end_of = end_of_line(&lines[at]);
        let has_end = lines[at].ends_with('\n');
        let column = start - key.len() - 1;
        let comment = trailing_comment(&lines[at][start..]);
        let text = format!("{} {}{comment}{}", &lines[at][..start], quoted(value), if has_end { end_of } else { "" });
        lines[at] = text;
        // A value over several lines: those that are deeper than its key.
        for line in &mut lines[at + 1..] {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            if line.trim().is_empty() || blanks <= column {
                break;
            }
            line.clear();
        }
    }
}

/// Where the value of a key begins in a line of an entry.
fn key_at(line: &str, key: &str) -> Option<usize> {
    let trimmed = line.trim_start_matches([' ', '-']);
    let rest = trimmed.strip_prefix(key)?.strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\n', '\r'])).then(|| line.len() - rest.len())
}

/// The comment behind a value on one line, with the blanks before it.
fn trailing_comment(rest: &str) -> String {
    let rest = rest.trim_end_matches(['\r', '\n']);
    let value = rest.trim_start();
    let skipped = rest.len() - value.len();
    let end = match value.chars().next() {
        Some('"') => {
            let mut is_escaped = false;
            let close = value.char_indices().skip(1).find(|(_, c)| {
                let is_end = *c == '"' && !is_escaped;
                is_escaped = *c == '\\' && !is_escaped;
                is_end
            });
            close.map(|(at, _)| at + 1)
        }
        Some('\'') => {
            // Two in a row are one quote inside.
            let bytes = value.as_bytes();
            let mut at = 1;
            loop {
                match (bytes.get(at), bytes.get(at + 1)) {
                    (Some(b'\''), Some(b'\'')) => at += 2,
                    (Some(b'\''), _) => break Some(at + 1),
                    (Some(_), _) => at += 1,
                    (None, _) => break None,
                }
            }
        }
        _ => Some(value.find(" #").unwrap_or(value.len())),
    };
    let Some(end) = end else { return String::new() };
    let tail = &rest[skipped + end..];
    if tail.trim_start().starts_with('#') { tail.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, name: &str) -> Entry {
        Entry { id: id.to_owned(), requirement: "R".to_owned(), scenario: name.to_owned(), ears: format!("{name}!") }
    }

    fn wanted(entries: &[Entry], gone: &[&str]) -> Wanted {
        Wanted { written: entries.to_vec(), gone: gone.iter().map(|id| (*id).to_owned()).collect() }
    }

    fn edited(before: &str, wanted: &Wanted) -> String {
        edit(Some(before), "c", wanted).map_or_else(|error| error.to_string(), |edited| edited.text)
    }

    #[test]
    fn a_new_file_can_be_read() -> Result<(), Uneditable> {
        let odd = "a: \"b\" # c \\ \u{1}";
        let text = edit(None, "c", &wanted(&[entry("c/a", odd), entry("c/b", "x")], &[]))?.text;
        let read = parse(&text, "c")?;
        assert_eq!((read.len(), read[0].scenario.as_str()), (2, odd));
        assert!(read.iter().all(|criterion| criterion.checks.is_empty()));
        Ok(())
    }

    #[test]
    fn what_others_wrote_stays() {
        let before = "version: 1\n# mine\ncriteria:\n- requirement: R # why\n  scenario: 'old'   # keep\n  id: c/a\n  ears: >\n    folded\n    text\n  verify:\n    # filled\n    - file: {path: x, exists: true}\n\n# end\n";
        let after = edited(before, &wanted(&[entry("c/a", "new"), entry("c/b", "b")], &[]));
        assert_eq!(
            after,
            "version: 1\n# mine\ncriteria:\n- requirement: \"R\" # why\n  scenario: \"new\"   # keep\n  id: c/a\n  ears: \"new!\"\n  verify:\n    # filled\n    - file: {path: x, exists: true}\n- requirement: \"R\"\n  scenario: \"b\"\n  id: c/b\n  ears: \"b!\"\n  verify: []\n\n# end\n"
        );
        assert_eq!(edited(&after, &wanted(&[entry("c/a", "new"), entry("c/b", "b")], &[])), after);
    }

    #[test]
    fn what_is_gone_goes_unless_it_has_checks() -> Result<(), Uneditable> {
        let start = edit(None, "c", &wanted(&[entry("c/a", "a"), entry("c/b", "b")], &[]))?.text;
        let filled = start.replacen("verify: []", "verify:\n      - file: {path: x, exists: true}", 1);
        let after = edit(Some(&filled), "c", &wanted(&[], &["c/a", "c/b"]))?;
        assert_eq!(after.kept, ["c/a"]);
        assert!(after.text.contains("c/a") && !after.text.contains("c/b"));
        Ok(())
    }

    #[test]
    fn empty_lists_and_odd_styles() {
        let one = [entry("c/a", "a")];
        for before in [
            "version: 1\ncriteria: []\n",
            "version: 1\ncriteria:\n",
            "criteria: []  # none\nversion: 1\n",
            "version: 1\ncriteria: []",
        ] {
            let after = edited(before, &wanted(&one, &[]));
            assert!(parse(&after, "c").is_ok_and(|read| read.len() == 1), "{before:?}: {after}");
        }
        let flow = "version: 1\ncriteria: [{requirement: R, scenario: x, id: c/x}]\n";
        assert!(edited(flow, &wanted(&one, &[])).contains("lines of its own"));
        assert!(edited("version: 2\n", &wanted(&one, &[])).contains("version"));
        let crlf =
            "version: 1\r\ncriteria:\r\n  - requirement: R\r\n    scenario: x\r\n    id: c/x\r\n    verify: []\r\n";
        let after = edited(crlf, &wanted(&one, &[]));
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
    }
}
