//! Scenarios: the steps of one, and which requirement it belongs to.
//!
//! The reference knows headings only. People write steps as `- **WHEN** …`, `WHEN …`, `* **When:** …`, `1. **当** …`,
//! in tables and in fences, in many languages. What is read here is only as sure as the writing is: [`Scenario::steps`]
//! holds what is plainly a step, [`Scenario::mentions`] everything that may be one.

use std::ops::Range;

use super::heading;
use super::js;
use super::text::Text;

mod keywords;
mod map;
mod prose;
mod reader;

pub use keywords::{StepKind, after_label, keywords};
pub use map::{Displaced, Group, Lookalike, LookalikeKind, ScenarioMap};

use reader::Reader;

/// A step as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What its keyword says.
    pub kind: StepKind,
    /// 0-based line.
    pub line: usize,
    /// Columns before its bullet or keyword.
    pub indent: usize,
}

/// A `####` heading and what stands below it.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Name as the merge compares it.
    pub name: String,
    /// 0-based line of the heading.
    pub line: usize,
    /// Whether the heading says that it is a scenario, in any language known.
    pub is_labelled: bool,
    /// Whether anything stands below it.
    pub has_body: bool,
    /// Its steps.
    pub steps: Vec<Step>,
    /// Whether the words are in a language whose keywords are known. Only told of a scenario without a step.
    pub is_known_language: bool,
    /// Whether words that could be keywords of an unknown language stand where keywords do.
    pub is_doubtful: bool,
    /// First line in a code fence.
    pub first_fence: Option<usize>,
    /// First line of anything that may be a step of a kind, in the order of [`StepKind`].
    first: [Option<usize>; 5],
}

impl Scenario {
    /// First line on which a step of that kind may stand: plainly, in a table, in a fence, inside another step.
    pub fn mentions(&self, kind: StepKind) -> Option<usize> {
        self.first[kind as usize]
    }

    /// Whether nothing at all in it may be a step. A sentence with "if" or "and" is none.
    pub fn is_without_steps(&self) -> bool {
        let mains = [StepKind::Given, StepKind::When, StepKind::Then];
        self.steps.is_empty() && mains.iter().all(|kind| self.mentions(*kind).is_none())
    }

    /// Whether GIVEN, WHEN or THEN is plainly there, and nothing makes that uncertain.
    pub fn has_sure_steps(&self) -> bool {
        !self.is_doubtful && self.steps.iter().any(|step| is_main(step.kind))
    }
}

/// Where the words of a step begin on its line: behind bullet, keyword and emphasis.
pub fn step_words(line: &str) -> usize {
    let lead = reader::lead(line);
    let start = line.len() - lead.rest.len();
    let keyword = keywords::keywords(lead.rest).iter().map(|keyword| keyword.len).max().unwrap_or_default();
    // A keyword in backticks closes them; others open code.
    let in_code = line[..start].ends_with('`');
    let closes = |c: char| {
        matches!(c, ':' | '：' | '*' | '_' | ']' | '】' | '」' | '~' | ' ' | ',' | '，') || in_code && c == '`'
    };
    let rest = lead.rest[keyword..].trim_start_matches(closes);
    start + lead.rest.len() - rest.len()
}

/// Whether a kind carries a scenario: AND and IF only go with others.
fn is_main(kind: StepKind) -> bool {
    matches!(kind, StepKind::Given | StepKind::When | StepKind::Then)
}

/// Reads the scenario whose heading is on `line` and whose body are the lines of `body`.
pub fn scenario(text: &Text, line: usize, body: Range<usize>, commented: &[bool]) -> Scenario {
    self::body(text, text.line(line), line, body, commented)
}

/// Reads the lines of `body` as those of a scenario with that heading.
fn body(text: &Text, header: &str, line: usize, body: Range<usize>, commented: &[bool]) -> Scenario {
    let mut reader = Reader::new(text);
    let mut has_body = false;
    for line in body.clone() {
        if !js::trim(text.line(line)).is_empty() {
            has_body = true;
            reader.line(line, commented);
        }
    }
    let steps = reader.steps();
    let words = || std::iter::once(header).chain(body.clone().map(|line| text.line(line)));
    let is_english = (steps.is_empty() || reader.unknown_leads > 0) && prose::is_english(words());
    let is_known_language = is_english || reader.unknown_leads == 0 && prose::is_known_script(words());
    Scenario {
        name: heading::scenario_name(header).to_owned(),
        line,
        is_labelled: is_labelled(&header[4..]),
        has_body,
        is_known_language,
        is_doubtful: reader.unknown_leads > 0 && !is_english,
        first_fence: reader.first_fence,
        first: reader.first,
        steps,
    }
}

/// Whether a heading's title says "scenario": in front, struck out, or after another word (`ADDED Scenario: x`).
fn is_labelled(title: &str) -> bool {
    let title = js::trim(title).trim_matches(['*', '_', '~', '`']);
    after_label(title).is_some() || title.to_lowercase().contains("scenario:")
}

/// Lines that lie in an HTML comment as a whole or in part. Empty when there is none.
pub(super) fn commented(text: &Text) -> Vec<bool> {
    if !text.content().contains("<!--") {
        return Vec::new();
    }
    let mut open = false;
    (0..text.len())
        .map(|line| {
            if text.fenced(line) {
                return open;
            }
            let mut rest = text.line(line);
            // A comment that opens after words is a note to them.
            let starts_with = open || js::trim_start(rest).starts_with("<!--");
            while let Some(at) = rest.find(if open { "-->" } else { "<!--" }) {
                rest = &rest[at + 3..];
                open = !open;
            }
            starts_with
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Scenario {
        let text = Text::from_bytes(format!("#### Scenario: x\n{body}").into_bytes());
        let commented = commented(&text);
        scenario(&text, 0, 1..text.len(), &commented)
    }

    fn kinds(body: &str) -> Vec<StepKind> {
        read(body).steps.iter().map(|step| step.kind).collect()
    }

    #[test]
    fn spellings() {
        use StepKind::{And, Given, Then, When};
        for body in [
            "- **GIVEN** a\n- **WHEN** b\n- **THEN** c\n- **AND** d",
            "- GIVEN a\n- WHEN b\n- THEN c\n- AND d",
            "GIVEN a\nWHEN b\nTHEN c\nAND d",
            "**Given** a\n**When** b\n**Then** c\n**And** d",
            "* **Given:** a\n* **When:** b\n* **Then:** c\n* **And:** d",
            "1. **Given** a\n2. **When** b\n3. **Then** c\n4. **And** d",
            "Given a\nWhen b\nThen c\nAnd d",
            "- [ ] **Given a**\n- [x] __When b__\n- [ ] `Then` c\n+ AND d",
            "> Given a\n> When b\n> Then c\n> And d",
            "- **假设** a\n- **当** b\n- **那么** c\n- **并且** d",
            "假设a\n当b时\n那么c\n并且d",
            "- **Dado** a\n- **Quando** b\n- **Então** c\n- **E** d",
            "Étant donné a\nQuand b\nAlors c\nEt d",
            "- **Angenommen** a\n- **Wenn** b\n- **Dann** c\n- **Und** d",
            "- **前提** a\n- **もし** b\n- **ならば** c\n- **かつ** d",
            "- **조건** a\n- **만약** b\n- **그러면** c\n- **그리고** d",
            "- **Дано** a\n- **Когда** b\n- **Тогда** c\n- **И** d",
            "- **Diketahui** a\n- **Ketika** b\n- **Maka** c\n- **Dan** d",
            "- **GIVEN** a\n- **当** b\n- **THEN** c\n- **并且** d",
        ] {
            assert_eq!(kinds(body), [Given, When, Then, And], "{body}");
        }
    }

    #[test]
    fn sentences_are_no_steps() {
        assert_eq!(kinds("When it rains, it pours.\n"), []);
        assert!(!read("When it rains, it pours.\n").is_without_steps());
        assert_eq!(kinds("- **WHEN** a\n  then waits\n  Given time, b"), [StepKind::When]);
        assert!(read("It just works.").is_without_steps());
    }

    #[test]
    fn mentions() {
        let scenario = read("- **GIVEN** a **WHEN** b **THEN** c");
        assert_eq!(scenario.steps.len(), 1);
        assert!(scenario.mentions(StepKind::When).is_some() && scenario.mentions(StepKind::Then).is_some());
        assert!(read("| Given | When | Then |\n|---|---|---|\n| a | b | c |").mentions(StepKind::Then).is_some());
        assert!(read("```gherkin\nGiven a\nWhen b\n```").mentions(StepKind::When).is_some());
        assert!(read("- **WHEN** `CASE WHEN a THEN b`").mentions(StepKind::Then).is_none());
        assert!(read("- WHEN a, the system SHALL b").mentions(StepKind::Then).is_some());
        assert!(read("- **当** a，则 b").mentions(StepKind::Then).is_some());
        assert!(read("<!--\n- **THEN** a\n-->\n- **WHEN** b").mentions(StepKind::Then).is_none());
    }

    #[test]
    fn languages_known_and_unknown() {
        assert!(read("It just works.").is_known_language);
        assert!(read("它可以正常工作。").is_known_language);
        assert!(!read("Po prostu działa.").is_known_language);
        assert!(!read("- **Kad** nutinka\n- **Tada** veikia").is_known_language);
        assert!(!read("- **条件** a\n- **预期** b").is_known_language);
    }
}
