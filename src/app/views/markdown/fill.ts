/** Something that can be shown in full or in one line; both end their lines. */
export interface Item {
  readonly full: string;
  readonly line: string;
}

/** Items under a heading. */
export interface Section {
  readonly title: string;
  readonly items: readonly Item[];
}

/** What of the items found room. */
export interface Filled {
  readonly text: string;
  /** How many are there in one line only, and how many not at all. */
  readonly shortened: number;
  readonly missing: number;
}

/**
 * As much as fits, in order: all in full; else as many in full as leave room for one line of each other one; else full ones in half
 * of the room, then lines, and the rest is counted.
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

/** The length of the first n texts, from n = 0. */
function sums(texts: readonly string[]): number[] {
  const all = [0];
  for (const text of texts) all.push((all.at(-1) ?? 0) + text.length);
  return all;
}

const at = (all: readonly number[], index: number): number => all[index] ?? 0;

/** The largest count up to `most` that holds; `holds` is true up to some count and false from there. */
function mostThat(most: number, holds: (count: number) => boolean): number {
  let count = 0;
  while (count < most && holds(count + 1)) count += 1;
  return count;
}
