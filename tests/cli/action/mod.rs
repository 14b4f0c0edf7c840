//! The GitHub Action: its steps, run by a small runner, with the events of GitHub.

mod checkout;
mod comment;
mod events;
mod install;
mod runner;

use serde_json::{Value, json};

use self::runner::{Done, Job, Words, action, commands, has};
use crate::checked::{FILE, criteria, spec};
use crate::support::{AUTH, SPEC, Sandbox, faulty};

/// A repository whose `main` goes on after `work` left it, and GitHub's test merge of `work` checked out.
struct Request {
    sandbox: Sandbox,
    /// Where main was when GitHub last looked.
    old: String,
    head: String,
}

impl Request {
    /// A pull request with these files.
    fn new(files: &[(&str, &str)]) -> Self {
        let sandbox = Sandbox::repository();
        let old = sandbox.head();
        sandbox.git(&["switch", "-qc", "work"]);
        for (path, content) in files {
            sandbox.write(path, content);
        }
        let head = sandbox.commit("work");
        sandbox.git(&["switch", "-q", "main"]);
        // What somebody else did to the spec meanwhile, and may do.
        sandbox.write("openspec/specs/other/spec.md", SPEC.replace("Sign in", "Sign out"));
        sandbox.commit("later");
        sandbox.git(&["checkout", "-q", "--detach"]);
        sandbox.git(&["merge", "-q", "--no-ff", "-m", "test merge", "work"]);
        Self { sandbox, old, head }
    }

    fn payload(&self) -> Value {
        json!({
            "number": 7,
            "pull_request": {
                "number": 7,
                "base": { "sha": self.old, "ref": "main", "repo": { "full_name": "owner/project" } },
                "head": { "sha": self.head, "ref": "work", "repo": { "full_name": "owner/project" } },
                "labels": [],
            },
            "repository": { "default_branch": "main" },
        })
    }

    fn job(&self, event: &str) -> Job<'_> {
        Job::new(&self.sandbox, event, &self.payload())
    }
}

impl Done {
    #[track_caller]
    fn is(&self, verdict: &str, code: i32) -> &Self {
        assert_eq!((self.output("verdict"), self.code), (verdict, code), "{self:#?}");
        assert_eq!(self.output("exit-code"), code.to_string(), "{self:#?}");
        self
    }

    fn output(&self, name: &str) -> &str {
        &self.outputs[name]
    }

    /// The report that the output names.
    fn report(&self) -> Value {
        let text = std::fs::read_to_string(self.output("report")).unwrap_or_else(|error| panic!("{error}: {self:#?}"));
        serde_json::from_str(&text).expect("JSON")
    }

    #[track_caller]
    fn says(&self, words: &str) -> &Self {
        assert!(self.log.contains(words), "`{words}` is missing in {}", self.log);
        self
    }
}

#[test]
fn what_the_action_promises() {
    let action = action();
    let version = action["inputs"]["version"]["default"].as_str().expect("a version");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    for step in action["runs"]["steps"].as_array().expect("steps") {
        // What is filled into a script is run.
        assert!(!step["run"].as_str().expect("a script").contains("${{"), "{step:#}");
    }
}

#[test]
fn a_test_merge_is_compared_with_its_first_parent() {
    let request = Request::new(&[("src/a.rs", "")]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let into = request.sandbox.git(&["rev-parse", "HEAD^1"]);
    assert_ne!(into, request.old);
    let done = request.job("pull_request").run();
    done.is("PASS", 0);
    assert_eq!(done.report()["scope"]["base"], into);
    assert!(done.summary.contains("PASS"), "{done:#?}");
    assert_eq!(done.ran, ["install", "run"]);
    // By the commit that the event names, what main got since would be this pull request's.
    let done = request.job("pull_request").with("base", &request.old).run();
    done.is("FAIL", 1);
    // The same, when what is checked out is no test merge of GitHub's.
    let done = request.job("pull_request").set("GITHUB_SHA", &request.head).run();
    assert_eq!(done.report()["scope"]["base"], request.old);
}

#[test]
fn the_head_itself_can_be_checked_out() {
    let request = Request::new(&[(AUTH, &faulty())]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let merge = request.sandbox.head();
    request.sandbox.git(&["checkout", "-q", &request.head]);
    let done = request.job("pull_request").set("GITHUB_SHA", &merge).run();
    done.is("FAIL", 1);
    assert_eq!(done.report()["scope"]["base"], request.old);
    assert_eq!(done.report()["spec_changes"], json!([AUTH]));
}

#[test]
fn an_edited_spec_fails_with_everything_written() {
    let request = Request::new(&[(AUTH, &SPEC.replace("SHALL", "SHOULD"))]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let job = request.job("pull_request").with("sarif-file", "out.sarif").with("handoff", "true");
    let done = job.with("format", "junit=junit.xml\n  gitlab=quality.json").run();
    done.is("FAIL", 1).says("::group::specward");
    assert!(done.summary.contains("FAIL"), "{done:#?}");
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(read(done.output("sarif")).contains("2.1.0"));
    assert!(read(done.output("handoff")).starts_with("SPECWARD VERDICT: FAIL"));
    for file in ["junit.xml", "quality.json"] {
        assert!(request.sandbox.path(file).is_file(), "{file}");
    }
    assert_eq!(done.report()["scope"]["frozen_mode"], "explained");
    // Without a freeze the edit is told.
    let done = request.job("pull_request").with("frozen-spec", "off").run();
    assert_eq!(done.report()["spec_changed_in_diff"], true);
    assert_eq!(done.report()["scope"]["frozen_spec"], false);
    let done = request.job("pull_request").with("frozen-spec", "strict").run();
    done.is("FAIL", 1);
}

#[test]
fn a_label_lets_edits_of_the_spec_through() {
    let request = Request::new(&[(AUTH, &SPEC.replace("with a password", "with a long password"))]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let labelled = |event: &str, label: &str, override_label: &str| {
        let mut payload = request.payload();
        payload["pull_request"]["labels"] = json!([{ "name": "bug" }, { "name": label }]);
        payload["merge_group"] = json!({ "base_sha": request.old, "head_sha": request.sandbox.head() });
        Job::new(&request.sandbox, event, &payload).with("override-label", override_label).run()
    };
    let done = labelled("pull_request", "spec change", "spec change");
    done.is("PASS", 0).says("allowed by the label `spec change`");
    assert!(done.summary.contains("allowed by the label `spec change`"), "{done:#?}");
    assert_eq!(done.report()["spec_changes"], json!([AUTH]));
    labelled("pull_request", "spec changes", "spec change").is("FAIL", 1);
    labelled("pull_request", "Spec Change", "spec change").is("FAIL", 1);
    labelled("pull_request", "", "").is("FAIL", 1);
    // Others have no labels, whatever their event says.
    labelled("merge_group", "spec change", "spec change").is("FAIL", 1);
    // Everything else is judged.
    let request = Request::new(&[(AUTH, &faulty())]);
    let mut payload = request.payload();
    payload["pull_request"]["labels"] = json!([{ "name": "ok" }]);
    let done = Job::new(&request.sandbox, "pull_request", &payload).with("override-label", "ok").run();
    done.is("FAIL", 1).says("spec/no-scenario");
    // A broken event is no label.
    let done = request.job("pull_request").with("override-label", "ok").set("GITHUB_EVENT_PATH", "/nowhere").run();
    done.is("UNVERIFIABLE", 2);
}

/// A pull request of a repository that has a check, which leaves a file when it is run.
fn checked() -> Request {
    let check = "command: [sh, check.sh]";
    let mut request = Request::new(&[("check.sh", "touch \"$TMPDIR/ran\"\n")]);
    let sandbox = &request.sandbox;
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write(AUTH, spec(&["Right password"]));
    sandbox.write(FILE, criteria(&[("Right password", &[check])]));
    sandbox.write("openspec/specward.yaml", "criteria: { run: affected }\n");
    request.old = sandbox.commit("with a check");
    sandbox.git(&["checkout", "-q", "--detach"]);
    sandbox.git(&["merge", "-q", "--no-ff", "-m", "test merge", "work"]);
    std::fs::create_dir(sandbox.top.join("scratch")).expect("a folder");
    request
}

#[test]
fn events_with_secrets_start_nothing_of_head() {
    let request = checked();
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let scratch = request.sandbox.top.join("scratch");
    let ran = || std::fs::remove_file(scratch.join("ran")).is_ok();
    let scratch = scratch.to_str().expect("ASCII");
    let job = |event| request.job(event).set("TMPDIR", scratch);
    job("pull_request").run().is("PASS", 0);
    assert!(ran());
    job("pull_request").with("checks", "false").run().is("PASS", 0);
    assert!(!ran());
    for event in ["pull_request_target", "workflow_run"] {
        let done = job(event).set("GITHUB_SHA", &request.old).with("base", &request.old).run();
        done.is("UNVERIFIABLE", 3).says("--no-checks").says(event);
        assert!(!ran(), "{done:#?}");
        job(event).with("base", &request.old).with("checks", "false").run().is("PASS", 0);
        assert!(!ran());
        // By any command, when the variables alone say so.
        let outcome = crate::support::run(
            request
                .sandbox
                .command(crate::support::SPECWARD)
                .arg("verify")
                .envs([("GITHUB_EVENT_NAME", event), ("TMPDIR", scratch)]),
        );
        outcome.exits(3).says("nothing of head is run");
        assert!(!ran());
    }
}

#[test]
fn a_fork_is_judged_like_any_other() {
    let request = Request::new(&[(AUTH, &faulty())]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let mut payload = request.payload();
    payload["pull_request"]["head"]["repo"] = json!({ "full_name": "stranger/project", "fork": true });
    let done = Job::new(&request.sandbox, "pull_request", &payload).with("comment", "true").run();
    done.is("FAIL", 1).says("::notice::specward: no comment was written: there is no token");
    assert_eq!(done.ran, ["install", "run", "comment"]);
}

#[test]
fn runs_that_cannot_happen_have_outputs_too() {
    let request = Request::new(&[("src/a.rs", "")]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let refused = [
        ("checks", "perhaps"),
        ("args", "--bogus"),
        ("frozen-spec", "sometimes"),
        ("format", "xml=a"),
        ("override-label", " "),
    ];
    for (name, value) in refused {
        let done = request.job("pull_request").with(name, value).run();
        done.is("UNVERIFIABLE", 2);
        assert_eq!(done.report()["exit_code"], 2);
        assert!(!done.summary.is_empty());
        assert!(value != "perhaps" || done.log.contains("::error::specward: the input checks is neither"), "{done:#?}");
    }
    // What judges nothing is no PASS.
    for args in ["--help", "-h"] {
        request.job("pull_request").with("args", args).run().is("UNVERIFIABLE", 2).says("there is no verdict");
    }
    std::fs::remove_dir_all(request.sandbox.path("openspec")).expect("it goes");
    request.sandbox.git(&[
        "update-ref",
        "--no-deref",
        "HEAD",
        &request.sandbox.git(&["commit-tree", "-m", "x", EMPTY]),
    ]);
    request.sandbox.git(&["reset", "-q"]);
    let done = request.job("schedule").run();
    done.is("UNVERIFIABLE", 2);
    assert_eq!(done.report()["exit_code"], 2);
}

#[test]
fn a_report_that_cannot_be_written_is_in_all_others() {
    let request = Request::new(&[("src/a.rs", "")]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let job = || request.job("pull_request").with("sarif-file", "no/such/out.sarif").with("comment", "true");
    let done = job().with("format", "junit=junit.xml").with("handoff", "true").run();
    done.is("UNVERIFIABLE", 2).says("no/such/out.sarif").says("::error ");
    assert_eq!(done.output("sarif"), "");
    assert!(done.summary.contains("specward: UNVERIFIABLE") && !done.summary.contains("PASS"), "{done:#?}");
    let report = done.report();
    assert_eq!((&report["verdict"], &report["exit_code"]), (&json!("UNVERIFIABLE"), &json!(2)));
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(read(done.output("handoff")).starts_with("SPECWARD VERDICT: UNVERIFIABLE"));
    assert!(read(request.sandbox.path("junit.xml").to_str().expect("ASCII")).contains("no/such/out.sarif"));
}

/// Git's name for a folder without files.
const EMPTY: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

#[test]
fn nothing_in_a_report_is_a_command() {
    let path = "openspec/specs/::error::x ##[error]y%0A::error::z/spec.md";
    let forged = faulty().replace("Sign in", "::stop-commands::x\n::error::all is well\n\n### Requirement: ##[error]y");
    let request = Request::new(&[(path, &forged)]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let done = request.job("pull_request").with("args", "--base=::error::x\n--strict").run();
    assert!(!commands(&done.log).iter().any(|line| line.contains("all is well")), "{done:#?}");
    let done = request.job("pull_request").run();
    done.is("FAIL", 1);
    for line in commands(&done.log) {
        let is_ours = ["::group::specward", "::endgroup::", "::error file=", "::warning file=", "::notice "];
        assert!(is_ours.iter().any(|start| line.starts_with(start)), "{line}\n{}", done.log);
        assert!(!line.starts_with("::error::"), "{line}");
    }
    let expected: Words = done.outputs.clone();
    assert_eq!(expected.len(), 5, "{expected:?}");
}

#[test]
fn words_of_args_are_not_expanded() {
    let request = Request::new(&[("src/a.rs", "")]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    for args in ["$(touch ran)", "`touch ran`", "; touch ran", "*", "'a b'"] {
        request.job("pull_request").with("args", args).run().is("UNVERIFIABLE", 2);
        assert!(!request.sandbox.path("ran").exists());
    }
    let done = request.job("pull_request").with("args", "--strict\n --no-judge --no-checks").run();
    done.is("PASS", 0);
    assert_eq!(done.report()["scope"]["strict"], true);
}
