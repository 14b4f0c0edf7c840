use super::*;

/// The kinds of a text's lines, `c` for code and `.` for others, and what swallows what is added below.
fn read(text: &str) -> (String, Option<Swallow>) {
    let mut reader = Reader::default();
    let kind = |line: &str| if reader.feed(line, 0) == Kind::Code { 'c' } else { '.' };
    let kinds = text.split('\n').map(kind).collect();
    (kinds, reader.swallow().map(|(swallow, _)| swallow))
}

#[test]
fn what_is_code() {
    for (text, kinds, swallow) in [
        ("```\na\n```\nb", "ccc.", None),
        ("````\n```\n`````\nb", "ccc.", None),
        ("~~~ a `b`\n```\n~~~ c\n~~~\t\nb", "cccc.", None),
        ("``` a ```\nb", "..", None),
        ("```\na", "cc", Some(Swallow::Fence)),
        ("   ```\na\n    ```\n   ```\nb", "cccc.", None),
        // Indented by four it is code, and no fence; below words it is words.
        ("    ```\nb", "c.", None),
        ("\t```\nb", "c.", None),
        ("a\n    ```\nb", "...", None),
        ("a\n\n    ```\nb", "..c.", None),
        // Within containers, with which it ends.
        ("- ```sh\n  a\n  ```\nb", "ccc.", None),
        ("- ```sh\n  a\nb", "cc.", None),
        ("- ```sh\n\n  a", "ccc", None),
        ("1. ```\n   a\n   ```\n\nb", "ccc..", None),
        ("- a\n\n  ```\n  b\n  ```\nc", "..ccc.", None),
        ("- a\n\n      ```\nb", "..c.", None),
        ("- - ```\n    a\n  b", "cc.", None),
        ("-\t```\n\ta\nb", "cc.", None),
        ("-\n  ```\n  a\nb", ".cc.", None),
        ("-\n\n  ```\n  a\nb", "..ccc", Some(Swallow::Fence)),
        ("> ```\n> a\nb", "cc.", None),
        (">```\n> a\n> ```\n> b", "ccc.", None),
        ("> a\n```\nb", ".cc", Some(Swallow::Fence)),
        ("> a\n    ```\nb", "...", None),
        ("> - ```\n>   a\n> b", "cc.", None),
        // What looks like a list or a line is none.
        ("a\n14. ```\nb", "...", None),
        ("a\n1. ```\nb", ".c.", None),
        ("-```\nb", "..", None),
        ("- - -\n    ```\nb", ".c.", None),
        ("# a\n    ```\nb", ".c.", None),
        ("a\n---\n    ```\nb", "..c.", None),
        // HTML.
        ("<pre>\n```\n</PRE>\nb", "ccc.", None),
        ("<pre>\n\na", "ccc", Some(Swallow::Html)),
        ("<script src=x></script>\nb", "c.", None),
        ("- <pre>\n  a\nb", "cc.", None),
        ("<!-- a\n```\n-->\nb", "....", None),
        ("<!-- a\n\n```", "...", Some(Swallow::Comment)),
        ("a <!-- b\n```\nc", ".cc", Some(Swallow::Fence)),
        ("<!-->\n<!--->\nb", "...", None),
        ("<?php\n\na", "ccc", Some(Swallow::Html)),
        ("<!A\n\na", "ccc", Some(Swallow::Html)),
        ("<![CDATA[\n>\n]]>\nb", "ccc.", None),
        ("<details>\n```\n\n```\na\n```", "...ccc", None),
        ("<x-y a='b' c=d e>\n```\n\nb", "....", None),
        ("<x-y a=>\n```\nb", ".cc", Some(Swallow::Fence)),
        ("a\n<x-y>\n```\nb", "..cc", Some(Swallow::Fence)),
        ("</x>\n```\n\nb", "....", None),
    ] {
        assert_eq!(read(text), (kinds.to_owned(), swallow), "{text:?}");
    }
}

#[test]
fn it_is_fast_on_whatever_there_is() {
    let deep = format!("{}\n{}", "- + ".repeat(50_000), "\n".repeat(100_000));
    assert_eq!(read(&deep).1, None);
}
