//! Edits of a change that is open on base: what it may become while it is implemented, and when it is archived.

use bstr::{BStr, ByteSlice};

use super::place::is_delta;
use super::tasks;
use crate::openspec::metadata::{METADATA_FILE, MetadataState};
use crate::openspec::reflow;
use crate::openspec::text::Text;
use crate::openspec::weakening::losses;
use crate::rules::freeze::Reason;

/// A file of a change on base and on head, where it may lie in the archive.
pub(super) struct FilePair<'f> {
    /// Path below the change.
    pub(super) inner: &'f BStr,
    /// What base has.
    pub(super) base: Option<&'f [u8]>,
    /// What head has.
    pub(super) head: Option<&'f [u8]>,
    /// Whether the change was archived in between.
    pub(super) is_archived: bool,
    /// Whether tasks stand in it.
    pub(super) is_tasks: bool,
    /// Whether base's schema asks for it before the change is implemented.
    pub(super) is_planned: bool,
    /// The schema of changes that name none.
    pub(super) default_schema: &'f str,
}

/// Something that is not legitimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) reason: Reason,
    /// 0-based line of head, when that is known.
    pub(super) line: Option<usize>,
    pub(super) message: String,
    pub(super) evidence: Vec<String>,
}

impl Fault {
    fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, line: None, message: message.into(), evidence: Vec::new() }
    }
}

/// What happened to a file of a change: why it is fine, or what is wrong.
pub(super) fn judge(file: &FilePair<'_>) -> Result<&'static str, Vec<Fault>> {
    if let (Some(base), Some(head)) = (file.base, file.head)
        && let Some(why) = unchanged(file.inner, base, head)
    {
        return Ok(why);
    }
    if is_delta(file.inner) {
        return Err(vec![if file.is_archived { mutated(file) } else { delta(file) }]);
    }
    if file.is_tasks {
        return task_file(file);
    }
    if file.inner == METADATA_FILE {
        return metadata(file);
    }
    let fault = match (file.inner.as_bytes(), file.base, file.head) {
        (b"proposal.md", Some(_), Some(_)) => "the proposal was edited",
        (b"proposal.md", Some(_), None) => "the proposal was deleted",
        // Boxes may be ticked in a checklist too.
        (_, Some(_), Some(_)) if file.is_planned => match task_file(file) {
            Ok(why) => return Ok(why),
            Err(_) => "this is part of what was planned, as the schema has it, and was edited",
        },
        (_, Some(_), None) if file.is_planned => {
            "this is part of what was planned, as the schema has it, and was deleted"
        }
        _ => return Ok("notes of an open change"),
    };
    Err(vec![Fault::new(Reason::ProposalEdited, fault)])
}

/// Why two contents come to the same.
pub(super) fn unchanged(path: &BStr, base: &[u8], head: &[u8]) -> Option<&'static str> {
    if base == head {
        return Some("the same content");
    }
    if reflow::differs_in_line_ends(base, head) {
        return Some("line ends");
    }
    let is_markdown = path.len() > 3 && path[path.len() - 3..].eq_ignore_ascii_case(b".md");
    let (Ok(base), Ok(head)) = (base.to_str(), head.to_str()) else { return None };
    (is_markdown && reflow::is_same(base, head)).then_some("white space and line breaks")
}

fn mutated(file: &FilePair<'_>) -> Fault {
    let message = match (file.base, file.head) {
        (Some(_), None) => "this delta is missing in the archive".to_owned(),
        (None, _) => "this delta is in the archive, and the open change on base does not have it".to_owned(),
        (Some(base), Some(head)) => {
            format!("this delta is not the one that is open on base{}", lost(base, head))
        }
    };
    Fault::new(Reason::ArchiveMutated, message)
}

fn delta(file: &FilePair<'_>) -> Fault {
    match (file.base, file.head) {
        (Some(_), None) => Fault::new(Reason::DeltaWeakened, "a delta of an open change was deleted"),
        (None, _) => Fault::new(Reason::DeltaEdited, "a delta was added to a change that base has already"),
        (Some(base), Some(head)) => match lost(base, head) {
            lost if lost.is_empty() => Fault::new(Reason::DeltaEdited, "the delta of an open change was edited"),
            lost => Fault::new(Reason::DeltaWeakened, format!("the delta of an open change was weakened{lost}")),
        },
    }
}

/// `: lost the scenario …`, or nothing.
pub(super) fn lost(base: &[u8], head: &[u8]) -> String {
    let losses = losses(&Text::from_bytes(base.to_vec()), &Text::from_bytes(head.to_vec()));
    let what: Vec<&str> = losses.iter().map(|loss| loss.what.as_str()).take(3).collect();
    if what.is_empty() { String::new() } else { format!(": lost {}", what.join(", ")) }
}

fn task_file(file: &FilePair<'_>) -> Result<&'static str, Vec<Fault>> {
    let Some(base) = file.base else { return Ok("tasks") };
    let faults = tasks::faults(&base.to_str_lossy(), &file.head.unwrap_or_default().to_str_lossy());
    if faults.is_empty() {
        return Ok("ticked boxes and new tasks");
    }
    let fault = |fault: tasks::Fault| Fault {
        reason: fault.reason,
        line: Some(fault.line),
        message: fault.message,
        evidence: fault.evidence,
    };
    Err(faults.into_iter().map(fault).collect())
}

fn metadata(file: &FilePair<'_>) -> Result<&'static str, Vec<Fault>> {
    let read = |bytes: Option<&[u8]>| match bytes.map(MetadataState::parse) {
        None => Some((file.default_schema.to_owned(), false, false)),
        Some(MetadataState::Valid(metadata)) => {
            Some((metadata.schema, metadata.skip_specs, metadata.retire_capabilities))
        }
        Some(_) => None,
    };
    let (Some(base), Some(head)) = (read(file.base), read(file.head)) else {
        return Err(vec![Fault::new(
            Reason::MetadataEdited,
            "the change's metadata were edited and cannot be understood",
        )]);
    };
    let faults = [
        (base.0 != head.0, format!("the change's schema became `{}`", head.0)),
        (base.1 != head.1, format!("the change's `skip_specs` became {}", head.1)),
        (base.2 != head.2, format!("the change's `retire_capabilities` became {}", head.2)),
    ];
    let faults: Vec<Fault> = faults
        .into_iter()
        .filter(|(is_other, _)| *is_other)
        .map(|(_, message)| Fault::new(Reason::MetadataEdited, message))
        .collect();
    if faults.is_empty() { Ok("metadata that decide nothing") } else { Err(faults) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(inner: &str, base: Option<&str>, head: Option<&str>) -> Vec<Reason> {
        let file = FilePair {
            inner: inner.into(),
            base: base.map(str::as_bytes),
            head: head.map(str::as_bytes),
            is_archived: false,
            is_tasks: inner == "tasks.md",
            is_planned: inner == "requirements.md",
            default_schema: "spec-driven",
        };
        judge(&file).map_or_else(|faults| faults.into_iter().map(|fault| fault.reason).collect(), |_| Vec::new())
    }

    #[test]
    fn files_of_an_open_change() {
        assert!(reasons("design.md", Some("a"), Some("b")).is_empty());
        assert!(reasons("notes/x.txt", None, Some("b")).is_empty());
        assert!(reasons("proposal.md", Some("a b\n"), Some("a\nb")).is_empty());
        assert_eq!(reasons("proposal.md", Some("a\nb\n"), Some("a\n")), [Reason::ProposalEdited]);
        assert_eq!(reasons("specs/a/spec.md", Some("It SHALL."), Some("It SHOULD.")), [Reason::DeltaWeakened]);
        assert_eq!(reasons("specs/a/spec.md", Some("It SHALL."), Some("It SHALL so.")), [Reason::DeltaEdited]);
        assert_eq!(reasons("specs/a/spec.md", Some("x"), None), [Reason::DeltaWeakened]);
        assert_eq!(reasons("tasks.md", Some("- [ ] a\n"), None), [Reason::TaskRemoved]);
        assert_eq!(reasons("requirements.md", Some("a b"), Some("a")), [Reason::ProposalEdited]);
        assert_eq!(reasons("requirements.md", Some("a b"), None), [Reason::ProposalEdited]);
        assert!(reasons("requirements.md", Some("- [ ] a"), Some("- [x] a")).is_empty());
        assert!(reasons("requirements.md", None, Some("a")).is_empty());
    }

    #[test]
    fn metadata() {
        let file = ".openspec.yaml";
        let schema = "schema: spec-driven\n";
        assert!(reasons(file, None, Some(schema)).is_empty());
        assert!(reasons(file, Some(schema), Some("schema: spec-driven\ncreated: 2026-01-01\n")).is_empty());
        assert_eq!(reasons(file, None, Some("schema: lax\n")), [Reason::MetadataEdited]);
        assert_eq!(
            reasons(file, Some(schema), Some("schema: spec-driven\nskip_specs: true\n")),
            [Reason::MetadataEdited]
        );
        assert_eq!(reasons(file, Some(schema), Some("schema: [\n")), [Reason::MetadataEdited]);
    }
}
