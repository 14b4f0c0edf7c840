//! Environment variables as plain data. They are read once, in `cli/settings.rs`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// Environment variables by name.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// A variable that is set and not empty, when it is UTF-8.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.to_str().filter(|value| !value.is_empty())
    }

    /// A variable as a path, when it is set and not empty.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.0.get(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// The same variables with one more, or with another value for it.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Whether a variable says yes: set, not empty, not `0`, not `false`.
    pub fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
    }
}

impl<K: Into<String>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}
