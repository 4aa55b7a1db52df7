/**
 * Characters that could make a terminal do or show something else: control characters except line feed and tab,
 * direction marks, and invisible characters. They come from cells, names and answers of the service, which anybody may
 * have written. Some scripts need joiners, but not before ASCII.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u200c\u200d](?=[ -~])/g;

/** Longer texts are cut in the middle: a cell may have 32,767 characters. */
const LONGEST = 2000;
const HEAD = 300;
const TAIL = 100;

/** Makes a text safe to print: an escape character becomes `<U+001B>`. */
export const printableText = (text: string): string => text.replaceAll(UNSAFE, codePointOf);

function codePointOf(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/**
 * Escapes workflow commands, so that a runner of GitHub Actions ignores them: it reads `::` at the start of a line,
 * after any white space, and the older `##[` anywhere in a line.
 */
export const withoutWorkflowCommands = (text: string): string =>
  text.replaceAll(/^(\s*):(?=:)/gm, `$1${codePointOf(':')}`).replaceAll('##[', `##${codePointOf('[')}`);

/** Escapes workflow commands in JSON and keeps its value: `[` is escaped, and no line begins with `::`. */
export const jsonWithoutWorkflowCommands = (json: string): string => json.replaceAll('##[', '##\\u005b');

/** Quotes a value for a message as JSON does, but with single backslashes, as in `Item\Resistor`. */
export const quoted = (value: unknown): string => JSON.stringify(value).replaceAll('\\\\', '\\');

/** Shortens a value in a sentence to its beginning. */
export const excerpt = (text: string, most = 60): string =>
  text.length > most ? `${text.slice(0, most - 3)}...` : text;

/** Shortens two values in a sentence so that their first difference stays visible. */
export function excerpts(before: string, after: string, most = 60): readonly [before: string, after: string] {
  if (before.length <= most && after.length <= most) return [before, after];
  const least = Math.min(before.length, after.length);
  let same = 0;
  while (same < least && before[same] === after[same]) same += 1;
  // A third of the length is for the text before the difference.
  const lead = Math.floor(most / 3);
  const first = same < most - lead ? 0 : same - lead;
  const cut = (text: string): string => {
    const last = text.length - first > most ? first + most : text.length;
    return `${first > 0 ? '...' : ''}${wholeCharacters(text.slice(first, last))}${last < text.length ? '...' : ''}`;
  };
  return [cut(before), cut(after)];
}

/** Removes halves of characters at both ends. */
const wholeCharacters = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');

/** Makes all texts in a value safe to print and short enough. Returns the same value if nothing must change. */
export const toPrintable = <T>(value: T): T => (isPrintable(value) ? value : (printableCopy(value) as T));

/** Whether a value can be printed as it is; nearly all can. */
function isPrintable(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONGEST && value.search(UNSAFE) < 0;
  if (typeof value !== 'object' || value === null || value instanceof Map) return true;
  if (Array.isArray(value)) return value.every(isPrintable);
  const members = value as Readonly<Record<string, unknown>>;
  return Object.keys(members).every((key) => isPrintable(key) && isPrintable(members[key]));
}

function printableCopy(value: unknown): unknown {
  if (typeof value === 'string') return shorten(printableText(value));
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  if (Array.isArray(value)) return value.map(printableCopy);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [printableCopy(key), printableCopy(entry)]));
}

function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  const length = text.length.toLocaleString('en-US');
  return `${text.slice(0, HEAD)} ... (${length} characters in all) ... ${text.slice(-TAIL)}`;
}
