//! Every link of a page leads somewhere, and every file of this repository that a page names is there.

use std::collections::BTreeMap;
use std::path::Path;

use crate::pages::{self, Page, TOP};

#[test]
fn every_link_leads_somewhere() {
    let broken = broken(&pages::all(), |path| Path::new(TOP).join(path).exists());
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_told() {
    let text = "# Top\n[a](b.md) [c](b.md#there) [d](b.md#gone) [e](gone.md) [f](#top) [g](#no) [h](https://x.y/z)\n[i](../src) [j](../../x)";
    let pages = [("docs/a.md", text), ("docs/b.md", "# There\n")];
    let pages = pages.map(|(path, text)| (path.to_owned(), Page::parse(text))).into();
    let broken = broken(&pages, |path| ["docs/b.md", "src"].contains(&path));
    let expected = ["docs/a.md:1: b.md#gone", "docs/a.md:1: gone.md", "docs/a.md:1: #no", "docs/a.md:1: ../../x"];
    assert_eq!(broken, expected);
}

/// Links whose file is not there, or whose heading the page does not have.
fn broken(pages: &BTreeMap<String, Page>, is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, page) in pages {
        for link in &page.links {
            if ["https://", "http://", "mailto:"].iter().any(|scheme| link.text.starts_with(scheme)) {
                continue;
            }
            let (file, anchor) = link.text.split_once('#').map_or((link.text.as_str(), None), |(f, a)| (f, Some(a)));
            let target = if file.is_empty() { Some(path.clone()) } else { resolved(path, file) };
            let is_file = target.as_ref().is_some_and(|target| pages.contains_key(target) || is_there(target));
            let is_heading = anchor.is_none_or(|anchor| {
                let page = target.as_ref().and_then(|target| pages.get(target));
                page.is_some_and(|page| page.anchors.contains(anchor))
            });
            if !is_file || !is_heading {
                broken.push(format!("{path}:{}: {}", link.line, link.text));
            }
        }
    }
    broken
}

/// A path from the top of the repository. None when it leads out.
pub fn resolved(page: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => _ = parts.pop()?,
            "." | "" => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Folders of this repository. What begins with one of them is no example.
const FOLDERS: [&str; 6] = ["ci/", ".ci/", "schemas/", "src/", "tests/", "docs/"];

/// Names of examples.
const EXAMPLES: [&str; 0] = [];

#[test]
fn every_file_that_is_named_is_there() {
    let mut missing = Vec::new();
    for (path, page) in pages::all() {
        // A change log tells what was.
        for code in page.codes.iter().filter(|_| path != "CHANGELOG.md" && !path.starts_with("docs/rules/")) {
            let name = code.text.split(' ').next().unwrap_or_default();
            let is_ours =
                FOLDERS.iter().any(|folder| name.starts_with(folder)) && !name.contains(['*', '<', '$', '{', '…']);
            if is_ours && !EXAMPLES.contains(&name) && !Path::new(TOP).join(name).exists() {
                missing.push(format!("{path}:{}: {name}", code.line));
            }
        }
    }
    assert!(missing.is_empty(), "files that are not there:\n{}", missing.join("\n"));
}
