//! Which part of a run this is, when several runners share it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most parts a run is split into: more than any CI gives runners.
const MOST: u16 = 1024;

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Shard {
    /// Which one, from 1 on.
    pub index: u16,
    /// How many there are.
    pub total: u16,
}

impl Shard {
    /// Whether what stands at this place of a list, from 0 on, belongs to it.
    pub fn has(self, place: usize) -> bool {
        place % usize::from(self.total) + 1 == usize::from(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.total)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, total)| Some((index.parse().ok()?, total.parse().ok()?)));
        match numbers {
            Some((index, total)) if (1..=total).contains(&index) && total <= MOST => Ok(Self { index, total }),
            _ => Err(format!("write I/N, such as 1/4 for the first of four, N at most {MOST}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, total: 3 }));
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "1/2000"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_place_is_of_one() {
        for place in 0..10 {
            let owners = (1..=3).filter(|index| Shard { index: *index, total: 3 }.has(place)).count();
            assert_eq!(owners, 1);
        }
    }
}
