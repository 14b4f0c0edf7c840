//! Shapes, clauses and the system.

use super::*;

#[test]
fn shapes() {
    for (sentence, expected) in [
        ("The system SHALL paint.", Some("ubiquitous")),
        ("The system shall retry when a request fails.", Some("ubiquitous")),
        ("**WHEN** a request fails, the system SHALL retry.", Some("event")),
        ("While idle, the system must sleep.", Some("state")),
        ("Where a printer is there, the system SHALL print.", Some("optional")),
        ("If the file is missing, then the system SHALL stop.", Some("unwanted")),
        ("If the file is missing, the system SHALL stop.", None),
        ("While idle, when a key is hit, the system SHALL wake.", Some("complex")),
        ("When the file where it stood is gone, the system SHALL stop.", Some("event")),
        ("Whenever a request fails, the system SHALL retry.", Some("ubiquitous")),
        ("When a request fails, it is retried.", None),
        ("It paints; mustard shallow.", None),
        ("", None),
        ("When a is set and when b is set, the system SHALL go.", Some("event")),
        ("For each user, when it is new, the system SHALL greet.", Some("event")),
    ] {
        assert_eq!(pattern(sentence), expected, "{sentence}");
    }
}

#[test]
fn clauses_and_the_system() {
    check(&[
        ("The system SHALL paint.", "[The system] | paint"),
        (
            "While a, b and c run, when d, the `x, when` SHALL go.",
            "While<a, b and c run> | When<d> | [the `x, when`] | go",
        ),
        (
            "When one (say, two) fails, the client, the proxy, and the server SHALL stop.",
            "When<one (say, two) fails> | [the client, the proxy, and the server] | stop",
        ),
        (
            "When a is set, and when b is set, the system SHALL go.",
            "When<a is set, and when b is set> | [the system] | go",
        ),
        ("If it fails, then the **store** SHALL NOT open it.", "If<it fails> | [the **store**] | not | open it"),
        ("If it opens and then closes, then the door SHALL beep.", "If<it opens and then closes> | [the door] | beep"),
        ("By default, the system SHALL go.", "lead<By default> | [the system] | go"),
        (
            "In the shell, when a user quits, the system SHALL go.",
            "lead<In the shell> | When<a user quits> | [the system] | go",
        ),
        ("The system, when idle, SHALL sleep.", "[The system] | sleep | …When<idle>"),
        ("While on, the system, when idle, SHALL sleep.", "While<on> | [the system] | sleep | …When<idle>"),
        ("Tools that must run first SHALL be listed.", "[Tools that must run first] | be listed"),
        ("When a call must wait, the system SHALL log it.", "When<a call must wait> | [the system] | log it"),
        ("The file is new; it SHALL be kept.", "[it] | be kept"),
    ]);
}

#[test]
fn forms_without_a_comma() {
    check(&[
        ("WHEN a user quits THEN the system SHALL save", "When<a user quits> | [the system] | save"),
        ("IF x is set THEN THE app SHALL go", "If<x is set> | [THE app] | go"),
        ("WHEN x is set AND y is set THEN the system SHALL go", "When<x is set AND y is set> | [the system] | go"),
        ("WHEN a user clicks the button THE SYSTEM SHALL go", "When<a user clicks the button> | [THE SYSTEM] | go"),
        ("WHEN a, b or c fail THE SYSTEM SHALL go", "When<a, b or c fail> | [THE SYSTEM] | go"),
        ("WHILE on WHEN a key is hit THE System SHALL go", "While<on> | When<a key is hit> | [THE System] | go"),
        ("WHILE a, WHEN b THE System SHALL c", "While<a> | When<b> | [THE System] | c"),
        ("When a user clicks the button the system shall go", "When<a user clicks the button> | [the system] | go"),
        ("When a call fails the owner of the call shall go", "When<a call fails> | [the owner of the call] | go"),
        ("When a call fails `cmd` SHALL go", "When<a call fails> | [`cmd`] | go"),
        ("When a call fails OpenSpec SHALL go", "When<a call fails> | [OpenSpec] | go"),
        ("When a call fails it must go", "When<a call fails> | [it] | go"),
        ("When a call fails retries SHALL end", "When<a call fails retries> | [] | end"),
    ]);
}

#[test]
fn markup_is_looked_through() {
    check(&[
        (
            "_When_ a fails, the [owner, if any](x, when) SHALL go.",
            "When<a fails> | [the [owner, if any](x, when)] | go",
        ),
        (
            "The system SHALL show \"Done, and log the rest\" and “a; store the b”.",
            "[The system] | show \"Done, and log the rest\" and “a; store the b”",
        ),
        (
            "When the user's 'on, or off' is 5\" wide, it must go",
            "When<the user's 'on, or off' is 5\" wide> | [it] | go",
        ),
        ("The `SHALL` word MUST be there", "[The `SHALL` word] | be there"),
        ("The `a SHALL b", "[The `a] | b"),
        ("The system (which SHALL run) MUST walk", "[The system (which SHALL run)] | walk"),
        (r"The system SHALL take \`a when\` is on", r"[The system] | take \`a | …When<is on>"),
        ("The <name> SHALL go", "[The <name>] | go"),
        (
            "The system SHALL say (e.g. on a page) where it is. It is old.",
            "[The system] | say (e.g. on a page) where it is",
        ),
    ]);
}

#[test]
fn labels_are_skipped() {
    for label in [
        "",
        "REQ 1.2: ",
        "FR-001: ",
        "**FR-001**: ",
        "- ",
        "1. ",
        "2) ",
        "* [ ] ",
        "[Event] ",
        "FR-001 - ",
        "**Why** — ",
        "FR-2 ",
        "> ",
        "`FR-1`: ",
        "(FR-1) ",
        "R1. ",
        "**Note:** ",
        "- **FR-3** [new]: ",
    ] {
        let sentence = format!("{label}When a fails, the system SHALL go.");
        assert_eq!(shown(&sentence), "When<a fails> | [the system] | go", "{sentence}");
        let sentence = format!("{label}The system SHALL go.");
        assert_eq!(shown(&sentence), "[The system] | go", "{sentence}");
    }
}

#[test]
fn other_languages_are_none() {
    for sentence in [
        "系统 MUST 记录。",
        "Система SHALL записывать события.",
        "El sistema SHALL registrar los eventos de la cuenta.",
        "IF user chưa đăng nhập, THEN THE system SHALL trả lỗi.",
        "THE SYSTEM SHALL responder de la misma forma exista o no una cuenta con esa dirección.",
        "Das System MUST die Daten der Nutzer und das Protokoll mit dem Schlüssel sichern.",
        "O sistema MUST registrar os eventos que o usuário criou para uma conta.",
    ] {
        assert_eq!(parse(sentence), None, "{sentence}");
    }
    assert_eq!(shown("The café SHALL show naïve “日本” text."), "[The café] | show naïve “日本” text");
}

#[test]
fn faults_and_where() {
    use FaultKind::*;
    for (sentence, expected) in [
        ("SHALL retry.", vec![(NoSystem, "SHALL")]),
        ("When a fails, SHALL retry.", vec![(NoSystem, "SHALL")]),
        ("There SHALL be a log.", vec![(NoSystem, "There")]),
        ("When a fails, it SHALL retry.", vec![(PronounSystem, "it")]),
        ("The client and the server SHALL retry.", vec![(SeveralSystems, "The client and the server")]),
        ("`make a` and `make b` SHALL go.", vec![(SeveralSystems, "`make a` and `make b`")]),
        ("The client SHALL ask, and the server SHALL answer.", vec![(FurtherSystem, "the server")]),
        ("The app SHALL go; the `web` and `api` parts SHALL stay.", vec![(FurtherSystem, "the `web` and `api` parts")]),
        ("The client SHALL ask, and the client SHALL wait.", vec![]),
        ("`h` and `l` SHALL go left and right.", vec![]),
        ("`h` SHALL go left, and `l` SHALL go right.", vec![]),
        ("The search and replace tool SHALL go.", vec![]),
        ("The link between the client and the server SHALL go.", vec![]),
        ("The key and the value SHALL be kept.", vec![]),
        ("If a fails, the system SHALL stop.", vec![(IfWithoutThen, "If")]),
        ("When a fails, while b is on, the system SHALL stop.", vec![(OutOfOrder, "while")]),
        ("Where a is there, while b is on, the system SHALL stop.", vec![]),
        ("If a fails, then when b is on, the system SHALL stop.", vec![(OutOfOrder, "when")]),
        ("When a fails, when b fails, the system SHALL stop.", vec![(TwoTriggers, "when")]),
        ("When a fails, and when b fails, the system SHALL stop.", vec![]),
        ("When a is on, if b fails, then the system SHALL stop.", vec![]),
        ("When , the system SHALL stop.", vec![(EmptyClause, "When")]),
        ("When a fails retries SHALL end.", vec![(UnendedClause, "When")]),
        ("The system SHALL.", vec![(EmptyResponse, "SHALL")]),
        ("The system **MUST NOT**", vec![(EmptyResponse, "MUST")]),
        ("The system SHALL:", vec![]),
        ("The system SHALL retry.", vec![]),
    ] {
        assert_eq!(faults(sentence), expected, "{sentence}");
    }
}
