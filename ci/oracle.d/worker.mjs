// One of the processes that do the work: a reference of its own, one tree after the other.
//
// Processes and not threads, because the reference looks at the working directory and only a process has one.
import { isOnPurpose } from './on-purpose.mjs';
import fs from 'node:fs';
import path from 'node:path';
import { compareDocuments, compareReports } from './compare.mjs';
import { loadReference, runCommand } from './reference.mjs';
import { RULES, ruleOf } from './rules.mjs';
import { runUnit } from './units.mjs';

const settings = JSON.parse(process.argv[2]);
const wanted = settings.mode && new RegExp(settings.mode);
const reference = await loadReference(settings.packageDir);
process.removeAllListeners('warning');

// Findings are counted once a project: in the modes that see everything there is.
const COUNTED = new Set(['validate --all --strict', 'validate --archived']);

const self = settings.bin === 'self';

/** The reference in the place of our program, to test the comparison itself; it has no rules, so they are added. */
async function askSelf(args, cwd) {
  const answer = await reference.run(args, cwd);
  if (!answer.stdout.includes('"issues"')) return answer;
  const report = JSON.parse(answer.stdout);
  for (const item of report.items) for (const issue of item.issues) issue.rule = RULES.find((rule) => rule === ruleOf(issue.message));
  return { ...answer, stdout: JSON.stringify(report) };
}

/** Runs `work` for each member, `width` at a time. */
async function pooled(members, width, work) {
  const queue = members.entries();
  const lane = async () => {
    for (const [index, member] of queue) await work(member, index);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Puts all questions about `cwd` to both programs: ours as children side by side, the reference in between. */
async function compareAll(result, prefix, tree, cwd, allQuestions) {
  const questions = allQuestions.filter(({ mode }) => !wanted || wanted.test(`${prefix}${mode}`));
  const [theirs, ours] = [[], []];
  const children = pooled(self ? [] : questions, settings.children, async ({ args }, index) => {
    ours[index] = await runCommand(settings.bin, args, cwd, process.env);
  });
  for (const [index, { args }] of questions.entries()) {
    theirs[index] = await reference.run(args, cwd);
    if (self) ours[index] = await askSelf(args, cwd);
  }
  await children;
  for (const [index, { mode, args, report }] of questions.entries()) {
    const stats = COUNTED.has(mode) ? result.stats : undefined;
    const { items, differences } = report
      ? compareReports(theirs[index], ours[index], stats)
      : compareDocuments(theirs[index], ours[index], settings.anySentences);
    record(result, `${prefix}${mode}`, items, differences.map((difference) => ({ tree, args, ...difference })));
  }
}

function record(result, mode, items, found) {
  const line = (result.modes[mode] ??= { items: 0, differing: 0, meant: 0, differences: [] });
  const differences = found.filter((difference) => !isOnPurpose(difference));
  line.items += items;
  line.meant += found.length - differences.length;
  line.differing += differences.length;
  line.differences.push(...differences.slice(0, Math.max(0, settings.listed - line.differences.length)));
}

process.on('message', async (unit) => {
  const scratch = path.join(settings.scratch, unit.name.replace(/[^\w.+-]/g, '_'));
  const started = performance.now();
  const result = { unit: unit.name, modes: {}, stats: { oracle: {}, ours: {} } };
  const tools = {
    compare: (prefix, tree, cwd, questions) => compareAll(result, prefix, tree, cwd, questions),
    record: (mode, items, differences) => record(result, mode, items, differences),
    reference,
    settings,
  };
  try {
    await runUnit(unit, scratch, tools);
  } catch (error) {
    record(result, 'broken', 0, [{ tree: unit.name, args: [], item: '', text: error.stack.split('\n').slice(0, 4).join(' ') }]);
  }
  if (!settings.keep) {
    process.chdir(settings.scratch);
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  process.send({ ...result, seconds: (performance.now() - started) / 1000 });
});
process.send({ ready: true });
