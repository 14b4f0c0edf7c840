//! Where the entries of a file of criteria stand.

use crate::criteria::Criterion;

/// Where the list of criteria stands in a file.
pub(super) struct List {
    /// Blanks before each `-`.
    pub indent: String,
    /// The lines of each entry, without blank lines and comments behind it.
    pub entries: Vec<std::ops::Range<usize>>,
    /// Where a new entry goes.
    pub end: usize,
    /// The line `criteria:` without what says that the list is empty.
    pub empty: Option<(usize, String)>,
}

impl List {
    pub fn of(lines: &[String], known: &[Criterion]) -> Option<Self> {
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
