//! What came into a requirement after a delta for it was written, however the histories run.

use serde_json::Value;

use crate::support::{Judged, Sandbox};

const SPEC: &str = "openspec/specs/widgets/spec.md";
const DELTA: &str = "openspec/changes/c1/specs/widgets/spec.md";

const BODY: &str = "The system SHALL paint widgets.

#### Scenario: Default
- **WHEN** a widget is created
- **THEN** it is grey
";

fn spec(body: &str) -> String {
    format!(
        "## Purpose\nSays how widgets look, so that everybody can rely on what they see.\n\n## Requirements\n\n\
         ### Requirement: Colors\n{body}\n### Requirement: Sizes\nThe system SHALL scale widgets.\n\n\
         #### Scenario: Default\n- **WHEN** a widget is created\n- **THEN** it is small\n"
    )
}

fn modified(body: &str) -> String {
    format!("## MODIFIED Requirements\n\n### Requirement: Colors\n{body}")
}

/// What somebody else writes into the requirement meanwhile.
fn with_sentence() -> String {
    BODY.replace("widgets.", "widgets. It MUST NOT leak paint.")
}

/// What the change wants.
fn with_green() -> String {
    BODY.replace("grey", "green")
}

/// A project on `main`, and the branch `work` with a delta on top.
fn branch(delta: &str) -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(SPEC, spec(BODY));
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(DELTA, delta);
    sandbox.commit("delta");
    sandbox
}

/// The main spec gets another text on `main`; `work` is checked out again.
fn on_main(sandbox: &Sandbox, body: &str) {
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write(SPEC, spec(body));
    sandbox.commit("main moves on");
    sandbox.git(&["switch", "-q", "work"]);
}

fn merge_main(sandbox: &Sandbox) {
    sandbox.git(&["merge", "-q", "-m", "merge main", "main"]);
}

fn changed(sandbox: &Sandbox) -> Judged {
    sandbox.json(&["--changed", "--base", "main"])
}

/// Levels and evidence of what the rule found.
fn stale(judged: &Judged) -> Vec<(String, Vec<String>)> {
    let all = judged.report["findings"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().expect("a word").to_owned();
    let lines = |finding: &Value| finding["evidence"].as_array().into_iter().flatten().map(text).collect();
    let found = all.iter().filter(|finding| finding["rule"] == "merge/stale-base");
    found.map(|finding| (text(&finding["level"]), lines(finding))).collect()
}

#[track_caller]
fn drops(judged: &Judged, line: &str) {
    judged.is("FAIL").finds("merge/stale-base", DELTA, 3);
    assert_eq!(stale(judged), [("error".to_owned(), vec![line.to_owned()])], "{:#}", judged.report);
}

#[track_caller]
fn is_silent(judged: &Judged) {
    judged.is("PASS");
    assert_eq!(stale(judged), [], "{:#}", judged.report);
}

const SENTENCE: &str = "It MUST NOT leak paint.";

#[test]
fn merging_main_hides_nothing() {
    let sandbox = branch(&modified(&with_green()));
    on_main(&sandbox, &with_sentence());
    drops(&changed(&sandbox), SENTENCE);
    merge_main(&sandbox);
    drops(&changed(&sandbox), SENTENCE);
    drops(&sandbox.json(&["--changed", "--base", "main", "--head", "work"]), SENTENCE);
    // Nor do commits after that, white space in the delta, committed or not, or another name for the change.
    sandbox.write("src/main.rs", "fn main() {}\n");
    sandbox.commit("source");
    sandbox.write(DELTA, modified(&with_green()).replace("- **", "*   **").replace("SHALL paint", "SHALL\npaint"));
    drops(&changed(&sandbox), SENTENCE);
    sandbox.commit("spaces");
    drops(&changed(&sandbox), SENTENCE);
    sandbox.git(&["mv", "openspec/changes/c1", "openspec/changes/c2"]);
    sandbox.commit("renamed");
    let judged = changed(&sandbox);
    judged.is("FAIL").finds("merge/stale-base", &DELTA.replace("c1", "c2"), 3);
}

#[test]
fn a_block_that_was_edited_since_is_taken_at_its_word() {
    let sandbox = branch(&modified(&with_green()));
    on_main(&sandbox, &with_sentence());
    merge_main(&sandbox);
    sandbox.write(DELTA, modified(&with_green().replace("green", "blue")));
    is_silent(&changed(&sandbox));
    sandbox.commit("edited");
    is_silent(&changed(&sandbox));
    // Main moves on once more.
    on_main(&sandbox, &with_sentence().replace("grey", "grey\n- **AND** it is dry"));
    drops(&changed(&sandbox), "- **AND** it is dry");
}

#[test]
fn what_the_block_has_is_not_dropped() {
    let sandbox = branch(&modified(&with_green()));
    on_main(&sandbox, &with_sentence());
    sandbox.write(DELTA, modified(&with_sentence().replace("grey", "green")));
    // That main has moved on is worth knowing until it is merged.
    assert_eq!(stale(&changed(&sandbox)), [("info".to_owned(), vec!["### Requirement: Colors".to_owned()])]);
    merge_main(&sandbox);
    is_silent(&changed(&sandbox));
}

#[test]
fn another_requirement_and_another_form_are_no_drift() {
    let sandbox = branch(&modified(&with_green()));
    let other = spec(&BODY.replace("SHALL paint", "SHALL\npaint").replace("- ", "* ")).replace("small", "large");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write(SPEC, other.replace('\n', "\r\n"));
    sandbox.commit("other");
    sandbox.git(&["switch", "-q", "work"]);
    is_silent(&changed(&sandbox));
    merge_main(&sandbox);
    is_silent(&changed(&sandbox));
}

#[test]
fn what_went_meanwhile_is_not_brought_back_unseen() {
    let sandbox = branch(&modified(&with_green()));
    on_main(&sandbox, &BODY.replace("- **WHEN** a widget is created\n", ""));
    for _ in 0..2 {
        let judged = changed(&sandbox);
        judged.is("PASS");
        assert_eq!(stale(&judged), [("warning".to_owned(), vec!["- **WHEN** a widget is created".to_owned()])]);
        merge_main(&sandbox);
    }
}

#[test]
fn a_synced_delta_is_not_stale() {
    let sandbox = branch(&modified(&with_green()));
    sandbox.write(SPEC, spec(&with_green()));
    is_silent(&changed(&sandbox));
    sandbox.commit("synced");
    is_silent(&changed(&sandbox));
}

#[test]
fn removed_and_renamed_requirements() {
    let sandbox = branch("## REMOVED Requirements\n\n### Requirement: Colors\n**Reason**: none\n**Migration**: none\n");
    on_main(&sandbox, &with_sentence());
    merge_main(&sandbox);
    assert_eq!(stale(&changed(&sandbox)), [("warning".to_owned(), vec![SENTENCE.to_owned()])]);

    let rename = "## RENAMED Requirements\n- FROM: `### Requirement: Colors`\n- TO: `### Requirement: Paint`\n";
    let sandbox = branch(rename);
    on_main(&sandbox, &with_sentence());
    merge_main(&sandbox);
    assert_eq!(stale(&changed(&sandbox)), [("info".to_owned(), vec![SENTENCE.to_owned()])]);

    let both = format!("{}\n{rename}", modified(&with_green()).replace(": Colors", ": Paint"));
    let sandbox = branch(&both);
    on_main(&sandbox, &with_sentence());
    merge_main(&sandbox);
    drops(&changed(&sandbox), SENTENCE);
}

#[test]
fn a_requirement_the_base_branch_has_no_more() {
    let sandbox = branch(&modified(&with_green()));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write(SPEC, spec(BODY).replace(": Colors", ": Paint"));
    sandbox.commit("renamed");
    sandbox.git(&["switch", "-q", "work"]);
    assert_eq!(stale(&changed(&sandbox)).len(), 1);
}

/// A change that lies on main for long is judged when its main spec is edited.
#[test]
fn an_edit_of_the_main_spec_makes_open_changes_stale() {
    let sandbox = branch(&modified(&with_green()));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["merge", "-q", "work"]);
    sandbox.git(&["switch", "-qC", "work"]);
    sandbox.write(SPEC, spec(&with_sentence()));
    // In the work tree, in the index, in a commit.
    drops(&changed(&sandbox), SENTENCE);
    sandbox.git(&["add", "-A"]);
    drops(&sandbox.json(&["--staged"]), SENTENCE);
    sandbox.commit("sentence");
    drops(&changed(&sandbox), SENTENCE);
}

#[test]
fn a_tree_alone_has_no_past() {
    let sandbox = branch(&modified(&with_green()));
    on_main(&sandbox, &with_sentence());
    merge_main(&sandbox);
    is_silent(&sandbox.json(&[]));
}

/// Where history ends before the delta was touched, that is said; what came in after its end still counts.
#[test]
fn history_that_was_cut_off() {
    let sandbox = branch(&modified(&with_green()));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["merge", "-q", "work"]);
    for at in 0..3 {
        sandbox.write("src/main.rs", format!("// {at}\n"));
        sandbox.commit("source");
    }
    let url = format!("file://{}", sandbox.root.display());
    sandbox.git(&["clone", "-q", "--depth", "2", &url, "clone"]);
    let clone = sandbox.at("clone");
    clone.git(&["switch", "-qc", "work"]);
    clone.write(SPEC, spec(BODY).replace("small", "large"));
    let judged = changed(&clone);
    judged.is("PASS").finds("merge/stale-base", DELTA, 3);
    assert_eq!(stale(&judged), [("info".to_owned(), vec!["### Requirement: Colors".to_owned()])]);
    judged.outcome.says("history was cut off");
    clone.write(SPEC, spec(&with_sentence()));
    drops(&changed(&clone), SENTENCE);
}

/// Objects that are not here although nothing says that history was cut off.
#[test]
fn history_with_a_hole() {
    let sandbox = branch(&modified(&with_green()));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["merge", "-q", "work"]);
    let hole = sandbox.head();
    sandbox.write("src/main.rs", "fn main() {}\n");
    sandbox.commit("source");
    sandbox.git(&["switch", "-qC", "work"]);
    sandbox.write(SPEC, spec(&with_sentence()));
    std::fs::remove_file(sandbox.path(format!(".git/objects/{}/{}", &hole[..2], &hole[2..]))).expect("the object");
    let judged = sandbox.json(&["--changed", "--base", "main"]);
    judged.is("UNVERIFIABLE").finds("merge/stale-base", DELTA, 3);
}

/// A walk has an end, and says so.
#[test]
fn history_that_is_too_long() {
    let sandbox = branch(&modified(&with_green()));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["merge", "-q", "work"]);
    let mut stream = String::new();
    for at in 0..5_001 {
        let from = if at == 0 { "from refs/heads/main^0\n" } else { "" };
        let author = format!("committer Test <test@example.com> {} +0000", 1_767_323_045 + at);
        stream.push_str(&format!("commit refs/heads/main\n{author}\ndata 1\nx\n{from}M 644 inline n\ndata {}\n", 4));
        stream.push_str(&format!("{at:04}\n"));
    }
    let file = sandbox.top.join("stream");
    std::fs::write(&file, stream).expect("a file");
    let mut import = sandbox.command("git");
    import.args(["fast-import", "--quiet"]).stdin(std::fs::File::open(&file).expect("the file"));
    assert!(import.status().expect("git runs").success());
    sandbox.git(&["reset", "-q", "--hard", "main"]);
    sandbox.git(&["switch", "-qC", "work"]);
    sandbox.write(SPEC, spec(BODY).replace("small", "large"));
    let judged = changed(&sandbox);
    judged.is("PASS").finds("merge/stale-base", DELTA, 3);
    assert_eq!(stale(&judged), [("info".to_owned(), vec!["### Requirement: Colors".to_owned()])]);
    sandbox.write(SPEC, spec(&with_sentence()));
    drops(&changed(&sandbox), SENTENCE);
}

/// A delta that both branches have, and what came into the main spec after it.
fn agreed() -> Sandbox {
    let sandbox = branch(&modified(&with_green()));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["merge", "-q", "work"]);
    sandbox.write(SPEC, spec(&with_sentence()));
    sandbox.commit("main moves on");
    sandbox.git(&["switch", "-qC", "work"]);
    sandbox
}

fn archive(sandbox: &Sandbox, body: &str) {
    let to = sandbox.path("openspec/changes/archive/2026-02-02-c1");
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
    std::fs::rename(sandbox.path("openspec/changes/c1"), to).expect("a move");
    sandbox.write(SPEC, spec(body));
}

#[track_caller]
fn wrote_over(judged: &Judged, line: u64) {
    judged.is("FAIL").finds("merge/stale-base", SPEC, line);
    assert_eq!(stale(judged), [("error".to_owned(), vec![SENTENCE.to_owned()])], "{:#}", judged.report);
}

/// Archiving does not make the drop right, in whatever state it is seen and with or without a freeze.
#[test]
fn a_stale_change_was_archived() {
    let sandbox = agreed();
    archive(&sandbox, &with_green());
    wrote_over(&changed(&sandbox), 6);
    sandbox.git(&["add", "-A"]);
    wrote_over(&sandbox.json(&["--staged"]), 6);
    sandbox.commit("archive");
    wrote_over(&changed(&sandbox), 6);
    wrote_over(&sandbox.json(&["--changed", "--base", "main", "--head", "HEAD"]), 6);
    wrote_over(&sandbox.json(&["--changed", "--base", "main", "--frozen-spec=explained"]), 6);
}

/// A sync writes over it just as well, also one that is done once more.
#[test]
fn a_stale_change_was_synced() {
    let sandbox = agreed();
    sandbox.write(SPEC, spec(&with_green()));
    wrote_over(&changed(&sandbox), 6);
    let sandbox = branch(&modified(&with_green()));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["merge", "-q", "work"]);
    sandbox.write(SPEC, spec(&with_green()));
    sandbox.commit("sync");
    sandbox.write(SPEC, spec(&with_sentence().replace("grey", "green")));
    sandbox.commit("stronger");
    sandbox.git(&["switch", "-qC", "work"]);
    sandbox.write(SPEC, spec(&with_green()));
    sandbox.commit("sync once more");
    wrote_over(&sandbox.json(&["--changed", "--base", "main", "--frozen-spec=explained"]), 6);
}

/// What was merged with what came in, or what the delta was edited for, is nobody's loss.
#[test]
fn what_came_in_was_kept_or_known() {
    let sandbox = agreed();
    archive(&sandbox, &with_sentence().replace("grey", "green"));
    assert_eq!(stale(&changed(&sandbox)), []);
    // Brought up to date before it was archived.
    let sandbox = agreed();
    sandbox.write(DELTA, modified(&with_green().replace("grey", "blue").replace("green", "blue")));
    sandbox.commit("touch");
    sandbox.git(&["branch", "-f", "main"]);
    archive(&sandbox, &with_green().replace("green", "blue"));
    assert_eq!(stale(&changed(&sandbox)), []);
    // Another requirement changed, or nothing did.
    let sandbox = branch(&modified(&with_green()));
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["merge", "-q", "work"]);
    sandbox.write(SPEC, spec(BODY).replace("small", "large"));
    sandbox.commit("sizes");
    sandbox.git(&["switch", "-qC", "work"]);
    archive(&sandbox, &with_green());
    sandbox.write(SPEC, spec(&with_green()).replace("small", "large"));
    assert_eq!(stale(&changed(&sandbox)), []);
}

/// Of two changes for one requirement only the one that reached it is to blame.
#[test]
fn the_change_that_is_in_the_spec_counts() {
    let sandbox = agreed();
    sandbox.write("openspec/changes/c2/specs/widgets/spec.md", modified(&with_green().replace("green", "blue")));
    sandbox.commit("a newer change");
    sandbox.git(&["branch", "-f", "main"]);
    let to = sandbox.path("openspec/changes/archive/2026-02-02-c2");
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
    std::fs::rename(sandbox.path("openspec/changes/c2"), to).expect("a move");
    sandbox.write(SPEC, spec(&with_green().replace("green", "blue")));
    let in_spec = changed(&sandbox).report["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .any(|finding| finding["rule"] == "merge/stale-base" && finding["path"] == SPEC);
    assert!(!in_spec);
}

/// REMOVED takes away what came in.
#[test]
fn what_changed_was_removed() {
    let sandbox = branch("## REMOVED Requirements\n\n### Requirement: Colors\n");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.git(&["merge", "-q", "work"]);
    sandbox.write(SPEC, spec(&with_sentence()));
    sandbox.commit("main moves on");
    sandbox.git(&["switch", "-qC", "work"]);
    archive(&sandbox, BODY);
    let text = spec(BODY).replace(&format!("### Requirement: Colors\n{BODY}\n"), "");
    sandbox.write(SPEC, text);
    let judged = changed(&sandbox);
    assert_eq!(stale(&judged), [("warning".to_owned(), vec![SENTENCE.to_owned()])], "{:#}", judged.report);
}

/// Another name that is in no commit yet.
#[test]
fn a_rename_that_is_not_committed() {
    let sandbox = agreed();
    std::fs::rename(sandbox.path("openspec/changes/c1"), sandbox.path("openspec/changes/c1b")).expect("a move");
    let renamed = DELTA.replace("c1", "c1b");
    let judged = changed(&sandbox);
    judged.is("FAIL").finds("merge/stale-base", &renamed, 3);
    sandbox.git(&["add", "-A"]);
    sandbox.json(&["--staged"]).is("FAIL").finds("merge/stale-base", &renamed, 3);
}
