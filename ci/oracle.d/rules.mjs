// Which of our rules a message of the reference belongs to.
//
// The reference has no rule ids, only sentences, so each rule is recognised by the shortest fragment that
// nothing else contains. The order matters in two places only: a merge refusal quotes other messages, and
// the root `specs/spec.md` is a special case of an unread delta file.

const SYSTEM_ERROR = /^(EACCES|EISDIR|ELOOP|ENAMETOOLONG|ENOENT|ENOTDIR|EPERM|EINVAL)\b/;

const PATTERNS = [
  ['merge/refused', /^Archive would refuse this delta|^Could not check archive merge/],
  ['merge/lost-scenario', /omits scenario\(s\)/],
  ['merge/unreadable-spec', /^Could not read .* to check the MODIFIED/],

  ['spec/missing-purpose', /must have a Purpose section/],
  ['spec/missing-requirements', /must have a Requirements section/],
  ['spec/no-requirements', /^Spec must have at least one/],
  ['spec/no-scenario', /^Requirement must have at least one scenario/],
  ['spec/delta-header', /^Main spec contains delta header/],
  ['spec/requirement-outside-section', /outside the main ## Requirements/],
  ['spec/duplicate-requirement', /duplicates the requirement declared/],
  ['spec/purpose-placeholder', /still a placeholder/],
  ['spec/purpose-too-brief', /^Purpose section is too brief/],
  ['spec/requirement-too-long', /^Requirement text is very long/],
  // A heading of blanks only ("###" and two spaces) is a requirement without a title to fall back on.
  ['spec/empty-requirement', /^Requirement text cannot be empty/],
  ['spec/no-body', /^Requirement "[^]*must contain SHALL or MUST/],
  ['spec/no-normative-keyword', /^Requirement "[^]*should contain SHALL or MUST/],

  ['delta/root-spec-file', /^Delta spec found at specs\/spec\.md\./],
  ['delta/unread-file', /^Delta spec found at specs\//],
  ['delta/ignored-header', /is ignored by validation\./],
  ['delta/unpaired-rename', /^RENAMED (FROM|TO): "[^]*has no matching/],
  ['delta/orphan-requirement', /which is not a delta section/],
  ['delta/empty-sections', /no requirement entries parsed/],
  ['delta/no-sections', /^No delta sections found/],
  ['delta/duplicate-requirement', /^Duplicate (requirement|FROM|TO) in /],
  ['delta/no-body', /^(ADDED|MODIFIED) "[^]*(is missing requirement text$|must contain SHALL or MUST)/],
  ['delta/no-normative-keyword', /^(ADDED|MODIFIED) "[^]*should contain SHALL or MUST/],
  ['delta/no-scenario', /must include at least one scenario/],
  ['delta/conflicting-sections', /^Requirement present in both|^MODIFIED references old name|^RENAMED TO collides/],
  ['delta/skip-specs-conflict', /^skip_specs is set in .* but spec files exist/],
  ['delta/skip-specs-accepted', /zero deltas accepted$/],
  ['delta/skip-specs-invalid', /the marker is not honored/],
  ['delta/no-deltas', /^Change must have at least one delta/],
  ['delta/nested-change', /is not a change: it is a folder wrapping/],

  ['task/no-checkbox', /^This change counts as 0 tasks/],
  ['task/wrong-group', /^Task "[^]*is under group/],
  ['task/duplicate-id', /^Task ID "[^]*is duplicated/],
  ['task/archived-incomplete', /^\d+ incomplete tasks? \(/],
  ['task/unreadable', /^could not read task file/],

  ['repo/outside-tree', /outside the allowed directory|^Cannot verify dangling symbolic link/],
  ['repo/unreadable', /linked directory cycle/],
  ['repo/unreadable', SYSTEM_ERROR],
];

/** Every rule id this table can give, in its order. */
export const RULES = [...new Set(PATTERNS.map(([rule]) => rule))];

/** The rule of one issue of the reference; an unknown message gets an id that can match nothing of ours. */
export function ruleOf(message) {
  for (const [rule, pattern] of PATTERNS) if (pattern.test(message)) return rule;
  return `UNMAPPED(${message.slice(0, 100)})`;
}
