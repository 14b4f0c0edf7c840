//! What a CI system says about the commits it runs for.

use std::path::Path;

use serde_json::Value;

use super::environment::Environment;

/// The CI's word on base and head, as revisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CiWord {
    /// What to compare from.
    pub base: String,
    /// What to judge, when it is not the commit that is checked out.
    pub head: Option<String>,
    /// Where this comes from, for the report.
    pub source: String,
}

/// Reads the CI's variables and event file. None when no CI speaks, or when it speaks of an event without a base (a
/// schedule, a new branch); an error when it names an event file that cannot be understood.
///
/// # Errors
/// A one-line reason.
pub fn word(env: &Environment) -> Result<Option<CiWord>, String> {
    if let Some(word) = github(env)? {
        return Ok(Some(word));
    }
    if let Some(base) = env.get("CI_MERGE_REQUEST_DIFF_BASE_SHA") {
        let source = "CI_MERGE_REQUEST_DIFF_BASE_SHA".to_owned();
        return Ok(Some(CiWord { base: base.to_owned(), head: None, source }));
    }
    if let Some(base) = env.get("PRE_COMMIT_FROM_REF") {
        let head = env.get("PRE_COMMIT_TO_REF").map(str::to_owned);
        return Ok(Some(CiWord { base: base.to_owned(), head, source: "PRE_COMMIT_FROM_REF".to_owned() }));
    }
    Ok(None)
}

fn github(env: &Environment) -> Result<Option<CiWord>, String> {
    let event_name = env.get("GITHUB_EVENT_NAME");
    if let (Some(name), Some(path)) = (event_name, env.path("GITHUB_EVENT_PATH")) {
        let event = read_event(&path)?;
        let at = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        let base = match name {
            "pull_request" | "pull_request_target" | "pull_request_review" => at("/pull_request/base/sha"),
            "merge_group" => at("/merge_group/base_sha"),
            // All zeros: the branch is new, and the default branch is what it is compared with.
            // What was pushed before to a branch of its own is as much its work as what is pushed now.
            "push" if is_other_branch(&event) => None,
            "push" => at("/before").filter(|before| before.bytes().any(|byte| byte != b'0')),
            _ => None,
        };
        if let Some(base) = base {
            let source = format!("the event file of {name}");
            return Ok(Some(CiWord { base: base.to_owned(), head: None, source }));
        }
        if matches!(name, "pull_request" | "pull_request_target" | "merge_group")
            && env.get("GITHUB_BASE_REF").is_none()
        {
            return Err(format!("the event file {} has no base commit for {name}", path.display()));
        }
    }
    let Some(branch) = env.get("GITHUB_BASE_REF") else { return Ok(None) };
    let base = format!("refs/remotes/origin/{}", branch.trim_start_matches("refs/heads/"));
    Ok(Some(CiWord { base, head: None, source: "GITHUB_BASE_REF".to_owned() }))
}

/// Whether a push event says that it is for another branch than the default one.
fn is_other_branch(event: &Value) -> bool {
    let at = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
    let default = at("/repository/default_branch").map(|branch| format!("refs/heads/{branch}"));
    matches!((at("/ref"), default), (Some(pushed), Some(default)) if pushed != default)
}

fn read_event(path: &Path) -> Result<Value, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("GITHUB_EVENT_PATH {}: {error}", path.display()))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("GITHUB_EVENT_PATH {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn github_event(name: &str, event: &str) -> Result<Option<CiWord>, String> {
        let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        std::fs::write(file.path(), event).map_err(|error| error.to_string())?;
        let path = file.path().display().to_string();
        word(&[("GITHUB_EVENT_NAME", name), ("GITHUB_EVENT_PATH", &path)].into_iter().collect())
    }

    #[test]
    fn github_events() {
        let base = |name, event| github_event(name, event).map(|word| word.map(|word| word.base));
        assert_eq!(base("pull_request", r#"{"pull_request":{"base":{"sha":"abc"}}}"#), Ok(Some("abc".into())));
        assert_eq!(base("merge_group", r#"{"merge_group":{"base_sha":"def"}}"#), Ok(Some("def".into())));
        assert_eq!(base("push", r#"{"before":"123"}"#), Ok(Some("123".into())));
        assert_eq!(base("push", r#"{"before":"0000"}"#), Ok(None));
        let pushed = |branch: &str| {
            format!(r#"{{"before":"123","ref":"refs/heads/{branch}","repository":{{"default_branch":"main"}}}}"#)
        };
        let (main, work) = (pushed("main"), pushed("work"));
        assert_eq!(base("push", &main), Ok(Some("123".into())));
        assert_eq!(base("push", &work), Ok(None));
        assert_eq!(base("schedule", "{}"), Ok(None));
        assert!(base("pull_request", "{}").is_err());
        assert!(base("pull_request", "{").is_err());
    }

    #[test]
    fn others() {
        let of = |name: &str, value: &str| {
            word(&[(name, value)].into_iter().collect()).map(|word| word.map(|word| word.base))
        };
        assert_eq!(of("GITHUB_BASE_REF", "main"), Ok(Some("refs/remotes/origin/main".into())));
        assert_eq!(of("CI_MERGE_REQUEST_DIFF_BASE_SHA", "abc"), Ok(Some("abc".into())));
        assert_eq!(of("PRE_COMMIT_FROM_REF", "abc"), Ok(Some("abc".into())));
        assert_eq!(of("CI", "true"), Ok(None));
    }
}
