//! Explains the edits of every side of a comparison: head, and what lies below a work tree.

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};

use super::{Explained, Side, explain, gate_files};
use crate::gate::frozen::{Link, Sides, difference};
use crate::repo::node::Node;
use crate::repo::snapshot::{Kind, ObjectTree, Snapshot};
use crate::repo::store::GitError;
use crate::rules::freeze::{Reason, Unexplained};
use crate::rules::{EditPlace, Freeze, SpecEdit};

/// What a comparison asks.
pub(in crate::gate) struct Asked<'a> {
    pub(in crate::gate) freeze: Freeze,
    pub(in crate::gate) roots: &'a [BString],
    pub(in crate::gate) links: &'a [Link],
    /// Whether base has no project at all.
    pub(in crate::gate) is_first: bool,
    /// Frozen paths.
    pub(in crate::gate) paths: &'a [BString],
    /// Paths outside of `openspec/` where files are that decide whether the gate runs.
    pub(in crate::gate) gate: &'a [BString],
}

impl Asked<'_> {
    /// Which edits the workflow explains. Nothing is read when nothing differs.
    pub(in crate::gate) fn explain(
        &self,
        sides: &Sides<'_>,
        gate: &Node,
        edits: &[SpecEdit],
        is_frozen: impl Fn(&BStr) -> bool,
    ) -> Result<Explained, GitError> {
        let base = ObjectTree::new(sides.store, sides.base.clone());
        let tip = sides.tip.map(|tip| ObjectTree::new(sides.store, tip.clone()));
        let tip = tip.as_ref().map(|tip| tip as &dyn Snapshot);
        let explain_side = |head: &dyn Snapshot, edits: &[SpecEdit]| {
            let (roots, links, is_first) = (self.roots, self.links, self.is_first);
            explain(&Side { base: &base, tip, head, roots, links, is_first, edits })
        };
        let at_head: Vec<SpecEdit> = edits.iter().filter(|edit| edit.place == EditPlace::Head).cloned().collect();
        let archives =
            |edit: &SpecEdit| edit.change.base.is_none() && edit.change.path.contains_str("/changes/archive/");
        match self.freeze {
            Freeze::Off if at_head.iter().any(archives) => return Ok(explain_side(sides.snapshot, &at_head)),
            Freeze::Off => return Ok(Explained::default()),
            // Nothing has to be explained, since nothing passes; there are paths here when the gate's own files count too.
            Freeze::Strict => {
                let mut found = Explained::default();
                self.explain_gate(&Sides { head: gate, ..*sides }, &mut found)?;
                return Ok(found);
            }
            Freeze::Explained => {}
        }
        let mut found = if at_head.is_empty() { Explained::default() } else { explain_side(sides.snapshot, &at_head) };
        // What would be committed or pushed next is judged with its own files. What head has too was judged there.
        let by_path: HashMap<&BStr, &SpecEdit> = at_head.iter().map(|edit| (edit.change.path.as_ref(), edit)).collect();
        let same = |edit: &SpecEdit| {
            let path: &BStr = edit.change.path.as_ref();
            by_path.get(path).is_some_and(|other| other.change == edit.change)
        };
        for (place, side, name) in [
            (EditPlace::Index, sides.index, "in the index"),
            (EditPlace::Commit, sides.commit, "in the commit that is checked out"),
        ] {
            let Some(side) = side else { continue };
            let edits = sides.side_edits(place, side, self.paths, &is_frozen)?;
            // An archive may be staged in part: what is not staged yet can follow. A commit is what will be pushed, and
            // the rest of it may never follow.
            let is_lenient = place == EditPlace::Index;
            let is_head = || edits.len() == at_head.len() && edits.iter().all(same);
            if edits.is_empty() || is_head() || is_lenient && edits.iter().all(same) {
                continue;
            }
            let tree = ObjectTree::new(sides.store, side.clone());
            for mut edit in explain_side(&tree, &edits).unexplained {
                let is_same = || edits.iter().any(|other| other.change.path == edit.path && same(other));
                let is_told = is_lenient && is_same()
                    || found.unexplained.iter().any(|other| other.path == edit.path && other.reason == edit.reason);
                if !is_told {
                    if !edit.message.contains(name) {
                        edit.message = format!("{name}: {}", edit.message);
                    }
                    found.unexplained.push(edit);
                }
            }
        }
        self.explain_gate(&Sides { head: gate, ..*sides }, &mut found)?;
        Ok(found)
    }

    /// Edits of files outside of `openspec/` that decide whether the gate runs.
    fn explain_gate(&self, sides: &Sides<'_>, found: &mut Explained) -> Result<(), GitError> {
        let has_spec_edits = !found.unexplained.is_empty();
        for edit in sides.edits(self.gate, |_| true)? {
            let path: &BStr = edit.change.path.as_ref();
            let content = |node: &Option<Node>| {
                node.as_ref().filter(|node| node.kind.is_file()).and_then(|node| sides.content(node, path))
            };
            let (base, head) = (content(&edit.change.base), content(&edit.change.head));
            let fault = match (&edit.change.base, &edit.change.head) {
                (Some(was), Some(is)) if was.kind == Kind::Executable && is.kind == Kind::File => {
                    gate_files::not_executable(base.as_deref())
                }
                _ => None,
            };
            let fault = fault.or_else(|| gate_files::fault(path, base.as_deref(), head.as_deref()));
            let beside = || {
                let is_it = has_spec_edits && base.is_some() && gate_files::is_ci(path);
                is_it
                    .then(|| (edit.line, "this CI file was edited together with what was to be implemented".to_owned()))
            };
            let Some((line, message)) = fault.or_else(beside) else { continue };
            let (_, evidence) = difference(&base.unwrap_or_default(), &head.unwrap_or_default());
            found.unexplained.push(Unexplained {
                reason: Reason::GateEdited,
                path: edit.change.path.clone(),
                line,
                message,
                evidence,
            });
        }
        Ok(())
    }
}
