//! Puts a main spec together again from its slices and the merged requirements, byte for byte as the reference does.

use std::borrow::Cow;

use crate::openspec::js;
use crate::openspec::spec::{Spec, requirements_range};
use crate::openspec::text::FenceTracker;

/// The new file with `\n` at the end of each line.
pub(super) fn rebuild(spec: &Spec, blocks: &[String]) -> String {
    let text = &spec.text;
    let (before, header, preamble, after) = match requirements_range(text) {
        Some(range) => {
            let first_block = spec.blocks.first().map_or(range.end, |block| block.line);
            (
                text.lines(0..range.start - 1),
                text.line(range.start - 1),
                text.lines(range.start..first_block),
                text.lines(range.end..text.len()),
            )
        }
        // The section is put at the end of the file, which the reference takes as it is here, not normalised.
        None => (text.original(), "## Requirements", "", ""),
    };
    let preamble = if js::trim(preamble).is_empty() { "" } else { js::trim_end(preamble) };
    let body: Vec<&str> =
        std::iter::once(preamble).filter(|text| !text.is_empty()).chain(blocks.iter().map(String::as_str)).collect();
    let body = body.join("\n\n");
    let slices = [js::trim_end(before), header, js::trim_end(&body), js::trim(after)];
    let joined = slices.into_iter().filter(|slice| !slice.is_empty()).collect::<Vec<_>>().join("\n\n");
    let mut rebuilt = js::trim_end(&without_blank_runs(&joined)).to_owned();
    rebuilt.push('\n');
    rebuilt
}

/// Makes one empty line of several, except in fenced code.
fn without_blank_runs(content: &str) -> Cow<'_, str> {
    if !content.contains("\n\n\n") && !content.starts_with("\n\n") {
        return Cow::Borrowed(content);
    }
    let mut fences = FenceTracker::default();
    let mut kept = String::with_capacity(content.len());
    let mut was_blank = false;
    for (at, line) in content.split('\n').enumerate() {
        let is_blank = !fences.feed(line) && line.is_empty();
        if is_blank && was_blank {
            continue;
        }
        if at > 0 {
            kept.push('\n');
        }
        kept.push_str(line);
        was_blank = is_blank;
    }
    Cow::Owned(kept)
}

/// The text with the line ends that are more frequent in the file it replaces; `\r\n` when they are equally so.
pub(super) fn with_line_ends_of(text: String, original: &str) -> String {
    let all = original.matches('\n').count();
    let windows = original.matches("\r\n").count();
    if all == 0 {
        return text;
    }
    let normalised = if text.contains("\r\n") { text.replace("\r\n", "\n") } else { text };
    if windows * 2 >= all { normalised.replace('\n', "\r\n") } else { normalised }
}
