#!/usr/bin/env node
// Compares what `specward merge` foretells with what `openspec archive <change> --yes` does. Started through
// `ci/archive-oracle`, whose `--help` lists the options.
//
// Every open change of every project is archived by the reference in a scratch copy, inside this process, and what it
// did is taken back; archived changes are put back as open ones first. We have to foretell whether it refuses, and the
// bytes of every main spec it writes. A sample also goes through the real command.
//
// Ends with `N changes, M wrong predictions`; exits 1 when a prediction is wrong, 2 when there was nothing to compare.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzProject } from './oracle.d/fuzz.mjs';
import { findProgram, NO_PROGRAM } from './oracle.d/program.mjs';
import { Dice } from './oracle.d/random.mjs';
import { isolatedEnv, loadReference, REFERENCE, runCommand } from './oracle.d/reference.mjs';
import { syntheticProjects } from './oracle.d/synthetic.mjs';
import { copyTree, createLinks, discoverItems, findRoots, writeProject } from './oracle.d/trees.mjs';

const top = path.resolve(import.meta.dirname, '..');
const say = (text) => process.stdout.write(`${text}\n`);

const HELP = `usage: ci/archive-oracle [options]
  --bin PATH     our program (default: the release build, else the debug build)
  --corpus DIR   real trees (default: ../shared/corpus)
  --cases DIR    small cases (default: ../shared/cases)
  --fuzz N       random projects (default: 300)
  --seed S       what the random choices follow from (default: 1)
  --sample N     changes of the real trees that also go through the real command (default: 60)
  --only REGEX   only projects whose name matches: corpus/NAME, cases/NAME, synthetic/NAME, fuzz/SEED/N
  --keep         leave the scratch folder and say where it is`;

const { values: options } = parseArgs({
  options: {
    bin: { type: 'string' },
    corpus: { type: 'string', default: path.join(top, '..', 'shared', 'corpus') },
    cases: { type: 'string', default: path.join(top, '..', 'shared', 'cases') },
    package: { type: 'string', default: path.join(top, 'target', 'oracle', 'node_modules', REFERENCE) },
    fuzz: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '60' },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(HELP);
  process.exit(0);
}
const bin = findProgram(top, options.bin);
if (!bin) {
  process.stderr.write(`archive-oracle: ${NO_PROGRAM}\n`);
  process.exit(2);
}

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'archive-oracle-'));
const env = isolatedEnv(path.join(scratch, 'home'));
for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
Object.assign(process.env, env);
const command = path.join(path.resolve(options.package), 'bin', 'openspec.js');
const reference = await loadReference(path.resolve(options.package));
process.removeAllListeners('warning');

function subfolders(dir) {
  if (!fs.existsSync(dir)) {
    say(`skipped: what is in ${path.relative(process.cwd(), dir)} (no such folder)`);
    return [];
  }
  return fs.readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** Puts each archived change where an open one lives, under its name without the date. */
function reopenUndated(root) {
  const changes = path.join(root, 'openspec', 'changes');
  const archive = path.join(changes, 'archive');
  if (!fs.statSync(archive, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const entry of fs.readdirSync(archive, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    let name = entry.name.replace(/^\d{4}-\d{2}-\d{2}-/, '') || entry.name;
    while (fs.existsSync(path.join(changes, name))) name += '-reopened';
    copyTree(path.join(archive, entry.name), path.join(changes, name));
  }
}

/** The projects, each with what puts it into a folder. */
function projects() {
  const wanted = options.only && new RegExp(options.only);
  const copied = (dir) => (place) => {
    copyTree(dir, place);
    createLinks(place);
  };
  const list = [
    ...subfolders(options.corpus).map((name) => ({ kind: 'corpus', name: `corpus/${name}`, put: copied(path.join(options.corpus, name)) })),
    ...subfolders(options.cases)
      .filter((name) => fs.existsSync(path.join(options.cases, name, 'openspec')))
      .map((name) => ({ kind: 'cases', name: `cases/${name}`, put: copied(path.join(options.cases, name)) })),
    ...syntheticProjects().map(({ name, files }) => ({ kind: 'made up', name: `synthetic/${name}`, put: (place) => writeProject(place, files) })),
    ...Array.from({ length: Number(options.fuzz) }, (_, index) => {
      const name = `fuzz/${options.seed}/${index}`;
      return { kind: 'made up', name, put: (place) => writeProject(place, fuzzProject(new Dice(name))) };
    }),
  ];
  return list.filter(({ name }) => !wanted || wanted.test(name));
}

const specPath = (root, capability) => path.join(root, 'openspec', 'specs', ...capability.split('/'), 'spec.md');

function isFile(file) {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Capabilities a change has a delta for. */
function capabilities(root, change) {
  const specs = [];
  const walk = (dir, segments) => {
    for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) walk(path.join(dir, entry.name), [...segments, entry.name]);
      else if (entry.name === 'spec.md' && segments.length > 0 && isFile(path.join(dir, entry.name))) specs.push(segments.join('/'));
    }
  };
  const dir = path.join(root, 'openspec', 'changes', change, 'specs');
  if (fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) walk(dir, []);
  return specs;
}

/** Asks us, without anything being changed. */
async function foretell(root, change) {
  const answer = await runCommand(bin, ['merge', change, '--json'], root, env);
  try {
    return { exit: answer.exit, ...JSON.parse(answer.stdout) };
  } catch {
    return { exit: answer.exit, broken: answer.stderr };
  }
}

/** What the main specs of a change hold after `archive` ran, and everything as it was before. */
async function archived(root, change, specs, archive) {
  const folder = path.join(root, 'openspec', 'changes', 'archive');
  const before = new Map(specs.map((name) => [name, readIfThere(specPath(root, name))]));
  const listed = fs.existsSync(folder) ? new Set(fs.readdirSync(folder)) : undefined;
  const answer = await archive();
  const after = new Map(specs.map((name) => [name, readIfThere(specPath(root, name))?.toString('utf8')]));
  const moved = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => !listed?.has(name) && !name.startsWith('.')) : [];
  for (const name of moved) fs.renameSync(path.join(folder, name), path.join(root, 'openspec', 'changes', change));
  if (!listed) fs.rmSync(folder, { recursive: true, force: true });
  for (const [name, bytes] of before) {
    const file = specPath(root, name);
    if (bytes === undefined) {
      if (isFile(file)) fs.rmSync(file);
      for (let dir = path.dirname(file); dir.length > path.join(root, 'openspec', 'specs').length; dir = path.dirname(dir)) {
        if (fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory() && fs.readdirSync(dir).length === 0) fs.rmdirSync(dir);
      }
    } else {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, bytes);
    }
  }
  return { exit: answer.exit, isMoved: moved.length > 0, after, said: answer.stdout };
}

/** What is wrong with a prediction, or nothing. */
function judge(ours, theirs) {
  if (ours.broken !== undefined) return `no prediction, exit ${ours.exit}: ${ours.broken.slice(0, 200)}`;
  const isRefused = theirs.exit !== 0 || !theirs.isMoved;
  if (ours.refused !== isRefused) {
    const why = isRefused ? theirs.said.replace(/\s+/g, ' ').slice(0, 400) : ours.obstacles.map((finding) => `${finding.path}:${finding.line} ${finding.rule} ${finding.message}`).join('; ').slice(0, 400);
    return isRefused ? `foretold to go through, was refused: ${why}` : `foretold to be refused, went through: ${why}`;
  }
  if (ours.exit !== (isRefused ? 1 : 0)) return `exit code ${ours.exit}`;
  if (isRefused) return undefined;
  for (const [name, text] of theirs.after) {
    const spec = ours.specs.find(({ capability }) => capability === name);
    if (!spec) return `${name}: not foretold`;
    if ((spec.text ?? undefined) === text) continue;
    const [mine, real] = [(spec.text ?? '').split('\n'), (text ?? '').split('\n')];
    const at = real.findIndex((line, index) => line !== mine[index]);
    return `${name} (${spec.outcome}): line ${at + 1}: ${JSON.stringify(mine[at])} foretold, ${JSON.stringify(real[at])} written`;
  }
  return undefined;
}

const totals = new Map();
const sampled = [];
let wrong = 0;
let changesSeen = 0;

function record(kind, isRefused, tree, change, problem) {
  const line = totals.get(kind) ?? { changes: 0, refused: 0, wrong: 0 };
  line.changes += 1;
  line.refused += isRefused ? 1 : 0;
  line.wrong += problem ? 1 : 0;
  totals.set(kind, line);
  changesSeen += 1;
  if (!problem) return;
  wrong += 1;
  if (wrong <= 40) say(`  ${tree} · ${change} · ${problem}`);
}

for (const project of projects()) {
  const place = path.join(scratch, project.name.replace(/[^\w.+-]/g, '_'));
  project.put(place);
  const roots = project.kind === 'corpus' ? findRoots(place) : [place];
  for (const root of roots) {
    const label = path.join(project.name, path.relative(place, root));
    if (project.kind === 'corpus') reopenUndated(root);
    const { changes } = discoverItems(root);
    const predictions = new Map();
    const queue = changes.values();
    const lane = async () => {
      for (const change of queue) predictions.set(change, await foretell(root, change));
    };
    await Promise.all([lane(), lane()]);
    for (const change of changes) {
      const specs = capabilities(root, change);
      const theirs = await archived(root, change, specs, () => reference.run(['archive', change, '--yes', '--json'], root));
      record(project.kind, theirs.exit !== 0, label, change, judge(predictions.get(change), theirs));
    }
    if (project.kind === 'corpus') sampled.push({ project, label, root: path.relative(place, root), changes });
  }
  process.chdir(scratch);
  if (!options.keep) fs.rmSync(place, { recursive: true, force: true });
}

// The same again for some, by the real command, so that the above is about what people run.
const dice = new Dice(`sample ${options.seed}`);
const all = sampled.flatMap(({ changes, ...rest }) => changes.map((change) => ({ ...rest, change })));
for (const { project, label, root, change } of dice.sample(all, Number(options.sample))) {
  const place = path.join(scratch, 'sample');
  project.put(place);
  const folder = path.join(place, root);
  reopenUndated(folder);
  const ours = await foretell(folder, change);
  const archive = () => runCommand(process.execPath, [command, 'archive', change, '--yes'], folder, env);
  const theirs = await archived(folder, change, capabilities(folder, change), archive);
  record('by the real command', theirs.exit !== 0, label, change, judge(ours, theirs));
  fs.rmSync(place, { recursive: true, force: true });
}

if (options.keep) say(`scratch folder: ${scratch}`);
else fs.rmSync(scratch, { recursive: true, force: true });
for (const [kind, line] of totals) say(`${kind}: ${line.changes} changes, ${line.refused} refused, ${line.wrong} wrong predictions`);
say(`${changesSeen} changes, ${wrong} wrong predictions`);
process.exit(wrong > 0 ? 1 : changesSeen === 0 ? 2 : 0);
