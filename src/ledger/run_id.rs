//! Names of runs: `20261201T022418Z-1a2b3c4d`, so that names in order are runs in order of time.

use jiff::Timestamp;

/// The name of a run. Of one shape, so none leads out of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

/// What stands in each place: a digit, a hexadecimal digit, or itself.
const SHAPE: &[u8] = b"ddddddddTddddddZ-hhhhhhhh";

impl RunId {
    /// The name of a run that a process begins at a time. Five digits after the time are its microseconds, so that runs
    /// of one second are in order too; the last three are the process's own, so that two at once differ.
    pub fn new(now: Timestamp, process: u32) -> Self {
        let micros = now.subsec_microsecond().unsigned_abs();
        Self(format!("{}-{micros:05x}{:03x}", now.strftime("%Y%m%dT%H%M%SZ"), process % 0x1000))
    }

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
    fn names_are_in_order_of_time() {
        let name = |time: &str, process| RunId::new(time.parse().unwrap(), process);
        let names = [
            name("2026-12-01T02:24:18Z", 7),
            name("2026-12-01T02:24:18.000001Z", 6),
            name("2026-12-01T02:24:18.999999999Z", u32::MAX),
            name("2026-12-01T02:24:19Z", 1),
        ];
        assert!(names.is_sorted() && names.iter().all(|name| RunId::parse(name.as_str()).as_ref() == Some(name)));
        assert_eq!(names[2].as_str(), "20261201T022418Z-f423ffff");
        assert_ne!(name("2026-12-01T02:24:18Z", 7), name("2026-12-01T02:24:18Z", 8));
    }

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
