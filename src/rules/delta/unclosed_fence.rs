//! `delta/unclosed-fence`

use crate::openspec::js::trim;
use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a code fence that is never closed, and a line that begins and ends with three backticks and hides headers.
    ///
    /// ## Why it matters
    /// Everything in a fence is code: requirements and scenarios in it do not count. One that is never closed hides the rest of
    /// the file, and after archiving the rest of the main spec. A line such as ```` ```widget audit``` ```` is inline code by
    /// CommonMark; the reader of OpenSpec takes it for a fence that was opened.
    ///
    /// ## How to fix
    /// Close the fence with a line of its own. Use single backticks for inline code.
    "delta/unclosed-fence", Error, Own, "A code fence is never closed, or is none", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let (message, fix) = match leftover.reason {
            Reason::OpenFence => {
                ("this code fence is never closed".to_owned(), "close it with a line that has only the fence's marks")
            }
            Reason::ItemFence => (
                "this code fence opens behind a bullet, where the reader sees none, so the line that closes it opens one"
                    .to_owned(),
                "begin the fence on a line of its own, below the bullet's text",
            ),
            Reason::FalseFence(hides) => {
                let text = &view.delta.text;
                let hidden = hides.map(|line| format!("; it hides `{}` on line {}", trim(text.line(line)), line + 1));
                let hidden = hidden.unwrap_or_default();
                let message = format!("this is inline code, but the reader takes it for a code fence that is opened here{hidden}");
                (message, "use single backticks, or put the code in a fence of its own")
            }
            _ => continue,
        };
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
}
