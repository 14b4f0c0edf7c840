//! Comments that allow findings: `<!-- specward: allow <rule>, <rule> -- reason -->` directly before a heading.

use std::ops::Range;

use memchr::memmem;

use super::heading;
use super::js;
use super::text::Text;

/// What stands between `<!--` and `-->` for a comment to be one of ours.
const NAME: &str = "specward";

/// The comments of a file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Comments {
    /// Those that say what they allow and why.
    pub allowances: Vec<Allowance>,
    /// Those that were meant to and do not.
    pub malformed: Vec<Malformed>,
}

/// A comment that allows findings of some rules in one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// 0-based line.
    pub line: usize,
    /// The rules as written, each once. Whether they exist is not known here.
    pub rules: Vec<String>,
    /// Why.
    pub reason: String,
    /// 0-based lines it covers: from the comment (the first line, when no heading is above it) to the end of the
    /// section of the heading below it.
    pub covers: Range<usize>,
}

/// A comment nobody can follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// 0-based line.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl Comments {
    /// Reads the comments of a text. Those in code fences and in other comments are none.
    pub fn of(text: &Text) -> Self {
        let mut found = Self::default();
        if memmem::find(text.content().as_bytes(), b"<!--").is_none() {
            return found;
        }
        let sections = Sections::of(text);
        // Comments that wait for their heading.
        let mut waiting: Vec<(usize, Vec<String>, String)> = Vec::new();
        let mut is_first = true;
        let mut line = 0;
        while line < text.len() {
            let written = text.line(line);
            if !text.fenced(line) && js::trim(written).is_empty() {
                line += 1;
            } else if let Some(rest) = comment_start(written).filter(|_| !text.fenced(line)) {
                line = found.read_comments(text, &sections, line, rest, &mut waiting);
            } else {
                let level = if text.fenced(line) { None } else { target_level(written) };
                found.settle(&sections, std::mem::take(&mut waiting), level.map(|level| (line, level, is_first)));
                is_first &= level.is_none();
                line += 1;
            }
        }
        found.settle(&sections, waiting, None);
        found
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.allowances.is_empty() && self.malformed.is_empty()
    }

    /// Reads the comments that begin on a line, `rest` being what follows the first `<!--`. Returns the line after.
    fn read_comments(
        &mut self,
        text: &Text,
        sections: &Sections,
        start: usize,
        rest: &str,
        waiting: &mut Vec<(usize, Vec<String>, String)>,
    ) -> usize {
        let (mut at, mut rest) = (start, rest);
        loop {
            let first = at;
            let mut body = String::new();
            // A comment may go over several lines.
            let tail = loop {
                if let Some((inside, tail)) = rest.split_once("-->") {
                    body.push_str(inside);
                    break Some(tail);
                }
                body.push_str(rest);
                body.push(' ');
                at += 1;
                if at == text.len() {
                    break None;
                }
                rest = text.line(at);
            };
            let tail = tail.map(js::trim);
            let next = tail.and_then(|tail| tail.strip_prefix("<!--"));
            let has_company = tail.is_some_and(|tail| !tail.is_empty()) && next.is_none();
            let read = directive(&body).map(|directive| match directive {
                Ok(_) if tail.is_none() => Err("this comment is never closed".to_owned()),
                Ok(_) if has_company => Err("there is text behind this comment, on the same line".to_owned()),
                directive => directive,
            });
            match read {
                Some(Ok((rules, reason))) => waiting.push((first, rules, reason)),
                Some(Err(message)) => self.malformed.push(Malformed { line: first, message }),
                None => {}
            }
            match next {
                Some(next) => rest = next,
                None => {
                    // Text is no heading: what waits has none below it.
                    if has_company {
                        self.settle(sections, std::mem::take(waiting), None);
                    }
                    return at + 1;
                }
            }
        }
    }

    /// Gives comments their section: that of the heading below them, when there is one.
    fn settle(
        &mut self,
        sections: &Sections,
        waiting: Vec<(usize, Vec<String>, String)>,
        heading: Option<(usize, usize, bool)>,
    ) {
        let Some((below, level, is_first)) = heading else {
            let message = "this comment stands before no heading, so it covers nothing";
            self.malformed
                .extend(waiting.into_iter().map(|(line, ..)| Malformed { line, message: message.to_owned() }));
            return;
        };
        if waiting.is_empty() {
            return;
        }
        let is_title = is_first && level == 1;
        // What is said of the end of a file may be said of a line behind it.
        let end = if is_title { usize::MAX } else { sections.end(below, level) };
        self.allowances.extend(waiting.into_iter().map(|(line, rules, reason)| {
            let start = if is_first { 0 } else { line };
            Allowance { line, rules, reason, covers: start..end }
        }));
    }
}

/// Where sections end, found in one pass however many are asked for.
struct Sections {
    /// Lines of headings, and behind each the next line that ends a section of level 1 to 6.
    ends: Vec<(usize, [usize; 6])>,
}

impl Sections {
    fn of(text: &Text) -> Self {
        let headings: Vec<(usize, usize)> =
            text.hash_lines().filter_map(|line| Some((line, section_level(text.line(line))?))).collect();
        let mut next = [usize::MAX; 6];
        let mut ends: Vec<(usize, [usize; 6])> = Vec::with_capacity(headings.len());
        for (line, level) in headings.into_iter().rev() {
            next[level - 1..].fill(line);
            ends.push((line, next));
        }
        ends.reverse();
        Self { ends }
    }

    /// The line that ends the section of a heading on line `below`.
    fn end(&self, below: usize, level: usize) -> usize {
        let next = self.ends.partition_point(|(line, _)| *line <= below);
        self.ends.get(next).map_or(usize::MAX, |(_, ends)| ends[level - 1])
    }
}

/// Whether a line is one of our comments, or the start of one: it is for the gate, and no part of a document's text.
pub fn is_comment(line: &str) -> bool {
    comment_start(line).is_some_and(|rest| {
        js::strip_prefix_ignore_case(js::trim_start(rest), NAME)
            .is_some_and(|rest| js::trim_start(rest).starts_with(':'))
    })
}

/// What follows `<!--` at the start of a line, at most three blanks before it: more make it code.
fn comment_start(line: &str) -> Option<&str> {
    without_indent(line)?.strip_prefix("<!--")
}

fn without_indent(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

/// Rules and reason of a comment's text; nothing when the comment is not ours.
fn directive(body: &str) -> Option<Result<(Vec<String>, String), String>> {
    let rest = js::strip_prefix_ignore_case(js::trim(body), NAME)?;
    let Some(words) = js::trim_start(rest).strip_prefix(':') else {
        let meant = js::trim_start(rest.trim_start_matches(['-', '_']));
        let is_meant = meant.len() < rest.len()
            && ["allow", "ignore", "disable"].iter().any(|word| js::strip_prefix_ignore_case(meant, word).is_some());
        return is_meant.then(|| Err("there is no `:` behind `specward`".to_owned()));
    };
    let words = js::trim(words);
    let list = js::strip_prefix_ignore_case(words, "allow")
        .filter(|rest| rest.is_empty() || rest.starts_with(js::is_space) || rest.starts_with('-'));
    let Some(list) = list else {
        let word = words.split(js::is_space).next().unwrap_or_default();
        // What marks a block of ours in other people's files.
        if ["start", "end"].iter().any(|mark| word.eq_ignore_ascii_case(mark)) {
            return None;
        }
        return Some(Err(format!("`{word}` means nothing here; the only word behind `specward:` is `allow`")));
    };
    Some(rules_and_reason(list))
}

fn rules_and_reason(list: &str) -> Result<(Vec<String>, String), String> {
    // Editors make a dash of two hyphens.
    let at = ["--", "\u{2014}", "\u{2013}"].iter().filter_map(|mark| Some((list.find(mark)?, mark.len()))).min();
    let (list, reason) = match at {
        Some((at, length)) => (&list[..at], js::trim(&list[at + length..])),
        None => (list, ""),
    };
    let mut rules: Vec<String> = Vec::new();
    for rule in list.split(',').map(js::trim) {
        if rule.is_empty() {
            return Err("this comment names no rule".to_owned());
        }
        if !rules.iter().any(|known| known == rule) {
            rules.push(rule.to_owned());
        }
    }
    if !has_words(reason) {
        return Err("this comment gives no reason".to_owned());
    }
    let reason = reason.split(js::is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    Ok((rules, reason))
}

/// Whether a reason says anything.
pub fn has_words(reason: &str) -> bool {
    reason.chars().any(char::is_alphanumeric)
}

/// Level of a line that a reader takes for a heading, the reference or not: what is wrong with it may be what is
/// allowed.
fn target_level(line: &str) -> Option<usize> {
    let line = without_indent(line)?;
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level).then_some(level)
}

/// Level of a line that ends sections.
fn section_level(line: &str) -> Option<usize> {
    heading::section_break(line).or_else(|| heading::requirement_name(line).map(|_| 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str) -> Comments {
        Comments::of(&Text::from_bytes(content.as_bytes().to_vec()))
    }

    fn covers(content: &str) -> Vec<(usize, Range<usize>)> {
        let found = read(content);
        assert_eq!(found.malformed, []);
        found.allowances.into_iter().map(|allowance| (allowance.line, allowance.covers)).collect()
    }

    fn complaints(content: &str) -> Vec<(usize, String)> {
        read(content).malformed.into_iter().map(|malformed| (malformed.line, malformed.message)).collect()
    }

    const C: &str = "<!-- specward: allow a/b -- known -->";

    #[test]
    fn rules_and_reasons() {
        for text in [
            "<!-- specward: allow a/b, c/d -- said  so -->",
            "<!--specward:allow a/b,c/d--said so-->",
            "  <!-- Specward: Allow a/b , c/d, a/b \u{2014} said so -->",
            "<!-- specward: allow\n  a/b,\n  c/d -- said\n  so\n-->",
            "<!-- specward: allow a/b, c/d -- said so -->\r",
        ] {
            let found = read(&format!("{text}\n# T\n"));
            assert_eq!(found.malformed, [], "{text}");
            assert_eq!(found.allowances.len(), 1, "{text}");
            assert_eq!((&*found.allowances[0].rules.join(" "), &*found.allowances[0].reason), ("a/b c/d", "said so"));
        }
        assert_eq!(read("<!-- specward: allow a/b -- 既知の問題 -->\n# T\n").allowances[0].reason, "既知の問題");
    }

    #[test]
    fn sections() {
        // The title covers the whole file, whatever comes.
        assert_eq!(covers(&format!("\n{C}\n\n# T\n## A\n# U\n")), [(1, 0..usize::MAX)]);
        assert_eq!(covers(&format!("{C}\n## A\nx\n### B\n## C\n")), [(0, 0..4)]);
        assert_eq!(
            covers(&format!("# T\n## A\n{C}\n<!-- other -->\n\n### B\n#### S\n###Requirement:x\n")),
            [(2, 2..7)]
        );
        assert_eq!(covers(&format!("# T\n{C}\n#### S\n```\n# x\n```\n##### deep\n")), [(1, 1..usize::MAX)]);
        // Several before one heading, on lines of their own or not.
        assert_eq!(covers(&format!("# T\n{C}\n{C} {C}\n## A\n## B\n")), [(1, 1..4), (2, 2..4), (2, 2..4)]);
        // Headings that no reader of specs sees can be what is wrong.
        assert_eq!(covers(&format!("# T\n{C}\n ##Requirements\n## B\n")), [(1, 1..3)]);
    }

    #[test]
    fn what_is_no_comment_of_ours() {
        for text in [
            "```\n<!-- specward: allow a/b -->\n```\n# T\n",
            "~~~~md\n```\n<!-- specward: allow a/b -->\n~~~~\n# T\n",
            "    <!-- specward: allow a/b -->\n# T\n",
            "Write `<!-- specward: allow a/b -- why -->` before it.\n",
            "<!--\n<!-- specward: allow a/b -- why -->\n# T\n",
            "<!-- specward:start -->\ntext\n<!-- specward:end -->\n",
            "<!-- specward is a gate -->\n<!-- specwarden: allow -->\n",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, words) in [
            ("<!-- specward: allow a/b -->\n# T\n", "gives no reason"),
            ("<!-- specward: allow a/b -- -->\n# T\n", "gives no reason"),
            ("<!-- specward: allow a/b -- ... -->\n# T\n", "gives no reason"),
            ("<!-- specward: allow -- why -->\n# T\n", "names no rule"),
            ("<!-- specward: allow -->\n# T\n", "names no rule"),
            ("<!-- specward: allow a/b,, c/d -- why -->\n# T\n", "names no rule"),
            ("<!-- specward: ignore a/b -- why -->\n# T\n", "`ignore`"),
            ("<!-- specward: -->\n# T\n", "``"),
            ("<!-- specward allow a/b -- why -->\n# T\n", "no `:`"),
            ("<!-- specward-disable a/b -- why -->\n# T\n", "no `:`"),
            ("<!-- specward: allow a/b -- why\n# T\n", "never closed"),
            ("<!-- specward: allow a/b -- why --> and more\n# T\n", "text behind"),
            ("# T\n<!-- specward: allow a/b -- why -->\ntext\n## A\n", "before no heading"),
            ("# T\n<!-- specward: allow a/b -- why -->\n```\n```\n## A\n", "before no heading"),
            ("# T\n<!-- specward: allow a/b -- why -->\n", "before no heading"),
        ] {
            let found = complaints(text);
            assert!(found.len() == 1 && found[0].1.contains(words), "{text}: {found:?}");
            assert!(read(text).allowances.is_empty(), "{text}");
        }
    }

    #[test]
    fn comments_are_told_from_text() {
        assert!(is_comment(C) && is_comment(" <!--specward : allow"));
        assert!(!is_comment("<!-- specward -->") && !is_comment("text") && !is_comment(&format!("x {C}")));
    }
}
