//! Files outside of `openspec/` that decide whether the gate runs: CI workflows, hooks, agents' settings and instructions.

use bstr::{BStr, BString, ByteSlice};

use super::gate_settings::{is_same_gate, switched_off};
use crate::git_hooks::managers;
use crate::openspec::comments::is_open_after;
use crate::openspec::reflow::differs_in_line_ends;
use crate::openspec::text::FenceTracker;
use crate::repo::snapshot::{is_below, join};

/// Where a CI's files are looked for, from the top of the repository.
const CI_PATHS: &[&str] = &[
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
];

/// Where hooks are kept, from the top of the repository.
const HOOK_PATHS: &[&str] = &[
    // git's, besides the files of those who manage them
    ".lefthook",
    ".husky",
    ".githooks",
    ".hooks",
    "hooks",
    "hk.pkl",
    ".lintstagedrc",
    ".lintstagedrc.json",
    ".overcommit.yml",
    // Agents': not their whole folders, which hold caches and whole work trees.
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".cline/hooks",
    ".clinerules/hooks",
    ".cursor/hooks.json",
    ".gemini/settings.json",
    ".github/hooks",
    ".kiro/hooks",
    ".opencode/plugin",
    ".opencode/plugins",
    ".hermes/plugins/specward",
    ".qwen/settings.json",
    ".windsurf/hooks.json",
];

/// Where other such files are looked for, from the top of the repository.
const PATHS: &[&str] = &[
    // What agents are told
    ".cursor/rules",
    ".cursor/mcp.json",
    ".cursorrules",
    ".windsurf/rules",
    ".windsurfrules",
    ".clinerules",
    ".roo/rules",
    ".kiro/steering",
    ".amazonq/rules",
    ".github/copilot-instructions.md",
    ".mcp.json",
    "opencode.json",
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    "QWEN.md",
    ".hermes.md",
    "HERMES.md",
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

/// What begins and ends our block in other people's files.
const MARKERS: (&str, &str) = ("<!-- specward:start -->", "<!-- specward:end -->");

fn hook_paths() -> impl Iterator<Item = &'static str> {
    [managers::PRE_COMMIT, managers::PREK, managers::LEFTHOOK, HOOK_PATHS].into_iter().flatten().copied()
}

/// Paths to compare for the projects in `roots`.
pub(in crate::gate) fn paths(roots: &[BString]) -> Vec<BString> {
    let top = CI_PATHS.iter().copied().chain(hook_paths()).chain(PATHS.iter().copied()).map(BString::from);
    let inner = roots.iter().filter(|root| !root.is_empty());
    top.chain(inner.flat_map(|root| BESIDE_PROJECTS.iter().map(|name| join(root.as_ref(), name)))).collect()
}

/// Whether a path is one of a CI's.
pub(super) fn is_ci(path: &BStr) -> bool {
    CI_PATHS.iter().any(|ci| path == *ci || is_below(path, BStr::new(*ci)))
}

/// Whether a path is where hooks are kept, or below.
pub(crate) fn is_one(path: &BStr) -> bool {
    hook_paths().any(|hooks| path == hooks || is_below(path, BStr::new(hooks)))
}

/// Where hooks are kept below a folder.
pub(crate) fn inside(folder: &BStr) -> impl Iterator<Item = &'static str> {
    hook_paths().filter(move |hooks| is_below(BStr::new(*hooks), folder))
}

/// Whether a file of hooks would call the gate no more, or otherwise, or switch hooks off.
pub(crate) fn is_disarmed(path: &BStr, old: Option<&str>, new: &str) -> bool {
    fault(path, old.map(str::as_bytes), Some(new.as_bytes())).is_some()
}

/// What was done to the gate, as a 0-based line and words. None: the file has nothing to do with it, or still says the
/// same.
pub(super) fn fault(path: &BStr, base: Option<&[u8]>, head: Option<&[u8]>) -> Option<(usize, String)> {
    let (old, new) = (base.unwrap_or_default().to_str_lossy(), head.unwrap_or_default().to_str_lossy());
    let is_settings = path.starts_with(b".") && path.ends_with(b".json");
    if is_settings && let Some(line) = switched_off(&old, &new) {
        return Some((line, "these settings switch hooks off".to_owned()));
    }
    let base = base.filter(|_| mentions(&old))?;
    let Some(head) = head else { return Some((0, "this file calls the gate and was deleted".to_owned())) };
    if base == head {
        return None;
    }
    if is_markdown(path) {
        return block_fault(&old, &new);
    }
    if path.ends_with(b".json") && is_same_gate(&old, &new) {
        return None;
    }
    if [".yml", ".yaml"].iter().any(|end| path.ends_with(end.as_bytes())) && uncommented(&old) == uncommented(&new) {
        return None;
    }
    // A shell does not understand what ends in a carriage return.
    let is_script = !path.ends_with(b".yml") && !path.ends_with(b".yaml") && !path.ends_with(b".toml");
    if !is_script && differs_in_line_ends(base, head) {
        return None;
    }
    let line = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
    Some((line.min(new.lines().count().saturating_sub(1)), "this file calls the gate and was edited".to_owned()))
}

/// YAML without comments and empty lines above and below all else. Between other lines a `#` may be part of a text.
fn uncommented(text: &str) -> &[u8] {
    let is_nothing = |line: &&str| line.trim().is_empty() || line.starts_with('#');
    let (mut start, mut end) = (0, 0);
    let mut is_above = true;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        is_above &= is_nothing(&line);
        at += line.len();
        if is_above {
            start = at;
        } else if !is_nothing(&line) {
            end = at;
        }
    }
    &text.as_bytes()[start..end.max(start)]
}

/// What to say of a file that calls the gate and can no longer be run.
pub(super) fn not_executable(base: Option<&[u8]>) -> Option<(usize, String)> {
    let is_ours = base.is_some_and(|content| mentions(&content.to_str_lossy()));
    is_ours.then(|| (0, "this file calls the gate and is not executable any more".to_owned()))
}

/// Whether a file names the gate.
pub(crate) fn mentions(text: &str) -> bool {
    text.contains("specward") || text.contains("SPECWARD")
}

fn is_markdown(path: &BStr) -> bool {
    [".md", ".mdc", "rules"].iter().any(|end| path.ends_with(end.as_bytes()))
}

/// What happened to our block of instructions. Words outside of it are somebody else's, as long as they do not hide it.
fn block_fault(old: &str, new: &str) -> Option<(usize, String)> {
    let before = Instructions::of(old)?;
    let Some(after) = Instructions::of(new) else {
        return Some((0, "the block between `specward:start` and `specward:end` is gone".to_owned()));
    };
    let words = if after.lines != before.lines {
        "the block between `specward:start` and `specward:end` was edited"
    } else if after.is_hidden && !before.is_hidden {
        "the block between `specward:start` and `specward:end` was put into code, a comment or HTML"
    } else if after.introduced != before.introduced {
        "words were put directly above `specward:start`"
    } else if after.starts > before.starts {
        "there is a second `specward:start`"
    } else {
        return None;
    };
    Some((after.line, words.to_owned()))
}

/// Our block in a file of instructions.
struct Instructions<'t> {
    line: usize,
    /// Its lines, those of the marks included.
    lines: Vec<&'t str>,
    /// Whether it begins inside of code, a comment or HTML.
    is_hidden: bool,
    /// A line right above that ends in a colon, and so speaks of the block.
    introduced: Option<&'t str>,
    starts: usize,
}

impl<'t> Instructions<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let all: Vec<&str> = text.lines().map(str::trim_end).collect();
        let line = all.iter().position(|line| line.contains(MARKERS.0))?;
        let end = all.iter().skip(line).position(|line| line.contains(MARKERS.1))? + line;
        let mut fences = FenceTracker::default();
        let (mut is_comment, mut opened) = (false, 0usize);
        for above in &all[..line] {
            let is_fenced = fences.feed(above);
            if !is_fenced || is_comment {
                is_comment = is_open_after(above, is_comment);
                let closing = above.matches("</details").count() + above.matches("</template").count();
                let opening = above.matches("<details").count() + above.matches("<template").count();
                opened = (opened + opening).saturating_sub(closing);
            }
        }
        let is_fenced = fences.feed(all.get(line).copied().unwrap_or_default());
        let last = all[..line].iter().rev().find(|line| !line.is_empty());
        Some(Self {
            line,
            lines: all[line..=end].to_vec(),
            is_hidden: is_fenced || is_comment || opened > 0,
            introduced: last.copied().filter(|line| line.ends_with([':', '：'])),
            starts: text.matches(MARKERS.0).count(),
        })
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
        let lines = "# a\nrun: |\n  specward verify\n";
        for (to, is_fine) in [
            ("# b\n\nrun: |\n  specward verify\n\n# c\n", true),
            ("run: |\n  specward verify\n", true),
            ("# a\nrun: |\n  # specward verify\n", false),
            ("# a\nrun: |\n  specward verify\n  # c\n", false),
            ("# a\nrun: |\n# c\n  specward verify\n", false),
            ("# a\n# run: |\n#  specward verify\n", false),
        ] {
            assert_eq!(found(workflow, Some(lines), Some(to)).is_none(), is_fine, "{to}");
        }
        assert!(found(".husky/pre-commit", Some("specward\n"), Some("#!/bin/true\nspecward\n")).is_some());
    }

    #[test]
    fn managers_of_hooks() {
        for (path, text, weaker) in [
            (".pre-commit-config.yaml", "hooks: [{id: specward-verify}]\n", "hooks: [{id: specward-lint}]\n"),
            (".pre-commit-config.yaml", "- id: specward-verify\n", "- id: specward-verify\n  stages: [manual]\n"),
            ("lefthook.json", "{\"run\": \"specward hook pre-commit\"}", "{\"run\": \"true\"}"),
            (".config/lefthook.yml", "run: specward hook pre-commit\n", "skip: true\nrun: specward hook pre-commit\n"),
            (".husky/pre-commit", "specward hook pre-commit\n", "exit 0\nspecward hook pre-commit\n"),
            (".githooks/pre-push", "exec specward hook pre-push\n", "true\n"),
        ] {
            assert!(is_one(path.into()), "{path}");
            assert!(found(path, Some(text), Some(weaker)).is_some(), "{path}: {weaker}");
            assert!(found(path, Some(text), None).is_some(), "{path} deleted");
            assert!(found(path, Some(text), Some(text)).is_none(), "{path}");
        }
    }

    #[test]
    fn ci() {
        assert_eq!(CI_PATHS.last(), Some(&"appveyor.yml"));
        assert!(is_ci("appveyor.yml".into()) && !is_ci(".pre-commit-config.yaml".into()));
        assert!(is_ci(".github/workflows/a.yml".into()) && !is_ci("lefthook.yml".into()));
    }

    #[test]
    fn lines_and_blocks() {
        let package = "{\n\"test\": \"jest\",\n\"verify\": \"specward verify\"\n}\n";
        assert!(found("package.json", Some(package), Some(&package.replace("jest", "vitest"))).is_none());
        assert!(found("package.json", Some(package), Some(&package.replace("specward", "true"))).is_some());
        let scripts = "{\"scripts\": {\"gate\": \"specward verify\"}, \"a\": [1, null, 0.5, true]}";
        for (from, to, is_fine) in [
            ("verify\"}", "verify\", \"lint\": \"eslint\"}", true),
            ("{\"scripts", "{\n  \"scripts", true),
            ("verify\"}", "verify\", \"gate\": \"true\"}", false),
            ("verify\"}", "verify\", \"pregate\": \"exit 0\"}", false),
            ("verify\"}", "verify || true\"}", false),
            ("\"scripts\"", "\"old\"", false),
            ("\"a\"", "\"husky\"", false),
            ("\"a\": [", "\"b\": [", true),
        ] {
            assert!(scripts.contains(from), "{from}");
            assert_eq!(
                found("package.json", Some(scripts), Some(&scripts.replace(from, to))).is_none(),
                is_fine,
                "{to}"
            );
        }
        let make = "gate:\n\tspecward verify --changed\n";
        assert!(
            found("Makefile", Some(make), Some("gate:\n\ttrue\nold-gate:\n\tspecward verify --changed\n")).is_some()
        );
        assert!(found(".husky/pre-commit", Some("specward\n"), Some("specward\r\n")).is_some());
        let settings = "{\"hooks\": {\"Stop\": [{\"command\": \"specward hook\"}]}, \"model\": \"a\"}";
        let of = |to: &str| found(".claude/settings.json", Some(settings), Some(to));
        assert!(of(&settings.replace("\"a\"", "\"b\"")).is_none());
        assert!(of(&settings.replace("[{", "[{\"matcher\": \"x\", ")).is_some());
        assert!(of(&settings.replace("Stop", "Start")).is_some());
        assert!(found(".claude/settings.local.json", None, Some("{\"disable\\u0041llHooks\": true}")).is_some());
        assert!(found(".claude/settings.local.json", None, Some("{\"disableAllHooks\": false}")).is_none());
        let agents = "# A\n<!-- specward:start -->\nRun it.\n<!-- specward:end -->\nMore.\n";
        assert!(found("AGENTS.md", Some(agents), Some(&agents.replace("More", "Less"))).is_none());
        assert!(found("AGENTS.md", Some(agents), Some(&agents.replace("Run it", "Skip it"))).is_some());
        assert!(found("AGENTS.md", Some(agents), Some("# A\n")).is_some());
        for above in ["```text\n", "<!--\n", "<details>\n", "The following is obsolete:\n"] {
            let hidden = agents.replace("<!-- specward:start", &format!("{above}<!-- specward:start"));
            assert!(found("AGENTS.md", Some(agents), Some(&hidden)).is_some(), "{above}");
        }
        assert!(found("AGENTS.md", Some(agents), Some(&agents.replace("# A\n", "# A\n```\na\n```\nb\n"))).is_none());
        assert!(found("AGENTS.md", Some(agents), Some(&agents.replace('\n', "\r\n"))).is_none());
        assert!(found(".claude/settings.local.json", None, Some("{\"disableAllHooks\": true}")).is_some());
    }
}
