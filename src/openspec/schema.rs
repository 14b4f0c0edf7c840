//! Workflow schemas: which artifacts a change has, what they need, and which file tracks its tasks.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::yaml;

/// The schema every project has.
pub const BUILT_IN: &str = "spec-driven";

/// More artifacts than this make a schema invalid in the reference too.
const MAX_ARTIFACTS: usize = 1000;

/// A workflow schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// Its artifacts in the order they are declared.
    pub artifacts: Vec<Artifact>,
    /// Artifacts that must be there before the change is applied, when the schema says.
    pub apply_requires: Option<Vec<String>>,
    /// The `generates` value of the artifact whose checkboxes are the change's tasks, when the schema says.
    pub tracks: Option<String>,
}

/// A file or set of files of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Its name.
    pub id: String,
    /// Path or glob inside the change.
    pub generates: String,
    /// Artifacts that come before it.
    pub requires: Vec<String>,
}

impl Schema {
    /// `spec-driven` as the reference ships it.
    pub fn built_in() -> Self {
        let artifact = |id: &str, generates: &str, requires: &[&str]| Artifact {
            id: id.to_owned(),
            generates: generates.to_owned(),
            requires: requires.iter().map(|&id| id.to_owned()).collect(),
        };
        Self {
            artifacts: vec![
                artifact("proposal", "proposal.md", &[]),
                artifact("specs", "specs/**/*.md", &["proposal"]),
                artifact("design", "design.md", &["proposal"]),
                artifact("tasks", "tasks.md", &["specs", "design"]),
            ],
            apply_requires: Some(vec!["tasks".to_owned()]),
            tracks: Some("tasks.md".to_owned()),
        }
    }

    /// Parses a `schema.yaml`.
    ///
    /// # Errors
    /// A one-line reason when the document is no valid schema.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let value =
            yaml::parse(&String::from_utf8_lossy(bytes)).map_err(|error| format!("line {}: {error}", error.line))?;
        let map = value.as_object().ok_or("must be a mapping")?;
        filled(map, "name")?;
        let version = map.get("version").and_then(Value::as_f64).unwrap_or_default();
        if version < 1.0 || version.fract() != 0.0 {
            return Err("version must be a positive whole number".to_owned());
        }
        optional_string(map, "description")?;
        let list = map.get("artifacts").and_then(Value::as_array).ok_or("artifacts must be a list")?;
        if list.is_empty() || list.len() > MAX_ARTIFACTS {
            return Err(format!("artifacts must hold 1 to {MAX_ARTIFACTS} entries"));
        }
        let artifacts = list.iter().map(artifact).collect::<Result<Vec<_>, _>>()?;
        let (apply_requires, tracks) = match map.get("apply") {
            None => (None, None),
            Some(apply) => apply_phase(apply)?,
        };
        let schema = Self { artifacts, apply_requires, tracks };
        schema.check_references()?;
        Ok(schema)
    }

    /// The artifact whose checkboxes count as the change's tasks.
    pub fn tracked(&self) -> Option<&Artifact> {
        match &self.tracks {
            Some(tracks) => self.artifacts.iter().find(|artifact| &artifact.generates == tracks),
            None => self.artifacts.iter().find(|artifact| artifact.id == "tasks"),
        }
    }

    /// Artifacts that have to be there before the change is implemented: what `apply` requires, else what the tasks do.
    /// All when the schema says nothing about it.
    pub fn planned(&self) -> Vec<&Artifact> {
        let tasks = || self.tracked().map(|artifact| vec![artifact.id.clone()]);
        let Some(mut ids) = self.apply_requires.clone().filter(|ids| !ids.is_empty()).or_else(tasks) else {
            return self.artifacts.iter().collect();
        };
        let mut at = 0;
        while at < ids.len() {
            let artifact = self.artifacts.iter().find(|artifact| artifact.id == ids[at]);
            for id in artifact.into_iter().flat_map(|artifact| &artifact.requires) {
                if !ids.contains(id) {
                    ids.push(id.clone());
                }
            }
            at += 1;
        }
        self.artifacts.iter().filter(|artifact| ids.contains(&artifact.id)).collect()
    }

    fn check_references(&self) -> Result<(), String> {
        let position = |id: &str| self.artifacts.iter().position(|artifact| artifact.id == id);
        for (index, artifact) in self.artifacts.iter().enumerate() {
            if position(&artifact.id) != Some(index) {
                return Err(format!("artifact `{}` is declared twice", artifact.id));
            }
            if let Some(unknown) = artifact.requires.iter().find(|id| position(id).is_none()) {
                return Err(format!("artifact `{}` requires `{unknown}`, which does not exist", artifact.id));
            }
        }
        if let Some(unknown) = self.apply_requires.iter().flatten().find(|id| position(id).is_none()) {
            return Err(format!("apply requires `{unknown}`, which does not exist"));
        }
        if self.build_order().len() < self.artifacts.len() {
            return Err("its artifacts require each other in a circle".to_owned());
        }
        Ok(())
    }

    /// Artifact ids so that each comes after what it requires, else in the order they are declared.
    /// Artifacts in a circle are left out.
    pub fn build_order(&self) -> Vec<&str> {
        let mut placed: HashSet<&str> = HashSet::new();
        let mut order = Vec::with_capacity(self.artifacts.len());
        let mut waiting: Vec<&Artifact> = self.artifacts.iter().collect();
        while let Some(at) =
            waiting.iter().position(|artifact| artifact.requires.iter().all(|id| placed.contains(id.as_str())))
        {
            let artifact = waiting.remove(at);
            placed.insert(&artifact.id);
            order.push(artifact.id.as_str());
        }
        order
    }
}

fn artifact(value: &Value) -> Result<Artifact, String> {
    let map = value.as_object().ok_or("an artifact must be a mapping")?;
    let id = filled(map, "id")?;
    let generates = relative(filled(map, "generates")?)?;
    map.get("description").and_then(Value::as_str).ok_or_else(|| format!("artifact `{id}` has no description"))?;
    relative(filled(map, "template")?)?;
    optional_string(map, "instruction")?;
    let requires = match map.get("requires") {
        None => Vec::new(),
        Some(list) => strings(list).ok_or_else(|| format!("artifact `{id}`: requires must be a list of strings"))?,
    };
    Ok(Artifact { id: id.to_owned(), generates: generates.to_owned(), requires })
}

type Apply = (Option<Vec<String>>, Option<String>);

fn apply_phase(value: &Value) -> Result<Apply, String> {
    let map = value.as_object().ok_or("apply must be a mapping")?;
    let requires = map.get("requires").and_then(strings).filter(|list| !list.is_empty());
    let requires = requires.ok_or("apply.requires must name at least one artifact")?;
    let tracks = match map.get("tracks") {
        None | Some(Value::Null) => None,
        Some(Value::String(tracks)) if !tracks.is_empty() => Some(relative(tracks)?.to_owned()),
        Some(_) => return Err("apply.tracks must be a path".to_owned()),
    };
    optional_string(map, "instruction")?;
    Ok((Some(requires), tracks))
}

fn filled<'v>(map: &'v Map<String, Value>, key: &str) -> Result<&'v str, String> {
    map.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).ok_or_else(|| format!("{key} is missing"))
}

fn optional_string(map: &Map<String, Value>, key: &str) -> Result<(), String> {
    match map.get(key) {
        None | Some(Value::String(_)) => Ok(()),
        Some(_) => Err(format!("{key} must be a string")),
    }
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|entry| entry.as_str().map(str::to_owned)).collect()
}

/// A path that stays inside the change, whatever the platform.
fn relative(path: &str) -> Result<&str, String> {
    let is_drive =
        path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path.as_bytes().get(1) == Some(&b':');
    let is_absolute = path.starts_with(['/', '\\']) || is_drive;
    if is_absolute || path.contains('\0') || path.split(['/', '\\']).any(|part| part == "..") {
        return Err(format!("`{path}` must be a relative path that stays inside"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_order() {
        assert_eq!(Schema::built_in().build_order(), ["proposal", "specs", "design", "tasks"]);
        assert_eq!(Schema::built_in().tracked().map(|artifact| artifact.id.as_str()), Some("tasks"));
    }

    #[test]
    fn circles_and_escapes_are_refused() {
        let artifact = |id: &str, path: &str, needs: &str| {
            format!("  - {{id: {id}, generates: {path}, description: d, template: t.md, requires: [{needs}]}}\n")
        };
        let schema =
            |artifacts: String| Schema::parse(format!("name: s\nversion: 1\nartifacts:\n{artifacts}").as_bytes());
        assert!(schema(artifact("a", "a.md", "") + &artifact("b", "b.md", "a")).is_ok());
        assert!(schema(artifact("a", "a.md", "b") + &artifact("b", "b.md", "a")).is_err());
        assert!(schema(artifact("a", "../a.md", "")).is_err());
        assert!(schema(artifact("a", "a.md", "") + &artifact("a", "b.md", "")).is_err());
    }
}
