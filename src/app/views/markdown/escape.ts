/** Longer texts are cut: what stays is enough to find the object. */
const LONGEST_NAME = 200;
const LONGEST_TEXT = 1000;

/**
 * A text that stays text in Markdown and in HTML, on one line: nothing in it can begin a heading, a table, a list, HTML, a link, an
 * image, a mention of a person or a reference to an issue. What stands for Markdown is written as a character reference, which
 * never has a meaning there. GitHub and GitLab look for mentions and addresses in the text of the finished page as well; an
 * element of its own for their first character parts it from the rest.
 */
export const mdText = (text: string, longest = LONGEST_TEXT): string =>
  escaped(text, longest, MEANINGFUL, /[&~!$#@%^:.-]/);

/** The same in the type of code, for names and places. Nobody looks for references there, but for addresses. */
export const mdCode = (text: string): string =>
  `<code>${escaped(text, LONGEST_NAME, MEANINGFUL_IN_CODE, /[@:.]/)}</code>`;

/**
 * With lookarounds for what has a meaning only between certain characters, `://`, `www.`, `:emoji:`, `GH-1`, or where a line
 * begins: `1.`, `1)`, `-`, `+`, `=`.
 */
const MEANINGFUL =
  /[&<>*_[\]|~\\`!$#@%^{}]|:(?=\/\/|[\w+-]+:)|(?<=\bwww)\.|(?<=\bGH)-(?=\d)|(?<=^\s*\d{1,9})[.)]|(?<=^\s*)[-+=]/gi;
const MEANINGFUL_IN_CODE = /[&<>*_[\]|~\\`!$@]|:(?=\/\/)|(?<=\bwww)\./gi;

/** `apart`: characters that get an element of their own. */
const escaped = (text: string, longest: number, meaningful: RegExp, apart: RegExp): string =>
  cut(text.replaceAll(/\s*\n\s*/g, ' '), longest).replaceAll(meaningful, (found) =>
    apart.test(found) ? `<span>${referenceOf(found)}</span>` : referenceOf(found),
  );

/** A character that never begins a list or a quote, even where a line begins. */
export const referenceOf = (character: string): string => `&#${character.charCodeAt(0)};`;

/** Never in the middle of a character of two halves. */
const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')} ...`;

/** A block of code. Its fence is longer than any run of backticks in it, so nothing in it can end it. */
export function fenced(language: string, lines: readonly string[]): string {
  const body = lines.join('\n');
  const runs = [...body.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}${language}\n${body}\n${fence}`;
}

/** Something to be opened. `title` is Markdown already. */
export const foldable = (title: string, ...blocks: readonly string[]): string =>
  `\n<details><summary>${title}</summary>\n\n${blocks.map((block) => `${block}\n\n`).join('')}</details>\n\n`;
