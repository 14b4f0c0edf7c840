//! The binary as a stranger's repository, CI or terminal would meet it.
//!
//! Every test runs the real program in a scratch folder of its own, cut off from the machine: no variable, no home, no
//! git configuration gets through. A program that hangs is killed and fails its test.

#[cfg(unix)]
#[path = "cli/action/mod.rs"]
mod action;
#[path = "cli/affected.rs"]
mod affected;
#[path = "cli/archived.rs"]
mod archived;
#[path = "cli/base.rs"]
mod base;
#[path = "cli/baseline.rs"]
mod baseline;
#[path = "cli/checked.rs"]
#[cfg_attr(not(unix), allow(dead_code, reason = "tests that run `sh` use the rest"))]
mod checked;
#[cfg(unix)]
#[path = "cli/checks.rs"]
mod checks;
#[path = "cli/ci.rs"]
mod ci;
#[path = "cli/configuration.rs"]
mod configuration;
#[path = "cli/content.rs"]
mod content;
#[cfg(unix)]
#[path = "cli/criteria.rs"]
mod criteria;
#[path = "cli/doctor.rs"]
mod doctor;
#[path = "cli/documents.rs"]
mod documents;
#[path = "cli/explain.rs"]
mod explain;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/formats_ci.rs"]
mod formats_ci;
#[path = "cli/git_hooks/mod.rs"]
mod git_hooks;
#[path = "cli/hermes_plugin.rs"]
mod hermes_plugin;
#[cfg(unix)]
#[path = "cli/hook_fixtures.rs"]
mod hook_fixtures;
#[cfg(unix)]
#[path = "cli/hook_guard/mod.rs"]
mod hook_guard;
#[path = "cli/hook_stop.rs"]
mod hook_stop;
#[path = "cli/hooks.rs"]
mod hooks;
#[path = "cli/import/mod.rs"]
mod import;
#[path = "cli/init/mod.rs"]
mod init;
#[cfg(unix)]
#[path = "cli/judge.rs"]
mod judge;
#[path = "cli/ledger.rs"]
mod ledger;
#[path = "cli/lint.rs"]
mod lint;
#[path = "cli/lint_asked.rs"]
mod lint_asked;
#[path = "cli/lint_changed.rs"]
mod lint_changed;
#[path = "cli/merge.rs"]
mod merge;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/repositories.rs"]
mod repositories;
#[path = "cli/roots.rs"]
mod roots;
#[path = "cli/runs.rs"]
mod runs;
#[cfg(unix)]
#[path = "cli/shards.rs"]
mod shards;
#[path = "cli/staged.rs"]
mod staged;
#[path = "cli/stale_base.rs"]
mod stale_base;
#[path = "cli/support.rs"]
mod support;
#[path = "cli/suppress.rs"]
mod suppress;
#[path = "cli/validate.rs"]
mod validate;
#[path = "cli/verdict.rs"]
mod verdict;
#[path = "cli/yaml.rs"]
mod yaml;
