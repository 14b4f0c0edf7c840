//! What a rule is and what it runs on.

use super::criteria_view::CriteriaView;
use super::quality_view::QualityView;
use super::sink::Sink;
use super::spec_diff::SpecDiffView;
use super::view::{ArchiveView, ChangeView, DeltaView, DiffView, MergeView, ScenarioView, SpecView};
use super::weight::Weight;
use crate::report::Level;

/// A rule: its identity, its words for the user, and its check.
#[derive(Debug)]
pub struct Rule {
    /// `<group>/<name>` in kebab case. Never reused for something else.
    pub id: &'static str,
    /// How bad a finding is unless the configuration says otherwise.
    pub level: Level,
    /// Whether the reference finds this too.
    pub origin: Origin,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// The user's page, Markdown.
    pub docs: &'static str,
    /// What it runs on.
    pub check: Check,
    /// What a finding costs in the score of `lint`. None for a rule that `lint` does not run.
    pub weight: Option<Weight>,
}

/// Where a rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `openspec validate` decides the same. At level error it cannot be turned off.
    Reference,
    /// Our own.
    Own,
}

/// What a rule runs on.
#[derive(Clone, Copy)]
pub enum Check {
    /// Each judged main spec.
    Spec(fn(&SpecView<'_>, &mut Sink<'_>)),
    /// Each delta file of a judged change.
    Delta(fn(&DeltaView<'_>, &mut Sink<'_>)),
    /// The scenarios of each judged main spec, and of what each delta of a judged change adds and modifies.
    Scenarios(fn(&ScenarioView<'_>, &mut Sink<'_>)),
    /// Each delta file that no other rule found an error in: what does the reference say about archiving it?
    DryRun(fn(&DeltaView<'_>, &mut Sink<'_>)),
    /// Each delta file together with what archiving would make of it.
    Merge(fn(&MergeView<'_>, &mut Sink<'_>)),
    /// Each judged change as a whole.
    Change(fn(&ChangeView<'_>, &mut Sink<'_>)),
    /// Each archived change, on request.
    Archive(fn(&ArchiveView<'_>, &mut Sink<'_>)),
    /// The difference between base and head, when the spec set is frozen.
    Diff(fn(&DiffView<'_>, &mut Sink<'_>)),
    /// Each main spec of base that head has otherwise or no more, whenever base and head are compared.
    SpecDiff(fn(&SpecDiffView<'_>, &mut Sink<'_>)),
    /// Each judged change, and each main spec that differs: what holds of a change before its text is there and after.
    ChangeAndSpecDiff(fn(&ChangeView<'_>, &mut Sink<'_>), fn(&SpecDiffView<'_>, &mut Sink<'_>)),
    /// Each judged file of criteria.
    Criteria(fn(&CriteriaView<'_>, &mut Sink<'_>)),
    /// Each requirement of each linted main spec, and of what each linted delta adds and modifies.
    Quality(fn(&QualityView<'_>, &mut Sink<'_>)),
    /// Reported by the gate while it reads.
    Gate,
}

impl Check {
    /// What it does with a judged change.
    pub fn of_change(self) -> Option<fn(&ChangeView<'_>, &mut Sink<'_>)> {
        match self {
            Self::Change(check) | Self::ChangeAndSpecDiff(check, _) => Some(check),
            _ => None,
        }
    }

    /// What it does with a main spec that differs.
    pub fn of_spec_diff(self) -> Option<fn(&SpecDiffView<'_>, &mut Sink<'_>)> {
        match self {
            Self::SpecDiff(check) | Self::ChangeAndSpecDiff(_, check) => Some(check),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Spec(_) => "Spec",
            Self::Delta(_) => "Delta",
            Self::Scenarios(_) => "Scenarios",
            Self::DryRun(_) => "DryRun",
            Self::Merge(_) => "Merge",
            Self::Change(_) => "Change",
            Self::Archive(_) => "Archive",
            Self::Diff(_) => "Diff",
            Self::SpecDiff(_) => "SpecDiff",
            Self::ChangeAndSpecDiff(..) => "ChangeAndSpecDiff",
            Self::Criteria(_) => "Criteria",
            Self::Quality(_) => "Quality",
            Self::Gate => "Gate",
        })
    }
}

/// A folder of rules.
#[derive(Debug)]
pub struct Group {
    /// The part of the id before the slash.
    pub name: &'static str,
    /// Its rules.
    pub rules: &'static [&'static Rule],
}

/// Defines a rule. The doc comment is its page. A rule that `lint` runs has a weight at its end.
macro_rules! rule {
    ($(#[doc = $doc:literal])* $id:literal, $level:ident, $origin:ident, $summary:literal, $check:expr) => {
        $crate::rules::rule::rule! { @ $(#[doc = $doc])* $id, $level, $origin, $summary, $check, None }
    };
    ($(#[doc = $doc:literal])* $id:literal, $level:ident, $origin:ident, $summary:literal, $check:expr, $weight:expr) => {
        $crate::rules::rule::rule! { @ $(#[doc = $doc])* $id, $level, $origin, $summary, $check, Some($weight) }
    };
    (@ $(#[doc = $doc:literal])* $id:literal, $level:ident, $origin:ident, $summary:literal, $check:expr, $weight:expr) => {
        $(#[doc = $doc])*
        pub static RULE: $crate::rules::Rule = $crate::rules::Rule {
            id: $id,
            level: $crate::report::Level::$level,
            origin: $crate::rules::Origin::$origin,
            summary: $summary,
            docs: concat!($($doc, "\n"),*),
            check: $check,
            weight: $weight,
        };
    };
}
pub(crate) use rule;

/// Declares a group's rule files and lists them.
macro_rules! group {
    ($name:literal: $($rule:ident),* $(,)?) => {
        $(pub mod $rule;)*

        /// The rules of this folder.
        pub const GROUP: $crate::rules::Group = $crate::rules::Group { name: $name, rules: &[$(&$rule::RULE),*] };
    };
}
pub(crate) use group;
