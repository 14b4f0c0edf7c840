//! Findings of `lint` that a comment or the configuration allows.

use jiff::civil::Date;

use super::file::Linted;
use crate::config::Config;
use crate::gate::suppress::{Ground, let_through_of};
use crate::openspec::project::Project;
use crate::repo::snapshot::Snapshot;
use crate::report::Suppressed;

/// Takes out what is allowed. What is wrong with an entry of the configuration is `verify`'s to tell.
pub(super) fn let_through(
    head: &dyn Snapshot,
    (projects, configs): (&[Project<'_>], &[Config]),
    today: Date,
    linted: &mut [Linted],
) -> Vec<Suppressed> {
    let ground = Ground { head, projects, configs, is_whole: false, strict: false, today };
    let findings = linted.iter_mut().map(|one| (&one.item, std::mem::take(&mut one.comments), &mut one.findings));
    let_through_of(&ground, findings)
}
