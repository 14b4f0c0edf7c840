//! Two open changes that claim one requirement: what comes of archiving one and then the other.

mod index;
mod state;

use std::collections::HashMap;

use super::claims::{Claim, OpenDelta};
use super::delta::{Delta, Operation};
use super::heading::fold_name;
use super::merge::Reason;
use super::requirement::Block;
use super::spec::Spec;
use super::units::Unit;
pub use index::Index;
use index::{Names, connected};
use state::State;

/// Third changes that are archived in thought before two that wait for them.
const MAX_GROUND: usize = 8;

/// A requirement, under one name or several, that two deltas claim.
#[derive(Debug)]
pub struct Overlap {
    /// What the first delta does with it.
    pub first: Claim,
    /// What the second delta does with it.
    pub second: Claim,
    /// Other changes that have to be archived before either of the two, since they bring what both build on.
    pub ground: Vec<String>,
    /// What each delta comes to without the other.
    pub alone: [Outcome; 2],
    /// What it comes to when the first delta is archived before the second.
    pub first_then_second: Outcome,
    /// What it comes to when the second delta is archived before the first.
    pub second_then_first: Outcome,
}

/// What archiving comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything both say is in the main spec then.
    Works,
    /// The change that is archived last is refused. What it would have dropped, when that is why.
    Refused(Reason, Vec<Unit>),
    /// The change that is archived last drops what the other one added.
    Drops(Vec<Unit>),
    /// A removal finds nothing to remove, and what it means stays under another name or comes later.
    Void(String),
}

impl Outcome {
    /// Whether it is as everybody would want it.
    pub fn works(&self) -> bool {
        *self == Self::Works
    }

    /// Whether archiving goes through and does what it says, though text of the first change may go.
    pub fn is_accepted(&self) -> bool {
        matches!(self, Self::Works | Self::Drops(_))
    }

    /// Whether what the change needs is not there yet.
    pub fn is_waiting(&self) -> bool {
        matches!(self, Self::Void(_) | Self::Refused(Reason::NotFound(..) | Reason::NoTarget(_), _))
    }

    /// What gets lost, as written.
    pub fn lost(&self) -> &[Unit] {
        match self {
            Self::Refused(_, lost) | Self::Drops(lost) => lost,
            Self::Works | Self::Void(_) => &[],
        }
    }
}

/// A requirement, under one name or several, that two deltas claim, before anything was tried.
#[derive(Debug, Clone)]
pub struct Shared {
    /// Place of the first delta's claim.
    pub own: usize,
    other: usize,
    names: Names,
}

impl Shared {
    /// The other delta's claim.
    pub fn other_claim<'d>(&self, other: &'d OpenDelta) -> &'d Claim {
        other.index().claim(self.other)
    }
}

/// One delta against the others for its capability.
pub struct Trials<'a> {
    /// The change it belongs to.
    change: &'a str,
    delta: &'a Delta,
    index: Index,
    target: Option<&'a Spec>,
    /// Places of the main spec's requirements, by folded name.
    blocks: HashMap<String, Vec<usize>>,
    /// Deltas of all open changes for the capability.
    all: &'a [OpenDelta],
    /// What was tried, by the names it was about and what the other delta says.
    known: HashMap<(Names, String), Tried>,
}

/// What came of a trial.
#[derive(Debug, Clone)]
struct Tried {
    ground: Vec<String>,
    alone: [Outcome; 2],
    first_then_second: Outcome,
    second_then_first: Outcome,
}

impl<'a> Trials<'a> {
    /// A delta of a change, the main spec it is for, and the deltas of all open changes for that.
    pub fn new(change: &'a str, delta: &'a Delta, target: Option<&'a Spec>, all: &'a [OpenDelta]) -> Self {
        let mut blocks: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, block) in target.iter().flat_map(|spec| spec.blocks.iter().enumerate()) {
            blocks.entry(fold_name(&block.name)).or_default().push(at);
        }
        Self { change, delta, index: Index::of(delta), target, blocks, all, known: HashMap::new() }
    }

    /// A claim of the delta.
    pub fn claim(&self, at: usize) -> &Claim {
        self.index.claim(at)
    }

    /// Requirements another delta claims too, in the order of this one. Names a rename connects are one requirement.
    pub fn shared(&self, other: &OpenDelta) -> Vec<Shared> {
        let theirs = other.index();
        let mut done = Names::new();
        let mut found = Vec::new();
        for (own, name) in self.index.names() {
            let Some(other) = theirs.first(name).filter(|_| !done.contains(name)) else { continue };
            let names = connected(Names::from([name.to_owned()]), &[&self.index, theirs]);
            done.extend(names.iter().cloned());
            found.push(Shared { own, other, names });
        }
        found
    }

    /// Names that both deltas bring and that differ in spelling only, so that archiving takes them for two: places of the
    /// delta's claims, and the other one's.
    pub fn spelt_otherwise(&self, other: &OpenDelta) -> Vec<(usize, Claim)> {
        let (own, theirs) = (&self.index, other.index());
        let is_new = |claim: &Claim| !self.blocks.contains_key(&fold_name(&claim.name));
        let pairs =
            own.spellings().iter().filter_map(|(key, at)| Some((*at, theirs.claim(*theirs.spellings().get(key)?))));
        let mut found: Vec<(usize, Claim)> = pairs
            .filter(|(at, claim)| {
                let (one, other) = (fold_name(&own.claim(*at).name), fold_name(&claim.name));
                one != other && own.first(&other).is_none() && theirs.first(&one).is_none()
            })
            .filter(|(at, claim)| is_new(own.claim(*at)) && is_new(claim))
            .map(|(at, claim)| (at, claim.clone()))
            .collect();
        found.sort_by_key(|(at, _)| *at);
        found
    }

    /// Archives both deltas in both orders, as far as the requirement they share is concerned.
    pub fn tried(&mut self, shared: &Shared, other: &OpenDelta) -> Overlap {
        let first = self.index.excerpt(self.delta, &shared.names);
        let second = other.index().excerpt(&other.delta, &shared.names);
        let key = (shared.names.clone(), said(&second));
        let tried = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => {
                let tried = self.try_out(&shared.names, [&first, &second], other);
                // What third changes come to depends on which the other one is when it could be one of them.
                if tried.ground.is_empty() && !tried.alone.iter().all(Outcome::is_waiting)
                    || !other.index().brings(&shared.names)
                {
                    self.known.insert(key, tried.clone());
                }
                tried
            }
        };
        let Tried { ground, alone, first_then_second, second_then_first } = tried;
        let (first, second) = (self.index.claim(shared.own).clone(), other.index().claim(shared.other).clone());
        Overlap { first, second, ground, alone, first_then_second, second_then_first }
    }

    fn try_out(&self, names: &Names, deltas: [&Delta; 2], other: &OpenDelta) -> Tried {
        let start = self.start(names);
        let alone = deltas.map(|delta| start.outcome(delta));
        if alone.iter().all(Outcome::is_waiting)
            && let Some(tried) = self.on_top_of_others(names, deltas, other)
        {
            return tried;
        }
        Self::both_orders(&start, deltas, alone, Vec::new())
    }

    fn both_orders(start: &State, deltas: [&Delta; 2], alone: [Outcome; 2], ground: Vec<String>) -> Tried {
        let [first, second] = deltas;
        let (first_then_second, second_then_first) = (start.after_both(first, second), start.after_both(second, first));
        Tried { ground, alone, first_then_second, second_then_first }
    }

    /// The same after the changes that bring what both wait for.
    fn on_top_of_others(&self, names: &Names, deltas: [&Delta; 2], other: &OpenDelta) -> Option<Tried> {
        let mut names = names.clone();
        let mut bringers: Vec<&OpenDelta> = Vec::new();
        while bringers.len() < MAX_GROUND {
            let is_third = |delta: &OpenDelta| delta.change != self.change && delta.change != other.change;
            let is_known = |delta: &OpenDelta| bringers.iter().any(|bringer| bringer.change == delta.change);
            let mut thirds = self.all.iter().filter(|third| is_third(third) && !is_known(third));
            let Some(bringer) = thirds.find(|third| third.index().brings(&names)) else { break };
            bringers.push(bringer);
            let indices: Vec<&Index> = bringers.iter().map(|bringer| bringer.index()).collect();
            names = connected(names, &indices);
        }
        let mut state = self.start(&names);
        let mut ground = Vec::new();
        loop {
            let applied = bringers.iter().enumerate().find_map(|(at, bringer)| {
                let delta = bringer.index().excerpt(&bringer.delta, &names);
                state.after(&delta).ok().filter(|(_, void)| void.is_none()).map(|(after, _)| (at, after))
            });
            let (at, after) = applied?;
            state = after;
            ground.push(bringers.remove(at).change.clone());
            let alone = deltas.map(|delta| state.outcome(delta));
            if !alone.iter().all(Outcome::is_waiting) {
                return Some(Self::both_orders(&state, deltas, alone, ground));
            }
        }
    }

    /// Nothing but the requirement itself, so that no fault elsewhere in the main spec stands in the way.
    fn start(&self, names: &Names) -> State {
        let spec = self.target.map(|spec| {
            let mut places: Vec<usize> =
                names.iter().filter_map(|name| self.blocks.get(name)).flatten().copied().collect();
            places.sort_unstable();
            let mut text = "## Purpose\nAn excerpt.\n\n## Requirements\n".to_owned();
            for at in places {
                text.push('\n');
                text.push_str(spec.raw(&spec.blocks[at]));
                text.push('\n');
            }
            Spec::parse(text.into_bytes())
        });
        State { spec }
    }
}

/// All a delta says, to know it again.
fn said(delta: &Delta) -> String {
    let blocks = |word: char, blocks: &[Block]| {
        blocks.iter().map(|block| format!("{word}{}\n", delta.raw(block))).collect::<String>()
    };
    let mut said = blocks('+', &delta.added) + &blocks('=', &delta.modified);
    delta.removed.iter().for_each(|removal| said.extend(["-", &removal.name, "\n"]));
    delta.renamed.iter().for_each(|rename| said.extend([">", &rename.from, "\n>", &rename.to, "\n"]));
    said
}

/// Whether each of two deltas brings a capability that is not there yet. One that modifies or renames waits for another.
pub fn both_create(first: &Delta, second: &Delta) -> bool {
    [first, second].iter().all(|delta| !delta.added.is_empty() && delta.modified.is_empty() && delta.renamed.is_empty())
}

impl Overlap {
    /// Whether both do the same operation.
    pub fn both(&self, operation: Operation) -> bool {
        self.first.operation == operation && self.second.operation == operation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "### Requirement: A\nx SHALL y.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n";

    /// Outcomes of first-then-second and second-then-first in one word each.
    fn outcomes(first: &str, second: &str) -> Vec<(&'static str, &'static str)> {
        tried(first, &[second])
            .iter()
            .map(|overlap| (word(&overlap.first_then_second), word(&overlap.second_then_first)))
            .collect()
    }

    fn word(outcome: &Outcome) -> &'static str {
        match outcome {
            Outcome::Works => "works",
            Outcome::Refused(..) => "refused",
            Outcome::Drops(_) => "drops",
            Outcome::Void(_) => "void",
        }
    }

    fn open(texts: &[&str]) -> Vec<OpenDelta> {
        let delta = |(at, text): (usize, &&str)| {
            OpenDelta::new(format!("c{at}"), "x".into(), Delta::parse(text.as_bytes().to_vec()), false)
        };
        texts.iter().enumerate().map(delta).collect()
    }

    /// What comes of a delta and the first of some others.
    fn tried(first: &str, others: &[&str]) -> Vec<Overlap> {
        let spec = Spec::parse(format!("## Purpose\np\n## Requirements\n{MAIN}").into_bytes());
        let delta = Delta::parse(first.as_bytes().to_vec());
        let all = open(others);
        let mut trials = Trials::new("own", &delta, Some(&spec), &all);
        trials.shared(&all[0]).iter().map(|shared| trials.tried(shared, &all[0])).collect()
    }

    fn modified(extra: &str) -> String {
        format!("## MODIFIED Requirements\n{MAIN}{extra}")
    }

    const REMOVED: &str = "## REMOVED Requirements\n### Requirement: A\n";

    fn renamed(from: &str, to: &str) -> String {
        format!("## RENAMED Requirements\nFROM: ### Requirement: {from}\nTO: ### Requirement: {to}\n")
    }

    fn added(name: &str) -> String {
        format!("## ADDED Requirements\n### Requirement: {name}\nz SHALL z.\n#### Scenario: T\n- **THEN** c\n")
    }

    #[test]
    fn modified_twice() {
        assert_eq!(outcomes(&modified(""), &modified("")), [("works", "works")]);
        assert_eq!(outcomes(&modified("- **AND** c\n"), &modified("- **AND** d\n")), [("drops", "drops")]);
        assert_eq!(outcomes(&modified("- **AND** c\n- **AND** d\n"), &modified("- **AND** d\n")), [("drops", "works")]);
        let scenario = modified("#### Scenario: T\n- **THEN** c\n");
        assert_eq!(outcomes(&scenario, &modified("- **AND** d\n")), [("refused", "drops")]);
    }

    #[test]
    fn removed_or_renamed_against_modified() {
        let change = modified("- **AND** c\n");
        assert_eq!(outcomes(&change, REMOVED), [("works", "refused")]);
        assert_eq!(outcomes(&renamed("A", "B"), &change), [("refused", "works")]);
        assert_eq!(outcomes(&renamed("A", "B"), REMOVED), [("void", "refused")]);
        assert_eq!(outcomes(REMOVED, REMOVED), [("works", "works")]);
    }

    #[test]
    fn names_of_renames() {
        assert_eq!(outcomes(&renamed("A", "B"), &renamed("A", "C")), [("refused", "refused")]);
        assert_eq!(outcomes(&renamed("A", "B"), &renamed("A", "B")), [("works", "works")]);
        assert_eq!(outcomes(&renamed("A", "B"), &added("B")), [("refused", "refused")]);
        assert_eq!(outcomes(&renamed("A", "B"), &added("a")), [("works", "refused")]);
        let both = format!("{}{}", renamed("A", "B"), modified("- **AND** d\n").replace(": A", ": B"));
        assert_eq!(outcomes(&modified("- **AND** c\n"), &both), [("drops", "refused")]);
    }

    #[test]
    fn added_twice() {
        assert_eq!(outcomes(&added("N"), &added("N")), [("works", "works")]);
        assert_eq!(outcomes(&added("N"), &added("n")), [("refused", "refused")]);
        assert_eq!(outcomes(&added("N"), &added("M")), []);
    }

    #[test]
    fn what_a_third_change_brings() {
        let change = |text: &str| {
            format!("## MODIFIED Requirements\n### Requirement: N\n{text}\n#### Scenario: T\n- **THEN** c\n")
        };
        let (one, two) = (change("z SHALL y."), change("z SHALL x."));
        let found = tried(&one, &[&two]);
        assert!(found[0].ground.is_empty() && found[0].alone.iter().all(Outcome::is_waiting));
        let found = tried(&one, &[&two, &added("N")]);
        assert_eq!(found[0].ground, ["c1"]);
        assert_eq!(found[0].alone, [Outcome::Works, Outcome::Works]);
        assert_eq!(word(&found[0].first_then_second), "drops");
        // Through two of them: one adds, one renames.
        let found = tried(&one, &[&two, &renamed("M", "N"), &added("M")]);
        assert_eq!(found[0].ground, ["c2", "c1"]);
    }

    #[test]
    fn names_that_differ_in_spelling() {
        let delta = Delta::parse(added("Invoice audit").into_bytes());
        let all = open(&[&added("Invoice-audit"), &added("Invoice  Audit"), &added("Audit")]);
        let trials = Trials::new("own", &delta, None, &all);
        let found: Vec<usize> = all.iter().map(|other| trials.spelt_otherwise(other).len()).collect();
        assert_eq!(found, [1, 0, 0]);
    }
}
