//! A main spec between two archivings.

use super::super::delta::Delta;
use super::super::merge::{Names, Reason, apply};
use super::super::spec::Spec;
use super::super::units::Units;
use super::Outcome;

/// A main spec at some time, none when there is no such capability.
pub(super) struct State {
    pub(super) spec: Option<Spec>,
}

impl State {
    /// The state after a delta, and the first removal that found nothing.
    pub(super) fn after(&self, delta: &Delta) -> Result<(Self, Option<String>), Reason> {
        let has = |name: &str| self.spec.iter().any(|spec| spec.blocks.iter().any(|block| block.name == name));
        let void = delta.removed.iter().find(|removal| !has(&removal.name)).map(|removal| removal.name.clone());
        let names = Names { capability: "excerpt", change: "excerpt" };
        let merged = apply(delta, self.spec.as_ref(), names)
            .map_err(|refusals| refusals.into_iter().next().map_or(Reason::Empty, |refusal| refusal.reason))?;
        Ok((Self { spec: Some(Spec::parse(merged.text.into_bytes())) }, void))
    }

    /// What a delta comes to by itself.
    pub(super) fn outcome(&self, delta: &Delta) -> Outcome {
        match self.after(delta) {
            Ok((_, None)) => Outcome::Works,
            Ok((_, Some(void))) => Outcome::Void(void),
            Err(reason) => Outcome::Refused(reason, Vec::new()),
        }
    }

    pub(super) fn after_both(&self, first: &Delta, second: &Delta) -> Outcome {
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
