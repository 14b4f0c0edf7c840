//! `node --test`, and everything else that speaks TAP.

use super::TestCounts;

#[derive(Debug, Default)]
pub(super) struct State {
    /// Test points since the last footer: node counts them there, others do not.
    ran: u64,
    skipped: u64,
    has_points: bool,
    /// Points that are a whole file: what node says of a file without a test in it.
    files: u64,
    is_footer: bool,
}

impl State {
    pub(super) fn take(&mut self, line: &str, counts: &mut TestCounts) {
        if let Some((word, number)) = footer(line) {
            self.footer(word, number, counts);
        } else if line.starts_with("Could not find '") {
            // node's word for a file or pattern that matches nothing, and many another program's for something else
            counts.found_none = true;
        } else if line == "1..0" || line.starts_with("1..0 ") {
            counts.told(0, 0);
        } else {
            self.point(line);
        }
    }

    pub(super) fn finish(&mut self, counts: &mut TestCounts) {
        if std::mem::take(&mut self.has_points) {
            counts.told(self.ran, self.skipped);
        }
        self.ran = 0;
        self.skipped = 0;
    }

    fn footer(&mut self, word: &str, number: u64, counts: &mut TestCounts) {
        match word {
            "tests" => {
                // Alone it may be a heading.
                self.is_footer = true;
            }
            "pass" if self.is_footer => {
                // What the points said is said again here, but for those that were skipped, by some.
                self.ran = 0;
                let files = std::mem::take(&mut self.files);
                counts.told(number.saturating_sub(files), 0);
            }
            "fail" | "cancelled" if self.is_footer => counts.told(number, 0),
            "skipped" | "todo" if self.is_footer => {
                counts.told(0, number);
                self.skipped = 0;
            }
            "duration_ms" => self.is_footer = false,
            _ => {}
        }
    }

    /// `ok 1 - name`, `not ok 2 - name`, `ok 3 - name # SKIP why`
    fn point(&mut self, line: &str) {
        let point = line.trim_start();
        let (is_ok, rest) = match (point.strip_prefix("ok "), point.strip_prefix("not ok ")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => {
                self.file_of_spec(line);
                return;
            }
        };
        let name = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        // With a bracket it is a group, whose points follow.
        if name.len() == rest.len() || name.ends_with('{') {
            return;
        }
        self.has_points = true;
        let directive = name.rsplit_once('#').map(|(_, directive)| directive.trim_start().to_ascii_uppercase());
        if directive.is_some_and(|word| word.starts_with("SKIP") || word.starts_with("TODO")) {
            self.skipped = self.skipped.saturating_add(1);
        } else {
            self.ran = self.ran.saturating_add(1);
            let name = name.trim_start_matches([' ', '-']);
            self.files = self.files.saturating_add(u64::from(is_ok && is_script(name)));
        }
    }

    /// `✔ a.test.mjs (12ms)`: the same file as the spec reporter shows it.
    fn file_of_spec(&mut self, line: &str) {
        let Some((name, time)) = line.strip_prefix("✔ ").and_then(|rest| rest.rsplit_once(" (")) else { return };
        if time.ends_with("ms)") && is_script(name) {
            self.files = self.files.saturating_add(1);
        }
    }
}

/// `# pass 2`, and `ℹ pass 2` of the spec reporter.
fn footer(line: &str) -> Option<(&str, u64)> {
    let mut words = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))?.split_whitespace();
    let (word, number) = (words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let number = number.split('.').next()?.parse().ok()?;
    Some((word, number))
}

/// Whether a test has the name of a file.
fn is_script(name: &str) -> bool {
    const ENDINGS: &[&str] = &[".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
    !name.contains(' ') && ENDINGS.iter().any(|ending| name.ends_with(ending))
}
