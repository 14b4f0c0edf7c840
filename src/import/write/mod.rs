//! Documents as texts: blocks of a spec or a delta, notes, the files of a change, criteria.

pub mod block;
pub mod change;
pub mod criteria;
pub mod layout;
pub mod safe;
pub mod sections;
pub mod yaml;
