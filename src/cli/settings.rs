//! The environment, read once. No other module asks the operating system for variables.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// What a command gets from outside its arguments.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where the command was started.
    pub cwd: PathBuf,
    /// Variables that decide something.
    pub env: Environment,
}

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

/// Prefixes of the variables that decide something: our own, git's, and the CI systems'.
const RELEVANT: &[&str] = &["SPECWARD_", "GIT_", "GITHUB_", "CI", "PRE_COMMIT_", "GITLAB_CI"];

impl Settings {
    /// Reads the process's environment.
    ///
    /// # Errors
    /// When the working directory is gone.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn from_process() -> io::Result<Self> {
        let env = env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| RELEVANT.iter().any(|prefix| name.starts_with(prefix)))
            .collect();
        Ok(Self { cwd: env::current_dir()?, env })
    }
}
