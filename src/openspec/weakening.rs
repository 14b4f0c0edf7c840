//! What one version of a spec or delta demands and the next no longer does, as far as counting tells.

use std::collections::HashMap;

use super::delta::Delta;
use super::heading::{is_scenario, requirement_name, scenario_name};
use super::loss::{Elsewhere, Weakening, compare};
use super::requirement::Block;
use super::text::Text;

/// What was lost between two versions of a text, in words: the first thing of each kind. Empty when nothing that counts
/// went, although the texts may differ.
pub fn losses(before: &Text, after: &Text) -> Vec<Loss> {
    let (old, new) = (Demands::of(before), Demands::of(after));
    let mut losses = Vec::new();
    let mut lost = |kind: &str, old: &[(usize, String)], new: &[(usize, String)]| {
        if let Some((line, name)) = first_missing(old, new) {
            losses.push(Loss { line, what: format!("{kind} `{name}`") });
        }
    };
    lost("requirement", &old.requirements, &new.requirements);
    lost("scenario", &old.scenarios, &new.scenarios);
    for word in NORMATIVE {
        let count = |demands: &Demands| demands.words.get(word).map_or(0, |(_, count)| *count);
        if count(&old) > count(&new) {
            let line = old.words.get(word).map_or(0, |(line, _)| *line);
            losses.push(Loss { line, what: format!("one {word}") });
        }
    }
    if let Some((line, number)) = first_missing(&old.numbers, &new.numbers)
        && !is_stricter(&old, &new)
    {
        losses.push(Loss { line, what: format!("the bound `{number}`") });
    }
    if old.steps > new.steps && losses.is_empty() {
        losses.push(Loss { line: old.last_step, what: "a step".to_owned() });
    }
    if losses.is_empty() {
        losses.extend(softened(before, after));
    }
    losses
}

/// What counts the same and binds less: `if possible` was added, `all` became `some`.
fn softened(before: &Text, after: &Text) -> Vec<Loss> {
    let parse = |text: &Text| Delta::parse(text.content().as_bytes().to_vec());
    let (old, new) = (parse(before), parse(after));
    let blocks = |delta: &Delta| delta.added.iter().chain(&delta.modified).cloned().collect::<Vec<_>>();
    let fresh = blocks(&new);
    let by_name: HashMap<&str, &Block> = fresh.iter().map(|block| (block.name.as_str(), block)).collect();
    let mut losses = Vec::new();
    for block in blocks(&old) {
        let Some(other) = by_name.get(block.name.as_str()) else { continue };
        let weakened = compare(old.raw(&block), new.raw(other), &Elsewhere::default()).weakened;
        losses.extend(weakened.into_iter().filter_map(|weakened| {
            let what = match &weakened.how {
                Weakening::Word(old, new) => format!("`{old}` to `{new}`"),
                Weakening::Hedged(new) => format!("force to `{new}`"),
                _ => return None,
            };
            Some(Loss { line: block.line + weakened.old_line, what })
        }));
    }
    losses
}

/// Something a text demanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// 0-based line of the older text.
    pub line: usize,
    /// What it is.
    pub what: String,
}

/// Words that make a sentence binding.
const NORMATIVE: [&str; 3] = ["SHALL", "MUST", "NOT"];

/// From which side a number bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// "within 1 second"
    Most,
    /// "at least 8 characters"
    Least,
}

impl Bound {
    fn of(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "within" | "under" | "below" | "most" => Some(Self::Most),
            "least" => Some(Self::Least),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Demands {
    requirements: Vec<(usize, String)>,
    scenarios: Vec<(usize, String)>,
    numbers: Vec<(usize, String)>,
    /// Words before each number that say from which side it bounds.
    bounds: Vec<Option<Bound>>,
    words: HashMap<&'static str, (usize, usize)>,
    steps: usize,
    last_step: usize,
}

impl Demands {
    fn of(text: &Text) -> Self {
        let mut demands = Self::default();
        let mut in_comment = false;
        for at in 0..text.len() {
            let line = text.line(at);
            // What is commented out or fenced is demanded no more.
            let starts = line.contains("<!--");
            let is_hidden = in_comment || text.fenced(at) || line.trim_start().starts_with("<!--");
            in_comment = (in_comment || starts) && !line.contains("-->");
            if is_hidden {
                continue;
            }
            if let Some(name) = requirement_name(line) {
                demands.requirements.push((at, name.to_owned()));
            } else if is_scenario(line) {
                demands.scenarios.push((at, scenario_name(line).to_owned()));
            } else {
                demands.line(at, line);
            }
        }
        demands
    }

    fn line(&mut self, at: usize, line: &str) {
        if line.trim_start().starts_with(['-', '*', '+']) {
            self.steps += 1;
            self.last_step = at;
        }
        let mut before = "";
        for word in line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | ',')) {
            let word = word.trim_matches(['.', ',']);
            if word.is_empty() {
                continue;
            }
            if let Some(known) = NORMATIVE.iter().find(|known| **known == word) {
                let (_, count) = self.words.entry(known).or_insert((at, 0));
                *count += 1;
            } else if word.bytes().any(|byte| byte.is_ascii_digit()) {
                self.numbers.push((at, word.to_owned()));
                self.bounds.push(Bound::of(before));
            }
            before = word;
        }
    }
}

/// Whether all numbers that are others now, in the same places, bound more.
fn is_stricter(old: &Demands, new: &Demands) -> bool {
    let both = || old.numbers.iter().zip(&old.bounds).zip(new.numbers.iter().zip(&new.bounds));
    old.numbers.len() == new.numbers.len()
        && both().filter(|(((_, was), _), ((_, is), _))| was != is).all(|(((_, was), from), ((_, is), to))| {
            let (Ok(was), Ok(is)) = (was.parse::<f64>(), is.parse::<f64>()) else { return false };
            from == to
                && match from {
                    Some(Bound::Most) => is < was,
                    Some(Bound::Least) => is > was,
                    None => false,
                }
        })
}

/// The first entry of `old` that `new` has fewer times.
fn first_missing(old: &[(usize, String)], new: &[(usize, String)]) -> Option<(usize, String)> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for (_, name) in new {
        *left.entry(name).or_default() += 1;
    }
    old.iter()
        .find(|(_, name)| match left.get_mut(name.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DELTA: &str = "## ADDED Requirements\n### Requirement: A\nIt SHALL answer within 1 second and MUST NOT leak.\n\
        #### Scenario: S\n- **WHEN** a\n- **THEN** b\n#### Scenario: T\n- **WHEN** c\n";

    fn lost(from: &str, to: &str) -> Vec<String> {
        let text = |content: &str| Text::from_bytes(content.as_bytes().to_vec());
        assert!(DELTA.contains(from));
        losses(&text(DELTA), &text(&DELTA.replace(from, to))).into_iter().map(|loss| loss.what).collect()
    }

    #[test]
    fn what_went() {
        assert_eq!(lost("SHALL", "SHOULD"), ["one SHALL"]);
        assert_eq!(lost(" NOT", ""), ["one NOT"]);
        assert_eq!(lost(" within 1 second", ""), ["the bound `1`"]);
        assert_eq!(lost("#### Scenario: T\n- **WHEN** c\n", ""), ["scenario `T`"]);
        assert_eq!(lost("1 second", "5 seconds"), ["the bound `1`"]);
        assert_eq!(lost("1 second", "0.1 seconds"), Vec::<String>::new());
        assert_eq!(lost("within 1 second", "after 0.1 seconds"), ["the bound `1`"]);
        assert_eq!(lost("- **THEN** b\n", ""), ["a step"]);
        assert_eq!(lost("#### Scenario: T\n", "<!--\n#### Scenario: T\n"), ["scenario `T`"]);
        assert_eq!(lost("SHALL answer", "SHALL try to answer"), ["force to `try to`"]);
        assert_eq!(lost("### Requirement: A", "```\n### Requirement: A")[0], "requirement `A`");
    }

    #[test]
    fn more_is_no_loss() {
        assert!(lost("- **WHEN** a\n", "- **WHEN** a\n- **AND** d\n").is_empty());
    }
}
