//! Switches in settings that lie over each other, as Claude Code, Gemini CLI and Qwen Code have them.

use std::path::PathBuf;

use serde_json::Value;

use super::check::Check;
use super::reading::at;
use super::surroundings::Surroundings;
use crate::agents::Agent;
use crate::agents::json::calls_us;

/// Settings that are there.
#[derive(Debug)]
pub struct Layer {
    /// The file, as it is shown.
    pub shown: String,
    /// What it holds.
    pub value: Value,
}

/// The settings that are there, in the given order: the one that wins first.
pub fn layers(around: &Surroundings, agent: Agent, paths: Vec<PathBuf>, checks: &mut Vec<Check>) -> Vec<Layer> {
    let read = |path: PathBuf| {
        let value = around.json(agent, &path, checks)?;
        Some(Layer { shown: around.shown(&path), value })
    };
    paths.into_iter().filter_map(read).collect()
}

/// What the first of the settings says that says anything.
pub fn deciding<'l>(layers: &'l [Layer], keys: &[&str]) -> Option<(&'l Layer, bool)> {
    layers.iter().find_map(|layer| Some((layer, at(&layer.value, keys)?.as_bool()?)))
}

/// Whether a switch that keeps all hooks from running is set to `off`, with what is overridden.
pub fn switched(agent: Agent, layers: &[Layer], keys: &[&str], off: bool) -> Vec<Check> {
    let Some((layer, value)) = deciding(layers, keys) else { return Vec::new() };
    let words = format!("`{}: {off}`", keys.join("."));
    if value == off {
        let message = format!("{words} switches all hooks off");
        let fix = format!("take {words} out of {}", layer.shown);
        return vec![Check::problem(agent, &layer.shown, message, fix)];
    }
    let is_off = |other: &&Layer| at(&other.value, keys).and_then(Value::as_bool) == Some(off);
    let note = |other: &Layer| {
        let message = format!("{words} would switch all hooks off; {} overrides it", layer.shown);
        Check::info(agent, &other.shown, message).fix(format!("take {words} out of {}", other.shown))
    };
    layers.iter().filter(is_off).map(note).collect()
}

/// That hooks of ours are in the repository's settings and in others that are read as well.
pub fn doubled(around: &Surroundings, agent: Agent, own: &str, others: &[PathBuf], checks: &mut Vec<Check>) {
    if !around.own_json(own).is_some_and(|value| calls_us(&value)) {
        return;
    }
    for path in others {
        if around.json(agent, path, checks).is_some_and(|value| calls_us(&value)) {
            let message = format!("hooks of specward are here and in {own}: each runs twice");
            let shown = around.shown(path);
            let fix = format!("take those out of {shown} whose command has `specward hook`");
            checks.push(Check::problem(agent, shown, message, fix));
        }
    }
}
