//! Code fences that hide more than code.

use super::heading;
use super::near_forms::strip_marker;
use super::text::{Text, fence_run};

/// A fence that does not do what its author may think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// 0-based line that is to blame.
    pub line: usize,
    /// 0-based line where the fence opens that hides lines.
    pub opens: usize,
    /// What is wrong with it.
    pub kind: FaultKind,
    /// The first header it hides.
    pub hides: Option<usize>,
}

/// What is wrong with a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// It is inline code by CommonMark: its backticks end on the same line.
    Inline,
    /// It is never closed.
    Open,
    /// It opens behind a bullet, where the reader sees none, so that the line that closes it opens one.
    Item,
}

/// Fences that are never closed, and lines that the reader takes for the start of a fence and that hide a header.
pub fn faults(text: &Text) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut open: Option<(u8, usize, Fault)> = None;
    // Inline code that turned every fence after it inside out: each of those opens with a line that should close.
    let mut cause: Option<usize> = None;
    for line in (0..text.len()).filter(|line| text.fenced(*line)) {
        let written = text.line(line);
        let run = fence_run(written);
        let Some((marker, length, fault)) = &mut open else {
            if let Some((marker, length, rest)) = run {
                let is_inline = marker == b'`' && rest.contains('`');
                let kind = if is_inline { FaultKind::Inline } else { FaultKind::Open };
                if is_inline {
                    cause = Some(line);
                } else if !rest.trim().is_empty() {
                    cause = None;
                }
                open = Some((marker, length, Fault { line, opens: line, kind, hides: None }));
            }
            continue;
        };
        if let Some((seen, run, rest)) = run
            && seen == *marker
            && run >= *length
            && rest.trim().is_empty()
        {
            if fault.hides.is_some() {
                match (fault.kind, item_fence(text, fault, *marker, *length)) {
                    (FaultKind::Inline, _) => faults.push(fault.clone()),
                    (_, Some(line)) => faults.push(Fault { line, kind: FaultKind::Item, ..fault.clone() }),
                    _ => {}
                }
            }
            open = None;
        } else if fault.hides.is_none() && heading::section_break(written).is_some_and(|level| (2..=4).contains(&level))
        {
            fault.hides = Some(line);
        }
    }
    let Some((marker, length, mut fault)) = open else { return faults };
    if fault.kind == FaultKind::Open {
        let item = item_fence(text, &fault, marker, length);
        if let Some(line) = item {
            fault = Fault { line, kind: FaultKind::Item, ..fault };
        } else if let Some(line) = cause.filter(|cause| *cause < fault.line) {
            faults.retain(|fault| fault.line != line);
            fault = Fault { line, kind: FaultKind::Inline, ..fault };
        }
    }
    faults.push(fault);
    faults
}

/// The line above, behind a bullet, that a fence without a word after its marks closes.
fn item_fence(text: &Text, fault: &Fault, marker: u8, length: usize) -> Option<usize> {
    let is_bare = fence_run(text.line(fault.line)).is_some_and(|(_, _, rest)| rest.trim().is_empty());
    let above = (0..fault.line).rev().take_while(|line| !text.fenced(*line));
    let mut fences = above.filter(|line| {
        let item = strip_marker(text.line(*line).trim_start());
        let run = item.and_then(fence_run);
        run.is_some_and(|(seen, run, rest)| seen == marker && run <= length && !rest.contains('`'))
    });
    fences.next().filter(|_| is_bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    use FaultKind::{Inline, Item, Open};

    fn found(content: &str) -> Vec<(usize, FaultKind, Option<usize>)> {
        let text = Text::from_bytes(content.as_bytes().to_vec());
        faults(&text).into_iter().map(|fault| (fault.line, fault.kind, fault.hides)).collect()
    }

    #[test]
    fn open_and_inline() {
        assert_eq!(found("a\n~~~\nb\n"), [(1, Open, None)]);
        assert_eq!(found("```x```\n#### S\n```sh\ny\n```\n### R\n"), [(0, Inline, Some(1))]);
        assert_eq!(found("```sh\n# comment\n```\n````\n```\n````\n"), []);
        assert_eq!(found("```x```\n\n```\ny\n"), []);
    }
    #[test]
    fn the_cause_is_further_up() {
        assert_eq!(found("```x``` y\n```\nz\n```\n### R\n"), [(0, Inline, Some(4))]);
        assert_eq!(found("```x``` y\n```\nz\n```\na\n```\n```\n"), [(0, Inline, None)]);
        assert_eq!(found("```x``` y\n```\n```sh\nz\n```\n```sh\n"), [(5, Open, None)]);
        assert_eq!(found("-  ```\n   x\n   ```\n#### S\n"), [(0, Item, Some(3))]);
        assert_eq!(found("1. ~~~ md\n   x\n   ~~~\n"), [(0, Item, None)]);
        assert_eq!(found("-  ```\n   x\n   ```\n\n- ```\n  y\n  ```\n"), []);
        assert_eq!(found("-  ```\n   x\n   ```\n### R\n- ```\n  y\n  ```\n"), [(0, Item, Some(3))]);
    }
}
