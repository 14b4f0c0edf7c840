//! Names of runs: `20261201T022418Z-1a2b3c4d`, so that names in order are runs in order of time.

/// The name of a run. Of one shape, so none leads out of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

/// What stands in each place: a digit, a hexadecimal digit, or itself.
const SHAPE: &[u8] = b"ddddddddTddddddZ-hhhhhhhh";

impl RunId {
    /// A text as a name of a run, when it has the shape of one.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == SHAPE.len() && Self::is_start(text)).then(|| Self(text.to_owned()))
    }

    /// Whether a text may be the start of a name.
    pub fn is_start(text: &str) -> bool {
        text.len() <= SHAPE.len()
            && text.bytes().zip(SHAPE).all(|(byte, shape)| match shape {
                b'd' => byte.is_ascii_digit(),
                b'h' => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
                other => byte == *other,
            })
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_shape() {
        assert!(RunId::parse("20261201T022418Z-1a2b3c4d").is_some());
        for text in ["", "x", "../../etc/passwd", "20261201T022418Z-1a2b3c4", "20261201T022418Z-1A2B3C4D"] {
            assert_eq!(RunId::parse(text), None, "{text}");
        }
        assert!(RunId::parse("20261201T022418Z-1a2b3c4d0").is_none());
        assert!(RunId::is_start("2026") && !RunId::is_start("../") && !RunId::is_start("2026x"));
    }
}
