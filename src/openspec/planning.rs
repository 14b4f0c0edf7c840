//! How far the planning of a change is: which of its schema's artifacts are there, and which can come next.

use bstr::{BStr, BString};

use super::artifacts;
use super::project::Project;
use super::schema::{Artifact, Schema};
use crate::repo::snapshot::join;

/// The artifacts of a change.
#[derive(Debug)]
pub struct Planning {
    /// The schema's name as it was given.
    pub schema_name: String,
    /// The change's folder, links followed.
    pub dir: BString,
    /// Artifacts in the order they are declared.
    pub artifacts: Vec<Planned>,
    /// Ids of the artifacts so that each comes after what it requires.
    pub order: Vec<String>,
    /// Artifacts that must be there before the change is applied.
    pub apply_requires: Vec<String>,
}

/// An artifact of a change.
#[derive(Debug)]
pub struct Planned {
    /// Its name.
    pub id: String,
    /// Path or glob inside the change.
    pub generates: String,
    /// Artifacts that come before it.
    pub requires: Vec<String>,
    /// Files it consists of, links followed.
    pub files: Vec<BString>,
    /// How far it is.
    pub state: State,
}

/// How far an artifact is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is there.
    Done,
    /// It is not there and need not be: the change declares that it touches no spec.
    Skipped,
    /// It is not there, and everything it requires is.
    Ready,
    /// It is not there, and neither are these.
    Blocked(Vec<String>),
}

impl Planning {
    /// Looks at the change of that folder name. `schema` replaces the schema the change follows.
    ///
    /// # Errors
    /// A reason when its metadata, its schema or an artifact cannot be used.
    pub fn load(project: &Project<'_>, name: &BStr, schema: Option<&str>) -> Result<Self, String> {
        let snapshot = project.snapshot();
        let dir = join(project.path("changes").as_ref(), name);
        let dir = snapshot.resolve(dir.as_ref()).map_err(|error| format!("{dir}: {error}"))?;
        let metadata = artifacts::metadata(snapshot, dir.as_ref());
        // Metadata that cannot be used is an error even when its schema is not asked for.
        let own =
            artifacts::schema_name(project, &metadata).map_err(|reason| format!("metadata of `{name}`: {reason}"))?;
        let schema_name = schema.map_or(own, str::to_owned);
        let schema = project.schema(&schema_name);
        let schema = schema.as_ref().as_ref().map_err(Clone::clone)?;
        let mut files = Vec::with_capacity(schema.artifacts.len());
        for artifact in &schema.artifacts {
            let found = artifacts::outputs(snapshot, dir.as_ref(), &artifact.generates);
            files.push(found.map_err(|error| format!("artifact `{}` of `{name}`: {error}", artifact.id))?);
        }
        let skips_specs = metadata.valid().is_some_and(|metadata| metadata.skip_specs);
        Ok(Self {
            schema_name,
            dir,
            artifacts: planned(schema, files, skips_specs),
            order: schema.build_order().into_iter().map(str::to_owned).collect(),
            apply_requires: schema
                .apply_requires
                .clone()
                .unwrap_or_else(|| schema.artifacts.iter().map(|artifact| artifact.id.clone()).collect()),
        })
    }

    /// Artifacts so that each comes after what it requires.
    pub fn in_order(&self) -> impl Iterator<Item = &Planned> {
        self.order.iter().filter_map(|id| self.artifacts.iter().find(|artifact| &artifact.id == id))
    }

    /// Whether every artifact is there or need not be.
    pub fn is_complete(&self) -> bool {
        self.artifacts.iter().all(|artifact| matches!(artifact.state, State::Done | State::Skipped))
    }
}

fn planned(schema: &Schema, files: Vec<Vec<BString>>, skips_specs: bool) -> Vec<Planned> {
    let planned = |(artifact, files): (&Artifact, Vec<BString>)| Planned {
        state: match files.is_empty() {
            false => State::Done,
            true if skips_specs && is_below_specs(&artifact.generates) => State::Skipped,
            true => State::Ready,
        },
        id: artifact.id.clone(),
        generates: artifact.generates.clone(),
        requires: artifact.requires.clone(),
        files,
    };
    let mut artifacts: Vec<Planned> = schema.artifacts.iter().zip(files).map(planned).collect();
    let absent = |artifact: &&Planned| artifact.state == State::Ready;
    let absent: Vec<String> = artifacts.iter().filter(absent).map(|artifact| artifact.id.clone()).collect();
    for artifact in artifacts.iter_mut().filter(|artifact| artifact.state == State::Ready) {
        let position = |id: &String| absent.iter().position(|absent| absent == id);
        // Named in the order they are declared; one that is required twice is named twice.
        let mut missing: Vec<String> = artifact.requires.iter().filter(|id| position(id).is_some()).cloned().collect();
        missing.sort_by_key(position);
        if !missing.is_empty() {
            artifact.state = State::Blocked(missing);
        }
    }
    artifacts
}

/// Whether an artifact's files lie in `specs/`.
fn is_below_specs(generates: &str) -> bool {
    artifacts::plain_path(&generates.replace('\\', "/")).starts_with("specs/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(there: &[&str], skips_specs: bool) -> Vec<State> {
        let schema = Schema::built_in();
        let files = |id: &str| if there.contains(&id) { vec![BString::from("x")] } else { Vec::new() };
        let files = schema.artifacts.iter().map(|artifact| files(&artifact.id)).collect();
        planned(&schema, files, skips_specs).into_iter().map(|artifact| artifact.state).collect()
    }

    #[test]
    fn what_is_ready_and_what_waits() {
        let blocked = |ids: &[&str]| State::Blocked(ids.iter().map(|&id| id.to_owned()).collect());
        assert_eq!(
            states(&[], false),
            [State::Ready, blocked(&["proposal"]), blocked(&["proposal"]), blocked(&["specs", "design"])]
        );
        assert_eq!(states(&["proposal", "design"], true), [State::Done, State::Skipped, State::Done, State::Ready]);
    }

    #[test]
    fn paths() {
        assert_eq!(artifacts::plain_path("./specs//**/*.md"), "specs/**/*.md");
        assert!(is_below_specs(".\\specs\\a.md"));
        assert!(!is_below_specs("specs"));
    }
}
