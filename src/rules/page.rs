//! A rule's page: what `docs/rules/` holds and `specward explain` prints.

use super::{Origin, Rule};

impl Rule {
    /// The rule's page as Markdown. `cases` is a link to the rule's cases, where there is something to link to.
    pub fn page(&self, cases: Option<&str>) -> String {
        let (id, summary, level, origin) = (self.id, self.summary, self.level.word(), self.origin.words());
        let cases = cases.map(|link| format!(" [Cases]({link}).")).unwrap_or_default();
        let weight = self.weight.map(|weight| weight.words()).unwrap_or_default();
        let mut page = format!("# `{id}`\n\n{summary}.\n\nLevel: {level}. Origin: {origin}.{weight}{cases}\n\n");
        // Doc comments have a blank before each line.
        for line in self.docs.lines() {
            page += line.strip_prefix(' ').unwrap_or(line);
            page.push('\n');
        }
        page
    }
}

impl Origin {
    /// Where a rule comes from, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Reference => "`openspec validate` reports this too",
            Self::Own => "specward's own",
        }
    }
}
