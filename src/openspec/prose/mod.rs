//! The words of requirements and their scenarios as people read them: cut into sentences, each word with its place in the
//! file, what is code or quoted told from what is said. What the quality rules look at.

mod cut;
mod language;
mod lines;
mod measured;
mod requirement;
mod sentence;
mod shown;
mod unmasked;

pub use language::Language;
pub use requirement::{FileProse, RequirementProse, ScenarioProse};
pub use sentence::{Kind, Position, Sentence, Word, imperatives};
pub use shown::said;
