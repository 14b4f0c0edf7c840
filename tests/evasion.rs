//! The ways a gate gets cheated, one test per row of the threat model, each named after its row.
//!
//! Every test builds a real repository with the git program, does the cheat, runs the binary and looks at the verdict,
//! the exit code and whether the reason names what was done. Where it is cheap the same is run without the cheat and
//! must pass, so that no test can be right by accident.
//!
//! Modes, links and names that are no text are most of how files are hidden, so they run on Unix only.
#![cfg(unix)]

#[path = "evasion/base.rs"]
mod base;
#[path = "evasion/checked.rs"]
mod checked;
#[path = "evasion/criteria_edits.rs"]
mod criteria_edits;
#[path = "evasion/criteria_hostile.rs"]
mod criteria_hostile;
#[path = "evasion/criteria_inputs.rs"]
mod criteria_inputs;
#[path = "evasion/criteria_pass.rs"]
mod criteria_pass;
#[path = "evasion/criteria_runs.rs"]
mod criteria_runs;
#[path = "evasion/criteria_talk.rs"]
mod criteria_talk;
#[path = "evasion/demanded.rs"]
mod demanded;
#[path = "evasion/disarmed.rs"]
mod disarmed;
#[path = "evasion/explained.rs"]
mod explained;
#[path = "evasion/explained_forms.rs"]
mod explained_forms;
#[path = "evasion/explained_pass.rs"]
mod explained_pass;
#[path = "evasion/hidden.rs"]
mod hidden;
#[path = "evasion/ledger.rs"]
mod ledger;
#[path = "evasion/links.rs"]
mod links;
#[path = "evasion/must_pass.rs"]
mod must_pass;
#[path = "evasion/repo.rs"]
mod repo;
#[path = "evasion/session.rs"]
mod session;
#[path = "evasion/stop_hook.rs"]
mod stop_hook;
#[path = "evasion/stop_pass.rs"]
mod stop_pass;
#[path = "evasion/talk.rs"]
mod talk;
#[path = "evasion/variations.rs"]
mod variations;
