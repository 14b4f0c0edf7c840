//! User stories: their headings in many words, and the lines about the document.

use std::sync::LazyLock;

use regex::Regex;

use crate::import::lines::Line;

const WORDS: &str = concat!(
    r"(?:primary\s+|main\s+)?user\s+story|story|us|使用者故事|用户故事|用戶故事|ユーザーストーリー|主要ユーザーストーリー|主要用户故事",
    r"|사용자\s*(?:스토리|시나리오)|história\s+(?:de|do)\s+usuário|historia\s+de\s+usuario|récit\s+utilisateur|user[- ]story",
    r"|historia\s+użytkownika|anwendergeschichte|storia\s+utente|пользовательская\s+история"
);

static STORY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)^(?:\d+(?:\.\d+)*\.?\s+)?(?:{WORDS})\s*[-#]?\s*(\d{{1,3}}(?:\.\d+)?[a-z]?)?\s*(?:$|\s*[:：\-–—.|]+\s*(.*)$|\s*([（(].*)$)"
    ))
    .ok()
});

/// Id and title when a heading is that of a user story. A story without a number has no id.
pub(super) fn story(title: &str) -> Option<(Option<String>, String)> {
    let found = STORY.as_ref()?.captures(title)?;
    let number = found.get(1).map(|number| format!("US{}", number.as_str()));
    let title = found.get(2).or(found.get(3)).map_or("", |title| title.as_str()).trim().to_owned();
    let is_bare_word = number.is_none() && !title.is_empty() && !found[0].to_lowercase().contains("story");
    (!is_bare_word).then_some((number, title))
}

/// A story as an entry of a list: `- **US1** — As a …`.
pub(super) fn listed_story(line: &Line<'_>) -> Option<(String, String)> {
    static LISTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^\s*(?:[-*+]|\d+[.)])\s+\*{0,2}US[- ]?(\d{1,3}[a-z]?)\*{0,2}\s*[:：\-–—.]+\*{0,2}\s*(.+)$").ok()
    });
    let found = if line.fenced { None } else { LISTED.as_ref()?.captures(line.text) }?;
    Some((format!("US{}", &found[1]), found[2].to_owned()))
}

/// What a user story wants: "I want …", up to what for.
pub(in crate::import) fn wish(text: &str) -> Option<&str> {
    static WISH: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let until = r"(?:,?\s+(?:so\s+that|in\s+order|para\s+que|para\s+poder|afin|pour)\b|[.。]|$)";
        let wants = r"(?:I\s+(?:want|need|would\s+like|wish)\s+(?:to\s+)?|(?:yo\s+|eu\s+)?(?:quiero|quero)\s+(?:poder\s+)?|je\s+veux\s+|我(?:希望|想要?)(?:能够|能)?|我希望)";
        Regex::new(&format!(r"(?i){wants}(.+?)(?:{until}|，以便|，从而)")).ok()
    });
    WISH.as_ref()?.captures(text)?.get(1).map(|wish| wish.as_str())
}

/// A title without its priority, and the line that says it.
pub(super) fn metadata(title: &str) -> (String, Option<String>) {
    static PRIORITY: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^(.*?)\s*[（(]([^()（）]*\bP\d\b[^()（）]*)[)）]\s*(.*)$").ok());
    let Some(found) = PRIORITY.as_ref().and_then(|priority| priority.captures(title)) else {
        return (title.to_owned(), None);
    };
    let rest = if found[3].is_empty() { String::new() } else { format!(" {}", &found[3]) };
    (found[1].to_owned(), Some(format!("({}){rest}", &found[2])))
}

/// Whether a line below the title is about the document: `**Status**: Draft`.
pub(super) fn is_metadata(line: &str) -> bool {
    static KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^\s*(?:[-*]\s+)?\*\*[^*]{1,40}\*\*\s*[:：]|^\s*(?:[-*]\s+)?\*\*[^*]{1,40}[:：]\*\*").ok()
    });
    KEY.as_ref().is_some_and(|key| key.is_match(line))
}

/// Whether such a line is what was asked for.
pub(super) fn is_input(line: &str) -> bool {
    const WORDS: &[&str] = &["input", "输入", "輸入", "入力", "입력", "entrada", "entrée", "eingabe", "dane wejściowe"];
    let key = line.split([':', '：']).next().unwrap_or_default().to_lowercase();
    WORDS.iter().any(|word| key.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings() {
        for (title, id, rest) in [
            ("User Story 1 - Sign in (Priority: P1)", Some("US1"), "Sign in (Priority: P1)"),
            ("User Story 2: Sign out", Some("US2"), "Sign out"),
            ("US-3: x", Some("US3"), "x"),
            ("US4 — x", Some("US4"), "x"),
            ("Primary User Story", None, ""),
            ("사용자 스토리 1 - 게스트 (Priority: P1)", Some("US1"), "게스트 (Priority: P1)"),
            ("Story 1.2: x", Some("US1.2"), "x"),
        ] {
            assert_eq!(story(title), Some((id.map(str::to_owned), rest.to_owned())), "{title}");
        }
        for title in ["User Stories", "User Scenarios & Testing", "Usage", "US: x"] {
            assert_eq!(story(title), None, "{title}");
        }
        assert_eq!(metadata("x (Priority: P1) 🎯 MVP"), ("x".to_owned(), Some("(Priority: P1) 🎯 MVP".to_owned())));
    }
}
