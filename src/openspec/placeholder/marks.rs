//! Marks among other words: something is still to be decided.

use std::ops::Range;

use crate::openspec::js;

/// Marks that writers leave.
pub(super) const MARKS: [&str; 7] = ["TBD", "TODO", "FIXME", "XXX", "TBC", "TKTK", CLARIFY];

/// The mark of spec-kit: `[NEEDS CLARIFICATION: which of them?]`.
const CLARIFY: &str = "NEEDS CLARIFICATION";

/// The same in words. They mean it only on their own, in brackets or at the end behind a colon or dash.
pub(super) const PHRASES: [&str; 20] = [
    "to be determined",
    "to be defined",
    "to be decided",
    "to be confirmed",
    "to be specified",
    "to be discussed",
    "to be announced",
    "a definir",
    "a ser definido",
    "por definir",
    "à définir",
    "noch zu klären",
    "noch offen",
    "待定",
    "待补充",
    "待補充",
    "待确认",
    "待確認",
    "未定",
    "要検討",
];

/// Words of a line that is about such marks.
const SUBJECTS: [&str; 22] = [
    "comment",
    "marker",
    "placeholder",
    "prefix",
    "suffix",
    "tag",
    "keyword",
    "label",
    "annotation",
    "badge",
    "column",
    "literal",
    "token",
    "pattern",
    "regex",
    "stub",
    "lint",
    "notation",
    "注释",
    "占位",
    "标记",
    "標記",
];

/// Words before a value.
const BEFORE: [&str; 17] = [
    "within", "after", "than", "least", "most", "every", "exceed", "exceeds", "maximum", "minimum", "max", "min", "≤",
    "≥", "<", ">", "=",
];

/// Words behind a value.
const UNITS: [&str; 31] = [
    "ms",
    "s",
    "sec",
    "second",
    "seconds",
    "min",
    "minute",
    "minutes",
    "hour",
    "hours",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "%",
    "percent",
    "byte",
    "bytes",
    "kb",
    "mb",
    "gb",
    "times",
    "attempts",
    "retries",
    "requests",
    "characters",
    "px",
];

/// The place of a mark among other words. `visible` is the line without what it quotes.
pub(super) fn mark(visible: &str) -> Option<Range<usize>> {
    if let Some(hit) = question(visible) {
        return Some(hit);
    }
    let lower = visible.to_lowercase();
    if SUBJECTS.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let hits = hits(visible);
    // "TODO, FIXME and XXX" are things that are listed.
    let is_list = hits.windows(2).any(|pair| {
        let between = &visible[pair[0].end..pair[1].start];
        between.split(|c: char| !c.is_alphanumeric()).all(|word| matches!(word, "" | "and" | "or" | "e" | "und"))
    });
    if is_list {
        return None;
    }
    let end = visible.trim_end_matches(['.', '。', '!', ' ', ')', '*', '_']).len();
    let hit = hits.into_iter().find(|hit| is_meant(visible, hit, end));
    hit.or_else(|| question_marks(visible)).or_else(|| value(visible)).or_else(|| phrase(visible, end))
}

/// A question in brackets, which may have any words in it.
fn question(visible: &str) -> Option<Range<usize>> {
    let mut found = visible.match_indices(CLARIFY).map(|(at, mark)| at..at + mark.len());
    found.find(|hit| {
        let asked = visible[hit.end..].strip_prefix([':', '：']).and_then(|rest| rest.split_once(']'));
        visible[..hit.start].ends_with('[') && asked.is_some_and(|(question, _)| !js::trim(question).is_empty())
    })
}

/// All marks that are words of their own.
fn hits(visible: &str) -> Vec<Range<usize>> {
    let bytes = visible.as_bytes();
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/' | b'#'));
    let found = MARKS.iter().flat_map(|mark| visible.match_indices(mark).map(|(at, _)| at..at + mark.len()));
    let is_apart = |hit: &Range<usize>| {
        !is_word(hit.start.checked_sub(1).and_then(|before| bytes.get(before))) && !is_word(bytes.get(hit.end))
    };
    let mut found: Vec<Range<usize>> = found.filter(is_apart).collect();
    found.sort_unstable_by_key(|hit| hit.start);
    found
}

/// Whether a mark stands where something is to be put. `end` is where the words of the line end.
fn is_meant(visible: &str, hit: &Range<usize>, end: usize) -> bool {
    let mark = &visible[hit.clone()];
    let (before, after) = (visible[..hit.start].trim_end_matches(['*', '_']), &visible[hit.end..]);
    let after = after.trim_start_matches(['*', '_']);
    let before = before.trim_end();
    let opens = mark != "XXX" && before.ends_with(['(', '[', '<', '（', '［', '【', '{']);
    let begins = before.is_empty() || opens || ends_clause(before);
    // `(TBD)`, `[TODO]`, `(TODO: x)`, `, TODO: x`, `(TBD by the operators)`
    let closes = after.starts_with([')', ']', '>', '）', '］', '】', '}']);
    if opens && closes || mark != "XXX" && begins && after.starts_with([':', '：']) {
        return true;
    }
    let next = first_word(after);
    if opens && mark == CLARIFY {
        return true;
    }
    // Numbers and names are masked with these letters: only a value that is still to come is meant.
    if mark == "XXX" {
        return UNITS.contains(&next.to_lowercase().as_str())
            && BEFORE.contains(&last_word(before).to_lowercase().as_str());
    }
    let is_open = matches!(mark, "TBD" | "TBC" | "TKTK");
    if opens && is_open && matches!(next, "by" | "with" | "in" | "later" | "after" | "-" | "–" | "—" | "") {
        return true;
    }
    // `… to the log. TODO`
    let ends = hit.end >= end;
    if ends && !before.is_empty() && ends_clause(before) {
        return true;
    }
    let last = last_word(before).to_lowercase();
    let counts = UNITS.contains(&next.to_lowercase().as_str());
    if !is_open {
        return counts && BEFORE.contains(&last.as_str());
    }
    // `the limit is TBD`, but not in a condition
    let is_condition = || {
        let folded = before.to_lowercase();
        folded
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| matches!(word, "if" | "when" | "whose" | "that" | "where"))
    };
    let is_told = ends && matches!(last.as_str(), "is" | "are" | "remains") && !is_condition();
    counts || BEFORE.contains(&last.as_str()) || is_told
}

fn ends_clause(before: &str) -> bool {
    before.ends_with(['.', '。', ':', '：', ',', '，', ';', '；', '!', '?', '–', '—']) || before.ends_with(" -")
}

fn first_word(text: &str) -> &str {
    let word = text.split_whitespace().next().unwrap_or_default();
    let bare = word.trim_end_matches(['.', ',', ';', ')', ':', '。', '，']);
    if text.starts_with(char::is_whitespace) { bare } else { "" }
}

fn last_word(text: &str) -> &str {
    text.rsplit(char::is_whitespace).next().unwrap_or_default().trim_start_matches(['(', '*', '_'])
}

/// `within ??? ms`
fn question_marks(visible: &str) -> Option<Range<usize>> {
    let is_apart = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ')' | '.' | ',' | '*'));
    let found = visible.match_indices("???").map(|(at, found)| at..at + found.len());
    let mut meant = found.filter(|hit| {
        is_apart(visible[..hit.start].chars().next_back()) && is_apart(visible[hit.end..].chars().next())
    });
    meant.next()
}

/// `within <number> seconds`
fn value(visible: &str) -> Option<Range<usize>> {
    let holes = ["<number>", "<value>", "<amount>", "<n>", "<N>", "<x>", "<X>"];
    let found = holes.iter().flat_map(|hole| visible.match_indices(hole)).map(|(at, hole)| at..at + hole.len());
    let mut meant = found.filter(|hit| {
        let last = last_word(visible[..hit.start].trim_end()).to_lowercase();
        BEFORE.contains(&last.as_str()) && UNITS.contains(&first_word(&visible[hit.end..]).to_lowercase().as_str())
    });
    meant.next()
}

/// `(to be determined)`, `the limit: to be defined.`
fn phrase(visible: &str, end: usize) -> Option<Range<usize>> {
    let folded = visible.to_ascii_lowercase();
    let found = PHRASES.iter().flat_map(|words| folded.match_indices(words));
    let mut meant = found.map(|(at, words)| at..at + words.len()).filter(|hit| {
        let (before, after) = (folded[..hit.start].trim_end(), folded[hit.end..].trim_start());
        let in_brackets = before.ends_with(['(', '[', '（', '<', '{']) && after.starts_with([')', ']', '）', '>', '}']);
        in_brackets || hit.end >= end && (before.ends_with([':', '：', '–', '—']) || before.ends_with(" -"))
    });
    meant.next()
}

#[cfg(test)]
mod tests {
    use super::mark;

    fn found(line: &str) -> Option<&str> {
        mark(line).map(|at| &line[at])
    }

    #[test]
    fn what_is_open() {
        for line in [
            "lock the account after TBD failed attempts",
            "keep it for TBC days",
            "it waits (TBD)",
            "It SHALL, TODO: say when.",
            "It SHALL write to the log. TODO",
            "It SHALL answer within ??? ms.",
            "It SHALL keep logs (to be determined).",
            "The limit: to be defined",
            "The limit is TBD.",
            "限制（待定）",
            "at most [TODO] users",
            "within **TBD** seconds",
            "(TBD by the operators)",
            "It SHALL sign in by [NEEDS CLARIFICATION: password or token?].",
            "It SHALL show a label [NEEDS CLARIFICATION: which label?]",
            "keep it for [NEEDS CLARIFICATION how many] days",
            "wait for TKTK seconds",
            "answer within XXX ms",
            "answer within <number> seconds",
            "It SHALL keep logs (TKTK).",
        ] {
            assert!(found(line).is_some(), "{line}");
        }
    }

    #[test]
    fn what_is_about_marks() {
        for line in [
            "list all TODO comments (TODO, FIXME, XXX) in code",
            "print [INFO] and [TODO] tags",
            "SHALL show TODO: as a prefix",
            "recognise         and FIXME: comments",
            "read the TBD by ops config key",
            "TBD Purpose detection",
            "WHEN the Purpose is TBD",
            "display all TODO items",
            "warn about TODO or TBD",
            "values to be determined by the caller (see there)",
            "a ?? b ??? c???",
            "TODO-list",
            "mask it as XXX (XXX): XXX",
            "show <number> seconds",
            "count the [NEEDS CLARIFICATION] markers",
            "refuse a spec that has NEEDS CLARIFICATION in it",
        ] {
            let line = line.replace("???", "?");
            assert_eq!(found(&line), None, "{line}");
        }
    }
}
