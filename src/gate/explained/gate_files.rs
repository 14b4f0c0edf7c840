//! Files outside of `openspec/` that decide whether the gate runs: CI workflows, hooks, agents' settings and instructions.

use bstr::{BStr, BString, ByteSlice};

use crate::openspec::reflow::differs_in_line_ends;
use crate::repo::snapshot::{is_below, join};
use crate::report::shown_line;

/// Where such files are looked for, from the top of the repository.
const PATHS: &[&str] = &[
    // CI
    ".github/workflows",
    ".github/actions",
    ".gitlab-ci.yml",
    ".gitlab",
    ".circleci",
    ".buildkite",
    ".forgejo",
    ".gitea",
    ".woodpecker",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    ".drone.yml",
    ".travis.yml",
    ".cirrus.yml",
    ".ci",
    "ci",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    "appveyor.yml",
    // Hooks
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "prek.toml",
    "lefthook.yml",
    "lefthook.yaml",
    "lefthook.toml",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".lefthook",
    ".husky",
    ".githooks",
    ".hooks",
    "hooks",
    "hk.pkl",
    ".lintstagedrc",
    ".lintstagedrc.json",
    ".overcommit.yml",
    // Agents: not their whole folders, which hold caches and whole work trees.
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".cursor/hooks.json",
    ".cursor/rules",
    ".cursor/mcp.json",
    ".cursorrules",
    ".gemini/settings.json",
    ".opencode/plugin",
    ".windsurf/rules",
    ".windsurf/hooks.json",
    ".windsurfrules",
    ".clinerules",
    ".roo/rules",
    ".kiro/steering",
    ".kiro/hooks",
    ".qwen/settings.json",
    ".amazonq/rules",
    ".github/copilot-instructions.md",
    ".github/hooks",
    ".mcp.json",
    "opencode.json",
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    "QWEN.md",
    // Where commands are kept
    "package.json",
    "Makefile",
    "justfile",
    "Justfile",
    "Taskfile.yml",
    "Taskfile.yaml",
    "mise.toml",
    ".mise.toml",
];

/// Which of them lie in the folder of a project too.
const BESIDE_PROJECTS: &[&str] = &[
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "QWEN.md",
    ".claude/settings.json",
    "package.json",
    "Makefile",
    "justfile",
];

/// How many of [`PATHS`] are about CI.
const CI: usize = 20;

/// Files that mostly say other things: only the lines that mention the gate count.
const BY_LINE: &[&str] =
    &["package.json", "Makefile", "justfile", "Justfile", "Taskfile.yml", "Taskfile.yaml", "mise.toml", ".mise.toml"];

/// What begins and ends our block in other people's files.
const MARKERS: (&str, &str) = ("<!-- specward:start -->", "<!-- specward:end -->");

/// Settings that switch an agent's hooks off.
const SWITCHES: &[&str] = &["disableAllHooks"];

/// Paths to compare for the projects in `roots`.
pub(in crate::gate) fn paths(roots: &[BString]) -> Vec<BString> {
    let top = PATHS.iter().map(|path| BString::from(*path));
    let inner = roots.iter().filter(|root| !root.is_empty());
    top.chain(inner.flat_map(|root| BESIDE_PROJECTS.iter().map(|name| join(root.as_ref(), name)))).collect()
}

/// Whether a path is one of a CI's.
pub(super) fn is_ci(path: &BStr) -> bool {
    PATHS[..CI].iter().any(|ci| path == *ci || is_below(path, BStr::new(*ci)))
}

/// What was done to the gate, as a 0-based line and words. None: the file has nothing to do with it, or still says the
/// same.
pub(super) fn fault(path: &BStr, base: Option<&[u8]>, head: Option<&[u8]>) -> Option<(usize, String)> {
    let (old, new) = (base.unwrap_or_default().to_str_lossy(), head.unwrap_or_default().to_str_lossy());
    let is_switched = |text: &str| SWITCHES.iter().any(|switch| text.contains(switch));
    if path.starts_with(b".") && is_switched(&new) && !is_switched(&old) {
        let line = new.lines().position(is_switched).unwrap_or_default();
        return Some((line, "these settings switch hooks off".to_owned()));
    }
    let base = base.filter(|_| mentions(&old))?;
    let Some(head) = head else { return Some((0, "this file calls the gate and was deleted".to_owned())) };
    if differs_in_line_ends(base, head) {
        return None;
    }
    if BY_LINE.contains(&path.rsplit_str("/").next().unwrap_or_default().to_str_lossy().as_ref()) {
        let gone = old.lines().filter(|line| mentions(line)).find(|line| !new.lines().any(|other| other == *line))?;
        return Some((0, format!("this line called the gate: `{}`", shown_line(gone.trim()))));
    }
    if is_markdown(path) {
        return block_fault(&old, &new);
    }
    let line = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
    Some((line.min(new.lines().count().saturating_sub(1)), "this file calls the gate and was edited".to_owned()))
}

fn mentions(text: &str) -> bool {
    text.contains("specward") || text.contains("SPECWARD")
}

fn is_markdown(path: &BStr) -> bool {
    [".md", ".mdc", "rules"].iter().any(|end| path.ends_with(end.as_bytes()))
}

/// What happened to our block of instructions. Words outside of it are somebody else's.
fn block_fault(old: &str, new: &str) -> Option<(usize, String)> {
    let block = |text: &str| -> Option<String> {
        let (_, rest) = text.split_once(MARKERS.0)?;
        let (inner, _) = rest.split_once(MARKERS.1)?;
        Some(inner.replace("\r\n", "\n").trim().to_owned())
    };
    let before = block(old)?;
    let line = new.lines().position(|line| line.contains(MARKERS.0)).unwrap_or_default();
    match block(new) {
        None => Some((0, "the block between `specward:start` and `specward:end` is gone".to_owned())),
        Some(after) if after != before => {
            Some((line, "the block between `specward:start` and `specward:end` was edited".to_owned()))
        }
        Some(_) if new.matches(MARKERS.0).count() > old.matches(MARKERS.0).count() => {
            Some((line, "there is a second `specward:start`".to_owned()))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, base: Option<&str>, head: Option<&str>) -> Option<String> {
        super::fault(path.into(), base.map(str::as_bytes), head.map(str::as_bytes)).map(|(_, words)| words)
    }

    #[test]
    fn files_that_call_the_gate() {
        let workflow = ".github/workflows/ci.yml";
        assert!(found(workflow, Some("run: specward verify\n"), Some("run: true\n")).is_some());
        assert!(found(workflow, Some("run: specward verify\n"), None).is_some());
        assert!(found(workflow, Some("run: cargo test\n"), Some("run: true\n")).is_none());
        assert!(found(workflow, None, Some("run: specward verify\n")).is_none());
        assert!(found(workflow, Some("run: specward\n"), Some("run: specward\r\n")).is_none());
    }

    #[test]
    fn ci() {
        assert_eq!(PATHS[CI - 1], "appveyor.yml");
        assert!(is_ci(".github/workflows/a.yml".into()) && !is_ci("lefthook.yml".into()));
    }

    #[test]
    fn lines_and_blocks() {
        let package = "{\n\"test\": \"jest\",\n\"verify\": \"specward verify\"\n}\n";
        assert!(found("package.json", Some(package), Some(&package.replace("jest", "vitest"))).is_none());
        assert!(found("package.json", Some(package), Some(&package.replace("specward", "true"))).is_some());
        let agents = "# A\n<!-- specward:start -->\nRun it.\n<!-- specward:end -->\nMore.\n";
        assert!(found("AGENTS.md", Some(agents), Some(&agents.replace("More", "Less"))).is_none());
        assert!(found("AGENTS.md", Some(agents), Some(&agents.replace("Run it", "Skip it"))).is_some());
        assert!(found("AGENTS.md", Some(agents), Some("# A\n")).is_some());
        assert!(found(".claude/settings.local.json", None, Some("{\"disableAllHooks\": true}")).is_some());
    }
}
