//! A part of the comparison with the reference that is quick enough for every `cargo test`: the made-up projects, the
//! shared cases and the start situations. `ci/oracle` compares everything.
//!
//! Says that it is skipped when Node is missing, or when `ci/oracle` has not put the reference into `target/oracle` yet.

use std::path::Path;
use std::process::Command;

#[test]
#[expect(clippy::disallowed_methods, reason = "the comparison is a program of its own")]
fn decides_as_the_reference_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let reference = root.join("target/oracle/node_modules/@fission-ai/openspec");
    let node = Command::new("node").arg("--version").output();
    if !node.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: Node is not here");
        return;
    }
    if !reference.is_dir() {
        eprintln!("skipped: the reference is not here; `ci/oracle` fetches it");
        return;
    }
    let output = Command::new(root.join("ci/oracle"))
        .args(["--bin", env!("CARGO_BIN_EXE_specward"), "--only", "^(synthetic/|cases/)", "--fuzz", "0"])
        .args(["--mode", "validate|list"])
        .current_dir(root)
        .output()
        .expect("ci/oracle runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    assert!(
        output.status.success() && last.ends_with(" 0 differences"),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let items: usize = last.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    assert!(items > 1000, "only {items} items were compared");
}
