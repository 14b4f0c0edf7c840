//! Documents of the user and the machine, read with bounds and never trusted.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;
use toml_edit::{Document, Item, TableLike};

use crate::agents::json;
use crate::openspec::yaml;

/// Claude Code keeps much more in its state file than what is asked of it.
const MAX_BYTES: u64 = 64 << 20;

/// A text; none when nothing is there.
///
/// # Errors
/// When it cannot be read.
pub fn text(path: &Path) -> Result<Option<String>, String> {
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    match fs::metadata(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
        // Reading a pipe would wait for whoever writes to it.
        Ok(metadata) if !metadata.is_file() => return Err("is no regular file".to_owned()),
        Ok(metadata) if metadata.len() > MAX_BYTES => return Err("is larger than 64 MiB".to_owned()),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes)).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())?;
    Ok(Some(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned)))
}

/// A document of JSON, with comments and final commas.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn json(path: &Path) -> Result<Option<Value>, String> {
    let Some(text) = text(path)? else { return Ok(None) };
    json::value(&text).map(Some).map_err(|problem| match problem.line {
        Some(line) => format!("line {line}: {}", problem.message),
        None => problem.message,
    })
}

/// A document of YAML.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn yaml(path: &Path) -> Result<Option<Value>, String> {
    let Some(text) = text(path)? else { return Ok(None) };
    yaml::parse(&text).map(Some).map_err(|error| format!("is not YAML: {error}"))
}

/// A document of TOML. Dates are left out.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn toml(path: &Path) -> Result<Option<Value>, String> {
    let Some(text) = text(path)? else { return Ok(None) };
    let document = Document::parse(text.as_str()).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.as_bytes().iter().take(start).filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line}: is not TOML: {}", error.message())
    })?;
    Ok(Some(of_table(document.as_table())))
}

fn of_table(table: &dyn TableLike) -> Value {
    table.iter().map(|(key, item)| (key.to_owned(), of_item(item))).collect()
}

fn of_item(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => of_value(value),
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| of_table(table)).collect(),
    }
}

fn of_value(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => text.value().as_str().into(),
        toml_edit::Value::Integer(number) => (*number.value()).into(),
        toml_edit::Value::Float(number) => (*number.value()).into(),
        toml_edit::Value::Boolean(flag) => (*flag.value()).into(),
        toml_edit::Value::Datetime(_) => Value::Null,
        toml_edit::Value::Array(array) => array.iter().map(of_value).collect(),
        toml_edit::Value::InlineTable(table) => of_table(table),
    }
}

/// What is at the end of some keys.
pub fn at<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().try_fold(value, |value, key| value.get(key))
}

/// What is on a list of words, wherever it is none nothing.
pub fn words<'v>(value: &'v Value, keys: &[&str]) -> Vec<&'v str> {
    at(value, keys).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(text: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn documents_become_values() {
        let file = written(b"\xef\xbb\xbf// c\n{\"a\": [1,],}");
        assert_eq!(json(file.path()), Ok(Some(json!({"a": [1]}))));
        let text =
            b"a.b = 1\n[x.\"/y z\"]\nt = { u = \"v\" }\nf = 1.5\nl = [true]\nd = 2026-01-01\n[[h]]\nk = 1\n[[h]]\n";
        let expected = json!({
            "a": {"b": 1},
            "x": {"/y z": {"t": {"u": "v"}, "f": 1.5, "l": [true], "d": null}},
            "h": [{"k": 1}, {}],
        });
        assert_eq!(toml(written(text).path()), Ok(Some(expected)));
        assert_eq!(yaml(written(b"a:\n  - b\n").path()), Ok(Some(json!({"a": ["b"]}))));
    }

    #[test]
    fn what_is_none_says_where() {
        assert_eq!(json(Path::new("/nowhere/at/all")), Ok(None));
        assert!(json(written(b"{\n\"a\"").path()).is_err_and(|message| message.starts_with("line ")));
        assert!(toml(written(b"a = 1\nb =\n").path()).is_err_and(|message| message.starts_with("line 2: is not TOML")));
        assert!(yaml(written(b"a: [").path()).is_err());
        // Deep nesting is refused before the stack is used up.
        let deep = "[".repeat(200_000);
        assert!(json(written(format!("{{\"a\":{deep}").as_bytes()).path()).is_err());
        assert!(toml(written(format!("a = {deep}").as_bytes()).path()).is_err());
        assert!(yaml(written(deep.as_bytes()).path()).is_err());
        assert_eq!(text(written(b"\xff").path()), Err("is not UTF-8".to_owned()));
        assert_eq!(text(tempfile::tempdir().unwrap().path()), Err("is no regular file".to_owned()));
    }
}
