//! Tokens that their provider made recognisable.

use std::sync::LazyLock;

use regex::Regex;

use super::ordinary::is_ordinary;
use super::{Span, compiled};

/// A kind of token.
struct Token {
    /// What each of them has, for the first look.
    trigger: &'static str,
    /// The whole of it.
    pattern: &'static str,
}

const fn token(trigger: &'static str, pattern: &'static str) -> Token {
    Token { trigger, pattern }
}

/// All kinds: cloud providers, code hosts, registries, chat, payment, models, others.
const TOKENS: &[Token] = &[
    token("AKIA", r"AKIA[A-Z0-9]{12,}"),
    token("ASIA", r"ASIA[A-Z0-9]{12,}"),
    token("ABIA", r"ABIA[A-Z0-9]{12,}"),
    token("ACCA", r"ACCA[A-Z0-9]{12,}"),
    token("LTAI", r"LTAI[A-Za-z0-9]{12,}"),
    token("AIza", r"AIza[A-Za-z0-9_-]{20,}"),
    token("ya29.", r"ya29\.[A-Za-z0-9._-]{6,}"),
    token("GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{16,}"),
    token("1//0", r"1//0[A-Za-z0-9_-]{30,}"),
    token("dop_v1_", r"do[opr]_v1_[a-f0-9]{16,}"),
    token("doo_v1_", r"doo_v1_[a-f0-9]{16,}"),
    token("dor_v1_", r"dor_v1_[a-f0-9]{16,}"),
    token("ghp_", r"ghp_[A-Za-z0-9]{10,}"),
    token("gho_", r"gho_[A-Za-z0-9]{10,}"),
    token("ghu_", r"ghu_[A-Za-z0-9]{10,}"),
    token("ghs_", r"ghs_[A-Za-z0-9]{10,}"),
    token("ghr_", r"ghr_[A-Za-z0-9]{10,}"),
    token("github_pat_", r"github_pat_[A-Za-z0-9_]{10,}"),
    token("glpat-", r"glpat-[A-Za-z0-9_.-]{10,}"),
    token("gldt-", r"gldt-[A-Za-z0-9_-]{10,}"),
    token("glrt-", r"glrt-[A-Za-z0-9_.-]{10,}"),
    token("glcbt-", r"glcbt-[A-Za-z0-9_-]{10,}"),
    token("glptt-", r"glptt-[A-Za-z0-9_-]{10,}"),
    token("glsa_", r"glsa_[A-Za-z0-9_]{20,}"),
    token("ATATT3", r"ATATT3[A-Za-z0-9_=-]{20,}"),
    token("npm_", r"npm_[A-Za-z0-9]{20,}"),
    token("pypi-", r"pypi-(?:AgE[A-Za-z0-9_-]{8,}|[A-Za-z0-9_-]{40,})"),
    token("rubygems_", r"rubygems_[a-f0-9]{20,}"),
    token("dckr_pat_", r"dckr_pat_[A-Za-z0-9_-]{16,}"),
    token("xox", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{8,}"),
    token("xapp-", r"xapp-[0-9]-[A-Za-z0-9-]{8,}"),
    token(":AA", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}"),
    token("sk_", r"sk_(?:live|test|prod)_[A-Za-z0-9]{8,}"),
    token("rk_", r"rk_(?:live|test|prod)_[A-Za-z0-9]{8,}"),
    token("whsec_", r"whsec_[A-Za-z0-9+/=]{16,}"),
    token("sq0", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}"),
    token("shpat_", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}"),
    token("shpss_", r"shpss_[A-Fa-f0-9]{20,}"),
    token("sk-", r"sk-[A-Za-z0-9_-]{10,}"),
    token("hf_", r"hf_[A-Za-z0-9]{20,}"),
    token("gsk_", r"gsk_[A-Za-z0-9]{20,}"),
    token("xai-", r"xai-[A-Za-z0-9]{20,}"),
    token("nvapi-", r"nvapi-[A-Za-z0-9_-]{20,}"),
    token("SG.", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    token("hvs.", r"hv[sb]\.[A-Za-z0-9_-]{20,}"),
    token("hvb.", r"hvb\.[A-Za-z0-9_-]{20,}"),
    token("AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    token("sntrys_", r"sntrys_[A-Za-z0-9+/=_-]{20,}"),
    token("tskey-", r"tskey-[a-z]+-[A-Za-z0-9-]{16,}"),
    token("lin_api_", r"lin_api_[A-Za-z0-9]{20,}"),
    token("PMAK-", r"PMAK-[A-Za-z0-9-]{20,}"),
    // A JSON Web Token, signed or encrypted. With one part only it may be any data.
    token("eyJ", r"eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]+){1,4}\.?"),
];

/// What a line has to have.
pub const TRIGGERS: &[&str] = &{
    let mut words = [""; TOKENS.len()];
    let mut at = 0;
    while at < TOKENS.len() {
        words[at] = TOKENS[at].trigger;
        at += 1;
    }
    words
};

static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let patterns: Vec<&str> = TOKENS.iter().map(|token| token.pattern).collect();
    compiled(&format!(r"(?-u:\b(?:{}))", patterns.join("|")))
});

/// Finds tokens in a line.
pub fn find(line: &str, spans: &mut Vec<Span>) {
    let Some(any) = ANY.as_ref() else { return };
    // `sk-` begins names too, of style sheets' classes for one.
    spans.extend(any.find_iter(line).filter(|found| !is_ordinary(found.as_str())).map(|found| found.range()));
}
