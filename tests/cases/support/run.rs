//! Runs a case in a scratch folder of its own, cut off from the machine it runs on.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use regex::Regex;

use super::document::{Case, Console, Content, File, Step};

/// Durations, which no two runs share.
static DURATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?<before>"durationMs": )\d+|\b\d+(?:\.\d+)?(?<after> ?m?s)\b"#).expect("a valid expression")
});

/// Runs a case. Returns each console block with what it prints now.
pub fn case<'c>(shared: &[File], case: &'c Case) -> Result<Vec<(&'c Console, String)>, String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    // Links resolved: the program prints the real path, and on macOS the folder for temporary files is a link.
    let top = fs::canonicalize(scratch.path()).map_err(|error| error.to_string())?;
    let (root, home) = (top.join("root"), top.join("home"));
    for folder in [&root, &home] {
        fs::create_dir(folder).map_err(|error| error.to_string())?;
    }
    for file in shared {
        write(&root, file)?;
    }
    let mut consoles = Vec::new();
    for step in &case.steps {
        match step {
            Step::File(file) => write(&root, file)?,
            Step::Console(console) => {
                let mut printed = String::new();
                for line in console.body.lines().filter(|line| line.starts_with("$ ")) {
                    printed += &format!("{line}\n{}", command(&root, &home, &line[2..])?);
                }
                consoles.push((console, printed));
            }
        }
    }
    Ok(consoles)
}

fn write(root: &Path, file: &File) -> Result<(), String> {
    let path = root.join(file.path.trim_end_matches('/'));
    let complain = |error: std::io::Error| format!("{}: {error}", file.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(complain)?;
    }
    if matches!(file.content, Content::Link(_)) && path.is_symlink() | path.is_file() {
        fs::remove_file(&path).map_err(complain)?;
    }
    match &file.content {
        Content::Bytes(bytes) => fs::write(&path, bytes),
        Content::Folder => fs::create_dir_all(&path),
        #[cfg(unix)]
        Content::Link(target) => std::os::unix::fs::symlink(target, &path),
        #[cfg(not(unix))]
        Content::Link(target) => std::os::windows::fs::symlink_file(target, &path),
    }
    .map_err(complain)
}

/// Runs a command line, `NAME=value` words before it as environment, and returns its output as a console block shows it.
fn command(root: &Path, home: &Path, line: &str) -> Result<String, String> {
    let words = words(line)?;
    let is_variable = |word: &&String| word.split_once('=').is_some_and(|(name, _)| name.bytes().all(is_name));
    let variables: Vec<(&str, &str)> =
        words.iter().take_while(is_variable).filter_map(|word| word.split_once('=')).collect();
    let (program, arguments) = words[variables.len()..].split_first().ok_or("an empty command")?;
    let mut command = clean(match program.as_str() {
        "specward" => env!("CARGO_BIN_EXE_specward"),
        "git" => "git",
        other => return Err(format!("`{other}` is not a program cases may run (specward, git)")),
    });
    command.env("HOME", home).env("USERPROFILE", home).env("XDG_CONFIG_HOME", home).env("NO_COLOR", "1");
    if program == "git" {
        // Commits get the same id in every run, and the machine's own configuration has no say.
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Case").env(format!("GIT_{role}_EMAIL"), "case@example.com");
            command.env(format!("GIT_{role}_DATE"), "2026-01-02T03:04:05Z");
        }
    }
    let output = command.args(arguments).envs(variables).current_dir(root).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let mut shown = String::new();
    for line in stable(root, &output.stdout).lines() {
        // Lines that look like one of ours are told apart by a backslash.
        let is_ours = ["$ ", "! ", "? ", "\\"].iter().any(|mark| line.starts_with(mark));
        shown += &format!("{}{line}\n", if is_ours { "\\" } else { "" });
    }
    for line in stable(root, &output.stderr).lines() {
        shown += &format!("{}\n", format!("! {line}").trim_end());
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => shown += &format!("? {code}\n"),
        None => shown += "? killed\n",
    }
    Ok(shown)
}

/// A command with nothing of our environment but what a program needs to start.
#[expect(clippy::disallowed_methods, reason = "cases run the program")]
fn clean(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    let needed = ["PATH", "SystemRoot", "TMPDIR", "TEMP", "TMP", "LLVM_PROFILE_FILE"];
    command.envs(needed.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
}

/// Splits at blanks, which `'…'` and `"…"` protect.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("a quote is not closed: {line}"));
    }
    words.extend(word);
    Ok(words)
}

/// Output without what differs from run to run.
fn stable(root: &Path, output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output).replace(&*root.to_string_lossy(), "[ROOT]");
    DURATION.replace_all(&text, "$before[MS]$after").into_owned()
}

#[test]
fn words_are_split() {
    assert_eq!(words("A=1 x  'a b' \"\""), Ok(["A=1", "x", "a b", ""].map(str::to_owned).to_vec()));
    assert!(words("'").is_err());
}

#[test]
fn durations_are_hidden() {
    let text = stable(Path::new("/x"), b"\"durationMs\": 12, in 1.5 ms, 3s, /x/y, v1.2.3, 5sx");
    assert_eq!(text, "\"durationMs\": [MS], in [MS] ms, [MS]s, [ROOT]/y, v1.2.3, 5sx");
}
