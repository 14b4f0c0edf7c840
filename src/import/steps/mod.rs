//! The steps of a scenario, from a sentence in EARS or in Given, When, Then.

use std::sync::LazyLock;

use regex::Regex;

use self::clauses::{Clause, Cut, Role, cut};
use super::lines::{comments, marker, without_label};
use super::model::Step;
use super::short::{short, short_demand};
use crate::openspec::text::FenceTracker;

mod clauses;

/// The condition of a criterion that has none.
pub(super) const ALWAYS: &str = "at any time";

/// A criterion's sentence taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Taken {
    /// The whole sentence, on one line.
    pub sentence: String,
    /// A few words for a heading.
    pub name: String,
    /// Its steps: there is always a WHEN and a THEN.
    pub steps: Vec<Step>,
}

/// Takes a criterion apart. The first line is without the list's mark; those below may hold a list of their own.
pub(super) fn take(lines: &[String]) -> Taken {
    let (head, points) = parts(lines);
    let head = without_label(&head).to_owned();
    let sentence = one_line(&head);
    let cut = cut(&head);
    let mut steps = match () {
        () if cut.has(Role::Response) => of_clauses(&cut),
        () if !cut.clauses.is_empty() && cut.before.is_empty() => of_conditions(&cut, !points.is_empty()),
        () => of_demand(&sentence),
    };
    // A heading of its own, with the steps listed below.
    let is_headed = points.first().is_some_and(|point| begins_with_step(point)) && !cut.has(Role::Response);
    let mut name = if is_headed { short(sentence.trim_end_matches([':', '：'])) } else { name(&cut, &sentence) };
    if is_headed {
        steps.clear();
        if !cut.clauses.is_empty() {
            steps = conditions(&cut.clauses);
        }
    }
    if !points.is_empty() && steps.last().is_some_and(|step| step.keyword == "THEN" && step.text.is_empty()) {
        // THEN, and what follows stands in the list.
        steps.pop();
    }
    add_points(&mut steps, &points);
    complete(&mut steps, &sentence);
    if name.is_empty() {
        name = steps.iter().find(|step| !step.text.is_empty()).map(|step| short(&step.text)).unwrap_or_default();
    }
    let mut whole = sentence;
    for point in &points {
        whole.push(' ');
        whole.push_str(&one_line(point));
    }
    Taken { sentence: whole, name, steps }
}

/// Whether a text begins as a criterion does: with a keyword, or "THE … SHALL".
pub(super) fn begins_as_criterion(text: &str) -> bool {
    let cut = cut(text);
    let is_headed = cut.before.is_empty() && cut.clauses.first().is_some_and(|clause| clause.role != Role::More);
    is_headed && (cut.clauses.len() > 1 || modal(text).is_some())
}

/// Whether a text begins with a step that opens a scenario.
pub(super) fn opens(text: &str) -> bool {
    let cut = cut(text);
    cut.before.is_empty()
        && cut.clauses.first().is_some_and(|clause| matches!(clause.role, Role::Given | Role::Trigger | Role::State))
}

/// Whether a text begins with a step that goes on with one.
pub(super) fn goes_on(text: &str) -> bool {
    // Only behind an open clause is AND a keyword.
    let behind = cut(&format!("Given x\n{text}"));
    behind.clauses.get(1).is_some_and(|clause| matches!(clause.role, Role::Response | Role::More))
        && behind.clauses[0].text == "x"
}

/// Whether a text has a response.
pub(super) fn responds(text: &str) -> bool {
    cut(text).has(Role::Response)
}

fn begins_with_step(text: &str) -> bool {
    opens(text) || goes_on(text)
}

/// The words before the first entry of a list, and the entries. Code, comments and tables are in neither.
fn parts(lines: &[String]) -> (String, Vec<String>) {
    let mut head = String::new();
    let mut points: Vec<String> = Vec::new();
    let mut fences = FenceTracker::default();
    let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
    let comments = comments(&texts, |_| false);
    for (at, line) in lines.iter().enumerate() {
        if fences.feed(line) || comments[at] || line.trim().is_empty() || line.trim_start().starts_with('|') {
            continue;
        }
        if at > 0
            && let Some(found) = marker(line)
        {
            points.push(found.rest.to_owned());
            continue;
        }
        let target = points.last_mut().unwrap_or(&mut head);
        if !target.is_empty() {
            target.push('\n');
        }
        target.push_str(line.trim());
    }
    (head, points)
}

fn of_clauses(cut: &Cut) -> Vec<Step> {
    let at = cut.clauses.iter().position(|clause| clause.role == Role::Response).unwrap_or(cut.clauses.len());
    let mut steps = conditions(&cut.clauses[..at]);
    for clause in &cut.clauses[at..] {
        let keyword = match clause.role {
            Role::Given => "GIVEN",
            Role::State | Role::Trigger => "WHEN",
            Role::Response => "THEN",
            Role::More => "AND",
        };
        steps.push(Step { keyword, text: clause.text.clone() });
    }
    steps
}

/// What has to hold and to happen before the response. What holds all along comes first.
fn conditions(clauses: &[Clause]) -> Vec<Step> {
    let is_trigger = |clause: &Clause| clause.role == Role::Trigger;
    let has_given = clauses.iter().any(|clause| clause.role == Role::Given);
    // Nothing happens: the last state stands in for that.
    let stand_in = (!clauses.iter().any(is_trigger) && !has_given)
        .then(|| clauses.iter().rposition(|clause| clause.role == Role::State))
        .flatten();
    let mut states: Vec<Step> = Vec::new();
    let mut triggers: Vec<Step> = Vec::new();
    let mut is_after_trigger = false;
    for (at, clause) in clauses.iter().enumerate() {
        let happens = match clause.role {
            Role::Trigger => true,
            Role::More => is_after_trigger,
            _ => Some(at) == stand_in,
        };
        let target = if happens { &mut triggers } else { &mut states };
        let keyword = match (target.is_empty(), happens) {
            (true, true) => "WHEN",
            (true, false) => "GIVEN",
            (false, _) => "AND",
        };
        target.push(Step { keyword, text: clause.text.clone() });
        is_after_trigger = happens;
    }
    states.extend(triggers);
    states
}

/// A condition without THEN: the response begins at the comma before the demand, or at the one it is demanded of.
fn of_conditions(cut: &Cut, has_points: bool) -> Vec<Step> {
    let mut clauses = cut.clauses.clone();
    let Some(last) = clauses.last_mut() else { return Vec::new() };
    let Some(at) = response(&last.text) else {
        return if has_points { conditions(&clauses) } else { Vec::new() };
    };
    let text = last.text[at..].trim_start_matches([',', '，', '、', ' ']).to_owned();
    last.text = last.text[..at].trim_end_matches([',', '，', '、', ' ']).to_owned();
    let mut steps = conditions(&clauses);
    steps.push(Step { keyword: "THEN", text });
    steps
}

/// Where the response begins in a clause that holds both.
fn response(text: &str) -> Option<usize> {
    let Some(demand) = modal(text) else {
        // No demand: what follows the first pause is what happens.
        return text.find([',', '，']).filter(|at| *at > 0);
    };
    let before = &text[..demand];
    let pause = before.rmatch_indices([',', '，']).find(|(at, comma)| !before[at + comma.len()..].trim().is_empty());
    if let Some((at, _)) = pause {
        return Some(at);
    }
    SUBJECT.as_ref()?.find_iter(before).last().map(|found| found.start()).filter(|at| *at > 0)
}

static SUBJECT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\b(?:the|el|la|o|le|das|der|die|el\s+sistema)\s+[\w*`\[]|\b(?:system|sistema)\b|系统|系統|システム)",
    )
    .ok()
});

static MODAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:shall|must|should|will|deber[áa]n?|debe[n]?|dever[áa]|deve|doit|devra|muss|soll)\b",
        r"|应该|应当|应能|应|應該|應當|應|必须|必須|しなければならない|こと。"
    ))
    .ok()
});

/// Where a text says that something is demanded.
fn modal(text: &str) -> Option<usize> {
    MODAL.as_ref()?.find(text).map(|found| found.start())
}

static TRAILING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:\s|\*\*)(?:WHEN|IF|WHILE|WHENEVER|when|whenever|if|while)(?:\*\*)?\s+([^,;.]+)").ok()
});

/// A demand on its own: its condition, when one stands at the end, and the whole of it.
fn of_demand(sentence: &str) -> Vec<Step> {
    let start = modal(sentence).unwrap_or(0);
    let tail = sentence.get(start..).unwrap_or(sentence);
    let found = TRAILING.as_ref().and_then(|trailing| trailing.captures(tail)).and_then(|found| found.get(1));
    let condition = found.map(|found| found.as_str().trim().to_owned()).filter(|text| text.split(' ').count() > 1);
    // "whether or not if" in code and brackets is no condition.
    let condition = condition.filter(|text| text.matches(['(', '`', '"']).count() % 2 == 0 && !text.contains(')'));
    let when = condition.unwrap_or_else(|| ALWAYS.to_owned());
    let then = sentence.strip_suffix([':', '：']).map_or(sentence, str::trim_end);
    vec![Step { keyword: "WHEN", text: when }, Step { keyword: "THEN", text: then.to_owned() }]
}

/// Entries of a list below go on with the last step, unless they say what they are.
fn add_points(steps: &mut Vec<Step>, points: &[String]) {
    for point in points {
        let behind = cut(&format!("Given x\n{point}"));
        let opened = cut(point);
        let clauses = if opened.before.is_empty() && !opened.clauses.is_empty() {
            opened.clauses
        } else if behind.clauses.len() > 1 && behind.clauses[0].text == "x" {
            behind.clauses[1..].to_vec()
        } else {
            Vec::new()
        };
        let is_step = begins_with_step(point);
        if !is_step || clauses.is_empty() {
            let keyword = if steps.iter().any(|step| step.keyword == "THEN") { "AND" } else { "THEN" };
            steps.push(Step { keyword, text: one_line(point) });
            continue;
        }
        let has_response = steps.iter().any(|step| step.keyword == "THEN");
        for clause in clauses {
            let keyword = match clause.role {
                Role::Given | Role::State if has_response => "AND",
                Role::Trigger if has_response => "AND",
                Role::Given | Role::State => "GIVEN",
                Role::Trigger => "WHEN",
                Role::Response => "THEN",
                Role::More => "AND",
            };
            steps.push(Step { keyword, text: clause.text });
        }
    }
    // Two of a kind in a row are one and its continuation.
    for at in (1..steps.len()).rev() {
        let kind = |at: usize| steps[..=at].iter().rev().find(|step| step.keyword != "AND").map(|step| step.keyword);
        if steps[at].keyword != "AND" && kind(at - 1) == Some(steps[at].keyword) {
            steps[at].keyword = "AND";
        }
    }
}

/// Sees to it that there is a WHEN and a THEN, and that no step is empty.
fn complete(steps: &mut Vec<Step>, sentence: &str) {
    if steps.iter().any(|step| step.text.is_empty()) || !steps.iter().any(|step| step.keyword == "THEN") {
        *steps = of_demand(sentence);
    }
    if steps.first().is_some_and(|step| step.keyword == "AND") {
        steps[0].keyword = "GIVEN";
    }
    if !steps.iter().any(|step| step.keyword == "WHEN") {
        let then = steps.iter().position(|step| step.keyword == "THEN").unwrap_or(0);
        steps.insert(then, Step { keyword: "WHEN", text: ALWAYS.to_owned() });
    }
}

/// A title: the words before the steps, else what happens, else what is demanded.
fn name(cut: &Cut, sentence: &str) -> String {
    if !cut.before.is_empty() && !cut.clauses.is_empty() && cut.before.chars().count() <= 80 && cut.clauses.len() > 1 {
        return short(cut.before.trim_end_matches(['*', ':', '：', '-', '–', '—', ' ']));
    }
    let happens = cut.clauses.iter().find(|clause| clause.role == Role::Trigger);
    let holds = cut.clauses.iter().find(|clause| clause.role == Role::State);
    match happens.or(holds).filter(|_| cut.before.is_empty()) {
        Some(clause) => {
            let end = if cut.has(Role::Response) { None } else { response(&clause.text) };
            short(&clause.text[..end.unwrap_or(clause.text.len())])
        }
        None => short_demand(sentence),
    }
}

/// A text with single blanks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
