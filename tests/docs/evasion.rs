//! `docs/evasion.md` lists every row of the threat model once, each with tests of that row.

use regex::Regex;

use crate::links::resolved;
use crate::pages::{Page, read};

const PAGE: &str = "docs/evasion.md";

/// How many rows there are.
const ROWS: usize = 53;

#[test]
fn each_row_has_tests() {
    let faults = faults(&read(PAGE), ROWS, read);
    assert!(faults.is_empty(), "{PAGE}:\n{}", faults.join("\n"));
}

#[test]
fn a_row_without_a_test_is_told() {
    let page = "| 1 | x | [t](../t.rs) |\n| 2 | x | [t](../t.rs) |\n| 3 | x | |\n| 5 | x | [t](../t.rs) |\n| 6 | x | [t](../t.rs) |\n";
    let tests = |_: &str| "fn row_01() {}\nfn row_04_to_05_x() {}\n/// Of 3, 6: x\n".to_owned();
    let expected = ["row 2: t.rs has no test of it", "row 3: no tests", "row 4: listed 0 times"];
    assert_eq!(faults(page, 6, tests), expected);
}

fn faults(page: &str, rows: usize, test: impl Fn(&str) -> String) -> Vec<String> {
    let mut faults = Vec::new();
    for row in 1..=rows {
        let start = format!("| {row} |");
        let lines: Vec<&str> = page.lines().filter(|line| line.starts_with(&start)).collect();
        let [line] = lines[..] else {
            faults.push(format!("row {row}: listed {} times", lines.len()));
            continue;
        };
        let links = Page::parse(line).links;
        if links.is_empty() {
            faults.push(format!("row {row}: no tests"));
        }
        for link in links {
            let path = resolved(PAGE, &link.text).expect("a file of this repository");
            if !is_tested(row, &test(&path)) {
                faults.push(format!("row {row}: {path} has no test of it"));
            }
        }
    }
    faults
}

/// Whether tests are named or say that they are of a row: `row_07_…`, `row_21_and_22_…`, `row_28_to_31_…`, `/// Of 37, 39:`.
fn is_tested(row: usize, tests: &str) -> bool {
    let names = Regex::new(r"fn row_(\d\d)(?:_(?:and|to)_(\d\d))?").expect("a pattern");
    let lists = Regex::new(r"(?m)^/// Of ([\d, ]+):").expect("a pattern");
    let quotes = Regex::new(r#""(\d+)[ "]"#).expect("a pattern");
    let number = |text: &str| text.trim().parse::<usize>().unwrap_or_default();
    let is_named = names.captures_iter(tests).any(|found| {
        let first = number(&found[1]);
        (first..=found.get(2).map_or(first, |last| number(last.as_str()))).contains(&row)
    });
    let is_listed = lists.captures_iter(tests).any(|found| found[1].split(',').any(|one| number(one) == row));
    // A test can begin with a row and be about others that it quotes.
    let is_quoted = tests
        .lines()
        .filter(|line| line.starts_with("///"))
        .any(|line| quotes.captures_iter(line).any(|found| number(&found[1]) == row));
    is_named || is_listed || is_quoted
}
