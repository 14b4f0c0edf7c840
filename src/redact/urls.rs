//! What a URL gives away: the password before the host, the path of a webhook, a signature.

use std::sync::LazyLock;

use regex::Regex;

use super::ordinary::{is_ordinary, is_placeholder};
use super::{Span, compiled};

/// What a line has to have.
pub const TRIGGERS: &[&str] =
    &["://", "hooks.slack.com/", "/api/webhooks/", ".webhook.office.com/", "sig=", "signature="];

/// Places of a secret in a URL: the first group.
const SECRETS: &[&str] = &[
    r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{6,})",
    r"discord(?:app)?\.com/api/webhooks/[0-9]+/([A-Za-z0-9_-]{16,})",
    r"\.webhook\.office\.com/webhookb2/([A-Za-z0-9@/_-]{20,})",
    r"(?i:[?&](?:sig|x-amz-signature|x-goog-signature)=)([A-Za-z0-9%+/=_-]{16,})",
];

static IN_URLS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| SECRETS.iter().filter_map(|pattern| compiled(&format!("(?-u:{pattern})"))).collect());

/// The start of what may be user and password.
static SCHEME: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(r"(?-u:[A-Za-z][A-Za-z0-9+.-]*)://"));

/// Schemes whose passwords are often written as they are, slashes too.
const STORES: &[&str] = &["postgres", "mysql", "mariadb", "mongodb", "redis", "rediss", "amqp", "mssql", "sqlserver"];

/// Longest user and password looked at.
const MAX_USERINFO: usize = 512;

/// Finds secrets of URLs in a line.
pub fn find(line: &str, spans: &mut Vec<Span>) {
    for pattern in IN_URLS.iter() {
        spans.extend(pattern.captures_iter(line).filter_map(|found| Some(found.get(1)?.range())));
    }
    let Some(scheme) = SCHEME.as_ref() else { return };
    for found in scheme.find_iter(line) {
        let word = found.as_str().to_ascii_lowercase();
        let is_store = STORES.iter().any(|store| word.starts_with(store));
        if let Some(span) = userinfo(line, found.end(), is_store) {
            spans.push(span);
        }
    }
}

/// The password of what begins at `start`, or the whole when there is but one word and it is no name.
fn userinfo(line: &str, start: usize, is_store: bool) -> Option<Span> {
    let mut at = None;
    for (offset, c) in line[start..].char_indices().take(MAX_USERINFO) {
        match c {
            '@' => at = Some(offset),
            '/' | '?' | '#' if !is_store => break,
            // The next URL of the line, or the path after the host.
            '/' if at.is_some() || line[start + offset..].starts_with("//") => break,
            '"' | '\'' | '`' | '<' | '>' | '\\' => break,
            c if c.is_whitespace() => break,
            _ => {}
        }
    }
    let info = &line[start..start + at?];
    match info.split_once(':') {
        Some((_, password)) => {
            let port = password.split('/').next().unwrap_or_default();
            let is_path = password.contains('/') && port.parse::<u16>().is_ok();
            let is_secret = !password.is_empty() && !is_path && !is_placeholder_of_url(password);
            is_secret.then(|| start + info.len() - password.len()..start + info.len())
        }
        None => (info.len() >= 16 && !info.contains('/') && !is_ordinary(info)).then(|| start..start + info.len()),
    }
}

/// Words such as `password` are passwords too, in a URL.
fn is_placeholder_of_url(password: &str) -> bool {
    is_placeholder(password) && password.starts_with(['$', '<', '{', '*', '%'])
}
