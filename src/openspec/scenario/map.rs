//! Which scenarios stand where in a document: below requirements, below something else, or where nobody reads them.

use crate::openspec::delta::{Delta, Operation};
use crate::openspec::fences;
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::requirement::Block;
use crate::openspec::spec::{Spec, is_requirements_header};
use crate::openspec::text::Text;

use super::reader::lead;
use super::{Scenario, after_label, commented, is_labelled, scenario};

/// The scenarios of a main spec or of what a delta adds and modifies.
#[derive(Debug)]
pub struct ScenarioMap {
    /// Requirements and other headings that stand where requirements do, in document order.
    pub groups: Vec<Group>,
    /// Scenarios that do not stand below a requirement.
    pub displaced: Vec<Displaced>,
    /// Lines that look like a scenario's heading and are none.
    pub lookalikes: Vec<Lookalike>,
}

/// A heading and the scenarios below it.
#[derive(Debug)]
pub struct Group {
    /// The requirement's name, or the title of the heading.
    pub name: String,
    /// 0-based line.
    pub line: usize,
    /// Whether it is a requirement, and not a heading inside the lines of one.
    pub is_requirement: bool,
    /// Scenarios, in document order.
    pub scenarios: Vec<Scenario>,
}

/// A scenario that does not stand below a requirement.
#[derive(Debug)]
pub struct Displaced {
    /// Its name.
    pub name: String,
    /// 0-based line of its heading.
    pub line: usize,
    /// The heading it stands below, as written, and its 0-based line. None at the top of a section.
    pub below: Option<(String, usize)>,
    /// The requirement whose part it becomes. None when it is part of nothing.
    pub owner: Option<String>,
}

/// A line that looks like a scenario's heading and is none.
#[derive(Debug)]
pub struct Lookalike {
    /// 0-based line.
    pub line: usize,
    /// What keeps it from being one.
    pub kind: LookalikeKind,
    /// The scenario's name.
    pub name: String,
    /// The requirement it stands in.
    pub owner: Option<String>,
}

/// What keeps a line from being a scenario's heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookalikeKind {
    /// Another number of `#`.
    Level(usize),
    /// Blanks before the hashes.
    Indented,
    /// No blank after the hashes.
    NoBlank,
    /// Bold text or plain words.
    Words,
}

/// Lines that belong to one requirement.
struct Owner<'a> {
    name: &'a str,
    line: usize,
    end: usize,
}

impl ScenarioMap {
    /// Reads a main spec.
    pub fn of_spec(spec: &Spec) -> Self {
        let text = &spec.text;
        // Below a heading of another level nothing is where archiving looks for it, which is told by itself.
        let Some(section) =
            spec.requirements_section.as_ref().filter(|section| is_requirements_header(text.line(section.line)))
        else {
            return Self::empty();
        };
        let mut owners: Vec<Owner<'_>> = spec.blocks.iter().map(|block| owner(text, block)).collect();
        let blocks = owners.len();
        for requirement in &spec.requirements {
            let line = requirement.section.line;
            // What a block holds is taken for a part of it by the merge.
            let is_in_block = owners[..blocks].iter().any(|owner| (owner.line..owner.end).contains(&line));
            if !is_in_block && text.line(line).starts_with("### ") {
                let end = text.line_at(requirement.section.content.end) + 1;
                owners.push(Owner { name: requirement.name(), line, end });
            }
        }
        owners.sort_by_key(|owner| owner.line);
        Self::read(text, &owners, |line| line > section.line)
    }

    /// Reads what a delta adds and modifies.
    pub fn of_delta(delta: &Delta) -> Self {
        let text = &delta.text;
        let blocks = delta.added.iter().chain(&delta.modified);
        let mut owners: Vec<Owner<'_>> = blocks.map(|block| owner(text, block)).collect();
        owners.sort_by_key(|owner| owner.line);
        let is_read = |line: usize| {
            let section = delta.sections.iter().find(|section| section.body.contains(&line));
            section.is_some_and(|section| matches!(section.operation, Operation::Added | Operation::Modified))
        };
        Self::read(text, &owners, is_read)
    }

    fn empty() -> Self {
        Self { groups: Vec::new(), displaced: Vec::new(), lookalikes: Vec::new() }
    }

    /// Every scenario with the group it is in.
    pub fn scenarios(&self) -> impl Iterator<Item = (&Group, &Scenario)> {
        self.groups.iter().flat_map(|group| group.scenarios.iter().map(move |scenario| (group, scenario)))
    }

    /// `is_read` tells which lines are in sections that hold requirements.
    fn read(text: &Text, owners: &[Owner<'_>], is_read: impl Fn(usize) -> bool) -> Self {
        let commented = commented(text);
        let mut map = Self::empty();
        map.find_lookalikes(text, &commented, owners, &is_read);
        // What stands below one of them is not the scenario's before it.
        let mut cuts: Vec<usize> = map.lookalikes.iter().map(|lookalike| lookalike.line).collect();
        cuts.push(usize::MAX);
        let swallowing: Vec<usize> = fences::faults(text).into_iter().map(|fault| fault.opens).collect();
        let mut walk = Walk {
            text,
            commented: &commented,
            swallowing: &swallowing,
            owners,
            next: 0,
            map: &mut map,
            below: None,
            is_outside: true,
        };
        let mut headings = text.hash_lines().filter(|line| level(text, *line) <= 4).peekable();
        while let Some(line) = headings.next() {
            let end = headings.peek().copied().unwrap_or(text.len());
            let cut = cuts[cuts.partition_point(|cut| *cut <= line)];
            walk.heading(line, end.min(cut), &is_read);
        }
        map
    }

    fn find_lookalikes(
        &mut self,
        text: &Text,
        commented: &[bool],
        owners: &[Owner<'_>],
        is_read: impl Fn(usize) -> bool,
    ) {
        let mut owners = owners.iter().peekable();
        let mut owner: Option<&Owner<'_>> = None;
        // Whether the last heading is a scenario's: bold words below it may be words of that scenario.
        let mut in_scenario = false;
        for line in 0..text.len() {
            if let Some(next) = owners.next_if(|next| next.line <= line) {
                (owner, in_scenario) = (Some(next), false);
            }
            if text.fenced(line) || commented.get(line).copied().unwrap_or(false) {
                continue;
            }
            let written = text.line(line);
            in_scenario = match heading::section_break(written) {
                Some(4) => true,
                Some(level) if level < 4 => false,
                _ => in_scenario,
            };
            let owner = owner.filter(|owner| line < owner.end);
            let Some((kind, name)) = lookalike(written) else { continue };
            // Words are only a scenario's where one is missing, or with steps.
            let counts = kind != LookalikeKind::Words || owner.is_some() && (!in_scenario || has_step_next(text, line));
            if counts && is_read(line) {
                let owner = owner.map(|owner| owner.name.to_owned());
                self.lookalikes.push(Lookalike { line, kind, name: name.to_owned(), owner });
            }
        }
    }
}

/// Level of the heading a line is; a level of its own when it is none.
fn level(text: &Text, line: usize) -> usize {
    heading::section_break(text.line(line)).unwrap_or(usize::MAX)
}

fn owner<'a>(text: &Text, block: &'a Block) -> Owner<'a> {
    Owner { name: &block.name, line: block.line, end: text.line_at(block.raw.end) + 1 }
}

/// Goes from heading to heading and puts each scenario where it belongs.
struct Walk<'a> {
    text: &'a Text,
    commented: &'a [bool],
    /// Lines of fences that swallow more than code.
    swallowing: &'a [usize],
    owners: &'a [Owner<'a>],
    /// How many owners have begun.
    next: usize,
    map: &'a mut ScenarioMap,
    /// The last heading above scenarios that is no requirement.
    below: Option<(String, usize)>,
    /// Whether the last heading above scenarios is no requirement of any kind.
    is_outside: bool,
}

impl Walk<'_> {
    fn heading(&mut self, line: usize, end: usize, is_read: &impl Fn(usize) -> bool) {
        let written = self.text.line(line);
        if level(self.text, line) < 4 {
            let mut name = js::trim(written.trim_start_matches('#')).to_owned();
            let mut is_requirement = false;
            if let Some(owner) = self.owners.get(self.next).filter(|owner| owner.line == line) {
                (name, is_requirement) = (owner.name.to_owned(), true);
                self.next += 1;
            }
            // One outside of every section is told as such; its scenarios go with it.
            self.is_outside = !is_requirement && heading::requirement_name(written).is_none();
            self.below = (!is_requirement).then(|| (js::trim(written).to_owned(), line));
            if is_requirement || self.owner(line).is_some() {
                self.map.groups.push(Group { name, line, is_requirement, scenarios: Vec::new() });
            }
            return;
        }
        if self.commented.get(line).copied().unwrap_or(false) {
            return;
        }
        let owner = self.owner(line).map(str::to_owned);
        let is_owned = owner.is_some();
        if self.is_outside && is_read(line) && is_labelled(&written[4..]) && !self.is_below_scenario() {
            let name = heading::scenario_name(written).to_owned();
            self.map.displaced.push(Displaced { name, line, below: self.below.clone(), owner });
        }
        if is_owned && let Some(group) = self.map.groups.last_mut() {
            let mut scenario = scenario(self.text, line, line + 1..end, self.commented);
            // What such a fence swallows may be its steps; the fence is told by itself.
            if self.swallowing.iter().any(|fence| (line..end).contains(fence)) {
                (scenario.is_doubtful, scenario.is_known_language) = (true, false);
            }
            group.scenarios.push(scenario);
        }
    }

    /// The requirement whose lines a line is among.
    fn owner(&self, line: usize) -> Option<&str> {
        let owner = self.owners.get(self.next.checked_sub(1)?)?;
        (line < owner.end).then_some(owner.name)
    }

    /// Whether the heading above is a scenario of another level, which is told by itself.
    fn is_below_scenario(&self) -> bool {
        self.below.as_ref().is_some_and(|(heading, _)| is_labelled(heading.trim_start_matches('#')))
    }
}

/// What a line that looks like a scenario's heading lacks, and the scenario's name.
fn lookalike(line: &str) -> Option<(LookalikeKind, &str)> {
    let trimmed = js::trim_start(line);
    let hashes = trimmed.bytes().take_while(|byte| *byte == b'#').count();
    if hashes > 0 {
        let after = &trimmed[hashes..];
        let title = js::trim(after).trim_matches(['*', '_']);
        let name = named(title)?;
        let kind = match hashes {
            _ if trimmed.len() < line.len() => LookalikeKind::Indented,
            4 if after.starts_with(js::is_space) => return None,
            4 => LookalikeKind::NoBlank,
            level => LookalikeKind::Level(level),
        };
        return Some((kind, name));
    }
    let lead = lead(line);
    let is_label = lead.is_emphasised || lead.indent == 0 && lead.rest.starts_with(char::is_uppercase);
    if !is_label || lead.rest.starts_with(char::is_lowercase) {
        return None;
    }
    Some((LookalikeKind::Words, named(lead.rest)?))
}

/// The name after "Scenario:" or "Scenario 1 -", none when the label is not set off.
fn named(title: &str) -> Option<&str> {
    let rest = after_label(title)?.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == '#' || c == '*');
    let name = rest.strip_prefix([':', '：', '-', '–', '—'])?;
    let name = js::trim(name).trim_start_matches(['*', '_', ' ']);
    // What follows the bold part is no name.
    let name = name.find("**").or(name.find("__")).map_or(name, |end| &name[..end]);
    Some(name.trim_end_matches(['*', '_', ' ', ':']))
}

/// Whether a step stands on a line or on the next one that is not blank.
fn has_step_next(text: &Text, line: usize) -> bool {
    let mut lines = (line + 1..text.len()).filter(|next| !js::trim(text.line(*next)).is_empty());
    let end = lines.next().map_or(line + 1, |next| next + 1);
    let read = scenario_words(text, line, end);
    !read.is_without_steps()
}

/// Some lines read as if they were a scenario's body.
fn scenario_words(text: &Text, line: usize, end: usize) -> Scenario {
    super::body(text, "#### ", line, line..end, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(content: &str) -> ScenarioMap {
        ScenarioMap::of_spec(&Spec::parse(content.as_bytes().to_vec()))
    }

    fn delta(content: &str) -> ScenarioMap {
        ScenarioMap::of_delta(&Delta::parse(content.as_bytes().to_vec()))
    }

    #[test]
    fn groups() {
        let map = spec(
            "## Requirements\n### Requirement: A\n#### S\n- a\n### Notes\n#### Scenario: T\n- b\n### Requirement: B\n",
        );
        let names: Vec<_> =
            map.groups.iter().map(|group| (group.name.as_str(), group.is_requirement, group.scenarios.len())).collect();
        assert_eq!(names, [("A", true, 1), ("Notes", false, 1), ("B", true, 0)]);
        assert_eq!(map.displaced.len(), 1);
        assert_eq!(map.displaced[0].owner.as_deref(), Some("A"));
    }

    #[test]
    fn a_spec_without_the_word_requirement() {
        let map = spec("## Requirements\n### 登录\n#### 场景：成功\n- **当** a\n- **那么** b\n");
        assert_eq!((map.groups.len(), map.displaced.len(), map.lookalikes.len()), (1, 0, 0));
        assert!(map.groups[0].scenarios[0].is_labelled);
    }

    #[test]
    fn a_fence_that_swallows_steps() {
        let map = spec("## Requirements\n### Requirement: A\n#### Scenario: a\n- **WHEN** x\n```\n- **THEN** y\n");
        assert!(map.groups[0].scenarios[0].is_doubtful);
        let map = spec("## Requirements\n### Requirement: A\n#### Scenario: a\n- **WHEN** x\n```\ny\n```\n");
        assert!(!map.groups[0].scenarios[0].is_doubtful);
    }

    #[test]
    fn outside() {
        let map =
            delta("## ADDED Requirements\n#### Scenario: loose\n- a\n### Requirement: A\n## Notes\n#### Scenario: x\n");
        assert_eq!(map.displaced.iter().map(|displaced| displaced.line).collect::<Vec<_>>(), [1]);
        let map = delta("## REMOVED Requirements\n### Requirement: A\n#### Scenario: gone\n- a\n");
        assert!(map.displaced.is_empty() && map.groups.is_empty());
    }

    #[test]
    fn lookalikes() {
        let map = delta(
            "## ADDED Requirements\n### Requirement: A\n##### Scenario: deep\n- x\n ####  Scenario: indented\n####Scenario: tight\n**Scenario: bold**\n- WHEN x\n\
             - **Scenario — bullet:** y\n### Scenario: high\nScenarios: many\n```\n### Scenario: fenced\n```\n#### Scenario: real\n- **Scenario**: described\n",
        );
        let found: Vec<_> = map.lookalikes.iter().map(|lookalike| (lookalike.kind, lookalike.name.as_str())).collect();
        assert_eq!(
            found,
            [
                (LookalikeKind::Level(5), "deep"),
                (LookalikeKind::Indented, "indented"),
                (LookalikeKind::NoBlank, "tight"),
                (LookalikeKind::Words, "bold"),
                (LookalikeKind::Words, "bullet"),
                (LookalikeKind::Level(3), "high"),
            ]
        );
    }
}
