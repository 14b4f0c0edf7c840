use super::*;

fn taken(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let taken = take(&lines);
    let steps: Vec<String> = taken.steps.iter().map(|step| format!("{} {}", step.keyword, step.text)).collect();
    steps.join(" | ")
}

fn named(text: &str) -> String {
    take(&[text.to_owned()]).name
}

#[test]
fn ears() {
    for (sentence, expected) in [
        ("WHEN a user signs in THEN the system SHALL greet", "WHEN a user signs in | THEN the system SHALL greet"),
        ("WHEN a user signs in, THE System SHALL greet", "WHEN a user signs in | THEN THE System SHALL greet"),
        ("WHEN a user signs in the system SHALL greet", "WHEN a user signs in | THEN the system SHALL greet"),
        ("IF x AND y THEN the system SHALL a AND b", "WHEN x AND y | THEN the system SHALL a AND b"),
        ("IF x, y or z, THEN THE App SHALL stop", "WHEN x, y or z | THEN THE App SHALL stop"),
        ("WHILE it runs, WHEN x, THE App SHALL stop", "GIVEN it runs | WHEN x | THEN THE App SHALL stop"),
        ("WHEN x, WHILE it runs, THE App SHALL stop", "GIVEN it runs | WHEN x | THEN THE App SHALL stop"),
        ("WHILE it runs, THE App SHALL blink", "WHEN it runs | THEN THE App SHALL blink"),
        (
            "WHERE sound is on, WHILE it runs, the app shall hum",
            "GIVEN sound is on | WHEN it runs | THEN the app shall hum",
        ),
        ("THE App SHALL keep a log", "WHEN at any time | THEN THE App SHALL keep a log"),
        ("THE App SHALL beep WHEN a key is hit", "WHEN a key is hit | THEN THE App SHALL beep WHEN a key is hit"),
        ("**WHEN** x **THEN** the system **SHALL** y", "WHEN x | THEN the system **SHALL** y"),
        ("When x, the system shall y", "WHEN x | THEN the system shall y"),
        ("If x, then the system shall y, then z", "WHEN x | THEN the system shall y, then z"),
        (
            "WHEN `IF x THEN y` is typed THEN the shell SHALL run it",
            "WHEN `IF x THEN y` is typed | THEN the shell SHALL run it",
        ),
    ] {
        assert_eq!(taken(sentence), expected, "{sentence}");
    }
}

#[test]
fn other_languages() {
    for (sentence, expected) in [
        ("CUANDO entra ENTONCES el sistema DEBERÁ saludar", "WHEN entra | THEN el sistema DEBERÁ saludar"),
        ("QUANDO abre ENTÃO o sistema DEVE mostrar", "WHEN abre | THEN o sistema DEVE mostrar"),
        ("当用户登录时，系统应显示首页", "WHEN 用户登录时 | THEN 系统应显示首页"),
        ("系统应显示首页", "WHEN at any time | THEN 系统应显示首页"),
        ("WHEN ユーザーが押した時、THE Quiz SHALL 判定する", "WHEN ユーザーが押した時 | THEN THE Quiz SHALL 判定する"),
        ("El botón se muestra", "WHEN at any time | THEN El botón se muestra"),
    ] {
        assert_eq!(taken(sentence), expected, "{sentence}");
    }
}

#[test]
fn given_when_then() {
    for (sentence, expected) in [
        ("**Given** a, **When** b, **Then** c, **And** d", "GIVEN a | WHEN b | THEN c | AND d"),
        ("Given a, when b, then c and d", "GIVEN a | WHEN b | THEN c and d"),
        ("Given a\nAnd b\nWhen c\nThen d\nBut e", "GIVEN a | AND b | WHEN c | THEN d | AND e"),
        ("**Given** a, **Then** b", "GIVEN a | WHEN at any time | THEN b"),
        ("**Sign in**:\n- **Given** a\n- **When** b\n- **Then** c", "GIVEN a | WHEN b | THEN c"),
        ("**Given**: a **When**: b **Then**: c", "GIVEN a | WHEN b | THEN c"),
    ] {
        assert_eq!(taken(sentence), expected, "{sentence}");
    }
    assert_eq!(
        take(&["**Sign in**:".to_owned(), "- **Given** a".to_owned(), "- **Then** c".to_owned()]).name,
        "Sign in"
    );
    assert_eq!(named("Right password: **Given** a, **When** b, **Then** c"), "Right password");
}

#[test]
fn lists_below() {
    assert_eq!(
        taken("WHEN x THEN the system SHALL show:\n  - a\n  - b\n    c"),
        "WHEN x | THEN the system SHALL show: | AND a | AND b c"
    );
    assert_eq!(taken("WHEN x THEN\n  1. the system SHALL a"), "WHEN x | THEN the system SHALL a");
    assert_eq!(taken("WHEN x\nTHEN the system SHALL y\nAND z"), "WHEN x | THEN the system SHALL y | AND z");
}

#[test]
fn nothing_is_left_empty() {
    for odd in ["WHEN", "THEN", "WHEN THEN", "**Given**", "x", "AND y", "IF , THEN"] {
        let lines = [odd.to_owned()];
        let taken = take(&lines);
        assert!(taken.steps.iter().all(|step| !step.text.is_empty()), "{odd}: {taken:?}");
        assert!(taken.steps.iter().any(|step| step.keyword == "WHEN"), "{odd}");
        assert!(taken.steps.iter().any(|step| step.keyword == "THEN"), "{odd}");
    }
}

#[test]
fn names() {
    assert_eq!(named("WHEN a user signs in THEN the system SHALL greet"), "a user signs in");
    assert_eq!(named("WHEN a user signs in, THE App SHALL greet"), "a user signs in");
    assert_eq!(named("THE System SHALL keep a log"), "Keep a log");
    assert_eq!(named("AC-1: WHEN x THEN y"), "x");
}
