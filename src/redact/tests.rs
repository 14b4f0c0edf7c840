use proptest::prelude::*;

use super::*;

/// A text with its secrets in `«»`: what is left, and how many there were.
#[track_caller]
fn check(marked: &str) {
    let text = marked.replace(['«', '»'], "");
    let mut expected = String::new();
    let mut parts = marked.split('«');
    expected.push_str(parts.next().unwrap());
    let mut count = 0;
    for part in parts {
        let (_, rest) = part.split_once('»').unwrap();
        expected.push_str(MARK);
        expected.push_str(rest);
        count += 1;
    }
    let redacted = redact(&text);
    assert_eq!((redacted.text.as_ref(), redacted.count), (expected.as_str(), count), "in {text}");
    assert_settled(&redacted.text);
}

#[track_caller]
fn assert_settled(text: &str) {
    let again = redact(text);
    assert_eq!((again.text.as_ref(), again.count, again.has_private_key), (text, 0, false));
}

/// So that no scanner of repositories takes the samples for secrets.
fn join(parts: &[&str]) -> String {
    parts.concat()
}

#[test]
fn every_pattern_compiles() {
    assert!(TRIGGERS.is_some());
    for line in ["AKIA", "Authorization: Basic YWxhZGRpbjpvcGVu", "https://u:p@h", "password=hunter2"] {
        _ = redact(line);
    }
    check("a https://u:«p»@h");
}

#[test]
fn provider_tokens() {
    for token in [
        ["AKIA", "IOSFODNN7EXAMPLE"],
        ["ASIA", "IOSFODNN7EXAMPLE"],
        ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"],
        ["gho_", "16C7e42F292c6912E7710c838347Ae178B4a"],
        ["ghs_", "16C7e42F292c6912E7710c838347Ae178B4a"],
        ["github_pat_", "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789"],
        ["glpat-", "a1B2c3D4e5F6g7H8i9J0"],
        ["xoxb-", "123456789012-abcdefGHIJKL"],
        ["xapp-", "1-A0123456789-abcdefghijk"],
        ["sk_", "live_4eC39HqLyjWDarjtT1zdp7dc"],
        ["rk_", "test_4eC39HqLyjWDarjtT1zdp7dc"],
        ["AIza", "SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY"],
        ["ya29.", "a0AfH6SMBx-abcdef_12345"],
        ["npm_", "abcdefghijklmnopqrstuvwxyz0123456789"],
        ["pypi-", "AgEIcHlwaS5vcmcCJDAwMDAwMDAw"],
        ["sk-", "abcdefghij1234567890"],
        ["sk-ant-", "api03-abcdefghij1234567890_-x"],
        ["eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"],
    ] {
        let token = token.concat();
        check(&format!("before «{token}» after"));
        check(&format!("x (\"«{token}»\")"));
        check(&format!("first\nline=«{token}»\n"));
    }
}

#[test]
fn webhooks_and_urls() {
    check(&join(&["https://hooks.slack", ".com/services/«T00000000/B00000000/XXXXabcdXXXX»"]));
    check("postgres://app:«s3cr3t»@db:5432/main");
    check("postgres://app:«s3/cr@3t»@db:5432/main");
    check("mongodb+srv://root:«pw»@cluster0.example.net/x?y=z");
    check("redis://:«hunter2»@localhost:6379");
    check("git clone https://user:«p@ss»@example.com/x.git");
    check("https://«a1b2c3d4e5f6a7b8c9d0»@example.com/x");
    for kept in [
        "ssh://git@github.com/a/b",
        "http://localhost:8080/@scope/name",
        "postgres://localhost:5432/a@b",
        "https://example.com/a?b=c@d",
        "https://user:${PASSWORD}@example.com",
    ] {
        check(kept);
    }
}

#[test]
fn headers() {
    check("Authorization: Bearer «abc.def-123»");
    check("authorization: Basic «QWxhZGRpbjpvcGVu»");
    check(r#""Authorization": "Bearer «whatever»","#);
    check("curl -H 'Authorization: token «abcd1234»' x");
    check("got Bearer «a1b2c3d4e5f6» back");
    check("Cookie: sid=«abcdef; theme=dark»");
    check("machine example.com login me password «hunter»");
    check("curl -s -u me:«hunter2» https://example.com");
    check("docker login -u me -p «hunter2» example.com");
    check("<db.password>«hunter2»</db.password>");
    check("bearer authentication is off");
    check("Authorization: required");
    check("Authorization: Bearer <token>");
}

#[test]
fn named_values() {
    for line in [
        "aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»",
        "aws_session_token=«abcd»",
        "DB_PASSWORD=«p@$$w0rd!»",
        "export MYSQL_PASS='«it is four words»'",
        "passwd=«abcd»",
        "pwd: «hunter2»",
        "password: «letmein»",
        "  password: «letmein» # for now",
        "- password: \"«a \\\" b»\"",
        "{\"password\": \"«x y z»\", \"user\": \"me\"}",
        "{\"clientSecret\":\"«abcd»\"}",
        r#"{\"token\":\"«abcd»\"}"#,
        "token: «a1b2c3d4e5»",
        "api-key: «k3y-value»",
        "X-Api-Key: «0123abcd»",
        "secret := «q1w2e3r4»",
        "let secret = \"«implementation»\";",
        "--password=«hunter2»",
        "run --token «abcd1234» --verbose",
        "run --password «hunter» --verbose",
        "https://example.com/cb?access_token=«abcdef»&state=1",
        "Server=db;User Id=sa;Password=«p;wd!»;Encrypt=true",
        "AccountKey=«abcd+/==»;EndpointSuffix=core",
        "password=«$ecret1»",
        "passphrase: «correct horse battery staple»",
        "private key = «a1b2c3»",
        "TOKEN_2=«abcd»",
        "SECRET_KEY_BASE=«abcd»",
        "password: '«it''s»'",
        "\"Server=x;Password=«abc1»;\"",
        "if password == \"«hunter2»\" {",
        "signing: auth=«3f2a9c1b7d5e8f60a4b2c9d1»",
        "master_key: «3f2a9c1b7d5e8f60a4b2c9d1»",
        "secret: «pässwörd1»",
        "password=«aaaa»,token=«bbbb»",
        "(password=«hunter2)»",
    ] {
        check(line);
    }
}

#[test]
fn ordinary_words_stay() {
    for line in [
        "token: documentation/README.md",
        "the secret: implementation",
        "token count: 5",
        "token_count: 50000",
        "max_tokens=4096",
        "password: required",
        "password: must be longer",
        "error: expected token: identifier",
        "unexpected token: \"identifier\"",
        "error: unexpected token: 1234",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt",
        "cache_key: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "key: 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "let token = parser.next_token();",
        "token: Option<String>,",
        "password: String,",
        "pub password: String,",
        "Token::Ident(x)",
        "assert token == \"identifier\"",
        "test secret::tests::wrong_token ... FAILED",
        "PWD=/home/me/project",
        "--token TOKEN  the token",
        "--token was not given",
        "password=${DB_PASSWORD}",
        "password=$DB_PASSWORD",
        "token: ${{ secrets.TOKEN }}",
        "--password <PASSWORD>",
        "password: ********",
        "the tokenizer: words and numbers",
        "class sk-loading-indicator",
        "the password is wrong",
        "password: [REDACTED]",
    ] {
        check(line);
    }
}

/// Assembled, so that this file holds no key.
fn armour(word: &str, kind: &str) -> String {
    format!("-----{word} {kind}PRIVATE KEY-----")
}

#[test]
fn private_keys() {
    let (begin, end) = (armour("BEGIN", "RSA "), armour("END", "RSA "));
    let line = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF0a1b2c3d4e5f6g7h8i9j0k1l2m3";
    for (text, lines) in [
        (format!("a\n{begin}\n{line}\n{line}\nQw==\n{end}\nb\n"), 3),
        (format!("{begin}\r\n{line}\r\nQw==\r\n{end}\r\nb\r\n"), 2),
        // Cut: before its last line, in its first, before its beginning.
        (format!("a\n{begin}\n{line}\n{line}\n"), 2),
        (format!("a\n{begin}\nMIIE"), 1),
        (format!("{line}\n{line}\n{end}\nb\n"), 2),
        (format!("{begin}\n{line}\n… 12 bytes left out …\n{line}\n{end}\n"), 2),
        (format!("{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{line}\n{end}\n"), 1),
        (format!("+{begin}\n+{line}\n+{line}\n+{end}\n"), 2),
        (format!("12:00 {begin}\n12:01 INFO {line}\n12:02 {end}\n"), 1),
        (format!("{{\"k\": \"{begin}\\n{line}\\n{end}\\n\"}}"), 1),
        (format!("K={begin} {line} {end}"), 1),
    ] {
        let redacted = redact(&text);
        assert!(redacted.has_private_key && redacted.count >= 1, "{text}");
        assert!(!redacted.text.contains("MIIE") && !redacted.text.contains("Qw=="), "{}", redacted.text);
        assert_eq!(redacted.text.matches(MARK).count(), lines, "{}", redacted.text);
        assert_eq!(redacted.text.lines().count(), text.lines().count());
        assert_settled(&redacted.text);
    }
    let pgp = text_of_pgp(line);
    let redacted = redact(&pgp);
    assert!(redacted.has_private_key && !redacted.text.contains(line), "{}", redacted.text);
    let openssh = redact("key b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n").into_text();
    assert_eq!(openssh, "key [REDACTED]\n");
    for kept in [
        format!("if line.starts_with(\"{begin}\") {{\n    start = true;\n}}\n"),
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----\n".to_owned(),
    ] {
        let redacted = redact(&kept);
        assert_eq!((redacted.text.as_ref(), redacted.count, redacted.has_private_key), (kept.as_str(), 0, false));
    }
}

fn text_of_pgp(line: &str) -> String {
    let armour = |word: &str| format!("-----{word} PGP {}-----", "PRIVATE KEY BLOCK");
    format!("{}\nVersion: 1\n\n{line}\n{line}\n=aBcD\n{}\n", armour("BEGIN"), armour("END"))
}

impl Redacted<'_> {
    fn into_text(self) -> String {
        self.text.into_owned()
    }
}

#[test]
fn block_texts_of_yaml() {
    check("a:\n  client_secret: |\n    «one two»\n  b: c\n");
    check("password: >-\n  «correct horse»\n\nnext: 1\n");
}

#[test]
fn text_without_secrets_is_not_copied() {
    for text in ["", "nothing here\nat all\n", "token count: 5", "PRIVATE KEY | >"] {
        assert!(matches!(redact(text).text, Cow::Borrowed(_)), "{text}");
    }
}

/// Pieces that make what is near a secret likely.
fn piece() -> impl Strategy<Value = String> {
    let (begin, end) = (armour("BEGIN", ""), armour("END", "OPENSSH "));
    let fixed = [
        "password",
        "token",
        "secret",
        "key",
        "pwd",
        "--",
        "=",
        ": ",
        ":",
        "\"",
        "'",
        "\\",
        " ",
        "\n",
        "\r\n",
        "://",
        "@",
        "/",
        "&",
        ";",
        ",",
        "|\n  ",
        "ghp_0123456789abcdef",
        "AKIA0123456789ABCDEF",
        "sk-abc1234567890",
        "Bearer ",
        "Authorization: ",
        "Cookie: a=",
        "eyJhbGciOi.eyJhbGciOi.x",
        MARK,
        "[REDACTED",
        "REDACTED]",
        "ä",
        "MIIEpAIBAAKCAQEA0Z3VS5JJ",
        "postgres",
        "passphrase",
        "\u{2028}",
        "${",
        "}",
        "<",
        ">",
        "-----",
    ];
    let fixed: Vec<String> = fixed.iter().map(|&piece| piece.to_owned()).chain([begin, end]).collect();
    prop_oneof![4 => proptest::sample::select(fixed), 1 => "[ -~äö\n]{0,12}"]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redacting_again_changes_nothing(pieces in proptest::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        let redacted = redact(&text);
        prop_assert_eq!(redacted.text.matches('\n').count(), text.matches('\n').count());
        prop_assert_eq!(redacted.count == 0, redacted.text == text);
        let again = redact(&redacted.text);
        prop_assert_eq!((again.text.as_ref(), again.count), (redacted.text.as_ref(), 0));
    }

    #[test]
    fn assigned_passwords_never_stay(password in "[A-Za-z0-9!#%&*+?@^~|]{4,40}", name in "(DB_)?(PASSWORD|password|Passwd)") {
        prop_assume!(!ordinary::is_placeholder(&password));
        for text in [format!("{name}={password}"), format!("\"{name}\": \"{password}\""), format!("--{name}='{password}'")] {
            let redacted = redact(&text);
            prop_assert!(redacted.count == 1 && !redacted.text.contains(&password), "{} -> {}", text, redacted.text);
        }
    }
}
