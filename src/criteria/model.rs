//! A criterion as its file states it.

use std::time::Duration;

use bstr::BString;

/// A scenario and what proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    /// Unique in the project: given, or made of capability, requirement and scenario.
    pub id: String,
    /// The capability whose file lists it.
    pub capability: String,
    /// The requirement's name.
    pub requirement: String,
    /// The scenario's name.
    pub scenario: String,
    /// The sentence it stands for, when the file gives one.
    pub ears: Option<String>,
    /// What proves it. Nothing does when it is empty.
    pub checks: Vec<Check>,
    /// The file.
    pub path: BString,
    /// 0-based line of the entry.
    pub line: usize,
}

impl Criterion {
    /// Whether another one demands the same, wherever the two stand.
    pub fn is_same(&self, other: &Self) -> bool {
        let Self { id, capability, requirement, scenario, ears, .. } = self;
        (id, capability, requirement, scenario, ears)
            == (&other.id, &other.capability, &other.requirement, &other.scenario, &other.ears)
            && self.has_same_checks(other)
    }

    /// Whether another one is proved by the same checks, in the same order.
    pub fn has_same_checks(&self, other: &Self) -> bool {
        fn parts(check: &Check) -> (&Option<String>, Option<Duration>, &CheckKind) {
            (&check.name, check.timeout, &check.kind)
        }
        self.checks.iter().map(parts).eq(other.checks.iter().map(parts))
    }
}

/// One check of a criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What people call it.
    pub name: Option<String>,
    /// After this long it is ended and could not be run. None for the configured time.
    pub timeout: Option<Duration>,
    /// What it does.
    pub kind: CheckKind,
    /// 0-based line in the criterion's file.
    pub line: usize,
}

/// Kinds of check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckKind {
    /// A program is run.
    Command(CommandCheck),
    /// A file is looked at.
    File(FileCheck),
    /// Files are searched for a pattern.
    Search(SearchCheck),
    /// A test's outcome is read from a report.
    Junit(JunitCheck),
    /// A configured command judges by a rubric.
    Judge(JudgeCheck),
}

impl CheckKind {
    /// The key that names it in the file.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::File(_) => "file",
            Self::Search(_) => "search",
            Self::Junit(_) => "junit",
            Self::Judge(_) => "judge",
        }
    }
}

/// Runs a program and looks at how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandCheck {
    /// What is run. Checks with an equal one (and an equal time) share one run.
    pub command: CommandLine,
    /// What has to hold.
    pub expect: Expectation,
}

/// What is run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CommandLine {
    /// A program and its arguments, without a shell. Never empty.
    Argv(Vec<String>),
    /// A line for `sh -c`; only with `shell: true`.
    Shell(String),
}

/// What has to hold of a command that ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Its exit code.
    pub exit: ExitExpectation,
    /// Standard output.
    pub stdout: TextExpectation,
    /// Standard error.
    pub stderr: TextExpectation,
}

/// Exit codes that are right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitExpectation {
    /// One of these. Only 0 unless the file says otherwise.
    OneOf(Vec<i32>),
    /// Any; something else has to be expected then.
    Any,
}

impl Default for ExitExpectation {
    fn default() -> Self {
        Self::OneOf(vec![0])
    }
}

/// What a text has to have. All of it has to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextExpectation {
    /// Each of these stands somewhere.
    pub contains: Vec<String>,
    /// None of these does.
    pub not_contains: Vec<String>,
    /// Each of these regular expressions matches somewhere; `^` and `$` are ends of lines.
    pub matches: Vec<String>,
}

impl TextExpectation {
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.contains.is_empty() && self.not_contains.is_empty() && self.matches.is_empty()
    }
}

/// Looks at one file of the judged tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCheck {
    /// From the top of the judged tree.
    pub path: String,
    /// What has to hold.
    pub expect: FileExpectation,
}

/// What has to hold of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileExpectation {
    /// Nothing has that path.
    Absent,
    /// A regular file is there, and its text is right; any text when nothing is expected of it.
    Exists(TextExpectation),
}

/// Searches files of the judged tree line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchCheck {
    /// Globs from the top of the judged tree, as those of `protect`. At least one.
    pub files: Vec<String>,
    /// A regular expression.
    pub pattern: String,
    /// What has to hold.
    pub expect: SearchExpectation,
}

/// How many lines may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchExpectation {
    /// None.
    Absent,
    /// At least one.
    Present,
    /// At most this many.
    Max(usize),
}

/// Reads the outcome of a test from a JUnit report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JunitCheck {
    /// From the top of the judged tree.
    pub report: String,
    /// The test's name, alone or after its class; all tests of the report when none is given.
    pub test: Option<String>,
    /// How old the report may be.
    pub newer_than: NewerThan,
}

/// What a report must be newer than.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewerThan {
    /// The start of this run: a command of this run has to write it.
    Run,
    /// Every file that these globs match.
    Files(Vec<String>),
}

/// Asks the configured judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeCheck {
    /// What the implementation has to be like.
    pub rubric: String,
    /// The least score that passes, in thousandths: 800 is 0.8.
    pub threshold: u16,
}
