//! Code fences that hide more than code.

use super::heading;
use super::text::{Text, fence_run};

/// A fence that does not do what its author may think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// 0-based line that opens it.
    pub line: usize,
    /// Whether that line is inline code by CommonMark: its backticks end on the same line.
    pub is_inline: bool,
    /// The first header it hides.
    pub hides: Option<usize>,
}

/// Fences that are never closed, and inline code that the reader takes for a fence and that hides a header.
pub fn faults(text: &Text) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut open: Option<(u8, usize, Fault)> = None;
    for line in (0..text.len()).filter(|line| text.fenced(*line)) {
        let written = text.line(line);
        let run = fence_run(written);
        let Some((marker, length, fault)) = &mut open else {
            if let Some((marker, length, rest)) = run {
                let is_inline = marker == b'`' && rest.contains('`');
                open = Some((marker, length, Fault { line, is_inline, hides: None }));
            }
            continue;
        };
        if let Some((seen, run, rest)) = run
            && seen == *marker
            && run >= *length
            && rest.trim().is_empty()
        {
            if fault.is_inline && fault.hides.is_some() {
                faults.push(fault.clone());
            }
            open = None;
        } else if fault.hides.is_none() && heading::section_break(written).is_some_and(|level| (2..=4).contains(&level))
        {
            fault.hides = Some(line);
        }
    }
    faults.extend(open.map(|(_, _, fault)| fault));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(content: &str) -> Vec<(usize, bool, Option<usize>)> {
        let text = Text::from_bytes(content.as_bytes().to_vec());
        faults(&text).into_iter().map(|fault| (fault.line, fault.is_inline, fault.hides)).collect()
    }

    #[test]
    fn open_and_inline() {
        assert_eq!(found("a\n~~~\nb\n"), [(1, false, None)]);
        assert_eq!(found("```x```\n#### S\n```sh\ny\n```\n### R\n"), [(0, true, Some(1))]);
        assert_eq!(found("```sh\n# comment\n```\n````\n```\n````\n"), []);
        assert_eq!(found("```x```\n\n```\ny\n"), []);
    }
}
