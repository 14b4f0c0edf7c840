//! `quality/modal-missing`

use crate::openspec::lexicon::List;
use crate::openspec::prose::{Language, imperatives};
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement whose words demand nothing: no SHALL, MUST or "is required to" in any form, not even should or
    /// may, neither in its text nor in its header, tables and block quotes. A SHALL in code, quotation marks, an HTML comment
    /// or the address of a link is not read by anybody as a demand. Only for English, Portuguese and Spanish: Chinese and
    /// Japanese specs demand by plain statements, which nothing tells from descriptions. A text without any word that is
    /// read is reported in all languages.
    ///
    /// ## Why it matters
    /// Nobody can tell whether it says how things are or how they have to be. (OpenSpec, EARS, NASA ARM imperatives.)
    ///
    /// ## Example
    /// ```markdown
    /// Sessions are kept for 30 minutes.
    /// ```
    ///
    /// ## How to fix
    /// Say who has to do what: `The system SHALL keep sessions for 30 minutes.`
    "quality/modal-missing", Error, Own, "A requirement demands nothing", Check::Quality(check),
    Weight::completeness("R-MODAL-MISSING", 40)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let requirement = view.requirement;
    let is_told = matches!(requirement.language, Language::English | Language::Portuguese | Language::Spanish);
    let has = |list| requirement.body_hits(list).next().is_some();
    let is_read = requirement.body.iter().any(|sentence| sentence.said.contains(char::is_alphabetic));
    if !is_told && is_read || has(List::Imperative) || has(List::Weak) || view.demands_elsewhere() {
        return;
    }
    let body = || view.body_lines().map(|line| (line, view.text.line(line)));
    // Where nothing stands but code, and where the header is hidden, other rules say so.
    let is_nothing = |(line, written): (usize, &str)| written.trim().is_empty() || view.text.fenced(line);
    if view.is_hidden(requirement.lines.start) || body().all(is_nothing) {
        return;
    }
    let unread = body().find_map(|(line, written)| Some((line, imperatives(written).next()?)));
    let why = unread.map_or_else(String::new, |(line, word)| {
        let written = view.text.line(line);
        let place = place(view, line, &written[..word.start]);
        format!(": the only `{}` stands in {place}, where nobody reads a demand", &written[word])
    });
    // A language nobody can judge may demand in words of its own, in tables too.
    if !is_told && why.is_empty() {
        return;
    }
    let message = format!("`{}` demands nothing{why}", requirement.name);
    view.report_header(sink, message, "say what the system SHALL or MUST do");
}

/// Where a word stands that is not read. `before` is its line up to it.
fn place(view: &QualityView<'_>, line: usize, before: &str) -> &'static str {
    let opens = |open: &str, close: &str| before.rfind(open) > before.rfind(close);
    if view.text.fenced(line) || before.matches('`').count() % 2 == 1 {
        "code"
    } else if view.is_hidden(line) || opens("<!--", "-->") {
        "a comment"
    } else if opens("](", ")") || opens("![", "]") {
        "a link or an image"
    } else {
        "a quotation"
    }
}
