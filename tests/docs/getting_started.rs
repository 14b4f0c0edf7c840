//! `docs/getting-started.md` is done as it is written: its commands are run, and print what stands there.
//! `UPDATE=1 cargo test --test docs` writes what they print.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use regex::Regex;

use crate::pages::{Page, TOP, is_update, read};

const PAGE: &str = "docs/getting-started.md";

/// What the page says of one command.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    /// 1-based.
    line: usize,
    command: String,
    printed: String,
}

#[test]
fn commands_print_what_the_page_says() {
    let steps = steps(&Page::parse(&read(PAGE)));
    assert!(steps.len() > 10, "{} steps", steps.len());
    let printed = run(&steps);
    if is_update() {
        return fs::write(Path::new(TOP).join(PAGE), updated(&read(PAGE), &steps, &printed))
            .expect("it can be written");
    }
    for (step, printed) in steps.iter().zip(&printed) {
        assert_eq!(masked(printed), masked(&step.printed), "{PAGE}:{}: `{}`", step.line, step.command);
    }
    assert_eq!(printed.len(), steps.len(), "the shell ended early");
}

/// The page with what was printed in place of what it says, where that matters.
fn updated(page: &str, steps: &[Step], printed: &[String]) -> String {
    let mut lines: Vec<&str> = page.lines().collect();
    for (step, printed) in
        steps.iter().zip(printed).rev().filter(|(step, printed)| masked(printed) != masked(&step.printed))
    {
        lines.splice(step.line..step.line + step.printed.lines().count(), printed.lines());
    }
    lines.join("\n") + "\n"
}

#[test]
fn what_is_run_and_what_is_compared() {
    let page = Page::parse("```sh\nx=1\n```\n```console\n$ echo $x; false\n1\n$ echo $?\n```\n```text\n$ no\n```\n");
    let steps = steps(&page);
    assert_eq!(steps.iter().map(|step| step.line).collect::<Vec<_>>(), [2, 5, 7]);
    assert_eq!(run(&steps), ["", "1\n", "1\n"]);
    let page = "```console\n$ echo 2\n1\n$ echo 3\n```\n";
    let read = self::steps(&Page::parse(page));
    assert_eq!(updated(page, &read, &run(&read)), "```console\n$ echo 2\n2\n$ echo 3\n3\n```\n");
    let masks = "exit 0 after 31 ms (/bin/sh) 20261201T164150Z-e86379ea (2026-12-01T16:41:51.009402987Z), 12f3b3fce948";
    assert_eq!(masked(masks), "exit 0 after TIME (SH) RUN (TIME), COMMIT");
    assert_ne!(masked("PASS: 1 passed"), masked("PASS: 2 passed"));
}

/// The page's blocks for a terminal in their order: scripts, which print nothing, and commands with what they print.
fn steps(page: &Page) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for block in &page.blocks {
        match block.language.as_str() {
            "sh" => steps.push(Step { line: block.line + 1, command: block.text.clone(), printed: String::new() }),
            "console" => {
                for (index, line) in block.text.lines().enumerate() {
                    let line_number = block.line + 1 + index;
                    if let Some(command) = line.strip_prefix("$ ") {
                        steps.push(Step { line: line_number, command: command.to_owned(), printed: String::new() });
                    } else {
                        let step = steps.last_mut().expect("a console begins with a command");
                        step.printed += &format!("{line}\n");
                    }
                }
            }
            _ => {}
        }
    }
    steps
}

/// Runs the steps in one shell in an empty folder, and returns what each printed.
#[expect(clippy::disallowed_methods, reason = "tests start the programs they test")]
fn run(steps: &[Step]) -> Vec<String> {
    const END: &str = "----- end of a step -----\n";
    let folder = tempfile::tempdir().expect("a scratch folder");
    let home = folder.path().join("home");
    fs::create_dir(&home).expect("a folder");
    let mut script = "exec 2>&1\n".to_owned();
    for step in steps {
        // The next step may ask how this one ended.
        script += &format!("{}\nended=$?; printf '%s' '{END}'; (exit $ended)\n", step.command);
    }
    let program = Path::new(env!("CARGO_BIN_EXE_specward")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a search path");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).current_dir(folder.path()).stdin(Stdio::null()).env_clear();
    command.env("HOME", &home).env("PATH", format!("{}:{path}", program.display())).env("GIT_CONFIG_NOSYSTEM", "1");
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "Ada").env(format!("GIT_{role}_EMAIL"), "ada@example.org");
    }
    let output = command.output().expect("a shell");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.strip_suffix(END).unwrap_or(&text).split(END).map(str::to_owned).collect()
}

/// Without what differs from run to run and from machine to machine.
fn masked(text: &str) -> String {
    let masks = [
        (r"\d{8}T\d{6}Z-[0-9a-f]{8}", "RUN"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", "TIME"),
        (r"after [\d.]+ m?s\b", "after TIME"),
        (r"\(/\S*/sh\)", "(SH)"),
        (r"\b[0-9a-f]{10,40}\b", "COMMIT"),
    ];
    masks.iter().fold(text.to_owned(), |text, (pattern, name)| {
        Regex::new(pattern).expect("a pattern").replace_all(&text, *name).into_owned()
    })
}
