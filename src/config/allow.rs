//! `allow` in `specward.yaml`: findings that are let through, with a reason and until a day.

use globset::GlobSet;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer};

use super::globs;
use crate::openspec::allow::has_words;

/// An entry of `allow`. What is missing or makes no sense is reported as a finding at its line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Allow {
    /// Id of the rule.
    #[schemars(required)]
    pub rule: Option<String>,
    /// Glob of the files the findings stand in, from the top of the repository. A folder's name stands for all it
    /// holds.
    pub path: Option<String>,
    /// The spec or change the findings are about, by id or as `spec/<id>` or `change/<id>`.
    pub item: Option<String>,
    /// Why.
    #[schemars(required)]
    pub reason: Option<String>,
    /// The last day on which it counts, `YYYY-MM-DD`.
    #[schemars(required)]
    pub expires: Option<String>,
    /// 1-based line in the file.
    #[serde(skip)]
    pub line: usize,
}

/// An entry that can be followed.
#[derive(Debug)]
pub struct Allowed {
    /// Id of the rule. Whether it exists is not known here.
    pub rule: String,
    /// Files it is for; all when there is none.
    pub paths: Option<GlobSet>,
    /// Item it is for; all when there is none.
    pub item: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts.
    pub expires: Date,
}

impl Allow {
    /// What the entry says.
    ///
    /// # Errors
    /// What is missing or makes no sense.
    pub fn read(&self) -> Result<Allowed, String> {
        let words =
            |value: &Option<String>| value.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let rule = words(&self.rule).ok_or("this entry names no rule")?;
        let reason = words(&self.reason).filter(|reason| has_words(reason)).ok_or("this entry gives no reason")?;
        let expires = words(&self.expires).ok_or("this entry has no `expires`, the last day on which it counts")?;
        let expires = day(&expires).ok_or_else(|| format!("`{expires}` is no day as YYYY-MM-DD"))?;
        if self.item.is_some() && words(&self.item).is_none() {
            return Err("`item` is empty".to_owned());
        }
        let paths = match &self.path {
            Some(path) => Some(globs::set("path", std::slice::from_ref(path))?),
            None => None,
        };
        Ok(Allowed { rule, paths, item: words(&self.item), reason, expires })
    }
}

/// `YYYY-MM-DD`, and nothing else that may stand for a day.
fn day(text: &str) -> Option<Date> {
    let is_plain = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if is_plain { text.parse().ok() } else { None }
}

/// Reads the list with the line each entry begins on.
pub(super) fn with_lines<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Allow>, D::Error> {
    let list: Option<Vec<serde_yaml::Spanned<Allow>>> = Deserialize::deserialize(deserializer)?;
    let entry = |entry: serde_yaml::Spanned<Allow>| {
        let line = usize::try_from(entry.referenced.line()).unwrap_or(1).max(1);
        Allow { line, ..entry.value }
    };
    Ok(list.unwrap_or_default().into_iter().map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        assert_eq!(day("2026-02-28"), Some(jiff::civil::date(2026, 2, 28)));
        for text in ["2026-02-30", "2026-2-3", "20260228", "2026-02-28T00:00", "never", ""] {
            assert_eq!(day(text), None, "{text}");
        }
    }
}
