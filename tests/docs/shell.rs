//! Lines for a shell as words. Only as much of the language as our pages use.

use crate::pages::{Block, Page};

/// A simple command on a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// 1-based, on the page.
    pub line: usize,
    /// Program and arguments.
    pub words: Vec<String>,
}

/// All commands of a page's blocks: what stands behind `$ ` in a console, what a script has, what a CI file runs.
pub fn lines(page: &Page) -> Vec<Line> {
    page.blocks.iter().flat_map(block).collect()
}

fn block(block: &Block) -> Vec<Line> {
    let mut found = Vec::new();
    let mut document: Option<String> = None;
    let mut lines = block.text.lines().enumerate();
    while let Some((index, text)) = lines.next() {
        if let Some(end) = &document {
            document = (text.trim() != end).then(|| end.clone());
            continue;
        }
        let text = match block.language.as_str() {
            "console" => text.strip_prefix("$ "),
            "sh" | "bash" | "make" | "makefile" => Some(text),
            "yaml" | "toml" => run_by_ci(text),
            _ => None,
        };
        let Some(mut text) = text.map(without_expressions) else { continue };
        while let Some(begun) = text.strip_suffix('\\') {
            let next = lines.next().map_or("", |(_, next)| next);
            text = format!("{begun}{}", next.trim_start().trim_start_matches("> "));
        }
        document = text.split_once("<<").map(|(_, end)| end.trim_matches(['-', '\'', '"', ' ']).to_owned());
        let line = block.line + 1 + index;
        found.extend(commands(&text).into_iter().map(|words| Line { line, words }));
    }
    found
}

/// A line of a CI file, without the key before it.
fn run_by_ci(line: &str) -> Option<&str> {
    let line = line.trim_start().trim_start_matches("- ");
    let line = ["run:", "entry:", "script:"].iter().find_map(|key| line.strip_prefix(key)).unwrap_or(line);
    let line = line.trim_start().trim_start_matches(['"', '\'']);
    line.starts_with("specward ").then_some(line)
}

/// A number in place of each `${{ … }}`, as a CI service puts one there.
fn without_expressions(line: &str) -> String {
    let mut parts = line.split("${{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| line + "1" + part.split_once("}}").map_or("", |(_, rest)| rest))
}

/// The simple commands of a line.
pub fn commands(line: &str) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('#', None) if word.is_none() => break,
            ('\\', None) => word.get_or_insert_default().extend(chars.next()),
            (' ' | '|' | '&' | ';' | '<' | '>', None) => {
                let whole = word.take().filter(|word| c == ' ' || word.parse::<u8>().is_err());
                let last = found.last_mut().expect("there is always one");
                last.extend(whole);
                if c != ' ' && !last.is_empty() {
                    found.push(Vec::new());
                }
            }
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    found.last_mut().expect("there is always one").extend(word);
    found.retain(|words| !words.is_empty());
    found
}

#[test]
fn lines_become_words() {
    assert_eq!(commands("a 'b c' \"d\"e  # f"), [["a", "b c", "de"]]);
    assert_eq!(
        commands("a b 2>/dev/null | c || d; e"),
        [vec!["a", "b"], vec!["/dev/null"], vec!["c"], vec!["d"], vec!["e"]]
    );
    let page = Page::parse(
        "```console\n$ a \\\n> b\nx\n$ c\n```\n```yaml\nname: specward is\n- run: specward x ${{ y }}/3\n```\n```sh\ncat <<'END'\ny\nEND\nd\n```\n",
    );
    let words: Vec<_> = lines(&page).into_iter().map(|line| (line.line, line.words.join(" "))).collect();
    let expected = [(2, "a b"), (5, "c"), (9, "specward x 1/3"), (12, "cat"), (12, "END"), (15, "d")];
    assert_eq!(words, expected.map(|(line, words)| (line, words.to_owned())));
}
