//! What git calls: before it commits and pushes, with a commit's message, and where a push arrives.

pub(super) mod commit_msg;
mod judged;
pub(super) mod pre_commit;
pub(super) mod pre_push;
pub(super) mod pre_receive;
mod stdin;
