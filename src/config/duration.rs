//! Lengths of time as people write them.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, Visitor};

/// No length of time that is given to a program is longer.
pub const MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// A time such as `120s`, `2m`, `1h 5m` or `500ms`.
///
/// # Errors
/// When it is none, is nothing, or is longer than [`MAX`].
pub fn of_text(text: &str) -> Result<Duration, String> {
    let found: SignedDuration = text
        .parse()
        .map_err(|_| format!("`{text}` is no time; write a number of seconds, or such as `120s` or `1h 5m`"))?;
    bounded(found)
}

/// A number of seconds.
///
/// # Errors
/// When it is nothing or longer than [`MAX`].
pub fn of_seconds(seconds: i64) -> Result<Duration, String> {
    bounded(SignedDuration::from_secs(seconds))
}

fn bounded(found: SignedDuration) -> Result<Duration, String> {
    match Duration::try_from(found) {
        Ok(found) if !found.is_zero() && found <= MAX => Ok(found),
        _ => Err("the time has to be more than nothing and at most 24 hours".to_owned()),
    }
}

/// Reads one from a configuration.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    struct TimeVisitor;

    impl Visitor<'_> for TimeVisitor {
        type Value = Duration;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number of seconds, or a time such as `120s`")
        }

        fn visit_i64<E: Error>(self, seconds: i64) -> Result<Duration, E> {
            of_seconds(seconds).map_err(E::custom)
        }

        fn visit_u64<E: Error>(self, seconds: u64) -> Result<Duration, E> {
            of_seconds(i64::try_from(seconds).unwrap_or(i64::MAX)).map_err(E::custom)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Duration, E> {
            of_text(text).map_err(E::custom)
        }
    }

    deserializer.deserialize_any(TimeVisitor)
}

/// How one is described in the schema.
#[derive(Debug)]
pub(super) struct Described;

impl JsonSchema for Described {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of seconds, or a time such as `120s`, `2m`, `1h 5m`. At most 24 hours.",
            "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 86400 }, { "type": "string", "minLength": 1 }],
        })
    }
}
