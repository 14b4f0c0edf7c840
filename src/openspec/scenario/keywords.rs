//! The words that begin a step or name a scenario, language by language, and how to find one at the start of a text.
//!
//! The words are those Cucumber publishes for its languages, with a few that people write in specs besides. Words that
//! begin ordinary English sentences (Italian `Data`, Slovenian `In`) are left out: a step missed costs less than one
//! that is none. So are the words for "example" as names of scenarios, as many a `#### Example` holds no scenario.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a step says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// What is there before.
    Given,
    /// What happens.
    When,
    /// What comes of it.
    Then,
    /// Goes on with the step before: AND, BUT, OR.
    And,
    /// A condition that may stand in WHEN's place: IF, WHILE.
    If,
}

/// The words of one language.
struct Language {
    /// Whether words stand without blanks between them, so that one needs no end.
    unspaced: bool,
    given: &'static [&'static str],
    when: &'static [&'static str],
    then: &'static [&'static str],
    and: &'static [&'static str],
    condition: &'static [&'static str],
    scenario: &'static [&'static str],
}

macro_rules! language {
    ($words:ident given: $given:tt when: $when:tt then: $then:tt and: $and:tt if: $if:tt scenario: $scenario:tt) => {
        Language {
            unspaced: language!(@ $words),
            given: &$given,
            when: &$when,
            then: &$then,
            and: &$and,
            condition: &$if,
            scenario: &$scenario,
        }
    };
    (@ unspaced) => {
        true
    };
    (@ spaced) => {
        false
    };
}

/// English is first: where a word is in two languages, the first one has it.
const LANGUAGES: &[Language] = &[
    language!(spaced given: ["Given"] when: ["When"] then: ["Then"] and: ["And", "But", "Or"]
        if: ["If", "While", "Unless", "Whenever"] scenario: ["Scenario"]),
    // Chinese, simplified and traditional.
    language!(unspaced given: ["假如", "假设", "假設", "假定", "给定", "給定", "前提", "已知"] when: ["当", "當"]
        then: ["那么", "那麼", "则", "則", "就"] and: ["而且", "并且", "並且", "同时", "同時", "且", "但是", "但", "并", "並", "或者", "或"]
        if: ["如果", "若"] scenario: ["场景", "場景", "情境", "情景", "剧本", "劇本", "用例"]),
    // Japanese.
    language!(unspaced given: ["前提"] when: ["もし"] then: ["ならば"] and: ["且つ", "かつ", "然し", "しかし", "但し", "ただし", "また"]
        if: [] scenario: ["シナリオ"]),
    // Korean.
    language!(spaced given: ["조건", "먼저"] when: ["만일", "만약"] then: ["그러면"] and: ["그리고", "하지만", "단"] if: []
        scenario: ["시나리오"]),
    // Portuguese.
    language!(spaced given: ["Dado", "Dada", "Dados", "Dadas"] when: ["Quando"] then: ["Então", "Entao"] and: ["E", "Mas", "Ou"]
        if: ["Se"] scenario: ["Cenário", "Cenario"]),
    // Spanish.
    language!(spaced given: ["Dado", "Dada", "Dados", "Dadas"] when: ["Cuando"] then: ["Entonces"] and: ["Y", "E", "Pero", "O"]
        if: ["Si"] scenario: ["Escenario"]),
    // Catalan.
    language!(spaced given: ["Donat", "Donada", "Atès", "Atesa"] when: ["Quan"] then: ["Aleshores", "Llavors"] and: ["I", "Però"]
        if: [] scenario: ["Escenari"]),
    // French.
    language!(spaced given: ["Soit", "Sachant", "Etant donné", "Etant donnée", "Etant donnés", "Etant données", "Étant donné",
            "Étant donnée", "Étant donnés", "Étant données"]
        when: ["Quand", "Lorsque", "Lorsqu'", "Lorsqu’"] then: ["Alors", "Donc"] and: ["Et", "Mais", "Ou"] if: ["Si"]
        scenario: ["Scénario"]),
    // German.
    language!(spaced given: ["Angenommen", "Gegeben sei", "Gegeben seien", "Gegeben"] when: ["Wenn"] then: ["Dann"]
        and: ["Und", "Aber", "Oder"] if: ["Falls"] scenario: ["Szenario"]),
    // Italian.
    language!(spaced given: ["Dato", "Dati"] when: ["Quando"] then: ["Allora"] and: ["E", "Ed", "Ma", "O"] if: ["Se"]
        scenario: ["Scenario"]),
    // Dutch.
    language!(spaced given: ["Gegeven", "Stel"] when: ["Als", "Wanneer"] then: ["Dan"] and: ["En", "Maar", "Of"] if: []
        scenario: ["Scenario"]),
    // Polish.
    language!(spaced given: ["Zakładając", "Mając"] when: ["Jeżeli", "Jeśli", "Gdy", "Kiedy"] then: ["Wtedy"]
        and: ["Oraz", "I", "Ale"] if: [] scenario: ["Scenariusz"]),
    // Czech.
    language!(spaced given: ["Pokud", "Za předpokladu"] when: ["Když"] then: ["Pak"] and: ["A", "Ale"] if: []
        scenario: ["Scénář"]),
    // Slovak.
    language!(spaced given: ["Pokiaľ", "Za predpokladu"] when: ["Keď", "Ak"] then: ["Potom", "Tak"] and: ["A", "Ale"] if: []
        scenario: ["Scenár"]),
    // Hungarian.
    language!(spaced given: ["Amennyiben", "Adott"] when: ["Majd", "Ha", "Amikor"] then: ["Akkor"] and: ["És", "De"] if: []
        scenario: ["Forgatókönyv"]),
    // Romanian.
    language!(spaced given: ["Date fiind", "Dat fiind", "Dată fiind", "Dați fiind", "Daţi fiind"] when: ["Când", "Cand"]
        then: ["Atunci"] and: ["Și", "Şi", "Si", "Dar"] if: [] scenario: ["Scenariu"]),
    // Russian.
    language!(spaced given: ["Допустим", "Дано", "Пусть"] when: ["Когда"] then: ["То", "Затем", "Тогда"]
        and: ["И", "К тому же", "Также", "Но", "А", "Иначе", "Или"] if: ["Если"] scenario: ["Сценарий"]),
    // Ukrainian.
    language!(spaced given: ["Припустимо", "Нехай", "Дано"] when: ["Коли"] then: ["То", "Тоді"] and: ["І", "А також", "Та", "Але"]
        if: ["Якщо"] scenario: ["Сценарій"]),
    // Bulgarian.
    language!(spaced given: ["Дадено"] when: ["Когато"] then: ["То", "Тогава"] and: ["И", "Но"] if: [] scenario: ["Сценарий"]),
    // Greek.
    language!(spaced given: ["Δεδομένου"] when: ["Όταν"] then: ["Τότε"] and: ["Και", "Αλλά"] if: [] scenario: ["Σενάριο"]),
    // Swedish.
    language!(spaced given: ["Givet"] when: ["När"] then: ["Så"] and: ["Och", "Men"] if: [] scenario: ["Scenario"]),
    // Danish and Norwegian.
    language!(spaced given: ["Givet", "Gitt"] when: ["Når"] then: ["Så"] and: ["Og", "Men"] if: []
        scenario: ["Scenarie", "Scenario"]),
    // Finnish.
    language!(spaced given: ["Oletetaan"] when: ["Kun"] then: ["Niin"] and: ["Ja", "Mutta"] if: [] scenario: ["Tapaus"]),
    // Turkish.
    language!(spaced given: ["Diyelim ki", "Varsayalım ki", "Farz edelim ki"] when: ["Eğer ki", "Eğer", "Ne zaman ki", "Ne zaman"]
        then: ["O zaman", "Bu durumda"] and: ["Ve", "Fakat", "Ama", "Ayrıca"] if: [] scenario: ["Senaryo"]),
    // Vietnamese.
    language!(spaced given: ["Biết", "Cho"] when: ["Khi"] then: ["Thì"] and: ["Và", "Nhưng"] if: []
        scenario: ["Kịch bản", "Tình huống"]),
    // Indonesian and Malay.
    language!(spaced given: ["Diketahui", "Diasumsikan", "Diberi", "Dengan"] when: ["Ketika", "Apabila"] then: ["Maka", "Kemudian"]
        and: ["Dan", "Tapi", "Tetapi"] if: ["Bila", "Jika"] scenario: ["Skenario", "Senario"]),
    // Hebrew.
    language!(spaced given: ["בהינתן"] when: ["כאשר"] then: ["אזי", "אז"] and: ["וגם", "אבל"] if: [] scenario: ["תרחיש"]),
    // Arabic.
    language!(spaced given: ["بفرض"] when: ["عندما", "متى"] then: ["اذاً", "ثم"] and: ["و", "لكن"] if: [] scenario: ["سيناريو"]),
    // Hindi.
    language!(spaced given: ["अगर", "यदि", "चूंकि"] when: ["जब"] then: ["तब"] and: ["और", "तथा", "परन्तु"] if: [] scenario: ["परिदृश्य"]),
];

/// Words that begin with a keyword of a language without blanks and are another word.
const OTHER_WORDS: &[&str] = &[
    "当前",
    "当然",
    "当地",
    "当天",
    "当日",
    "当月",
    "当年",
    "当下",
    "当中",
    "当事",
    "當前",
    "當然",
    "當地",
    "當天",
    "當日",
    "當月",
    "當年",
    "當下",
    "當中",
    "當事",
    "就绪",
    "就緒",
    "就业",
    "并发",
    "并行",
    "並發",
    "並行",
    "且慢",
    "または",
    "またがる",
    "则是",
    "若干",
    "但凡",
];

/// A keyword as found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keyword {
    /// What it says.
    pub kind: StepKind,
    /// Its language, as a number. 0 is English.
    pub language: usize,
    /// Its length in the text, in bytes.
    pub len: usize,
    /// Whether its language writes words without blanks.
    pub unspaced: bool,
}

/// A word of the table, in lower case.
struct Entry {
    word: String,
    kind: StepKind,
    language: usize,
}

/// All words by their first character in lower case, longest first.
static INDEX: LazyLock<HashMap<char, Vec<Entry>>> = LazyLock::new(|| {
    let mut index: HashMap<char, Vec<Entry>> = HashMap::new();
    for (language, words) in LANGUAGES.iter().enumerate() {
        let kinds = [
            (StepKind::Given, words.given),
            (StepKind::When, words.when),
            (StepKind::Then, words.then),
            (StepKind::And, words.and),
            (StepKind::If, words.condition),
        ];
        for (kind, list) in kinds {
            for word in list {
                let word = word.to_lowercase();
                if let Some(first) = word.chars().next() {
                    index.entry(first).or_default().push(Entry { word, kind, language });
                }
            }
        }
    }
    for entries in index.values_mut() {
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.word.len()));
    }
    index
});

/// All keywords a text begins with, in any case: the longest of each language, English first.
///
/// Several languages share a word (`Dan` is THEN in Dutch and AND in Indonesian), so who knows the neighbours decides.
pub fn keywords(text: &str) -> Vec<Keyword> {
    let Some(first) = text.chars().next().and_then(|c| c.to_lowercase().next()) else { return Vec::new() };
    let Some(entries) = INDEX.get(&first) else { return Vec::new() };
    let mut found: Vec<Keyword> = Vec::new();
    for entry in entries {
        if found.iter().any(|keyword| keyword.language == entry.language) {
            continue;
        }
        let unspaced = LANGUAGES[entry.language].unspaced;
        if let Some(len) = prefix_len(text, &entry.word)
            && (unspaced || ends_word(&entry.word, &text[len..]))
        {
            found.push(Keyword { kind: entry.kind, language: entry.language, len, unspaced });
        }
    }
    if found.iter().any(|keyword| keyword.unspaced) && OTHER_WORDS.iter().any(|word| text.starts_with(word)) {
        found.retain(|keyword| !keyword.unspaced);
    }
    found.sort_by_key(|keyword| keyword.language);
    found
}

/// Bytes of `text` that are `lower` without regard to case.
fn prefix_len(text: &str, lower: &str) -> Option<usize> {
    // Nearly all words are in plain letters.
    if lower.is_ascii()
        && let Some(start) = text.as_bytes().get(..lower.len()).filter(|start| start.is_ascii())
    {
        return start.eq_ignore_ascii_case(lower.as_bytes()).then_some(lower.len());
    }
    let mut wanted = lower.chars();
    for (at, c) in text.char_indices() {
        if wanted.as_str().is_empty() {
            return Some(at);
        }
        for folded in c.to_lowercase() {
            if wanted.next() != Some(folded) {
                return None;
            }
        }
    }
    wanted.as_str().is_empty().then_some(text.len())
}

/// Whether a word stops where the rest begins.
fn ends_word(word: &str, rest: &str) -> bool {
    // `_WHEN_ x` ends its emphasis, `WHEN_x` is a name.
    let rest = match rest.trim_start_matches('_') {
        after if after.starts_with(char::is_alphanumeric) => rest,
        after => after,
    };
    word.ends_with(['\'', '’'])
        || !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '\'' | '’'))
}

/// All words for "scenario" by their first character, in lower case, and whether they need no end.
static LABELS: LazyLock<HashMap<char, Vec<(String, bool)>>> = LazyLock::new(|| {
    let mut labels: HashMap<char, Vec<(String, bool)>> = HashMap::new();
    for language in LANGUAGES {
        for label in language.scenario {
            let label = label.to_lowercase();
            if let Some(first) = label.chars().next() {
                labels.entry(first).or_default().push((label, language.unspaced));
            }
        }
    }
    labels
});

/// What follows a word for "scenario" that a title begins with, in any of the languages.
pub fn after_label(title: &str) -> Option<&str> {
    let first = title.chars().next()?.to_lowercase().next()?;
    LABELS.get(&first)?.iter().find_map(|(label, unspaced)| {
        let rest = &title[prefix_len(title, label)?..];
        // "Scenario Outline: x" is one as well.
        let longer = [" outline", " template"].iter().find_map(|more| Some(&rest[prefix_len(rest, more)?..]));
        let rest = longer.unwrap_or(rest);
        (*unspaced || ends_word("", rest)).then_some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(StepKind, usize)> {
        keywords(text).iter().map(|keyword| (keyword.kind, keyword.len)).collect()
    }

    #[test]
    fn words_end() {
        assert_eq!(kinds("WHEN x"), [(StepKind::When, 4)]);
        assert_eq!(kinds("Given/When/Then"), []);
        assert_eq!(kinds("Whenever"), [(StepKind::If, 8)]);
        assert_eq!(kinds("thenable"), []);
        assert_eq!(kinds(""), []);
    }

    #[test]
    fn languages() {
        assert_eq!(kinds("当用户登录"), [(StepKind::When, 3)]);
        assert_eq!(kinds("当前用户"), []);
        assert_eq!(kinds("ENTÃO x"), [(StepKind::Then, 6)]);
        assert_eq!(kinds("Étant donné que"), [(StepKind::Given, 13)]);
        assert_eq!(kinds("lorsqu'il"), [(StepKind::When, 7)]);
        assert_eq!(kinds("Тогда"), [(StepKind::Then, 10)]);
        assert_eq!(keywords("Dan").len(), 2);
    }

    #[test]
    fn labels() {
        assert_eq!(after_label("Scenario Outline: x"), Some(": x"));
        assert_eq!(after_label("场景：登录"), Some("：登录"));
        assert_eq!(after_label("Scenarios"), None);
        assert_eq!(after_label("Cenário: y"), Some(": y"));
    }
}
