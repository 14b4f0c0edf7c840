//! What users get specward with: the installer, run by each shell that is here on archives in a folder, and the one version
//! that all of it names. No archive is fetched and none holds the real program; `ci/packages` does that part.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TOP: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");
const LINUX: &str = "x86_64-unknown-linux-gnu";

/// A folder of releases with one archive, a folder to install into, and programs that tell of another machine.
struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    fn new() -> Self {
        let scratch = Self { folder: tempfile::tempdir().expect("a scratch folder") };
        scratch.is_machine("Linux", "x86_64", "glibc 2.36");
        scratch.release(LINUX, &format!("#!/bin/sh\necho 'specward {VERSION}'\n"));
        scratch
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn program(&self, path: &str, text: &str) {
        self.write(path, text);
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(0o755)).expect("a program");
    }

    /// What the installer is told when it asks where it is.
    fn is_machine(&self, system: &str, machine: &str, libc: &str) {
        self.program(
            "fakes/uname",
            &format!("#!/bin/sh\ncase $1 in -s) echo '{system}' ;; -m) echo '{machine}' ;; esac\n"),
        );
        self.program("fakes/getconf", &format!("#!/bin/sh\necho '{libc}'\n"));
        self.program("fakes/sysctl", "#!/bin/sh\nexit 1\n");
    }

    fn archive(target: &str) -> String {
        format!("releases/v{VERSION}/specward-v{VERSION}-{target}.tar.gz")
    }

    /// Makes an archive and its line in SHA256SUMS.
    fn release(&self, target: &str, program: &str) {
        let name = format!("specward-v{VERSION}-{target}");
        self.program(&format!("stage/{name}/specward"), program);
        self.write(&format!("stage/{name}/README.md"), "read me");
        self.write(&Self::archive(target), "");
        let archive = self.path(&Self::archive(target));
        let (stage, archive) = (self.path("stage"), archive.to_str().expect("a path").to_owned());
        run("tar", &["-czf", &archive, "-C", stage.to_str().expect("a path"), &name]);
        let sums = format!("releases/v{VERSION}/SHA256SUMS");
        let before = fs::read_to_string(self.path(&sums)).unwrap_or_default();
        self.write(&sums, format!("{before}{}  {name}.tar.gz\n", sha256(Path::new(&archive))));
    }

    #[expect(clippy::disallowed_methods, reason = "the installer is a program, and is found through PATH")]
    fn install_with(&self, shell: &[&str], args: &[&str]) -> Output {
        let path = std::env::var("PATH").expect("a PATH");
        Command::new(shell[0])
            .args(&shell[1..])
            .arg(format!("{TOP}/ci/install.sh"))
            .arg("--base-url")
            .arg(format!("file://{}", self.path("releases").display()))
            .arg("--to")
            .arg(self.path("to"))
            .args(args)
            .env_clear()
            .env("PATH", format!("{}:{path}", self.path("fakes").display()))
            .output()
            .expect("a shell")
    }

    fn install(&self, args: &[&str]) -> Output {
        self.install_with(&["sh"], args)
    }

    /// The names of all that lies where the program goes.
    fn installed(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("to")) else { return Vec::new() };
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
    }

    /// Nothing was installed, nothing lies around, what was there is there, and the reason is told.
    fn refuses(&self, args: &[&str], code: i32, reason: &str) {
        for before in [None, Some("older")] {
            drop(fs::remove_dir_all(self.path("to")));
            if let Some(text) = before {
                self.write("to/specward", text);
            }
            let output = self.install(args);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{said}");
            assert!(said.contains(reason), "{said}");
            let wanted: &[&str] = if before.is_some() { &["specward"] } else { &[] };
            assert_eq!(self.installed(), wanted, "{said}");
            assert_eq!(fs::read_to_string(self.path("to/specward")).ok().as_deref(), before);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "tests start programs")]
fn run(program: &str, args: &[&str]) -> Output {
    let output = Command::new(program).args(args).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn sha256(file: &Path) -> String {
    specward::digest::sha256(&fs::read(file).expect("an archive")).trim_start_matches("sha256:").to_owned()
}

#[expect(clippy::disallowed_methods, reason = "tests start programs")]
fn is_here(program: &str) -> bool {
    let is_here = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let is_here = is_here.is_ok_and(|output| output.status.success());
    if !is_here {
        eprintln!("skipped: {program} is not here");
    }
    is_here
}

/// Shells that are here; `sh` is everywhere.
fn shells() -> Vec<Vec<&'static str>> {
    #[expect(clippy::disallowed_methods, reason = "tests start programs")]
    let runs = |shell: &Vec<&str>| {
        let found = Command::new(shell[0]).args(&shell[1..]).args(["-c", ":"]).output();
        let runs = found.is_ok_and(|output| output.status.success());
        if !runs {
            eprintln!("{} is not here", shell.join(" "));
        }
        runs
    };
    let all = [vec!["sh"], vec!["dash"], vec!["bash", "--posix"], vec!["busybox", "sh"], vec!["ksh"], vec!["zsh"]];
    all.into_iter().filter(runs).collect()
}

#[test]
fn each_shell_installs_what_has_the_right_checksum() {
    for shell in shells() {
        let scratch = Scratch::new();
        let output = scratch.install_with(&shell, &[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shell:?}: {said}");
        assert!(said.contains(&format!("installed {VERSION} for {LINUX}")), "{said}");
        assert_eq!(scratch.installed(), ["specward"], "{shell:?}");
        let said = run(scratch.path("to/specward").to_str().expect("a path"), &[]).stdout;
        assert_eq!(String::from_utf8_lossy(&said), format!("specward {VERSION}\n"));
    }
}

#[test]
fn a_tampered_archive_is_not_installed() {
    let scratch = Scratch::new();
    let path = scratch.path(&Scratch::archive(LINUX));
    let mut bytes = fs::read(&path).expect("an archive");
    *bytes.last_mut().expect("a byte") ^= 1;
    fs::write(&path, bytes).expect("an archive");
    scratch.refuses(&[], 1, "the checksum of specward-v");
}

#[test]
fn tampered_checksums_install_nothing() {
    let scratch = Scratch::new();
    let sums = format!("releases/v{VERSION}/SHA256SUMS");
    let text = fs::read_to_string(scratch.path(&sums)).expect("checksums");
    scratch.write(&sums, format!("{}{text}", text.replacen(|digit: char| digit.is_ascii_hexdigit(), "x", 1)));
    scratch.refuses(&[], 1, "the checksum of specward-v");
}

#[test]
fn a_missing_checksum_is_an_error() {
    let scratch = Scratch::new();
    let sums = format!("releases/v{VERSION}/SHA256SUMS");
    scratch.write(&sums, format!("{}  another.tar.gz\n", "0".repeat(64)));
    scratch.refuses(&[], 1, "SHA256SUMS has no line for specward-v");
    fs::remove_file(scratch.path(&sums)).expect("a file");
    scratch.refuses(&[], 1, "SHA256SUMS, or it cannot be fetched");
}

#[test]
fn a_checksum_that_the_caller_has_is_what_counts() {
    let scratch = Scratch::new();
    scratch.write(&format!("releases/v{VERSION}/SHA256SUMS"), "");
    let right = sha256(&scratch.path(&Scratch::archive(LINUX)));
    scratch.refuses(&["--sha256", &"0".repeat(64)], 1, "the checksum of specward-v");
    let output = scratch.install(&["--sha256", &right.to_uppercase()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_not_there_is_told() {
    let scratch = Scratch::new();
    scratch.refuses(&["--version", "9.9.9"], 69, "is 9.9.9 released for x86_64-unknown-linux-gnu?");
    scratch.is_machine("Linux", "riscv64", "glibc 2.36");
    scratch.refuses(&[], 69, "there is no archive for Linux riscv64");
    scratch.is_machine("Plan9", "x86_64", "");
    scratch.refuses(&[], 69, "there is no archive for Plan9 x86_64");
}

#[test]
fn wrong_usage_is_told() {
    let scratch = Scratch::new();
    scratch.refuses(&["--base-url", "http://localhost"], 2, "--base-url has to begin with https://");
    scratch.refuses(&["--version", "../1"], 2, "is no version");
    scratch.refuses(&["--target", "../x"], 2, "is no target");
    scratch.refuses(&["--to"], 2, "--to needs a value");
    scratch.refuses(&["--too", "x"], 2, "unknown argument --too");
}

#[test]
fn each_machine_gets_its_archive() {
    let machines = [
        ("Linux", "x86_64", "glibc 2.35", "x86_64-unknown-linux-gnu"),
        ("Linux", "aarch64", "glibc 3.0", "aarch64-unknown-linux-gnu"),
        // The one that needs no C library runs where an older one is.
        ("Linux", "x86_64", "glibc 2.34", "x86_64-unknown-linux-musl"),
        ("Linux", "arm64", "", "aarch64-unknown-linux-musl"),
        ("Darwin", "arm64", "", "aarch64-apple-darwin"),
        ("Darwin", "x86_64", "", "x86_64-apple-darwin"),
    ];
    for (system, machine, libc, target) in machines {
        let scratch = Scratch::new();
        scratch.is_machine(system, machine, libc);
        if target != LINUX {
            scratch.release(target, &format!("#!/bin/sh\necho 'specward {VERSION}'\n"));
        }
        let output = scratch.install(&[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("installed {VERSION} for {target} ")), "{said}");
    }
    let scratch = Scratch::new();
    scratch.is_machine("MINGW64_NT-10.0-26100", "x86_64", "");
    scratch.refuses(&[], 69, "x86_64-pc-windows-msvc.zip, or it cannot be fetched");
}

#[test]
fn a_program_that_is_not_what_was_asked_for_is_not_installed() {
    let scratch = Scratch::new();
    scratch.write(&format!("releases/v{VERSION}/SHA256SUMS"), "");
    scratch.release(LINUX, "#!/bin/sh\necho 'specward 0.0.1'\n");
    scratch.refuses(&[], 1, "says it is specward 0.0.1");
    scratch.write(&format!("releases/v{VERSION}/SHA256SUMS"), "");
    scratch.release(LINUX, "#!/bin/sh\nexit 3\n");
    scratch.refuses(&[], 1, "does not run here");
}

/// A link in an archive leads to a file of whoever installs, and a mode or a run of it would be that file's.
#[test]
fn a_link_in_an_archive_is_not_followed() {
    for is_hard in [true, false] {
        let scratch = Scratch::new();
        let name = format!("specward-v{VERSION}-{LINUX}");
        let (outside, link) = (scratch.path("outside"), scratch.path(&format!("stage/{name}/specward")));
        let ran = scratch.path("ran");
        scratch.write("outside", format!("#!/bin/sh\ntouch '{}'\necho 'specward {VERSION}'\n", ran.display()));
        fs::set_permissions(&outside, fs::Permissions::from_mode(0o600)).expect("a mode");
        fs::remove_file(&link).expect("a program");
        match is_hard {
            true => fs::hard_link(&outside, &link),
            false => std::os::unix::fs::symlink(&outside, &link),
        }
        .expect("a link");
        // With the file itself before it, the second name of a file is a link to the first, and -P keeps its path absolute.
        let [archive, outside, stage, ran] =
            [scratch.path(&Scratch::archive(LINUX)), outside, scratch.path("stage"), ran]
                .map(|path| path.to_str().expect("a path").to_owned());
        run("tar", &["-P", "-czf", &archive, &outside, "-C", &stage, &name]);
        let sums = format!("{}  {name}.tar.gz\n", sha256(Path::new(&archive)));
        scratch.write(&format!("releases/v{VERSION}/SHA256SUMS"), sums);
        for tar in [None, Some("busybox"), Some("bsdtar")] {
            if let Some(tar) = tar {
                if !is_here(tar) {
                    continue;
                }
                let word = if tar == "busybox" { "busybox tar" } else { tar };
                scratch.program("fakes/tar", &format!("#!/bin/sh\nexec {word} \"$@\"\n"));
            }
            scratch.refuses(&[], 1, &format!("holds no file {name}/specward"));
            let mode = fs::metadata(&outside).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{tar:?} {is_hard}");
            assert!(!Path::new(&ran).exists(), "{tar:?} {is_hard}");
        }
    }
}

/// `curl … | sh -s -- --help`: the shell is the program then, and has no file to read a text from.
#[test]
fn help_is_told_to_whoever_pipes_it() {
    for shell in shells() {
        #[expect(clippy::disallowed_methods, reason = "tests start programs")]
        let output = Command::new(shell[0])
            .args(&shell[1..])
            .args(["-s", "--", "--help"])
            .stdin(fs::File::open(Path::new(TOP).join("ci/install.sh")).expect("the installer"))
            .output()
            .expect("a shell");
        let (said, complaint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && complaint.is_empty(), "{shell:?}: {complaint}");
        assert!(said.contains("\n  --base-url URL "), "{shell:?}: {said}");
    }
}

#[test]
fn without_a_program_for_checksums_that_is_the_one_error() {
    let scratch = Scratch::new();
    // All that it needs, and no more.
    for program in ["sh", "mkdir", "mktemp", "rm", "cp", "awk", "tr", "gzip", "tar", "chmod", "mv", "cat"] {
        let found = run("sh", &["-c", &format!("command -v {program}")]).stdout;
        let found = String::from_utf8(found).expect("a path");
        std::os::unix::fs::symlink(found.trim(), scratch.path(&format!("fakes/{program}"))).expect("a link");
    }
    #[expect(clippy::disallowed_methods, reason = "tests start programs")]
    let output = Command::new(scratch.path("fakes/sh"))
        .arg(format!("{TOP}/ci/install.sh"))
        .args(["--base-url", &format!("file://{}", scratch.path("releases").display()), "--to"])
        .arg(scratch.path("to"))
        .env_clear()
        .env("PATH", scratch.path("fakes"))
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("error: sha256sum, shasum or openssl is needed"), "{said}");
    assert!(scratch.installed().is_empty(), "{said}");
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(TOP).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Cargo.toml is the one place: what has to repeat it is compared with it, and what need not has none.
#[test]
fn one_version_and_one_home() {
    let installer = read("ci/install.sh");
    assert!(installer.contains(&format!("\nversion={VERSION}\n")), "ci/install.sh: its version is not {VERSION}");
    let home = env!("CARGO_PKG_REPOSITORY");
    assert!(installer.contains(&format!("\nbase={home}/releases/download\n")), "ci/install.sh: not at {home}");
    let wheel = read("packaging/pypi/pyproject.toml");
    assert!(wheel.contains("\ndynamic = [\"version\", "), "pyproject.toml: a version");
    let licence =
        read("Cargo.toml").lines().find(|line| line.starts_with("license = ")).map(|line| format!("\n{line}\n"));
    assert!(wheel.contains(&licence.expect("a licence")), "pyproject.toml: another licence than Cargo.toml");
    if let Ok(action) = fs::read_to_string(Path::new(TOP).join("action.yml")) {
        let inputs = action.split("\ninputs:").nth(1).expect("inputs");
        let version = inputs.split("\n  version:").nth(1).expect("an input `version`");
        let default = version.split("default:").nth(1).expect("a default").lines().next().expect("a line");
        let default = default.split([',', '}']).next().expect("a value").trim().trim_matches(['"', '\'']);
        assert!(
            ["", VERSION, &format!("v{VERSION}")].contains(&default),
            "action.yml: its version is {default} and not {VERSION}"
        );
    }
}

/// The page of npm and PyPI is shown where this repository is not: a link into it has to name its home, and a file that is here.
#[test]
fn the_page_of_packages_links_to_what_is_there() {
    let page = read("packaging/README.md");
    let home = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
    let mut files = 0;
    for target in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(target.starts_with("https://"), "packaging/README.md: {target} leads nowhere there");
        if let Some(file) = target.strip_prefix(home) {
            read(file);
            files += 1;
        }
    }
    assert!(files > 0, "packaging/README.md: no link to {home}");
}

/// A digest for each platform that makes a wheel, and nothing without one.
#[test]
fn what_makes_wheels_is_pinned() {
    let release = read(".github/workflows/release.yml");
    assert!(release.contains(" --require-hashes --only-binary :all: -r packaging/pypi/requirements.txt"));
    let pins = read("packaging/pypi/requirements.txt").replace("\\\n", " ");
    for pin in pins.lines().filter(|line| !line.starts_with('#')) {
        assert!(pin.contains("==") && pin.contains("--hash=sha256:"), "{pin}");
    }
}

/// `git` for Windows turns line ends otherwise, and what is built into the program or run by a shell with them.
#[test]
fn a_checkout_has_unix_line_ends() {
    assert!(read(".gitattributes").contains("\n* text=auto eol=lf\n"));
}

/// Whoever adds a platform in one place and not in the other would release a package that lacks it.
#[test]
fn each_platform_is_built_and_packed() {
    let release = read(".github/workflows/release.yml");
    let mut built: Vec<&str> = release.lines().filter_map(|line| line.trim().strip_prefix("- target: ")).collect();
    built.sort_unstable();
    let platforms = read("packaging/npm/platforms.json");
    let platforms: serde_json::Value = serde_json::from_str(&platforms).expect("JSON");
    let platforms = platforms.as_array().expect("a list");
    let mut packed: Vec<&str> = platforms.iter().filter_map(|platform| platform["target"].as_str()).collect();
    packed.sort_unstable();
    assert_eq!(built, packed);
}
