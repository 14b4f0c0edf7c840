//! Which requirements of a file base has word for word.

use std::collections::HashMap;

use bstr::BStr;

use crate::openspec::change::Change;
use crate::openspec::heading::fold_name;
use crate::openspec::project::Project;
use crate::openspec::units::Units;

/// The requirements of base's version of a file: what each says, by its folded name. Wrapping, list markers and white space
/// say nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Unchanged {
    by_name: HashMap<String, Vec<Units>>,
}

impl Unchanged {
    /// Those of a main spec of base. None when base has no such spec.
    pub(super) fn of_spec(base: &Project<'_>, capability: &str) -> Self {
        let mut unchanged = Self::default();
        if let Some(file) = base.spec_at(capability.into())
            && let Ok(spec) = base.parsed(&file)
        {
            for requirement in &spec.requirements {
                let start = spec.text.offset(requirement.section.line);
                let end = requirement.section.content.end.max(start);
                unchanged.add(requirement.name(), &spec.text.content()[start..end]);
            }
        }
        unchanged
    }

    /// Those of a delta of base.
    pub(super) fn of_delta(base: &Project<'_>, change: &str, capability: &str) -> Self {
        let mut unchanged = Self::default();
        let change = Change::load(base, BStr::new(change));
        let files = change.deltas.iter().filter(|file| file.capability == capability);
        for delta in files.filter_map(|file| file.delta.as_ref().ok()) {
            for block in delta.added.iter().chain(&delta.modified) {
                unchanged.add(&block.name, delta.raw(block));
            }
        }
        unchanged
    }

    fn add(&mut self, name: &str, text: &str) {
        self.by_name.entry(fold_name(name)).or_default().push(Units::of(text));
    }

    /// Whether base has this requirement with this text. Each of base's is there for one of head's.
    pub(super) fn take(&mut self, name: &str, text: &str) -> bool {
        let Some(texts) = self.by_name.get_mut(&fold_name(name)) else { return false };
        let units = Units::of(text);
        let found = texts.iter().position(|known| known.same_as(&units));
        found.map(|at| texts.swap_remove(at)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fs;

    use super::*;
    use crate::openspec::text::Text;
    use crate::repo::snapshot::Worktree;

    const ROWS: &str = "### Requirement: Rows\nThe exporter SHALL write all rows.\n\n#### Scenario: A table\n- **WHEN** a table is exported\n- **THEN** the file has its rows\n";
    const COLUMNS: &str = "### Requirement: Columns\nThe exporter SHALL write all columns.\n\n#### Scenario: A table\n- **WHEN** a table is exported\n- **THEN** the file has its columns\n";

    fn spec(requirements: &[&str]) -> String {
        format!("## Purpose\nWrites tables into files.\n\n## Requirements\n\n{}", requirements.join("\n"))
    }

    /// What base has, given the text of its files.
    fn base(files: &[(&str, String)], ask: impl Fn(&Project<'_>) -> Unchanged) -> Result<Unchanged, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        for (path, content) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().ok_or("no folder")?)?;
            fs::write(path, content)?;
        }
        let snapshot = Worktree::new(folder.path())?;
        Ok(ask(&Project::new(&snapshot, "")))
    }

    fn of_spec(capability: &str) -> Result<Unchanged, Box<dyn Error>> {
        let files = [("openspec/specs/export/spec.md", spec(&[ROWS, COLUMNS]))];
        base(&files, |project| Unchanged::of_spec(project, capability))
    }

    #[test]
    fn word_for_word_the_same() -> Result<(), Box<dyn Error>> {
        let unchanged = of_spec("export")?;
        assert!(unchanged.clone().take("Rows", ROWS));
        assert!(unchanged.clone().take("Columns", COLUMNS), "the last one of its file");
        for same in
            [format!("{ROWS}\n\n"), ROWS.replace("its rows", "its  rows"), ROWS.replace("SHALL write", "SHALL\nwrite")]
        {
            assert!(unchanged.clone().take("Rows", &same), "{same}");
        }
        // Neither a carriage return nor a byte-order mark is a word.
        let head = Text::from_bytes(spec(&[ROWS]).replace('\n', "\r\n").into_bytes());
        let start = (0..head.len()).find(|line| head.line(*line).starts_with("###")).ok_or("no requirement")?;
        assert!(unchanged.clone().take("Rows", head.lines(start..head.len())));
        Ok(())
    }

    #[test]
    fn what_differs_is_judged() -> Result<(), Box<dyn Error>> {
        let unchanged = of_spec("export")?;
        for (name, text) in [
            ("Rows", ROWS.replace("all rows", "every row")),
            ("Rows", ROWS.replace("#### Scenario: A table", "#### Scenario: Any table")),
            ("Rows", COLUMNS.to_owned()),
            // Renamed, with the text as it was.
            ("Lines", ROWS.replace("Rows", "Lines")),
        ] {
            assert!(!unchanged.clone().take(name, &text), "{name}: {text}");
        }
        Ok(())
    }

    #[test]
    fn moved_to_another_spec_is_judged() -> Result<(), Box<dyn Error>> {
        assert!(!of_spec("import")?.clone().take("Rows", ROWS));
        assert!(!Unchanged::default().take("Rows", ROWS));
        let mut once = of_spec("export")?;
        assert!(once.take("Rows", ROWS) && !once.take("Rows", ROWS), "one for one");
        Ok(())
    }

    #[test]
    fn in_the_delta_of_the_same_change() -> Result<(), Box<dyn Error>> {
        let delta = format!("## ADDED Requirements\n\n{ROWS}\n## MODIFIED Requirements\n\n{COLUMNS}");
        let files = [
            ("openspec/changes/one/proposal.md", "## Why\nSo.\n".to_owned()),
            ("openspec/changes/one/specs/export/spec.md", delta),
        ];
        let of = |change: &'static str, capability: &'static str| {
            base(&files, move |project| Unchanged::of_delta(project, change, capability))
        };
        let unchanged = of("one", "export")?;
        assert!(unchanged.clone().take("Rows", ROWS) && unchanged.clone().take("Columns", COLUMNS));
        assert!(!unchanged.clone().take("Rows", &ROWS.replace("SHALL", "MUST")));
        assert!(!of("one", "import")?.clone().take("Rows", ROWS), "moved to another capability");
        assert!(!of("two", "export")?.clone().take("Rows", ROWS), "moved to another change");
        Ok(())
    }
}
