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
    hidden,
    long,
    low_score,
    many_steps,
    modal_case,
    modal_missing,
    modal_multi,
    modal_negative,
    modal_weak,
    no_error_path,
    not_linked,
    open_ended,
    parenthesis,
    passive,
    pronoun,
    purpose_phrase,
    same_text,
    solution,
    superfluous_infinitive,
    temporal,
    unit,
    unmeasured,
    unobservable,
    vague,
);
