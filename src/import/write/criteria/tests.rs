use super::*;

fn entry(id: &str, name: &str) -> Entry {
    let number = id.trim_start_matches("c/").to_owned();
    Entry {
        id: id.to_owned(),
        numbers: ["R".to_owned(), number],
        requirement: "R".to_owned(),
        scenario: name.to_owned(),
        ears: format!("{name}!"),
    }
}

/// The requirement R is written, and imports before wrote some entries of it.
fn wanted(entries: &[Entry], recorded: &[&str]) -> Wanted {
    Wanted {
        written: entries.to_vec(),
        rewritten: vec!["R".to_owned()],
        recorded: recorded.iter().map(|id| (*id).to_owned()).collect(),
        ..Wanted::default()
    }
}

fn edited(before: &str, wanted: &Wanted) -> String {
    edit(Some(before), "c", wanted).map_or_else(|error| error.to_string(), |edited| edited.text)
}

#[test]
fn a_new_file_can_be_read() -> Result<(), Uneditable> {
    let odd = "a: \"b\" # c \\ \u{1}";
    let text = edit(None, "c", &wanted(&[entry("c/a", odd), entry("c/b", "x")], &[]))?.text;
    let read = parse(&text, "c")?;
    assert_eq!((read.len(), read[0].scenario.as_str()), (2, odd));
    assert!(read.iter().all(|criterion| criterion.checks.is_empty()));
    Ok(())
}

#[test]
fn what_others_wrote_stays() {
    let before = "version: 1\n# mine\ncriteria:\n- requirement: R # why\n  scenario: 'old'   # keep\n  id: c/a\n  ears: >\n    folded\n    text\n  verify:\n    # filled\n    - file: {path: x, exists: true}\n\n# end\n";
    let after = edited(before, &wanted(&[entry("c/a", "new"), entry("c/b", "b")], &[]));
    assert_eq!(
        after,
        "version: 1\n# mine\ncriteria:\n- requirement: R # why\n  scenario: \"new\"   # keep\n  id: c/a\n  ears: \"new!\"\n  verify:\n    # filled\n    - file: {path: x, exists: true}\n- requirement: \"R\"\n  scenario: \"b\"\n  id: c/b\n  ears: \"b!\"\n  verify: []\n\n# end\n"
    );
    assert_eq!(edited(&after, &wanted(&[entry("c/a", "new"), entry("c/b", "b")], &[])), after);
}

#[test]
fn what_is_gone_goes_unless_it_has_checks() -> Result<(), Uneditable> {
    let start = edit(None, "c", &wanted(&[entry("c/a", "a"), entry("c/b", "b")], &[]))?.text;
    let filled = start.replacen("verify: []", "verify:\n      - file: {path: x, exists: true}", 1);
    let after = edit(Some(&filled), "c", &wanted(&[], &["c/a", "c/b"]))?;
    assert_eq!(after.filled, [Filled::Gone { id: "c/a".to_owned() }]);
    assert!(after.text.contains("c/a") && !after.text.contains("c/b"));
    Ok(())
}

#[test]
fn empty_lists_and_odd_styles() {
    let one = [entry("c/a", "a")];
    for before in [
        "version: 1\ncriteria: []\n",
        "version: 1\ncriteria:\n",
        "criteria: []  # none\nversion: 1\n",
        "version: 1\ncriteria: []",
    ] {
        let after = edited(before, &wanted(&one, &[]));
        assert!(parse(&after, "c").is_ok_and(|read| read.len() == 1), "{before:?}: {after}");
    }
    let flow = "version: 1\ncriteria: [{requirement: R, scenario: x, id: c/x}]\n";
    assert!(edited(flow, &wanted(&one, &[])).contains("lines of its own"));
    assert!(edited("version: 2\n", &wanted(&one, &[])).contains("version"));
    let crlf = "version: 1\r\ncriteria:\r\n  - requirement: R\r\n    scenario: x\r\n    id: c/x\r\n    verify: []\r\n";
    let after = edited(crlf, &wanted(&one, &[]));
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
}

/// The ids of a file's entries with what they say, and whether they have checks.
fn entries(text: &str) -> Vec<String> {
    let one = |criterion: &Criterion| {
        let filled = if criterion.checks.is_empty() { "" } else { " filled" };
        format!("{} {}{filled}", criterion.id, criterion.ears.as_deref().unwrap_or_default())
    };
    parse(text, "c").map(|all| all.iter().map(one).collect()).unwrap_or_default()
}

fn filled(entries: &[Entry]) -> Result<String, Uneditable> {
    let text = edit(None, "c", &wanted(entries, &[]))?.text;
    Ok(text.replace("verify: []", "verify: [{file: {path: x, exists: true}}]"))
}

#[test]
fn checks_follow_their_sentence() -> Result<(), Uneditable> {
    let start = filled(&[entry("c/a", "one"), entry("c/b", "two")])?;
    let recorded = ["c/a", "c/b"];
    let swapped = edit(Some(&start), "c", &wanted(&[entry("c/a", "two"), entry("c/b", "one")], &recorded))?;
    assert_eq!(entries(&swapped.text), ["c/b one! filled", "c/a two! filled"]);
    let inserted = [entry("c/a", "new"), entry("c/b", "one"), entry("c/c", "two")];
    let inserted = edit(Some(&start), "c", &wanted(&inserted, &recorded))?;
    assert_eq!(entries(&inserted.text), ["c/b one! filled", "c/c two! filled", "c/a new!"]);
    let moved = |from: &str, to: &str| Filled::Moved { from: from.to_owned(), to: to.to_owned() };
    assert_eq!(inserted.filled, [moved("c/a", "c/b"), moved("c/b", "c/c")]);
    let removed = edit(Some(&start), "c", &wanted(&[entry("c/a", "two")], &recorded))?;
    assert_eq!(entries(&removed.text), ["c/a-was one! filled", "c/a two! filled"]);
    assert_eq!(removed.filled, [Filled::Gone { id: "c/a-was".to_owned() }, moved("c/b", "c/a")]);
    Ok(())
}

#[test]
fn an_id_of_somebody_stays() -> Result<(), Uneditable> {
    let mut one = entry("c/a", "a one");
    one.requirement = "R x".to_owned();
    let start = filled(&[one.clone()])?.replace("id: c/a", "id: mine");
    one.scenario = "a two".to_owned();
    one.ears = "two!".to_owned();
    let after = edit(Some(&start), "c", &wanted(&[one], &["c/a"]))?;
    assert_eq!(entries(&after.text), ["mine two! filled"]);
    assert_eq!(after.filled, [Filled::Reworded { id: "mine".to_owned(), sentence: "two!".to_owned() }]);
    Ok(())
}

#[test]
fn the_limit_that_is_met_is_named() {
    let mut large = entry("c/a", "a");
    large.ears = "x".repeat(file::MAX_FILE_BYTES);
    let refused = edit(None, "c", &wanted(&[large], &[])).map_err(|error| error.to_string());
    assert!(refused.is_err_and(|error| error.contains("bytes are more than")));
}
