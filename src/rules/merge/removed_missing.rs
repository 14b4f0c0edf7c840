//! `merge/removed-missing`

use std::collections::HashSet;

use crate::openspec::claims::bringer;
use crate::openspec::heading::fold_name;
use crate::openspec::near::NameIndex;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a name in REMOVED that the main spec does not have, or that is removed from a capability without a main spec.
    /// Where another open change brings the requirement, `merge/overlap` tells the order instead.
    ///
    /// ## Why it matters
    /// Archiving passes over it as if it had been done before. Mostly the name is misspelt, and the requirement that was meant
    /// stays.
    ///
    /// ## How to fix
    /// Write the name as it stands in the main spec, or delete the entry.
    "merge/removed-missing", Warning, Own, "A removed requirement is not in the main spec", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    if view.delta.removed.is_empty() {
        return;
    }
    let Ok(file) = view.project.target(&view.file.capability) else { return };
    let spec = match file.as_ref().map(|file| view.project.parsed(file)) {
        None => None,
        Some(Ok(spec)) => Some(spec),
        Some(Err(_)) => return,
    };
    // Where nothing is added either, archiving refuses the whole delta, which is said as that.
    if spec.is_none() && view.delta.added.is_empty() {
        return;
    }
    let names: Vec<&str> = spec.iter().flat_map(|spec| &spec.blocks).map(|block| block.name.as_str()).collect();
    // Renames come first. A name that differs in case or spacing only is refused, which is said elsewhere.
    let renamed = view.delta.renamed.iter().map(|rename| rename.to.as_str());
    let known: HashSet<String> = names.iter().copied().chain(renamed).map(fold_name).collect();
    let index = NameIndex::new(names.iter().copied());
    for removal in view.delta.removed.iter().filter(|removal| !known.contains(&fold_name(&removal.name))) {
        if bringer(view.project, &view.file.capability, &removal.name, &view.change.id).is_some() {
            continue;
        }
        let message = match spec {
            Some(_) => format!("`{}` is not in the main spec, so archiving removes nothing", removal.name),
            None => format!("there is no main spec of `{}` to remove `{}` from", view.file.capability, removal.name),
        };
        let fix = match index.near(&removal.name).filter(|near| near.is_slip) {
            Some(near) => format!("is `{}` meant? Write the name as it stands in the main spec", near.name),
            None => "write the name as it stands in the main spec, or delete the entry".to_owned(),
        };
        sink.report(removal.line, view.file.entry(), message, fix).about(&removal.name);
    }
}
