//! Rules about how well requirements and scenarios are written. `specward lint` runs them, and `specward verify` when
//! `lint: min-score` is configured.

use super::rule::group;

group!(
    "quality":
    absolute,
    acronym,
    and_or,
    comparison,
    empty_outcome,
    escape,
    gesture,
    low_score,
    modal_case,
    modal_missing,
    modal_negative,
    modal_weak,
    no_error_path,
    open_ended,
    pronoun,
    purpose_phrase,
    solution,
    superfluous_infinitive,
    temporal,
    unit,
    unmeasured,
    unobservable,
    vague,
);
