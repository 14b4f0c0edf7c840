//! Which language prose is in: one whose word lists there are, or unknown.

use std::sync::LazyLock;

use crate::openspec::lexicon::{self, Lexicon};

/// The languages with word lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// Chinese, both scripts.
    Chinese,
    /// Portuguese.
    Portuguese,
    /// Spanish.
    Spanish,
    /// Japanese.
    Japanese,
    /// Any other, or not to be told: only rules about structure hold.
    Unknown,
}

/// Small words that a language is told by, for languages in Latin script. Those without lists are there to keep them from
/// being taken for one that has some: where two have as many, none is told. SHALL, MUST and NOT stand in specs of any
/// language and tell nothing.
const WORDS: &[(Option<Language>, &str)] = &[
    (
        Some(Language::English),
        "the of and to is are be with for when that from by it its this each if on which without only into has have been \
         then at an",
    ),
    (
        Some(Language::Portuguese),
        "o os de do dos da das ao aos à não uma um com para por é são em no na quando deve devem pelo pela ou se e que",
    ),
    (
        Some(Language::Spanish),
        "el la los de del las al una un con para por es son en cuando debe deben no y o se que lo su sin como",
    ),
    // French, German, Italian, Dutch, Polish, Swedish.
    (None, "le les de des du une est et dans pour avec qui sur doit ne pas aux en un la"),
    (None, "der die das und ist ein eine muss den dem mit nicht von wird bei oder zu auf im"),
    (None, "il la gli che è di del della con per deve non una un sono nel e"),
    (None, "het een van en niet moet met voor worden bij op zijn als dat of"),
    (None, "i w na z nie jest się do musi dla oraz że po gdy"),
    (None, "och att det som en är för med inte ska på av ett om"),
    // Indonesian, Turkish, Hungarian, Czech and Slovak, Vietnamese.
    (None, "yang dan di ke dari untuk dengan harus tidak pada ini itu saat"),
    (None, "ve bir bu için ile olmalıdır veya her değil olarak"),
    (None, "a az és nem kell hogy egy vagy ha meg"),
    (None, "a se sa na je v do že s pro pre musí nebo alebo není nie při pri"),
    (None, "và của là các được cho không phải khi hệ thống một trong với"),
    // Catalan, Galician, Romanian, Danish and Norwegian, Finnish, Croatian and Serbian.
    (None, "el els les la i amb per és del dels al una un si no que ha de aquest s'ha"),
    (None, "o os de do da ao aos unha un con para por é se á non que no na dun dunha"),
    (None, "și de la este să pe care nu cu din în un o dacă prin sunt sau"),
    (None, "og at det er en af av til ikke ikkje med skal på der ved hvis som den et"),
    (None, "ja on että ei se tai kun jos mukaan sekä ovat olla pitää"),
    (None, "i je se na u za da ne mora sa koji ili kada nije"),
];

/// Which languages of [`WORDS`] have a word, as bits. By the word's first byte, since every word of a text is looked up.
static LANGUAGES: LazyLock<Vec<Vec<(&str, u32)>>> = LazyLock::new(|| {
    let mut found: Vec<Vec<(&str, u32)>> = vec![Vec::new(); 256];
    for (at, (_, words)) in WORDS.iter().enumerate() {
        for word in words.split_whitespace() {
            let list = &mut found[usize::from(word.as_bytes()[0])];
            match list.iter_mut().find(|(known, _)| *known == word) {
                Some((_, languages)) => *languages |= 1 << at,
                None => list.push((word, 1 << at)),
            }
        }
    }
    found
});

/// The languages that have a word, as bits.
fn languages(word: &str) -> u32 {
    let first = word.as_bytes().first().copied().unwrap_or_default();
    let known = LANGUAGES[usize::from(first)].iter().find(|(known, _)| *known == word);
    known.map_or(0, |(_, languages)| *languages)
}

impl Language {
    /// Tells the language of a text from its script, and in Latin script from its small words. `said` is in small letters.
    pub(super) fn of(said: &str) -> Self {
        let (mut han, mut kana, mut latin, mut other) = (0_usize, 0_usize, 0_usize, 0_usize);
        for c in said.chars() {
            match c {
                'a'..='z' => latin += 1,
                _ if c.is_ascii() => {}
                '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => latin += 1,
                '\u{3040}'..='\u{30ff}' => kana += 1,
                '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{323af}' => han += 1,
                _ if c.is_alphabetic() => other += 1,
                _ => {}
            }
        }
        // A Chinese character says as much as several letters.
        let wide = (han + kana) * 3;
        if other * 2 > latin.max(wide) {
            return Self::Unknown;
        }
        if wide > latin {
            return if kana * 8 > han { Self::Japanese } else { Self::Chinese };
        }
        // Some words of another script among those in Latin letters leave no language to judge by.
        if wide * 5 > latin {
            return Self::Unknown;
        }
        Self::of_latin(said)
    }

    fn of_latin(said: &str) -> Self {
        let mut votes = [0_usize; WORDS.len()];
        let mut total = 0_usize;
        for word in said.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            total += 1;
            let mut languages = languages(word);
            while languages != 0 {
                votes[languages.trailing_zeros() as usize] += 1;
                languages &= languages - 1;
            }
        }
        let best = votes.iter().copied().max().unwrap_or_default();
        let mut winners = (0..WORDS.len()).filter(|at| votes[*at] == best);
        // Short texts have few such words, long ones many.
        match (winners.next(), winners.next()) {
            (Some(one), None) if best >= 2 && best * 12 >= total => WORDS[one].0.unwrap_or(Self::Unknown),
            _ => Self::Unknown,
        }
    }

    /// Its word lists.
    pub fn lexicon(self) -> Option<&'static Lexicon> {
        lexicon::of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages() {
        for (text, expected) in [
            ("the system shall record every call with its duration.", Language::English),
            ("系统 shall 记录每次调用的时间。", Language::Chinese),
            ("システムは呼び出しを記録しなければならない。", Language::Japanese),
            ("o sistema deve registrar cada chamada com a sua duração.", Language::Portuguese),
            ("el sistema debe registrar cada llamada con su duración.", Language::Spanish),
            ("das system muss jeden aufruf mit der dauer speichern.", Language::Unknown),
            ("le système doit enregistrer les appels avec leur durée.", Language::Unknown),
            ("система должна записывать каждый вызов.", Language::Unknown),
            ("시스템은 모든 호출을 기록해야 한다.", Language::Unknown),
            ("il sistema deve registrare ogni chiamata con la durata di essa.", Language::Unknown),
            ("el sistema debe responder rápidamente a la petición de los usuarios.", Language::Spanish),
            ("o sistema deve responder ao pedido de uma pessoa.", Language::Portuguese),
            ("el sistema shall respondre ràpidament i de forma flexible, si és possible.", Language::Unknown),
            ("sistemul shall să răspundă rapid și eficient, dacă este posibil.", Language::Unknown),
            ("systemet shall svare hurtigt, hvis det er muligt, og ikke vente.", Language::Unknown),
            ("system shall szybko odpowiadać i nie blokować się na dysku.", Language::Unknown),
            ("het systeem shall snel antwoorden als dat van een server komt.", Language::Unknown),
            ("system shall not schnell antworten.", Language::Unknown),
            ("the 系统 shall 记录 of 每次 the 调用 to the end of it", Language::Unknown),
            ("foo bar", Language::Unknown),
            ("", Language::Unknown),
        ] {
            assert_eq!(Language::of(text), expected, "{text}");
        }
    }
}
