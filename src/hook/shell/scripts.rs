//! Files that a script in another language opens for writing by a name that stands there.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::hook::targets::{Action, Target};

/// Longer scripts are not read.
const MAX_SCRIPT: usize = 256 * 1024;

/// What every script that writes has at least one of. Patterns take longer to make than a hook may take.
const HINTS: &[&str] = &[
    "open(", "write", "append", "unlink", "remove", "rm", "truncate", "rename", "replace", "move", "copy", "touch",
    "delete",
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
    ];
    patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
});

/// Whether a program runs scripts it is given on its command line.
pub(super) fn is_interpreter(name: &str) -> bool {
    name.starts_with("python") || matches!(name, "node" | "nodejs" | "deno" | "bun" | "ruby" | "perl")
}

/// The files a script evidently writes to.
pub(super) fn targets(script: &str, folder: &Path) -> Vec<Target> {
    if script.len() > MAX_SCRIPT || !HINTS.iter().any(|hint| script.contains(hint)) {
        return Vec::new();
    }
    let names = WRITES.iter().flat_map(|pattern| pattern.captures_iter(script)).filter_map(|found| found.get(1));
    names.map(|name| Target::new(folder.join(name.as_str()), Action::Write)).collect()
}
