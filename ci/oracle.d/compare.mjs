// What counts as a difference between two answers.
//
// An answer is `{ exit, stdout }`. Wording is never compared: an issue is its level, path, rule and line, a
// failure is its code.
import { isDeepStrictEqual } from 'node:util';
import { ruleOf } from './rules.mjs';

/** Wording inside a failure or a warning. */
const WORDING = new Set(['message', 'fix']);

function parse(answer) {
  try {
    return JSON.parse(answer.stdout);
  } catch {
    return answer.stdout.trim() === '' ? null : undefined;
  }
}

/** Leaves out what may differ: wording, and the block that says where the root came from. */
function comparable(document, anySentences = false) {
  if (document === null || typeof document !== 'object') return document;
  const { root, ...rest } = document;
  const withoutWording = (entry) => Object.fromEntries(Object.entries(entry).filter(([key]) => !WORDING.has(key)));
  if (Array.isArray(rest.status)) rest.status = rest.status.map(({ code }) => code);
  if (rest.message !== undefined) rest.message = typeof rest.message;
  if (Array.isArray(rest.warnings)) rest.warnings = rest.warnings.map(withoutWording);
  // `status` advises in whole sentences; that there is advice, and how much, is compared in any case.
  if (anySentences && rest.nextSteps) rest.nextSteps = rest.nextSteps.length;
  if (anySentences && rest.actionContext) rest.actionContext = { ...rest.actionContext, constraints: rest.actionContext.constraints?.length };
  return rest;
}

const show = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, 200);

/** The first places where two JSON values differ, as `path: theirs | ours`. */
function differingPaths(theirs, ours, at = '', found = []) {
  if (found.length >= 3 || isDeepStrictEqual(theirs, ours)) return found;
  const nested = (value) => value !== null && typeof value === 'object';
  if (nested(theirs) && nested(ours) && Array.isArray(theirs) === Array.isArray(ours)) {
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)]))
      differingPaths(theirs[key], ours[key], `${at}/${key}`, found);
    return found;
  }
  found.push(`${at || '/'}: oracle ${show(theirs)} | ours ${show(ours)}`);
  return found;
}

/** What both kinds of answers have to agree on before one looks inside. */
function compareShape(theirs, ours) {
  const [left, right] = [parse(theirs), parse(ours)];
  if (left === undefined) throw new Error(`the reference printed no JSON: ${theirs.stdout.slice(0, 200)}`);
  const texts = [];
  if (theirs.exit !== ours.exit) texts.push(`exit: oracle ${theirs.exit} | ours ${ours.exit}`);
  if (right === undefined || (left !== null && right === null)) {
    texts.push(`ours printed no JSON: ${show(ours.stdout)} ${show(ours.stderr?.trim() ?? '')}`);
    return { texts };
  }
  return { left, right, texts };
}

/** `list`, `show`, `status` and every failure: the whole document. */
export function compareDocuments(theirs, ours, anySentences) {
  const { left, right, texts } = compareShape(theirs, ours);
  if (left !== undefined) texts.push(...differingPaths(comparable(left, anySentences), comparable(right, anySentences)));
  const listed = left?.changes ?? left?.specs;
  return { items: Math.max(1, Array.isArray(listed) ? listed.length : 1), differences: asOne(texts) };
}

/** One difference an answer or item, whatever the number of things that are wrong with it. */
function asOne(texts, item = '') {
  return texts.length === 0 ? [] : [{ item, text: texts.join('; ') }];
}

const nameOf = (item) => `${item.type}/${item.id}`;

/**
 * Ids in the order of the report. The reference sorts by `localeCompare` alone and its ties (a change and a
 * spec of one name, canonically equal names) come in the order they were finished: those count as one place.
 */
function orderOf(items) {
  const groups = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && last[0].id.localeCompare(item.id) === 0) last.push(item);
    else groups.push([item]);
  }
  return groups.flatMap((group) => group.map(nameOf).sort());
}

const describe = ({ level, path, rule, line }) => `${level} ${path}${line === undefined ? '' : `:${line}`} ${rule}`;

/** Takes equal findings out of both lists; a finding of theirs without a line meets ours with any line. */
function unmatched(theirs, ours) {
  const rest = [...ours];
  const missing = [];
  const byLineFirst = [...theirs].sort((a, b) => (a.line === undefined) - (b.line === undefined));
  for (const issue of byLineFirst) {
    const at = rest.findIndex(
      (other) =>
        other.level === issue.level &&
        other.path === issue.path &&
        other.rule === issue.rule &&
        (issue.line === undefined || other.line === issue.line),
    );
    if (at === -1) missing.push(issue);
    else rest.splice(at, 1);
  }
  return { missing, extra: rest };
}

/** `validate`: items in order, verdicts, findings, totals. `stats` collects findings per rule when given. */
export function compareReports(theirs, ours, stats) {
  const { left, right, texts } = compareShape(theirs, ours);
  if (left === undefined || left === null || !Array.isArray(left.items) || !Array.isArray(right?.items)) {
    if (left !== undefined) texts.push(...differingPaths(comparable(left), comparable(right)));
    return { items: 1, differences: asOne(texts) };
  }
  const [leftOrder, rightOrder] = [orderOf(left.items), orderOf(right.items)];
  if (!isDeepStrictEqual(leftOrder, rightOrder)) {
    const at = leftOrder.findIndex((name, index) => name !== rightOrder[index]);
    const place = at === -1 ? leftOrder.length : at;
    texts.push(`order at ${place}: oracle ${show(leftOrder[place])} | ours ${show(rightOrder[place])}`);
  }
  const totals = ({ summary, version }) => ({ summary, version });
  texts.push(...differingPaths(totals(left), totals(right)));
  const differences = asOne(texts);

  const oursByName = new Map(right.items.map((item) => [nameOf(item), item]));
  for (const item of left.items) {
    const other = oursByName.get(nameOf(item));
    const issues = item.issues.map((issue) => ({ ...issue, rule: ruleOf(issue.message) }));
    if (stats) for (const issue of issues) count(stats.oracle, issue.rule);
    if (!other) {
      differences.push(...asOne(['missing in ours'], nameOf(item)));
      continue;
    }
    if (stats) for (const issue of other.issues) count(stats.ours, issue.rule);
    const { missing, extra } = unmatched(issues, other.issues);
    const parts = [];
    if (item.valid !== other.valid) parts.push(`valid: oracle ${item.valid} | ours ${other.valid}`);
    if (missing.length) parts.push(`oracle only: ${missing.map(describe).join(', ')}`);
    if (extra.length) parts.push(`ours only: ${extra.map(describe).join(', ')}`);
    differences.push(...asOne(parts, nameOf(item)));
  }
  return { items: Math.max(1, left.items.length), differences };
}

export function count(counts, key, by = 1) {
  counts[key] = (counts[key] ?? 0) + by;
}
