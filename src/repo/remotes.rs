//! What a repository is set up to fetch from and push to.

use std::fs;
use std::path::Path;

/// Remotes with the places they stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Remotes(Vec<(String, Vec<String>)>);

impl Remotes {
    /// What the configuration says.
    pub(super) fn of(config: &gix::config::Snapshot<'_>) -> Self {
        let mut remotes: Vec<(String, Vec<String>)> = Vec::new();
        for section in config.plumbing().sections_by_name("remote").into_iter().flatten() {
            let Some(name) = section.header().subsection_name() else { continue };
            let places = ["url", "pushurl"].iter().flat_map(|key| section.values(key));
            remotes.push((name.to_string(), places.map(|place| place.to_string()).collect()));
        }
        Self(remotes)
    }

    /// Names of all remotes that are where a push goes, by the name or place that git calls it: one place may have several
    /// names, or be named by itself. `top` is where places are looked for that are relative.
    pub(super) fn alike(&self, remote: &str, place: Option<&str>, top: Option<&Path>) -> Vec<String> {
        let given = [Some(remote), place].into_iter().flatten();
        let own =
            self.0.iter().filter(|(name, _)| name == remote).flat_map(|(_, places)| places.iter().map(String::as_str));
        let places: Vec<String> = given.chain(own).map(|place| plain(place, top)).collect();
        let is_there = |place: &String| places.contains(&plain(place, top));
        let others = self.0.iter().filter(|(name, of)| name != remote && of.iter().any(is_there));
        std::iter::once(remote).chain(others.map(|(name, _)| name.as_str())).map(str::to_owned).collect()
    }
}

/// A place without what makes no difference.
fn plain(place: &str, top: Option<&Path>) -> String {
    let path = place.strip_prefix("file://").unwrap_or(place);
    if let Some(path) = top.and_then(|top| fs::canonicalize(top.join(path)).ok()) {
        return path.display().to_string();
    }
    let path = path.trim_end_matches('/');
    path.strip_suffix(".git").unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_with_several_names() {
        let remote =
            |name: &str, places: &[&str]| (name.to_owned(), places.iter().map(|&place| place.to_owned()).collect());
        let remotes = Remotes(vec![
            remote("origin", &["https://host/a.git", "git@host:a"]),
            remote("same", &["https://host/a/"]),
            remote("fork", &["https://host/b"]),
        ]);
        let alike = |remote: &str, place: Option<&str>| remotes.alike(remote, place, None);
        assert_eq!(alike("same", Some("https://host/a/")), ["same", "origin"]);
        assert_eq!(alike("git@host:a.git", None), ["git@host:a.git", "origin"]);
        assert_eq!(alike("fork", Some("https://host/b")), ["fork"]);
    }
}
