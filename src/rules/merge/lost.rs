//! Says what a MODIFIED block leaves out: the same words for steps, sentences, rows and notes.

use crate::openspec::loss::{BlockLoss, Piece};
use crate::report::count;
use crate::rules::{DeltaView, Sink};

/// Pieces of one kind that a block leaves out.
pub(super) struct Lost<'a> {
    pub(super) block: &'a BlockLoss,
    /// "2 steps of scenario `x`"
    pub(super) what: String,
    pub(super) pieces: &'a [Piece],
    /// 0-based line of the delta.
    pub(super) line: usize,
}

impl Lost<'_> {
    /// Reports them as one finding, each verbatim as proof. Nothing when there are none.
    pub(super) fn report(&self, view: &DeltaView<'_>, sink: &mut Sink<'_>) {
        let Some(first) = self.pieces.first() else { return };
        let name = &self.block.name;
        let message = format!("MODIFIED `{name}` drops {} that the main spec has: {}", self.what, first.text);
        let message = match self.pieces.len() {
            1 => message,
            all => format!("{message} (and {} more)", all - 1),
        };
        let mut lines: Vec<String> =
            self.pieces.iter().map(|piece| (self.block.old_line + piece.line + 1).to_string()).collect();
        lines.dedup();
        let them = if self.pieces.len() == 1 { "it" } else { "them" };
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let fix = format!(
            "copy {them} back from `openspec/specs/{}/spec.md` {noun} {}, unless meant to go",
            view.file.capability,
            shown(&lines)
        );
        let proof: Vec<String> = self.pieces.iter().map(|piece| format!("- {}", piece.text)).collect();
        sink.report(self.line, view.file.entry(), message, fix).about(name).prove(&proof);
    }
}

/// The first few of many.
fn shown(lines: &[String]) -> String {
    const MOST: usize = 6;
    match lines.len().checked_sub(MOST) {
        None | Some(0) => lines.join(", "),
        Some(more) => format!("{} and {}", lines[..MOST].join(", "), count(more, "other")),
    }
}
