//! Words in a delta section: halves of a rename, and those that say that there is nothing.

use super::strip_marker;
use crate::openspec::delta::Operation;
use crate::openspec::js;

/// What stands between an old and a new name.
pub const ARROWS: [&str; 12] = ["->", "→", "=>", "⇒", "➜", "➔", "⟶", "➡", "⟹", "➝", "➞", "↦"];

/// Whether a line of a RENAMED section reads as half a rename, or as a whole one with an arrow.
pub fn near_rename(line: &str) -> bool {
    let text = js::trim_start(line);
    let is_heading = text.starts_with('#');
    let text = strip_marker(text).unwrap_or(text).trim_start_matches(['*', '_', '`', '#', ' ']);
    let is_label = ["FROM", "TO"].iter().any(|label| {
        js::strip_prefix_ignore_case(text, label).is_some_and(|rest| {
            let rest = js::trim_start(rest.trim_start_matches(['*', '_', '`']));
            rest.starts_with([':', '：']) || rest.trim_start_matches('`').starts_with("###")
        })
    });
    let has_arrow = ARROWS.iter().any(|arrow| text.contains(arrow));
    is_label || has_arrow && (is_heading || js::strip_prefix_ignore_case(text, "Requirement").is_some())
}

/// What a line calls itself, and what it says: `**Reason**: unused`. A label is short and names no requirement.
pub fn labelled(line: &str) -> Option<(&str, &str)> {
    const MARKS: [char; 5] = ['*', '_', '`', '"', ' '];
    let text = js::trim(line);
    let text = strip_marker(text).unwrap_or(text);
    let (label, value) = text.split_once([':', '：'])?;
    let label = label.trim_matches(MARKS);
    let is_label = !label.is_empty()
        && label.chars().count() <= 40
        && label.split(' ').count() <= 4
        && !label.contains(['#', '|'])
        && js::strip_prefix_ignore_case(label, "Requirement").is_none();
    is_label.then(|| (label, value.trim_matches(MARKS)))
}

/// Whether a label stands for the old or the new name of a rename.
pub fn is_name_label(label: &str) -> bool {
    const LABELS: [&str; 26] = [
        "from",
        "to",
        "old",
        "new",
        "old name",
        "new name",
        "before",
        "after",
        "renamed",
        "renamed to",
        "renamed from",
        "was",
        "now",
        "formerly",
        "旧",
        "新",
        "舊",
        "原",
        "原名",
        "旧名",
        "新名",
        "从",
        "到",
        "從",
        "旧名称",
        "新名称",
    ];
    LABELS.contains(&label.to_lowercase().as_str())
}

/// Whether a line tells what came in place of a requirement, or why it went.
pub fn tells_why(line: &str) -> bool {
    const SIGNS: [&str; 22] = [
        "replace",
        "supersede",
        "merged",
        "moved",
        "covered",
        "instead",
        "see ",
        "because",
        "since ",
        "absorbed",
        "consolidated",
        "subsumed",
        "part of",
        "now ",
        "remain",
        "取代",
        "替代",
        "合并",
        "代替",
        "改用",
        "置き換え",
        "統合",
    ];
    let lower = line.to_lowercase();
    SIGNS.iter().any(|sign| lower.contains(sign))
}

/// Whether a heading of REMOVED or RENAMED stands over an explanation.
pub fn is_explaining_title(title: &str) -> bool {
    const TITLES: [&str; 52] = [
        "reason",
        "reasons",
        "rationale",
        "migration",
        "why",
        "note",
        "notes",
        "impact",
        "background",
        "summary",
        "context",
        "overview",
        "replacement",
        "replacements",
        "justification",
        "motivation",
        "explanation",
        "details",
        "consequences",
        "alternatives",
        "removed",
        "removal",
        "deprecation",
        "references",
        "原因",
        "理由",
        "迁移",
        "遷移",
        "移行",
        "说明",
        "說明",
        "説明",
        "备注",
        "備考",
        "影响",
        "影響",
        "背景",
        "이유",
        "마이그레이션",
        "begründung",
        "grund",
        "hinweis",
        "raison",
        "motivo",
        "razón",
        "razão",
        "migração",
        "migración",
        "motif",
        "причина",
        "миграция",
        "remarks",
    ];
    let lower = title.to_lowercase();
    TITLES.iter().any(|word| lower.starts_with(word)) && js::strip_prefix_ignore_case(title, "Removed Req").is_none()
}

/// What a title or a line over a list says is to be done with what stands below, in whatever language it says so.
pub fn meant_operation(title: &str) -> Option<Operation> {
    const REMOVED: [&str; 21] = [
        "remov",
        "delet",
        "deprecat",
        "dropped",
        "retire",
        "obsolet",
        "discontinu",
        "sunset",
        "eliminat",
        "移除",
        "删除",
        "刪除",
        "削除",
        "废弃",
        "廢棄",
        "廃止",
        "삭제",
        "제거",
        "entfern",
        "supprim",
        "удал",
    ];
    const RENAMED: [&str; 9] =
        ["rename", "renaming", "重命名", "改名", "更名", "名称変更", "이름 변경", "umbenann", "переимен"];
    let title = title.to_lowercase();
    if ["not ", "no ", "non-", "after ", "before ", "不"].iter().any(|word| title.contains(word)) {
        return None;
    }
    let has = |signs: &[&str]| signs.iter().any(|sign| title.contains(sign));
    if has(&REMOVED) { Some(Operation::Removed) } else { has(&RENAMED).then_some(Operation::Renamed) }
}

/// Whether a line demands something, in one of the languages that deltas are often written in.
pub fn demands(line: &str) -> bool {
    const VERBS: [&str; 12] =
        ["shall", "must", "deve", "devem", "debe", "deben", "doit", "doivent", "muss", "müssen", "должен", "должна"];
    const SIGNS: [&str; 10] =
        ["必须", "必須", "应当", "應當", "应该", "應該", "しなければ", "すること", "ものとする", "해야"];
    SIGNS.iter().any(|sign| line.contains(sign))
        || line.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|word| VERBS.contains(&word))
}

/// Whether a section's only words say that there is nothing in it.
pub fn says_nothing(content: &str) -> bool {
    const NONE: [&str; 76] = [
        "none",
        "n/a",
        "na",
        "nil",
        "nothing",
        "no",
        "empty",
        "not applicable",
        "no changes",
        "no change",
        "none yet",
        "no requirements",
        "no entries",
        "not used",
        "unused",
        "none in this change",
        "none for this change",
        "无",
        "無",
        "没有",
        "暂无",
        "不适用",
        "なし",
        "特になし",
        "該当なし",
        "없음",
        "해당 없음",
        "nenhum",
        "nenhuma",
        "n/d",
        "ninguno",
        "ninguna",
        "aucun",
        "aucune",
        "keine",
        "keiner",
        "nessuno",
        "nessuna",
        "нет",
        "não se aplica",
        "无变更",
        "无修改",
        "暂无变更",
        "本次无修改",
        "本次无变更",
        "無變更",
        "無修改",
        "変更なし",
        "変更はありません",
        "변경 없음",
        "변경사항 없음",
        "keine änderungen",
        "aucun changement",
        "aucune modification",
        "sin cambios",
        "sem alterações",
        "sem mudanças",
        "нет изменений",
        "без изменений",
        "nessuna modifica",
        "nessun cambiamento",
        "brak",
        "brak zmian",
        "ingen",
        "inga",
        "ingen ändringar",
        "inga ändringar",
        "ingen endringer",
        "ingen ændringer",
        "geen",
        "geen wijzigingen",
        "yok",
        "değişiklik yok",
        "لا يوجد",
        "không có",
        "unchanged",
    ];
    let text = js::trim(content);
    let text = strip_marker(text).unwrap_or(text);
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if text.is_empty() || NONE.contains(&text.as_str()) {
        return true;
    }
    // "None. Everything stays." and "No requirements are removed by this change."
    const FIRST: [&str; 6] = ["无需", "無需", "不需要", "没有", "なし", "없음"];
    if text.contains('\n') {
        return false;
    }
    let first = text.split(' ').next().unwrap_or_default();
    let is_negative = matches!(first, "no" | "nothing") && !text.contains(['`', '#']) && !text.contains(" longer");
    is_negative
        || ["n/a ", "there are no ", "there is no ", "there is nothing "].iter().any(|start| text.starts_with(start))
        || first == "none"
        || first == "none."
        || first == "none:"
        || FIRST.iter().any(|word| text.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames() {
        for line in [
            "- From: `### Requirement: A`",
            "from: A",
            "- **TO**: B",
            "### Requirement: A → B",
            "- Requirement: A -> B",
        ] {
            assert!(near_rename(line), "{line}");
        }
        assert!(near_rename("- FROM `### Requirement: A`"));
        assert!(!near_rename("- Reason: terminology (A → B)"));
        assert!(!near_rename("New: nothing else"));
    }

    #[test]
    fn labels() {
        assert_eq!(labelled("- **Reason**: unused"), Some(("Reason", "unused")));
        assert_eq!(labelled("- 旧：A"), Some(("旧", "A")));
        assert_eq!(labelled("**Requirement: A** is gone"), None);
        assert_eq!(labelled("It went away because of one thing: age"), None);
    }

    #[test]
    fn nothing() {
        for text in [
            "- None",
            "(none)",
            "无。",
            "*N/A*",
            "No requirements are removed by this change.",
            "---",
            "None. The rest stays, `x` too.",
            "无需修改现有规范。",
            "本次无修改",
            "Keine Änderungen.",
            "- Brak.",
            "لا يوجد",
            "There are no modified requirements.",
            "N/A - nothing to modify",
        ] {
            assert!(says_nothing(text), "{text}");
        }
        assert!(!says_nothing("- Widget colors"));
        assert!(!says_nothing("The widget no longer paints."));
    }
}
