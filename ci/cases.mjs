#!/usr/bin/env node
// Runs specward on small projects whose right answer is known, one folder a case. Started through `ci/cases`.
//
// A case is a project (`openspec/`, symbolic links in `LINKS.tsv`) or a history (`repo.bundle` with the branches `base`
// and `head`). What is wanted stands in its `EXPECT.md`; `cases.d/wanted.json` says it again for those we know, with
// the rules of which one has to give the cause. How a want is read:
//
//   fail   exit code 1 without --strict, and an error by one of the rules
//   warn   exit code 1 with --strict, and a warning or error by one of the rules
//   info   a finding of any level by one of the rules, and exit code 0
//   pass   exit code 0 with --strict
//   quiet  exit code 0, whatever is warned about
//
// Prints what is not as wanted, then `N cases, M as wanted`; exits 1 when one is not, 2 when there is none.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findProgram, NO_PROGRAM } from './oracle.d/program.mjs';
import { copyTree, createLinks } from './oracle.d/trees.mjs';

const top = path.resolve(import.meta.dirname, '..');
const say = (text) => process.stdout.write(`${text}\n`);
const fail = (text) => {
  process.stderr.write(`cases: ${text}\n`);
  process.exit(2);
};

const HELP = `usage: ci/cases [options]
  --bin PATH     our program (default: the release build, else the debug build)
  --cases DIR    the cases (default: ../shared/cases)
  --only REGEX   only cases whose name matches
  --verbose      also say what was found in each case`;

const { values: options } = parseArgs({
  options: {
    bin: { type: 'string' },
    cases: { type: 'string', default: path.join(top, '..', 'shared', 'cases') },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(HELP);
  process.exit(0);
}
const bin = findProgram(top, options.bin) ?? fail(NO_PROGRAM);
if (!fs.existsSync(options.cases)) {
  say(`skipped: ${path.relative(process.cwd(), options.cases)} (no such folder)`);
  say('0 cases, 0 as wanted');
  process.exit(0);
}

const known = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'cases.d', 'wanted.json'), 'utf8'));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cases-'));
const env = {
  PATH: process.env.PATH,
  HOME: scratch,
  GIT_CONFIG_GLOBAL: os.devNull,
  GIT_CONFIG_NOSYSTEM: '1',
};

/** What a case's own page wants, in our words. */
function wantedByPage(text) {
  const want = /^(?:Want|Expected of a gate|.*\bExpected):\s*(.*)$/im.exec(text)?.[1] ?? '';
  if (/^lint/i.test(want)) return 'quiet';
  if (/^(?:not a hard error)/i.test(want)) return 'warn';
  if (/^(?:pass or)/i.test(want)) return 'quiet';
  if (/^pass/i.test(want)) return 'pass';
  if (/^info/i.test(want)) return 'info';
  if (/^(?:fail\/warn|fail or warn|warn|finding|at least a warning|fail strict|review flag)/i.test(want)) return 'warn';
  if (/^(?:fail|validate fails|error|flag)/i.test(want)) return 'fail';
  return undefined;
}

function run(args, cwd) {
  const { status, stdout, stderr } = spawnSync(bin, [...args, '--format', 'json'], { cwd, env, encoding: 'utf8' });
  try {
    return { exit: status, findings: JSON.parse(stdout).findings };
  } catch {
    return { exit: status, findings: [], broken: stderr.trim().slice(0, 300) };
  }
}

function git(args, cwd) {
  const { status, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}

/** The runs of a case: each as the answer without and with --strict. */
function answers(dir, place) {
  if (fs.existsSync(path.join(dir, 'repo.bundle'))) {
    git(['clone', '-q', '--no-checkout', path.join(dir, 'repo.bundle'), place], scratch);
    for (const branch of ['base', 'head']) git(['branch', '-q', '-f', branch, `origin/${branch}`], place);
    git(['checkout', '-q', 'head'], place);
    const args = ['verify', '--changed', '--base', 'base', '--frozen-spec=explained'];
    return [[...args, '--head', 'head'], args].map((args) => ({ args, lax: run(args, place), strict: run([...args, '--strict'], place) }));
  }
  copyTree(dir, place);
  createLinks(place);
  // What is about a case and not of it is no project's.
  for (const name of ['EXPECT.md', 'LINKS.tsv']) fs.rmSync(path.join(place, name), { force: true });
  return [{ args: ['verify'], lax: run(['verify'], place), strict: run(['verify', '--strict'], place) }];
}

/** Why an answer is not as wanted, or nothing. */
function problem({ want, rules }, { lax, strict }) {
  if (lax.broken !== undefined) return `no report, exit ${lax.exit}: ${lax.broken}`;
  const cause = new RegExp(`^(?:${rules ?? '.*'})$`);
  const has = (levels) => lax.findings.some(({ rule, level }) => levels.includes(level) && cause.test(rule));
  const expected = (exit, levels) => (exit ? (has(levels) ? undefined : `no ${levels[0]} by ${rules ?? 'any rule'}`) : `exit ${lax.exit}, ${strict.exit} with --strict`);
  switch (want) {
    case 'fail':
      return expected(lax.exit === 1, ['error']);
    case 'warn':
      return expected(strict.exit === 1, ['warning', 'error']);
    case 'info':
      return expected(lax.exit === 0, ['info', 'warning', 'error']);
    case 'pass':
      return strict.exit === 0 ? undefined : expected(false, []);
    case 'quiet':
      return lax.exit === 0 ? undefined : `exit ${lax.exit}`;
    default:
      return 'nobody knows what is wanted';
  }
}

const names = fs
  .readdirSync(options.cases, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(options.cases, entry.name, 'EXPECT.md')))
  .map((entry) => entry.name)
  .filter((name) => !options.only || new RegExp(options.only).test(name));
let wanted = 0;
for (const name of names) {
  const dir = path.join(options.cases, name);
  const page = fs.readFileSync(path.join(dir, 'EXPECT.md'), 'utf8');
  const wants = known[name] ?? { want: wantedByPage(page) };
  const found = answers(dir, path.join(scratch, name));
  const problems = found.map((answer) => problem(wants, answer)).filter(Boolean);
  if (problems.length === 0) wanted += 1;
  if (problems.length > 0) say(`  ${name} · want ${wants.want ?? '?'} · ${problems[0]}`);
  if (problems.length > 0 || options.verbose) {
    const seen = found[0].lax.findings.map(({ rule, level, message }) => `    ${level} ${rule}: ${message}`);
    for (const line of new Set(seen)) say(line);
  }
}
fs.rmSync(scratch, { recursive: true, force: true });
say(`${names.length} cases, ${wanted} as wanted`);
process.exit(names.length === 0 ? 2 : wanted === names.length ? 0 : 1);
