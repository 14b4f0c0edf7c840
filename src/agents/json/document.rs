//! Settings as a tree with the ranges of its nodes.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::agents::problem::{Problem, line_at};

/// What parsers read besides JSON: comments and final commas, nothing else.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The outermost object of a text without a byte-order mark.
///
/// # Errors
/// When the text is not JSON with comments, or something other than an object.
pub(super) fn parse(text: &str) -> Result<Object<'_>, Problem> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS).map_err(|error| {
        let kind = error.kind().to_string();
        // As JSON it is right, but it stands for no text.
        if kind.contains("surrogate") {
            let message = "an escape `\\u…` in a string is one half of a character, without the other";
            return Problem::at(error.line_display(), message, "write both halves, or none; nothing was written");
        }
        Problem::at(error.line_display(), format!("is not JSON: {kind}"), "mend the file; nothing was written")
    })?;
    match parsed.value {
        Some(Value::Object(root)) => Ok(root),
        Some(other) => Err(unexpected(text, &other, "the settings", "an object")),
        None => {
            let message = "holds no settings";
            Err(Problem::of_file(message, "write `{}` into the file or delete it; nothing was written"))
        }
    }
}

/// The property with a name.
///
/// # Errors
/// When it is there twice: clients differ in which of the two they take.
pub(super) fn property<'o, 'a>(
    text: &str,
    object: &'o Object<'a>,
    name: &str,
) -> Result<Option<&'o ObjectProp<'a>>, Problem> {
    let mut found = object.properties.iter().filter(|property| property.name.as_str() == name);
    let first = found.next();
    match found.next() {
        None => Ok(first),
        Some(second) => {
            let message = format!("`{name}` is there twice");
            Err(Problem::at(line_at(text, second.range.start), message, "make one of the two; nothing was written"))
        }
    }
}

/// That a node is not what settings have there.
pub(super) fn unexpected(text: &str, value: &Value<'_>, what: &str, wanted: &str) -> Problem {
    let line = line_at(text, value.range().start);
    Problem::at(line, format!("{what} should be {wanted}"), "mend the file; nothing was written")
}

/// A node without its place.
pub(super) fn plain(value: &Value<'_>) -> serde_json::Value {
    value.clone().into()
}
