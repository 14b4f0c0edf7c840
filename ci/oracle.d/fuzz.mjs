// Random projects: fragments of documents spliced together and bent, and real documents with a few lines bent.
//
// They are small and many, and drawn from few names, so that things meet: the same requirement in two sections,
// a rename onto what is there, a fence that swallows a header.
import fs from 'node:fs';
import path from 'node:path';
import { PURPOSE, changeFile, deltaFile, specFile } from './pieces.mjs';

const BLANKS = [' ', ' ', ' ', '  ', '\t', '\u00a0', '\u3000', '\ufeff', '\u0085', '\u2028', '\u200b', '\f', ''];
const NAMES = ['Alpha', 'Alpha', 'alpha', 'Al pha', 'Al  pha', 'Alpha ##', 'Beta', 'Beta', 'BETA', 'Gamma', 'Gamma C#', '`Delta`', 'It SHALL be', '\u00dcn\u00ef', 'U\u0308n\u00ef', '\u{1f600}', '##', 'x'.repeat(480)];
const SCENARIOS = ['One', 'One', 'Two', 'one', 'Two ##', 'Three', '', '\u00a0Two'];
const CAPABILITIES = ['auth', 'Auth', 'billing', 'a/b', 'a/b/c', 'a', 'caf\u00e9', 'x_y', 'x-y'];
const BODIES = ['The system SHALL work.', 'It MUST.', 'It must.', '', '**Rule**: It SHALL.', '**Rule**: text', 'Text\nSHALL', `SHALL ${'y'.repeat(492)}`, `MUST ${'\u{1f600}'.repeat(250)}`, '> SHALL', '- SHALL', 'SHALLOW', '```\nSHALL\n```'];
const PURPOSES = [PURPOSE, PURPOSE, 'Short.', '', 'TBD', 'todo: x', 'Todo lo dem\u00e1s.', 'z'.repeat(50), 'z'.repeat(49), '\u{1f600}'.repeat(25), 'TBD - created by archiving change x. Update Purpose after archive.'];
const FENCES = ['```', '```', '~~~', '````', '```md', '~~~~', '  ```', '    ```', '\t~~~', '``', '``` x', '> ```', '- ```'];
const SECTIONS = ['ADDED', 'ADDED', 'MODIFIED', 'MODIFIED', 'REMOVED', 'RENAMED', 'Added', 'modified'];
const TASK_LINES = [
  '- [ ] 1.1 a', '- [x] 1.2 b', '* [X] 2.1 c', '+ [ ] 1.1 d', '1. [ ] e', '2) [x] f', '- [] g', '- [ x ] h', '- [-] i', '- plain', '1. plain', '    - code', '## 1. Group', '## 2. Group', '<!--', '-->', '<!-- - x -->',
];
const LINES = [
  '', '---', '# Title', '## Notes', '## Purpose', '## Requirements', '## ADDED Requirements', '## MODIFIED Requirements', '## REMOVED Requirements', '## RENAMED Requirements', '## added  requirements',
  '### Requirement: Alpha', '###Requirement:Beta', '### requirement:\tGamma', '### Requirement:', '### Stray', '### ', '####', '#### ', '#### Scenario: One', '####\tTwo', '##### Deep', '####### Seven',
  '- `### Requirement: Alpha`', '* ### Requirement: Beta', '- FROM: `### Requirement: Alpha`', '- TO: `### Requirement: Beta`', 'FROM: ### Requirement: Gamma', '+ TO: ### Requirement: Alpha',
  ...TASK_LINES,
  'SHALL', 'MUST', 'text', '**ID**: 7', '\u3000', '\u00a0', '\ufeff', '\u0085', 'TBD', '| a | b |', '=======', '<<<<<<< HEAD',
];
const METADATA = ['schema: spec-driven\n', 'schema: spec-driven\nskip_specs: true\n', 'skip_specs: true\n', 'schema: spec-driven\nskip_specs: "true"\n', 'schema: custom\n', 'schema: nowhere\n', 'schema: spec-driven\ncreated: 2026-1-1\nskip_specs: true\n', 'schema: [\nskip_specs: true\n', 'schema: custom\nskip_specs: true\n'];
const CUSTOM_SCHEMA = 'name: custom\nversion: 1\nartifacts:\n  - {id: proposal, generates: proposal.md, description: p, template: p.md}\n  - {id: tasks, generates: "**/tasks.md", description: t, template: t.md, requires: [proposal]}\napply:\n  requires: [tasks]\n  tracks: "**/tasks.md"\n';

const heading = (dice, hashes, text) => `${'#'.repeat(hashes)}${dice.chance(0.93) ? ' ' : dice.pick(BLANKS)}${text}`;

function scenarioText(dice) {
  const hashes = dice.chance(0.93) ? 4 : dice.between(2, 6);
  const body = dice.chance(0.85) ? '- **WHEN** x\n- **THEN** y' : dice.pick(['', '\u00a0', '```\n- x\n```', '##### Inner', '- x']);
  return `${heading(dice, hashes, `${dice.pick(['Scenario: ', 'Scenario: ', 'Scenario:', 'scenario: ', ''])}${dice.pick(SCENARIOS)}`)}\n${body}\n`;
}

function requirementText(dice) {
  const hashes = dice.chance(0.95) ? 3 : dice.between(2, 5);
  const label = dice.chance(0.92) ? 'Requirement: ' : dice.pick(['Requirement:', 'requirement: ', 'Requirement\uff1a', 'Requirement ', '']);
  return [heading(dice, hashes, `${label}${dice.pick(NAMES)}`), dice.chance(0.7) ? BODIES[0] : dice.pick(BODIES), '', ...dice.times(0, 3, () => scenarioText(dice))].join('\n');
}

function fenceText(dice, inside) {
  return `${dice.pick(FENCES)}\n${inside}\n${dice.pick(FENCES)}\n`;
}

function specText(dice) {
  const parts = [
    `${heading(dice, 1, 'Thing')}\n`,
    `${heading(dice, 2, 'Purpose')}\n${dice.pick(PURPOSES)}\n`,
    `${heading(dice, 2, 'Requirements')}\n`,
    ...dice.times(0, 4, () => (dice.chance(0.1) ? fenceText(dice, requirementText(dice)) : requirementText(dice))),
  ];
  return parts.join('\n');
}

function deltaText(dice) {
  return dice
    .times(1, 3, () => {
      const operation = dice.pick(SECTIONS);
      const entries = {
        removed: () => dice.times(0, 2, () => dice.pick([`### Requirement: ${dice.pick(NAMES)}\n`, `- \`### Requirement: ${dice.pick(NAMES)}\``, `+ ### Requirement: ${dice.pick(NAMES)}`])),
        renamed: () => dice.times(0, 3, () => `- FROM: \`### Requirement: ${dice.pick(NAMES)}\`\n${dice.chance(0.9) ? `- TO: \`### Requirement: ${dice.pick(NAMES)}\`` : ''}`),
      }[operation.toLowerCase()] ?? (() => dice.times(0, 3, () => requirementText(dice)));
      return `${heading(dice, 2, `${operation} Requirements`)}\n\n${entries().join('\n')}\n`;
    })
    .join('\n');
}

function tasksText(dice) {
  return `${dice.times(0, 8, () => dice.pick(TASK_LINES)).join('\n')}\n`;
}

/** Bends a document: a few lines moved, lost, doubled or replaced, odd blanks, another encoding. */
function bend(dice, text, strength) {
  let lines = text.split('\n');
  for (let step = dice.below(strength + 1); step > 0; step -= 1) {
    const at = dice.below(lines.length);
    dice.pick([
      () => lines.splice(at, 1),
      () => lines.splice(at, 0, dice.pick(LINES)),
      () => lines.splice(at, 0, dice.pick(LINES)),
      () => lines.splice(at, 0, lines[dice.below(lines.length)]),
      () => lines.splice(at, 0, dice.pick(FENCES)),
      () => (lines[at] = lines[at].replace(' ', dice.pick(BLANKS))),
      () => (lines[at] = lines[at].replace(/ ?$/, dice.pick([' ', '\u00a0', ' ##', '\t#', '\u3000', '\u2028']))),
      () => (lines[at] = dice.pick([' ', '    ', '\t', '\u00a0']) + lines[at]),
      () => (lines[at] = dice.chance(0.5) ? lines[at].toLowerCase() : lines[at].toUpperCase()),
      () => (lines = lines.slice(0, at + 1)),
    ])();
    if (lines.length === 0) lines = [''];
  }
  let bent = lines.join('\n');
  if (dice.chance(0.06)) bent = bent.replaceAll('\n', dice.pick(['\r\n', '\r\n', '\r']));
  if (dice.chance(0.05)) bent = `\ufeff${bent}`;
  if (dice.chance(0.02)) bent = bent.replace('a', '\0');
  if (dice.chance(0.1)) bent = bent.trimEnd();
  if (!dice.chance(0.02)) return bent;
  const bytes = Buffer.from(bent);
  if (bytes.length > 0) bytes[dice.below(bytes.length)] = 0xff;
  return bytes;
}

/** Real deltas whose main spec is there too, so that bent copies still meet what they change. */
let realPairs;
function realDocuments(corpus) {
  if (realPairs) return realPairs;
  realPairs = [];
  if (!corpus) return realPairs;
  for (const tree of fs.readdirSync(corpus)) {
    const openspec = path.join(corpus, tree, 'openspec');
    const archive = path.join(openspec, 'changes', 'archive');
    if (!fs.existsSync(archive)) continue;
    for (const change of fs.readdirSync(archive)) {
      const deltas = path.join(archive, change, 'specs');
      if (!fs.existsSync(deltas)) continue;
      for (const id of fs.readdirSync(deltas)) {
        const pair = { delta: path.join(deltas, id, 'spec.md'), main: path.join(openspec, 'specs', id, 'spec.md'), tasks: path.join(archive, change, 'tasks.md') };
        if (fs.existsSync(pair.delta) && fs.existsSync(pair.main)) realPairs.push(pair);
      }
    }
  }
  return realPairs;
}

/** One project; everything in it follows from the dice (and from the corpus, when there is one). */
export function fuzzProject(dice, corpus) {
  const files = {};
  const capabilities = dice.sample(CAPABILITIES, dice.between(1, 4));
  for (const id of capabilities) if (dice.chance(0.85)) files[specFile(id)] = bend(dice, specText(dice), dice.pick([0, 0, 2, 5]));

  dice.times(2, 5, (index) => {
    const change = `${dice.pick(['add', 'Fix', 'update', 'x'])}-${index}`;
    for (const id of dice.sample(capabilities, dice.between(0, 2))) files[deltaFile(change, id)] = bend(dice, deltaText(dice), dice.pick([0, 0, 2, 5]));
    if (dice.chance(0.8)) files[changeFile(change, 'tasks.md')] = bend(dice, tasksText(dice), 2);
    if (dice.chance(0.15)) files[changeFile(change, 'sub/tasks.md')] = tasksText(dice);
    if (dice.chance(0.9)) files[changeFile(change, 'proposal.md')] = bend(dice, '# Change: Bend\n\n## Why\nIt is.\n\n## What Changes\n- **auth:** Adds it\n- **b**: renames\n', 2);
    if (dice.chance(0.25)) files[changeFile(change, '.openspec.yaml')] = bend(dice, dice.pick(METADATA), 1);
    if (dice.chance(0.05)) files[changeFile(change, dice.pick(['specs/auth.md', 'specs/notes/extra.md', 'specs/spec.md']))] = bend(dice, deltaText(dice), 1);
  });

  const pairs = realDocuments(corpus);
  if (pairs.length > 0)
    dice.times(0, 3, (index) => {
      const { delta, main, tasks } = dice.pick(pairs);
      const id = `real-${index}`;
      const change = dice.chance(0.1) ? id : `change-${id}`;
      files[specFile(id)] = bend(dice, fs.readFileSync(main, 'utf8'), 4);
      files[deltaFile(change, id)] = bend(dice, fs.readFileSync(delta, 'utf8'), 4);
      if (fs.existsSync(tasks)) files[changeFile(change, 'tasks.md')] = bend(dice, fs.readFileSync(tasks, 'utf8'), 4);
    });

  dice.times(0, 2, (index) => {
    files[changeFile(`archive/2026-01-0${index + 1}-old`, 'tasks.md')] = tasksText(dice);
  });
  if (dice.chance(0.15)) files['openspec/config.yaml'] = bend(dice, dice.pick(['schema: spec-driven\n', 'schema: custom\n', 'context: x\n']), 1);
  if (dice.chance(0.4)) files['openspec/schemas/custom/schema.yaml'] = bend(dice, CUSTOM_SCHEMA, dice.pick([0, 0, 0, 1]));
  return files;
}
