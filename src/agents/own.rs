//! Files that are ours from their first byte to their last: plugins, scripts, a command.
//!
//! Their last line has a digest of what stands above it. So it can be told, by any version and in any clone, whether
//! somebody edited them: only those that nobody edited are replaced or deleted.

use crate::agents::json::newline_of;
use crate::agents::problem::Problem;
use crate::digest::sha256;

/// What the last line begins with, behind the marks of a comment.
pub(super) const MARK: &str = "specward:file ";

/// How long the digest is, in hexadecimal digits.
const DIGITS: usize = 16;

/// How a line is a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comment {
    /// `# …`
    Hash,
    /// `// …`
    Slashes,
    /// `<!-- … -->`
    Html,
}

impl Comment {
    fn marks(self) -> (&'static str, &'static str) {
        match self {
            Self::Hash => ("# ", ""),
            Self::Slashes => ("// ", ""),
            Self::Html => ("<!-- ", " -->"),
        }
    }
}

/// A file of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnFile {
    /// From the top of the repository.
    pub path: &'static str,
    /// What it holds, without its last line.
    pub text: &'static str,
    /// How its last line is a comment.
    pub comment: Comment,
    /// Whether it is a program.
    pub is_executable: bool,
}

/// Whose a file is that lies where one of ours belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// As it would be written now.
    Current,
    /// Ours, of another version, and as it was written.
    Other,
    /// Ours, and edited since.
    Edited,
    /// Somebody else's.
    Foreign,
}

impl OwnFile {
    /// What is written.
    pub fn content(&self) -> String {
        let (before, after) = self.comment.marks();
        let text = format!("{}{}", self.text, self.gap());
        format!("{text}{before}{MARK}{}{after}\n", digest(&text))
    }

    /// What formatters have before a comment that ends a file.
    fn gap(&self) -> &'static str {
        match self.comment {
            Comment::Html => "\n",
            Comment::Hash if self.path.ends_with(".py") => "\n\n",
            Comment::Hash | Comment::Slashes => "",
        }
    }

    /// Whose a text is. Line ends do not matter, since git may write others.
    pub fn whose(&self, text: &str) -> Whose {
        let text = text.replace("\r\n", "\n");
        if text == self.content() {
            return Whose::Current;
        }
        let (before, after) = self.comment.marks();
        let start = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        let last = text[start..].trim_end();
        let found = last.strip_prefix(before).and_then(|last| last.strip_prefix(MARK));
        match found.and_then(|found| found.strip_suffix(after)) {
            Some(found) if found == digest(&text[..start]) && text.ends_with(&format!("{last}\n")) => Whose::Other,
            Some(_) => Whose::Edited,
            // Who adds a line below the last edits the file too.
            None if text.lines().any(|line| line.starts_with(&format!("{before}{MARK}"))) => Whose::Edited,
            None => Whose::Foreign,
        }
    }

    /// The file as it should be, in the line ends it has. One of ours that was edited stays as it is.
    ///
    /// # Errors
    /// When somebody else wrote it.
    pub fn install(&self, text: Option<&str>) -> Result<String, Problem> {
        let Some(text) = text else { return Ok(self.content()) };
        match self.whose(text) {
            Whose::Current | Whose::Edited => Ok(text.to_owned()),
            Whose::Other => Ok(self.content().replace('\n', newline_of(text))),
            Whose::Foreign => Err(Problem::of_file(
                "is not ours, and ours belongs there",
                "give it another name, or leave its agent out with --agents; nothing was written",
            )),
        }
    }
}

fn digest(text: &str) -> String {
    sha256(text.as_bytes()).chars().skip("sha256:".len()).take(DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: OwnFile = OwnFile { path: "a", text: "x\ny\n", comment: Comment::Html, is_executable: false };

    #[test]
    fn who_wrote_a_file() {
        let content = FILE.content();
        assert!(content.starts_with("x\ny\n\n<!-- specward:file ") && content.ends_with(" -->\n"), "{content}");
        let other = OwnFile { text: "z\n", ..FILE }.content();
        for (text, whose) in [
            (content.clone(), Whose::Current),
            (content.replace('\n', "\r\n"), Whose::Current),
            (other.clone(), Whose::Other),
            (other.replace('\n', "\r\n"), Whose::Other),
            (other.replace('z', "zz"), Whose::Edited),
            (format!("{other}more\n"), Whose::Edited),
            (format!("{other}\n"), Whose::Edited),
            ("z\n".to_owned(), Whose::Foreign),
            (String::new(), Whose::Foreign),
        ] {
            assert_eq!(FILE.whose(&text), whose, "{text:?}");
        }
        assert_eq!(FILE.install(Some(&other)), Ok(content));
        assert!(FILE.install(Some("z\n")).is_err());
        let edited = other.replace('z', "zz");
        assert_eq!(FILE.install(Some(&edited)), Ok(edited.clone()));
    }
}
