//! How often a session was sent back to work, and when that has to end.

use serde::{Deserialize, Serialize};

/// How often an agent is kept from ending its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// For the same failure.
    pub same: u32,
    /// In one session.
    pub session: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { same: 3, session: 8 }
    }
}

/// What happened so far in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tally {
    /// Digest of the newest failure.
    pub failure: String,
    /// How often it was sent back for that.
    pub same: u32,
    /// How often it was sent back at all.
    pub blocks: u32,
}

/// What to do about a stop that is not to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Send it back to work, for the so-manieth time for this failure.
    Block(u32),
    /// Let it go: it was sent back so often for this failure.
    LetGo(u32),
}

impl Tally {
    /// Decides about a failure, and counts it. `seen` is how often the client itself says that it went on already.
    pub fn decide(&mut self, failure: &str, bounds: Bounds, seen: u32) -> Decision {
        if self.failure != failure {
            failure.clone_into(&mut self.failure);
            self.same = 0;
        }
        if self.same >= bounds.same || self.blocks >= bounds.session || seen >= bounds.session {
            return Decision::LetGo(self.same);
        }
        self.same += 1;
        self.blocks += 1;
        Decision::Block(self.same)
    }

    /// Nothing is wrong any more: the next failure is counted from the start.
    pub fn pass(&mut self) {
        self.failure.clear();
        self.same = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_failure_ends_after_three() {
        let (mut tally, bounds) = (Tally::default(), Bounds::default());
        let decisions: Vec<Decision> = (0..5).map(|_| tally.decide("a", bounds, 0)).collect();
        let (block, go) = (Decision::Block, Decision::LetGo(3));
        assert_eq!(decisions, [block(1), block(2), block(3), go, go]);
        assert_eq!(tally.decide("b", bounds, 0), block(1));
        tally.pass();
        assert_eq!(tally.decide("b", bounds, 0), block(1));
    }

    #[test]
    fn a_session_ends_after_eight() {
        let (mut tally, bounds) = (Tally::default(), Bounds::default());
        for number in 0..8 {
            assert_eq!(tally.decide(&number.to_string(), bounds, 0), Decision::Block(1));
            tally.pass();
        }
        assert_eq!(tally.decide("z", bounds, 0), Decision::LetGo(0));
    }

    #[test]
    fn a_client_that_counts_is_believed() {
        assert_eq!(Tally::default().decide("a", Bounds::default(), 8), Decision::LetGo(0));
    }
}
