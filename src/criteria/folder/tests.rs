use std::fs;

use super::*;
use crate::repo::snapshot::Worktree;

const EMPTY: &str = "version: 1\ncriteria: []\n";

fn tree(files: &[(&str, &str)]) -> std::io::Result<(tempfile::TempDir, Worktree)> {
    let dir = tempfile::tempdir()?;
    for (path, content) in files {
        let path = dir.path().join("openspec").join(path);
        fs::create_dir_all(path.parent().unwrap_or(dir.path()))?;
        fs::write(path, content)?;
    }
    let worktree = Worktree::confined(dir.path())?;
    Ok((dir, worktree))
}

fn all(worktree: &Worktree) -> Vec<(String, String)> {
    let project = Project::new(worktree, "");
    let shown = |file: CriteriaFile| {
        let outcome = file.outcome.as_ref().map_or_else(ToString::to_string, |criteria| criteria.len().to_string());
        // One capability alone gives the same.
        if let Some(alone) = load(&project, &file.capability) {
            assert_eq!(alone, file);
        }
        (file.capability, outcome)
    };
    load_all(&project).into_iter().map(shown).collect()
}

#[test]
fn files_nest_and_both_extensions_count() -> std::io::Result<()> {
    let (_dir, worktree) = tree(&[
        ("verify/cli.yaml", "version: 1\ncriteria:\n- {requirement: R, scenario: S}\n"),
        ("verify/a/b/c.yml", EMPTY),
        ("verify/.hidden.yaml", "x"),
        ("verify/.hidden/x.yaml", "x"),
        ("verify/README.md", "x"),
        ("verify/bad.yaml", "version: 2"),
        ("verify/two.yaml", EMPTY),
        ("verify/two.yml", EMPTY),
    ])?;
    let shown = all(&worktree);
    let names: Vec<_> = shown.iter().map(|(capability, _)| capability.as_str()).collect();
    assert_eq!(names, ["a/b/c", "bad", "cli", "two"]);
    assert_eq!((shown[0].1.as_str(), shown[2].1.as_str()), ("0", "1"));
    assert!(shown[1].1.contains("has to be 1") && shown[3].1.contains("verify/two.yml"), "{shown:?}");
    let project = Project::new(&worktree, "");
    for capability in ["a", "none", "", "../cli", "a//b/c", ".hidden"] {
        assert_eq!(load(&project, capability), None, "{capability}");
    }
    Ok(())
}

#[test]
fn no_folder_is_no_criteria() -> std::io::Result<()> {
    let (_dir, worktree) = tree(&[("specs/a/spec.md", "")])?;
    assert_eq!(all(&worktree), []);
    let (_dir, worktree) = tree(&[("verify", "a file")])?;
    assert_eq!(all(&worktree), [(String::new(), "not a folder".to_owned())]);
    Ok(())
}

#[cfg(unix)]
#[test]
fn links_out_of_the_tree_are_kept_as_faults() -> std::io::Result<()> {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir()?;
    fs::write(outside.path().join("x.yaml"), EMPTY)?;
    let (dir, worktree) = tree(&[("verify/cli.yaml", EMPTY)])?;
    let verify = dir.path().join("openspec/verify");
    symlink(outside.path().join("x.yaml"), verify.join("out.yaml"))?;
    symlink(outside.path(), verify.join("folder"))?;
    symlink("cli.yaml", verify.join("inside.yaml"))?;
    symlink("nowhere", verify.join("lost.yaml"))?;
    let shown = all(&worktree);
    let is_fault =
        |capability: &str| shown.iter().any(|(name, outcome)| name == capability && outcome.contains("link"));
    assert!(is_fault("out") && is_fault("folder") && is_fault("lost"), "{shown:?}");
    assert!(shown.contains(&("inside".to_owned(), "0".to_owned())), "{shown:?}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_is_not_nothing() -> std::io::Result<()> {
    let (dir, worktree) = tree(&[("elsewhere/auth.yaml", EMPTY), ("elsewhere/net/http.yaml", EMPTY)])?;
    let project = Project::new(&worktree, "");
    let verify = dir.path().join("openspec/verify");
    std::os::unix::fs::symlink("elsewhere", &verify)?;
    let is_fault = |capability| matches!(load(&project, capability), Some(CriteriaFile { outcome: Err(_), .. }));
    assert!(is_fault("auth") && is_fault("none"));
    fs::remove_file(&verify)?;
    fs::create_dir(&verify)?;
    std::os::unix::fs::symlink("../elsewhere/net", verify.join("net"))?;
    assert!(is_fault("net/http") && load(&project, "auth").is_none());
    fs::remove_file(verify.join("net"))?;
    fs::write(verify.join("net"), "notes")?;
    assert!(load(&project, "net/http").is_none());
    Ok(())
}
