//! A document of cases, read from Markdown.

use std::ops::Range;

use super::escape::unescape;

/// What may stand in a file's info string, after the language.
const KEYS: &[&str] = &["path", "encoding", "link"];

/// A document: files every case has, and the cases.
#[derive(Debug, Default)]
pub struct Document {
    /// The `#` heading.
    pub title: String,
    /// Files above the first case.
    pub shared: Vec<File>,
    /// The cases, in order.
    pub cases: Vec<Case>,
    lines: Vec<String>,
}

/// A case: what is done, in order.
#[derive(Debug)]
pub struct Case {
    /// The `##` heading.
    pub name: String,
    /// Files and commands.
    pub steps: Vec<Step>,
}

/// A file to be written, or commands to be run.
#[derive(Debug)]
pub enum Step {
    /// A file.
    File(File),
    /// A console block.
    Console(Console),
}

/// Something to be put into the scratch folder.
#[derive(Debug)]
pub struct File {
    /// From the scratch folder. A slash at the end means a folder.
    pub path: String,
    /// What it is.
    pub content: Content,
}

/// What a [`File`] is.
#[derive(Debug)]
pub enum Content {
    /// A regular file.
    Bytes(Vec<u8>),
    /// A symbolic link.
    Link(String),
    /// An empty folder.
    Folder,
}

/// Commands and what they are expected to print.
#[derive(Debug)]
pub struct Console {
    /// What stands between the fences.
    pub body: String,
    /// 0-based lines of the document between the fences.
    pub lines: Range<usize>,
}

impl Case {
    /// Its console blocks.
    pub fn consoles(&self) -> impl Iterator<Item = &Console> {
        self.steps.iter().filter_map(|step| match step {
            Step::Console(console) => Some(console),
            Step::File(_) => None,
        })
    }
}

impl Document {
    /// Reads a document. Errors begin with the 1-based line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut document = Self { lines: text.lines().map(str::to_owned).collect(), ..Self::default() };
        let mut at = 0;
        while at < document.lines.len() {
            let line = document.lines[at].clone();
            if let Some((fence, info)) = opening_fence(&line) {
                let closes =
                    |line: &String| line.trim_end().len() >= fence && line.trim_end().bytes().all(|b| b == b'`');
                let length = document.lines[at + 1..].iter().position(closes);
                let end = at + 1 + length.ok_or_else(|| format!("{}: this fence is not closed", at + 1))?;
                document.block(info, at + 1..end).map_err(|error| format!("{}: {error}", at + 1))?;
                at = end;
            } else if let Some(name) = line.strip_prefix("## ") {
                document.cases.push(Case { name: name.trim().to_owned(), steps: Vec::new() });
            } else if let Some(title) = line.strip_prefix("# ") {
                document.title = title.trim_matches(['`', ' ']).to_owned();
            }
            at += 1;
        }
        match document.cases.iter().find(|case| case.consoles().next().is_none()) {
            Some(case) => Err(format!("1: the case `{}` has no console block", case.name)),
            None if document.cases.is_empty() => Err("1: there is no case (a `## ` heading)".to_owned()),
            None => Ok(document),
        }
    }

    /// Takes a fenced block. One that is neither a file nor a console is prose.
    fn block(&mut self, info: &str, lines: Range<usize>) -> Result<(), String> {
        let body: String = self.lines[lines.clone()].iter().flat_map(|line| [line, "\n"]).collect();
        if info == "console" {
            let case = self.cases.last_mut().ok_or("a console block above the first case")?;
            case.steps.push(Step::Console(Console { body, lines }));
        } else if let Some(file) = file(info, body)? {
            match self.cases.last_mut() {
                Some(case) => case.steps.push(Step::File(file)),
                None => self.shared.push(file),
            }
        }
        Ok(())
    }

    /// The document with other outputs.
    pub fn updated(&self, results: &[(&Console, String)]) -> String {
        let mut lines = self.lines.clone();
        for (console, actual) in results.iter().rev() {
            lines.splice(console.lines.clone(), actual.lines().map(str::to_owned));
        }
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }
}

/// Length and info string of a fence at column 0.
fn opening_fence(line: &str) -> Option<(usize, &str)> {
    let info = line.trim_start_matches('`');
    let length = line.len() - info.len();
    (length >= 3).then(|| (length, info.trim()))
}

fn file(info: &str, body: String) -> Result<Option<File>, String> {
    let mut values = [None; KEYS.len()];
    for word in info.split_whitespace().skip(1) {
        let (key, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is no `key=value`"))?;
        let known = KEYS.iter().position(|known| *known == key).ok_or_else(|| format!("unknown key `{key}`"))?;
        values[known] = Some(value);
    }
    let [path, encoding, link] = values;
    let Some(path) = path else { return Ok(None) };
    let is_outside = path.starts_with('/') || path.split('/').any(|part| part == "..");
    if is_outside {
        return Err(format!("`{path}` leads out of the scratch folder"));
    }
    let content = match (link, encoding) {
        (Some(target), None) if body.is_empty() => Content::Link(target.to_owned()),
        (None, None) if path.ends_with('/') && body.is_empty() => Content::Folder,
        (Some(_), _) => return Err("a link has no content".to_owned()),
        _ if path.ends_with('/') => return Err("a folder has no content".to_owned()),
        (None, None) => Content::Bytes(body.into_bytes()),
        (None, Some("escaped")) => Content::Bytes(unescape(&body)?),
        (None, Some(other)) => return Err(format!("unknown encoding `{other}`")),
    };
    Ok(Some(File { path: path.to_owned(), content }))
}

#[test]
fn blocks() {
    let text =
        "# `a/b`\n```md path=all.md\nx\n```\n## One\n````md path=d/x.md\n## no\n```\n````\n```console\n$ x\n```\n";
    let document = Document::parse(text).expect("a document");
    assert_eq!((document.title.as_str(), document.shared.len(), document.cases.len()), ("a/b", 1, 1));
    assert!(matches!(&document.cases[0].steps[0], Step::File(file) if file.path == "d/x.md"));
    let console = document.cases[0].consoles().next().expect("a console");
    let updated = document.updated(&[(console, "$ x\ny\n? 1\n".to_owned())]);
    assert_eq!(updated, text.replace("$ x\n", "$ x\ny\n? 1\n"));
}

#[test]
fn mistakes_are_told() {
    let error = |text: &str| Document::parse(text).map(drop).expect_err("a mistake");
    assert_eq!(error("## A\n```md pth=x\n```\n"), "2: unknown key `pth`");
    assert_eq!(error("## A\n```md path=../x\n```\n"), "2: `../x` leads out of the scratch folder");
    assert_eq!(error("## A\n```console\n"), "2: this fence is not closed");
    assert_eq!(error("## A\n"), "1: the case `A` has no console block");
}
