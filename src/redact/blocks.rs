//! Secrets of several lines: private keys in armour, whole or cut, and block texts of YAML.

use std::sync::LazyLock;

use regex::Regex;

use super::{MARK, Span, compiled};

/// What was found in a text.
#[derive(Debug, Default)]
pub struct Blocks {
    /// How many private keys there are.
    pub keys: usize,
    /// How many block texts of YAML are secrets.
    pub scalars: usize,
    /// What to take out, line by line.
    pub spans: Vec<Span>,
}

/// The first or the last line of a private key.
static ARMOUR: LazyLock<Option<Regex>> =
    LazyLock::new(|| compiled(r"-{4,5} ?(?:(?P<begin>BEGIN)|END) (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}"));

/// Starts of keys in Base64 whose armour is missing: of OpenSSH, and of PKCS #8 and #1 for RSA.
static BARE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(r"(?-u:\b(?:b3BlbnNzaC1rZXktdjE|MII[A-Za-z0-9+/]{2,4}IBADANBgkqhkiG9w0BAQEFAAS)[A-Za-z0-9+/=]*)")
});

/// The line of a YAML key whose value is the indented lines below.
static SCALAR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r#"(?i-u:^[ \t]*(?:- )?["']?[\w.-]*(?:password|passwd|passphrase|secret|token|(?:api|access|secret|private|account|signing|encryption)[_-]?key)["']?:[ \t]*[|>][0-9+-]{0,2}[ \t]*\r?$)"#,
    )
});

/// Most lines between the first and the last of a key. A key of 16384 bits has about 200.
const MAX_LINES: usize = 400;

/// Finds them.
pub fn find(text: &str) -> Blocks {
    let mut blocks = Blocks::default();
    if memchr::memmem::find(text.as_bytes(), b"PRIVATE KEY").is_some() {
        armoured(text, &mut blocks);
    }
    if has_bare(text) {
        bare(text, &mut blocks);
    }
    if memchr::memchr2(b'|', b'>', text.as_bytes()).is_some() {
        scalars(text, &mut blocks);
    }
    blocks
}

fn has_bare(text: &str) -> bool {
    ["b3BlbnNzaC1rZXktdjE", "IBADANBgkqhkiG9w0BAQEFAAS"]
        .iter()
        .any(|start| memchr::memmem::find(text.as_bytes(), start.as_bytes()).is_some())
}

fn bare(text: &str, blocks: &mut Blocks) {
    let Some(bare) = BARE.as_ref() else { return };
    let mut known = blocks.spans.clone();
    known.sort_by_key(|span| span.start);
    let mut until = 0;
    for found in bare.find_iter(text) {
        let before = known.partition_point(|span| span.start <= found.start());
        if found.start() < until || before > 0 && found.start() < known[before - 1].end {
            continue;
        }
        blocks.keys += 1;
        blocks.spans.push(found.range());
        // What else is on its line is its own affair: there may be several keys, each found from its start.
        let rest = text[found.end()..].trim_start_matches([' ', '\t', '\r']);
        if rest.starts_with('\n') {
            let below = text.len() - rest.len() + 1;
            until = body(text, below..text.len(), false, &mut blocks.spans);
        }
    }
}

fn armoured(text: &str, blocks: &mut Blocks) {
    let Some(armour) = ARMOUR.as_ref() else { return };
    let marks: Vec<(Span, bool)> = armour
        .captures_iter(text)
        .filter_map(|found| Some((found.get(0)?.range(), found.name("begin").is_some())))
        .collect();
    let mut from = 0;
    let mut marks = marks.into_iter().peekable();
    while let Some((mark, is_begin)) = marks.next() {
        let before = blocks.spans.len();
        if is_begin {
            let limit = marks.peek().map_or(text.len(), |(next, _)| next.start);
            let is_closed = marks.peek().is_some_and(|(next, begins)| {
                !begins && memchr::memchr_iter(b'\n', &text.as_bytes()[mark.end..next.start]).count() <= MAX_LINES
            });
            body(text, mark.end..limit, is_closed, &mut blocks.spans);
            from = limit;
        } else if from < mark.start {
            // Its beginning was cut off.
            upwards(text, from..mark.start, &mut blocks.spans);
        }
        if blocks.spans[before..].iter().any(|span| !text[span.clone()].starts_with(MARK)) {
            blocks.keys += 1;
        }
        from = from.max(mark.end);
    }
}

/// Takes out key material of a region line by line: to its end when armour closes it, else to the first line without.
/// Returns where it stopped.
fn body(text: &str, region: Span, is_closed: bool, spans: &mut Vec<Span>) -> usize {
    let end = region.end;
    for (number, line) in lines(text, region).enumerate() {
        // What follows the mark on its own line may be a program's text.
        let least = if number == 0 { 16 } else { 1 };
        match material(&text[line.clone()], least) {
            Material::Key(parts) => {
                spans.extend(parts.into_iter().map(|part| line.start + part.start..line.start + part.end));
            }
            Material::Nothing => {}
            Material::Other if is_closed => {}
            Material::Other => return line.start,
        }
        if number > MAX_LINES {
            return line.end;
        }
    }
    end
}

/// Takes out key material above the last line of a key.
fn upwards(text: &str, region: Span, spans: &mut Vec<Span>) {
    let mut end = region.end;
    for number in 0..=MAX_LINES {
        let start = text[region.start..end].rfind('\n').map_or(region.start, |at| region.start + at + 1);
        let line = start..end;
        let least = if number == 0 { 16 } else { 1 };
        match material(&text[line], least) {
            Material::Key(parts) => {
                spans.extend(parts.into_iter().map(|part| start + part.start..start + part.end));
            }
            Material::Nothing => {}
            Material::Other if number == 0 => {}
            Material::Other => return,
        }
        if start == region.start {
            return;
        }
        end = start - 1;
    }
}

/// Fewest characters of key material among other things. Most programs write 64 on a line.
const MIN_RUN: usize = 24;

/// What a line within a key is.
enum Material {
    /// These parts are key material.
    Key(Vec<Span>),
    /// A header of the key, blank, or taken out before.
    Nothing,
    /// Of something else.
    Other,
}

/// What a line is. Whoever printed the key may have put something before each line.
fn material(line: &str, least: usize) -> Material {
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    // Escaped line ends: a key in a JSON string.
    let is_part = |c: char| is_base64(c) || c == '\\';
    let bare = line.trim_matches(|c: char| c.is_whitespace() || "+->|#*\"',;".contains(c));
    if bare.is_empty() {
        return Material::Nothing;
    }
    let start = line.len() - line.trim_start_matches(|c: char| c.is_whitespace() || "->|#*\"',;".contains(c)).len();
    let whole = &line[start..];
    let whole = whole.trim_end_matches(|c: char| c.is_whitespace() || "\"',;)".contains(c));
    // Blanks only where a whole key stands on one line.
    if whole.chars().all(|c| is_part(c) || c == ' ' && least > 1) && whole.len() >= least {
        let whole = start..start + whole.len();
        return Material::Key(vec![whole]);
    }
    let is_header = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "Subject:"];
    if is_header.iter().any(|header| bare.starts_with(header)) {
        return Material::Nothing;
    }
    // Long runs of a line with other things before and after.
    let mut runs = Vec::new();
    let mut from = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (is_part(c), from) {
            (true, None) => from = Some(at),
            (false, Some(start)) => {
                if at - start >= MIN_RUN {
                    runs.push(start..at);
                }
                from = None;
            }
            _ => {}
        }
    }
    match runs.is_empty() {
        false => Material::Key(runs),
        true if line.contains(MARK) => Material::Nothing,
        true => Material::Other,
    }
}

/// The lines of a region, without their ends. The first and the last may be parts of lines.
fn lines(text: &str, region: Span) -> impl Iterator<Item = Span> + '_ {
    let mut next = Some(region.start);
    std::iter::from_fn(move || {
        let start = next?;
        let end = memchr::memchr(b'\n', &text.as_bytes()[start..region.end]).map_or(region.end, |at| start + at);
        next = (end < region.end).then_some(end + 1);
        Some(start..end)
    })
}

/// Longest start of a line that may be a key of YAML.
const MAX_KEY: usize = 256;

fn scalars(text: &str, blocks: &mut Blocks) {
    let Some(scalar) = SCALAR.as_ref() else { return };
    let mut until = 0;
    for at in memchr::memchr2_iter(b'|', b'>', text.as_bytes()) {
        if at < until || !text[..at].trim_end_matches([' ', '\t']).ends_with(':') {
            continue;
        }
        let earliest = at.saturating_sub(MAX_KEY);
        let Some(start) = text.as_bytes()[earliest..at]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map(|at| earliest + at + 1)
            .or((earliest == 0).then_some(0))
        else {
            continue;
        };
        let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end);
        if end - at > 8 || !scalar.is_match(&text[start..end]) {
            continue;
        }
        let indent = text[start..at].len() - text[start..at].trim_start().len();
        let before = blocks.spans.len();
        until = end;
        for line in lines(text, (end + 1).min(text.len())..text.len()) {
            let content = text[line.clone()].trim();
            let start = line.end - text[line.clone()].trim_start().len();
            if !content.is_empty() && start - line.start <= indent {
                break;
            }
            if !content.is_empty() && !content.starts_with(MARK) && !content.starts_with("-----") {
                blocks.spans.push(start..start + content.len());
            }
            until = line.end;
        }
        blocks.scalars += usize::from(blocks.spans.len() > before);
    }
}
