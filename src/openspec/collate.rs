//! The order of JavaScript's `localeCompare`, which the reference sorts items by.

use std::sync::LazyLock;

use icu_collator::CollatorBorrowed;
use icu_collator::options::{CollatorOptions, Strength};

static COLLATOR: LazyLock<Option<CollatorBorrowed<'static>>> =
    LazyLock::new(|| icu_collator::Collator::try_new(Default::default(), CollatorOptions::default()).ok());

/// A key whose byte order is the root collation's order (CLDR). Equal keys mean strings ICU calls equal.
pub fn key(text: &str) -> Vec<u8> {
    let mut key = Vec::new();
    if let Some(collator) = &*COLLATOR
        && collator.write_sort_key_to(text, &mut key).is_ok()
    {
        return key;
    }
    text.as_bytes().to_vec()
}

static FOLDING: LazyLock<Option<CollatorBorrowed<'static>>> = LazyLock::new(|| {
    let mut options = CollatorOptions::default();
    options.strength = Some(Strength::Secondary);
    icu_collator::Collator::try_new(Default::default(), options).ok()
});

/// A key that is equal for texts that differ in case or Unicode form only.
pub fn fold_key(text: &str) -> Vec<u8> {
    let mut key = Vec::new();
    if let Some(collator) = &*FOLDING
        && collator.write_sort_key_to(text, &mut key).is_ok()
    {
        return key;
    }
    text.to_lowercase().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_before_digits_before_letters_and_case_last() {
        let mut names = ["b", "B", "a-b", "ab", "a_b", "a/b", "a1", "é", "e", "z"];
        names.sort_by_cached_key(|name| key(name));
        assert_eq!(names, ["a_b", "a-b", "a/b", "a1", "ab", "b", "B", "e", "é", "z"]);
    }
}
