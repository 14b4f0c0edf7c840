//! HTML comments, which a reader of the rendered file does not see and no reader of OpenSpec knows.

use super::text::Text;

/// Lines that belong to an HTML comment: from a line that begins with `<!--` to the one with `-->`, or to the end.
///
/// A comment in the middle of a line hides nothing that could be a header, so it does not count. Lines of code do not
/// open one.
pub fn mask(text: &Text) -> Vec<bool> {
    let mut mask = vec![false; text.len()];
    if !text.content().contains("<!--") {
        return mask;
    }
    let mut is_open = false;
    for (line, hidden) in mask.iter_mut().enumerate() {
        let written = text.line(line);
        if is_open {
            *hidden = true;
            is_open = !closes(written);
            continue;
        }
        let indent = written.bytes().take_while(|byte| *byte == b' ').count();
        if indent > 3 || text.fenced(line) {
            continue;
        }
        if let Some(inner) = written[indent..].strip_prefix("<!--") {
            // `<!-->` and `<!--->` are whole comments.
            is_open = !(closes(inner) || inner.starts_with('>') || inner.starts_with("->"));
            // Words behind a comment are shown.
            *hidden = is_open || is_all_comment(&written[indent..]);
        }
    }
    mask
}

fn closes(line: &str) -> bool {
    line.contains("-->") || line.contains("--!>")
}

fn is_all_comment(line: &str) -> bool {
    let Some((_, rest)) = line.split_once("-->") else { return true };
    let rest = rest.trim();
    rest.is_empty() || rest.starts_with("<!--") && is_all_comment(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments() {
        let text = Text::from_bytes(
            b"a <!-- x\nb\n<!-- c -->\n<!-- d -->e\n  <!--\nf\n--> g\nh\n```\n<!--\n```\n    <!--\n<!-- open\ni"
                .to_vec(),
        );
        let lines: Vec<usize> =
            mask(&text).iter().enumerate().filter(|(_, hidden)| **hidden).map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 4, 5, 6, 12, 13]);
    }
}
