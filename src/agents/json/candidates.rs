//! Which elements of a list are ours, and which of them stands for what we would write.

use jsonc_parser::ast::{Array, Value as Node};
use serde_json::Value;

use super::command;
use super::document::plain;

/// Keys under which clients have the command of a handler.
const COMMANDS: [&str; 3] = ["command", "bash", "powershell"];

/// Key of the handlers of a group.
const HANDLERS: &str = "hooks";

/// An element of ours, or a handler of ours in a group with handlers of others.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    /// Index of the element.
    pub element: usize,
    /// Index of the handler in the element, when the rest of it is not ours.
    pub handler: Option<usize>,
    value: Value,
}

/// How candidates stand for what we would write.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Chosen {
    /// For each that we would write: the candidate that stands for it, and whether it is the same.
    pub taken: Vec<Option<(Candidate, bool)>>,
    /// Those that say the same once more.
    pub doubles: Vec<Candidate>,
}

/// The commands of a handler.
fn commands(value: &Value) -> impl Iterator<Item = &str> {
    let places = [Some(value), value.get("action")];
    let found = COMMANDS.iter().flat_map(move |key| places.map(|place| place.and_then(|place| place.get(key))));
    found.flatten().filter_map(Value::as_str)
}

/// Whether a handler is ours: each of its commands is one that we write.
fn is_handler(value: &Value) -> bool {
    let mut found = commands(value).peekable();
    found.peek().is_some() && found.all(command::is_ours)
}

/// Whether a handler of somebody else calls us as the handlers of an element of ours do.
fn is_by_hand(value: &Value, element: &Value) -> bool {
    let handlers = handlers(element).map_or(std::slice::from_ref(element), Vec::as_slice);
    let mut wanted = handlers.iter().flat_map(commands).filter_map(command::call);
    !is_handler(value) && wanted.any(|call| commands(value).any(|theirs| command::calls(theirs, call)))
}

/// Whether somebody else's element of a list stands for one of ours: for the same tools, with a command around our call.
pub(super) fn has_by_hand(array: &Array<'_>, element: &Value) -> bool {
    array.elements.iter().map(plain).any(|theirs| {
        let is_alike = ["matcher", "trigger"].iter().all(|key| theirs.get(key) == element.get(key));
        let handlers = handlers(&theirs).map_or(std::slice::from_ref(&theirs), Vec::as_slice);
        is_alike && handlers.iter().any(|handler| is_by_hand(handler, element))
    })
}

fn handlers(element: &Value) -> Option<&Vec<Value>> {
    element.get(HANDLERS).and_then(Value::as_array)
}

/// All of ours in a list.
pub(super) fn of(array: &Array<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (element, node) in array.elements.iter().enumerate() {
        let value = plain(node);
        let Some(handlers) = handlers(&value).filter(|_| !is_handler(&value)) else {
            if is_handler(&value) {
                found.push(Candidate { element, handler: None, value });
            }
            continue;
        };
        let ours: Vec<usize> = (0..handlers.len()).filter(|index| is_handler(&handlers[*index])).collect();
        if !ours.is_empty() && ours.len() == handlers.len() {
            found.push(Candidate { element, handler: None, value });
            continue;
        }
        let handler = |index: &usize| Candidate { element, handler: Some(*index), value: handlers[*index].clone() };
        found.extend(ours.iter().map(handler));
    }
    found
}

/// The list of handlers of a group, by the index of the element.
pub(super) fn group<'o, 'a>(array: &'o Array<'a>, element: usize) -> Option<&'o Array<'a>> {
    let Some(Node::Object(object)) = array.elements.get(element) else { return None };
    object.properties.iter().rev().find(|property| property.name.as_str() == HANDLERS)?.value.as_array()
}

impl Candidate {
    /// What would stand in its place.
    pub fn wanted<'v>(&self, element: &'v Value) -> &'v Value {
        self.handler.and(handlers(element)).and_then(|handlers| handlers.first()).unwrap_or(element)
    }

    fn is_same(&self, element: &Value) -> bool {
        self.value == *self.wanted(element)
    }

    /// Whether it is for the same event and the same tools.
    fn is_alike(&self, element: &Value) -> bool {
        self.is_for(element) && (self.handler.is_some() || self.value.get("matcher") == element.get("matcher"))
    }

    /// Whether it is for the same event: where one list holds all of them, it is named in the element.
    fn is_for(&self, element: &Value) -> bool {
        self.handler.is_some() || self.value.get("trigger") == element.get("trigger")
    }
}

/// Ties candidates to what we would write: the same one, else one for the same tools, else any for that event.
pub(super) fn choose(mut candidates: Vec<Candidate>, wanted: &[Value]) -> Chosen {
    let mut chosen = Chosen::default();
    for element in wanted {
        let mut take =
            |is_it: &dyn Fn(&Candidate) -> bool| candidates.iter().position(is_it).map(|at| candidates.remove(at));
        let same = take(&|it| it.is_same(element)).map(|it| (it, true));
        let mut other = || take(&|it| it.is_alike(element)).or_else(|| take(&|it| it.is_for(element)));
        chosen.taken.push(same.or_else(|| other().map(|it| (it, false))));
    }
    // Somebody may want us to look at further tools: that is no double.
    chosen.doubles = candidates.into_iter().filter(|it| wanted.iter().any(|element| it.is_alike(element))).collect();
    chosen
}

/// Whether a handler of ours is anywhere in a value.
pub(super) fn is_any(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(is_any),
        Value::Object(map) => is_handler(value) || map.values().any(is_any),
        _ => false,
    }
}

/// Names and commands of the handlers of ours in a value.
pub(super) fn names(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().flat_map(names).collect(),
        Value::Object(map) if is_handler(value) => {
            ["name", "command"].iter().filter_map(|key| Some(map.get(*key)?.as_str()?.to_owned())).collect()
        }
        Value::Object(map) => map.values().flat_map(names).collect(),
        _ => Vec::new(),
    }
}
