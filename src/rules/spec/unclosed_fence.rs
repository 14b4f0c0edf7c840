//! `spec/unclosed-fence`

use crate::openspec::fences::{self, FaultKind};
use crate::openspec::js::trim;
use crate::report::Level;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView};

rule! {
    /// ## What it does
    /// Reports a code fence of a main spec that is never closed, and a line that begins and ends with three backticks and hides
    /// headers. It is a warning where the fence hides no header.
    ///
    /// ## Why it matters
    /// Everything in a fence is code: requirements and scenarios in it do not count, and no delta can name them. What the next
    /// change adds is written below, into the same fence. A line such as ```` ```widget audit``` ```` is inline code by
    /// CommonMark; the reader of OpenSpec takes it for a fence that was opened.
    ///
    /// ## How to fix
    /// Close the fence with a line of its own. Use single backticks for inline code.
    "spec/unclosed-fence", Error, Own, "A code fence of a main spec is never closed, or is none", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    let text = &view.spec.text;
    for fault in fences::faults(text) {
        let hidden = fault.hides.map(|line| format!("; it hides `{}` on line {}", trim(text.line(line)), line + 1));
        let hidden = hidden.unwrap_or_default();
        let (what, fix) = match fault.kind {
            FaultKind::Inline => (
                "this is inline code, but the reader takes it for a code fence that is opened here",
                "use single backticks, or put the code in a fence of its own",
            ),
            FaultKind::Item => (
                "this code fence opens behind a bullet, where the reader sees none, so the line that closes it opens one",
                "begin the fence on a line of its own, below the bullet's text",
            ),
            FaultKind::Open => ("this code fence is never closed", "close it with a line that has only the fence's marks"),
        };
        let message = format!("{what}{hidden}");
        let finding = sink.report(fault.line, "file", message, fix);
        if fault.hides.is_none() {
            finding.level = Level::Warning;
        }
    }
}
