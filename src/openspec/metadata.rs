//! `.openspec.yaml` of a change and `config.yaml` of a project.

use serde_json::{Map, Value};

use super::yaml;

/// The file's name inside a change.
pub const METADATA_FILE: &str = ".openspec.yaml";

/// A change's metadata, as far as it decides anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Workflow schema.
    pub schema: String,
    /// 1-based line of `schema`.
    pub schema_line: usize,
    /// The change declares that it touches no spec.
    pub skip_specs: bool,
    /// The change may remove a capability's last requirement.
    pub retire_capabilities: bool,
}

/// What a change's metadata file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetadataState {
    /// There is none.
    Absent,
    /// It is there but cannot be read.
    Unreadable(String),
    /// It is not YAML; the text, and where it breaks.
    NotYaml {
        /// The file's text.
        text: String,
        /// The parser's complaint.
        error: yaml::YamlError,
    },
    /// It is YAML but not valid metadata.
    Invalid {
        /// The parsed document.
        value: Value,
        /// Key and complaint.
        reason: String,
        /// 1-based line of the key complained about.
        line: usize,
    },
    /// It is valid.
    Valid(Metadata),
}

impl MetadataState {
    /// Reads the file's bytes.
    pub fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let value = match yaml::parse(&text) {
            Ok(value) => value,
            Err(error) => return Self::NotYaml { text: text.into_owned(), error },
        };
        match check(&value) {
            Ok(metadata) => {
                let schema_line = yaml::line_of_key(&text, "schema").unwrap_or(1);
                Self::Valid(Metadata { schema_line, ..metadata })
            }
            Err((key, complaint)) => {
                let top = key.split(['.', '[']).next().unwrap_or_default();
                let line = yaml::line_of_key(&text, top).filter(|_| !top.is_empty()).unwrap_or(1);
                let reason = if key.is_empty() { complaint } else { format!("`{key}` {complaint}") };
                Self::Invalid { value, reason, line }
            }
        }
    }

    /// 1-based line and reason when the file is there and no mapping at all, so that it says nothing.
    pub fn complaint(&self) -> Option<(usize, String)> {
        match self {
            Self::NotYaml { error, .. } => Some((error.line, format!("this is not YAML: {error}"))),
            Self::Invalid { value, .. } => no_mapping(value),
            Self::Absent | Self::Unreadable(_) | Self::Valid(_) => None,
        }
    }

    /// The metadata when it is valid.
    pub fn valid(&self) -> Option<&Metadata> {
        match self {
            Self::Valid(metadata) => Some(metadata),
            _ => None,
        }
    }
}

type Complaint = (String, String);

fn check(value: &Value) -> Result<Metadata, Complaint> {
    let complain = |key: &str, complaint: &str| (key.to_owned(), complaint.to_owned());
    let Value::Object(map) = value else { return Err(complain("", "the file must be a mapping with a `schema`")) };
    let schema = match map.get("schema") {
        Some(Value::String(schema)) if !schema.is_empty() => schema.clone(),
        Some(Value::String(_)) => return Err(complain("schema", "is empty")),
        Some(_) => return Err(complain("schema", "must be a string")),
        None => return Err(complain("schema", "is missing")),
    };
    match map.get("created") {
        None => {}
        Some(Value::String(date)) if is_date(date) => {}
        Some(_) => return Err(complain("created", "must be a date as YYYY-MM-DD")),
    }
    if !map.get("goal").is_none_or(is_filled_string) {
        return Err(complain("goal", "must be a string that is not empty"));
    }
    match map.get("affected_areas") {
        None => {}
        Some(Value::Array(areas)) if areas.iter().all(is_filled_string) => {}
        Some(_) => return Err(complain("affected_areas", "must be a list of strings that are not empty")),
    }
    if !map.get("initiative").is_none_or(is_initiative) {
        return Err(complain("initiative", "must have exactly `store` and `id`, both in kebab case"));
    }
    let flag = |key: &str| match map.get(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => Err(complain(key, "must be true or false")),
    };
    Ok(Metadata {
        schema_line: 1,
        skip_specs: flag("skip_specs")?,
        retire_capabilities: flag("retire_capabilities")?,
        schema,
    })
}

fn is_filled_string(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

fn is_date(text: &str) -> bool {
    let shape: Vec<usize> = text.split('-').map(str::len).collect();
    shape == [4, 2, 2] && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn is_initiative(value: &Value) -> bool {
    let is_kebab = |value: &Value| value.as_str().is_some_and(is_kebab_case);
    matches!(value, Value::Object(map) if map.len() == 2
        && map.get("store").is_some_and(is_kebab)
        && map.get("id").is_some_and(is_kebab))
}

/// Lower-case letters and digits in parts joined by single hyphens.
pub fn is_kebab_case(text: &str) -> bool {
    text.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// An empty file says nothing and means to.
fn no_mapping(value: &Value) -> Option<(usize, String)> {
    let is_mapping = matches!(value, Value::Object(_) | Value::Null);
    (!is_mapping).then(|| (1, "this is no mapping of keys to values".to_owned()))
}

/// 1-based line and reason when a project's `config.yaml` is no mapping at all, so that it says nothing.
pub fn config_complaint(bytes: &[u8]) -> Option<(usize, String)> {
    match yaml::parse(&String::from_utf8_lossy(bytes)) {
        Ok(value) => no_mapping(&value),
        Err(error) => Some((error.line, format!("this is not YAML: {error}"))),
    }
}

/// The schema a project's `config.yaml` names; none when the file does not say or cannot be understood.
pub fn configured_schema(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    // To the reference a carriage return that ends the file is part of the last value, and no schema is called so.
    let (text, tail) = match text.strip_suffix('\r') {
        Some(text) if text.lines().last().is_some_and(|line| line.starts_with("schema:")) => (text, "\r"),
        _ => (text.as_ref(), ""),
    };
    let value = yaml::parse(text).ok()?;
    let map: &Map<String, Value> = value.as_object()?;
    map.get("schema")?.as_str().filter(|schema| !schema.is_empty()).map(|schema| format!("{schema}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_and_not() {
        let state = MetadataState::parse(b"schema: spec-driven\ncreated: 2026-01-02\nskip_specs: true\nother: 1\n");
        assert!(state.valid().is_some_and(|metadata| metadata.skip_specs));
        let state = MetadataState::parse(b"schema: s\ncreated: yesterday\n");
        assert!(matches!(state, MetadataState::Invalid { line: 2, .. }));
        assert!(matches!(MetadataState::parse(b""), MetadataState::Invalid { .. }));
        assert!(matches!(MetadataState::parse(b"a: [\n"), MetadataState::NotYaml { .. }));
        assert!(matches!(
            MetadataState::parse(b"schema: s\nskip_specs: yes\n"),
            MetadataState::Invalid { line: 2, .. }
        ));
    }
}
