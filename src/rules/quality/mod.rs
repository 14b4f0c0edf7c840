//! Rules about how well requirements and scenarios are written. `specward lint` runs them, and `specward verify` when
//! `lint: min-score` is configured.

use super::rule::group;

group!("quality": low_score, vague);
