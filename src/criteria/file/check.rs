//! One check of a criterion: which kind it is, and what that kind needs.

use std::time::Duration;

use super::FileFault;
use super::expect;
use super::node::{Fields, Node, Value};
use super::terms::{self, Terms};
use crate::config::duration;
use crate::criteria::model::{
    Check, CheckKind, CommandCheck, CommandLine, FileCheck, FileExpectation, JudgeCheck, JunitCheck, NewerThan,
    SearchCheck, SearchExpectation,
};

/// Keys that say which kind a check is.
const KINDS: &[&str] = &["command", "file", "search", "junit", "judge"];

/// All keys of a check.
const KEYS: &[&str] = &["name", "timeout", "command", "shell", "expect", "file", "search", "junit", "judge"];

/// The score a judge has to give when the file does not say, in thousandths.
const THRESHOLD: u16 = 800;

/// Reads an entry of `verify`.
pub(super) fn read(node: &Node, terms: &mut Terms) -> Result<Check, FileFault> {
    let fields = Fields::of(node, "a check", KEYS)?;
    let kind = match fields.among(KINDS).as_slice() {
        [] => return Err(fields.fault(format!("a check needs one of {}", listed(KINDS)))),
        [(kind, _, node)] => (*kind, *node),
        [(first, ..), (second, line, _), ..] => {
            let message = format!("a check has one kind, and this one has `{first}` and `{second}`");
            return Err(FileFault::at(*line, message));
        }
    };
    if kind.0 != "command"
        && let Some((key, line, _)) = fields.among(&["shell", "expect"]).first()
    {
        return Err(FileFault::at(*line, format!("`{key}` stands beside `command` only{}", inner_expect(kind.0, key))));
    }
    let name = fields.get("name").map(|node| node.text("name").map(super::one_line)).transpose()?;
    let timeout = fields.get("timeout").map(|node| time(node, "timeout")).transpose()?;
    let kind = match kind {
        ("command", node) => CheckKind::Command(command(node, &fields, terms)?),
        ("file", node) => CheckKind::File(file(node, terms)?),
        ("search", node) => CheckKind::Search(search(node, terms)?),
        ("junit", node) => CheckKind::Junit(junit(node, terms)?),
        (_, node) => CheckKind::Judge(judge(node)?),
    };
    Ok(Check { name, timeout, kind, line: node.line })
}

fn inner_expect(kind: &str, key: &str) -> &'static str {
    if kind == "search" && key == "expect" { "; that of `search` stands inside it" } else { "" }
}

fn listed(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// A length of time under `key`.
fn time(node: &Node, key: &str) -> Result<Duration, FileFault> {
    let found = match &node.value {
        Value::Int(seconds) => duration::of_seconds(*seconds),
        Value::Text(text) => duration::of_text(text),
        _ => Err(format!("it is {}; write a number of seconds, or such as `120s` or `1h 5m`", node.kind())),
    };
    found.map_err(|message| node.fault(format!("`{key}`: {message}")))
}

fn command(node: &Node, fields: &Fields<'_>, terms: &mut Terms) -> Result<CommandCheck, FileFault> {
    let is_shell = match fields.get("shell").map(|node| (node, &node.value)) {
        None => false,
        Some((_, Value::Bool(is_shell))) => *is_shell,
        Some((node, _)) => return Err(node.fault("`shell` has to be true or false")),
    };
    let command = match &node.value {
        Value::List(_) if is_shell => {
            return Err(node.fault("with `shell: true` the command is one line of text, not a list"));
        }
        Value::List(list) if list.is_empty() => return Err(node.fault("`command` is an empty list")),
        Value::List(list) => {
            // Only the program has to have a name; an argument may be empty.
            list[0].text("command")?;
            CommandLine::Argv(list.iter().map(argument).collect::<Result<_, _>>()?)
        }
        _ => {
            let line = node.text("command")?;
            if !is_shell {
                return Err(node.fault(format!(
                    "`command` has to be a list: `[{}]`; text is run by `sh -c`, only beside `shell: true`",
                    line.split_whitespace().map(list_item).collect::<Vec<_>>().join(", ")
                )));
            }
            CommandLine::Shell(line.to_owned())
        }
    };
    let expect = fields.get("expect").map(|node| expect::of_command(node, terms)).transpose()?.unwrap_or_default();
    Ok(CommandCheck { command, expect })
}

fn argument(node: &Node) -> Result<String, FileFault> {
    match &node.value {
        Value::Text(text) if text.is_empty() => Ok(String::new()),
        Value::Text(text) if !text.contains('\0') => Ok(text.clone()),
        _ => node.text("command").map(str::to_owned),
    }
}

/// A word as it can stand in a list.
fn list_item(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '=' | '+');
    let is_text = word.chars().all(is_plain) && word.starts_with(|c: char| c.is_alphabetic());
    if is_text { word.to_owned() } else { format!("'{}'", word.replace('\'', "''")) }
}

fn file(node: &Node, terms: &mut Terms) -> Result<FileCheck, FileFault> {
    let what = "`file`";
    let fields = Fields::of(node, what, &["path", "exists", "absent", "contains", "not-contains", "matches"])?;
    let path = terms::path(fields.need("path", what)?, "path")?;
    let flag = |key: &str| match fields.get(key) {
        None => Ok(false),
        Some(Node { value: Value::Bool(true), .. }) => Ok(true),
        Some(node) => Err(node.fault(format!("`{key}` has to be true, or is left out"))),
    };
    let (is_present, is_absent) = (flag("exists")?, flag("absent")?);
    let texts = fields.among(expect::TEXT);
    if is_absent {
        if let Some((key, line, _)) = fields.among(&["exists"]).into_iter().chain(texts).next() {
            return Err(FileFault::at(line, format!("`{key}` cannot hold of a file that is `absent`")));
        }
        return Ok(FileCheck { path, expect: FileExpectation::Absent });
    }
    if !is_present && texts.is_empty() {
        let keys = listed(&["exists", "absent", "contains", "not-contains", "matches"]);
        return Err(fields.fault(format!("`file` expects nothing; give one of {keys}")));
    }
    Ok(FileCheck { path, expect: FileExpectation::Exists(expect::text(&fields, terms)?) })
}

fn search(node: &Node, terms: &mut Terms) -> Result<SearchCheck, FileFault> {
    let what = "`search`";
    let fields = Fields::of(node, what, &["files", "pattern", "expect", "max"])?;
    let files = terms.globs(fields.need("files", what)?, "files")?;
    let written = fields.need("pattern", what)?;
    let pattern = written.text("pattern")?.to_owned();
    terms.expression(written.line, &pattern)?;
    let expect = match (fields.get("expect"), fields.get("max")) {
        (Some(_), Some(_)) => {
            let line = fields.line_of("expect").max(fields.line_of("max"));
            return Err(FileFault::at(line, "`expect` and `max` cannot stand beside each other"));
        }
        (Some(node), None) => match &node.value {
            Value::Text(word) if word == "absent" => SearchExpectation::Absent,
            Value::Text(word) if word == "present" => SearchExpectation::Present,
            _ => return Err(node.fault("`expect` of `search` has to be `absent` or `present`")),
        },
        (None, Some(node)) => match node.value {
            Value::Int(number) if number >= 0 => SearchExpectation::Max(usize::try_from(number).unwrap_or(usize::MAX)),
            _ => return Err(node.fault("`max` has to be a number of lines, 0 or more")),
        },
        (None, None) => {
            return Err(fields.fault("`search` expects nothing; give `expect: absent`, `expect: present` or `max`"));
        }
    };
    Ok(SearchCheck { files, pattern, expect })
}

fn junit(node: &Node, terms: &mut Terms) -> Result<JunitCheck, FileFault> {
    let what = "`junit`";
    let fields = Fields::of(node, what, &["report", "test", "newer-than"])?;
    let report = terms::path(fields.need("report", what)?, "report")?;
    let test = fields.get("test").map(|node| node.text("test").map(|test| test.trim().to_owned())).transpose()?;
    let newer_than = match fields.get("newer-than") {
        None => NewerThan::Run,
        Some(Node { value: Value::Text(word), .. }) if word == "run" => NewerThan::Run,
        Some(node) => NewerThan::Files(terms.globs(node, "newer-than")?),
    };
    Ok(JunitCheck { report, test, newer_than })
}

fn judge(node: &Node) -> Result<JudgeCheck, FileFault> {
    let what = "`judge`";
    let fields = Fields::of(node, what, &["rubric", "threshold"])?;
    let rubric = fields.need("rubric", what)?.text("rubric")?.trim().to_owned();
    let threshold = fields.get("threshold").map(threshold).transpose()?.unwrap_or(THRESHOLD);
    Ok(JudgeCheck { rubric, threshold })
}

/// A score in thousandths.
fn threshold(node: &Node) -> Result<u16, FileFault> {
    let score = match node.value {
        Value::Int(score) => score as f64,
        Value::Float(score) => score,
        _ => f64::NAN,
    };
    let thousandths = score * 1000.0;
    let rounded = thousandths.round();
    if !(0.0..=1000.0).contains(&rounded) || (thousandths - rounded).abs() > 1e-6 {
        return Err(node.fault("`threshold` has to be a number from 0 to 1 with at most three digits after the point"));
    }
    // In range, as was just seen.
    Ok(rounded as u16)
}
