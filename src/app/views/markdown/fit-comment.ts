/** The longest comment that GitHub accepts; GitLab accepts longer ones. */
export const MOST_CHARACTERS = 65_536;

/** An entry in full and in one line; both end their lines. */
export interface Item {
  readonly full: string;
  readonly line: string;
}

/** Items under a heading. */
export interface Section {
  readonly title: string;
  readonly items: readonly Item[];
}

/** The items that fit. */
export interface Filled {
  readonly text: string;
  /** How many are shown in one line only, and how many not at all. */
  readonly shortened: number;
  readonly missing: number;
}

/**
 * Shows as much as fits, in order: all in full; or as many in full as leave room for one line of each other one; or
 * full ones in half of the room, then lines, and counts the rest.
 */
export function fill(sections: readonly Section[], room: number): Filled {
  const items = sections.flatMap(withHeading);
  const [full, lines] = [sums(items.map((item) => item.full)), sums(items.map(({ line }) => line))];
  const all = lines.at(-1) ?? 0;
  const isRoomForAll = all <= room;
  const fits = (count: number): boolean =>
    isRoomForAll ? at(full, count) + all - at(lines, count) <= room : at(full, count) <= room / 2;
  const whole = mostThat(items.length, fits);
  const left = room - at(full, whole) + at(lines, whole);
  const shown = Math.max(
    whole,
    mostThat(items.length, (count) => at(lines, count) <= left),
  );
  const text = items.slice(0, shown).map((item, index) => (index < whole ? item.full : item.line));
  return { text: text.join(''), shortened: shown - whole, missing: items.length - shown };
}

const withHeading = ({ title, items }: Section): Item[] =>
  items.map((item, index) => (index > 0 ? item : { full: heading(title, item.full), line: heading(title, item.line) }));

const heading = (title: string, text: string): string => `\n### ${title}\n\n${text}`;

/** Returns the total length of the first n texts, from n = 0. */
function sums(texts: readonly string[]): number[] {
  const all = [0];
  for (const text of texts) all.push((all.at(-1) ?? 0) + text.length);
  return all;
}

const at = (all: readonly number[], index: number): number => all[index] ?? 0;

/** Finds the largest count up to `most` that holds; `holds` is true up to some count and false from there. */
function mostThat(most: number, holds: (count: number) => boolean): number {
  let count = 0;
  while (count < most && holds(count + 1)) count += 1;
  return count;
}
