// Scratch copies of the projects both programs are run on.
//
// Everything is copied below a temporary folder: outside any git repository, writable whatever the modes of
// the source are, and with no `openspec/` folder above it that root discovery could find.
import fs from 'node:fs';
import path from 'node:path';

const LINKS = 'LINKS.tsv';

/** Copies files and folders with fresh modes; a symbolic link stays the link it is. */
export function copyTree(from, to) {
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target);
    else fs.writeFileSync(target, fs.readFileSync(source));
  }
}

/** Creates the symbolic links a stored tree cannot hold itself: lines of path, tab, target. */
export function createLinks(tree) {
  const list = path.join(tree, LINKS);
  if (!fs.existsSync(list)) return;
  for (const line of fs.readFileSync(list, 'utf8').split('\n')) {
    const [link, target] = line.split('\t');
    if (!target) continue;
    const place = path.join(tree, link);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.rmSync(place, { recursive: true, force: true });
    fs.symlinkSync(target, place);
  }
}

/**
 * Writes a project given as `path → content`. A content is text, bytes, `null` (an empty folder) or an object:
 * `{ link: target }` for a symbolic link, `{ text, mtime }` for a file with a given modification time.
 */
export function writeProject(root, files) {
  fs.mkdirSync(root, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const place = path.join(root, name);
    if (content === null) {
      fs.mkdirSync(place, { recursive: true });
      continue;
    }
    fs.mkdirSync(path.dirname(place), { recursive: true });
    const plain = typeof content === 'string' || Buffer.isBuffer(content);
    if (plain) fs.writeFileSync(place, content);
    else if (content.link !== undefined) fs.symlinkSync(content.link, place);
    else {
      fs.writeFileSync(place, content.text);
      fs.utimesSync(place, content.mtime, content.mtime);
    }
  }
}

function folders(dir) {
  try {
    return fs.readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch {
    return [];
  }
}

/** The folders that hold an `openspec/` folder, the tree itself first. */
export function findRoots(tree) {
  const here = fs.existsSync(path.join(tree, 'openspec')) ? [tree] : [];
  const below = folders(tree).filter((entry) => entry.name !== 'openspec');
  return here.concat(below.flatMap((entry) => findRoots(path.join(tree, entry.name))));
}

/** Copies each archived change back to where an open one lives; returns the names it got there. */
export function reopenArchived(root) {
  const changes = path.join(root, 'openspec', 'changes');
  const archive = path.join(changes, 'archive');
  return folders(archive)
    .filter((entry) => !entry.name.startsWith('.'))
    .map(({ name }) => {
      let reopened = name;
      while (fs.existsSync(path.join(changes, reopened))) reopened += '-reopened';
      copyTree(path.join(archive, name), path.join(changes, reopened));
      return reopened;
    });
}

/**
 * The names one could ask for below a root. Looser than what either program accepts (broken links count too):
 * a name they refuse is a question worth asking as well.
 */
export function discoverItems(root) {
  const changesDir = path.join(root, 'openspec', 'changes');
  const changes = folders(changesDir)
    .map((entry) => entry.name)
    .filter((name) => name !== 'archive' && !name.startsWith('.'));
  const specs = [];
  const walk = (dir, segments) => {
    for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) walk(path.join(dir, entry.name), [...segments, entry.name]);
      else if (entry.name === 'spec.md' && segments.length > 0) specs.push(segments.join('/'));
    }
  };
  const specsDir = path.join(root, 'openspec', 'specs');
  if (fs.statSync(specsDir, { throwIfNoEntry: false })?.isDirectory()) walk(specsDir, []);
  return { changes, specs };
}
