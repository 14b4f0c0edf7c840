//! Git's hooks: where a repository keeps them, who writes them, and ours among them.

mod apply;
mod call;
mod elsewhere;
mod husky;
mod locate;
mod managed;
pub mod managers;
mod plain;
mod plan;
mod told;

pub use apply::{Applied, apply};
pub use locate::{Elsewhere, Hooks, ManagerConfig, locate};
pub use plain::left_in;
pub use plan::{Planned, State, check, install, uninstall};

use crate::agents::own::{Comment, OwnFile};

/// A hook of git's that calls specward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GitHook {
    /// Before a commit is made.
    PreCommit,
    /// Before something is pushed.
    PrePush,
    /// When a commit has its message.
    CommitMsg,
}

impl GitHook {
    /// All of them, in the order they are listed.
    pub const ALL: [Self; 3] = [Self::PreCommit, Self::PrePush, Self::CommitMsg];

    /// Those that are installed when none is named.
    pub const USUAL: [Self; 2] = [Self::PreCommit, Self::PrePush];

    /// Git's name for it.
    pub fn id(self) -> &'static str {
        match self {
            Self::PreCommit => "pre-commit",
            Self::PrePush => "pre-push",
            Self::CommitMsg => "commit-msg",
        }
    }

    /// The script that is copied by hand, or written with a line of its own that tells who wrote it.
    fn script(self) -> OwnFile {
        let text = match self {
            Self::PreCommit => include_str!("../../hooks/pre-commit"),
            Self::PrePush => include_str!("../../hooks/pre-push"),
            Self::CommitMsg => include_str!("../../hooks/commit-msg"),
        };
        OwnFile { path: self.id(), text, comment: Comment::Hash, is_executable: true }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// A shell takes a carriage return for part of a word.
    #[test]
    fn nothing_that_is_written_has_a_carriage_return() {
        let top = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders = ["hooks", "src/git_hooks/templates", "src/agents/templates"].map(|it| top.join(it)).to_vec();
        let mut count = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let bytes = fs::read(&path).expect("a file");
                assert!(!bytes.contains(&b'\r'), "{}", path.display());
                count += 1;
            }
        }
        assert!(count > 15, "{count} files are not all of them");
    }
}
