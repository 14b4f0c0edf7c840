//! Lines that name a requirement of the main spec where nobody reads names.

use std::collections::HashSet;
use std::ops::Range;

use super::{Claim, Reason};
use crate::openspec::comments;
use crate::openspec::delta::{Delta, Operation, listed_name};
use crate::openspec::heading::{self, fold_name};
use crate::openspec::js::{is_space, strip_prefix_ignore_case, trim};
use crate::openspec::near_forms::{
    ARROWS, is_name_label, labelled, meant_operation, near_section, strip_marker, tells_why,
};
use crate::openspec::requirement::scenario_names;
use crate::openspec::spec::Spec;
use crate::openspec::text::Text;

/// A line that names a requirement of the main spec and is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// 0-based line.
    pub line: usize,
    /// Where it stands.
    pub place: Place,
    /// Whether it can only be meant as an entry. Else it may name the requirement in passing.
    pub is_certain: bool,
}

/// Where a name stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a delta section.
    Section(Operation),
    /// In a section of another title, which reads as that of an operation.
    Near(Operation),
    /// Inside a requirement that is written out.
    Block,
}

/// Finds the lines of a delta that name a requirement of the main spec which the delta does not change.
pub fn named(delta: &Delta, spec: &Spec) -> Vec<Named> {
    let claimed: HashSet<String> = delta.claimed_names().map(fold_name).collect();
    let open = spec.blocks.iter().filter(|block| !claimed.contains(&fold_name(&block.name)));
    let open: Vec<&str> = open.map(|block| block.name.as_str()).filter(|name| !name.is_empty()).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let folded = open.iter().map(|name| fold_name(name)).collect();
    let mut finder =
        Finder { delta, text: &delta.text, comments: comments::mask(&delta.text), open, folded, found: Vec::new() };
    for section in &delta.sections {
        match section.operation {
            Operation::Added | Operation::Modified => finder.blocks(section.body.clone()),
            operation => finder.section(operation, section.body.clone(), spec),
        }
    }
    finder.leftovers();
    let mut found = finder.found;
    found.sort_by_key(|named| named.line);
    found.dedup_by_key(|named| named.line);
    found
}

struct Finder<'d> {
    delta: &'d Delta,
    text: &'d Text,
    comments: Vec<bool>,
    /// Requirements of the main spec that the delta does not claim.
    open: Vec<&'d str>,
    folded: HashSet<String>,
    found: Vec<Named>,
}

impl Finder<'_> {
    fn add(&mut self, line: usize, place: Place, is_certain: bool) {
        self.found.push(Named { line, place, is_certain });
    }

    fn is_open(&self, name: &str) -> bool {
        !name.is_empty() && self.folded.contains(&fold_name(name))
    }

    /// Renames and bulleted headers inside of requirements. What stands below a misspelt title there goes with that.
    fn blocks(&mut self, body: Range<usize>) {
        let leftovers = &self.delta.account().leftovers;
        let titles: HashSet<usize> = leftovers
            .iter()
            .filter(|left| matches!(left.reason, Reason::NearSection(..)))
            .map(|left| left.lines.start)
            .collect();
        let (mut is_titled, mut is_over_names) = (false, false);
        for line in body.filter(|line| !self.text.fenced(*line) && !self.comments[*line]).collect::<Vec<_>>() {
            let written = self.text.line(line);
            is_titled = titles.contains(&line) || is_titled && heading::requirement_name(written).is_none();
            let is_listed = listed_name(written).is_some_and(|name| self.is_open(name));
            let is_item = strip_marker(written).is_some();
            if !is_item && !trim(written).is_empty() {
                // `Removed requirements:` over a list of their names.
                let label = trim(written).trim_end_matches(MARKS).strip_suffix([':', '：']);
                is_over_names = label.is_some_and(|label| label.len() <= 60 && meant_operation(label).is_some());
            }
            if !is_titled && (is_listed || is_item && is_over_names && self.is_open(bare_name(written))) {
                self.add(line, Place::Block, true);
            }
        }
    }

    fn section(&mut self, operation: Operation, body: Range<usize>, spec: &Spec) {
        let account = self.delta.account();
        let covered: HashSet<usize> = account
            .leftovers
            .iter()
            .filter(|left| !matches!(left.reason, Reason::Prose(_)))
            .flat_map(|left| left.lines.clone())
            .collect();
        let scenarios = self.scenarios(spec);
        for line in body.clone() {
            if account.claims[line] != Claim::Explains || covered.contains(&line) {
                continue;
            }
            let written = self.text.line(line);
            let is_announced = || is_listed_after_colon(self.text, body.start..line);
            if self.text.fenced(line) {
                let name = heading::requirement_name(written).or_else(|| listed_name(written));
                if name.is_some_and(|name| self.is_open(name)) && !is_announced() {
                    self.add(line, Place::Section(operation), true);
                }
                continue;
            }
            if let Some(scenario) = scenario(written) {
                if scenarios.contains(scenario) {
                    self.add(line, Place::Section(operation), true);
                }
                continue;
            }
            let is_certain = match operation {
                Operation::Renamed => self.renames(written),
                _ => self.removes(written),
            };
            if let Some(is_certain) = is_certain.filter(|_| !is_announced()) {
                self.add(line, Place::Section(operation), is_certain);
            }
        }
    }

    /// Scenarios of requirements that stay as they are, without the names that another one has too.
    fn scenarios<'s>(&self, spec: &'s Spec) -> HashSet<&'s str> {
        let (open, claimed): (Vec<_>, Vec<_>) = spec.blocks.iter().partition(|block| self.is_open(&block.name));
        let mut names: HashSet<&str> = open.iter().flat_map(|block| scenario_names(spec.raw(block))).collect();
        claimed.iter().flat_map(|block| scenario_names(spec.raw(block))).for_each(|name| {
            names.remove(name);
        });
        names
    }

    /// Whether a line of REMOVED names a requirement, and if so whether it does nothing else.
    fn removes(&self, line: &str) -> Option<bool> {
        if self.is_open(bare_name(line)) || cells(line).any(|cell| self.is_open(bare_name(cell))) {
            return Some(true);
        }
        let (text, quoted) = unquoted_start(line);
        let starts = self.open.iter().any(|name| {
            let rest =
                starts_with_name(text, name).map(|rest| rest.trim_start_matches(['*', '_', '`', '"', '”', '」']));
            rest.is_some_and(|rest| {
                let rest = trim(rest);
                quoted && rest.len() < text.len() || rest.starts_with([':', '：', '(', '（', '-', '–', '—'])
            })
        });
        if starts && !tells_why(line) {
            return Some(true);
        }
        if labelled(line).is_some() || tells_why(line) {
            return None;
        }
        self.open.iter().any(|name| mentions(line, name)).then_some(false)
    }

    /// As [`Finder::removes`], for RENAMED.
    fn renames(&self, line: &str) -> Option<bool> {
        if let Some((label, value)) = labelled(line) {
            let is_named = self.is_open(label) || is_name_label(label) && self.is_open(bare_name(value));
            return is_named.then_some(true);
        }
        let (start, _) = unquoted_start(line);
        if self.open.iter().any(|name| starts_with_name(start, name).is_some()) {
            return Some(true);
        }
        let old = ARROWS.iter().find_map(|arrow| line.split_once(arrow)).map(|(old, _)| bare_name(old));
        let is_named = old.is_some_and(|old| self.is_open(old))
            || self.is_open(bare_name(line))
            || cells(line).any(|cell| self.is_open(bare_name(cell)))
            || self.open.iter().any(|name| mentions(line, name));
        (is_named && !tells_why(line)).then_some(true)
    }

    /// Sections that are none, and those of which nothing is read.
    fn leftovers(&mut self) {
        for leftover in &self.delta.account().leftovers {
            let lines = leftover.lines.clone();
            match &leftover.reason {
                Reason::OtherSection(title) => {
                    let Some(operation) = meant_operation(title).or_else(|| updated(title)) else { continue };
                    let is_name = |line: &usize| {
                        let written = self.text.line(*line);
                        !self.text.fenced(*line)
                            && (self.is_open(bare_name(written)) || self.removes(written) == Some(true))
                    };
                    if lines.clone().skip(1).any(|line| is_name(&line)) {
                        self.add(lines.start, Place::Near(operation), true);
                    }
                }
                Reason::Remark(operation, _) => {
                    let mut named = lines.skip(1).filter(|line| {
                        let written = self.text.line(*line);
                        self.is_open(bare_name(written)) || self.open.iter().any(|name| mentions(written, name))
                    });
                    if let Some(line) = named.next() {
                        self.add(line, Place::Section(*operation), true);
                    }
                }
                _ => {}
            }
        }
    }
}

/// MODIFIED, when a title is a word for it.
fn updated(title: &str) -> Option<Operation> {
    near_section(&format!("## {title}"))
        .map(|near| near.operation)
        .filter(|operation| *operation == Operation::Modified)
}

/// Whether the list that ends here was announced: `Replaced by:`. Its names are not those that go.
fn is_listed_after_colon(text: &Text, above: Range<usize>) -> bool {
    let mut lines = above.rev().map(|line| trim(text.line(line)));
    let first = lines.find(|line| !line.is_empty() && strip_marker(line).is_none() && !line.starts_with("```"));
    first.is_some_and(|line| line.trim_end_matches(['*', '_']).ends_with([':', '：']))
}

const MARKS: [char; 15] = ['#', '*', '`', '"', '~', ' ', '.', '“', '”', '「', '」', '_', '\'', '|', '。'];

/// The name on a line without its bullet, hashes and marks.
fn bare_name(line: &str) -> &str {
    let text = trim(line);
    let text = strip_marker(text).unwrap_or(text).trim_matches(MARKS);
    strip_prefix_ignore_case(text, "Requirement:").map_or(text, |name| name.trim_matches(MARKS))
}

/// The name of a scenario, under its header or in a list.
fn scenario(line: &str) -> Option<&str> {
    if heading::is_scenario(line) {
        return Some(heading::scenario_name(line));
    }
    let text = trim(line);
    let text = strip_marker(text).unwrap_or(text).trim_matches(MARKS);
    strip_prefix_ignore_case(text, "Scenario:").map(|name| name.trim_matches(MARKS))
}

/// Cells of a table's row.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    let text = trim(line);
    text.starts_with('|').then(|| text.split('|')).into_iter().flatten()
}

/// A line from its first word on, and whether marks stood before it.
fn unquoted_start(line: &str) -> (&str, bool) {
    let text = trim(line);
    let text = strip_marker(text).unwrap_or(text);
    let bare = text.trim_start_matches(MARKS);
    let is_quoted = bare.len() < text.len();
    match strip_prefix_ignore_case(bare, "Requirement:") {
        Some(name) => (trim(name), true),
        None => (bare, is_quoted),
    }
}

fn starts_with_name<'l>(text: &'l str, name: &str) -> Option<&'l str> {
    text.strip_prefix(name).filter(|rest| !continues(rest.chars().next()))
}

/// Whether a character goes on with the word before it. Chinese has no blanks between words.
fn continues(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() && (c as u32) < 0x2e80)
}

/// Whether a line has a name in it. One that may be an ordinary word counts in quotation marks only.
fn mentions(line: &str, name: &str) -> bool {
    let (line, name) = (line.to_lowercase(), name.to_lowercase());
    let is_long = if name.is_ascii() { name.contains(is_space) } else { name.chars().count() >= 4 };
    line.match_indices(&name).any(|(at, _)| {
        let (before, after) = (line[..at].chars().next_back(), line[at + name.len()..].chars().next());
        let is_quoted = before.is_some_and(|c| "`\"*“「'".contains(c)) && after.is_some_and(|c| "`\"*”」'".contains(c));
        is_quoted || is_long && !continues(before) && !continues(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "## Purpose\nx\n## Requirements\n### Requirement: Invoice issue\nx\n#### Scenario: Old invoice\n- x\n### Requirement: Invoice storage\nx\n#### Scenario: Kept\n- x\n### Requirement: Export\nx\n";

    fn found(delta: &str) -> Vec<(usize, bool)> {
        let spec = Spec::parse(SPEC.as_bytes().to_vec());
        let delta = Delta::parse(delta.as_bytes().to_vec());
        named(&delta, &spec).into_iter().map(|named| (named.line, named.is_certain)).collect()
    }

    #[test]
    fn below_a_removal() {
        for (line, is_certain) in [
            ("**Requirement: Invoice storage** is gone.", true),
            ("- **Invoice storage**: gone", true),
            ("- Export", true),
            ("| Invoice storage | unused |", true),
            ("#### Scenario: Kept", true),
            ("```\n### Requirement: Export\n```", true),
            ("The invoice storage goes too.", false),
            ("- Scenario: Kept", true),
        ] {
            let at = 2 + usize::from(line.starts_with("```"));
            let delta = format!("## REMOVED Requirements\n### Requirement: Invoice issue\n{line}\n");
            assert_eq!(found(&delta), [(at, is_certain)], "{line}");
        }
        for line in [
            "**Migration**: use Invoice storage",
            "Replaced by `Invoice storage`.",
            "Export is what people do.",
            "#### Scenario: Old invoice",
            "Replaced by:\n- Invoice storage",
        ] {
            let delta = format!("## REMOVED Requirements\n### Requirement: Invoice issue\n{line}\n");
            assert_eq!(found(&delta), [], "{line}");
        }
    }

    #[test]
    fn below_a_rename() {
        let pair = "## RENAMED Requirements\n- FROM: `### Requirement: Invoice issue`\n- TO: `### Requirement: B`\n\n";
        for line in [
            "Invoice storage ⟹ Invoice vault",
            "Invoice storage 改名为 Invoice vault",
            "- Rename `Invoice storage` to `Invoice vault`",
            "- \"Invoice storage\" to \"Invoice vault\"",
            "| Invoice storage | Invoice vault |",
            "- Old: Invoice storage",
            "- Invoice storage: Invoice vault",
            "| `### Requirement: Invoice storage` | `### Requirement: Invoice vault` |",
        ] {
            assert_eq!(found(&format!("{pair}{line}\n")), [(4, true)], "{line}");
        }
        assert_eq!(found(&format!("{pair}**Reason**: as in Invoice storage\n")), []);
    }

    #[test]
    fn elsewhere() {
        assert_eq!(found("## Deprecated Requirements\n- Invoice storage\n"), [(0, true)]);
        assert_eq!(found("## 已移除的需求\n- **Export**: 不用\n"), [(0, true)]);
        assert_eq!(found("## Related Requirements\n- Invoice storage\n"), []);
        assert_eq!(found("## Deleted\n- Export\n## REMOVED Requirements\n### Requirement: Export\n"), []);
        let block = "## ADDED Requirements\n### Requirement: A\nIt SHALL.\n\n";
        assert_eq!(
            found(&format!("{block}- FROM: `### Requirement: Export`\n- TO: `### Requirement: B`\n")),
            [(4, true)]
        );
        assert_eq!(found(&format!("{block}- `### Requirement: <name>`\n")), []);
        assert_eq!(found("## REMOVED Requirements\nInvoice storage\n"), [(1, true)]);
    }
}
