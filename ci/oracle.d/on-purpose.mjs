// Where specward decides otherwise than the reference, and why. Only made-up trees: nothing real may stand here.

const ON_PURPOSE = [
  {
    reason: 'a spec.md that links out of its place fails that item only; the reference gives up on the whole run',
    tree: /^(synthetic\/spec-link-(absolute|loop|outside)|cases\/battery-44-symlink-escape)$/,
  },
  {
    reason: 'a main spec behind a link is named by what is wrong with it; the reference gives up on the change',
    tree: /^synthetic\/spec-links$/,
    item: /^change\/modifies-(dangling|inside|link-to-folder)$/,
  },
  {
    reason: 'extended globs in schemas (negation, alternatives in parentheses) are not read',
    tree: /^synthetic\/schemas$/,
    item: /^change\/tracks-glob-negated$/,
    text: /^\/changes\/\d+\/(completedTasks|totalTasks|status): /,
    args: /--change tracks-glob-(negated|ext|negated-bare)\b/,
  },
  {
    reason: 'status looks at what is there; a link in a circle or to a folder is told by validate and verify',
    tree: /^synthetic\/unread$/,
    args: /^status --change (spec-link-loop|link-folder) /,
    item: /^$/,
  },
];

/** Sums over a tree in which an item differs on purpose. */
const SUMS = /^\/summary\//;

/** Whether a difference is one of those that are meant. */
export function isOnPurpose({ tree, item, text, args }) {
  return ON_PURPOSE.some((known) => {
    if (!known.tree.test(tree)) return false;
    if (known.args?.test(args.join(' '))) return true;
    return !(known.item || known.args) || Boolean(known.item?.test(item) && item) || SUMS.test(text) || Boolean(known.text?.test(text));
  });
}
