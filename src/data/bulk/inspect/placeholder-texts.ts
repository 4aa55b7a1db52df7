const PLACEHOLDER =
  /^(?:[-–—~?_.*]+|t\.?b\.?[adc]\.?|n\/a|n\.a\.|#n\/a|todo|desc|x{3,}|-- \S.* --|\((?:any|none|blank)\)|<[a-z ]+>)$/i;
/** As programs write that there is none. */
const WRITTEN = /^(?:None|null|NULL|NaN|nan|unknown)$/;
/** In place of the number of a maker. */
const NO_NUMBER = /^(?:generic|custom|various|any|misc)\b/i;

/** Whether a text stands for no value in any column; words such as "none" are values of some. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text) || WRITTEN.test(text);

/** Whether a text stands for no number among those of makers. */
export const isNoNumber = (text: string): boolean => isPlaceholder(text) || NO_NUMBER.test(text);

/** Reads such texts as empty cells: the `values` of a source for one column. */
export const emptied = (placeholders: ReadonlyMap<string, number>): Readonly<Record<string, ''>> =>
  Object.fromEntries([...placeholders.keys()].map((text) => [text, '']));

/** Without texts of letters that others count on: "XXX" is a name where "XXX1" is one. */
export const withoutCounted = (
  placeholders: ReadonlyMap<string, number>,
  values: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> =>
  new Map([...placeholders].filter(([text]) => !(/^\p{L}+$/u.test(text) && values.has(`${text}1`))));
