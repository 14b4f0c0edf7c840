//! How a text is laid out, and values in that layout.

use serde_json::Value;

/// Indentation where a text says nothing of it.
const UNIT: &str = "  ";

/// How a text is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// `\n` or `\r\n`, as the first line ends.
    pub newline: &'static str,
    /// What one level is indented by.
    pub unit: String,
}

impl Layout {
    /// The layout of a text whose first property begins somewhere.
    pub fn of(text: &str, first: Option<usize>) -> Self {
        let unit = first.filter(|first| is_first_on_line(text, *first)).map_or("", |first| indent_at(text, first));
        Self { newline: newline_of(text), unit: if unit.is_empty() { UNIT } else { unit }.to_owned() }
    }
}

/// How the first line of a text ends.
pub(in crate::agents) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The blanks the line of an offset begins with.
pub(super) fn indent_at(text: &str, offset: usize) -> &str {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[start..offset];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether only blanks stand before an offset on its line, which is not the first.
fn is_first_on_line(text: &str, offset: usize) -> bool {
    text[..offset].trim_end_matches([' ', '\t']).ends_with('\n')
}

/// A value on one line or on many, whose first line stands behind an indent.
pub(super) fn render(value: &Value, layout: &Layout, indent: &str, is_wide: bool) -> String {
    let mut text = String::new();
    if is_wide {
        wide(value, layout, indent, &mut text)
    } else {
        text.push_str(&value.to_string())
    }
    text
}

fn wide(value: &Value, layout: &Layout, indent: &str, text: &mut String) {
    let inner = format!("{indent}{}", layout.unit);
    let begin = |text: &mut String, at: usize| {
        text.push_str(if at == 0 { "" } else { "," });
        text.push_str(layout.newline);
        text.push_str(&inner);
    };
    match value {
        Value::Object(map) if !map.is_empty() => {
            text.push('{');
            for (at, (key, value)) in map.iter().enumerate() {
                begin(text, at);
                text.push_str(&format!("{}: ", Value::from(key.as_str())));
                wide(value, layout, &inner, text);
            }
            text.push_str(&format!("{}{indent}}}", layout.newline));
        }
        Value::Array(list) if !list.is_empty() => {
            text.push('[');
            for (at, value) in list.iter().enumerate() {
                begin(text, at);
                wide(value, layout, &inner, text);
            }
            text.push_str(&format!("{}{indent}]", layout.newline));
        }
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_in_a_layout() {
        let layout = Layout { newline: "\r\n", unit: "\t".to_owned() };
        let value = json!({ "a": [1, { "b": "x" }], "c": {}, "d": [] });
        assert_eq!(render(&value, &layout, "", false), r#"{"a":[1,{"b":"x"}],"c":{},"d":[]}"#);
        let wide = "{\r\n\t\t\"a\": [\r\n\t\t\t1,\r\n\t\t\t{\r\n\t\t\t\t\"b\": \"x\"\r\n\t\t\t}\r\n\t\t],\r\n\t\t\"c\": {},\r\n\t\t\"d\": []\r\n\t}";
        assert_eq!(render(&value, &layout, "\t", true), wide);
    }

    #[test]
    fn the_layout_of_a_text() {
        assert_eq!(Layout::of("{\r\n   \"a\": 1\n}", Some(6)), Layout { newline: "\r\n", unit: "   ".to_owned() });
        assert_eq!(Layout::of("{\"a\": 1}", Some(1)), Layout { newline: "\n", unit: "  ".to_owned() });
        assert_eq!(Layout::of("{\n\"a\": 1}", Some(2)), Layout { newline: "\n", unit: "  ".to_owned() });
    }
}
