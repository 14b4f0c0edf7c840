//! Reads from an index file only what lies below given paths.
//!
//! The library decodes every entry into memory, which in a repository of 100,000 files takes as long as everything else
//! of a run together. Here entries are stepped over. Whatever is not plain (a split or sparse index, a version nobody
//! knows) is left to the library: [`scan`] answers none.

use std::io::{self, Read};

use bstr::{BString, ByteSlice};

use super::oid::{HashKind, Oid};
use super::snapshot::Kind;
use super::store::{IndexEntries, IndexEntry};

/// Bytes of stat data before an entry's object name, and where the mode begins in them.
const STAT_BYTES: usize = 40;
const MODE_AT: usize = 24;

/// Bits of an entry's flags.
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const INTENT_TO_ADD: u16 = 0x2000;

/// Bytes between `openspec` folders and what holds them.
const INNER: &[u8] = b"/openspec/";

/// Read at a time. A buffer for the whole file would cost a page fault for each of its pages.
const CHUNK: usize = 128 * 1024;

/// No entry of a plain index is longer.
const MAX_ENTRY: usize = 1024 * 1024;

/// What [`scan`] finds.
pub(super) struct Scanned {
    /// The entries.
    pub(super) entries: IndexEntries,
    /// The folders' objects as the index remembers them, encoded.
    pub(super) tree: Option<Vec<u8>>,
}

/// Entries below one of the prefixes (paths without a final slash), and folders below the top that hold an `openspec`.
/// None when the file is not one this understands.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn scan(file: impl Read, hash: HashKind, prefixes: &[BString]) -> io::Result<Option<Scanned>> {
    let mut window = Window { file, data: Vec::with_capacity(2 * CHUNK), at: 0, is_over: false, may_have_roots: false };
    window.fill(12)?;
    let header = window.rest();
    let (Some(version), Some(count)) = (number(header, 4), number(header, 8)) else { return Ok(None) };
    if !header.starts_with(b"DIRC") || !(2..=4).contains(&version) {
        return Ok(None);
    }
    window.at = 12;
    let mut names: Vec<&[u8]> = prefixes.iter().map(|prefix| prefix.as_slice()).collect();
    names.sort_unstable();
    let mut folders: Vec<Vec<u8>> = names.iter().map(|name| [name, b"/".as_slice()].concat()).collect();
    folders.sort_unstable();
    // Of two that lie in one another the outer one is enough. Then the last that is not behind a path holds it, or none.
    folders.dedup_by(|inner, outer| inner.starts_with(outer));
    // The top of the tree: everything is below it.
    let is_all = names.first().is_some_and(|name| name.is_empty());
    let is_wanted = |path: &[u8]| {
        let before = folders.partition_point(|folder| folder.as_slice() <= path);
        is_all
            || before.checked_sub(1).is_some_and(|at| path.starts_with(&folders[at]))
            || names.binary_search(&path).is_ok()
    };
    let mut found = IndexEntries::default();
    let mut path = Vec::new();
    for _ in 0..count {
        let Some(entry) = window.entry(version, hash, &mut path)? else { return Ok(None) };
        let data = window.rest();
        // Version 4 cuts what a path shares with the one before; the others have it in one piece.
        let path = if version == 4 { path.as_slice() } else { &data[entry.path_at..entry.path_end] };
        if is_wanted(path) {
            let Some(read) = read_entry(data, &entry, hash, path) else { return Ok(None) };
            found.entries.push(read);
        }
        if (window.may_have_roots || version == 4)
            && let Some(at) = memchr::memmem::find(path, INNER)
        {
            found.project_roots.push(BString::from(&path[..at]));
        }
        window.at += entry.length;
    }
    let mut tail = window.rest().to_vec();
    window.file.read_to_end(&mut tail)?;
    found.project_roots.sort();
    found.project_roots.dedup();
    let mut tree = None;
    let is_plain = each_extension(&tail, hash, |name, content| {
        if name == b"TREE" {
            tree = Some(content.to_vec());
        }
        // A split index has its entries elsewhere, a sparse one has folders in their place.
        !matches!(name, b"link" | b"sdir")
    });
    Ok(is_plain.then_some(Scanned { entries: found, tree }))
}

fn number(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(data.get(at..at + 4)?.try_into().ok()?))
}

fn short(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(data.get(at..at + 2)?.try_into().ok()?))
}

/// Hands every extension to `take` until it says no. `tail` is what follows the entries. Tells whether all were taken
/// and nothing is left over.
fn each_extension(tail: &[u8], hash: HashKind, mut take: impl FnMut(&[u8], &[u8]) -> bool) -> bool {
    let end = tail.len().saturating_sub(hash.len_in_bytes());
    let mut at = 0;
    while at + 8 <= end {
        let size = number(tail, at + 4).and_then(|size| usize::try_from(size).ok());
        let Some(content) = size.and_then(|size| tail[..end].get(at + 8..(at + 8).checked_add(size)?)) else {
            return false;
        };
        if !take(&tail[at..at + 4], content) {
            return false;
        }
        at += 8 + content.len();
    }
    at == end
}

/// A piece of the file that moves over it.
struct Window<R> {
    file: R,
    data: Vec<u8>,
    at: usize,
    is_over: bool,
    /// Whether [`INNER`] stands anywhere in the piece: nearly never, so paths need not be searched one by one.
    may_have_roots: bool,
}

/// Where an entry's parts stand, from its start.
struct Entry {
    flags: u16,
    extended: u16,
    path_at: usize,
    path_end: usize,
    length: usize,
}

impl<R: Read> Window<R> {
    fn rest(&self) -> &[u8] {
        &self.data[self.at..]
    }

    /// Makes at least `wanted` bytes available unless the file ends before.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.is_over || self.data.len() - self.at >= wanted {
            return Ok(());
        }
        self.data.drain(..self.at);
        self.at = 0;
        let chunk = u64::try_from(wanted.max(CHUNK)).unwrap_or(u64::MAX);
        self.is_over = (&mut self.file).take(chunk).read_to_end(&mut self.data)? == 0;
        self.may_have_roots = memchr::memmem::find(&self.data, INNER).is_some();
        Ok(())
    }

    /// The next entry, wholly inside the window. None when it makes no sense.
    fn entry(&mut self, version: u32, hash: HashKind, path: &mut Vec<u8>) -> io::Result<Option<Entry>> {
        let mut wanted = 4096;
        loop {
            self.fill(wanted)?;
            let before = path.len();
            if let Some(entry) = parse(self.rest(), version, hash, path) {
                return Ok(Some(entry));
            }
            if self.is_over || wanted > MAX_ENTRY || path.len() != before {
                return Ok(None);
            }
            wanted = self.data.len() - self.at + CHUNK;
        }
    }
}

/// The entry at the start of `data`, none when it does not end there. Version 4 turns `path` into the entry's path.
fn parse(data: &[u8], version: u32, hash: HashKind, path: &mut Vec<u8>) -> Option<Entry> {
    let mut at = STAT_BYTES + hash.len_in_bytes();
    let flags = short(data, at)?;
    at += 2;
    let mut extended = 0;
    if flags & EXTENDED != 0 {
        extended = short(data, at)?;
        at += 2;
    }
    if version == 4 {
        let (cut, used) = varint(data.get(at..)?)?;
        at += used;
        let end = at + data.get(at..)?.find_byte(0)?;
        path.truncate(path.len().checked_sub(cut)?);
        path.extend_from_slice(&data[at..end]);
        return Some(Entry { flags, extended, path_at: at, path_end: end, length: end + 1 });
    }
    // The length is in the flags unless the path is very long.
    let length = usize::from(flags & 0xfff);
    let end = if length < 0xfff { at + length } else { at + data.get(at..)?.find_byte(0)? };
    if data.get(end) != Some(&0) {
        return None;
    }
    // One to eight zeros end an entry at a multiple of eight.
    let length = end / 8 * 8 + 8;
    (data.len() >= length).then_some(Entry { flags, extended, path_at: at, path_end: end, length })
}

fn read_entry(data: &[u8], entry: &Entry, hash: HashKind, path: &[u8]) -> Option<IndexEntry> {
    let kind = match number(data, MODE_AT)? {
        0o120000 => Kind::Link,
        0o160000 => Kind::Submodule,
        mode if mode & 0o170000 == 0o100000 && mode & 0o100 != 0 => Kind::Executable,
        mode if mode & 0o170000 == 0o100000 => Kind::File,
        _ => return None,
    };
    Some(IndexEntry {
        path: BString::from(path),
        kind,
        id: Oid::from_bytes(data.get(STAT_BYTES..STAT_BYTES + hash.len_in_bytes())?)?,
        is_unmerged: entry.flags & STAGE != 0,
        is_intent_to_add: entry.extended & INTENT_TO_ADD != 0,
    })
}

/// Git's offset encoding: seven bits a byte, most significant first, one added for each byte that goes on.
fn varint(data: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (index, byte) in data.iter().enumerate().take(8) {
        value = (value << 7) | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
        value += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index with these paths, every file with the same content.
    fn index(version: u32, paths: &[&str], extension: &[u8]) -> Vec<u8> {
        let mut data = b"DIRC".to_vec();
        data.extend(version.to_be_bytes());
        data.extend(u32::try_from(paths.len()).unwrap_or(0).to_be_bytes());
        let mut before = "";
        for path in paths {
            let start = data.len();
            data.extend([0; MODE_AT]);
            data.extend(0o100644u32.to_be_bytes());
            data.extend([0; STAT_BYTES - MODE_AT - 4]);
            data.extend([7; 20]);
            data.extend(u16::try_from(path.len().min(0xfff)).unwrap_or(0).to_be_bytes());
            if version == 4 {
                let shared = before.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
                data.extend(encoded(before.len() - shared));
                data.extend(&path.as_bytes()[shared..]);
                data.push(0);
            } else {
                data.extend(path.as_bytes());
                let length = data.len() - start;
                data.resize(start + length / 8 * 8 + 8, 0);
            }
            before = path;
        }
        data.extend(extension);
        data.extend([0; 20]);
        data
    }

    /// The inverse of [`varint`].
    fn encoded(mut value: usize) -> Vec<u8> {
        let low = |value: usize| u8::try_from(value & 0x7f).unwrap_or(0);
        let mut bytes = vec![low(value)];
        while value > 0x7f {
            value = (value >> 7) - 1;
            bytes.push(low(value) | 0x80);
        }
        bytes.reverse();
        bytes
    }

    fn found(data: &[u8]) -> Option<(Vec<String>, Vec<String>)> {
        let prefixes = [BString::from("openspec/specs"), BString::from("openspec/config.yaml")];
        let found = scan(data, HashKind::Sha1, &prefixes).ok()??.entries;
        let entries = found.entries.iter().map(|entry| entry.path.to_string()).collect();
        Some((entries, found.project_roots.iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn prefixes_beside_and_inside_of_one_another() {
        let paths = ["a", "ci-x/b", "ci/a", "ci/deep/b", "cj", "openspec/a", "z/z"];
        let data = index(2, &paths, b"");
        let below = |prefixes: &[&str]| -> Vec<String> {
            let prefixes: Vec<BString> = prefixes.iter().map(|prefix| BString::from(*prefix)).collect();
            let found = scan(data.as_slice(), HashKind::Sha1, &prefixes).ok().flatten();
            found
                .map(|found| found.entries.entries.iter().map(|entry| entry.path.to_string()).collect())
                .unwrap_or_default()
        };
        assert_eq!(below(&["ci", "ci-x", "ci/deep", "c", "cj"]), ["ci-x/b", "ci/a", "ci/deep/b", "cj"]);
        assert_eq!(below(&["ci/deep", "a"]), ["a", "ci/deep/b"]);
        assert_eq!(below(&["ci", ""]), paths);
        assert!(below(&["cii", "open", "z/zz"]).is_empty());
    }

    #[test]
    fn every_version_gives_the_same() {
        let long = format!("a/{}", "x".repeat(5000));
        let paths = [
            &long,
            "openspec/config.yaml",
            "openspec/specs/a/spec.md",
            "openspec/specsother",
            "pkg/openspec/specs/b",
            "z",
        ];
        let expected =
            (vec!["openspec/config.yaml".to_owned(), "openspec/specs/a/spec.md".to_owned()], vec!["pkg".to_owned()]);
        for version in [2, 3, 4] {
            assert_eq!(
                found(&index(version, &paths, b"TREE\0\0\0\x02ab")),
                Some(expected.clone()),
                "version {version}"
            );
        }
    }

    #[test]
    fn many_entries_cross_chunks() {
        let paths: Vec<String> =
            (0..20_000).map(|number| format!("dir/file-{number:06}")).chain(["openspec/specs/a".to_owned()]).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        assert_eq!(
            found(&index(2, &paths, b"")).map(|(entries, _)| entries),
            Some(vec!["openspec/specs/a".to_owned()])
        );
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_library() {
        let paths = ["openspec/specs/a"];
        assert_eq!(found(&index(2, &paths, b"link\0\0\0\0")), None);
        assert_eq!(found(&index(2, &paths, b"sdir\0\0\0\0")), None);
        assert_eq!(found(&index(5, &paths, b"")), None);
        let mut cut = index(2, &paths, b"");
        cut.truncate(60);
        assert_eq!(found(&cut), None);
        assert_eq!(found(b"DIRC"), None);
    }
}
