//! Two open changes that claim one requirement: what comes of archiving one and then the other.

use std::collections::HashSet;

use super::claims::{Claim, claims};
use super::delta::{Delta, Operation};
use super::heading::fold_name;
use super::merge::{Names, Reason, apply};
use super::spec::Spec;
use super::units::{Unit, Units};

/// A requirement, under one name or several, that two deltas claim.
#[derive(Debug)]
pub struct Overlap {
    /// What the first delta does with it.
    pub first: Claim,
    /// What the second delta does with it.
    pub second: Claim,
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

    /// What gets lost, as written.
    pub fn lost(&self) -> &[Unit] {
        match self {
            Self::Refused(_, lost) | Self::Drops(lost) => lost,
            Self::Works | Self::Void(_) => &[],
        }
    }
}

/// Requirements two deltas for one capability both claim, in the order of the first delta. Names a rename connects are
/// one requirement.
pub fn overlaps(first: &Delta, second: &Delta, target: Option<&Spec>) -> Vec<Overlap> {
    let (own, other) = (claims(first), claims(second));
    let fold = |claims: &[Claim]| claims.iter().map(|claim| fold_name(&claim.name)).collect::<Vec<_>>();
    let (own_folds, other_folds) = (fold(&own), fold(&other));
    let others: HashSet<&String> = other_folds.iter().collect();
    let mut done: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    for (claim, folded) in own.iter().zip(&own_folds) {
        if !others.contains(folded) || done.contains(folded) {
            continue;
        }
        let names = connected(folded, [first, second]);
        let of_other = other.iter().zip(&other_folds).find(|(_, other)| *other == folded).map(|(claim, _)| claim);
        if let Some(of_other) = of_other {
            found.push(tried([first, second], [claim, of_other], &names, target));
        }
        done.extend(names);
    }
    found
}

/// A name and those that renames make of it, folded.
fn connected(name: &str, deltas: [&Delta; 2]) -> HashSet<String> {
    let renames = deltas.iter().flat_map(|delta| &delta.renamed);
    let mut pairs: Vec<(String, String)> =
        renames.map(|rename| (fold_name(&rename.from), fold_name(&rename.to))).collect();
    let mut names = HashSet::from([name.to_owned()]);
    loop {
        let before = pairs.len();
        pairs.retain(|(from, to)| {
            let is_connected = names.contains(from) || names.contains(to);
            if is_connected {
                names.insert(from.clone());
                names.insert(to.clone());
            }
            !is_connected
        });
        if pairs.len() == before {
            return names;
        }
    }
}

/// Archives both deltas in both orders, as far as some names are concerned.
fn tried(deltas: [&Delta; 2], claims: [&Claim; 2], names: &HashSet<String>, target: Option<&Spec>) -> Overlap {
    let is_kept = |name: &str| names.contains(&fold_name(name));
    let [first, second] = deltas.map(|delta| delta.only(is_kept));
    // Nothing but the requirement itself, so that no fault elsewhere in the main spec stands in the way.
    let start = State { spec: target.map(|spec| excerpt(spec, is_kept)) };
    let alone = [&first, &second].map(|delta| match start.after(delta) {
        Ok((_, None)) => Outcome::Works,
        Ok((_, Some(void))) => Outcome::Void(void),
        Err(reason) => Outcome::Refused(reason, Vec::new()),
    });
    Overlap {
        first: claims[0].clone(),
        second: claims[1].clone(),
        alone,
        first_then_second: start.after_both(&first, &second),
        second_then_first: start.after_both(&second, &first),
    }
}

fn excerpt(spec: &Spec, is_kept: impl Fn(&str) -> bool) -> Spec {
    let mut text = "## Purpose\nAn excerpt.\n\n## Requirements\n".to_owned();
    for block in spec.blocks.iter().filter(|block| is_kept(&block.name)) {
        text.push('\n');
        text.push_str(spec.raw(block));
        text.push('\n');
    }
    Spec::parse(text.into_bytes())
}

/// A main spec at some time, none when there is no such capability.
struct State {
    spec: Option<Spec>,
}

impl State {
    /// The state after a delta, and the first removal that found nothing.
    fn after(&self, delta: &Delta) -> Result<(Self, Option<String>), Reason> {
        let has = |name: &str| self.spec.iter().any(|spec| spec.blocks.iter().any(|block| block.name == name));
        let void = delta.removed.iter().find(|removal| !has(&removal.name)).map(|removal| removal.name.clone());
        let names = Names { capability: "excerpt", change: "excerpt" };
        let merged = apply(delta, self.spec.as_ref(), names)
            .map_err(|refusals| refusals.into_iter().next().map_or(Reason::Empty, |refusal| refusal.reason))?;
        Ok((Self { spec: Some(Spec::parse(merged.text.into_bytes())) }, void))
    }

    fn after_both(&self, first: &Delta, second: &Delta) -> Outcome {
        let between = match self.after(first) {
            Ok((between, _)) => between,
            Err(reason) => return Outcome::Refused(reason, Vec::new()),
        };
        // What a removal takes away is meant to go.
        let added = |after: &Units| match second.removed.is_empty() {
            true => between.units().lost(&self.units(), after),
            false => Vec::new(),
        };
        let (last, void) = match between.after(second) {
            Ok(last) => last,
            Err(reason) => {
                let mut written = Units::default();
                for block in &second.modified {
                    written.append(Units::of(second.raw(block)));
                }
                let lost = if matches!(reason, Reason::DropsScenarios(..)) { added(&written) } else { Vec::new() };
                return Outcome::Refused(reason, lost);
            }
        };
        // What both remove is removed once.
        if let Some(name) = void.filter(|name| first.removed.iter().all(|removal| removal.name != *name)) {
            return Outcome::Void(name);
        }
        match added(&last.units()) {
            lost if lost.is_empty() => Outcome::Works,
            lost => Outcome::Drops(lost),
        }
    }

    fn units(&self) -> Units {
        let mut units = Units::default();
        if let Some(spec) = &self.spec {
            for block in &spec.blocks {
                units.append(Units::of(spec.raw(block)));
            }
        }
        units
    }
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
        let spec = Spec::parse(format!("## Purpose\np\n## Requirements\n{MAIN}").into_bytes());
        let parse = |text: &str| Delta::parse(text.as_bytes().to_vec());
        let word = |outcome: &Outcome| match outcome {
            Outcome::Works => "works",
            Outcome::Refused(..) => "refused",
            Outcome::Drops(_) => "drops",
            Outcome::Void(_) => "void",
        };
        let found = overlaps(&parse(first), &parse(second), Some(&spec));
        found.iter().map(|overlap| (word(&overlap.first_then_second), word(&overlap.second_then_first))).collect()
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
}
