//! The plugin for Hermes in `hooks/hermes`, which is Python: its tests are run with the Python that is here.

use std::path::Path;
use std::process::Command;

#[test]
#[expect(clippy::disallowed_methods, reason = "the tests are a program of their own")]
fn the_plugin_for_hermes_does_what_its_tests_say() {
    let newest = Command::new("python3").args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).output();
    if !newest.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: Python 3.10 or newer is not here");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3")
        .arg(root.join("tests/hermes_plugin.py"))
        .current_dir(root)
        .output()
        .expect("the tests of the plugin run");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let count = text.lines().find_map(|line| line.strip_prefix("Ran ")?.split(' ').next()?.parse().ok());
    assert!(count.is_some_and(|count: u32| count >= 20), "{text}");
}
