//! How the program is linked.

#[expect(clippy::disallowed_methods, reason = "a build script is told about its target by the environment")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A program that runs for a few milliseconds spends a good part of them on relocating its tables. Linked to a fixed
    // address there is nothing to relocate, and half a megabyte of it need not be in the file.
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
