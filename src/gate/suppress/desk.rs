//! Takes what lets findings through, holds it against the findings, and reports what is wrong with it.

use std::collections::{BTreeMap, HashSet};

use super::permit::{Owner, Permit, Reach, Source};
use super::{FileComments, Ground, can_be_let_through, refusal};
use crate::config::{self, Config, suggestion};
use crate::gate::judge;
use crate::gate::work::Judged;
use crate::openspec::allow::Allowance;
use crate::openspec::project::Project;
use crate::openspec::text::Text;
use crate::repo::snapshot::join;
use crate::report::{Finding, Item, ItemKind, Level, Suppressed, display_path, shown_line};
use crate::rules::{self, Check, Place, Rule, Sink};

/// How a comment is written.
const COMMENT_FIX: &str =
    "write `<!-- specward: allow <rule> -- <reason> -->` on a line of its own directly before a heading";

/// How an entry is written.
const ENTRY_FIX: &str = "give it `rule`, `reason`, `expires: YYYY-MM-DD`, and `path` or `item` where it is not for all";

/// Rules that find nothing unless base and head are compared, though they look at items as others do.
const NEEDS_HISTORY: &[&str] = &[rules::merge::stale_base::RULE.id];

/// Permits, and what there is to say about them.
pub(super) struct Desk<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) permits: Vec<Permit>,
    pub(super) reports: Vec<(Source, &'static Rule, String, &'static str)>,
}

impl Desk<'_> {
    pub(super) fn take_comments(&mut self, file: FileComments, owner: Option<usize>) {
        let path = display_path(file.path.as_ref());
        let source = |line: usize| Source {
            path: file.path.clone(),
            line,
            shown: file.lines.get(&line).cloned(),
            owner: owner.map_or(Owner::Nobody, Owner::Judged),
        };
        for malformed in file.comments.malformed {
            self.report(source(malformed.line), &rules::suppress::malformed::RULE, malformed.message, COMMENT_FIX);
        }
        for Allowance { line, rules, reason, covers } in file.comments.allowances {
            for name in rules {
                if let Some(rule) = self.allowable(&name, source(line), COMMENT_FIX) {
                    let scope = Reach::Lines { path: path.clone(), lines: covers.clone() };
                    self.permits.push(Permit {
                        rule,
                        scope,
                        reason: reason.clone(),
                        source: source(line),
                        expired: None,
                        used: false,
                        refused: false,
                    });
                }
            }
        }
    }

    /// Comments in files of other items that findings stand in.
    pub(super) fn take_foreign_comments(&mut self, judged: &[Judged]) {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut files = Vec::new();
        for one in judged {
            let is_own = |path: &str| {
                path.strip_prefix(&*one.place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            for finding in one.findings.iter().filter(|finding| !is_own(&finding.path)) {
                if can_be_let_through(finding) && finding.path.ends_with(".md") && seen.insert(&finding.path) {
                    files.push(finding.path.as_str());
                }
            }
        }
        if files.is_empty() {
            return;
        }
        // Those of judged items are known.
        let known: HashSet<&str> = judged.iter().map(|one| &*one.place).collect();
        for path in files.into_iter().filter(|path| !is_at_or_below_any(path, &known)) {
            let Ok(bytes) = self.ground.head.read(path.into()) else { continue };
            if let Some(file) = FileComments::of(path.into(), &Text::from_bytes(bytes)) {
                self.take_comments(file, None);
            }
        }
    }

    pub(super) fn take_entries(&mut self) {
        let ground = self.ground;
        for (index, (project, config)) in ground.projects.iter().zip(ground.configs).enumerate() {
            if config.allow.is_empty() {
                continue;
            }
            let path = join(project.folder(), config::FILE);
            let text = ground.head.read(path.as_ref()).map(Text::from_bytes).ok();
            let root = display_path(project.root());
            for entry in &config.allow {
                let line = entry.line.saturating_sub(1);
                let shown = text.as_ref().filter(|text| line < text.len()).map(|text| shown_line(text.line(line)));
                let source = Source { path: path.clone(), line, shown, owner: Owner::Config(index) };
                let allowed = match entry.read() {
                    Ok(allowed) => allowed,
                    Err(message) => {
                        self.report(source, &rules::suppress::malformed::RULE, message, ENTRY_FIX);
                        continue;
                    }
                };
                if let Some(rule) = self.allowable(&allowed.rule, source.clone(), ENTRY_FIX) {
                    self.permits.push(Permit {
                        rule,
                        scope: Reach::Items { root: root.clone(), paths: allowed.paths, item: allowed.item },
                        reason: allowed.reason,
                        source,
                        expired: Some(allowed.expires).filter(|expires| *expires < ground.today),
                        used: false,
                        refused: false,
                    });
                }
            }
        }
    }

    /// The rule of that name, when its findings can be allowed at all. Else it is reported.
    fn allowable(&mut self, name: &str, source: Source, fix: &'static str) -> Option<&'static Rule> {
        let Some(rule) = rules::find(name) else {
            let message = match rules::GROUPS.iter().any(|group| group.name == name) {
                true => format!("`{name}` is a group; only rules can be allowed"),
                false => format!("there is no rule `{name}`{}", suggestion(name)),
            };
            self.report(source, &rules::suppress::malformed::RULE, message, fix);
            return None;
        };
        match refusal(rule) {
            None => Some(rule),
            Some(reason) => {
                self.refuse(source, rule, reason);
                None
            }
        }
    }

    fn refuse(&mut self, source: Source, rule: &Rule, reason: &str) {
        let message = format!("`{}` cannot be allowed: {reason}", rule.id);
        self.report(source, &rules::suppress::refused::RULE, message, "mend what the rule reports and remove this");
    }

    fn report(&mut self, source: Source, rule: &'static Rule, message: String, fix: &'static str) {
        self.reports.push((source, rule, message, fix));
    }

    /// What lets a finding through, when something does.
    pub(super) fn permit(&mut self, finding: &Finding) -> Option<Suppressed> {
        for permit in self.permits.iter_mut().filter(|permit| permit.rule.id == finding.rule) {
            if !permit.scope.has(finding) {
                continue;
            }
            permit.used = true;
            if !can_be_let_through(finding) {
                permit.refused = true;
            } else if permit.expired.is_none() {
                return Some(Suppressed {
                    rule: finding.rule.to_owned(),
                    path: finding.path.clone(),
                    line: finding.line,
                    reason: permit.reason.clone(),
                    by: format!("{}:{}", display_path(permit.source.path.as_ref()), permit.source.line + 1),
                });
            }
        }
        None
    }

    /// Reports what let nothing through.
    pub(super) fn report_idle(&mut self, judged: &[Judged]) {
        for permit in std::mem::take(&mut self.permits) {
            let id = permit.rule.id;
            if permit.refused {
                self.refuse(permit.source, permit.rule, "what could not be checked is not known to be fine");
            } else if let Some(day) = permit.expired {
                if permit.used || self.ground.is_whole {
                    let message = format!("this entry for `{id}` expired on {day}; what it allowed is reported again");
                    let fix = "mend what it allowed and remove it, or give it a new day and reason";
                    self.report(permit.source, &rules::suppress::expired::RULE, message, fix);
                }
            } else if !permit.used && self.can_tell_idle(&permit, judged) {
                let message = format!("there is nothing of `{id}` that this allows");
                let fix = "remove it, or put it where the finding is";
                self.report(permit.source, &rules::suppress::unused::RULE, message, fix);
            }
        }
    }

    /// Whether everything was judged that the rule could have found something in.
    fn can_tell_idle(&self, permit: &Permit, judged: &[Judged]) -> bool {
        let owner = match permit.source.owner {
            Owner::Judged(index) => judged.get(index),
            Owner::Config(_) => None,
            Owner::Nobody => return false,
        };
        match permit.rule.check {
            _ if NEEDS_HISTORY.contains(&permit.rule.id) => false,
            // Only the comparison that has the edit could tell.
            Check::Diff(_) | Check::SpecDiff(_) | Check::Archive(_) => false,
            // Those are found by `lint`.
            Check::Quality(_) => false,
            // Not run where something else is wrong.
            Check::DryRun(_) | Check::Merge(_)
                if owner.is_some_and(|owner| owner.findings.iter().any(|finding| finding.level == Level::Error)) =>
            {
                false
            }
            _ if self.ground.is_whole => true,
            // Other items may have findings in a main spec.
            Check::Spec(_) => owner.is_some(),
            _ => owner.is_some_and(|owner| owner.item.item.kind == ItemKind::Change),
        }
    }

    /// Adds the reports about comments to the findings of the items these stand in.
    pub(super) fn report_comments(&mut self, lists: &mut [(&Item, &mut Vec<Finding>)]) {
        for (source, rule, message, fix) in std::mem::take(&mut self.reports) {
            let Owner::Judged(index) = source.owner else { continue };
            let Some((item, list)) = lists.get_mut(index) else { continue };
            let place = Place { file: source.path.as_ref(), line: source.line, anchor: "file", text: None };
            Sink::new(rule, item, source.path.as_ref(), None, list)
                .report_at(place, message, fix)
                .show(source.shown.as_deref());
        }
    }

    /// Adds the reports to the items they belong to.
    pub(super) fn deliver(&mut self, judged: &mut Vec<Judged>) {
        let ground = self.ground;
        let mut by_config: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
        let mut touched: Vec<usize> = Vec::new();
        for (source, rule, message, fix) in std::mem::take(&mut self.reports) {
            let place = Place { file: source.path.as_ref(), line: source.line, anchor: "file", text: None };
            let report = |item: &Item, findings: &mut Vec<Finding>| {
                let mut sink = Sink::new(rule, item, source.path.as_ref(), None, findings);
                sink.report_at(place, message.as_str(), fix).show(source.shown.as_deref());
            };
            match source.owner {
                Owner::Judged(index) => {
                    let Some(one) = judged.get_mut(index) else { continue };
                    report(&one.item.item.clone(), &mut one.findings);
                    touched.push(index);
                }
                Owner::Config(index) => {
                    let item = Item::new(ground.projects[index].root(), ItemKind::Project, "allowed findings");
                    report(&item, by_config.entry(index).or_default());
                }
                Owner::Nobody => {}
            }
        }
        touched.sort_unstable();
        touched.dedup();
        for index in touched {
            let one = &mut judged[index];
            config_of(ground, &one.item.item).apply(&mut one.findings);
            one.findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
            one.item.verdict = judge::verdict(&one.findings, ground.strict);
        }
        // Where nothing else was judged this must not look like something that was.
        if judged.is_empty() && ground.is_whole {
            return;
        }
        for (index, mut findings) in by_config {
            ground.configs[index].apply(&mut findings);
            if let Some(first) = findings.first() {
                let (item, title) = (first.item.clone(), "findings the configuration allows".to_owned());
                judged.push(Judged::without_scenarios(item, title, findings, ground.strict));
            }
        }
    }
}

fn config_of<'a>(ground: &Ground<'a>, item: &Item) -> &'a Config {
    static NONE: std::sync::LazyLock<Config> = std::sync::LazyLock::new(Config::default);
    let is_its = |project: &Project<'_>| display_path(project.root()) == *item.root;
    let index = ground.projects.iter().position(is_its);
    index.and_then(|index| ground.configs.get(index)).unwrap_or(&NONE)
}

fn is_at_or_below_any(path: &str, places: &HashSet<&str>) -> bool {
    let mut rest = path;
    loop {
        if places.contains(rest) {
            return true;
        }
        match rest.rfind('/') {
            Some(at) => rest = &rest[..at],
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let places = HashSet::from(["a/b", "c.md"]);
        assert!(is_at_or_below_any("a/b/c", &places) && is_at_or_below_any("c.md", &places));
        assert!(!is_at_or_below_any("a/bc", &places) && !is_at_or_below_any("", &places));
    }
}
