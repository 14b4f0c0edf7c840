//! Conflict markers that a merge left behind.

/// 0-based lines of conflict markers: where a conflict begins, and marks that stand without their beginning.
///
/// `=======` alone is a heading's underline, so it only counts inside a conflict. `is_code` tells lines that are code,
/// where a marker may be an example.
pub fn markers<'t>(lines: impl Iterator<Item = &'t str>, is_code: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut is_open = false;
    for (line, text) in lines.enumerate() {
        let Some(mark) = marker(text).filter(|_| !is_code(line)) else { continue };
        match mark {
            b'<' => {
                is_open = true;
                found.push(line);
            }
            b'>' if is_open => is_open = false,
            b'>' => found.push(line),
            b'|' if !is_open => found.push(line),
            _ => {}
        }
    }
    found
}

/// The character of a line that is a marker: seven of one kind, then the end or a blank.
fn marker(line: &str) -> Option<u8> {
    let line = line.strip_suffix('\r').unwrap_or(line).as_bytes();
    let mark = *line.first().filter(|mark| b"<>|=".contains(mark))?;
    let is_marker = line.len() >= 7 && line[..7].iter().all(|byte| *byte == mark);
    let ends = line.get(7).is_none_or(|next| *next == b' ' || *next == b'\t');
    (is_marker && ends && (mark != b'=' || line.len() == 7)).then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(content: &str) -> Vec<usize> {
        markers(content.split('\n'), |_| false)
    }

    #[test]
    fn conflicts_and_remains() {
        assert_eq!(found("a\n<<<<<<< HEAD\nb\n||||||| base\nc\n=======\nd\n>>>>>>> x\r\ne"), [1]);
        assert_eq!(found(">>>>>>>\n||||||| 1234\n"), [0, 1]);
        assert_eq!(found("Title\n=======\n<<<<<<<< x\n <<<<<<< y\n<<<<<<<x\n"), [0; 0]);
        assert!(markers("<<<<<<< a".split('\n'), |_| true).is_empty());
    }
}
