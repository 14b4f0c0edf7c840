//! A few words of a sentence, for a heading.

use std::sync::LazyLock;

use regex::Regex;

/// Characters of a title.
const MAX: usize = 60;

/// Characters of a title in a script without blanks between words, where each says more.
const MAX_DENSE: usize = 30;

static SUBJECT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:the\s+(?:[\w`\-]+\s+){1,4}?|(?:system|application|app)\s+)(?:must|shall|should|will)\s+(.*)$")
        .ok()
});

/// Marks of what is to be decided, and labels of tasks and stories: `[NEEDS CLARIFICATION: which?]`, `[P]`, `(US1):`.
static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\[NEEDS CLARIFICATION[^\]]*\]?|^\s*(?:\[[ xP]\]|[\[(]US[- ]?\d+[\])])\s*:?\s*").ok()
});

static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"!?\[([^\]]*)\]\([^)]*\)").ok());

/// The first words of a text: without emphasis, cut where a word ends.
pub(super) fn short(text: &str) -> String {
    let linked = match LINK.as_ref() {
        Some(link) => link.replace_all(text, "$1").into_owned(),
        None => text.to_owned(),
    };
    let linked = MARKS.as_ref().map_or(linked.clone(), |marks| marks.replace_all(&linked, "").into_owned());
    let bare: String = linked.chars().filter(|c| !matches!(c, '*' | '`' | '#' | '~')).collect();
    let words: Vec<&str> = bare.split_whitespace().collect();
    let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
    let is_dense = longest > MAX_DENSE && !bare.is_ascii();
    let mut title = String::new();
    for word in &words {
        let room = if is_dense { MAX_DENSE } else { MAX };
        let (have, more) = (title.chars().count(), word.chars().count());
        if have > 0 && have + 1 + more > room {
            break;
        }
        if have > 0 {
            title.push(' ');
        }
        title.extend(word.chars().take(room));
    }
    let is_cut = title.chars().count() < words.join(" ").chars().count();
    let trimmed = title.trim_matches(|c: char| c.is_whitespace() || ",;:.，；：。、-–—(（[\"“「".contains(c));
    balanced(if is_cut { without_dangling(trimmed) } else { trimmed })
}

/// The text without brackets that have no partner.
fn balanced(title: &str) -> String {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('（', '）')];
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut alone: Vec<usize> = Vec::new();
    for (at, c) in title.char_indices() {
        if let Some((_, close)) = PAIRS.iter().find(|(open, _)| *open == c) {
            open.push((at, *close));
        } else if PAIRS.iter().any(|(_, close)| *close == c) {
            match open.last() {
                Some((_, close)) if *close == c => drop(open.pop()),
                _ => alone.push(at),
            }
        }
    }
    alone.extend(open.iter().map(|(at, _)| *at));
    let kept = title.char_indices().filter(|(at, _)| !alone.contains(at)).map(|(_, c)| c);
    kept.collect::<String>().trim().to_owned()
}

/// Drops a small word that a cut left at the end.
fn without_dangling(title: &str) -> &str {
    const SMALL: &[&str] =
        &["a", "an", "and", "the", "of", "to", "in", "on", "for", "with", "or", "at", "by", "from", "that", "is", "as"];
    let mut title = title;
    while let Some((rest, last)) = title.rsplit_once(' ') {
        if !SMALL.contains(&last.to_lowercase().as_str()) {
            break;
        }
        title = rest.trim_end_matches([',', ';', ':']);
    }
    title
}

/// The first words of a demand, without "the system MUST" in front.
pub(super) fn short_demand(text: &str) -> String {
    let bare = text.replace("**", "");
    let rest = SUBJECT.as_ref().and_then(|subject| subject.captures(bare.trim()));
    let rest = rest.and_then(|found| found.get(1)).map_or(bare.trim(), |rest| rest.as_str());
    let title = short(rest);
    // In capitals it would look like a word of its own.
    let title = title.strip_prefix("NOT ").map_or(title.clone(), |rest| format!("Not {rest}"));
    let mut letters = title.chars();
    match letters.next() {
        Some(first) if title != rest || bare.trim() != rest => first.to_uppercase().chain(letters).collect(),
        _ => title,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_cut_between_words() {
        assert_eq!(short("a **user** opens `x`."), "a user opens x");
        assert_eq!(
            short("the user selects a range that covers more than a month and then closes the window"),
            "the user selects a range that covers more than a month"
        );
        assert_eq!(short(&"长".repeat(50)).chars().count(), MAX_DENSE);
        assert_eq!(short("keep [NEEDS CLARIFICATION: what?] for a day"), "keep for a day");
        assert_eq!(short("[P]: System MUST tag"), "System MUST tag");
        assert_eq!(short("(US1): open a door"), "open a door");
        assert_eq!(short("open) a (red) door [now"), "open a (red) door now");
        assert_eq!(short(""), "");
    }

    #[test]
    fn demands_begin_with_what_is_demanded() {
        assert_eq!(short_demand("System MUST NOT keep passwords"), "Not keep passwords");
        assert_eq!(short_demand("The system SHALL allow users to sign in."), "Allow users to sign in");
        assert_eq!(short_demand("THE Card_View SHALL glow"), "Glow");
        assert_eq!(short_demand("Users MUST be able to sign in"), "Users MUST be able to sign in");
    }
}
