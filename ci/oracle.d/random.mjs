// Reproducible choices: everything random in a run follows from its seed and the name of the tree.

/** A generator of numbers in [0, 1) for a seed of any text (FNV-1a into mulberry32). */
export function randomFrom(seedText) {
  let state = 0x811c9dc5;
  for (const unit of seedText) state = Math.imul(state ^ unit.codePointAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Choices on top of a generator. */
export class Dice {
  constructor(seedText) {
    this.next = randomFrom(seedText);
  }
  below(limit) {
    return Math.floor(this.next() * limit);
  }
  between(low, high) {
    return low + this.below(high - low + 1);
  }
  chance(probability) {
    return this.next() < probability;
  }
  pick(list) {
    return list[this.below(list.length)];
  }
  /** Up to `size` members, in random order. */
  sample(list, size) {
    const rest = [...list];
    const taken = [];
    while (taken.length < size && rest.length > 0) taken.push(...rest.splice(this.below(rest.length), 1));
    return taken;
  }
  times(low, high, make) {
    return Array.from({ length: this.between(low, high) }, (_, index) => make(index));
  }
}
