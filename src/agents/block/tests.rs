use super::*;

#[test]
fn it_is_short() {
    assert!(BLOCK.lines().count() <= 10);
    assert_eq!(find(BLOCK), Ok(Some(0..BLOCK.trim_end().len())));
    assert_eq!(version(BLOCK), Some(1));
    assert_eq!(version("a"), None);
    assert!(BLOCK.contains("specward verify --changed --no-judge --format agent --frozen-spec"));
}

#[test]
fn any_end_comes_back() {
    for text in [
        "",
        "\n",
        "\n\n",
        "a",
        "a\n",
        "a\n\n",
        "a\r\n",
        "a\r\nb\n",
        "a\nb\r\n",
        "a\r",
        "a\r\nb\r",
        "\u{feff}",
        "\u{feff}a\r\n",
        "---\na: b\n---\n",
        "---\na: b\n---",
        "---\na: b\n---\n\n",
        "---\r\na: b\r\n---\r\n",
        "\u{feff}---\na: b\n---\n\n\n",
        "- ```sh\n  a\n",
        "- ```sh\n  a",
        "    ```\n",
        "> ```\n",
        "```\n<!-- specward:start -->\n```\n",
        "<!--\n```\n-->\n",
        "`````x```\n",
    ] {
        let with = install(text, "").expect(text);
        assert!(with.starts_with(text), "{with:?}");
        assert_eq!(install(&with, "").as_ref(), Ok(&with), "{text:?}");
        assert_eq!(uninstall(&with, ""), Ok(Some(text.to_owned())));
        let head = "---\na: b\n---\n\n";
        let with = install(text, head).expect(text);
        assert_eq!(install(&with, head).as_ref(), Ok(&with), "{text:?}");
        assert_eq!(uninstall(&with, head), Ok(Some(text.to_owned())), "{with:?}");
    }
    for head in ["", "---\na: b\n---\n\n"] {
        assert_eq!(uninstall(&format!("{head}{BLOCK}"), head), Ok(None));
        assert_eq!(uninstall(format!("{head}{BLOCK}").trim_end(), head), Ok(None), "an editor took the last line end");
        assert_eq!(uninstall(&format!("{head}{BLOCK}").replace('\n', "\r\n"), head), Ok(None));
    }
}

#[test]
fn an_old_block_is_replaced_where_it_stands() {
    let text = "a\n<!-- specward:start -->\nold\n<!-- specward:end -->\nb";
    assert_eq!(install(text, ""), Ok(format!("a\n{BLOCK}b")));
    let windows = text.replace('\n', "\r\n");
    assert_eq!(install(&windows, ""), Ok(format!("a\n{BLOCK}b").replace('\n', "\r\n")));
    assert_eq!(uninstall(text, ""), Ok(Some("a\nb".to_owned())), "no two lines are joined");
}

#[test]
fn no_line_of_theirs_is_joined_to_another() {
    let head = "---\na: b\n---\n\n";
    for newline in ["\n", "\r\n"] {
        for (before, after, left) in [
            ("# T\n", "more\n", "# T\nmore\n"),
            ("# T\n", "more", "# T\nmore"),
            ("# T\n\n", "more\n", "# T\n\nmore\n"),
            ("# T\n\n", "\nmore\n", "# T\n\nmore\n"),
            ("# T\n", "\nmore\n", "# T\n\nmore\n"),
            ("", "more\n", "more\n"),
            ("# T\n", "", "# T\n"),
            (head, "more\n", "---\na: b\n---\n\nmore\n"),
            ("---\na: b\n---\n", "more\n", "---\na: b\n---\nmore\n"),
        ] {
            let with = format!("{before}{BLOCK}{after}").replace('\n', newline);
            assert_eq!(uninstall(&with, head), Ok(Some(left.replace('\n', newline))), "{with:?}");
        }
    }
    let blanks = format!("# T\n  {}\t \nmore\n", BLOCK.trim_end());
    assert_eq!(uninstall(&blanks, ""), Ok(Some("# T\nmore\n".to_owned())), "blanks around a mark are in its line");
}

#[test]
fn a_head_that_a_formatter_changed() {
    let head = "---\na: b\n---\n\n";
    for text in ["---\na: b\n---\n", "---\n\na:  b\n---\n\n"] {
        assert_eq!(uninstall(&format!("{text}{BLOCK}\n"), head), Ok(None));
    }
    assert_eq!(uninstall(&format!("---\na: c\n---\n\n{BLOCK}"), head), Ok(Some("---\na: c\n---\n".to_owned())));
}

#[test]
fn a_formatter_leaves_it_as_it_is() {
    let lines: Vec<&str> = BLOCK.lines().collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("- ") || line.starts_with('#')) {
        let is_list = line.starts_with("- ");
        assert!(lines[at - 1].is_empty() || is_list && lines[at - 1].starts_with("- "), "{line}");
        assert!(lines[at + 1].is_empty() || is_list && lines[at + 1].starts_with("- "), "{line}");
    }
}

#[test]
fn a_block_in_code_that_never_ends() {
    let text = format!("a\n\n```\n\n{BLOCK}");
    assert!(uninstall(&text, "").is_err_and(|problem| problem.line == Some(3)));
    assert_eq!(uninstall("a\n```\n", ""), Ok(Some("a\n```\n".to_owned())), "not ours to complain about");
    let example = format!("<pre>\n{BLOCK}</pre>\n");
    assert_eq!(find(&example), Ok(None));
}

#[test]
fn a_large_text_takes_no_longer_than_it_is() {
    let text = format!("{}{BLOCK}", "- a `b`\n".repeat(200_000));
    assert!(find(&text).is_ok_and(|found| found.is_some()));
}

#[test]
fn marks_that_are_no_pair() {
    let line = |text: &str| install(text, "").map_err(|problem| (problem.line, problem.message)).expect_err(text);
    let (start, end) = (START, END);
    assert_eq!(line(&format!("a\n{start}\nb\n")).0, Some(2));
    assert_eq!(line(&format!("a\n\n{end}\nb\n")).0, Some(3));
    assert_eq!(line(&format!("{end}\n{start}\n")).0, Some(1));
    assert_eq!(line(&format!("{start}\n{start}\n{end}\n{end}\n")).0, Some(2));
    assert_eq!(line(&format!("{start}\n{end}\n{start}\n{end}\n")).0, Some(3));
    assert_eq!(line(&format!("{start}\r\n{end}\r\n{start}\r\n")).0, Some(3));
    assert_eq!(line(&format!("{start}\n```\n{end}\n```\n")).0, Some(1));
    assert_eq!(line("a\n\n```sh\nb\n").0, Some(3));
    assert_eq!(line("a\n<!-- b\nc\n").0, Some(2));
    assert_eq!(line("a\n<pre>\nc\n").0, Some(2));
}

#[test]
fn words_about_marks_are_no_marks() {
    let text = "See `<!-- specward:start -->` and <!-- specward:end --> here.\n";
    assert_eq!(find(text), Ok(None));
}
