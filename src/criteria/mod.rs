//! Scenarios with executable checks: which there are, which scenario each belongs to, and what running them shows.
//!
//! A capability's criteria stand in `openspec/verify/<capability>.yaml`. Nothing here decides what is judged, nor
//! prints.

pub mod checks;
pub mod evidence;
pub mod file;
pub mod folder;
pub mod matching;
mod model;
mod observed;
pub mod process;
mod shown;
pub mod test_counts;
pub mod trivial;

pub use file::FileFault;
pub use folder::{CriteriaFile, Fault, load, load_all};
pub use matching::{Match, Matching, Missing, NoMatch, Place, ScenarioRef, Scenes};
pub use model::{
    Check, CheckKind, CommandCheck, CommandLine, Criterion, ExitExpectation, Expectation, FileCheck, FileExpectation,
    JudgeCheck, JunitCheck, NewerThan, SearchCheck, SearchExpectation, TextExpectation,
};
pub use observed::Observed;
