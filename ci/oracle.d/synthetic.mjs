// The hand-made projects by name: what real trees never have, or have too rarely to rely on.
import { changeProjects } from './synthetic-changes.mjs';
import { specProjects } from './synthetic-specs.mjs';
import { treeProjects } from './synthetic-trees.mjs';

/**
 * All of them, as `{ name, files, sample }`: the files are what `writeProject` takes; with a sample, only so
 * many of the items are shown one by one (each such request walks the whole project).
 */
export function syntheticProjects() {
  return [...specProjects, ...changeProjects, ...treeProjects];
}
