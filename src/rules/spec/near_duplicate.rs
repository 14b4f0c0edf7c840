//! `spec/near-duplicate`

use std::collections::HashMap;

use crate::openspec::near::{same_spelling_key, spelling_difference};
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView};

rule! {
    /// ## What it does
    /// Reports two requirements of a main spec whose names differ only in case, spacing, quotation marks, dashes or
    /// Unicode normalisation.
    ///
    /// ## Why it matters
    /// They are the same requirement written twice, and a delta that names one of them may mean the other. Archiving
    /// refuses most operations on either.
    ///
    /// ## How to fix
    /// Merge the two, or give one a name that tells them apart.
    "spec/near-duplicate", Warning, Own, "Two requirements have nearly the same name", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    let mut seen: HashMap<String, (&str, usize)> = HashMap::with_capacity(view.spec.blocks.len());
    for block in &view.spec.blocks {
        let key = same_spelling_key(&block.name);
        match seen.get(&key) {
            // Equal names have their own rule.
            Some((name, _)) if *name == block.name => {}
            Some((name, line)) => {
                let difference = spelling_difference(name, &block.name).unwrap_or("spelling");
                let message =
                    format!("`{}` differs from `{name}` on line {} only in {difference}", block.name, line + 1);
                let fix = "merge the two, or give one a name that tells them apart";
                sink.report(block.line, "requirements", message, fix).about(&block.name);
            }
            None => drop(seen.insert(key, (&block.name, block.line))),
        }
    }
}
