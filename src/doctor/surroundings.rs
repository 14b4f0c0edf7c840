//! What checks look at, as plain data: the repository, the user's folder, variables, files of the machine.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::check::Check;
use super::reading;
use crate::agents::Agent;
use crate::agents::place::Place;
use crate::repo::environment::Environment;

/// What is around an installation.
#[derive(Debug)]
pub struct Surroundings {
    /// The top of the repository.
    pub place: Place,
    /// The project's configuration, from the top.
    pub config: String,
    /// Variables that decide something.
    pub env: Environment,
    /// The user's folder. None when no variable names it.
    pub home: Option<PathBuf>,
    /// The program that runs.
    pub program: Option<PathBuf>,
    /// Files by which a machine's owner decides.
    pub system: SystemFiles,
}

/// Files by which a machine's owner decides for all users.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemFiles {
    /// Claude Code's, the first of them first.
    pub claude: Vec<PathBuf>,
    /// Gemini CLI's.
    pub gemini: PathBuf,
    /// Qwen Code's.
    pub qwen: PathBuf,
}

impl SystemFiles {
    /// Where they are on this machine.
    pub fn of_this_machine() -> Self {
        let (claude, gemini, qwen): (&[&str], &str, &str) = if cfg!(target_os = "macos") {
            (
                &["/Library/Application Support/ClaudeCode"],
                "/Library/Application Support/GeminiCli",
                "/Library/Application Support/QwenCode",
            )
        } else if cfg!(windows) {
            (
                &["C:\\Program Files\\ClaudeCode", "C:\\ProgramData\\ClaudeCode"],
                "C:\\ProgramData\\gemini-cli",
                "C:\\ProgramData\\qwen-code",
            )
        } else {
            (&["/etc/claude-code"], "/etc/gemini-cli", "/etc/qwen-code")
        };
        Self {
            claude: claude.iter().map(|folder| Path::new(folder).join("managed-settings.json")).collect(),
            gemini: Path::new(gemini).join("settings.json"),
            qwen: Path::new(qwen).join("settings.json"),
        }
    }
}

impl Surroundings {
    /// The top of the repository, without links.
    pub fn top(&self) -> &Path {
        self.place.top()
    }

    /// A folder of the user that a variable may name.
    pub fn folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        self.env.path(variable).or_else(|| Some(self.home.as_ref()?.join(below_home)))
    }

    /// A path as people write it: from the top, or from the user's folder.
    pub fn shown(&self, path: &Path) -> String {
        let slashes = |path: &Path| path.display().to_string().replace('\\', "/");
        if let Ok(below) = path.strip_prefix(self.top()) {
            return slashes(below);
        }
        match self.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(below) => format!("~/{}", slashes(below)),
            None => path.display().to_string(),
        }
    }

    /// Whether a path that somebody wrote down is the top of the repository.
    pub fn is_top(&self, written: &str) -> bool {
        real(Path::new(written)) == self.top()
    }

    /// Whether a path that somebody wrote down is the top or a folder above it.
    pub fn is_top_or_above(&self, written: &Path) -> bool {
        !written.as_os_str().is_empty() && self.top().starts_with(real(written))
    }

    /// A document of JSON, with comments. What cannot be read is a problem of its own.
    pub fn json(&self, agent: Agent, path: &Path, checks: &mut Vec<Check>) -> Option<Value> {
        self.told(agent, path, reading::json(path), checks)
    }

    /// A document of TOML.
    pub fn toml(&self, agent: Agent, path: &Path, checks: &mut Vec<Check>) -> Option<Value> {
        self.told(agent, path, reading::toml(path), checks)
    }

    /// A document of YAML.
    pub fn yaml(&self, agent: Agent, path: &Path, checks: &mut Vec<Check>) -> Option<Value> {
        self.told(agent, path, reading::yaml(path), checks)
    }

    /// A document of the repository about which `init` complains already, when it cannot be read.
    pub fn own_json(&self, path: &str) -> Option<Value> {
        reading::json(&self.top().join(path)).ok().flatten()
    }

    fn told(
        &self,
        agent: Agent,
        path: &Path,
        read: Result<Option<Value>, String>,
        checks: &mut Vec<Check>,
    ) -> Option<Value> {
        read.unwrap_or_else(|message| {
            let fix = "mend it: as it is, nobody can tell what the agent makes of it";
            let check = Check::problem(agent, self.shown(path), message, fix);
            if !checks.contains(&check) {
                checks.push(check);
            }
            None
        })
    }
}

/// A path without links, as far as it is there.
pub fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A repository and a home, both empty.
    pub struct Scratch {
        _folder: tempfile::TempDir,
        pub around: Surroundings,
    }

    impl Scratch {
        pub fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let base = fs::canonicalize(folder.path()).unwrap();
            for name in ["top", "home", "etc"] {
                fs::create_dir(base.join(name)).unwrap();
            }
            let system = SystemFiles {
                claude: vec![base.join("etc/managed-settings.json")],
                gemini: base.join("etc/gemini.json"),
                qwen: base.join("etc/qwen.json"),
            };
            let around = Surroundings {
                place: Place::new(&base.join("top")).unwrap(),
                config: "openspec/specward.yaml".to_owned(),
                env: Environment::default(),
                home: Some(base.join("home")),
                program: None,
                system,
            };
            Self { _folder: folder, around }
        }

        /// Writes a file of the repository, or of the user (`~/…`), or of the machine (`/etc/…`). `TOP` is the top.
        pub fn write(&self, path: &str, text: &str) -> &Self {
            let top = self.around.top();
            let path = match (path.strip_prefix("~/"), path.strip_prefix("/etc/")) {
                (Some(below), _) => self.around.home.clone().unwrap().join(below),
                (_, Some(below)) => top.parent().unwrap().join("etc").join(below),
                _ => top.join(path),
            };
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let top = top.display().to_string().replace('\\', "\\\\");
            fs::write(path, text.replace("TOP", &top)).unwrap();
            self
        }

        pub fn set(&mut self, name: &str, value: &str) {
            self.around.env = [(name, value)].into_iter().collect();
        }

        /// Installs for an agent.
        pub fn install(&self, agent: Agent) -> &Self {
            let plan = crate::agents::plan::Plan::install(&self.around.place, &[agent], true, &self.around.config);
            crate::agents::write::all(&self.around.place, plan.unwrap().changes()).unwrap();
            self
        }
    }

    /// Problems and notes as `level subject: message`.
    pub fn told(checks: &[Check]) -> Vec<String> {
        for check in checks.iter().filter(|check| check.level == super::super::Level::Problem) {
            assert!(check.fix.as_ref().is_some_and(|fix| !fix.is_empty()), "{check:?}");
        }
        checks.iter().map(|check| format!("{} {}: {}", check.level.word(), check.subject, check.message)).collect()
    }

    /// Demands a line that begins so, and no other problem than those that are named.
    #[track_caller]
    pub fn has(checks: &[Check], starts: &[&str]) {
        let told = told(checks);
        for start in starts {
            assert!(told.iter().any(|line| line.starts_with(start)), "`{start}` is missing in {told:#?}");
        }
        let is_named = |line: &String| starts.iter().any(|start| line.starts_with(start));
        let others: Vec<&String> = told.iter().filter(|line| line.starts_with("problem") && !is_named(line)).collect();
        assert!(others.is_empty(), "{others:#?}");
    }

    #[test]
    fn paths_are_shown_as_people_write_them() {
        let scratch = Scratch::new();
        let around = &scratch.around;
        assert_eq!(around.shown(&around.top().join("a/b")), "a/b");
        assert_eq!(around.shown(&around.home.clone().unwrap().join(".x")), "~/.x");
        assert_eq!(around.shown(Path::new("/x")), Path::new("/x").display().to_string());
        let top = around.top().display().to_string();
        assert!(around.is_top(&top) && around.is_top(&format!("{top}/")) && !around.is_top(""));
        assert!(around.is_top_or_above(around.top().parent().unwrap()) && !around.is_top_or_above(Path::new("")));
        assert!(!around.is_top_or_above(&around.top().join("below")));
    }
}
