use proptest::prelude::*;

use super::*;

fn touched(text: &str) -> Touched {
    let mut found = Touched::default();
    line(text, From { cwd: Path::new("/nowhere/in"), top: Some(Path::new("/nowhere")) }, &mut found);
    found
}

/// What a line does, in short: `w` writes, `t` a whole tree, `m` moves, `r` restores.
fn shown(text: &str) -> Vec<String> {
    let short = |target: Target| {
        let path = target.path.display().to_string();
        match target.action {
            Action::Write => format!("w {path}"),
            Action::Tree => format!("t {path}"),
            Action::Move(to) => format!("m {path} {}", to.display()),
            Action::Restore(rev) => format!("r {path} {}", rev.unwrap_or_default()),
        }
    };
    touched(text).targets.into_iter().map(short).collect()
}

#[test]
fn folders_are_followed() {
    assert_eq!(shown("cd a && rm b; cd .. ; rm c"), ["t /nowhere/in/a/b", "t /nowhere/in/a/../c"]);
    assert_eq!(shown("(cd a; rm b); rm c"), ["t /nowhere/in/a/b", "t /nowhere/in/c"]);
    assert_eq!(shown("cd $X; rm b; rm /c"), ["t /c"], "nobody knows where `b` is");
    assert_eq!(shown("cd; rm b"), [""; 0]);
    assert_eq!(
        shown("rm $PWD/a \"${CLAUDE_PROJECT_DIR}/b\" ~/c $d '$e'"),
        ["t /nowhere/in/a", "t /nowhere/b", "t /nowhere/in/$e"]
    );
}

#[test]
fn where_to() {
    assert_eq!(shown("mv a b c/"), ["m /nowhere/in/a /nowhere/in/c/a", "m /nowhere/in/b /nowhere/in/c/b"]);
    assert_eq!(shown("mv -t c a"), ["m /nowhere/in/a /nowhere/in/c/a"]);
    assert_eq!(shown("cp a b"), ["w /nowhere/in/b"]);
    assert_eq!(shown("cp -r a b/"), ["t /nowhere/in/b/a"]);
    assert_eq!(shown("ln -s ../a"), ["w /nowhere/in/./a"]);
    assert_eq!(shown("install -d a b"), ["w /nowhere/in/a", "w /nowhere/in/b"]);
    assert_eq!(shown("rsync -a a host:b"), [""; 0]);
}

#[test]
fn what_git_is_told_by_name() {
    assert_eq!(shown("git checkout v1 -- a"), ["r /nowhere/in/a v1"]);
    assert_eq!(shown("git restore --source=v1 a b"), ["r /nowhere/in/a v1", "r /nowhere/in/b v1"]);
    assert_eq!(shown("git -C x restore a"), ["r /nowhere/in/x/a "]);
    assert_eq!(shown("git checkout v1"), [""; 0]);
    assert_eq!(shown("git -c a.b=c mv a b"), ["m /nowhere/in/a /nowhere/in/b"]);
    assert_eq!(shown("git update-index --cacheinfo 100644,abc,a"), ["w /nowhere/in/a"]);
    // Names in a diff begin at the top.
    let diff = "git apply <<E\n--- a/x\n+++ b/x\nE";
    assert_eq!(shown(diff), ["w /nowhere/x"]);
}

#[test]
fn commands_that_are_a_humans() {
    for line in
        ["specward accept", "sudo /opt/specward accept x", "bash -c 'specward hook stop'", "specward init --uninstall"]
    {
        assert_eq!(touched(line).commands.len(), 1, "{line}");
    }
    for line in ["specward verify", "specward init", "specward hook --help", "echo specward accept"] {
        assert!(touched(line).commands.is_empty(), "{line}");
    }
}

#[test]
fn lines_within_lines_end() {
    let mut line = "rm a".to_owned();
    for _ in 0..40 {
        line = format!("echo $({line})");
    }
    assert_eq!(shown(&line), [""; 0]);
    shown(&"$(".repeat(20_000));
    shown(&format!("rm {}", "{a,b}".repeat(2_000)));
    shown(&format!("rm {}", "*/".repeat(2_000)));
}

/// Whatever is repeated, it takes time in proportion to its length, or is too much. Far more than a slow machine takes.
#[test]
fn long_lines_are_read_in_time() {
    let numbered = |piece: &str| (0..20_000).map(|number| piece.replace('#', &number.to_string())).collect::<String>();
    for line in [
        "> x ".repeat(100_000),
        format!("rm {}", "a ".repeat(300_000)),
        format!("rm {}", numbered("a# ")),
        format!("cp -r {} x", numbered("a# ")),
        "cd a && ".repeat(50_000),
        format!("cd {} ; {}", "a/".repeat(2_000), "( ".repeat(200_000)),
        "env ".repeat(100_000),
        "flock ".repeat(100_000),
        format!("find {}", "-exec sed ".repeat(30_000)),
        format!("X=a; {}", "X=$X$X; ".repeat(30_000)),
        format!("for f in {}; do {} done", "a ".repeat(900), "rm $f; ".repeat(20_000)),
        format!("rm {}", numbered("*/*/# ")),
        "echo a | xargs ".repeat(20_000),
        "$(".repeat(100_000),
        "<<E ".repeat(100_000),
    ] {
        let start = std::time::Instant::now();
        touched(&line);
        let taken = start.elapsed();
        assert!(taken.as_secs() < 10, "{}: {taken:?}", &line[..40]);
    }
}

/// What is not looked at is said to be too much.
#[test]
fn too_much_is_said() {
    let many: String = (0..60_000).map(|number| format!("a{number} ")).collect();
    let nested = (0..10).fold("rm a".to_owned(), |line, _| format!("echo $({line})"));
    for line in [format!("rm {many}"), nested, format!("for f in {many}; do rm $f; done"), "a ".repeat(5 << 20)] {
        assert!(touched(&line).is_too_much, "{}", &line[..20]);
    }
    for line in ["rm a", "echo $(echo $(echo $(rm a)))", "rm */*", "for f in a b; do rm $f; done"] {
        assert!(!touched(line).is_too_much, "{line}");
    }
}

proptest! {
    /// Whatever is typed, it is read to its end.
    #[test]
    fn any_line_is_read(text in "[a-z$`(){}<>|&;'\"\\\\ \n*?\\[~=/.é-]{0,80}") {
        touched(&text);
    }

    #[test]
    fn any_words_are_read(words in proptest::collection::vec(
        prop_oneof![
            Just("git"), Just("checkout"), Just("apply"), Just("mv"), Just("-t"), Just("cp"), Just("-i"), Just("sed"),
            Just("--"), Just("-C"), Just("cd"), Just("<<E"), Just("\n"), Just("E"), Just(">"), Just("$("), Just(")"),
            Just("bash"), Just("-c"), Just("'"), Just("\""), Just("perl"), Just("-pie"), Just("find"), Just("-exec"),
            Just("python"), Just("patch"), Just("-p1"), Just("specward"), Just("{a,{b,c}}"), Just("é*"), Just("update-index"),
            Just("--cacheinfo"), Just(","), Just("restore"), Just("--source="), Just("xargs"), Just("env"), Just("A=b"), Just("$A"), Just("for"), Just("in"), Just("f"), Just("|"), Just("-I"),
            Just("tar"), Just("-x"), Just("xf"), Just("awk"), Just("w "), Just("script"), Just("{}"), Just("${f}"), Just("<<<"), Just("${"),
        ],
        0..12,
    )) {
        touched(&words.join(" "));
        touched(&words.concat());
    }
}
