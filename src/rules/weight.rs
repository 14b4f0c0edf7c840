//! What a finding costs in the score of `lint`.

/// What a finding of a rule takes from its requirement's 100 points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    /// Short name of the rule among quality rules (`R-VAGUE`), never reused for something else.
    pub code: &'static str,
    /// Points for each finding. Of one rule at most two count in one requirement.
    pub points: u8,
    /// What suffers.
    pub dimension: Dimension,
    /// Whether the rule only runs when it is asked for: what it finds is a matter of taste, or is often wanted.
    pub is_pedantic: bool,
}

/// What a requirement can lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// It can be read in one way only.
    Clarity,
    /// It demands one thing.
    Atomicity,
    /// It can be told whether it holds.
    Testability,
    /// Nothing is missing.
    Completeness,
    /// It agrees with the rest of the file.
    Consistency,
}

impl Dimension {
    /// All of them, in the order they are shown.
    pub const ALL: [Self; 5] =
        [Self::Clarity, Self::Atomicity, Self::Testability, Self::Completeness, Self::Consistency];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Clarity => "clarity",
            Self::Atomicity => "atomicity",
            Self::Testability => "testability",
            Self::Completeness => "completeness",
            Self::Consistency => "consistency",
        }
    }
}

impl Weight {
    const fn new(code: &'static str, points: u8, dimension: Dimension) -> Self {
        Self { code, points, dimension, is_pedantic: false }
    }

    /// Costs clarity.
    pub const fn clarity(code: &'static str, points: u8) -> Self {
        Self::new(code, points, Dimension::Clarity)
    }

    /// Costs atomicity.
    pub const fn atomicity(code: &'static str, points: u8) -> Self {
        Self::new(code, points, Dimension::Atomicity)
    }

    /// Costs testability.
    pub const fn testability(code: &'static str, points: u8) -> Self {
        Self::new(code, points, Dimension::Testability)
    }

    /// Costs completeness.
    pub const fn completeness(code: &'static str, points: u8) -> Self {
        Self::new(code, points, Dimension::Completeness)
    }

    /// Costs consistency.
    pub const fn consistency(code: &'static str, points: u8) -> Self {
        Self::new(code, points, Dimension::Consistency)
    }

    /// What it costs, as a sentence of the rule's page.
    pub(super) fn words(&self) -> String {
        let Self { code, points, dimension, is_pedantic } = self;
        let points = match points {
            0 => String::new(),
            1 => ", costs 1 point".to_owned(),
            points => format!(", costs {points} points"),
        };
        let pedantic = if *is_pedantic { ", only with `--pedantic`" } else { "" };
        format!(" `lint`: {code} ({}){points}{pedantic}.", dimension.word())
    }

    /// Only runs when it is asked for.
    pub const fn pedantic(self) -> Self {
        Self { is_pedantic: true, ..self }
    }
}
