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
        "```\n<!-- specward:start -->\n```\n",
        "<!--\n```\n-->\n",
        "`````x```\n",
    ] {
        let with = install(text).expect(text);
        assert!(with.starts_with(text), "{with:?}");
        assert_eq!(install(&with).as_ref(), Ok(&with), "{text:?}");
        assert_eq!(uninstall(&with, ""), Ok(Some(text.to_owned())));
        assert_eq!(uninstall(&with, "---\na: b\n---\n"), Ok(Some(text.to_owned())));
    }
    for head in ["", "---\na: b\n---\n"] {
        assert_eq!(uninstall(&format!("{head}{BLOCK}"), head), Ok(None));
        assert_eq!(uninstall(&format!("{head}{BLOCK}").replace('\n', "\r\n"), head), Ok(None));
    }
}

#[test]
fn an_old_block_is_replaced_where_it_stands() {
    let text = "a\n<!-- specward:start -->\nold\n<!-- specward:end -->\nb";
    assert_eq!(install(text), Ok(format!("a\n{BLOCK}b")));
    let windows = text.replace('\n', "\r\n");
    assert_eq!(install(&windows), Ok(format!("a\n{BLOCK}b").replace('\n', "\r\n")));
    assert_eq!(uninstall(text, ""), Ok(Some("ab".to_owned())), "one line end before it, one behind it");
}

#[test]
fn marks_that_are_no_pair() {
    let line = |text: &str| install(text).map_err(|problem| (problem.line, problem.message)).expect_err(text);
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
}

#[test]
fn words_about_marks_are_no_marks() {
    let text = "See `<!-- specward:start -->` and <!-- specward:end --> here.\n";
    assert_eq!(find(text), Ok(None));
}
