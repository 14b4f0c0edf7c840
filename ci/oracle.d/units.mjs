// The pieces of work of a run: a real tree, a case, a hand-made project, a bundle of random ones, the check of
// the driver. Each is prepared in a scratch folder of its own and then put to both programs.
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fuzzProject } from './fuzz.mjs';
import { bulkQuestions, itemQuestions, listQuestions, oddQuestions, singleQuestions } from './questions.mjs';
import { Dice } from './random.mjs';
import { runCommand } from './reference.mjs';
import { rootQuestions, rootTree } from './roots.mjs';
import { syntheticProjects } from './synthetic.mjs';
import { copyTree, createLinks, discoverItems, findRoots, reopenArchived, writeProject } from './trees.mjs';

const FUZZ_BUNDLE = 10;

function subfolders(dir) {
  if (!dir || !fs.existsSync(dir)) return [];
  return fs.readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** Everything there is to do, the long pieces first so that no process is left alone with one at the end. */
export function planUnits({ corpus, cases, fuzz, seed }) {
  const weight = (dir) => fs.readdirSync(dir, { recursive: true }).length;
  const trees = subfolders(corpus)
    .map((name) => ({ kind: 'corpus', name: `corpus/${name}`, dir: path.join(corpus, name) }))
    .map((unit) => ({ ...unit, weight: weight(unit.dir) }))
    .sort((a, b) => b.weight - a.weight);
  const projects = subfolders(cases)
    .filter((name) => fs.existsSync(path.join(cases, name, 'openspec')))
    .map((name) => ({ kind: 'case', name: `cases/${name}`, dir: path.join(cases, name) }));
  const bundles = Array.from({ length: Math.ceil(fuzz / FUZZ_BUNDLE) }, (_, index) => ({
    kind: 'fuzz',
    name: `fuzz/${seed}/${index * FUZZ_BUNDLE}`,
    seed,
    from: index * FUZZ_BUNDLE,
    to: Math.min(fuzz, (index + 1) * FUZZ_BUNDLE),
  }));
  return [
    ...trees,
    { kind: 'driver', name: 'driver' },
    { kind: 'roots', name: 'roots' },
    ...syntheticProjects().map(({ name }) => ({ kind: 'synthetic', name: `synthetic/${name}`, project: name })),
    ...projects,
    ...bundles,
  ];
}

export function runUnit(unit, scratch, tools) {
  return RUN[unit.kind](unit, scratch, tools);
}

/** What every project is asked, with `size` items for the questions that are asked of a sample only. */
function projectQuestions(items, dice, size) {
  return [
    ...bulkQuestions(),
    ...listQuestions(),
    ...singleQuestions(items, dice, size),
    ...itemQuestions(items, dice, Math.ceil(size / 3)),
  ];
}

const RUN = {
  async corpus({ name, dir }, scratch, { compare, settings }) {
    copyTree(dir, scratch);
    createLinks(scratch);
    for (const root of findRoots(scratch)) {
      const label = path.join(name, path.relative(scratch, root));
      const dice = new Dice(`${settings.seed} ${label}`);
      await compare('corpus: ', label, root, [...projectQuestions(discoverItems(root), dice, 10), ...oddQuestions()]);

      const reopened = { changes: reopenArchived(root), specs: [] };
      if (reopened.changes.length === 0) continue;
      await compare('reopened: ', `${label} (archive reopened)`, root, [
        ...bulkQuestions().filter(({ mode }) => mode === 'validate --all --strict' || mode === 'validate --changes'),
        ...listQuestions().slice(0, 2),
        ...singleQuestions(reopened, dice, 10),
        ...itemQuestions(reopened, dice, 5),
      ]);
    }
  },

  async case({ name, dir }, scratch, { compare, settings }) {
    copyTree(dir, scratch);
    createLinks(scratch);
    await compare('cases: ', name, scratch, projectQuestions(discoverItems(scratch), new Dice(`${settings.seed} ${name}`), 3));
  },

  async synthetic({ name, project }, scratch, { compare, settings }) {
    const { files, sample = Infinity } = syntheticProjects().find((candidate) => candidate.name === project);
    writeProject(scratch, files);
    const dice = new Dice(`${settings.seed} ${name}`);
    const { changes, specs } = discoverItems(scratch);
    const items = { changes: dice.sample(changes, sample), specs: dice.sample(specs, sample) };
    await compare('synthetic: ', name, scratch, projectQuestions(items, dice, 10));
  },

  async fuzz({ seed, from, to }, scratch, { compare, settings }) {
    for (let index = from; index < to; index += 1) {
      const name = `fuzz/${seed}/${index}`;
      const dice = new Dice(name);
      const root = path.join(scratch, String(index));
      writeProject(root, fuzzProject(dice, settings.corpus));
      await compare('fuzz: ', name, root, projectQuestions(discoverItems(root), dice, 1));
    }
  },

  async roots(unit, scratch, { compare }) {
    writeProject(scratch, rootTree());
    for (const { at, questions } of rootQuestions()) await compare('roots: ', `roots/${at}`, path.join(scratch, at), questions);
  },

  /** The driver has to say what the real command says, or everything above is about something else. */
  async driver({ name }, scratch, { reference, record, settings }) {
    writeProject(scratch, syntheticProjects().find((candidate) => candidate.name === 'deltas').files);
    const { changes, specs } = discoverItems(scratch);
    const questions = [
      ...bulkQuestions(),
      ...listQuestions().slice(0, 2),
      ...itemQuestions({ changes: changes.slice(0, 1), specs: specs.slice(0, 1) }, new Dice(name), 0),
      ...oddQuestions().slice(0, 2),
    ];
    const command = path.join(settings.packageDir, 'bin', 'openspec.js');
    const document = ({ exit, stdout }) => {
      const value = stdout.trim() === '' ? null : JSON.parse(stdout);
      for (const item of value?.items ?? []) delete item.durationMs;
      return { exit, value };
    };
    const differences = [];
    for (const { args } of questions) {
      const [inside, outside] = [
        await reference.run(args, scratch),
        await runCommand(process.execPath, [command, ...args], scratch, process.env),
      ];
      if (!isDeepStrictEqual(document(inside), document(outside)))
        differences.push({ tree: name, args, item: '', text: `in process and as a command: ${inside.exit} | ${outside.exit}` });
    }
    record('driver: in process and as a command', questions.length, differences);
  },
};
