//! Which capability a source is for: what its folder or its title says.

use super::model::Document;
use crate::openspec::metadata::is_kebab_case;

/// Characters of a name made from a title.
const MAX: usize = 60;

/// Whether a name can be that of a capability: words in small letters with hyphens, folders separated by `/`.
pub fn is_capability(name: &str) -> bool {
    name.len() <= 120 && name.split('/').all(is_kebab_case)
}

/// The capability a source is for, from its path (with `/` between folders) and what it says.
pub fn capability(path: &str, document: &Document) -> Option<String> {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    let parent = parts.len().checked_sub(2).and_then(|at| parts.get(at)).copied();
    let grandparent = parts.len().checked_sub(3).and_then(|at| parts.get(at)).copied();
    let of_folder = parent.filter(|_| grandparent == Some("specs") || is_numbered(parent.unwrap_or_default()));
    [of_folder, Some(document.title.as_str()), parent].into_iter().flatten().find_map(|name| slug(without_number(name)))
}

/// Whether a folder begins with a number, as Spec Kit's do.
fn is_numbered(folder: &str) -> bool {
    without_number(folder) != folder
}

/// `sign-in` of `001-sign-in`, and of `20250102-030405-sign-in`.
fn without_number(folder: &str) -> &str {
    let mut rest = folder;
    while let Some((number, more)) = rest.split_once('-') {
        if number.is_empty() || more.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        rest = more;
    }
    rest
}

/// A name in small letters with hyphens; none when it has no letter that may stand in one.
fn slug(name: &str) -> Option<String> {
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            // A letter that cannot stand in a name: what is left of the word would be no word.
            return None;
        } else if !slug.ends_with('-') && !slug.is_empty() && !matches!(c, '\'' | '’') {
            slug.push('-');
        }
    }
    let end = slug.match_indices('-').map(|(at, _)| at).chain([slug.len()]).take_while(|at| *at <= MAX).last()?;
    let slug = slug.get(..end)?.trim_matches('-').to_owned();
    (slug.chars().any(|c| c.is_ascii_alphabetic()) && is_kebab_case(&slug)).then_some(slug)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::detect::read;

    fn named(path: &str, title: &str) -> Option<String> {
        let source = format!("# Feature Specification: {title}\n\n## Requirements\n- FR-001: System MUST a\n");
        read(source.into_bytes(), path, None).ok().and_then(|document| capability(path, &document))
    }

    #[test]
    fn folder_then_title() {
        for (path, title, expected) in [
            (".kiro/specs/user-auth/requirements.md", "X", Some("user-auth")),
            ("specs/001-user-auth/spec.md", "X", Some("user-auth")),
            ("specs/20250102-030405-user_auth/spec.md", "X", Some("user-auth")),
            ("004-x/spec.md", "Y", Some("x")),
            ("docs/spec.md", "Sign in & out", Some("sign-in-out")),
            ("spec.md", "Café", None),
            ("docs/spec.md", "登录", Some("docs")),
            ("spec.md", "登录", None),
            ("specs/001-2/spec.md", "Two", Some("two")),
        ] {
            assert_eq!(named(path, title).as_deref(), expected, "{path} {title}");
        }
    }

    #[test]
    fn names_that_lead_out_are_none() {
        for name in ["..", "a/../b", "/a", "a/", "", "A", "a b", "a\\b", "a//b", "."] {
            assert!(!is_capability(name), "{name}");
        }
        assert!(is_capability("net/http-2"));
    }
}
