//! What a requirement said and its replacement does not.
//!
//! Words are compared, not lines: wrapping, emphasis, list markers, punctuation and order are no loss, and neither is a
//! sentence that was reworded, moved within the block, or replaced by another of its kind. Only what is really gone is
//! told. A translation is not compared.

mod between;
mod cut;
mod demand;
mod hedge;
mod matching;
mod parts;
mod replaced;
mod script;
mod sentences;
mod weakened;
mod words;

use std::collections::{HashMap, HashSet};

use parts::{Parts, Scenario, Table, Unit};
use words::Words;

pub use between::{KeptBlock, SpecLoss, between};
pub use replaced::{BlockLoss, Replaced, losses, replaced};
pub use weakened::{Weakened, Weakening};

/// Blocks with more pairs of sentences than this are compared word for word only: nobody writes them.
const MOST_PAIRS: usize = 1 << 20;

/// From this many sentences on, what else is written is not looked through.
const MOST_ELSEWHERE: usize = 20_000;

/// A piece of the old text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// 0-based line, counted from the old block's header.
    pub line: usize,
    /// As written, on one line.
    pub text: String,
}

/// A scenario whose name the new text does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostScenario {
    /// Its name.
    pub name: String,
    /// 0-based line, counted from the old block's header.
    pub line: usize,
    /// The new name under which its steps stand, or nearly.
    pub renamed: Option<String>,
}

/// Steps a scenario had and has no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostSteps {
    /// The scenario.
    pub scenario: String,
    /// 0-based line of the scenario, counted from the new block's header.
    pub line: usize,
    /// The steps.
    pub steps: Vec<Piece>,
    /// Whether the scenario stands under another name.
    pub is_renamed: bool,
}

/// Everything a block lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loss {
    /// Scenarios, counted by name.
    pub scenarios: Vec<LostScenario>,
    /// Steps of scenarios that stay.
    pub steps: Vec<LostSteps>,
    /// Demands outside scenarios.
    pub sentences: Vec<Piece>,
    /// Rows of tables.
    pub rows: Vec<Piece>,
    /// Notes behind the last step, and what stands under foreign headings.
    pub notes: Vec<Piece>,
    /// Demands that bind less.
    pub weakened: Vec<Weakened>,
}

impl Loss {
    /// Whether nothing is gone.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What else is written in the same go, in which something can turn up that a block lost.
#[derive(Debug, Default)]
pub struct Elsewhere(Vec<Unit>);

impl Elsewhere {
    /// Takes the text of a block, as far as the one it replaces did not say it.
    pub fn add(&mut self, new: &str, old: Option<&str>) {
        if self.0.len() > MOST_ELSEWHERE {
            return;
        }
        let known: HashSet<Words> =
            old.map(|old| Parts::of(old).units().map(|unit| unit.words.clone()).collect()).unwrap_or_default();
        self.0.extend(Parts::of(new).units().filter(|unit| !known.contains(&unit.words)).cloned());
    }

    /// Whether most of a block stands there.
    fn has_most(&self, raw: &str) -> bool {
        let parts = Parts::of(raw);
        let units: Vec<&Unit> = parts.units().filter(|unit| unit.words.len() > 2).collect();
        let found = units.iter().filter(|unit| self.has(unit)).count();
        !units.is_empty() && found * 10 >= units.len() * 7
    }

    /// Whether something was moved there. A few words stand anywhere.
    fn has(&self, unit: &Unit) -> bool {
        unit.words.len() > 2 && self.0.iter().any(|other| matching::contains(other, unit))
    }
}

/// Tells what of a block stands in its replacement at another place.
struct Moved<'p> {
    before: HashMap<&'p Words, usize>,
    after: HashMap<&'p Words, usize>,
    /// What the new block says and the old one did not.
    fresh: Vec<&'p Unit>,
    elsewhere: &'p Elsewhere,
}

impl<'p> Moved<'p> {
    fn new(before: &'p Parts, after: &'p Parts, elsewhere: &'p Elsewhere) -> Self {
        let count = |parts: &'p Parts| {
            let mut counts: HashMap<&Words, usize> = HashMap::new();
            for unit in parts.units() {
                *counts.entry(&unit.words).or_default() += 1;
            }
            counts
        };
        let (before, counts) = (count(before), count(after));
        let fresh = after.units().filter(|unit| !before.contains_key(&unit.words)).collect();
        Self { before, after: counts, fresh, elsewhere }
    }

    /// The same step in two scenarios is two steps: when one of them is gone, the other does not make up for it.
    fn has(&self, unit: &Unit) -> bool {
        let count = |counts: &HashMap<&Words, usize>| counts.get(&unit.words).copied().unwrap_or_default();
        count(&self.after) >= count(&self.before)
            || unit.words.len() > 1 && self.fresh.iter().any(|other| matching::contains(other, unit))
            || self.elsewhere.has(unit)
    }
}

/// Compares a block with the one that takes its place. Both begin with their header line.
pub fn compare(old: &str, new: &str, elsewhere: &Elsewhere) -> Loss {
    if after_header(old) == after_header(new) {
        return Loss::default();
    }
    let (before, after) = (Parts::of(old), Parts::of(new));
    let (scenarios, stay) = scenarios(&before, &after);
    let mut loss = Loss { scenarios, ..Loss::default() };
    if before.units().count().saturating_mul(after.units().count()) > MOST_PAIRS {
        // Padding must not hide a loss: what is that long has to repeat word for word.
        let known: HashSet<&Words> = after.units().map(|unit| &unit.words).collect();
        let demands = before.body.iter().filter(|unit| unit.is_normative);
        let units = demands.chain(stay.iter().flat_map(|(scenario, _)| &scenario.steps)).chain(&before.notes);
        loss.sentences =
            units.filter(|unit| !unit.words.is_empty() && !known.contains(&unit.words)).map(piece).collect();
        return loss;
    }
    if script::is_translation(after_header(old), after_header(new)) {
        return loss;
    }
    let moved = Moved::new(&before, &after, elsewhere);
    for (one, two) in stay {
        steps(one, two, &moved, &mut loss);
    }
    body(&before, &after, &moved, &mut loss);
    rows(&before, &after, &moved, &mut loss);
    loss.notes = before.notes.iter().filter(|note| !note.words.is_empty() && !moved.has(note)).map(piece).collect();
    loss
}

fn after_header(raw: &str) -> &str {
    crate::openspec::requirement::after_header(raw)
}

fn piece(unit: &Unit) -> Piece {
    Piece { line: unit.line, text: unit.text.clone() }
}

/// Scenarios that are gone, and those that stay, old and new. The second of a name in one is the second in the other.
fn scenarios<'p>(before: &'p Parts, after: &'p Parts) -> (Vec<LostScenario>, Vec<(&'p Scenario, &'p Scenario)>) {
    let mut by_name: HashMap<&str, Vec<&Scenario>> = HashMap::new();
    for scenario in after.scenarios.iter().rev() {
        by_name.entry(&scenario.name).or_default().push(scenario);
    }
    let (mut gone, mut stay) = (Vec::new(), Vec::new());
    for scenario in &before.scenarios {
        match by_name.get_mut(scenario.name.as_str()).and_then(Vec::pop) {
            Some(same) => stay.push((scenario, same)),
            None => gone.push(scenario),
        }
    }
    let mut fresh: Vec<&Scenario> = after
        .scenarios
        .iter()
        .filter(|scenario| {
            by_name
                .get(scenario.name.as_str())
                .is_some_and(|left| left.iter().any(|other| std::ptr::eq(*other, *scenario)))
        })
        .collect();
    if gone.len().saturating_mul(fresh.len()) > MOST_PAIRS >> 6 {
        fresh.clear();
    }
    let lost = gone.into_iter().map(|scenario| {
        let other = nearest(scenario, &fresh).map(|at| fresh.remove(at));
        stay.extend(other.map(|other| (scenario, other)));
        let renamed = other.map(|other| other.name.clone());
        LostScenario { name: scenario.name.clone(), line: scenario.line, renamed }
    });
    let lost = lost.collect();
    (lost, stay)
}

/// The new scenario whose steps are an old one's, or nearly.
fn nearest(old: &Scenario, fresh: &[&Scenario]) -> Option<usize> {
    let words = |scenario: &Scenario| Words::union(scenario.steps.iter().map(|step| &step.words));
    let name = |scenario: &Scenario| Words::of(&scenario.name);
    let (steps, title) = (words(old), name(old));
    let score = |other: &Scenario| {
        if steps.is_empty() || other.steps.is_empty() {
            return 0.0;
        }
        let by_steps = steps.likeness(&words(other));
        // A name that differs in case or a word only needs less of the steps; one that says the contrary is no new name.
        let is_contrary = demand::has_negation(&old.name) != demand::has_negation(&other.name);
        match title.likeness(&name(other)) > 0.6 {
            _ if is_contrary && by_steps < 0.9 => 0.0,
            true => by_steps * 2.0,
            false => by_steps,
        }
    };
    let scored = fresh.iter().enumerate().map(|(at, other)| (score(other), at));
    scored.filter(|(score, _)| *score >= 0.6).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
}

fn steps(old: &Scenario, new: &Scenario, moved: &Moved<'_>, loss: &mut Loss) {
    let (one, two): (Vec<&Unit>, Vec<&Unit>) = (old.steps.iter().collect(), new.steps.iter().collect());
    // A scenario written otherwise, as prose or as one line, has all words in other units.
    let whole = Words::union(new.steps.iter().map(|step| &step.words));
    let is_spread = |unit: &Unit| unit.words.len() > 2 && unit.words.kept_in(&whole) >= 0.85;
    let found = matching::matching(&one, &two, |unit| is_spread(unit) || moved.has(unit), matching::same_part);
    let lost: Vec<Piece> =
        found.lost.iter().map(|at| one[*at]).filter(|step| !step.words.is_empty()).map(piece).collect();
    if !lost.is_empty() {
        let is_renamed = old.name != new.name;
        loss.steps.push(LostSteps { scenario: old.name.clone(), line: new.line, steps: lost, is_renamed });
    }
    for (o, n) in found.pairs.into_iter().chain(found.replaced) {
        loss.weakened.extend(weakened::step(one[o], two[n], &two));
    }
}

fn body(before: &Parts, after: &Parts, moved: &Moved<'_>, loss: &mut Loss) {
    let (one, two): (Vec<&Unit>, Vec<&Unit>) = (before.body.iter().collect(), after.body.iter().collect());
    let whole = Words::union(after.body.iter().map(|unit| &unit.words));
    let is_spread = |unit: &Unit| unit.words.len() > 5 && unit.words.kept_in(&whole) >= 0.9;
    let may_replace = |old: &Unit, new: &Unit| {
        old.is_normative
            && new.is_normative
            && (!demand::is_prohibition(&old.text) || demand::is_prohibition(&new.text))
    };
    // A list that became a sentence still names its items.
    let is_named = |unit: &Unit| {
        let name = unit.text.strip_prefix('`').and_then(|rest| rest.split_once('`'));
        name.is_some_and(|(name, _)| after.body.iter().any(|other| other.text.contains(&format!("`{name}`"))))
    };
    let is_kept = |unit: &Unit| is_spread(unit) || is_named(unit) || moved.has(unit);
    let found = matching::matching(&one, &two, is_kept, may_replace);
    // What introduces a list is gone when its items are.
    let is_idle = |at: usize| one[at].text.ends_with([':', '：']) && !found.lost.contains(&(at + 1));
    let lost = found.lost.iter().filter(|at| !is_idle(**at)).map(|at| one[*at]);
    loss.sentences.extend(lost.filter(|unit| unit.is_normative && !unit.words.is_empty()).map(piece));
    for (o, n) in found.pairs.into_iter().chain(found.replaced) {
        loss.weakened.extend(weakened::sentence(one[o], two[n], &two));
    }
}

/// Rows of tables. A row is known by its first cell too: its other cells may change.
fn rows(before: &Parts, after: &Parts, moved: &Moved<'_>, loss: &mut Loss) {
    let first_cell = |row: &Unit| row.text.trim_matches('|').split('|').next().map(Words::of).unwrap_or_default();
    // A scenario that is gone takes its tables with it.
    let is_gone = |at: usize| loss.scenarios.iter().any(|lost| lost.line == before.scenarios[at].line);
    let tables: Vec<&Table> = before.tables.iter().filter(|table| !table.scenario.is_some_and(is_gone)).collect();
    for table in tables {
        let two: Vec<&Unit> = after.tables.iter().flat_map(|table| &table.rows).collect();
        let lost = table.rows.iter().filter(|row| {
            let cell = first_cell(row);
            !row.words.is_empty()
                && !moved.has(row)
                && !two.iter().any(|other| {
                    row.words == other.words
                        || !cell.is_empty() && cell == first_cell(other)
                        || row.words.likeness(&other.words) >= 0.6
                })
        });
        loss.rows.extend(lost.map(piece));
    }
}

#[cfg(test)]
mod tests;
