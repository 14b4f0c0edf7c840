//! The entries of a proposal's list of capabilities.

use crate::openspec::js;

/// Whether the words behind a listed capability say that its spec stays as it is, so that it needs no delta.
pub fn says_unchanged(entry: &str) -> bool {
    const PHRASES: [&str; 41] = [
        "unchanged",
        "unaffected",
        "not affected",
        "not touched",
        "untouched",
        "implementation only",
        "implementation-only",
        "out of scope",
        "no spec",
        "no delta",
        "不納入",
        "不纳入",
        "不變",
        "不变",
        "无变",
        "無變",
        "没有变",
        "沒有變",
        "无需",
        "無需",
        "不修改",
        "不变更",
        "不變更",
        "不涉及",
        "不影响",
        "不影響",
        "変更なし",
        "変更は不要",
        "影響なし",
        "변경 없음",
        "변경없음",
        "sem alteraç",
        "sem mudança",
        "sin cambios",
        "aucun changement",
        "inchangé",
        "keine änderung",
        "unverändert",
        "nessuna modifica",
        "без изменений",
        "sem impacto",
    ];
    const CHANGES: [&str; 8] =
        ["change", "changes", "changed", "delta", "deltas", "modification", "modifications", "impact"];
    // How many words may stand between "no" and "changes".
    const BETWEEN: usize = 4;
    let after = entry.splitn(3, '`').nth(2).unwrap_or_default().to_lowercase();
    if PHRASES.iter().any(|phrase| after.contains(phrase)) {
        return true;
    }
    // "no spec-level requirement changes", "not a requirement change", but not "no longer changes". A sentence ends it.
    after.split(['.', ';', '—', '(']).any(|sentence| {
        let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        words.iter().enumerate().any(|(at, word)| {
            let rest = words.iter().skip(at + 1).take(BETWEEN + 1);
            matches!(*word, "no" | "not" | "without") && words.get(at + 1) != Some(&"longer") && {
                rest.into_iter().any(|next| CHANGES.contains(next))
            }
        })
    })
}

/// Whether a line, its list marker aside, says that there is none.
pub(super) fn says_none(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let first = bare.split(['.', ',', ';', ':', '(', '（', '。', '—', '–']).next().unwrap_or_default().trim_end();
    matches!(
        first,
        "none"
            | "n/a"
            | "no"
            | "nothing"
            | "无"
            | "無"
            | "なし"
            | "nenhuma"
            | "nenhum"
            | "ninguna"
            | "ninguno"
            | "keine"
            | "aucune"
    )
}

/// The names of `` - `name`: … `` and `` - `one`, `two` and `three`: … ``, without `specs/` before and `/spec.md`
/// behind.
pub(super) fn listed_names(line: &str) -> Vec<&str> {
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    let bullet = line[indent..].strip_prefix(['-', '*', '+']).filter(|_| indent <= 1);
    let Some(bullet) = bullet else { return Vec::new() };
    let mut rest = js::trim_start(bullet);
    let mut names = Vec::new();
    while let Some((name, after)) = rest.trim_start_matches('*').strip_prefix('`').and_then(|rest| rest.split_once('`'))
    {
        let name = name.trim_start_matches("openspec/").trim_start_matches("specs/");
        let name = name.strip_suffix("/spec.md").unwrap_or(name).trim_matches('/');
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/')) {
            break;
        }
        names.push(name);
        // What else stands in backquotes is no capability unless it goes on with the list.
        let after = after.trim_start_matches(['*', ' ']);
        let next = [",", "，", "、", "and ", "&", "+"].iter().find_map(|mark| after.strip_prefix(mark));
        let Some(next) = next.map(|next| js::trim_start(next).trim_start_matches("and ")) else { break };
        rest = js::trim_start(next);
    }
    names
}
