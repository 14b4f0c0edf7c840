//! What a sentence demands: whether it must, may or must not, and within which bounds.

use super::script::is_ideographic;

/// Words of obligation, in the form only obligations have.
pub(super) const STRONG: &[&str] = &[
    "SHALL", "MUST", "REQUIRED", "shall", "must", "DEVE", "DEVEM", "DEBE", "DEBEN", "MUSS", "MÜSSEN", "DOIT", "DOIVENT",
];

/// The same as any writer writes them; they keep a demand a demand.
const STRONG_FOLDED: &[&str] = &[
    "shall", "must", "required", "requires", "require", "cannot", "never", "always", "deve", "devem", "debe", "deben",
    "muss", "müssen", "doit", "doivent",
];

const STRONG_CHARACTERS: &[&str] =
    &["必须", "必須", "不得", "应当", "應當", "禁止", "严禁", "嚴禁", "不可", "なければならない", "てはならない"];

const WEAK: &[&str] = &[
    "should",
    "may",
    "can",
    "could",
    "might",
    "recommended",
    "optional",
    "optionally",
    "pode",
    "podem",
    "poderia",
    "deveria",
    "puede",
    "pueden",
    "debería",
    "soll",
    "sollte",
    "kann",
    "darf",
    "peut",
    "devrait",
];

const WEAK_CHARACTERS: &[&str] = &["可以", "建议", "建議", "最好", "尽量", "推荐", "てもよい", "推奨"];

const NEGATIVE: &[&str] = &[
    "not", "no", "never", "none", "nor", "neither", "cannot", "without", "instead", "only", "except", "unless",
    "rather", "não", "nunca", "sem", "nunca", "sin", "nicht", "kein", "keine", "ohne", "ne", "pas", "jamais", "sans",
];

/// Beginnings of verbs that deny.
const NEGATIVE_STEMS: &[&str] = &[
    "prevent", "prohibit", "forbid", "reject", "refus", "avoid", "exclud", "deny", "deni", "block", "ignor", "skip",
    "omit", "fail", "disallow", "restrict", "suppress", "disabl", "remov", "stop", "drop", "un", "dis", "non",
];

const NEGATIVE_CHARACTERS: &[char] = &['不', '未', '无', '無', '禁', '非', '没', '否', '避', '拒', '仅', '只', '免'];

/// How binding a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// It only tells.
    Told,
    /// SHOULD, MAY, CAN.
    Weak,
    /// SHALL, MUST.
    Strong,
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').filter(|word| !word.is_empty())
}

/// Without what stands in backquotes: a name, not a word.
fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Whether a sentence binds, in words that mean nothing else.
pub fn is_normative(text: &str) -> bool {
    let text = without_code(text);
    words(&text).any(|word| STRONG.contains(&word)) || STRONG_CHARACTERS.iter().any(|word| text.contains(word))
}

/// How binding a sentence is, whatever the case of its words.
pub fn strength(text: &str) -> Strength {
    let text = without_code(text);
    let folded = text.to_lowercase();
    let has = |list: &[&str]| words(&folded).any(|word| list.contains(&word));
    if has(STRONG_FOLDED) || STRONG_CHARACTERS.iter().any(|word| text.contains(word)) || folded.contains("has to") {
        Strength::Strong
    } else if has(WEAK) || WEAK_CHARACTERS.iter().any(|word| text.contains(word)) {
        Strength::Weak
    } else {
        Strength::Told
    }
}

/// The weak word of a sentence, as written.
pub fn weak_word(text: &str) -> Option<String> {
    let text = without_code(text);
    let found = words(&text).find(|word| WEAK.contains(&word.to_lowercase().as_str())).map(str::to_owned);
    found.or_else(|| WEAK_CHARACTERS.iter().find(|word| text.contains(**word)).map(|word| (*word).to_owned()))
}

/// The strong word of a sentence, as written, with the NOT behind it.
pub fn strong_word(text: &str) -> Option<String> {
    let text = without_code(text);
    let mut all = words(&text);
    let found = all.find(|word| STRONG.contains(word)).map(|word| match all.next() {
        Some(not @ ("NOT" | "not" | "NEVER" | "never")) => format!("{word} {not}"),
        _ => word.to_owned(),
    });
    found.or_else(|| STRONG_CHARACTERS.iter().find(|word| text.contains(**word)).map(|word| (*word).to_owned()))
}

/// How many strong and weak words a sentence has.
pub fn counts(text: &str) -> (usize, usize) {
    let folded = without_code(text).to_lowercase();
    let count = |list: &[&str]| words(&folded).filter(|word| list.contains(word)).count();
    (count(&["shall", "must"]), count(WEAK))
}

/// Whether a sentence forbids.
pub fn is_prohibition(text: &str) -> bool {
    let text = without_code(text);
    let mut before = "";
    for word in words(&text) {
        if STRONG.contains(&before) && matches!(word, "NOT" | "not" | "NEVER" | "never") {
            return true;
        }
        if matches!(before, "NÃO" | "NO") && STRONG.contains(&word) || word == "CANNOT" {
            return true;
        }
        before = word;
    }
    ["不得", "禁止", "严禁", "嚴禁", "不可", "てはならない", "DARF NICHT"].iter().any(|mark| text.contains(mark))
}

/// Whether a sentence denies anything at all.
pub fn has_negation(text: &str) -> bool {
    let folded = text.to_lowercase();
    text.contains(NEGATIVE_CHARACTERS)
        || folded.contains("ない")
        || words(&folded).any(|word| {
            NEGATIVE.contains(&word)
                || word.ends_with("n't")
                || word.ends_with("n’t")
                || NEGATIVE_STEMS.iter().any(|stem| word.starts_with(stem))
        })
}

/// A limit with a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// At most rather than at least.
    pub is_upper: bool,
    /// The number, times in milliseconds.
    pub value: f64,
    /// What is counted.
    pub unit: String,
    /// As written.
    pub text: String,
}

const UPPER: &[&str] = &[
    "within",
    "at most",
    "no more than",
    "not more than",
    "no longer than",
    "no later than",
    "not exceed",
    "not exceeding",
    "maximum of",
    "dentro de",
    "no máximo",
    "innerhalb von",
    "höchstens",
    "不超过",
    "最多",
    "至多",
];

const LOWER: &[&str] = &[
    "at least",
    "no less than",
    "not less than",
    "no fewer than",
    "minimum of",
    "pelo menos",
    "al menos",
    "mindestens",
    "至少",
    "不少于",
];

/// What begins a condition: a bound in it says when something holds, not how much is demanded.
const CONDITION: &[&str] = &[
    "if", "when", "whenever", "unless", "after", "once", "where", "until", "while", "se", "quando", "wenn", "cuando",
    "si",
];

/// The limits a sentence sets. Those in a condition are none.
pub fn bounds(text: &str) -> Vec<Bound> {
    let folded = text.to_lowercase().replace(['*', '`'], "");
    let mut found = Vec::new();
    for (is_upper, marks) in [(true, UPPER), (false, LOWER)] {
        for mark in marks {
            for (at, _) in folded.match_indices(mark) {
                let is_word = mark.chars().any(is_ideographic)
                    || !folded[..at].chars().next_back().is_some_and(char::is_alphanumeric);
                if !is_word || is_conditional(&folded[..at]) {
                    continue;
                }
                let after = &folded[at + mark.len()..];
                if let Some((value, unit, length)) = quantity(after) {
                    let text = folded[at..at + mark.len() + length].trim().to_owned();
                    found.push(Bound { is_upper, value, unit, text });
                }
            }
        }
    }
    // 「1 秒内」 sets its bound behind the number.
    for mark in ["秒内", "秒以内", "毫秒内", "毫秒以内", "分钟内", "分钟以内"] {
        for (at, _) in folded.match_indices(mark) {
            let digits = folded[..at].trim_end().rsplit(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap_or("");
            if let (Ok(number), Some(scale)) = (digits.parse::<f64>(), time_scale(mark.trim_end_matches(['以', '内'])))
            {
                found.push(Bound {
                    is_upper: true,
                    value: number * scale,
                    unit: "time".into(),
                    text: folded
                        [at - (folded[..at].len() - folded[..at].trim_end().len()) - digits.len()..at + mark.len()]
                        .to_owned(),
                });
            }
        }
    }
    found
}

/// A sentence without the limits it sets, in lower case.
pub fn without_bounds(text: &str) -> String {
    let folded = text.to_lowercase().replace(['*', '`'], "");
    bounds(text).iter().fold(folded, |rest, bound| rest.replace(&bound.text, " "))
}

/// Whether what follows a text is part of a condition.
pub(super) fn is_conditional(before: &str) -> bool {
    let clause = before.rsplit([',', ';', ':', '，', '；']).next().unwrap_or_default();
    words(clause).any(|word| CONDITION.contains(&word))
}

/// A number and what it counts, at the start of a text, with the length of both.
fn quantity(text: &str) -> Option<(f64, String, usize)> {
    let rest = text.trim_start();
    let skipped = text.len() - rest.len();
    let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',' && c != '_').unwrap_or(rest.len());
    let number = rest[..digits].trim_end_matches(['.', ',']);
    let (value, length) = match number.replace([',', '_'], "").parse::<f64>() {
        Ok(value) => (value, number.len()),
        Err(_) => {
            let word = words(rest).next()?;
            let names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
            let at = names.iter().position(|name| *name == word)?;
            (f64::from(u32::try_from(at).ok()? + 1), word.len())
        }
    };
    let after = rest[length..].trim_start_matches([' ', '\u{a0}', '-']);
    let gap = rest.len() - length - after.len();
    let end = after.find(|c: char| !c.is_alphabetic() && c != '%').unwrap_or(after.len());
    let unit: String = after[..end].chars().take(if after.starts_with(is_ideographic) { 2 } else { 24 }).collect();
    let length = skipped + length + gap + unit.len();
    match time_scale(&unit) {
        Some(scale) => Some((value * scale, "time".to_owned(), length)),
        None => Some((value, unit.trim_end_matches('s').to_owned(), length)),
    }
}

fn time_scale(unit: &str) -> Option<f64> {
    Some(match unit {
        "ms" | "millisecond" | "milliseconds" | "msec" | "毫秒" => 1.0,
        "s" | "sec" | "secs" | "second" | "seconds" | "segundo" | "segundos" | "sekunde" | "sekunden" | "秒"
        | "秒钟" => 1e3,
        "min" | "mins" | "minute" | "minutes" | "minuto" | "minutos" | "minuten" | "分" | "分钟" => 6e4,
        "h" | "hour" | "hours" | "hr" | "hrs" | "小时" => 3.6e6,
        "day" | "days" | "天" => 8.64e7,
        "week" | "weeks" => 6.048e8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strengths() {
        assert_eq!(strength("It SHALL go."), Strength::Strong);
        assert_eq!(strength("It MAY go."), Strength::Weak);
        assert_eq!(strength("It goes."), Strength::Told);
        assert_eq!(strength("系统必须记录"), Strength::Strong);
        assert!(is_normative("O sistema DEVE sair.") && is_normative("It must go.") && !is_normative("See `MUST`."));
        assert!(
            is_prohibition("It MUST **NOT** go")
                && is_prohibition("系统不得删除")
                && !is_prohibition("MUST go, not stay")
        );
    }

    #[test]
    fn bounds_are_read() {
        let of = |text: &str| bounds(text).into_iter().map(|b| (b.is_upper, b.value, b.unit)).collect::<Vec<_>>();
        assert_eq!(of("It SHALL answer within **1 second**."), [(true, 1e3, "time".into())]);
        assert_eq!(of("at least three retries"), [(false, 3.0, "retrie".into())]);
        assert_eq!(of("系统必须在 2 秒内响应"), [(true, 2e3, "time".into())]);
        assert_eq!(of("when at least 3 fail, stop"), []);
        assert_eq!(of("within the project"), []);
    }
}
