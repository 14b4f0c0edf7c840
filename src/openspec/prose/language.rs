//! Which language prose is in: one whose word lists there are, or unknown.

use std::sync::LazyLock;

use crate::openspec::ears;
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

/// Those of [`WORDS`] that write an `á` or `ñ`: English texts do in names, Portuguese, Spanish, Hungarian, Czech,
/// Vietnamese and Galician.
const ACUTE: [usize; 7] = [0, 1, 2, 11, 12, 13, 15];

/// English words that are small words of other languages too, so they are no sign of those.
const SHARED: &[&str] = &[
    "a", "an", "as", "at", "com", "con", "de", "del", "den", "der", "di", "do", "du", "e", "en", "est", "for", "ha",
    "hogy", "i", "in", "is", "la", "les", "me", "na", "ne", "no", "of", "on", "os", "para", "per", "pre", "pro", "se",
    "sin", "son", "sur", "un", "van", "w", "y", "z",
];

/// How many letters there are for each one beyond A to Z in English.
const LETTERS_PER_ACCENT: usize = 8;

/// What a text shows of its language. That of a whole is the sum of its parts.
#[derive(Debug, Clone, Default)]
pub(super) struct Signs {
    han: usize,
    kana: usize,
    latin: usize,
    /// Those of Latin script beyond A to Z.
    accented: usize,
    /// Whether it has an `á` or `ñ`.
    has_acute: bool,
    other: usize,
    words: usize,
    votes: [usize; WORDS.len()],
    /// Small words that English does not have.
    foreign: usize,
    is_demand: bool,
}

/// What [`Signs`] tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// The language. Unknown is one without word lists.
    Sure(Language),
    /// Not English, and not to be told which.
    Foreign,
    /// Nothing.
    Nothing,
}

/// What a word is behind "shall" or "must".
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Nothing,
    Modal,
}

impl Signs {
    /// Of a text in small letters.
    pub(super) fn of(said: &str) -> Self {
        let mut signs = Self::default();
        let (mut has_article, mut behind) = (false, Behind::Nothing);
        for word in said.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            signs.words += 1;
            signs.count_letters(word);
            let mut languages = languages(word);
            if languages & ENGLISH == 0 && languages != 0 && !SHARED.contains(&word) {
                signs.foreign += 1;
            }
            while languages != 0 {
                signs.votes[languages.trailing_zeros() as usize] += 1;
                languages &= languages - 1;
            }
            has_article |= word == "the";
            if behind == Behind::Modal && word != "not" {
                // `Die Datei SHALL be closed` has its English from the keyword.
                signs.is_demand |= signs.foreign == 0 && signs.wide() == 0 && is_english_verb(word);
                behind = Behind::Nothing;
            }
            if matches!(word, "shall" | "must") {
                signs.is_demand |= has_article;
                behind = Behind::Modal;
            }
        }
        signs
    }

    fn count_letters(&mut self, word: &str) {
        if word.is_ascii() {
            self.latin += word.len();
            return;
        }
        self.has_acute |= word.contains(['á', 'ñ']);
        for c in word.chars() {
            match c {
                'a'..='z' => self.latin += 1,
                _ if c.is_ascii() => {}
                '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                    (self.latin, self.accented) = (self.latin + 1, self.accented + 1)
                }
                '\u{3040}'..='\u{30ff}' => self.kana += 1,
                '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{323af}' => self.han += 1,
                _ => self.other += 1,
            }
        }
    }

    /// Takes in those of a further part. Whether it demands is told of each part alone.
    pub(super) fn add(&mut self, part: &Self) {
        self.han += part.han;
        self.kana += part.kana;
        self.latin += part.latin;
        self.accented += part.accented;
        self.has_acute |= part.has_acute;
        self.other += part.other;
        self.words += part.words;
        self.foreign += part.foreign;
        for (sum, votes) in self.votes.iter_mut().zip(part.votes) {
            *sum += votes;
        }
    }

    /// A Chinese character says as much as several letters.
    fn wide(&self) -> usize {
        (self.han + self.kana) * 3
    }

    /// How much is said, in letters.
    pub(super) fn letters(&self) -> usize {
        self.latin + self.other + self.wide()
    }

    /// Whether all letters are from A to Z, and there are some.
    pub(super) fn is_plain(&self) -> bool {
        self.latin > 0 && self.letters() == self.latin && self.accented == 0
    }

    /// Tells the language of a text from its script, and in Latin script from its small words.
    pub(super) fn told(&self) -> Told {
        let wide = self.wide();
        if self.other * 2 > self.latin.max(wide) {
            return Told::Sure(Language::Unknown);
        }
        if wide > self.latin {
            let is_japanese = self.kana * 8 > self.han;
            return Told::Sure(if is_japanese { Language::Japanese } else { Language::Chinese });
        }
        // Some words of another script among those in Latin letters leave no language to judge by.
        if wide * 5 > self.latin {
            return Told::Foreign;
        }
        let votes = |at: usize| if self.has_acute && !ACUTE.contains(&at) { 0 } else { self.votes[at] };
        let best = (0..WORDS.len()).map(votes).max().unwrap_or_default();
        let mut winners = (0..WORDS.len()).filter(|at| votes(*at) == best);
        let few = if self.has_acute { 1 } else { 2 };
        // Short texts have few such words, long ones many.
        match (winners.next(), winners.next()) {
            (Some(one), None) if best >= few && best * 12 >= self.words => {
                Told::Sure(WORDS[one].0.unwrap_or(Language::Unknown))
            }
            _ if self.foreign > self.votes[0] => Told::Foreign,
            _ => Told::Nothing,
        }
    }

    /// Whether it demands something in English: `the … shall`, `must return`, `shall quickly`, whatever small words of other
    /// languages stand beside it.
    pub(super) fn is_english_demand(&self) -> bool {
        self.is_demand && self.wide() + self.other <= self.latin && self.accented * LETTERS_PER_ACCENT <= self.latin
    }

    /// The language of a sentence among others in a language.
    pub(super) fn language_among(&self, others: Language) -> Language {
        if self.is_english_demand() {
            return Language::English;
        }
        match self.told() {
            Told::Sure(language @ (Language::English | Language::Chinese | Language::Japanese)) => language,
            // A few such words are in English sentences too.
            Told::Sure(language) if others == Language::English && self.is_foreign() => language,
            Told::Foreign if others == Language::English && self.is_foreign() => Language::Unknown,
            _ => others,
        }
    }

    fn is_foreign(&self) -> bool {
        self.foreign >= 2 && self.foreign > self.votes[0] || self.other > 0 || self.wide() > 0
    }
}

/// The bit of English, the first of [`WORDS`].
const ENGLISH: u32 = 1;

/// Whether a word behind "shall" makes an English demand: a verb, or a word that says how.
fn is_english_verb(word: &str) -> bool {
    word == "be" || word.len() > 4 && word.ends_with("ly") || ears::is_verb(word)
}

impl Language {
    /// The language of a requirement, by what its own words tell and then by those of its file. Where neither tells, plain
    /// letters without a sign of another language are English.
    pub(super) fn of_part(own: &Signs, file: &Signs) -> Self {
        let whole = Self::of_whole(file);
        match own.told() {
            Told::Sure(language) => language,
            Told::Foreign if whole == Self::English => Self::Unknown,
            Told::Foreign => whole,
            Told::Nothing
                if own.letters() == 0 || own.is_plain() != matches!(whole, Self::Chinese | Self::Japanese) =>
            {
                whole
            }
            Told::Nothing => Self::Unknown,
        }
    }

    /// The language of a file.
    pub(super) fn of_whole(signs: &Signs) -> Self {
        match signs.told() {
            Told::Sure(language) => language,
            Told::Nothing if signs.is_plain() => Self::English,
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
            let told = match Signs::of(text).told() {
                Told::Sure(language) => language,
                Told::Foreign | Told::Nothing => Language::Unknown,
            };
            assert_eq!(told, expected, "{text}");
        }
    }
}
