//! How a rule reports.

use bstr::BStr;

use super::rule::Rule;
use crate::openspec::text::Text;
use crate::report::{Finding, Item, display_path, shortened, shown_line};

/// Where a finding stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// File from the top of the tree.
    pub file: &'a BStr,
    /// 0-based line.
    pub line: usize,
    /// The path under which the reference reports it.
    pub anchor: &'a str,
    /// The file's text, for the line that is shown.
    pub text: Option<&'a Text>,
}

/// Takes a rule's findings. The only way to make one, so each has its rule, level and place.
#[derive(Debug)]
pub struct Sink<'a> {
    item: &'a Item,
    file: &'a BStr,
    text: Option<&'a Text>,
    rule: &'static Rule,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Sink<'a> {
    /// A sink for findings of `rule` about `item`, most of them in `file`.
    pub fn new(
        rule: &'static Rule,
        item: &'a Item,
        file: &'a BStr,
        text: Option<&'a Text>,
        findings: &'a mut Vec<Finding>,
    ) -> Self {
        Self { item, file, text, rule, findings }
    }

    /// Reports a finding in the file at hand. `line` is 0-based, `anchor` the path the reference reports.
    pub fn report(
        &mut self,
        line: usize,
        anchor: impl AsRef<str>,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> &mut Finding {
        let place = Place { file: self.file, line, anchor: anchor.as_ref(), text: self.text };
        self.report_at(place, message, fix)
    }

    /// Reports a finding anywhere.
    pub fn report_at(&mut self, place: Place<'_>, message: impl Into<String>, fix: impl Into<String>) -> &mut Finding {
        let source = place.text.filter(|text| place.line < text.len()).map(|text| text.line(place.line));
        self.findings.push(Finding {
            rule: self.rule.id,
            level: self.rule.level,
            item: self.item.clone(),
            anchor: place.anchor.to_owned(),
            path: display_path(place.file),
            line: place.line + 1,
            column: 1,
            width: 0,
            message: shortened(message.into()),
            fix: shortened(fix.into()),
            requirement: None,
            source: source.map(shown_line),
            evidence: Vec::new(),
            is_echo: false,
            cannot_check: false,
        });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }
}
