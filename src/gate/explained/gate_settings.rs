//! JSON files that call the gate or decide whether hooks run, compared by what they say.

use std::collections::HashSet;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::gate_files::mentions;

/// Settings that decide whether an agent's hooks run at all.
const SWITCHES: &[&str] = &["disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls"];

/// Variables by which settings would have other hooks run, or none.
const STEERING: &[&str] = &["PATH", "COPILOT_CLI", "CURSOR_VERSION", "CLAUDE_PROJECT_DIR", "BASH_ENV", "ENV"];

fn is_steering(name: &str) -> bool {
    STEERING.contains(&name) || name.starts_with("SPECWARD_") || name.starts_with("GIT_") || name.starts_with("LD_")
}

/// Entries of `package.json` that decide what a script's name runs, or that run by themselves.
const RUNNERS: &[&str] = &["husky", "lint-staged", "simple-git-hooks", "pre-commit", "gitHooks"];

/// The line where settings begin to switch hooks off.
pub(super) fn switched_off(old: &str, new: &str) -> Option<usize> {
    let is_off = |text: &str| match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(settings)) => {
            let steers = |env: &Value| env.as_object().is_some_and(|env| env.keys().any(|name| is_steering(name)));
            settings.get("env").is_some_and(steers)
                || SWITCHES.iter().any(|switch| {
                    settings.get(*switch).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
                })
        }
        _ => SWITCHES.iter().any(|switch| text.contains(switch)),
    };
    let at = || {
        let names = SWITCHES.iter().chain(STEERING);
        new.lines().position(|line| names.clone().any(|name| line.contains(&format!("\"{name}\"")))).unwrap_or_default()
    };
    (is_off(new) && !is_off(old)).then(at)
}

/// Whether the entries of a JSON file that call the gate, and those that decide about them, are the same. Any other
/// script may come and go.
pub(super) fn is_same_gate(old: &str, new: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Plain>(text).ok();
    let (Some(old), Some(new)) = (read(old), read(new)) else { return false };
    let deciding = |value: &Plain| {
        let mut found = Vec::new();
        value.collect("", false, &mut found);
        found
    };
    deciding(&old) == deciding(&new)
}

/// JSON without entries that are there twice: which one counts is up to the reader.
enum Plain {
    Object(Vec<(String, Plain)>),
    Array(Vec<Plain>),
    Other(Value),
}

impl Plain {
    /// What mentions the gate or decides about hooks, with the way to it.
    fn collect(&self, way: &str, is_deciding: bool, found: &mut Vec<String>) {
        match self {
            Self::Object(entries) => {
                // How our entries are put together with others in a list or group of hooks.
                for (key, value) in entries {
                    let is_deciding = is_deciding
                        || way.is_empty() && RUNNERS.contains(&key.as_str())
                        || SWITCHES.contains(&key.as_str())
                        || key == "hooks"
                        || way == "/env" && is_steering(key)
                        || mentions(key)
                        // `pregate` runs before `gate`.
                        || way == "/scripts" && entries.iter().any(|(name, value)| {
                            value.mentions() && [format!("pre{name}"), format!("post{name}")].contains(key)
                        });
                    value.collect(&format!("{way}/{key}"), is_deciding, found);
                }
            }
            Self::Array(values) if is_deciding || values.iter().any(Self::mentions) => {
                for (at, value) in values.iter().enumerate() {
                    value.collect(&format!("{way}/{at}"), true, found);
                }
            }
            Self::Array(values) => values.iter().for_each(|value| value.collect(way, false, found)),
            Self::Other(value) => {
                if is_deciding || mentions(&value.to_string()) {
                    found.push(format!("{way}={value}"));
                }
            }
        }
        if way.is_empty() {
            found.sort();
        }
    }

    fn mentions(&self) -> bool {
        match self {
            Self::Object(entries) => entries.iter().any(|(key, value)| mentions(key) || value.mentions()),
            Self::Array(values) => values.iter().any(Self::mentions),
            Self::Other(value) => mentions(&value.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Plain;

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Plain, A::Error> {
        let mut entries: Vec<(String, Plain)> = Vec::new();
        let mut seen = HashSet::new();
        while let Some((key, value)) = map.next_entry::<String, Plain>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom("an entry is there twice"));
            }
            entries.push((key, value));
        }
        Ok(Plain::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Plain, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Plain::Array(values))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Plain, E> {
        Ok(Plain::Other(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Plain, E> {
        Ok(Plain::Other(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Plain, E> {
        Ok(Plain::Other(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Plain, E> {
        Ok(Plain::Other(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Plain, E> {
        Ok(Plain::Other(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Plain, E> {
        Ok(Plain::Other(Value::Null))
    }
}
