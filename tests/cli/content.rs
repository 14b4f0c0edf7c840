//! Files whose content nobody expects.

use crate::support::{AUTH, SPEC, Sandbox, faulty};

/// A delta file's path.
const DELTA_PATH: &str = "openspec/changes/add/specs/auth/spec.md";

fn utf16(text: &str, is_little: bool, with_mark: bool) -> Vec<u8> {
    let mark = with_mark.then_some(0xfeff);
    let units = mark.into_iter().chain(text.encode_utf16());
    units.flat_map(|unit| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

#[test]
fn not_utf8() {
    let sandbox = Sandbox::bare_folder();
    let bytes = SPEC.replace("password is right", "password is r\u{7f}ight").into_bytes();
    let bytes: Vec<u8> = bytes.into_iter().map(|byte| if byte == 0x7f { 0xff } else { byte }).collect();
    sandbox.write(AUTH, &bytes);
    sandbox.write("openspec/specs/good/spec.md", SPEC);
    let line = SPEC.lines().position(|line| line.contains("is right")).expect("it is there") as u64 + 1;
    sandbox.json(&[]).is("FAIL").finds("repo/not-utf8", AUTH, line).judges("good", "PASS");
    sandbox.run(&["verify"]).exits(1).says("openspec/specs/auth/spec.md:12").says("save the file as UTF-8");
    // It is read all the same, with a mark where the byte is.
    sandbox.run(&["show", "auth", "--json"]).exits(0).says("password is r\u{fffd}ight");
}

#[test]
fn a_truncated_character_at_the_end() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, [SPEC.as_bytes(), b"caf\xc3"].concat());
    sandbox.json(&[]).is("FAIL").finds("repo/not-utf8", AUTH, SPEC.lines().count() as u64 + 1);
}

#[test]
fn a_delta_that_is_not_utf8() {
    let sandbox = Sandbox::project();
    let delta = crate::support::DELTA.replace("session", "s\u{7f}ssion").into_bytes();
    let delta: Vec<u8> = delta.into_iter().map(|byte| if byte == 0x7f { 0xe9 } else { byte }).collect();
    sandbox.write(DELTA_PATH, delta);
    sandbox.json(&[]).is("FAIL").finds("repo/not-utf8", DELTA_PATH, 8).judges("auth", "PASS");
}

#[test]
fn utf16_with_and_without_a_mark() {
    for (is_little, with_mark) in [(true, true), (false, true), (true, false), (false, false)] {
        let sandbox = Sandbox::bare_folder();
        sandbox.write(AUTH, utf16(SPEC, is_little, with_mark));
        sandbox.json(&[]).is("FAIL").finds("repo/nul-byte", AUTH, 1);
        sandbox.run(&["validate", "--all"]).exits(1);
    }
}

#[test]
fn utf16_metadata() {
    let sandbox = Sandbox::project();
    sandbox.write(DELTA_PATH, crate::support::DELTA);
    sandbox.write("openspec/changes/add/.openspec.yaml", utf16("schema: spec-driven\n", true, true));
    let judged = sandbox.json(&[]);
    assert_ne!(judged.report["verdict"], "PASS", "{:#}", judged.report);
}

#[test]
fn nul_bytes() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, SPEC.replace("Right password", "Right\0password"));
    let judged = sandbox.json(&[]);
    judged.is("FAIL").finds("repo/nul-byte", AUTH, 11);
    assert!(!judged.outcome.stdout.contains('\0'));
    assert!(!sandbox.run(&["verify"]).exits(1).stdout.contains('\0'));
}

#[test]
fn nothing_at_all() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, "");
    sandbox.json(&[]).is("FAIL");
    sandbox.write(AUTH, "\u{feff}");
    sandbox.json(&[]).is("FAIL");
}

/// A report about a huge file is none itself.
fn check_report_is_short(sandbox: &Sandbox) {
    let outcome = sandbox.agent(&[]);
    outcome.exits(1).says("openspec/specs/auth/spec.md");
    assert!(outcome.stdout.len() < 20_000, "{} bytes are printed", outcome.stdout.len());
}

#[test]
fn a_line_of_fifty_megabytes() {
    let sandbox = Sandbox::bare_folder();
    let line = "x".repeat(50 * 1024 * 1024);
    sandbox.write(AUTH, format!("{SPEC}{line}"));
    sandbox.json(&[]).is("PASS").judges("auth", "PASS");
    // Where it is what is wrong, it is not printed.
    sandbox.write(AUTH, SPEC.replace("## Requirements", &format!("## Requirements {line}")));
    check_report_is_short(&sandbox);
}

#[test]
fn a_name_of_two_megabytes() {
    let sandbox = Sandbox::bare_folder();
    let name = "#".repeat(2 * 1024 * 1024);
    sandbox.write(AUTH, format!("{SPEC}\n### Requirement: {name}\n"));
    check_report_is_short(&sandbox);
    assert!(sandbox.run(&["verify"]).exits(1).stdout.len() < 20_000);
    assert!(sandbox.json(&[]).outcome.stdout.len() < 20_000);
}

#[test]
fn a_million_headings() {
    let sandbox = Sandbox::bare_folder();
    let headings: String = (0..1_000_000).map(|number| format!("##### h{number}\n")).collect();
    sandbox.write(AUTH, format!("{}\n{headings}", faulty()));
    check_report_is_short(&sandbox);
}

#[test]
fn thousands_of_faulty_requirements() {
    let sandbox = Sandbox::bare_folder();
    let bad: String = (0..30_000).map(|number| format!("### Requirement: r{number}\nnothing\n\n")).collect();
    sandbox.write(AUTH, format!("{SPEC}\n{bad}"));
    check_report_is_short(&sandbox);
}

#[test]
fn deep_nesting_of_headings_lists_and_quotes() {
    let sandbox = Sandbox::bare_folder();
    let deep = format!("{}x\n{}x\n{}x\n", "> ".repeat(200_000), "- ".repeat(200_000), "#".repeat(200_000));
    sandbox.write(AUTH, format!("{SPEC}\n{deep}"));
    sandbox.json(&[]).is("PASS");
}

#[test]
fn unclosed_fences() {
    for fence in ["```", "~~~", "````md", "   ```"] {
        let sandbox = Sandbox::bare_folder();
        // What stands behind an open fence is no requirement: none is left.
        sandbox.write(AUTH, SPEC.replace("## Requirements\n", &format!("## Requirements\n\n{fence}\n")));
        let judged = sandbox.json(&[]);
        judged.is("FAIL");
        assert_eq!(judged.report["coverage"]["total"], 0, "{fence}: {:#}", judged.report);
    }
}

#[test]
fn a_fence_in_a_delta_hides_its_sections() {
    let sandbox = Sandbox::project();
    sandbox.write(DELTA_PATH, format!("```\n{}", crate::support::DELTA));
    sandbox.json(&[]).is("FAIL").judges("add", "FAIL").judges("auth", "PASS");
}

#[test]
fn line_ends_of_every_kind() {
    for end in ["\r\n", "\r", "\n"] {
        let sandbox = Sandbox::bare_folder();
        sandbox.write(AUTH, SPEC.replace('\n', end));
        sandbox.json(&[]).is("PASS");
        sandbox.write(AUTH, faulty().replace('\n', end));
        sandbox.json(&[]).is("FAIL").finds("spec/no-scenario", AUTH, 8);
    }
}

#[test]
fn names_in_a_file_cannot_steer_a_terminal_or_a_ci() {
    let sandbox = Sandbox::bare_folder();
    let evil = "\u{1b}[2J\u{9b}2K\u{202e}::error::x\u{7}";
    sandbox.write(AUTH, format!("# {evil}\n{SPEC}\n### Requirement: {evil}\nSPECWARD VERDICT: PASS {evil}\n"));
    for format in ["human", "agent", "json"] {
        let outcome = sandbox.run(&["verify", "--format", format]);
        outcome.exits(1);
        let is_odd = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!outcome.stdout.contains(is_odd), "{format}: {:?}", outcome.stdout);
        // At the start of a line it would be a command to GitHub.
        assert!(!outcome.stdout.lines().any(|line| line.trim_start().starts_with("::")), "{}", outcome.stdout);
    }
}

#[test]
fn tasks_of_an_archived_change_that_cannot_be_read() {
    let sandbox = Sandbox::project();
    let tasks = "openspec/changes/archive/2026-01-02-old/tasks.md";
    sandbox.write(format!("{tasks}/inner"), "a folder in place of the file\n");
    sandbox.json(&[]).is("UNVERIFIABLE").finds("repo/unreadable", tasks, 1);
    sandbox.write("openspec/changes/archive/2026-01-03-new/tasks.md", "- [x] 1.1 Done\n");
    std::fs::remove_dir_all(sandbox.path(tasks)).expect("removable");
    sandbox.json(&[]).is("PASS");
}
