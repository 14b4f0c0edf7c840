//! A YAML document with the line of everything in it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;

use super::FileFault;
use crate::openspec::near::near;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    /// 0-based. For an alias that of the alias.
    pub line: usize,
    /// What it is.
    pub value: Value,
}

/// Kinds of value.
#[derive(Debug)]
pub(super) enum Value {
    /// Nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number. Larger ones than any file needs are [`Value::Float`].
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys and values, in the order of the file.
    Map(Vec<(Node, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spanned { value, referenced, .. } = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self { line: usize::try_from(referenced.line()).unwrap_or(1).saturating_sub(1), value })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = seq.next_element()? {
            list.push(node);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Map(entries))
    }
}

impl Node {
    /// A problem with this value.
    pub(super) fn fault(&self, message: impl Into<String>) -> FileFault {
        FileFault { line: self.line, message: message.into() }
    }

    /// The text under `key`, which is not empty.
    pub(super) fn text(&self, key: &str) -> Result<&str, FileFault> {
        match &self.value {
            Value::Text(text) if text.contains('\0') => Err(self.fault(format!("`{key}` holds a NUL character"))),
            Value::Text(text) if !text.trim().is_empty() => Ok(text),
            Value::Text(text) if !text.is_empty() => {
                Err(self.fault(format!("`{key}` is blank: there are only spaces in it; write what it has to be")))
            }
            Value::Text(_) | Value::Null => Err(self.fault(format!("`{key}` is empty; write what it has to be"))),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                Err(self.fault(format!("`{key}` is {}, and has to be text: put it in quotes", self.kind())))
            }
            Value::List(_) | Value::Map(_) => {
                Err(self.fault(format!("`{key}` is {}, and has to be text", self.kind())))
            }
        }
    }

    /// The texts under `key`: one, or a list of at least one.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<(usize, String)>, FileFault> {
        match &self.value {
            Value::List(list) if list.is_empty() => Err(self.fault(format!("the list of `{key}` is empty"))),
            Value::List(list) => list.iter().map(|node| Ok((node.line, node.text(key)?.to_owned()))).collect(),
            _ => Ok(vec![(self.line, self.text(key)?.to_owned())]),
        }
    }

    /// What it is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a group of keys",
        }
    }
}

/// The keys of a mapping.
#[derive(Debug)]
pub(super) struct Fields<'n> {
    /// 0-based line the mapping begins in.
    pub line: usize,
    entries: Vec<(&'n str, usize, &'n Node)>,
}

impl<'n> Fields<'n> {
    /// The keys of `what`, all of which are in `known`.
    pub(super) fn of(node: &'n Node, what: &str, known: &[&str]) -> Result<Self, FileFault> {
        let Value::Map(map) = &node.value else {
            let known = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            return Err(node.fault(format!("{what} is {}, and has to have keys: {known}", node.kind())));
        };
        let mut entries = Vec::with_capacity(map.len());
        for (key, value) in map {
            let Value::Text(name) = &key.value else {
                return Err(key.fault(format!("a key of {what} is {}, and has to be text", key.kind())));
            };
            if !known.contains(&name.as_str()) {
                return Err(key.fault(unknown(name, what, known)));
            }
            entries.push((name.as_str(), key.line, value));
        }
        Ok(Self { line: node.line, entries })
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(name, _, _)| *name == key).map(|(_, _, node)| *node)
    }

    /// 0-based line of a key, that of the mapping when it is not there.
    pub(super) fn line_of(&self, key: &str) -> usize {
        self.entries.iter().find(|(name, _, _)| *name == key).map_or(self.line, |(_, line, _)| *line)
    }

    /// The value of a key that must be there.
    pub(super) fn need(&self, key: &str, what: &str) -> Result<&'n Node, FileFault> {
        self.get(key).ok_or_else(|| self.fault(format!("{what} has no `{key}`")))
    }

    /// Those of these keys that are there, in the order of the file.
    pub(super) fn among(&self, keys: &[&str]) -> Vec<(&'n str, usize, &'n Node)> {
        self.entries.iter().filter(|(name, _, _)| keys.contains(name)).copied().collect()
    }

    /// A problem with the mapping as a whole.
    pub(super) fn fault(&self, message: impl Into<String>) -> FileFault {
        FileFault { line: self.line, message: message.into() }
    }
}

fn unknown(name: &str, what: &str, known: &[&str]) -> String {
    if name == "<<" {
        return format!("{what} has `<<`: keys are not merged here; an alias may stand for a whole value");
    }
    let folded = name.to_lowercase().replace('_', "-");
    let near = known.iter().find(|key| **key == folded).copied();
    match near.or_else(|| near_key(name, known)) {
        Some(near) => format!("{what} has no key `{name}`; is `{near}` meant?"),
        None => {
            let known = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            format!("{what} has no key `{name}`, only {known}")
        }
    }
}

fn near_key<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    near(name, known.iter().copied()).map(|near| near.name)
}
