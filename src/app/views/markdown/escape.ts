/** Longer texts are cut: the rest is enough to find the object. */
const LONGEST_NAME = 200;
const LONGEST_TEXT = 1000;

/**
 * Escapes a text for one line of Markdown and HTML: nothing in it can begin a heading, a table, a list, HTML, a link,
 * an image, a mention of a person or a reference to an issue. Characters with a meaning in Markdown become character
 * references, which have none. GitHub and GitLab also look for mentions and addresses in the text of the finished page;
 * an own element for their first character separates it from the rest.
 */
export const mdText = (text: string, longest = LONGEST_TEXT): string =>
  escaped(text, longest, MEANINGFUL, /[&~!$#@%^:.-]/);

/** Escapes a name or a place as code, in which nobody looks for references, but for addresses. */
export const mdCode = (text: string): string =>
  `<code>${escaped(text, LONGEST_NAME, MEANINGFUL_IN_CODE, /[@:.]/)}</code>`;

/**
 * Characters with a meaning. Lookarounds cover those with one only between certain characters, `://`, `www.`,
 * `:emoji:`, `GH-1`, or at the beginning of a line: `1.`, `1)`, `-`, `+`, `=`.
 */
const MEANINGFUL =
  /[&<>*_[\]|~\\`!$#@%^{}]|:(?=\/\/|[\w+-]+:)|(?<=\bwww)\.|(?<=\bGH)-(?=\d)|(?<=^\s*\d{1,9})[.)]|(?<=^\s*)[-+=]/gi;
const MEANINGFUL_IN_CODE = /[&<>*_[\]|~\\`!$@]|:(?=\/\/)|(?<=\bwww)\./gi;

/** Replaces `meaningful` characters by references; those that match `apart` get an element of their own. */
const escaped = (text: string, longest: number, meaningful: RegExp, apart: RegExp): string =>
  cut(text.replaceAll(/\s*\n\s*/g, ' '), longest).replaceAll(meaningful, (found) =>
    apart.test(found) ? `<span>${characterReference(found)}</span>` : characterReference(found),
  );

/** Returns a reference to a character, which never begins a list or a quote, even at the beginning of a line. */
export const characterReference = (character: string): string => `&#${character.charCodeAt(0)};`;

/** Cuts a text, but never within a surrogate pair. */
const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')} ...`;

/** A block of code. Its fence is longer than any run of backticks in it, so nothing in it can end it. */
export function fenced(language: string, lines: readonly string[]): string {
  const body = lines.join('\n');
  const runs = [...body.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}${language}\n${body}\n${fence}`;
}

/** A block that opens on a click. `title` is Markdown already. */
export const foldable = (title: string, ...blocks: readonly string[]): string =>
  `\n<details><summary>${title}</summary>\n\n${blocks.map((block) => `${block}\n\n`).join('')}</details>\n\n`;
