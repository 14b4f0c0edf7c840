//! Words in a delta section: halves of a rename, and those that say that there is nothing.

use super::strip_marker;
use crate::openspec::js;

/// What stands between an old and a new name.
pub const ARROWS: [&str; 7] = ["->", "→", "=>", "⇒", "➜", "➔", "⟶"];

/// Whether a line of a RENAMED section reads as half a rename, or as a whole one with an arrow.
pub fn near_rename(line: &str) -> bool {
    let text = js::trim_start(line);
    let is_heading = text.starts_with('#');
    let text = strip_marker(text).unwrap_or(text).trim_start_matches(['*', '_', '`', '#', ' ']);
    let is_label = ["FROM", "TO", "OLD", "NEW"].iter().any(|label| {
        js::strip_prefix_ignore_case(text, label)
            .is_some_and(|rest| js::trim_start(rest.trim_start_matches(['*', '_', '`'])).starts_with([':', '：']))
    });
    let has_arrow = ARROWS.iter().any(|arrow| text.contains(arrow));
    is_label || has_arrow && (is_heading || js::strip_prefix_ignore_case(text, "Requirement").is_some())
}

/// Whether a section's only words say that there is nothing in it.
pub fn says_nothing(content: &str) -> bool {
    const NONE: [&str; 40] = [
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
        assert!(!near_rename("- Reason: terminology (A → B)"));
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
        ] {
            assert!(says_nothing(text), "{text}");
        }
        assert!(!says_nothing("- Widget colors"));
        assert!(!says_nothing("The widget no longer paints."));
    }
}
