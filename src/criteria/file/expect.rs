//! What a check expects: exit codes and texts.

use super::FileFault;
use super::node::{Fields, Node, Value};
use super::terms::Terms;
use crate::criteria::model::{ExitExpectation, Expectation, TextExpectation};

/// Keys of a text's expectation.
pub(super) const TEXT: &[&str] = &["contains", "not-contains", "matches"];

/// `expect` of a command.
pub(super) fn of_command(node: &Node, terms: &mut Terms) -> Result<Expectation, FileFault> {
    let fields = Fields::of(node, "`expect` of a command", &["exit", "stdout", "stderr"])?;
    let mut stream = |key: &str| match fields.get(key) {
        Some(node) => text(&Fields::of(node, &format!("`{key}`"), TEXT)?, terms),
        None => Ok(TextExpectation::default()),
    };
    let (stdout, stderr) = (stream("stdout")?, stream("stderr")?);
    let exit = fields.get("exit").map(exit).transpose()?.unwrap_or_default();
    if exit == ExitExpectation::Any && stdout.is_empty() && stderr.is_empty() {
        let message = "with `exit: any` something has to be expected of `stdout` or `stderr`, or nothing could fail";
        return Err(FileFault::at(fields.line_of("exit"), message));
    }
    Ok(Expectation { exit, stdout, stderr })
}

/// The codes a program can end with.
const CODES: std::ops::RangeInclusive<i64> = if cfg!(windows) { i32::MIN as i64..=u32::MAX as i64 } else { 0..=255 };

fn exit(node: &Node) -> Result<ExitExpectation, FileFault> {
    let codes = match &node.value {
        Value::Text(word) if word == "any" => return Ok(ExitExpectation::Any),
        Value::List(list) if !list.is_empty() => list.iter().map(code).collect::<Result<_, _>>()?,
        _ => vec![code(node)?],
    };
    Ok(ExitExpectation::OneOf(codes))
}

fn code(node: &Node) -> Result<i32, FileFault> {
    let Value::Int(code) = node.value else {
        return Err(node.fault("`exit` has to be a number such as 0, a list of numbers, or `any`"));
    };
    if !CODES.contains(&code) {
        let message =
            format!("`exit: {code}` can never happen: exit codes are from {} to {}", CODES.start(), CODES.end());
        return Err(node.fault(message));
    }
    // Windows' codes above that of a signed number are the negative ones of it.
    Ok(code as i32)
}

/// What some keys expect of a text; all of [`TEXT`] that are there.
pub(super) fn text(fields: &Fields<'_>, terms: &mut Terms) -> Result<TextExpectation, FileFault> {
    let list = |key: &str| fields.get(key).map_or_else(|| Ok(Vec::new()), |node| node.texts(key));
    let words = |key: &str| Ok(list(key)?.into_iter().map(|(_, text)| text).collect());
    let matches = list("matches")?;
    for (line, expression) in &matches {
        terms.expression(*line, expression)?;
    }
    let found = TextExpectation {
        contains: words("contains")?,
        not_contains: words("not-contains")?,
        matches: matches.into_iter().map(|(_, text)| text).collect(),
    };
    Ok(found)
}
