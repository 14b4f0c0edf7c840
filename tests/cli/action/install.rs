//! How the action gets its binary.

use super::Request;
use super::runner::has;
use crate::support::{SPECWARD, Sandbox, run};

/// The action with stand-ins for what installs a release and for cargo, which end as the variable says.
fn with_stand_ins(sandbox: &Sandbox) -> String {
    let top = env!("CARGO_MANIFEST_DIR");
    for name in ["Cargo.toml", "ci/action/install.sh", "ci/action/run.sh", "ci/action/comment.sh"] {
        let text = std::fs::read(format!("{top}/{name}")).expect("a file of ours");
        sandbox.write(format!("../action/{name}"), text);
    }
    let put = |what: &str, folder: &str| {
        format!("mkdir -p \"{folder}\" && ln -s '{}' \"{folder}/specward\" && echo {what}\n", SPECWARD)
    };
    let release = format!("echo \"asked for $*\"; [ \"$STATUS\" = 0 ] || exit \"$STATUS\"\n{}", put("a release", "$4"));
    sandbox.write("../action/ci/install.sh", release);
    let cargo =
        format!("#!/bin/sh\necho \"cargo $1 $2 in $PWD\"\n[ -z \"$BROKEN\" ] || exit 101\n{}", put("built", "$7/bin"));
    sandbox.write("../runner/bin/cargo", cargo);
    let outcome = run(sandbox.command("chmod").arg("+x").arg(sandbox.top.join("runner/bin/cargo")));
    outcome.exits(0);
    sandbox.top.join("action").display().to_string()
}

#[test]
fn a_release_is_installed_or_the_source_built() {
    let version = env!("CARGO_PKG_VERSION");
    // How installing ends, the version, and what is said.
    let cases = [
        ("0", version, 0, "a release"),
        ("0", "v9.9.9", 0, "asked for --version 9.9.9 --to"),
        ("0", "source", 0, "cargo install --locked"),
        // There is no such file.
        ("69", version, 0, "cargo install --locked"),
        // This source is another version.
        ("69", "9.9.9", 2, "there is no release 9.9.9"),
        // Such as another checksum.
        ("1", version, 2, "could not be installed"),
        ("0", "", 2, "the input version is empty"),
    ];
    for (status, version, code, words) in cases {
        let request = Request::new(&[("src/a.rs", "")]);
        if !has(&request.sandbox, &["bash"]) {
            return;
        }
        let action = with_stand_ins(&request.sandbox);
        let job = request.job("pull_request").set("GITHUB_ACTION_PATH", &action).set("STATUS", status);
        let done = job.with("version", version).with("comment", "true").run();
        assert_eq!(done.code, code, "{done:#?}");
        done.says(words);
        if code == 2 {
            // What the last run found is not what this one did.
            assert_eq!(done.ran, ["install", "comment"]);
            assert_eq!(done.outputs["verdict"], "");
        }
    }
}

#[test]
fn what_is_checked_out_has_no_part_in_building() {
    let request = Request::new(&[("rust-toolchain.toml", "[toolchain]\npath = \"mine\"\n")]);
    if !has(&request.sandbox, &["bash"]) {
        return;
    }
    let action = with_stand_ins(&request.sandbox);
    let job = |event: &str, version: &str| {
        let job = request.job(event).set("GITHUB_ACTION_PATH", &action).set("STATUS", "69");
        job.with("version", version)
    };
    job("pull_request", "source").run().says(&format!("cargo install --locked in {action}"));
    for event in ["pull_request_target", "workflow_run", "issue_comment"] {
        for version in ["source", env!("CARGO_PKG_VERSION")] {
            let done = job(event, version).run();
            assert_eq!(done.code, 2, "{done:#?}");
            assert!(!done.log.contains("cargo install"), "{done:#?}");
            done.says("::error::").says(&format!("nothing is built for the event {event}"));
        }
    }
    let done = job("pull_request", "source").set("BROKEN", "yes").run();
    assert_eq!(done.code, 2, "{done:#?}");
    done.says("::error::specward: version is source, and cargo could not build it");
}
