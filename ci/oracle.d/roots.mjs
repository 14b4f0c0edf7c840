// Where a command can be started: no project, half a project, a project further up, a project that is odd.
import { PROPOSAL, added, changeFile, deltaFile, requirement, spec, specFile } from './pieces.mjs';
import { bulkQuestions, listQuestions, oddQuestions } from './questions.mjs';

const FULL = { [specFile('cap')]: spec(), [deltaFile('one', 'cap')]: added(requirement('New')), [changeFile('one', 'proposal.md')]: PROPOSAL };

const situations = {
  empty: {},
  'empty-openspec': { openspec: null },
  'openspec-file': { openspec: 'a file' },
  'openspec-link': { 'real/specs/cap/spec.md': spec(), openspec: { link: 'real' } },
  'config-only': { 'openspec/config.yaml': 'schema: spec-driven\n' },
  'config-yml': { 'openspec/config.yml': 'schema: spec-driven\n' },
  'config-empty': { 'openspec/config.yaml': '' },
  'config-broken': { 'openspec/config.yaml': 'a: [\n' },
  'config-folder': { 'openspec/config.yaml/x': '' },
  'config-list': { 'openspec/config.yaml': '- a\n' },
  'config-store': { 'openspec/config.yaml': 'store: other\n' },
  'config-store-invalid': { 'openspec/config.yaml': 'store: Not_Kebab\n' },
  'config-store-number': { 'openspec/config.yaml': 'store: 5\n' },
  'config-store-null': { 'openspec/config.yaml': 'store:\n' },
  'config-store-ignored': { 'openspec/config.yaml': 'store: other\n', ...FULL },
  'config-store-number-ignored': { 'openspec/config.yaml': 'store: 5\n', ...FULL },
  'project-md': { 'openspec/project.md': '# x\n' },
  'specs-empty': { 'openspec/specs': null },
  'changes-empty': { 'openspec/changes': null },
  'archive-only': { 'openspec/changes/archive/2026-01-01-x/tasks.md': '- [ ] a\n' },
  'archive-file': { 'openspec/changes/archive': 'a file', ...FULL },
  'specs-file': { 'openspec/specs': 'a file', [deltaFile('one', 'cap')]: added(requirement()) },
  'specs-file-only': { 'openspec/specs': 'a file' },
  'changes-file': { 'openspec/changes': 'a file', [specFile('cap')]: spec() },
  'changes-file-config': { 'openspec/changes': 'a file', 'openspec/config.yaml': 'schema: spec-driven\n' },
  'specs-link': { 'real/cap/spec.md': spec(), 'openspec/specs': { link: '../real' } },
  'specs-link-dangling': { 'openspec/specs': { link: 'nowhere' }, [changeFile('one', 'proposal.md')]: PROPOSAL },
  'changes-link': { 'real/one/proposal.md': PROPOSAL, 'openspec/changes': { link: '../real' } },
  'specs-store': { 'openspec/specs/.openspec-store/store.yaml': 'version: 1\nid: specs\n', [specFile('cap')]: spec() },
  full: FULL,
  'full-empty-parts': { 'openspec/specs': null, 'openspec/changes/archive': null },
};

/** Starts further down; the folders are created when missing. */
const STARTS = {
  'full/deep/down': 'full/deep/down',
  'full/openspec': 'full/openspec',
  'full/openspec/changes/one': 'full/openspec/changes/one',
  'full/inner-empty': 'full/inner-empty',
  'full/inner-config/src': 'full/inner-config/src',
  'full/inner-file': 'full/inner-file',
};

export function rootTree() {
  const files = Object.fromEntries(
    Object.entries(situations).flatMap(([name, content]) => [[name, null], ...Object.entries(content).map(([file, text]) => [`${name}/${file}`, text])]),
  );
  for (const start of Object.values(STARTS)) files[start] ??= null;
  files['full/inner-empty/openspec'] = null;
  files['full/inner-config/openspec/config.yaml'] = 'schema: spec-driven\n';
  files['full/inner-file/openspec'] = 'a file';
  return files;
}

export function rootQuestions() {
  const known = [
    { mode: 'validate ITEM', args: ['validate', 'cap', '--json'], report: true },
    { mode: 'validate ITEM', args: ['validate', 'one', '--json', '--strict'], report: true },
    { mode: 'validate --all --archived', args: ['validate', '--all', '--archived', '--json'], report: true },
    { mode: 'validate --changes --specs', args: ['validate', '--changes', '--specs', '--json'], report: true },
    { mode: 'validate --all ITEM', args: ['validate', 'cap', '--all', '--json'], report: true },
    { mode: 'show', args: ['show', 'cap', '--json'], report: false },
    { mode: 'show', args: ['show', 'one', '--json'], report: false },
    { mode: 'status', args: ['status', '--change', 'one', '--json'], report: false },
  ];
  const questions = [...bulkQuestions(), ...listQuestions(), ...oddQuestions(), ...known];
  return [...Object.keys(situations), ...Object.keys(STARTS)].map((at) => ({ at, questions }));
}
