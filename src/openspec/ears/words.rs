//! Lists of words the parser tells sentences apart by. In small letters.

/// Words that begin a noun phrase and can begin no clause.
pub(super) const DETERMINERS: &[&str] = &[
    "a", "all", "an", "any", "both", "each", "every", "its", "no", "some", "such", "the", "their", "these", "this",
    "those",
];

/// What an object may begin with behind a word that could be a verb or a noun.
pub(super) const OBJECT_STARTS: &[&str] = &[
    "a", "all", "an", "any", "both", "each", "every", "its", "no", "nothing", "only", "that", "the", "their", "them",
    "it", "these", "this", "those",
];

/// Pronouns that name no system.
pub(super) const PRONOUNS: &[&str] = &["he", "it", "one", "she", "that", "these", "they", "this", "those", "we", "you"];

/// Words that begin a subordinate clause about the word before.
pub(super) const RELATIVES: &[&str] = &["that", "which", "who", "whom", "whose"];

/// Words behind which verbs may belong to somebody else.
pub(super) const SUBORDINATORS: &[&str] = &[
    "after", "as", "because", "before", "how", "if", "once", "since", "so", "such", "than", "that", "they", "unless",
    "until", "we", "what", "when", "whenever", "where", "whether", "which", "while", "who", "whose", "why", "you",
];

/// Auxiliary verbs. A verb behind "and" may go with them.
pub(super) const AUXILIARIES: &[&str] =
    &["can", "cannot", "could", "did", "do", "does", "doesn't", "don't", "may", "might", "should", "will", "would"];

/// Verbs behind which another verb belongs to their object.
pub(super) const CAUSATIVES: &[&str] = &["have", "help", "let", "make", "see", "watch"];

/// Verbs that let or make somebody do something: "allow users to confirm or cancel".
pub(super) const ENABLING: &[&str] = &[
    "allow",
    "ask",
    "cause",
    "configure",
    "direct",
    "enable",
    "encourage",
    "expect",
    "force",
    "help",
    "instruct",
    "invite",
    "offer",
    "permit",
    "prompt",
    "provide",
    "request",
    "require",
    "support",
    "tell",
    "use",
];

/// First words of a sentence that begin no noun phrase.
pub(super) const LEADS: &[&str] = &[
    "across",
    "additionally",
    "after",
    "along",
    "also",
    "although",
    "among",
    "as",
    "at",
    "based",
    "because",
    "before",
    "beyond",
    "but",
    "by",
    "depending",
    "despite",
    "due",
    "during",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "furthermore",
    "given",
    "however",
    "in",
    "inside",
    "instead",
    "like",
    "likewise",
    "moreover",
    "of",
    "on",
    "once",
    "otherwise",
    "outside",
    "over",
    "per",
    "prior",
    "regardless",
    "since",
    "so",
    "starting",
    "then",
    "therefore",
    "through",
    "throughout",
    "thus",
    "to",
    "under",
    "unless",
    "until",
    "upon",
    "using",
    "via",
    "whenever",
    "whether",
    "with",
    "within",
    "without",
];

/// Prepositions. What follows one is no system of its own.
pub(super) const PREPOSITIONS: &[&str] = &[
    "about", "across", "after", "against", "among", "and", "as", "at", "before", "between", "by", "during", "for",
    "from", "in", "inside", "into", "of", "on", "onto", "or", "outside", "over", "per", "than", "through", "to",
    "under", "upon", "via", "with", "within", "without",
];

/// Finite verbs of state: where one stands, there is more than a name.
pub(super) const FINITE: &[&str] =
    &["are", "can", "cannot", "contains", "do", "does", "has", "have", "is", "may", "was", "were"];

/// Verbs and prepositions behind which "if", "when" and "where" open a question and no condition.
pub(super) const ASKING: &[&str] = &[
    "about",
    "and",
    "as",
    "ask",
    "asking",
    "check",
    "checking",
    "checks",
    "clarify",
    "control",
    "controls",
    "decide",
    "decides",
    "define",
    "defines",
    "describe",
    "describes",
    "detect",
    "detecting",
    "detects",
    "determine",
    "determines",
    "determining",
    "document",
    "documents",
    "even",
    "explain",
    "explaining",
    "explains",
    "for",
    "from",
    "identify",
    "indicate",
    "indicates",
    "indicating",
    "know",
    "knows",
    "note",
    "of",
    "on",
    "or",
    "record",
    "remember",
    "report",
    "see",
    "show",
    "showing",
    "shows",
    "specify",
    "specifies",
    "state",
    "states",
    "stating",
    "tell",
    "telling",
    "tells",
    "test",
    "to",
    "track",
    "understand",
    "validate",
    "verify",
    "verifying",
    "what",
];

/// Whether the list has the word, whatever its letters' case.
pub(super) fn has(list: &[&str], word: &str) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(word))
}
