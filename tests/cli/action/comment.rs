//! The comment on a pull request, with a stand-in for GitHub's interface.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::Request;
use super::runner::{Done, Job, has};
use crate::support::{AUTH, faulty, run};

/// What was asked: method, path and body.
type Asked = (String, String, Value);

/// A server that answers each question as `answer` says, and remembers what was asked.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    fn new(answer: impl Fn(&str, &str) -> (u16, Value) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a caller");
                let (method, path, token, body) = read(&stream);
                let (status, document) =
                    if token == "Bearer secret" { answer(&method, &path) } else { (401, json!({})) };
                kept.lock().expect("it is whole").push((method, path, body));
                let text = document.to_string();
                let head =
                    format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", text.len());
                drop(stream.write_all((head + &text).as_bytes()));
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("it is whole").clone()
    }

    /// Runs the action on a pull request that fails.
    fn comment(&self) -> Done {
        let done = self.comment_with(|job| job);
        done.is("FAIL", 1);
        done
    }

    /// The same, with something else about the job.
    fn comment_with(&self, change: impl Fn(Job<'_>) -> Job<'_>) -> Done {
        let request = Request::new(&[(AUTH, &faulty())]);
        let mut job = request.job("pull_request").with("comment", "true").set("GITHUB_API_URL", &self.address);
        for (name, value) in [("WORKFLOW", "ci"), ("JOB", "gate"), ("RUN_ID", "12"), ("RUN_ATTEMPT", "1")] {
            job = job.set(&format!("GITHUB_{name}"), value);
        }
        job.token = "secret".to_owned();
        let done = change(job).run();
        assert!(!done.log.contains("secret"), "{done:#?}");
        done
    }

    /// The only text that was sent, and where to.
    #[track_caller]
    fn sent(&self) -> (String, String, String) {
        let asked = self.asked();
        let sent: Vec<&Asked> = asked.iter().filter(|(method, ..)| method != "GET").collect();
        let [(method, path, body)] = sent.as_slice() else { panic!("{asked:?}") };
        (method.clone(), path.clone(), body["body"].as_str().expect("a text").to_owned())
    }
}

/// A request: method, path, token and body.
fn read(stream: &TcpStream) -> (String, String, String, Value) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line");
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next().expect("a method"), words.next().expect("a path"));
    let (mut length, mut token) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).expect("a line");
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().expect("a number"),
            "authorization" => token = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the body");
    (method, path, token, serde_json::from_slice(&body).unwrap_or_default())
}

/// Comments of a page: of others, and of ours when there is one.
fn page(ours: Option<u64>) -> Value {
    let mut all: Vec<Value> = (0..100)
        .map(|id| json!({ "id": id, "body": "hello", "user": { "login": "somebody", "type": "User" } }))
        .collect();
    // Who writes our mark is not us.
    all[3]["body"] = json!(format!("{}\nPASS", marker(HERE)));
    if let Some(id) = ours {
        let user = json!({ "login": "github-actions[bot]", "type": "Bot" });
        // Another job's, one of this very run, and the one that is looked for.
        all[48] = json!({ "id": 48, "body": format!("{}\nPASS", marker("ci/other/.")), "user": user });
        all[49] = json!({ "id": 49, "body": format!("{}\n<!-- run 12/1 -->\nPASS", marker(HERE)), "user": user });
        all[50] = json!({ "id": id, "body": format!("{}\r\n<!-- run 11/1 -->\r\nold", marker(HERE)), "user": user });
    }
    Value::from(all)
}

/// Workflow, job and folder of the job here.
const HERE: &str = "ci/gate/.";

/// The first line of a comment of ours.
fn marker(of: &str) -> String {
    let sandbox = crate::support::Sandbox::bare_folder();
    let outcome = run(sandbox.command("sh").args(["-c", "printf '%s\\n' \"$0\" | cksum | tr ' ' -", of]));
    format!("<!-- specward {} -->", outcome.stdout.trim())
}

fn is_ready() -> bool {
    has(&crate::support::Sandbox::bare_folder(), &["bash", "curl", "jq"])
}

const COMMENTS: &str = "/repos/owner/project/issues/7/comments";

#[test]
fn the_first_report_is_a_new_comment() {
    if !is_ready() {
        return;
    }
    let server = Server::new(|method, path| match (method, path) {
        ("GET", "/user") => (403, json!({})),
        ("GET", path) if path.ends_with("page=1") => (200, page(None)),
        ("GET", _) => (200, json!([])),
        _ => (201, json!({ "id": 1 })),
    });
    let done = server.comment();
    done.says("a comment was written");
    let (method, path, text) = server.sent();
    assert_eq!((method.as_str(), path.as_str()), ("POST", COMMENTS));
    let start = format!("{}\n<!-- run 12/1 -->\n## specward: FAIL", marker(HERE));
    assert!(text.starts_with(&start) && text.len() <= 65_536, "{text}");
    // Whose it is, so that nobody takes it for that of a later commit.
    assert!(text.contains("\nFor commit ") && text.contains("/owner/project/actions/runs/12)"), "{text}");
}

#[test]
fn later_reports_replace_it() {
    if !is_ready() {
        return;
    }
    let server = Server::new(|method, path| match (method, path) {
        ("GET", "/user") => (403, json!({})),
        ("GET", path) if path.ends_with("page=1") => (200, page(None)),
        ("GET", _) => (200, page(Some(4711))),
        _ => (200, json!({})),
    });
    server.comment().says("comment 4711 is up to date");
    let (method, path, _) = server.sent();
    assert_eq!((method.as_str(), path.as_str()), ("PATCH", "/repos/owner/project/issues/comments/4711"));
}

#[test]
fn a_users_token_replaces_only_the_users_comment() {
    if !is_ready() {
        return;
    }
    let server = Server::new(|method, path| match (method, path) {
        ("GET", "/user") => (200, json!({ "login": "somebody" })),
        ("GET", path) if path.ends_with("page=1") => (200, page(Some(4711))),
        ("GET", _) => (200, json!([])),
        _ => (200, json!({})),
    });
    server.comment();
    assert_eq!(server.sent().1, "/repos/owner/project/issues/comments/3");
}

#[test]
fn a_token_that_may_not_comment_is_told() {
    if !is_ready() {
        return;
    }
    // A fork's token may read.
    let server = Server::new(|method, _| if method == "GET" { (200, json!([])) } else { (403, json!({})) });
    let done = server.comment();
    done.says("::notice::specward: no comment was written").says("pull-requests: write");
    assert_eq!(server.asked().len(), 3);
    let server = Server::new(|_, _| (500, json!({})));
    server.comment().says("the answer to a list of comments was 500");
    let server = Server::new(|_, _| (200, json!({ "login": "somebody" })));
    server.comment().says("what was answered is not understood");
    let nowhere = Server { address: "http://127.0.0.1:9".to_owned(), asked: Arc::default() };
    nowhere.comment().says("no comment was written");
}

/// A server without comments.
fn empty() -> Server {
    Server::new(|method, path| match (method, path) {
        ("GET", "/user") => (403, json!({})),
        ("GET", _) => (200, json!([])),
        _ => (201, json!({ "id": 1 })),
    })
}

#[test]
fn runs_that_could_not_start_are_commented_on() {
    if !is_ready() {
        return;
    }
    // Wrong arguments, a folder that is not there, a binary that is not there.
    let cases: [(&str, &str, &str); 4] = [
        ("args", "--bogus", "--bogus"),
        ("args", "--help", "could not start"),
        ("override-label", " ", "has no name"),
        ("version", "", "could not start"),
    ];
    for (input, value, words) in cases {
        let server = empty();
        let done = server.comment_with(|job| job.with(input, value));
        assert_eq!(done.code, 2, "{done:#?}");
        let text = server.sent().2;
        assert!(text.contains("## specward: UNVERIFIABLE") && text.contains(words), "{text}");
    }
}

#[test]
fn comments_have_the_key_of_their_use() {
    if !is_ready() {
        return;
    }
    let first_line = |change: fn(Job<'_>) -> Job<'_>| {
        let server = empty();
        server.comment_with(change);
        server.sent().2.lines().next().expect("a line").to_owned()
    };
    assert_eq!(first_line(|job| job), marker(HERE));
    assert_eq!(first_line(|job| job.set("GITHUB_JOB", "other")), marker("ci/other/."));
    assert_eq!(first_line(|job| job.with("working-directory", "openspec")), marker("ci/gate/openspec"));
    assert_eq!(first_line(|job| job.with("comment-key", "--> x")), marker("--> x"));
}
