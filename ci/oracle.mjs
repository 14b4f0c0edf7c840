#!/usr/bin/env node
// Compares specward with the reference validator, answer by answer. Started through `ci/oracle`.
//
// `ci/oracle --help` lists the options. When a difference shows up, `--only` and `--mode` narrow the run to it and
// `--keep` leaves the scratch copies, so that both programs can be asked by hand.
//
// Prints one line per mode and a total, each `N items, M differences`; exits 1 when anything differs.
import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { count } from './oracle.d/compare.mjs';
import { findProgram, NO_PROGRAM } from './oracle.d/program.mjs';
import { isolatedEnv, REFERENCE } from './oracle.d/reference.mjs';
import { RULES } from './oracle.d/rules.mjs';
import { planUnits } from './oracle.d/units.mjs';

const LISTED = 40;
const top = path.resolve(import.meta.dirname, '..');
const say = (text) => process.stdout.write(`${text}\n`);

const HELP = `usage: ci/oracle [options]
  --bin PATH     our program (default: the release build, else the debug build); "self" tests the comparison itself
  --corpus DIR   real trees (default: ../shared/corpus)
  --cases DIR    small cases (default: ../shared/cases)
  --fuzz N       random projects (default: 300)
  --seed S       what the random choices follow from (default: 1)
  --only REGEX   only pieces of work whose name matches: corpus/NAME, cases/NAME, synthetic/NAME, fuzz/SEED/N, roots, driver
  --mode REGEX   only the modes whose line matches, for example "validate" or "fuzz: show"
  --any-sentences   of the advice in "status --json" compare only how many sentences there are
  --jobs N       processes (default: the number of processors, at most 4)
  --stats        also print the findings per rule and the slowest pieces of work
  --keep         leave the scratch folder and say where it is`;

function settings() {
  const { values } = parseArgs({
    options: {
      bin: { type: 'string' },
      corpus: { type: 'string', default: path.join(top, '..', 'shared', 'corpus') },
      cases: { type: 'string', default: path.join(top, '..', 'shared', 'cases') },
      package: { type: 'string', default: path.join(top, 'target', 'oracle', 'node_modules', REFERENCE) },
      fuzz: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      mode: { type: 'string' },
      jobs: { type: 'string', default: String(Math.min(4, os.availableParallelism())) },
      'any-sentences': { type: 'boolean', default: false },
      stats: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(HELP);
    process.exit(0);
  }
  const bin = values.bin === 'self' ? values.bin : (findProgram(top, values.bin) ?? fail(NO_PROGRAM));
  const existing = (dir) => {
    if (fs.existsSync(dir)) return path.resolve(dir);
    say(`skipped: what is in ${path.relative(process.cwd(), dir)} (no such folder)`);
    return undefined;
  };
  return {
    ...values,
    bin,
    packageDir: path.resolve(values.package),
    corpus: existing(values.corpus),
    cases: existing(values.cases),
    anySentences: values['any-sentences'],
    fuzz: Number(values.fuzz),
    jobs: Math.max(1, Number(values.jobs)),
    children: 2,
    listed: LISTED,
  };
}

function fail(text) {
  process.stderr.write(`oracle: ${text}\n`);
  process.exit(2);
}

/** Gives the pieces of work to the workers as they ask, and collects what they found. */
function runAll(units, options, env, collect) {
  const queue = [...units];
  const worker = () =>
    new Promise((resolve, reject) => {
      const child = fork(path.join(top, 'ci', 'oracle.d', 'worker.mjs'), [JSON.stringify(options)], { env });
      const next = () => {
        const unit = queue.shift();
        if (unit) child.send(unit);
        else child.disconnect();
      };
      child.on('message', (result) => {
        if (!result.ready) collect(result);
        next();
      });
      child.on('error', reject);
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    });
  return Promise.all(Array.from({ length: Math.min(options.jobs, units.length) }, worker));
}

function printDifference({ tree, args, item, text }) {
  const command = args.length > 0 ? `specward ${args.map((arg) => (/^[\w./-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ')}` : '';
  say(`  ${[tree, command, item, text].filter(Boolean).join(' · ')}`);
}

function printStats({ oracle, ours }) {
  const rules = [...new Set([...RULES, ...Object.keys(oracle), ...Object.keys(ours)])].sort();
  const width = Math.max(...rules.map((rule) => rule.length));
  say(`\n${'rule'.padEnd(width)}  ${'oracle'.padStart(8)}  ${'ours'.padStart(8)}`);
  for (const rule of rules) {
    const [left, right] = [oracle[rule] ?? 0, ours[rule] ?? 0];
    say(`${rule.padEnd(width)}  ${String(left).padStart(8)}  ${String(right).padStart(8)}${left === right ? '' : '  differs'}`);
  }
  say('');
}

function printSlowest(seconds) {
  const slowest = Object.entries(seconds).sort(([, a], [, b]) => b - a).slice(0, 10);
  say(`slowest: ${slowest.map(([name, spent]) => `${name} ${spent.toFixed(1)} s`).join(', ')}\n`);
}

const options = settings();
if (!fs.existsSync(options.packageDir)) fail(`the reference is not installed at ${options.packageDir}`);

const only = options.only && new RegExp(options.only);
const units = planUnits(options).filter(({ name }) => !only || only.test(name));
if (units.length === 0) fail('no piece of work matches --only');

const scratch = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'specward-oracle-'));
const home = path.join(scratch, '.home');
fs.mkdirSync(home);

const modes = {};
const stats = { oracle: {}, ours: {} };
const seconds = {};
try {
  await runAll(units, { ...options, scratch }, isolatedEnv(home), (result) => {
    seconds[result.unit] = result.seconds;
    for (const [mode, { items, differing, differences }] of Object.entries(result.modes)) {
      const line = (modes[mode] ??= { items: 0, differing: 0, meant: 0, differences: [] });
      line.meant += result.modes[mode].meant;
      line.items += items;
      line.differing += differing;
      line.differences.push(...differences);
    }
    for (const side of ['oracle', 'ours']) for (const [rule, number] of Object.entries(result.stats[side])) count(stats[side], rule, number);
  });
} finally {
  if (options.keep) say(`kept: ${scratch}`);
  else fs.rmSync(scratch, { recursive: true, force: true });
}

const total = { items: 0, differing: 0, meant: 0 };
const lines = Object.entries(modes).sort(([a], [b]) => (a < b ? -1 : 1));
// One mode that is wrong throughout must not push the others out of the list.
const share = Math.max(4, Math.floor(LISTED / Math.max(1, lines.filter(([, { differing }]) => differing > 0).length)));
let listed = 0;
for (const [mode, { items, differing, meant, differences }] of lines) {
  say(`${mode}: ${items} items, ${differing} differences`);
  const byTree = differences.sort((a, b) => (a.tree < b.tree ? -1 : Number(a.tree > b.tree)));
  const shown = byTree.slice(0, Math.min(share, LISTED - listed));
  shown.forEach(printDifference);
  listed += shown.length;
  total.items += items;
  total.meant += meant;
  total.differing += differing;
}
if (options.stats) {
  printStats(stats);
  printSlowest(seconds);
}
if (total.items === 0) fail('no mode matches --mode: nothing was compared');
if (total.differing > listed) say(`${total.differing - listed} more differences not listed`);
if (total.meant > 0) say(`${total.meant} more differ on purpose (ci/oracle.d/on-purpose.mjs)`);
say(`${total.items} items, ${total.differing} differences`);
process.exit(total.differing > 0 ? 1 : 0);
