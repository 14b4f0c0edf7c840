//! What is asked of edits of the spec set, and why one is not legitimate, for the rules that say so.

use bstr::BString;

use crate::rules::{DiffView, Place, Sink};

/// What is asked of edits of the spec set.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Deserialize,
    schemars::JsonSchema,
    clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Freeze {
    /// Nothing: they are told.
    #[default]
    #[value(skip)]
    Off,
    /// Edits that the workflow explains pass: a new change, a faithful archive, ticked boxes. Everything else fails
    Explained,
    /// Every edit fails
    Strict,
}

/// A change that head has in its archive and base has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// Its folder's name in the archive.
    pub name: String,
    /// Tasks that are still open: file, 0-based line and text.
    pub open_tasks: Vec<(BString, usize, String)>,
    /// Deltas the main specs know nothing of: file, and what is missing.
    pub unmerged: Vec<(BString, String)>,
    /// Deltas that the base branch has otherwise by now, where the change is still open.
    pub outdated: Vec<BString>,
}

/// Kinds of edits that `--frozen-spec=explained` does not let pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A main spec was edited and no change explains it.
    DirectEdit,
    /// A main spec is gone, or called otherwise.
    CapabilityRemoved,
    /// An open change's delta demands less than it did.
    DeltaWeakened,
    /// An open change's delta is another one.
    DeltaEdited,
    /// What was archived is not what base has.
    ArchiveMutated,
    /// A change was archived and the specs know nothing of it.
    ArchiveUnmerged,
    /// An open change is gone.
    ChangeDeleted,
    /// The archive was edited.
    HistoryEdited,
    /// A task is gone.
    TaskRemoved,
    /// A task says something else.
    TaskReworded,
    /// A file became a link, a folder or a submodule, or the reverse.
    LinkSwap,
    /// A proposal promises something else.
    ProposalEdited,
    /// What decides how changes are read was edited.
    MetadataEdited,
    /// The gate's own settings, or what calls it.
    GateEdited,
    /// Anything else that is frozen.
    Other,
}

/// An edit that nothing makes legitimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unexplained {
    /// Why.
    pub reason: Reason,
    /// The file.
    pub path: BString,
    /// 0-based line.
    pub line: usize,
    /// What happened, on one line.
    pub message: String,
    /// Lines that show it.
    pub evidence: Vec<String>,
}

/// Reports what was found for a reason.
pub(super) fn report(view: &DiffView<'_>, sink: &mut Sink<'_>, reason: Reason, fix: &str) {
    // Where every edit is told, only those of the gate's files outside of the spec set are among these.
    if view.freeze == Freeze::Off {
        return;
    }
    for edit in view.unexplained.iter().filter(|edit| edit.reason == reason) {
        let place = Place { file: edit.path.as_ref(), line: edit.line, anchor: "file", text: None };
        let added = edit.evidence.iter().find_map(|line| line.strip_prefix("+ "));
        sink.report_at(place, edit.message.clone(), fix).show(added).prove(&edit.evidence);
    }
}

/// Whether edits are looked at one by one.
pub(super) fn is_strict(view: &DiffView<'_>) -> bool {
    view.freeze == Freeze::Strict
}
