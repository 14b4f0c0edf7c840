//! Judges criteria: their files, and which scenarios have none.

#[cfg_attr(not(test), expect(dead_code, reason = "runs call it once criteria are selected"))]
pub(super) mod rules;
