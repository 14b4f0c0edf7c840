use super::super::check::check;
use super::super::record::tests::record;
use super::*;

/// The line of a run.
pub fn entry(number: usize) -> Entry {
    Entry::from(&record(&format!("20261201T022418Z-{number:08x}")))
}

#[test]
fn lines_follow_one_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    let first = append(&path, &entry(1)).unwrap();
    let second = append(&path, &entry(2)).unwrap();
    assert_eq!((first.seq, second.seq), (1, 2));
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(r#"{"seq":1,"prev":null,"run_id":"20261201T022418Z-00000001","time":"#), "{text}");
    assert!(lines[1].starts_with(&format!(r#"{{"seq":2,"prev":"{}","#, sha256(lines[0].as_bytes()))), "{text}");
    assert!(lines[1].ends_with(&format!(r#","digest":"{}"}}"#, second.digest)), "{text}");
    let value: Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!(value["criteria"][0], serde_json::json!({ "id": "auth/sign-in/right-password", "verdict": "FAIL" }));
    assert_eq!(value["trees"]["specs"], "abc");
}

#[test]
fn two_hundred_at_once_lose_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    // The digits of an id tell the runs apart.
    std::thread::scope(|scope| {
        for number in 0..200 {
            let path = &path;
            scope.spawn(move || append(path, &entry(number)).unwrap());
        }
    });
    let checked = check(&path, None).unwrap();
    assert!(checked.is_fine() && checked.lines == 200, "{checked:?}");
    let text = fs::read_to_string(&path).unwrap();
    let mut ids: Vec<String> = text.lines().map(|line| parse(format!("{line}\n").as_bytes()).unwrap().run_id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 200);
}

/// Named so that [`processes_at_once_lose_none`] can run it alone. Without the variable it does nothing.
#[test]
#[expect(clippy::disallowed_methods, reason = "how the test above tells its helpers what to do")]
fn helper_that_appends() {
    let Some(path) = std::env::var_os("SPECWARD_TEST_LEDGER") else { return };
    for number in 0..25 {
        append(Path::new(&path), &entry(number)).unwrap();
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "this test needs other processes")]
fn processes_at_once_lose_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    let start = || {
        std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "ledger::chain::tests::helper_that_appends", "--test-threads=1"])
            .env("SPECWARD_TEST_LEDGER", &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut helpers: Vec<_> = (0..8).map(|_| start()).collect();
    for helper in &mut helpers {
        assert!(helper.wait().unwrap().success());
    }
    let checked = check(&path, None).unwrap();
    assert!(checked.is_fine() && checked.lines == 200, "{checked:?}");
}

#[test]
fn a_lock_held_for_ever_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    append(&path, &entry(1)).unwrap();
    let before = fs::read(&path).unwrap();
    let holder = OpenOptions::new().read(true).append(true).open(&path).unwrap();
    holder.lock().unwrap();
    let error = append_within(&path, &entry(2), Duration::from_millis(50)).unwrap_err();
    assert!(error.to_string().contains("waited 0 s for the lock on"), "{error}");
    drop(holder);
    assert_eq!(fs::read(&path).unwrap(), before);
    append(&path, &entry(2)).unwrap();
}

#[test]
fn nothing_is_added_after_what_is_not_ours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    append(&path, &entry(1)).unwrap();
    append(&path, &entry(2)).unwrap();
    let good = fs::read_to_string(&path).unwrap();
    let torn = good.trim_end().to_owned();
    let half = good[..good.len() - 100].to_owned();
    for (content, line, words) in [
        (torn, 2, "torn"),
        (half, 2, "torn"),
        ("hello\n".to_owned(), 1, "not JSON"),
        ("\n".to_owned(), 1, "not JSON"),
        ("{}\n".to_owned(), 1, "missing"),
        (format!("{good}\n"), 3, "not JSON"),
        (good.replace("FAIL", "PASS"), 2, "changed"),
        (good.replace("\"seq\":2", "\"seq\": 2"), 2, "changed"),
        (good.replace("\"version\":1", "\"version\":9"), 2, "version"),
    ] {
        fs::write(&path, &content).unwrap();
        let error = append(&path, &entry(3)).unwrap_err();
        assert!(matches!(&error, AppendError::LastLine { line: found, .. } if *found == line), "{content}: {error}");
        assert!(error.to_string().contains(words) && !error.fix().is_empty(), "{content}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert!(matches!(append(&link, &entry(1)), Err(AppendError::NotAFile(_))));
    assert!(matches!(append(folder.path(), &entry(1)), Err(AppendError::NotAFile(_))));
    assert!(matches!(append(&folder.path().join("no/such"), &entry(1)), Err(AppendError::Io { .. })));
    append(&file, &entry(1)).unwrap();
}

#[test]
fn a_last_line_of_any_length_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    for size in [0, 1, 3000] {
        let mut long = entry(size);
        let criterion = long.criteria[0].clone();
        long.criteria = vec![criterion; size];
        append(&path, &long).unwrap();
    }
    append(&path, &entry(4)).unwrap();
    assert!(fs::metadata(&path).unwrap().len() > 2 * STEP);
    assert!(check(&path, None).unwrap().is_fine());
}
