//! A session of an agent: what began it is written down, and its end is judged against that.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::repo::{Outcome, Repo};

/// A session that began.
pub struct Session<'r> {
    repo: &'r Repo,
    id: String,
    is_explained: bool,
}

const CONFIG: &str = "openspec/specward.yaml";
const EXPLAINED: &str = "frozen: explained\n";

impl<'r> Session<'r> {
    /// Begins a session in a repository.
    #[track_caller]
    pub fn begin(repo: &'r Repo) -> Self {
        Self::called(repo, "11111111-2222-3333-4444-555555555555")
    }

    /// Begins a session with a name of its own.
    #[track_caller]
    pub fn called(repo: &'r Repo, id: &str) -> Self {
        let session = Self { repo, id: id.to_owned(), is_explained: false };
        session.event("session-start", &[], "").exits_silently();
        session
    }

    /// Begins a session in which edits have to be explained. In a repository that does not say so itself, the file that
    /// says so is there when the session begins and when it ends, and at no time between. None where there is another such
    /// file, which the test is about, or where checks are that the end of a turn would run.
    #[track_caller]
    pub fn explained(repo: &'r Repo) -> Option<Self> {
        if repo.path(CONFIG).exists() {
            return repo.read(CONFIG).contains("frozen: explained").then(|| Self::begin(repo));
        }
        if repo.path("openspec/verify").exists() {
            return None;
        }
        repo.write(CONFIG, EXPLAINED);
        let session = Self { is_explained: true, ..Self::begin(repo) };
        repo.remove(CONFIG);
        Some(session)
    }

    /// Begins a session in another work tree of a repository.
    #[track_caller]
    pub fn begin_in(repo: &'r Repo, folder: &Path) -> Self {
        let session = Self::unseen(repo, "elsewhere");
        session.event_in(folder, "session-start", &[], "").exits_silently();
        session
    }

    /// A session whose beginning nobody saw.
    pub fn unseen(repo: &'r Repo, id: &str) -> Self {
        Self { repo, id: id.to_owned(), is_explained: false }
    }

    /// What the end of a turn is answered with.
    pub fn stop(&self) -> Outcome {
        self.stop_env(&[])
    }

    /// The same with further variables.
    pub fn stop_env(&self, env: &[(&str, &str)]) -> Outcome {
        if self.is_explained {
            self.repo.write(CONFIG, EXPLAINED);
        }
        let outcome = self.event("stop", env, "");
        if self.is_explained {
            self.repo.remove(CONFIG);
        }
        outcome
    }

    /// What the end of a turn in another folder is answered with.
    pub fn stop_in(&self, folder: &Path) -> Outcome {
        self.stop_in_env(folder, &[])
    }

    /// The same with further variables.
    pub fn stop_in_env(&self, folder: &Path, env: &[(&str, &str)]) -> Outcome {
        self.event_in(folder, "stop", env, "")
    }

    /// Calls a hook with what Claude Code writes, and more of it.
    pub fn event(&self, event: &str, env: &[(&str, &str)], more: &str) -> Outcome {
        self.event_in(self.repo.top(), event, env, more)
    }

    fn event_in(&self, top: &Path, event: &str, env: &[(&str, &str)], more: &str) -> Outcome {
        let document = format!(
            "{{\"session_id\":\"{}\",\"cwd\":{:?},\"hook_event_name\":\"{event}\"{more}}}",
            self.id,
            top.to_str().expect("ASCII")
        );
        let mut command = self.repo.clean(env!("CARGO_BIN_EXE_specward"), top);
        command.args(["hook", event, "--agent", "claude"]).envs(env.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("specward starts");
        child.stdin.take().expect("a pipe").write_all(document.as_bytes()).expect("it reads");
        Outcome::of(&child.wait_with_output().expect("specward ends"))
    }

    /// The turn may end, and nothing is said.
    #[track_caller]
    pub fn passes(&self) {
        self.stop().exits_silently();
    }

    /// The turn may not end, and the agent hears all of this.
    #[track_caller]
    pub fn is_blocked(&self, names: &[&str]) {
        self.stop().blocks(names);
    }
}

impl Outcome {
    /// Nothing was said, and all is well.
    #[track_caller]
    pub fn exits_silently(&self) {
        self.exits(0, &[]);
        assert_eq!((self.stdout.as_str(), self.stderr.as_str()), ("", ""), "{self}");
    }

    /// The one answer that sends an agent back to work, with a reason that names all of this.
    #[track_caller]
    pub fn blocks(&self, names: &[&str]) {
        self.exits(0, &[]);
        let reason = self.answer("block");
        for name in names {
            assert!(reason.contains(name), "the reason does not name `{name}`: {reason}");
        }
    }

    /// The agent is let go, and its user is told all of this.
    #[track_caller]
    pub fn lets_go(&self, names: &[&str]) {
        self.exits(0, &[]);
        let document: serde_json::Value = serde_json::from_str(&self.stdout).expect("JSON");
        let told = document["systemMessage"].as_str().expect("a message");
        assert_eq!(document.as_object().map(serde_json::Map::len), Some(1), "{self}");
        for name in names {
            assert!(told.contains(name), "the message does not name `{name}`: {told}");
        }
    }

    #[track_caller]
    fn answer(&self, decision: &str) -> String {
        assert_eq!(self.stdout.matches('\n').count(), 1, "not one line: {self}");
        let document: serde_json::Value =
            serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("no JSON: {self}"));
        let keys: Vec<&String> = document.as_object().map(|map| map.keys().collect()).unwrap_or_default();
        assert_eq!(
            (keys, document["decision"].as_str()),
            (vec![&"decision".to_owned(), &"reason".to_owned()], Some(decision))
        );
        document["reason"].as_str().expect("a reason").to_owned()
    }
}
