//! Task lists: checkboxes, their numbers and the groups they stand under.

use super::js;

/// A checkbox line of a task file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task<'t> {
    /// 0-based line.
    pub line: usize,
    /// Whether the box is ticked.
    pub done: bool,
    /// What follows the box, trimmed.
    pub text: &'t str,
}

/// All checkboxes of a task file, those in code fences included, as the reference counts them.
///
/// Lines end at `\n` only: a lone carriage return does not separate tasks.
pub fn tasks(content: &str) -> impl Iterator<Item = Task<'_>> {
    content.split('\n').enumerate().filter_map(|(line, text)| task(text).map(|task| Task { line, ..task }))
}

/// Ticked and total boxes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Ticked boxes.
    pub completed: usize,
    /// All boxes.
    pub total: usize,
}

impl Progress {
    /// Counts a file's boxes.
    pub fn of(content: &str) -> Self {
        tasks(content).fold(Self::default(), |sum, task| Self {
            completed: sum.completed + usize::from(task.done),
            total: sum.total + 1,
        })
    }

    /// Adds another file's boxes.
    pub fn plus(self, other: Self) -> Self {
        Self { completed: self.completed + other.completed, total: self.total + other.total }
    }
}

/// Reads one line. A bullet (`-`, `*`, `+`, `1.`, `1)`), then `[` and `]` around at most one character; a link
/// (`[x](…)`, `[x][…]`) is no box, unless the brackets hold only blanks.
pub fn task(line: &str) -> Option<Task<'_>> {
    let rest = js::trim_start(strip_bullet(js::trim_start(line))?).strip_prefix('[')?;
    let inner = js::trim_start(rest);
    let mark = inner.chars().next()?;
    let is_blank = mark == ']';
    // One character to JavaScript: most emoji are two.
    if mark.len_utf16() > 1 {
        return None;
    }
    let tail = if is_blank { inner } else { js::trim_start(&inner[mark.len_utf8()..]) }.strip_prefix(']')?;
    let has_space = inner.len() < rest.len();
    if tail.starts_with(['(', '[']) && !(is_blank && has_space) {
        return None;
    }
    let text = js::trim_start(tail);
    let end = text.find(js::is_line_terminator).unwrap_or(text.len());
    Some(Task { line: 0, done: matches!(mark, 'x' | 'X'), text: js::trim(&text[..end]) })
}

fn strip_bullet(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '+']) {
        return Some(rest);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=9).contains(&digits) {
        return None;
    }
    line[digits..].strip_prefix(['.', ')'])
}

/// A task with a number, under a numbered group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberedTask<'t> {
    /// 0-based line.
    pub line: usize,
    /// Its number, such as `1.2` or `1.2a`.
    pub id: &'t str,
    /// The number of the group (`## 1. …`) it stands under.
    pub group: &'t str,
}

impl NumberedTask<'_> {
    /// Whether the leading number is the group's, leading zeros aside.
    pub fn is_in_its_group(&self) -> bool {
        let leading = self.id.split('.').next().unwrap_or_default();
        without_zeros(leading) == without_zeros(self.group)
    }

    /// The group the number points to.
    pub fn named_group(&self) -> &str {
        self.id.split('.').next().unwrap_or_default()
    }
}

fn without_zeros(number: &str) -> &str {
    let trimmed = number.trim_start_matches('0');
    if trimmed.is_empty() { "0" } else { trimmed }
}

/// Tasks that carry a number under a `## N.` heading. A file without such headings has none.
pub fn numbered_tasks(content: &str) -> Vec<NumberedTask<'_>> {
    let mut group = None;
    let mut numbered = Vec::new();
    for (line, text) in content.split('\n').enumerate() {
        if let Some(heading) = level_two(text) {
            group = group_number(heading);
        }
        let Some(group) = group else { continue };
        if let Some(id) = task(text).and_then(|task| task_id(task.text)) {
            numbered.push(NumberedTask { line, id, group });
        }
    }
    numbered
}

/// What follows `##` of a level-2 heading, at most three blanks before it.
fn level_two(line: &str) -> Option<&str> {
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    let rest = line.get(indent..).filter(|_| indent <= 3)?.strip_prefix("##")?;
    let blank = rest.trim_start_matches([' ', '\t']);
    (blank.len() < rest.len() || rest.is_empty() || rest == "\r").then_some(rest)
}

fn group_number(after_hashes: &str) -> Option<&str> {
    let text = after_hashes.trim_start_matches([' ', '\t']);
    if text.len() == after_hashes.len() {
        return None;
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].strip_prefix('.').filter(|_| digits > 0)?;
    (rest.is_empty() || rest == "\r" || rest.starts_with([' ', '\t'])).then(|| &text[..digits])
}

/// `1.2`, `1.2.3` or `1.2a` at the start of a task, ended by white space.
fn task_id(text: &str) -> Option<&str> {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    let mut parts = usize::from(end > 0);
    while parts > 0 && text[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
        parts += 1;
    }
    if parts < 2 {
        return None;
    }
    end += text[end..].bytes().take_while(u8::is_ascii_alphabetic).count();
    text[end..].chars().next().is_none_or(js::is_space).then(|| &text[..end])
}

/// 0-based line of the first list item in what a reader would see: outside fences, HTML comments, front matter and
/// indented code.
pub fn first_list_item(content: &str) -> Option<usize> {
    let lines: Vec<&str> = content.split('\n').collect();
    let mut fence: Option<(u8, usize)> = None;
    let mut in_comment = false;
    for (index, line) in lines.iter().enumerate().skip(front_matter_end(&lines)) {
        if in_comment {
            in_comment = !line.contains("-->");
            continue;
        }
        if let Some((marker, run, tail)) = commonmark_fence(line) {
            match fence {
                None => fence = Some((marker, run)),
                Some((open, length)) if marker == open && run >= length && js::trim(tail).is_empty() => fence = None,
                Some(_) => {}
            }
            continue;
        }
        if fence.is_some() {
            continue;
        }
        if let Some(comment) = js::trim_start(line).strip_prefix("<!--") {
            in_comment = !comment.contains("-->");
        } else if is_list_item(line) {
            return Some(index);
        }
    }
    None
}

fn front_matter_end(lines: &[&str]) -> usize {
    let is_delimiter = |line: &str| js::trim_end(line) == "---";
    let opens = lines.first().is_some_and(|line| is_delimiter(line.strip_prefix('\u{feff}').unwrap_or(line)));
    if !opens {
        return 0;
    }
    lines.iter().skip(1).position(|line| is_delimiter(line)).map_or(0, |at| at + 2)
}

/// A fence with at most three blanks before it, as CommonMark wants and the fence mask of specs does not.
fn commonmark_fence(line: &str) -> Option<(u8, usize, &str)> {
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    let rest = line.get(indent..).filter(|_| indent <= 3)?;
    let marker = *rest.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let run = rest.bytes().take_while(|byte| *byte == marker).count();
    (run >= 3).then(|| {
        let tail = &rest[run..];
        (marker, run, &tail[..tail.find(js::is_line_terminator).unwrap_or(tail.len())])
    })
}

fn is_list_item(line: &str) -> bool {
    let mut column = 0;
    for c in line.chars() {
        match c {
            ' ' => column += 1,
            '\t' => column += 4 - column % 4,
            _ => break,
        }
    }
    let Some(rest) = strip_bullet(js::trim_start(line)) else { return false };
    column < 4 && rest.starts_with(js::is_space) && !js::trim(rest).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(bool, &str)> {
        task(line).map(|task| (task.done, task.text))
    }

    #[test]
    fn boxes() {
        assert_eq!(read("- [ ] 1.1 a "), Some((false, "1.1 a")));
        assert_eq!(read("  12) [ x ]b\r"), Some((true, "b")));
        assert_eq!(read("+ [] c"), Some((false, "c")));
        assert_eq!(read("- [-] d"), Some((false, "d")));
        assert_eq!(read("- [x](link)"), None);
        assert_eq!(read("- [](link)"), None);
        assert_eq!(read("- [ ](link)"), Some((false, "(link)")));
        assert_eq!(read("- [ab] e"), None);
        assert_eq!(read("- [\u{1f389}] e"), None);
        assert_eq!(read("text [x]"), None);
    }

    #[test]
    fn numbering() {
        let list =
            numbered_tasks("- [ ] 9.9 before\n## 01. A\n- [x] 1.1 a\n- [ ] 2.1a b\n- [ ] 1.x c\n## Other\n- [ ] 3.3\n");
        let seen: Vec<_> = list.iter().map(|task| (task.line, task.id, task.is_in_its_group())).collect();
        assert_eq!(seen, [(2, "1.1", true), (3, "2.1a", false)]);
    }

    #[test]
    fn list_items_a_reader_sees() {
        assert_eq!(first_list_item("---\n- tag\n---\n```\n- a\n```\n<!--\n- b\n-->\n    - code\n- c\n"), Some(10));
        assert_eq!(first_list_item("-a\n1.b\n"), None);
    }
}
