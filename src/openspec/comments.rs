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
            is_open = is_open_after(written, true);
            continue;
        }
        let indent = written.bytes().take_while(|byte| *byte == b' ').count();
        if indent > 3 || text.fenced(line) {
            continue;
        }
        if written[indent..].starts_with("<!--") {
            is_open = is_open_after(written, false);
            // Words behind a comment are shown.
            *hidden = is_open || is_all_comment(&written[indent..]);
        }
    }
    mask
}

/// Whether a comment is open behind a line, as a browser reads it: each mark counts, in the order they stand in.
pub fn is_open_after(line: &str, was_open: bool) -> bool {
    let (mut is_open, mut rest) = (was_open, line);
    loop {
        let (mark, length) = if is_open {
            let ends = [(rest.find("-->"), 3), (rest.find("--!>"), 4)];
            match ends.into_iter().filter_map(|(at, length)| Some((at?, length))).min() {
                Some(end) => end,
                None => return true,
            }
        } else {
            match rest.find("<!--") {
                Some(at) => (at, 4),
                None => return false,
            }
        };
        rest = &rest[mark + length..];
        is_open = !is_open;
        // `<!-->` and `<!--->` are whole comments.
        if is_open && let Some(after) = rest.strip_prefix('>').or_else(|| rest.strip_prefix("->")) {
            (is_open, rest) = (false, after);
        }
    }
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
        let masked = |text: &str| mask(&Text::from_bytes(text.as_bytes().to_vec()));
        assert_eq!(masked("<!-- a --> <!--\nb"), [true, true]);
        assert_eq!(masked("<!-- a\n--> <!--\nb\n-->\nc"), [true, true, true, true, false]);
        assert_eq!(masked("<!--> a\nb"), [false, false]);
        assert_eq!(masked("<!-- a --> b <!-- c -->\nd"), [false, false]);
    }
}
