//! The pipeline: what is judged, by which rules, with what outcome. The only room that knows all the others.

mod affected;
mod archive;
mod archive_health;
mod baseline;
mod before;
mod comparison;
mod criteria;
mod diff_rules;
mod doubles;
mod explained;
mod frozen;
mod judge;
mod left_alone;
mod lint;
mod names;
mod reading;
mod roots;
mod run;
mod select;
mod shard;
mod spec_diff;
mod summary;
mod suppress;
mod trees;
mod verify;
mod work;

pub use archive::{Prediction, predict};
pub use baseline::Recorded;
pub use comparison::{ObserveError, Observed, Session, observe, outside};
pub(crate) use explained::{Place, hook_files, place as place_in};
pub(crate) use frozen::is_frozen;
pub use judge::{PARALLEL_FROM, RuleSet, archived, change, main_spec, missing_spec, verdict};
pub use lint::Lint;
pub use names::nearest;
pub use trees::name_whole_tree;
pub use verify::{Checks, Progress, Recording, RunError, Task, commit_has_project, has_project, record, verify};
