// What both programs are asked about one project.
//
// A question is `{ mode, args, report }`: the line of the result it counts for, the arguments, and whether the
// answer is a validation report (compared finding by finding) or any other document (compared as a whole).

const validate = (mode, ...args) => ({ mode: `validate ${mode}`.trim(), args: ['validate', ...args, '--json'], report: true });
const document = (mode, ...args) => ({ mode, args: [...args, '--json'], report: false });

// Names beginning with a dash would be read as options by either program.
const askable = (name) => !name.startsWith('-');

/** Requests that have to be refused, or that go around the list of known names. */
export function oddQuestions() {
  const unknown = 'no-such-item';
  return [
    validate('refusals', unknown),
    validate('refusals', unknown, '--type', 'change'),
    validate('refusals', unknown, '--type', 'spec', '--strict'),
    validate('refusals', '../escape', '--type', 'change'),
    validate('refusals', 'one/../two', '--type', 'spec'),
    validate('refusals', ''),
    validate('refusals', '.', '--type', 'change'),
    validate('refusals', 'archive'),
    validate('refusals', 'archive', '--type', 'change'),
    validate('refusals', unknown, '--type', 'nonsense'),
    validate('refusals'),
    document('show refusals', 'show', unknown),
    document('show refusals', 'show', unknown, '--type', 'change'),
    document('show refusals', 'show', unknown, '--type', 'spec'),
    document('show refusals', 'show', '../../escape', '--type', 'change'),
    document('show refusals', 'show', '../../escape', '--type', 'spec'),
    document('status refusals', 'status', '--change', unknown),
    document('status refusals', 'status', '--change', '../escape'),
    document('status refusals', 'status', '--change', '.hidden'),
    document('status refusals', 'status', '--change', 'archive'),
    document('status refusals', 'status'),
  ];
}

export function listQuestions() {
  return [
    document('list', 'list'),
    document('list --sort name', 'list', '--sort', 'name'),
    document('list --specs', 'list', '--specs'),
  ];
}

/** The validations of a whole project. */
export function bulkQuestions() {
  return [
    validate('--all --strict', '--all', '--strict'),
    validate('--all', '--all'),
    validate('--changes', '--changes', '--strict'),
    validate('--specs', '--specs'),
    validate('--archived', '--archived'),
  ];
}

/** Validation of single items: the exit code of one, and names that fit both a change and a spec. */
export function singleQuestions({ changes, specs }, dice, size) {
  const names = dice.sample([...new Set([...changes, ...specs])].filter(askable), size);
  const both = changes.filter((name) => specs.includes(name) && askable(name)).slice(0, 3);
  return [
    ...names.map((name) => validate('ITEM', name, ...(dice.chance(0.5) ? ['--strict'] : []))),
    ...both.flatMap((name) => [
      validate('ITEM', name),
      validate('ITEM', name, '--type', 'change'),
      validate('ITEM', name, '--type', 'spec'),
      document('show', 'show', name, '--type', 'change'),
      document('show', 'show', name, '--type', 'spec'),
    ]),
  ];
}

/**
 * `show` of every item and `status` of every change; on a sample `show` with the options that cut its answer, and
 * on one spec (when the sample is big enough) the odd values of these options.
 */
export function itemQuestions({ changes, specs }, dice, size) {
  const [someChanges, someSpecs] = [dice.sample(changes.filter(askable), size), dice.sample(specs.filter(askable), size)];
  const cut = (name, ...options) => document('show OPTIONS', 'show', name, ...options);
  return [
    ...[...specs, ...changes].filter(askable).map((name) => document('show', 'show', name)),
    ...changes.filter(askable).map((name) => document('status', 'status', '--change', name)),
    ...someChanges.flatMap((name) => [cut(name, '--deltas-only'), cut(name, '--type', 'change')]),
    ...someSpecs.flatMap((name) => [
      cut(name, '--requirements'),
      cut(name, '--no-scenarios'),
      cut(name, '-r', '1'),
      cut(name, '-r', '9999'),
    ]),
    ...someSpecs.slice(1, 2).flatMap((name) => [
      cut(name, '-r', '2', '--no-scenarios'),
      cut(name, '-r', '1', '--requirements'),
      cut(name, '-r', '0'),
      cut(name, '-r', '1x'),
      cut(name, '-r', 'x'),
      cut(name, '--type', 'spec'),
      cut(name, '--type', 'change'),
    ]),
  ];
}
