// The program under comparison.
import fs from 'node:fs';
import path from 'node:path';

/** The build that was named, else the release build, else the debug build; nothing when there is none. */
export function findProgram(top, named) {
  const builds = ['release', 'debug'].map((profile) => path.join(top, 'target', profile, 'specward'));
  const found = named ?? builds.find((file) => fs.existsSync(file));
  const isFile = found !== undefined && fs.statSync(found, { throwIfNoEntry: false })?.isFile();
  return isFile ? path.resolve(found) : undefined;
}

/** What to say then. */
export const NO_PROGRAM = 'no build of specward found: run cargo build, or give --bin';
