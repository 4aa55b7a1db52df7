/**
 * What could make a terminal do or show something else: control characters but line feed and tab, and the marks that
 * change the direction of text. They come from cells, names and answers of the service, which anybody may have written.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Longer texts are cut in the middle: a cell may hold 32,767 characters. */
const LONGEST = 2000;
const HEAD = 300;
const TAIL = 100;

/** A text that is safe to print: `<U+001B>` stands where an escape character stood. */
export const printableText = (text: string): string => text.replaceAll(UNSAFE, codePointOf);

function codePointOf(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/**
 * A text whose lines a runner of GitHub Actions does not take for workflow commands: it reads `::` at the start of a line, after
 * any white space, and the older `##[` anywhere in one.
 */
export const withoutWorkflowCommands = (text: string): string =>
  text.replaceAll(/^(\s*):(?=:)/gm, `$1${codePointOf(':')}`).replaceAll('##[', `##${codePointOf('[')}`);

/** The same for JSON, whose value stays as it is: `[` is escaped, and no line of it begins with `::`. */
export const jsonWithoutWorkflowCommands = (json: string): string => json.replaceAll('##[', '##\\u005b');

/** A value in a message: as JSON writes it, but with backslashes as people type them, as in `Item\\Resistor`. */
export const quoted = (value: unknown): string => JSON.stringify(value).replaceAll('\\\\', '\\');

/** The beginning of a value in a sentence: nobody reads more of it. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/** A value with all its texts safe to print and none too long. What needs no change is the same value, not a copy. */
export function toPrintable<T>(value: T): T {
  if (typeof value === 'string') return shorten(printableText(value)) as T;
  if (Array.isArray(value)) return unlessEqual(value, value.map(toPrintable)) as T;
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  const entries = Object.entries(value);
  const made = entries.map(([key, entry]) => [toPrintable(key), toPrintable(entry)] as const);
  const same = made.every(([key, entry], index) => key === entries[index]?.[0] && entry === entries[index]?.[1]);
  return same ? value : (Object.fromEntries(made) as T);
}

const unlessEqual = (before: readonly unknown[], after: unknown[]): readonly unknown[] =>
  after.every((entry, index) => entry === before[index]) ? before : after;

function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  const length = text.length.toLocaleString('en-US');
  return `${text.slice(0, HEAD)} ... (${length} characters in all) ... ${text.slice(-TAIL)}`;
}
