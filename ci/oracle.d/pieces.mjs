// Small well-formed documents that the hand-made and the random projects bend out of shape.

export const PURPOSE = 'Says at more than sufficient length what this capability is there for and for whom.';

export const scenario = (name = 'Plain', body = '- **WHEN** it runs\n- **THEN** it works') => `#### Scenario: ${name}\n${body}\n`;

export function requirement(name = 'Alpha', { body = 'The system SHALL work.', scenarios = [scenario()], header = '### Requirement: ' } = {}) {
  return `${header}${name}\n${body}\n\n${scenarios.join('\n')}`;
}

export function spec(requirements = [requirement()], { purpose = PURPOSE, title = '# Thing Specification\n\n' } = {}) {
  return `${title}## Purpose\n${purpose}\n\n## Requirements\n\n${requirements.join('\n')}`;
}

export const section = (operation, ...entries) => `## ${operation} Requirements\n\n${entries.join('\n')}\n`;
export const added = (...entries) => section('ADDED', ...entries);
export const modified = (...entries) => section('MODIFIED', ...entries);
export const removed = (...names) => section('REMOVED', ...names.map((name) => `### Requirement: ${name}\n`));
export const renamed = (...pairs) =>
  section('RENAMED', ...pairs.map(([from, to]) => `- FROM: \`### Requirement: ${from}\`\n- TO: \`### Requirement: ${to}\`\n`));

export const PROPOSAL = '# Change: Do a thing\n\n## Why\nBecause it is needed.\n\n## What Changes\n- **cap:** Add a thing\n\n## Impact\nNone.\n';
export const TASKS = '## 1. Work\n\n- [ ] 1.1 First\n- [x] 1.2 Second\n';

export const specFile = (id) => `openspec/specs/${id}/spec.md`;
export const changeFile = (change, name) => `openspec/changes/${change}/${name}`;
export const deltaFile = (change, id) => changeFile(change, `specs/${id}/spec.md`);

/** One main spec a named content each. */
export const specs = (contents) => Object.fromEntries(Object.entries(contents).map(([id, content]) => [specFile(id), content]));

/** One change a named delta of the capability `cap` each. */
export const deltas = (contents, id = 'cap') =>
  Object.fromEntries(Object.entries(contents).map(([change, content]) => [deltaFile(change, id), content]));

/** One change a named task file each, with a delta that is in order. */
export const taskChanges = (contents, name = 'tasks.md') =>
  Object.fromEntries(
    Object.entries(contents).flatMap(([change, content]) => [
      [deltaFile(change, `new-${change}`), added(requirement())],
      [changeFile(change, name), content],
    ]),
  );
