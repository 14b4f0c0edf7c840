//! What a delta does, one entry per operation, with each requirement as its readers see it.

use super::delta::{Delta, Operation, Rename};
use super::js;
use super::requirement;
use super::spec::{Outline, Requirement, Section, Spec};
use super::text::Text;

/// A requirement without its place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its words, or its heading when it has none.
    pub text: String,
    /// What stands under each scenario's heading. Scenarios without content do not count.
    pub scenarios: Vec<String>,
}

/// One operation of a delta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A requirement is added, modified or removed.
    Requirement(Operation, Statement),
    /// A requirement gets another name.
    Rename(Rename),
}

/// The requirements of a main spec.
pub fn statements(spec: &Spec) -> Vec<Statement> {
    let statement = |requirement| {
        let requirement: &Requirement = requirement;
        let scenarios = requirement.scenarios_with_content().map(|scenario| spec.content(scenario).to_owned());
        Statement { text: spec.requirement_text(requirement), scenarios: scenarios.collect() }
    };
    spec.requirements.iter().map(statement).collect()
}

/// The operations of a delta: added, modified, removed, renamed, each in the order of the file.
pub fn entries(delta: &Delta) -> Vec<Entry> {
    let raws = |blocks: &[requirement::Block]| -> Vec<String> {
        blocks.iter().map(|block| delta.raw(block).to_owned()).collect()
    };
    let sections = [
        (Operation::Added, raws(&delta.added)),
        (Operation::Modified, raws(&delta.modified)),
        (Operation::Removed, removed(delta)),
    ];
    let requirements = sections.iter().flat_map(|(operation, raws)| {
        raws.iter().filter_map(|raw| Some(Entry::Requirement(*operation, statement(raw)?)))
    });
    requirements.chain(delta.renamed.iter().cloned().map(Entry::Rename)).collect()
}

/// Removed requirements as blocks. One that was written as a bullet has a name only.
fn removed(delta: &Delta) -> Vec<String> {
    let mut blocks: Vec<_> = delta.removed_blocks.iter().collect();
    let raw = |name: &str| match blocks.iter().position(|block| block.name == name) {
        Some(at) => delta.raw(blocks.remove(at)).to_owned(),
        None => format!("### Requirement: {name}"),
    };
    delta.removed.iter().map(|removal| removal.name.as_str()).map(raw).collect()
}

/// A block read as the reader of main specs would. None when its header has no name.
fn statement(raw: &str) -> Option<Statement> {
    let (header, body) = raw.split_once('\n').unwrap_or((raw, ""));
    let title = js::trim(header.strip_prefix("###")?);
    if js::trim(js::strip_prefix_ignore_case(title, "Requirement:")?).is_empty() {
        return None;
    }
    // That reader wants white space after the hashes, which a delta need not have.
    let text = Text::from_bytes(format!("### {title}\n{body}").into_bytes());
    let outline = Outline::new(&text);
    outline.headings.first().filter(|heading| heading.line == 0)?;
    let content = |section: &Section| text.content()[section.content.clone()].to_owned();
    let words = requirement::body_text(&content(&outline.section(0)));
    let scenarios = outline.children(0).into_iter().map(|child| content(&child.section));
    Some(Statement {
        text: if words.is_empty() { title.to_owned() } else { words },
        scenarios: scenarios.filter(|content| !content.is_empty()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str) -> Vec<Entry> {
        entries(&Delta::parse(content.as_bytes().to_vec()))
    }

    fn requirement(operation: Operation, text: &str, scenarios: &[&str]) -> Entry {
        let scenarios = scenarios.iter().map(|&content| content.to_owned()).collect();
        Entry::Requirement(operation, Statement { text: text.to_owned(), scenarios })
    }

    #[test]
    fn requirements_with_and_without_words() {
        let list = read(
            "## ADDED Requirements\n###requirement: A\nIt SHALL.\n#### S\n- x\n##### deep\ny\n#### Empty\n### Note\n#### lost\nz\n### Requirement: \nnameless\n## MODIFIED Requirements\n### Requirement: B\n",
        );
        assert_eq!(
            list,
            [
                requirement(Operation::Added, "It SHALL.", &["- x\n##### deep\ny"]),
                requirement(Operation::Modified, "Requirement: B", &[]),
            ]
        );
    }

    #[test]
    fn removed_in_the_order_of_the_file() {
        let list = read(
            "## REMOVED Requirements\n- ### Requirement: B\n### Requirement: A\n**Reason**: old\n### Requirement: A\n**Reason**: again\n",
        );
        assert_eq!(
            list,
            [
                requirement(Operation::Removed, "Requirement: B", &[]),
                requirement(Operation::Removed, "**Reason**: old", &[]),
                requirement(Operation::Removed, "**Reason**: again", &[]),
            ]
        );
    }
}
