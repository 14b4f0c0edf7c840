//! Our pages in pieces: headings, links, code. Only as much of Markdown as they use.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The top of the repository.
pub const TOP: &str = env!("CARGO_MANIFEST_DIR");

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// 1-based, of the opening fence.
    pub line: usize,
    /// The word behind the opening fence, such as `console`.
    pub language: String,
    /// What stands between the fences, without their indentation.
    pub text: String,
}

/// A piece of a paragraph.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece {
    /// 1-based, where its paragraph begins.
    pub line: usize,
    /// A link's target, or what stands between backticks.
    pub text: String,
}

/// A page of Markdown.
#[derive(Debug, Default)]
pub struct Page {
    /// Fenced blocks.
    pub blocks: Vec<Block>,
    /// Targets of links and images.
    pub links: Vec<Piece>,
    /// Code within prose.
    pub codes: Vec<Piece>,
    /// What `#…` may name.
    pub anchors: BTreeSet<String>,
}

impl Page {
    /// Takes a page apart.
    pub fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut paragraph = Piece { line: 0, text: String::new() };
        let mut lines = text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            let bare = line.trim_start();
            let indent = line.len() - bare.len();
            let marker: String = bare.chars().take_while(|&c| bare.starts_with(c) && "`~".contains(c)).collect();
            if marker.len() >= 3 {
                page.prose(&mut paragraph);
                let mut content = String::new();
                for (_, line) in lines.by_ref() {
                    let rest = line.trim();
                    if rest.starts_with(&marker) && rest.chars().all(|c| marker.starts_with(c)) {
                        break;
                    }
                    content += line.get(indent..).unwrap_or(line.trim_start());
                    content.push('\n');
                }
                let language = bare[marker.len()..].trim().to_owned();
                page.blocks.push(Block { line: index + 1, language, text: content });
            } else if bare.is_empty() {
                page.prose(&mut paragraph);
            } else {
                let level = line.bytes().take_while(|&byte| byte == b'#').count();
                if (1..=6).contains(&level) && line[level..].starts_with(' ') {
                    page.prose(&mut paragraph);
                    page.anchor(line[level..].trim());
                }
                if paragraph.text.is_empty() {
                    paragraph.line = index + 1;
                }
                paragraph.text += line.trim();
                paragraph.text.push(' ');
            }
        }
        page.prose(&mut paragraph);
        page
    }

    /// Collects the code and links of a paragraph, and empties it.
    fn prose(&mut self, paragraph: &mut Piece) {
        let line = paragraph.line;
        let text = std::mem::take(&mut paragraph.text);
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['`', ']']) {
            rest = &rest[at..];
            if let Some(target) = rest.strip_prefix("](") {
                let end = target.find(')').expect("a link's target ends");
                self.links.push(Piece { line, text: target[..end].to_owned() });
                rest = &target[end..];
                continue;
            }
            let ticks = rest.bytes().take_while(|&byte| byte == b'`').count();
            let (marker, after) = rest.split_at(ticks.max(1));
            rest = after;
            if let Some(end) = (ticks > 0).then(|| after.find(marker)).flatten() {
                self.codes.push(Piece { line, text: after[..end].trim().to_owned() });
                rest = &after[end + ticks..];
            }
        }
    }

    /// GitHub and mdBook make the same of a heading, as long as it holds what ours do.
    fn anchor(&mut self, heading: &str) {
        // Of a link only its text is seen.
        let mut seen = String::new();
        let mut rest = heading;
        while let Some((before, after)) = rest.split_once("](") {
            seen += before;
            rest = after.split_once(')').map_or("", |(_, behind)| behind);
        }
        seen += rest;
        let kept = seen.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then(|| c.to_ascii_lowercase()),
        });
        let name: String = kept.collect();
        let taken = |count: usize| if count == 0 { name.clone() } else { format!("{name}-{count}") };
        let free = (0..).map(taken).find(|name| !self.anchors.contains(name)).expect("numbers do not end");
        self.anchors.insert(free);
    }
}

/// Every page that is checked, by its path from the top.
pub fn all() -> BTreeMap<String, Page> {
    let mut found = BTreeMap::new();
    let mut folders = vec!["docs".to_owned()];
    let mut files: Vec<String> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/cases/README.md"].map(str::to_owned).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(Path::new(TOP).join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().expect("a type").is_dir() {
                folders.push(path);
            } else if path.ends_with(".md") {
                files.push(path);
            }
        }
    }
    for file in files {
        found.insert(file.clone(), Page::parse(&read(&file)));
    }
    found
}

/// A file's text, by its path from the top.
pub fn read(path: &str) -> String {
    let text = fs::read_to_string(Path::new(TOP).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.replace("\r\n", "\n")
}

/// Whether what is generated shall be written.
#[expect(clippy::disallowed_methods, reason = "a switch of the tests, not of the program")]
pub fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

#[test]
fn a_page_is_taken_apart() {
    let page = Page::parse(
        "# A `b-c` [d](e.md), f_g\n\nSee [`x`](y.md#z)\nand ``a ` b`` and `over\nlines`.\n\n  ```console\n  $ [no](link) `code`\n  ```\n## A\n## A\n",
    );
    let texts = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&page.links), ["e.md", "y.md#z"]);
    assert_eq!(texts(&page.codes), ["b-c", "x", "a ` b", "over lines"]);
    let block = Block { line: 7, language: "console".to_owned(), text: "$ [no](link) `code`\n".to_owned() };
    assert_eq!(page.blocks, [block]);
    assert_eq!(page.anchors.iter().collect::<Vec<_>>(), ["a", "a-1", "a-b-c-d-f_g"]);
}
