//! Whether a command is a test runner.

use crate::criteria::model::CommandLine;
use crate::shell::{Unwrapped, Word, base_name, commands, parse, unwrapped};

/// Test runners whose output is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// `cargo test`
    CargoTest,
    /// `cargo nextest run`
    Nextest,
    /// pytest
    Pytest,
    /// `python -m unittest`
    Unittest,
    /// jest
    Jest,
    /// vitest
    Vitest,
    /// mocha
    Mocha,
    /// `go test`. `is_selective`: only some tests are asked for. `is_verbose`: each is told of.
    GoTest {
        /// With `-run`.
        is_selective: bool,
        /// With `-v` or `-json`.
        is_verbose: bool,
    },
    /// `node --test`
    NodeTest,
    /// `dotnet test`
    Dotnet,
    /// PHPUnit
    Phpunit,
    /// RSpec
    Rspec,
    /// `bun test`
    Bun,
    /// `deno test`
    Deno,
    /// `playwright test`
    Playwright,
    /// `mvn test` and later phases
    Maven,
    /// `ctest`
    Ctest,
    /// `prove`
    Prove,
}

/// Programs that run another one in some environment, with the word that comes between.
const LAUNCHERS: &[(&str, &[&str])] = &[
    ("npx", &[]),
    ("bunx", &[]),
    ("pnpx", &[]),
    ("pnpm", &["exec"]),
    ("pnpm", &["dlx"]),
    ("pnpm", &[]),
    ("yarn", &["exec"]),
    ("yarn", &["run"]),
    ("yarn", &["dlx"]),
    ("yarn", &[]),
    ("bun", &["x"]),
    ("npm", &["exec"]),
    ("uv", &["run"]),
    ("uvx", &[]),
    ("poetry", &["run"]),
    ("pipenv", &["run"]),
    ("pdm", &["run"]),
    ("hatch", &["run"]),
    ("rye", &["run"]),
    ("pixi", &["run"]),
    ("bundle", &["exec"]),
    ("coverage", &["run"]),
    ("c8", &[]),
    ("nyc", &[]),
    ("mise", &["exec"]),
];

/// How deep shells may stand in shells.
const DEPTH: usize = 8;

/// The test runner that a command starts; the first when it starts several.
pub fn runner(command: &CommandLine) -> Option<Runner> {
    match command {
        CommandLine::Argv(argv) => of_words(&argv.iter().map(|word| Word::from(word.as_str())).collect::<Vec<_>>(), 0),
        CommandLine::Shell(line) => of_line(line, 0),
    }
}

fn of_line(line: &str, depth: usize) -> Option<Runner> {
    commands(&parse(line)).iter().find_map(|words| of_words(words, depth))
}

fn of_words(words: &[Word], depth: usize) -> Option<Runner> {
    if depth > DEPTH {
        return None;
    }
    match unwrapped(words) {
        Unwrapped::Line(line, _) => of_line(&line, depth + 1),
        Unwrapped::Argv(words) => of_argv(&words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(), depth),
    }
}

fn of_argv(argv: &[&str], depth: usize) -> Option<Runner> {
    let (first, rest) = argv.split_first()?;
    let name = base_name(first);
    let has = |word: &str| rest.contains(&word);
    match name {
        "cargo" | "cross" => cargo(rest),
        "cargo-nextest" => rest.contains(&"run").then_some(Runner::Nextest),
        "pytest" | "py.test" => Some(Runner::Pytest),
        "jest" => Some(Runner::Jest),
        "vitest" => Some(Runner::Vitest),
        "mocha" | "_mocha" => Some(Runner::Mocha),
        "phpunit" | "pest" => Some(Runner::Phpunit),
        "rspec" => Some(Runner::Rspec),
        "dotnet" => (rest.first() == Some(&"test")).then_some(Runner::Dotnet),
        "go" => (rest.first() == Some(&"test")).then(|| go(rest)),
        "bun" if rest.first() == Some(&"test") => Some(Runner::Bun),
        "deno" => (rest.first() == Some(&"test")).then_some(Runner::Deno),
        "playwright" => (rest.first() == Some(&"test")).then_some(Runner::Playwright),
        "ctest" => (!has("-N") && !has("--show-only")).then_some(Runner::Ctest),
        "prove" => Some(Runner::Prove),
        "mvn" | "mvnw" | "mvnd" => maven(rest),
        "node" | "nodejs" if has("--test") => Some(Runner::NodeTest),
        "node" | "nodejs" => {
            let script = rest.iter().find(|word| !word.starts_with('-'))?;
            ["jest", "vitest", "mocha"].iter().any(|tool| script.contains(tool)).then(|| of_script(script))?
        }
        _ if name.starts_with("python") || name.starts_with("pypy") || name == "coverage" || name == "py" => {
            let module = rest.iter().position(|word| *word == "-m")?;
            let inner = rest.get(module + 1..)?;
            match inner.first().copied()? {
                "pytest" => Some(Runner::Pytest),
                "unittest" => Some(Runner::Unittest),
                // `python -m coverage run -m pytest`
                "coverage" => of_argv(inner, depth),
                _ => None,
            }
        }
        _ => launched(name, rest, depth),
    }
}

/// `node node_modules/.bin/jest`, `node node_modules/mocha/bin/mocha.js`
fn of_script(script: &str) -> Option<Runner> {
    let file = base_name(script).trim_end_matches(".js").trim_end_matches(".mjs").trim_end_matches(".cjs");
    match file {
        "jest" => Some(Runner::Jest),
        "vitest" => Some(Runner::Vitest),
        "mocha" | "_mocha" => Some(Runner::Mocha),
        _ => None,
    }
}

fn cargo(arguments: &[&str]) -> Option<Runner> {
    // `cargo +nightly --locked test`, `cargo --config x test`
    let mut rest = arguments;
    while let Some((word, after)) = rest.split_first() {
        match *word {
            "test" | "t" => return Some(Runner::CargoTest),
            "nextest" => return after.iter().any(|word| matches!(*word, "run" | "r")).then_some(Runner::Nextest),
            "llvm-cov" if after.contains(&"nextest") => return Some(Runner::Nextest),
            "--config" | "-Z" | "-C" | "--color" => rest = after.get(1..).unwrap_or_default(),
            "llvm-cov" | "--" => rest = after,
            _ if word.starts_with(['-', '+']) => rest = after,
            _ => return None,
        }
    }
    None
}

/// A build that is told to leave the tests out is no test run.
fn maven(arguments: &[&str]) -> Option<Runner> {
    const PHASES: &[&str] = &["test", "integration-test", "verify", "surefire:test", "failsafe:verify"];
    let skips = |word: &&str| {
        let option = word.trim_end_matches("=true");
        matches!(option, "-DskipTests" | "-Dmaven.test.skip")
    };
    let runs = arguments.iter().any(|word| PHASES.contains(word)) && !arguments.iter().any(skips);
    runs.then_some(Runner::Maven)
}

fn go(arguments: &[&str]) -> Runner {
    let has = |names: &[&str]| {
        arguments.iter().any(|word| {
            let option = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).unwrap_or_default();
            names.contains(&option.split('=').next().unwrap_or_default())
        })
    };
    Runner::GoTest { is_selective: has(&["run", "test.run"]), is_verbose: has(&["v", "json", "test.v"]) }
}

fn launched(name: &str, rest: &[&str], depth: usize) -> Option<Runner> {
    if depth > DEPTH {
        return None;
    }
    LAUNCHERS.iter().filter(|(launcher, _)| *launcher == name).find_map(|(_, between)| {
        let inner = rest.strip_prefix(*between)?;
        // Options of the launcher, some with a value: the program is the first word that is a runner's.
        let options = inner.iter().take_while(|word| word.starts_with('-')).count();
        (options..inner.len().min(options + 3)).find_map(|at| of_argv(inner.get(at..)?, depth + 1))
    })
}
