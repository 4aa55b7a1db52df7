import { CONCURRENT, elide } from './elide.js';

/** A command as it is typed, and what the page says that it writes. */
export interface Exchange {
  readonly command: string;
  readonly output: string;
}

/** The commands of a block of language `console`: each begins with `$ `, and goes on after a backslash. */
export function parseDialogue(text: string): Exchange[] {
  return text
    .split(/^(?=\$ )/m)
    .filter((part) => part.startsWith('$ '))
    .map((part) => {
      const [command = ''] = /^(?:.*\\\n)*.*\n/.exec(part) ?? [];
      return { command: command.slice(2).trimEnd(), output: part.slice(command.length) };
    });
}

/**
 * The block with what its commands wrote now. What differs only in times, GUIDs and the like stays as it is, so that pages
 * change with the program alone.
 */
export const writeDialogue = (exchanges: readonly Exchange[], outputs: readonly string[]): string =>
  exchanges.map(({ command, output }, index) => `$ ${command}\n${shown(output, outputs[index] ?? '')}`).join('');

function shown(before: string, now: string): string {
  const kept = linesOf(before);
  const lines = elide(linesOf(blankAtEndRemoved(now)), kept.slice(0, kept.length - blankEnd(kept)));
  const text = withGap(textOf(lines), kept);
  const isSame = stable(text) === stable(before);
  return isSame ? before : text;
}

/** An empty line between this output and the next command is the page's. */
const withGap = (text: string, kept: readonly string[]): string => (blankEnd(kept) > 0 ? `${text}\n` : text);

const blankEnd = (lines: readonly string[]): number => (lines.at(-1) === '' ? 1 : 0);
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const blankAtEndRemoved = (text: string): string =>
  text.trim() === '' ? '' : `${text.trimEnd().replaceAll(/[ \t]+$/gm, '')}\n`;

/** What differs from one run to the next. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, 'TIME'],
  [/\b\d{4}-\d\d-\d\d\b/g, 'DATE'],
  [/\b\d\d:\d\d\b/g, 'CLOCK'],
  [/\b(?:\d+ h )?\d+ (?:min|m)\b/g, 'SPAN'],
  [/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'SPAN'],
  [/SHA256:[\w+/]{43}/g, 'KEY'],
  [/\b[0-9a-f]{7,64}\b/g, 'DIGEST'],
  [/\b[A-Z0-9]{20}\b/g, 'GUID'],
  [/(^|^Event |: )[A-Z0-9]{8}(?= {2}| of |\.$)/g, '$1GUID'],
  [/\bembedded\/\d+/g, 'embedded/ID'],
  [/127\.0\.0\.1:\d+/g, 'ADDRESS'],
  [/(@example\.com) \([\w.-]+\)/g, '$1 (USER)'],
  [/" of \S+ on \S+(?= )/g, '" of USER on HOST'],
  // How often a run is polled depends on the machine.
  [/\b\d+ used\b/g, 'REQUESTS used'],
  [/\b\d+ left today/g, 'REQUESTS'],
];

/** The same for outputs that mean the same. */
function stable(text: string): string {
  const lines = text.split('\n').map((line) => {
    const fixed = VARYING.reduce((one, [what, name]) => one.replaceAll(what, name), line);
    // A column is as wide as its widest cell.
    return fixed === line ? line : fixed.replaceAll(/ {2,}/g, ' ');
  });
  return sorted(lines).join('\n');
}

/** Steps that run at the same time end in any order. */
function sorted(lines: readonly string[]): string[] {
  const all: string[] = [];
  let group: string[] = [];
  for (const line of [...lines, undefined]) {
    if (line !== undefined && CONCURRENT.test(line)) {
      group.push(line);
      continue;
    }
    all.push(...group.sort(), ...(line === undefined ? [] : [line]));
    group = [];
  }
  return all;
}
