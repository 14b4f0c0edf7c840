//! Scripts without spaces between words.

/// Chinese, Japanese and Korean characters. Each is compared as a word.
pub fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether one text is written mostly in such a script and the other is not, or in Cyrillic, Greek and the like and the
/// other is not: a translation, whose words cannot be compared.
pub fn is_translation(one: &str, other: &str) -> bool {
    let share = |text: &str| {
        let (mut latin, mut others) = (0_u32, 0_u32);
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            // A Chinese character says as much as several letters.
            match c {
                _ if is_ideographic(c) => others += 3,
                'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => latin += 1,
                _ => others += 1,
            }
        }
        f64::from(others) / f64::from((latin + others).max(1))
    };
    (share(one) - share(other)).abs() > 0.4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translations_are_told_by_script() {
        assert!(is_translation("The system SHALL report the state.", "系统 SHALL 报告状态。"));
        assert!(!is_translation("系统 SHALL 报告状态。", "系统 MUST 报告 widget 状态。"));
        assert!(!is_translation("", ""));
    }
}
