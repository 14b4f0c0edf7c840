//! Ids of criteria: those a file gives, and those made of names.

use std::collections::HashMap;

use icu_normalizer::ComposingNormalizerBorrowed;
use sha2::{Digest as _, Sha256};

/// Characters of an id that a file gives.
const MAX_ID: usize = 200;

/// Characters of a slug. A longer one is cut, and ends in a hash of the whole name.
const MAX_SLUG: usize = 80;

/// Whether an id can be one.
///
/// # Errors
/// Why not.
pub(super) fn check(id: &str) -> Result<(), String> {
    let is_first = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_inner = |c: char| is_first(c) || matches!(c, '.' | '_' | '/' | '-');
    if id.len() > MAX_ID {
        return Err(format!("an id has at most {MAX_ID} characters, and this one has {}", id.chars().count()));
    }
    if !id.starts_with(is_first) || !id.chars().all(is_inner) {
        return Err(format!(
            "`{id}` is no id: it begins with a small letter or digit and has only those and `.`, `_`, `/`, `-`"
        ));
    }
    Ok(())
}

/// Ids for requirements and scenarios of a capability, in their order. Where two pairs of names give one id, both get a
/// hash of their names.
pub(super) fn of_names<'n>(capability: &str, names: impl Iterator<Item = (&'n str, &'n str)> + Clone) -> Vec<String> {
    let capability: String = capability.chars().map(|c| if is_plain(c) || c == '/' { c } else { '-' }).collect();
    let plain: Vec<String> = names
        .clone()
        .map(|(requirement, scenario)| format!("{capability}/{}/{}", slug(requirement), slug(scenario)))
        .collect();
    let mut first: HashMap<&str, (&str, &str)> = HashMap::with_capacity(plain.len());
    let mut is_shared: HashMap<&str, bool> = HashMap::new();
    for (id, names) in plain.iter().zip(names.clone()) {
        if *first.entry(id).or_insert(names) != names {
            is_shared.insert(id, true);
        }
    }
    let with_hash = |(id, (requirement, scenario)): (&String, (&str, &str))| match is_shared.contains_key(id.as_str()) {
        true => format!("{id}-{}", hash(&format!("{requirement}\0{scenario}"))),
        false => id.clone(),
    };
    plain.iter().zip(names).map(with_hash).collect()
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// A name in small letters, with one hyphen for whatever is neither letter nor digit.
fn slug(name: &str) -> String {
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(name).to_lowercase();
    let words = composed.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-");
    let slug = ComposingNormalizerBorrowed::new_nfc().normalize(&slug).into_owned();
    if slug.is_empty() {
        return hash(name);
    }
    match slug.char_indices().nth(MAX_SLUG) {
        Some((end, _)) => format!("{}-{}", slug[..end].trim_end_matches('-'), hash(name)),
        None => slug,
    }
}

/// Eight hexadecimal digits that depend on the whole name.
fn hash(name: &str) -> String {
    Sha256::digest(name.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        for (name, expected) in [
            ("CLI command execution contract", "cli-command-execution-contract"),
            ("  `--json`: on -- off!", "json-on-off"),
            ("Über Größe", "über-größe"),
            ("U\u{308}ber", "über"),
            ("日本語 の要件", "日本語-の要件"),
        ] {
            assert_eq!(slug(name), expected);
        }
        assert_eq!(slug("!!").len(), 8);
        assert_ne!(slug("!!"), slug("??"));
        let long = |end: &str| slug(&format!("{}{end}", "word ".repeat(40)));
        assert!(long("a").chars().count() <= MAX_SLUG + 9);
        assert_ne!(long("a"), long("b"));
    }

    #[test]
    fn names_that_give_one_slug_are_told_apart_whatever_their_order() {
        let ids = |names: &[(&'static str, &'static str)]| of_names("auth", names.iter().copied());
        let one = ids(&[("R", "A b"), ("R", "a-b"), ("R", "c")]);
        let mut other = ids(&[("R", "c"), ("R", "a-b"), ("R", "A b")]);
        other.reverse();
        assert_eq!(one, other);
        assert_ne!(one[0], one[1]);
        assert!(one[0].starts_with("auth/r/a-b-"), "{one:?}");
        assert_eq!(one[2], "auth/r/c");
        // The same scenario twice is one id twice, which a rule reports.
        assert_eq!(ids(&[("R", "A"), ("R", "A")]), ["auth/r/a", "auth/r/a"]);
    }

    #[test]
    fn ids_that_are_given() {
        for id in ["cli-timeout", "a", "0", "auth/sign.in_2"] {
            assert_eq!(check(id), Ok(()));
        }
        let long = "a".repeat(MAX_ID + 1);
        for id in ["", "-a", "Auth", "a b", "a\n", "ä", "/a", long.as_str()] {
            assert!(check(id).is_err(), "{id}");
        }
    }
}
