//! Real processes: those that end, those that do not want to, and those that try to get away.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

/// Far above what anything here takes: a machine that is slow fails nothing.
const LONG: Duration = Duration::from_secs(120);

struct Place {
    folder: tempfile::TempDir,
    env: CheckEnvironment,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let variables = [(OsString::from("PATH"), OsString::from("/usr/local/bin:/usr/bin:/bin"))];
        let env = CheckEnvironment::new(variables, &[], folder.path(), None);
        Self { folder, env }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn script(&self, name: &str, text: &str, mode: u32) {
        let path = self.path(name);
        fs::write(&path, text).expect("a script");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    }

    fn run(&self, command: &CommandLine, stdin: Option<&[u8]>, timeout: Duration) -> Ended {
        // Unique among the tests of this process: the folder is.
        let marker = format!("{}/1", self.folder.path().display());
        let folder = self.folder.path();
        run(&Order { command, folder, env: &self.env, stdin, timeout, marker: &marker })
    }

    fn argv(&self, argv: &[&str]) -> Ended {
        self.run(&CommandLine::Argv(argv.iter().map(|word| (*word).to_owned()).collect()), None, LONG)
    }

    fn shell(&self, line: &str) -> Ended {
        self.run(&CommandLine::Shell(line.to_owned()), None, LONG)
    }

    fn shell_for(&self, line: &str, timeout: Duration) -> Ended {
        self.run(&CommandLine::Shell(line.to_owned()), None, timeout)
    }

    /// Runs a line that never ends, with as much time as it takes to say that it is ready: a deadline that is too early
    /// would prove nothing.
    fn end_when_ready(&self, line: &str) -> Ended {
        let mut timeout = Duration::from_secs(1);
        loop {
            let ended = self.shell_for(line, timeout);
            if ended.stdout.text().contains("ready") || timeout > LONG {
                return ended;
            }
            timeout *= 2;
        }
    }

    /// The process whose number a script wrote.
    fn pid(&self, name: &str) -> rustix::process::Pid {
        let text = fs::read_to_string(self.path(name)).expect("the script wrote its number");
        rustix::process::Pid::from_raw(text.trim().parse().expect("a number")).expect("not zero")
    }

    /// Waits until a process is gone. One that is dead and not waited for is gone.
    fn assert_gone(&self, name: &str) {
        let pid = self.pid(name);
        let until = Instant::now() + LONG;
        while rustix::process::test_kill_process(pid).is_ok() {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            if stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])) {
                return;
            }
            assert!(Instant::now() < until, "{name} survives: {stat}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// What a script does to tell its number, without a half-written file.
fn tell(name: &str) -> String {
    format!("echo $$ > {name}.new; mv {name}.new {name}")
}

fn has(program: &str) -> bool {
    ["/usr/local/bin", "/usr/bin", "/bin"].iter().any(|folder| Path::new(folder).join(program).exists())
}

#[test]
fn exit_code_and_both_streams() {
    let place = Place::new();
    let ended = place.shell("echo out; echo err >&2; exit 7");
    assert_eq!(ended.end, End::Exited(7));
    assert_eq!((ended.stdout.text(), ended.stderr.text()), ("out\n".to_owned(), "err\n".to_owned()));
    assert!(ended.program.is_some_and(|program| program.ends_with("sh")));
}

#[test]
fn it_sees_its_environment_and_nothing_else() {
    let place = Place::new();
    let ended = place.argv(&["env"]);
    let text = ended.stdout.text();
    let mut names: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    names.sort_unstable();
    assert_eq!(names, ["PATH", MARKER]);
}

#[test]
fn it_runs_in_the_folder_and_reads_what_it_is_given() {
    let place = Place::new();
    let here = place.folder.path().canonicalize().expect("a path");
    assert_eq!(place.argv(&["pwd"]).stdout.text().trim_end(), here.display().to_string());
    let cat = CommandLine::Argv(vec!["cat".to_owned()]);
    assert_eq!(place.run(&cat, None, LONG).stdout.text(), "");
    let much = vec![b'x'; 1 << 20];
    assert_eq!(place.run(&cat, Some(&much), LONG).stdout.total(), 1 << 20);
    // One that does not read it ends all the same.
    let no = CommandLine::Argv(vec!["true".to_owned()]);
    assert_eq!(place.run(&no, Some(&much), LONG).end, End::Exited(0));
}

#[test]
fn a_signal_of_somebody_else() {
    assert_eq!(Place::new().shell("kill -9 $$").end, End::Signalled(9));
}

#[test]
fn bytes_of_any_kind() {
    let ended = Place::new().shell("printf 'a\\377\\000b'");
    assert_eq!(ended.stdout.text(), "a\u{fffd}\0b");
}

#[test]
fn a_group_that_ignores_signals_dies_at_the_deadline() {
    let place = Place::new();
    let setsid = if has("setsid") { "setsid" } else { "" };
    let script = format!(
        "#!/bin/sh\ntrap '' TERM INT HUP\n{}\n\
         sh -c 'trap \"\" TERM; {}; while :; do sleep 1; done' &\n\
         sh -c 'sh -c \"trap : TERM; {}; while :; do sleep 1; done\" &' &\n\
         {setsid} sh -c 'trap \"\" TERM; {}; while :; do sleep 1; done' &\n\
         while ! [ -e child ] || ! [ -e grandchild ] || ! [ -e escaped ]; do sleep 0.05; done\n\
         echo ready\nwhile :; do sleep 1; done\n",
        tell("leader"),
        tell("child"),
        tell("grandchild").replace('$', "\\$"),
        tell("escaped"),
    );
    place.script("stubborn", &script, 0o755);
    let ended = place.end_when_ready("./stubborn");
    assert_eq!(ended.end, End::TimedOut);
    assert!(ended.stdout.text().contains("ready"));
    for name in ["leader", "child", "grandchild"] {
        place.assert_gone(name);
    }
    if cfg!(target_os = "linux") {
        place.assert_gone("escaped");
    }
}

#[test]
fn what_is_left_of_a_program_that_ended_is_killed_and_not_waited_for() {
    let place = Place::new();
    let wait = "while ! [ -e left ]; do sleep 0.05; done";
    let ended = place.shell(&format!("sh -c '{}; sleep 1000' & {wait}; echo done", tell("left")));
    assert_eq!((ended.end.clone(), ended.stdout.text()), (End::Exited(0), "done\n".to_owned()));
    assert!(!ended.stdout.is_cut());
    place.assert_gone("left");
}

#[cfg(target_os = "linux")]
#[test]
fn an_escape_is_found_by_its_marker() {
    if !has("setsid") {
        return;
    }
    let place = Place::new();
    let script = format!("{}; exec sleep 1000", tell("marked"));
    place.script("marked.sh", &script, 0o755);
    let ended = place.shell("setsid sh ./marked.sh & while ! [ -e marked ]; do sleep 0.05; done; echo done");
    assert_eq!(ended.end, End::Exited(0));
    assert!(!ended.stdout.is_cut(), "the pipe was free");
    place.assert_gone("marked");
}

#[cfg(target_os = "linux")]
#[test]
fn an_escape_without_a_marker_is_found_as_an_orphan() {
    if !has("setsid") {
        return;
    }
    let place = Place::new();
    place.script("bare.sh", &format!("{}; exec sleep 1000", tell("bare")), 0o755);
    let line = "env -i /usr/bin/setsid /bin/sh ./bare.sh >/dev/null 2>&1 & while ! [ -e bare ]; do sleep 0.05; done";
    assert_eq!(place.shell(line).end, End::Exited(0));
    // As long as other programs run it could be one of theirs: the last one to end cleans up.
    let until = Instant::now() + LONG;
    let other = Place::new();
    while rustix::process::test_kill_process(place.pid("bare")).is_ok() && Instant::now() < until {
        other.argv(&["true"]);
    }
    place.assert_gone("bare");
}

#[test]
fn a_flood_is_cut_and_counted() {
    let place = Place::new();
    let ended = place.shell("echo first; head -c 300000000 /dev/zero; echo; echo last");
    assert_eq!(ended.end, End::Exited(0));
    assert_eq!(ended.stdout.total(), 300_000_000 + 12);
    let text = ended.stdout.text();
    assert!(ended.stdout.is_cut() && text.len() < 9 << 20);
    assert!(text.starts_with("first\n") && text.ends_with("last\n"));
}

#[test]
fn a_flood_does_not_move_the_deadline() {
    let place = Place::new();
    let ended = place.shell_for("cat /dev/zero", Duration::from_millis(300));
    assert_eq!(ended.end, End::TimedOut);
    assert!(ended.duration < LONG);
}

#[test]
fn what_is_not_there_is_told_with_a_way_out() {
    let place = Place::new();
    let not_found = |ended: Ended| match ended.end {
        End::NotFound(why) => why,
        other => panic!("{other:?}"),
    };
    let not_started = |ended: Ended| match ended.end {
        End::NotStarted(why) => why,
        other => panic!("{other:?}"),
    };
    assert!(not_found(place.argv(&["no-such-program"])).contains("is not in PATH; install it"));
    assert!(not_found(place.argv(&["./no-such"])).contains("`./no-such` does not exist in `"));
    assert!(not_found(place.argv(&["/no/such"])).contains("`/no/such` does not exist"));
    fs::create_dir(place.path("folder")).expect("a folder");
    assert!(not_started(place.argv(&["./folder"])).contains("is a folder"));
    place.script("plain", "#!/bin/sh\n", 0o644);
    assert!(not_started(place.argv(&["./plain"])).contains("chmod +x"));
    place.script("lost", "#!/no/such/interpreter -x\n", 0o755);
    assert!(
        not_started(place.argv(&["./lost"])).contains("the interpreter `/no/such/interpreter`, which does not exist")
    );
    place.script("folder/crlf.sh", "#!/bin/sh\r\nexit 0\r\n", 0o755);
    let why = not_started(place.argv(&["./folder/./crlf.sh"]));
    assert!(why.contains("its lines end with CRLF") && why.contains("/folder/crlf.sh` does"), "{why}");
}

#[test]
fn a_program_of_the_judged_tree_does_not_stand_in_front_of_the_tool() {
    let mut place = Place::new();
    fs::create_dir(place.path("shims")).expect("a folder");
    place.script("shims/ls", "#!/bin/sh\necho shim\n", 0o755);
    place.script("shims/only-here", "#!/bin/sh\necho here\n", 0o755);
    let path = format!("{}:shims:/usr/bin:/bin", place.path("shims").display());
    let variables = || [(OsString::from("PATH"), OsString::from(&path))];
    place.env = CheckEnvironment::new(variables(), &[], place.folder.path(), None);
    assert!(!place.argv(&["ls"]).stdout.text().contains("shim\n"));
    assert!(!place.shell("ls shims/ls").stdout.text().contains("shim\n"));
    let End::NotFound(why) = place.argv(&["only-here"]).end else { panic!("it was found") };
    assert!(why.contains("inside the judged tree") && why.contains("`checks: path:`"), "{why}");
    place.env = CheckEnvironment::new(variables(), &[], place.folder.path(), Some(&["shims".to_owned()]));
    assert_eq!(place.argv(&["only-here"]).stdout.text(), "here\n");
}

/// Runs in a process of its own, in a folder that says so: see the test below.
#[test]
#[ignore = "only of use to the test of signals, which starts it"]
fn waits_for_a_signal() {
    let Ok(folder) = Path::new("interruptible").canonicalize() else { return };
    kill_on_signals();
    kill_on_signals();
    let variables = [(OsString::from("PATH"), OsString::from("/usr/bin:/bin"))];
    let env = CheckEnvironment::new(variables, &[], &folder, None);
    let command = CommandLine::Argv(vec!["./stubborn".to_owned()]);
    let marker = format!("{}/1", folder.display());
    run(&Order { command: &command, folder: &folder, env: &env, stdin: None, timeout: LONG, marker: &marker });
    unreachable!("it ends with the signal");
}

#[test]
fn a_signal_to_specward_kills_what_it_runs() {
    use rustix::process::{Signal, kill_process};
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        if group::ignored() & (1 << (signal.as_raw() - 1)) != 0 {
            // Whoever runs these tests wants it ignored, as `nohup` does, and so it is.
            continue;
        }
        let place = Place::new();
        fs::create_dir(place.path("interruptible")).expect("a folder");
        let setsid = if has("setsid") { "setsid" } else { "" };
        let script = format!(
            "#!/bin/sh\ntrap '' TERM INT HUP\n{}\n{setsid} sh -c '{}; while :; do sleep 1; done' &\nwhile :; do sleep 1; done\n",
            tell("leader"),
            tell("escaped"),
        );
        place.script("interruptible/stubborn", &script, 0o755);
        #[expect(clippy::disallowed_methods, reason = "this test, as a process of its own")]
        let mut specward = Command::new(std::env::current_exe().expect("this test"))
            .args(["--ignored", "--exact", "criteria::process::tests::waits_for_a_signal"])
            .current_dir(place.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let names = ["interruptible/leader", "interruptible/escaped"];
        let until = Instant::now() + LONG;
        while !names.iter().all(|name| place.path(name).exists()) {
            assert!(Instant::now() < until, "it does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        kill_process(group::pid(specward.id()).expect("a number"), signal).expect("it runs");
        assert_eq!(specward.wait().expect("it ends").code(), Some(code));
        place.assert_gone(names[0]);
        if cfg!(target_os = "linux") {
            place.assert_gone(names[1]);
        }
    }
}

#[test]
fn a_swarm_is_killed_with_its_group() {
    let place = Place::new();
    // Each starts two more, seven times over, and whoever dies is replaced.
    let script = "#!/bin/sh\nn=${1:-0}\n[ $n -ge 7 ] && { echo $$ >> swarm; while :; do sleep 1; done; }\n\
                  while :; do ./swarm.sh $((n + 1)) & ./swarm.sh $((n + 1)) & wait; done\n";
    place.script("swarm.sh", script, 0o755);
    let line =
        "rm -f swarm; ./swarm.sh & while [ $(cat swarm 2>&1 | wc -l) -lt 100 ]; do sleep 0.1; done; echo ready; wait";
    let ended = place.end_when_ready(line);
    assert_eq!((ended.end, ended.stdout.text()), (End::TimedOut, "ready\n".to_owned()));
    for pid in fs::read_to_string(place.path("swarm")).expect("numbers").lines() {
        fs::write(place.path("one"), pid).expect("a file");
        place.assert_gone("one");
    }
}
#[cfg(target_os = "linux")]
#[test]
fn one_that_starts_its_successor_and_ends_is_overtaken() {
    if !has("setsid") {
        return;
    }
    for quiet in ["", ">/dev/null 2>&1"] {
        let place = Place::new();
        place.script("hop.sh", "#!/bin/sh\necho x >> hops\nsetsid ./hop.sh &\nexit\n", 0o755);
        let line = format!(
            "./hop.sh {quiet}; while [ $(cat hops | wc -l) -lt 20 ]; do sleep 0.01; done; echo ready; sleep 1000"
        );
        assert_eq!(place.end_when_ready(&line).end, End::TimedOut);
        let hops = || fs::read(place.path("hops")).expect("it was there").len();
        let before = hops();
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(hops(), before, "it goes on");
    }
}
