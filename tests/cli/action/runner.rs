//! Runs the steps of action.yml as GitHub's runner does, as far as they need it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Outcome, Sandbox, run};

/// The top of this repository.
const TOP: &str = env!("CARGO_MANIFEST_DIR");

/// Words by name.
pub type Words = BTreeMap<String, String>;

/// What action.yml says.
pub fn action() -> Value {
    let text = fs::read_to_string(format!("{TOP}/action.yml")).expect("action.yml");
    serde_yaml::from_str(&text).expect("YAML")
}

#[expect(clippy::disallowed_methods, reason = "these tests run programs")]
fn search_path() -> String {
    std::env::var("PATH").expect("a search path")
}

/// A job with one step: the action.
pub struct Job<'a> {
    pub sandbox: &'a Sandbox,
    inputs: Words,
    pub env: Words,
    /// `${{ github.token }}`.
    pub token: String,
    files: PathBuf,
}

/// What became of the step.
#[derive(Debug)]
pub struct Done {
    /// Exit code of the first step that failed, else 0.
    pub code: i32,
    /// Outputs of the action.
    pub outputs: Words,
    /// What the steps printed.
    pub log: String,
    /// What the summary of the job shows.
    pub summary: String,
    /// Steps that ran.
    pub ran: Vec<String>,
}

impl<'a> Job<'a> {
    /// A job in the sandbox's repository, for an event.
    pub fn new(sandbox: &'a Sandbox, event: &str, payload: &Value) -> Self {
        let files = sandbox.top.join("runner");
        for name in ["temp", "bin"] {
            fs::create_dir_all(files.join(name)).expect("folders");
        }
        fs::write(files.join("event.json"), payload.to_string()).expect("a file");
        let path = |name: &str| files.join(name).display().to_string();
        let env = [
            ("CI", "true".to_owned()),
            ("GITHUB_ACTIONS", "true".to_owned()),
            ("GITHUB_EVENT_NAME", event.to_owned()),
            ("GITHUB_EVENT_PATH", path("event.json")),
            ("GITHUB_SHA", sandbox.head()),
            ("GITHUB_REPOSITORY", "owner/project".to_owned()),
            ("GITHUB_WORKSPACE", sandbox.root.display().to_string()),
            ("GITHUB_ACTION_PATH", TOP.to_owned()),
            ("RUNNER_TEMP", path("temp")),
            // The binary under test, as a runner has it that brings one along.
            ("PATH", format!("{}:{}", path("bin"), search_path())),
        ];
        let link = files.join("bin/specward");
        drop(fs::remove_file(&link));
        std::os::unix::fs::symlink(crate::support::SPECWARD, &link).expect("a link");
        let inputs = [("version".to_owned(), "path".to_owned())].into();
        let env = env.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { sandbox, inputs, env, token: String::new(), files }
    }

    /// Sets an input.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        assert!(!action()["inputs"][name].is_null(), "there is no input `{name}`");
        self.inputs.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Sets a variable of the job.
    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Runs the steps.
    pub fn run(&self) -> Done {
        let action = action();
        let mut context = Words::new();
        context.insert("github.token".to_owned(), self.token.clone());
        for (name, input) in action["inputs"].as_object().expect("inputs") {
            let default = fill(input["default"].as_str().unwrap_or_default(), &context);
            let value = self.inputs.get(name).cloned().unwrap_or(default);
            context.insert(format!("inputs.{name}"), value);
        }
        let mut done =
            Done { code: 0, outputs: Words::new(), log: String::new(), summary: String::new(), ran: Vec::new() };
        for step in action["runs"]["steps"].as_array().expect("steps") {
            let id = step["id"].as_str().expect("each step has an id");
            let condition = step["if"].as_str().unwrap_or("success()");
            let condition = condition.trim().trim_start_matches("${{").trim_end_matches("}}");
            let is_status =
                ["success()", "failure()", "always()", "cancelled()"].iter().any(|word| condition.contains(word));
            if !(is_status || done.code == 0) || !is_true(&evaluate(condition, &context, done.code == 0)) {
                continue;
            }
            let outcome = self.step(step, &context, &mut done.summary);
            done.ran.push(id.to_owned());
            done.log += &outcome.stdout;
            done.log += &outcome.stderr;
            for (name, value) in outputs(&self.take("output")) {
                context.insert(format!("steps.{id}.outputs.{name}"), value);
            }
            let code = outcome.code.expect("an exit code");
            done.code = if done.code == 0 { code } else { done.code };
        }
        for (name, output) in action["outputs"].as_object().expect("outputs") {
            done.outputs.insert(name.clone(), fill(output["value"].as_str().expect("a value"), &context));
        }
        done
    }

    fn step(&self, step: &Value, context: &Words, summary: &mut String) -> Outcome {
        assert_eq!(step["shell"], "bash", "{step:#}");
        let script = self.files.join("script.sh");
        // A script is never filled in: what is in an input would be run.
        let text = step["run"].as_str().expect("a script");
        assert!(!text.contains("${{"), "{text}");
        fs::write(&script, text).expect("a file");
        let mut command = self.sandbox.command("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&script).envs(&self.env);
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            command.env(name, fill(value.as_str().expect("a word"), context));
        }
        if let Some(folder) = step["working-directory"].as_str() {
            command.current_dir(self.sandbox.root.join(fill(folder, context)));
        }
        for (name, file) in [("GITHUB_OUTPUT", "output"), ("GITHUB_STEP_SUMMARY", "summary")] {
            fs::write(self.files.join(file), "").expect("a file");
            command.env(name, self.files.join(file));
        }
        let outcome = run(&mut command);
        *summary += &self.take("summary");
        outcome
    }

    fn take(&self, file: &str) -> String {
        fs::read_to_string(self.files.join(file)).unwrap_or_default()
    }
}

/// Outputs as their file has them.
fn outputs(text: &str) -> Words {
    let mut outputs = Words::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some((name, word)) = line.split_once("<<").filter(|(name, _)| !name.contains('=')) {
            let value: Vec<&str> = lines.by_ref().take_while(|line| *line != word).collect();
            outputs.insert(name.to_owned(), value.join("\n"));
        } else {
            let (name, value) = line.split_once('=').expect("name=value");
            outputs.insert(name.to_owned(), value.to_owned());
        }
    }
    outputs
}

/// A text with its expressions evaluated.
fn fill(text: &str, context: &Words) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (expression, after) = after.split_once("}}").expect("an end");
        filled += before;
        filled += &evaluate(expression, context, true);
        rest = after;
    }
    filled + rest
}

/// The little of GitHub's expressions that action.yml has. What else there is fails the test.
fn evaluate(expression: &str, context: &Words, is_success: bool) -> String {
    let expression = expression.trim();
    let of = |part: &str| evaluate(part, context, is_success);
    let word = |is: bool| is.to_string();
    if let Some((left, right)) = expression.split_once("&&") {
        return word(is_true(&of(left)) && is_true(&of(right)));
    }
    if let Some((left, right)) = expression.split_once("!=") {
        return word(of(left) != of(right));
    }
    if let Some((left, right)) = expression.split_once("==") {
        return word(of(left) == of(right));
    }
    if let Some(negated) = expression.strip_prefix('!') {
        return word(!is_true(&of(negated)));
    }
    if let Some(text) = expression.strip_prefix('\'') {
        return text.strip_suffix('\'').expect("an end").to_owned();
    }
    match expression {
        "success()" => word(is_success),
        "failure()" => word(!is_success),
        "always()" => word(true),
        "cancelled()" => word(false),
        name if name.starts_with("steps.") => context.get(name).cloned().unwrap_or_default(),
        name => context.get(name).unwrap_or_else(|| panic!("`{name}` is not known")).clone(),
    }
}

fn is_true(value: &str) -> bool {
    !matches!(value, "" | "false")
}

/// Commands that a runner takes from a log, with what they are about.
pub fn commands(log: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut stopped: Option<String> = None;
    for line in log.lines() {
        let line = line.trim_start();
        match &stopped {
            Some(word) if line == format!("::{word}::") => stopped = None,
            Some(_) => {}
            None => match line.strip_prefix("::stop-commands::") {
                Some(word) => stopped = Some(word.to_owned()),
                None if line.starts_with("::") || line.starts_with("##[") => commands.push(line.to_owned()),
                None => {}
            },
        }
    }
    assert_eq!(stopped, None, "commands stay off: {log}");
    commands
}

/// Whether a program is here; says that a test is skipped when it is not.
pub fn has(sandbox: &Sandbox, programs: &[&str]) -> bool {
    let is_here =
        |program: &&&str| run(sandbox.command("sh").args(["-c", &format!("command -v {program}")])).code == Some(0);
    match programs.iter().find(|program| !is_here(program)) {
        Some(missing) => {
            eprintln!("skipped: there is no `{missing}` here");
            false
        }
        None => true,
    }
}
