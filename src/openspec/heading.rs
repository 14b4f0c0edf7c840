//! Headings and requirement headers, each as one of the reference's line patterns.

use super::js;
use super::text::Text;

/// A heading at column 0, of level 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading<'t> {
    /// 0-based line.
    pub line: usize,
    /// Number of `#`.
    pub level: usize,
    /// Text after the hashes, trimmed. Empty when only spaces follow.
    pub title: &'t str,
}

/// Level of a line that ends a section of the same or a deeper level: one to six `#` and white space.
/// Unlike [`heading`] it needs no title.
pub fn section_break(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    if level == 0 || level > 6 {
        return None;
    }
    line[level..].chars().next().filter(|c| js::is_space(*c)).map(|_| level)
}

/// Level and title of a heading line.
pub fn heading(line: &str) -> Option<(usize, &str)> {
    let level = section_break(line)?;
    let rest = &line[level..];
    let title = js::trim_start(rest);
    if title.is_empty() {
        // Only white space: the reference takes all but the last character as separator and the last as title, so
        // two or more make a heading without a name.
        let mut characters = rest.chars();
        let last = characters.next_back()?;
        return (characters.next().is_some() && !js::is_line_terminator(last)).then_some((level, ""));
    }
    (!title.contains(js::is_line_terminator)).then(|| (level, js::trim(title)))
}

/// Every heading of a text outside fences, in document order.
pub fn headings(text: &Text) -> Vec<Heading<'_>> {
    text.hash_lines()
        .filter_map(|line| heading(text.line(line)).map(|(level, title)| Heading { line, level, title }))
        .collect()
}

/// Whether a line begins a top-level section: `##` and white space.
pub fn is_top_level_section(line: &str) -> bool {
    section_break(line) == Some(2)
}

/// Name of a requirement header: `###`, optional space, `Requirement:` in any case, a name.
///
/// The name may come out empty when only spaces follow the colon.
pub fn requirement_name(line: &str) -> Option<&str> {
    let rest = js::trim_start(line.strip_prefix("###")?);
    let after = js::strip_prefix_ignore_case(rest, "Requirement:")?;
    name_after_colon(after)
}

/// As [`requirement_name`], but white space after `###` is demanded, as the structure check of main specs does.
pub fn spaced_requirement_name(line: &str) -> Option<&str> {
    line.strip_prefix("###")?.starts_with(js::is_space).then(|| requirement_name(line))?
}

fn name_after_colon(after: &str) -> Option<&str> {
    let captured = js::trim_start(after);
    if captured.is_empty() {
        return after.chars().any(|c| !js::is_line_terminator(c)).then_some("");
    }
    let captured = match captured.find(js::is_line_terminator) {
        // A line separator inside the name breaks the pattern; in trailing white space it only ends the capture.
        Some(at) if js::trim(&captured[at..]).is_empty() => &captured[..at],
        Some(_) => return None,
        None => captured,
    };
    Some(normalise_name(captured))
}

/// A requirement's name: without a closing run of `#` (which needs a space or tab before it), trimmed.
pub fn normalise_name(name: &str) -> &str {
    js::trim(strip_closing_hashes(name))
}

/// Drops an ATX closing sequence: blanks, `#`s, blanks at the end.
pub fn strip_closing_hashes(text: &str) -> &str {
    let blank = [' ', '\t'];
    let without_tail = text.trim_end_matches(blank);
    let without_hashes = without_tail.trim_end_matches('#');
    if without_hashes.len() == without_tail.len() || !without_hashes.ends_with(blank) {
        return text;
    }
    without_hashes.trim_end_matches(blank)
}

/// Folds case and inner white space, for near-miss comparison.
pub fn fold_name(name: &str) -> String {
    let lower = normalise_name(name).to_lowercase();
    let mut folded = String::with_capacity(lower.len());
    let mut in_space = false;
    for c in lower.chars() {
        if js::is_space(c) {
            if !in_space {
                folded.push(' ');
            }
            in_space = true;
        } else {
            folded.push(c);
            in_space = false;
        }
    }
    folded
}

/// Whether a line is a scenario header: `####` and white space.
pub fn is_scenario(line: &str) -> bool {
    section_break(line) == Some(4)
}

/// Name of a scenario header: without hashes, closing hashes and a leading `Scenario:` in any case.
pub fn scenario_name(line: &str) -> &str {
    let title = js::trim_start(&line[4..]);
    let title = strip_closing_hashes(title);
    let title = js::strip_prefix_ignore_case(title, "Scenario:").unwrap_or(title);
    js::trim(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_forms() {
        assert_eq!(heading("##\u{a0}Purpose "), Some((2, "Purpose")));
        assert_eq!(heading("##  "), Some((2, "")));
        assert_eq!(heading("## "), None);
        assert_eq!(section_break("## "), Some(2));
        assert_eq!(heading("####### x"), None);
        assert_eq!(heading(" # x"), None);
    }

    #[test]
    fn requirement_forms() {
        assert_eq!(requirement_name("###Requirement:x"), Some("x"));
        assert_eq!(requirement_name("### requirement: A b ###  "), Some("A b"));
        assert_eq!(requirement_name("### Requirement: A#"), Some("A#"));
        assert_eq!(requirement_name("### Requirement:"), None);
        assert_eq!(requirement_name("### Requirement: "), Some(""));
        assert_eq!(requirement_name("#### Requirement: x"), None);
        assert_eq!(spaced_requirement_name("###Requirement: x"), None);
        assert_eq!(requirement_name("### Requirement：x"), None);
    }

    #[test]
    fn scenario_names() {
        assert_eq!(scenario_name("#### scenario:  Foo ####"), "Foo");
        assert_eq!(scenario_name("#### Edge"), "Edge");
    }
}
