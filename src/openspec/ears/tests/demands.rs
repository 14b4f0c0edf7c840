//! The modal, responses and the conditions that trail them.

use super::*;

#[test]
fn the_modal() {
    for (sentence, expected) in [
        ("It SHALL go", Some((ModalWord::Shall, true, false))),
        ("It must **not** go", Some((ModalWord::Must, false, true))),
        ("It mustn't go", Some((ModalWord::Must, false, true))),
        ("It SHALL never go", Some((ModalWord::Shall, true, true))),
        ("It should go and must stay", Some((ModalWord::Must, false, false))),
        ("It should go", None),
        ("It is a must-have", None),
    ] {
        let found = parse(sentence).map(|ears| (ears.modal.word, ears.modal.is_upper, ears.modal.is_negative));
        assert_eq!(found, expected, "{sentence}");
    }
}

#[test]
fn several_responses() {
    check(&[
        ("The system SHALL log the error and return 404.", "[The system] | log the error | return 404"),
        (
            "It SHALL reject the call, log the user, and then notify admins.",
            "[It] | reject the call | log the user | notify admins",
        ),
        ("It SHALL stop the job; and SHALL NOT start it again", "[It] | stop the job | NOT start it again"),
        ("It SHALL stop the job, and the user must start it", "[It] | stop the job | start it"),
        ("It SHALL add all keys once AND later calls SHALL return them", "[It] | add all keys once | return them"),
        ("It SHALL keep a, b and c, which the client MUST send", "[It] | keep a, b and c, which the client MUST send"),
        ("It SHALL reject requests that are old, and return 410", "[It] | reject requests that are old | return 410"),
        (
            "It shall quarantine the file, log the user, and continue to run.",
            "[It] | quarantine the file | log the user | continue to run",
        ),
        ("It SHALL keep all keys, and they MUST be sorted", "[It] | keep all keys | be sorted"),
        ("It SHALL: open a file; read the text; close it", "[It] | open a file | read the text | close it"),
        ("It SHALL log the error and never send the key", "[It] | log the error | never send the key"),
    ]);
}

#[test]
fn one_response_when_unsure() {
    for response in [
        "log the user, time and action",
        "display name and e-mail",
        "support create, read, update and delete operations",
        "store the title, log and cache",
        "allow users to create boards and delete cards",
        "allow the user to confirm or cancel the choice",
        "stop the job and, when it is gone, log the user",
        "let users create boards and delete cards",
        "show a key that users can press and hold the pointer",
        "read and write the file",
        "keep a token that MUST be secret",
        "have these steps: open the file, read the text and close it",
        "validate the input before the handlers run and send data",
        "be stored and return",
        "log the function code and register addresses",
        "print a hint that suggests they open the folder and rerun the command",
        "import new commits and pull requests",
        "show edit and delete buttons",
        "convert it to a form with input, resolve extensions, and plugins",
        "close x with clear messages and exit codes",
    ] {
        let sentence = format!("The system SHALL {response}.");
        assert_eq!(shown(&sentence), format!("[The system] | {response}"), "{sentence}");
    }
}

#[test]
fn trailing_conditions() {
    check(&[
        ("The system SHALL retry when a request fails.", "[The system] | retry | …When<a request fails>"),
        ("The system SHALL wait, unless it is late", "[The system] | wait | …Unless<it is late>"),
        ("The system SHALL go only if x is on", "[The system] | go | …If<x is on>"),
        ("The system SHALL, when a fails, retry", "[The system] | retry | …When<a fails>"),
        ("The system SHALL check if x is on", "[The system] | check if x is on"),
        ("The system SHALL keep the folder where files are", "[The system] | keep the folder where files are"),
        ("The system SHALL copy it while keeping times", "[The system] | copy it while keeping times"),
        (
            "The system SHALL log x when a fails, and return 1 if b fails.",
            "[The system] | log x | return 1 | …When<a fails> | …If<b fails>",
        ),
    ]);
}

#[test]
fn lists_of_verbs_are_sorted() {
    assert!(verbs::VERBS.is_sorted() && verbs::NOUN_VERBS.is_sorted());
    assert!(verbs::VERBS.iter().all(|verb| !verbs::is_noun_verb(verb)));
}
