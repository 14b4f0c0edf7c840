// Hand-made main specs: what a line, a heading, a fence or a length can look like. No tree in the wild has these.
import { PURPOSE, requirement, scenario, spec, specs } from './pieces.mjs';

// Spaces that languages disagree about: JavaScript's `\s` has all but the last four.
const BLANKS = {
  tab: '\t',
  vt: '\v',
  ff: '\f',
  nbsp: '\u00a0',
  ogham: '\u1680',
  thin: '\u2009',
  line: '\u2028',
  paragraph: '\u2029',
  narrow: '\u202f',
  ideographic: '\u3000',
  bom: '\ufeff',
  next: '\u0085',
  zero: '\u200b',
  vowel: '\u180e',
  separator: '\u001f',
};

const ASTRAL = '\u{1f600}';

const eachBlank = (make) => Object.fromEntries(Object.entries(BLANKS).map(([name, blank]) => [name, make(blank)]));

const prefixed = (prefix, contents) => Object.fromEntries(Object.entries(contents).map(([name, content]) => [`${prefix}-${name}`, content]));

const headings = {
  ...prefixed('after-hashes', eachBlank((b) => spec().replaceAll('# ', `#${b}`))),
  ...prefixed('doubled', eachBlank((b) => spec().replaceAll('# ', `#${b}${b}`))),
  ...prefixed('trailing', eachBlank((b) => spec().replace('## Purpose', `## Purpose${b}`).replace('## Requirements', `## Requirements${b}`))),
  ...prefixed('inside', eachBlank((b) => spec([requirement(`Al${b}pha`), requirement('Al pha')]))),
  ...prefixed('name-end', eachBlank((b) => spec([requirement(`Alpha${b}`), requirement('Alpha')]))),
  ...prefixed('closing', eachBlank((b) => spec([requirement(`Alpha${b}##`), requirement('Alpha')]))),
  ...prefixed('only-body', eachBlank((b) => spec([requirement('Alpha', { body: b })]))),
  ...prefixed('only-purpose', eachBlank((b) => spec(undefined, { purpose: b }))),
  ...prefixed('only-scenario', eachBlank((b) => spec([requirement('Alpha', { scenarios: [scenario('Blank', b)] })]))),
  ...prefixed('indent', eachBlank((b) => spec().replace('### Requirement', `${b}### Requirement`))),
  ...prefixed('leading', eachBlank((b) => b + spec())),
  ...prefixed('empty-title', eachBlank((b) => spec([`###${b}${b}\nThe system SHALL work.\n\n${scenario()}`]))),
  ...prefixed('empty-all', eachBlank((b) => spec([`### ${b}\n\n${scenario()}`]))),
  'no-space': spec().replaceAll('# ', '#'),
  'no-space-3': spec().replaceAll('### ', '###'),
  seven: spec().replaceAll('#### ', '####### '),
  'level-1': spec().replace('## Purpose', '# Purpose').replace('## Requirements', '# Requirements'),
  'level-3': spec().replace('## Purpose', '### Purpose').replace('## Requirements', '### Requirements'),
  'level-4-requirement': spec().replace('### Requirement:', '#### Requirement:'),
  'level-5-scenario': spec().replace('#### Scenario:', '##### Scenario:'),
  'level-3-scenario': spec().replace('#### Scenario:', '### Scenario:'),
  lower: spec().toLowerCase(),
  upper: spec().toUpperCase(),
  'long-s': spec().replace('## Requirements', '## Requirement\u017f'),
  'dotted-i': spec().replace('## Requirements', '## Requ\u0130rements'),
  'full-width-colon': spec([requirement('Alpha', { header: '### Requirement\uff1a' })]),
  'full-width-hash': spec().replaceAll('#', '\uff03'),
  'indent-1': spec().replaceAll(/^#/gm, ' #'),
  'indent-4': spec().replaceAll(/^#/gm, '    #'),
  quoted: spec().replaceAll(/^#/gm, '> #'),
  setext: 'Purpose\n=======\n\nText.\n\nRequirements\n------------\n',
  'closed-headings': spec([requirement('Alpha ###', { scenarios: [scenario('One ####')] })]).replace('## Purpose', '## Purpose ##'),
  'closed-requirements': spec().replace('## Requirements', '## Requirements ##'),
  'name-c-sharp': spec([requirement('Speak C#'), requirement('Speak C')]),
  'name-only-hashes': spec([requirement('##'), requirement(' ##')]),
  'name-empty': spec(['### Requirement:\nThe system SHALL work.\n', '### Requirement: \nThe system SHALL work.\n', '### Requirement:  \n']),
  'name-escapes': spec([requirement('Quote " \\ \u0007 bell')]),
  'requirement-twice': spec([requirement('Alpha'), requirement('alpha'), requirement('Alpha'), requirement('Alpha')]),
  'requirement-no-colon': spec([requirement('Alpha', { header: '### Requirement ' })]),
  'requirement-spaced-colon': spec([requirement('Alpha', { header: '### Requirement : ' })]),
  'requirement-glued': spec([requirement('Alpha', { header: '###Requirement:' })]),
  'requirement-wide': spec([requirement('Alpha', { header: '###   requirement:\t' })]),
};

const sections = {
  'purpose-twice': `${spec()}\n## Purpose\nAnother.\n`,
  'purpose-empty-then-full': `## Purpose\n\n${spec()}`,
  'requirements-twice': `${spec()}\n## Requirements\n\n${requirement('Beta')}`,
  'requirements-first': `## Requirements\n\n${requirement()}\n## Purpose\n${PURPOSE}\n`,
  'requirements-nested': `# A\n## Purpose\n${PURPOSE}\n### Requirements\n#### Requirement: Alpha\nSHALL.\n##### Scenario: One\n- x\n`,
  'purpose-nested-in-requirements': `## Requirements\n### Purpose\n${PURPOSE}\n${requirement()}`,
  'no-purpose': spec().replace('## Purpose', '## Goal'),
  'no-requirements': spec().replace('## Requirements', '## Demands'),
  neither: 'Just prose.\n',
  'title-only': '# Title\n',
  empty: '',
  blank: ' \n\t\n\n',
  'requirements-empty': spec([]),
  'requirements-prose': spec(['Prose, no heading.\n']),
  'requirement-outside-before': `${requirement('Early')}\n${spec()}`,
  'requirement-outside-after': `${spec()}\n## Notes\n\n${requirement('Late')}`,
  'requirement-outside-twice': `${spec()}\n## Notes\n\n${requirement('Alpha')}\n${requirement('Alpha')}`,
  'delta-headers': `${spec()}\n## ADDED Requirements\n\n${requirement('Beta')}\n## modified  requirements\n## Removed Requirements x\n## RENAMED\tRequirements \n`,
  'delta-inside': spec([requirement('Alpha'), '## ADDED Requirements', requirement('Alpha')]),
  'delta-only': `## ADDED Requirements\n\n${requirement()}`,
  'purpose-heading-inside': spec(undefined, { purpose: `${PURPOSE}\n\n### Detail\nMore.` }),
  'purpose-only-heading': spec(undefined, { purpose: '### Detail\nMore than fifty characters of prose below a heading in Purpose.' }),
  'children-not-requirements': spec(['### Overview\nProse.\n', requirement('Beta'), '### Notes\n', requirement('Gamma', { scenarios: [] })]),
  'heading-levels-jump': spec(['##### Deep\nText SHALL.\n###### Deeper\n- x\n', requirement('Beta')]),
  'scenario-levels': spec([requirement('Alpha', { scenarios: ['##### Scenario: Deep\n- x\n', '#### Plain heading\n- y\n'] })]),
  'scenario-bare': spec([requirement('Alpha', { scenarios: ['#### Scenario: Bare\n', '#### Scenario: Also bare\n\n##### Inner\n'] })]),
  'scenario-heading-1': spec([requirement('Alpha', { scenarios: ['#### Scenario: Cut\n# Top\n- x\n'] }), requirement('Beta')]),
  'body-metadata': spec([
    requirement('Only metadata', { body: '**ID**: 7\n**Rule**: The system MUST do.' }),
    requirement('Metadata and text', { body: '**ID**: MUST 7\nPlain text.' }),
    requirement('Odd metadata', { body: '**ID:** MUST\n **A*B**: x\n**: SHALL' }),
  ]),
  'body-keywords': spec(
    ['shall', 'SHALLOW', 'MUSTn', 'MUST_', 'MUST-have', '(SHALL)', '**MUST**', 'DEVE', '\u00e9MUST', 'MUST\u00e9', '\u4e0bSHALL\u4e0b', '`SHALL`', 'x\u2028SHALL'].map(
      (word, index) => requirement(`R${index}`, { body: `It ${word} be.` }),
    ),
  ),
  'keyword-in-header-only': spec([requirement('The system SHALL work', { body: '' }), requirement('MUST too', { body: 'No keyword.' })]),
  'keyword-in-fence': spec([requirement('Alpha', { body: '```\nSHALL\n```' }), requirement('Beta', { body: '```\nSHALL\n```\nText.' })]),
  'body-after-scenario': spec([`### Requirement: Alpha\n\n${scenario()}\nThe system SHALL work.\n`]),
  'body-stray-heading': spec(['### Requirement: Alpha\n##### Note\nThe system SHALL work.\n\n#### Scenario: X\n- x\n']),
};

const repeat = (count, text = 'a') => text.repeat(count);
const lengths = {
  ...Object.fromEntries([48, 49, 50, 51].map((size) => [`purpose-${size}`, spec(undefined, { purpose: repeat(size) })])),
  ...Object.fromEntries([24, 25].map((size) => [`purpose-astral-${size}`, spec(undefined, { purpose: repeat(size, ASTRAL) })])),
  'purpose-cjk-49': spec(undefined, { purpose: repeat(49, '\u4e2d') }),
  'purpose-cjk-50': spec(undefined, { purpose: repeat(50, '\u4e2d') }),
  'purpose-lone-surrogate-bytes': Buffer.concat([Buffer.from('## Purpose\n'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from(`${repeat(47)}\n\n## Requirements\n${requirement()}`)]),
  'purpose-padded': spec(undefined, { purpose: `\u00a0\ufeff${repeat(49)}\u3000\u2028` }),
  'purpose-fence': spec(undefined, { purpose: `\`\`\`\n${PURPOSE}\n\`\`\`` }),
  ...Object.fromEntries([489, 490, 500, 501].map((size) => [`text-${size}`, spec([requirement('A', { body: `SHALL ${repeat(size - 6)}` })])])),
  ...Object.fromEntries([247, 248].map((size) => [`text-astral-${size}`, spec([requirement('A', { body: `SHALL${repeat(size, ASTRAL)}` })])])),
  'text-lines-500': spec([requirement('A', { body: `SHALL\n${repeat(247)}\n\n\n  ${repeat(246)}  ` })]),
  'text-lines-501': spec([requirement('A', { body: `SHALL\n${repeat(247)}\n\n\n  ${repeat(247)}  ` })]),
  'text-header-501': spec([`### Requirement: ${repeat(488)}\n\n${scenario()}`, `### Requirement: ${repeat(487)}\n\n${scenario()}`]),
};

const ARCHIVE_PURPOSE = (change) => `TBD - created by archiving change ${change}. Update Purpose after archive.`;
const purposes = Object.fromEntries(
  [
    'TBD', 'tbd', 'TBD.', 'tbd.', 'TBD text follows', 'tbd text follows', 'TODO: x', 'todo - write', 'Todo el sistema debe funcionar siempre y para todos.', 'todo',
    'TODO\u0661', 'TODO\u0301', 'TODO_', 'TODOs', 'TBD1', 'TBD\u00a0x', 'tbd\u00a0:', 'tbd\t: x', 'tbd \u2013 x', 'tbd\u2014', 'tbd (x)', 'tbd]', 'tbd/', 'tbd!', 'tbd?',
    'tbd\nmore text that makes this long enough to pass the other check', `${PURPOSE}\nTBD`, '- TBD', '**TBD**', '<!-- TBD -->', 'T\u200bBD', '\uff34\uff22\uff24',
    'tbd\u2028x', 'tbd\r', '```\nTBD\n```', '```\nfence\n```\nTBD', '~~~\nx\n~~~\n\n  tbd:', '### TBD', ' TBD', '\u00a0TBD', '\u0085TBD', 'TB\u0130', 'TBD\u{1d400}', 'tbd\u{1f600}',
    ARCHIVE_PURPOSE('`x`'), `${PURPOSE}\n\n${ARCHIVE_PURPOSE('x')}`, `Prefix TBD - created by archiving change ${ARCHIVE_PURPOSE('y')}`,
    'TBD - created by archiving change x', `x. Update Purpose after archive. ${PURPOSE}`, `TBD - created by archiving change a\nb. Update Purpose after archive.`,
    `\`\`\`\n${ARCHIVE_PURPOSE('x')}\n\`\`\`\n${PURPOSE}`, `${PURPOSE}\n\`\`\`\nfence\n\`\`\`\ncreated TBD - created by archiving change q\n\nz. Update Purpose after archive.`,
  ].map((purpose, index) => [`p${String(index).padStart(2, '0')}`, spec(undefined, { purpose })]),
);
const purposeHeaders = Object.fromEntries(
  ['# Purpose', '### Purpose', '## purpose', '  ## Purpose', '##  Purpose  ', '##\tPurpose', '##\u00a0Purpose', '## Purpose ##'].flatMap((header, index) => [
    [`h${index}-tbd`, spec(undefined, { purpose: 'TBD' }).replace('## Purpose', header)],
    [`h${index}-archive`, spec(undefined, { purpose: ARCHIVE_PURPOSE('x') }).replace('## Purpose', header)],
  ]),
);
purposeHeaders['real-after-other'] = `   ## Purpose\nReal prose that an indented heading opens, quite long.\n${spec(undefined, { purpose: 'TBD' })}`;
purposeHeaders['real-after-fence'] = `\`\`\`\n## Purpose\n\`\`\`\n${spec(undefined, { purpose: '```\nx\n```\n\nTBD' })}`;
purposeHeaders['cut-by-title'] = spec(undefined, { purpose: '  # Not a section\nTBD' });

const fenced = (open, close = open, inside = '### Requirement: Fenced\n#### Scenario: Fenced\n- x') => `${open}\n${inside}\n${close}\n`;
const fences = Object.fromEntries(
  Object.entries({
    backticks: fenced('```'),
    tildes: fenced('~~~'),
    four: fenced('````', '````', '```\n### Requirement: In\n```'),
    'four-closed-by-three': fenced('````', '```'),
    'three-closed-by-five': fenced('```', '`````'),
    'info-string': fenced('```markdown', '```'),
    'info-on-close': fenced('```', '``` end'),
    'mixed-markers': fenced('```', '~~~'),
    'mixed-run': fenced('``~', '```'),
    indented: fenced('      ```', '\t```'),
    'after-bullet': fenced('- ```', '  ```'),
    quoted: fenced('> ```', '> ```'),
    inline: '```not a fence``` SHALL text\n',
    'inline-tilde': '~~~x~~~\n',
    'space-before-close': fenced('```', '\u00a0\u3000```\u00a0'),
    'next-line-indent': fenced('\u0085```', '```'),
    'bom-indent': fenced('\ufeff```', '\ufeff```'),
    unclosed: '```\n',
    'unclosed-tilde': '~~~\n',
    'close-missing-eol': '```\n```',
    two: '``\n### Requirement: Two\n``\n',
  }).flatMap(([name, fence]) => [
    [`${name}-body`, spec([requirement('Alpha', { body: `The system SHALL work.\n${fence}` }), requirement('Beta')])],
    [`${name}-purpose`, spec([requirement()], { purpose: `${PURPOSE}\n${fence}` })],
    [`${name}-scenario`, spec([requirement('Alpha', { scenarios: [scenario('One', fence), scenario('Two')] }), requirement('Alpha')])],
    [`${name}-between`, spec([fence, requirement('Alpha'), fence, '## ADDED Requirements', requirement('Beta')])],
  ]),
);

const bytes = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const BOM = [0xef, 0xbb, 0xbf];
const twice = spec([requirement('Alpha'), requirement('Alpha')]);
const encodings = {
  bom: bytes(BOM, twice),
  'bom-crlf': bytes(BOM, twice.replaceAll('\n', '\r\n')),
  'bom-twice': bytes(BOM, BOM, twice),
  'bom-purpose-first': bytes(BOM, spec(undefined, { title: '' })),
  'bom-purpose-tbd': bytes(BOM, spec(undefined, { title: '', purpose: 'TBD' })),
  'bom-requirements-first': bytes(BOM, `## Requirements\n\n${requirement()}\n## Purpose\n${PURPOSE}\n`),
  'bom-delta-first': bytes(BOM, `## ADDED Requirements\n\n${spec()}`),
  'bom-requirement-first': bytes(BOM, `### Requirement: Early\n${spec()}`),
  'bom-inside': spec().replace('## Requirements', '\ufeff## Requirements'),
  'bom-fence-first': bytes(BOM, '```\n', spec()),
  'bom-only': bytes(BOM),
  crlf: twice.replaceAll('\n', '\r\n'),
  cr: twice.replaceAll('\n', '\r'),
  'crlf-mixed': twice.replaceAll('\n\n', '\r\n\r'),
  'cr-cr-lf': twice.replaceAll('\n', '\r\r\n'),
  'crlf-purpose-tbd': spec(undefined, { purpose: 'TBD' }).replaceAll('\n', '\r\n'),
  'cr-purpose-archive': spec(undefined, { purpose: ARCHIVE_PURPOSE('x') }).replaceAll('\n', '\r'),
  'no-final-newline': spec().trimEnd(),
  'many-final-newlines': `${spec()}\n\n\n\n`,
  nul: spec().replace('Alpha', 'Al\0pha').replace('works', '\0'),
  'nul-only': '\0',
  'nul-heading': spec().replace('## Requirements', '## Requirements\0'),
  'invalid-utf8': bytes(spec().replace('Alpha', 'Al'), [0xff, 0xfe, 0x80], '\n'),
  'invalid-utf8-names': bytes(spec([requirement('A')]), '### Requirement: X', [0xff], '\nSHALL\n#### S\n- x\n### Requirement: X', [0xfe], '\nSHALL\n#### S\n- x\n'),
  'truncated-utf8': bytes(spec(), [0xe4, 0xb8]),
  'overlong-utf8': bytes(`## Purpose\n${repeat(46)}`, [0xc0, 0xaf], '\n## Requirements\n', requirement()),
  'truncated-in-purpose': bytes(`## Purpose\n${repeat(49)}`, [0xf0, 0x9f, 0x98], '\n## Requirements\n', requirement()),
  'utf16-le': Buffer.from(`\ufeff${spec()}`, 'utf16le'),
  'latin-1': Buffer.from(spec([requirement('Gr\u00f6\u00dfe')]), 'latin1'),
};

export const specProjects = [
  { name: 'headings', files: specs(headings) },
  { name: 'sections', files: specs(sections) },
  { name: 'lengths', files: specs(lengths) },
  { name: 'purposes', files: specs({ ...purposes, ...purposeHeaders }) },
  { name: 'fences', files: specs(fences) },
  { name: 'encodings', files: specs(encodings) },
];
