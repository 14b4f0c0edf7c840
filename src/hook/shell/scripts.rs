//! Files that a script in another language opens for writing by a name that stands there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What every script that writes has at least one of. Patterns take longer to make than a hook may take.
const HINTS: &[&str] = &[
    "open(",
    "write",
    "append",
    "unlink",
    "remove",
    "rm",
    "truncate",
    "rename",
    "replace",
    "move",
    "copy",
    "touch",
    "delete",
    "terminal(",
    "system(",
    "subprocess",
    "execSync(",
    "patch(",
    "edit_file(",
];

/// A name in quotes.
const NAME: &str = r#"["'`]([^"'`\n]+)["'`]"#;

/// Calls that write to the file they are given, or to a path object made right before them.
static WRITES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let functions = "writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|unlink|unlinkSync|rmSync|\
                     truncate|truncateSync|remove|rmtree|removedirs|rename|renameSync|replace|File\\.write|File\\.delete";
    let methods = "write_text|write_bytes|unlink|touch|rename|replace|open\\(\\s*[\"'][wax]";
    let patterns = [
        // open('name', 'w'), File.open("name", "a")
        format!(r#"\bopen\(\s*{NAME}\s*,\s*(?:mode\s*=\s*)?["'](?:[wax]|r[bt]?\+)"#),
        format!(r"\b(?:os|shutil|fs|fsp|promises|File)\.(?:{functions})\(\s*{NAME}"),
        format!(r"\b(?:writeFileSync|appendFileSync|unlinkSync|rmSync)\(\s*{NAME}"),
        format!(r"\bPath\(\s*{NAME}\s*\)\.(?:{methods})"),
        // Where something is moved or copied to.
        format!(
            r"\b(?:os|shutil|fs|fsp|promises)\.(?:rename|renameSync|replace|move|copy|copy2|copyfile|copyFile|copyFileSync|cpSync)\([^,()\n]+,\s*{NAME}"
        ),
        format!(r"\bshutil\.move\(\s*{NAME}"),
        // Tools of a client that a script may call.
        format!(
            r"\b(?:write_file|edit_file|create_file|delete_file|move_file|patch)\((?:[^()\n]*?\bpath\s*=)?\s*{NAME}"
        ),
    ];
    patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
});

/// Whether a program runs scripts it is given on its command line.
pub(super) fn is_interpreter(name: &str) -> bool {
    name.starts_with("python") || matches!(name, "node" | "nodejs" | "deno" | "bun" | "ruby" | "perl")
}

/// Calls that run a shell line.
static LINES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let calls = r"os\.system|os\.popen|subprocess\.\w+|execSync|terminal|system";
    let pattern = format!(r#"\b(?:{calls})\(\s*(?:command\s*=\s*)?(?:"([^"\n]+)"|'([^'\n]+)')"#);
    Regex::new(&pattern).ok()
});

/// A name that a text is assigned to, also one that stands for a path object.
static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let value = r#"(?:Path\(\s*)?(["'][^"'`\n]+["'])\)?"#;
    Regex::new(&format!(
        r"(?m)(?:^|[;{{(]|\b(?:const|let|var|my))[ \t]*\$?([A-Za-z_]\w*)[ \t]*=[ \t]*{value}[ \t]*(?:;|$)"
    ))
    .ok()
});

/// A name, with what stands before and behind it.
static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"(^|[^\w."'`])\$?([A-Za-z_]\w*)\b"#).ok());

/// What a script evidently does.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// Files it writes to.
    pub files: Vec<String>,
    /// Shell lines it runs.
    pub lines: Vec<String>,
}

/// Reads a script.
pub(super) fn read(script: &str) -> Script {
    if !HINTS.iter().any(|hint| script.contains(hint)) {
        return Script::default();
    }
    let script = with_values(script);
    let files = WRITES.iter().flat_map(|pattern| pattern.captures_iter(&script)).filter_map(|found| found.get(1));
    let lines = LINES.iter().flat_map(|pattern| pattern.captures_iter(&script));
    let lines = lines.filter_map(|found| found.get(1).or_else(|| found.get(2)).map(|line| line.as_str().to_owned()));
    Script { lines: lines.collect(), files: files.map(|name| name.as_str().to_owned()).collect() }
}

/// The script with texts in the place of names that are assigned once.
fn with_values(script: &str) -> Cow<'_, str> {
    let (Some(assigned), Some(names)) = (&*ASSIGNED, &*NAMES) else { return Cow::Borrowed(script) };
    let mut values: HashMap<&str, Option<&str>> = HashMap::new();
    for found in assigned.captures_iter(script) {
        if let (Some(name), Some(value)) = (found.get(1), found.get(2)) {
            let value = Some(value.as_str());
            values.entry(name.as_str()).and_modify(|known| *known = None).or_insert(value);
        }
    }
    if values.is_empty() {
        return Cow::Borrowed(script);
    }
    names.replace_all(script, |found: &Captures<'_>| {
        let whole = &found[0];
        let end = found.get(0).map_or(0, |whole| whole.end());
        let rest = script[end..].trim_start();
        let is_assigned = rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with(['"', '\'']);
        match values.get(&found[2]).copied().flatten().filter(|_| !is_assigned) {
            // `p.write_text(…)` is a method of what the name stands for.
            Some(value) if rest.starts_with('.') => format!("{}Path({value})", &found[1]),
            Some(value) => format!("{}{value}", &found[1]),
            None => whole.to_owned(),
        }
    })
}
