import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readProgram, readTests, type SourceText } from './texts-in-source.js';

const SOURCES = join(import.meta.dirname, '../../src');
const TESTS = join(import.meta.dirname, '..');

let texts: readonly SourceText[] = [];
let comments: readonly SourceText[] = [];
let tests: readonly SourceText[] = [];

beforeAll(async () => {
  [{ texts, comments }, tests] = await Promise.all([readProgram(SOURCES), readTests(TESTS)]);
});

test('the catalogue has every error, diagnostic and finding, so that each change of one is seen', async () => {
  const reports = texts.filter(({ isReport }) => isReport);
  const roomOf = ({ file }: SourceText): string =>
    file
      .split('/')
      .slice(0, 2)
      .join('/')
      .replace(/\/[^/]*\.ts$/, '');
  const rooms = [...new Set(reports.map(roomOf))];
  const sections = rooms.map((room) => {
    const own = reports.filter((report) => roomOf(report) === room);
    const lines = new Set(own.map(({ text }) => `- ${text.replaceAll('\n', '\\n')}\n`));
    return `## ${room}\n\n${[...lines].join('')}`;
  });
  await expect(`# What dexsync reports\n\n${sections.join('\n')}`).toMatchFileSnapshot('catalogue.md');
});

/** Words that slow readers down, with those that say it plainly. */
const PLAIN: readonly (readonly [odd: RegExp, plain: string])[] = [
  [/\banew\b/, 'again, recreate'],
  [/\b(told|tells?|telling)\b/, 'reports, says, shows'],
  [/\b(goes|go|gone|going|went) on with\b/, 'resume, continue'],
  [/\b(is|are|was|were|be) called\b|\bcalled (so|"|\{)/, 'named'],
  [/\b(taken|takes?|took) (it |them |one |objects? )?over\b(?! it)/, 'adopt'],
  [/\bcarr(y|ies|ied) (it |them )?out\b/, 'apply, run'],
  [/\bunder way\b/, 'in progress'],
  [/(?<![Tt]here )\bis no (?!longer)[a-z]+\b/, 'is not a'],
  [/\bby hand\b/, 'manually'],
  [/\bnames no\b|\bholds? (no|its|what|a)\b/, 'contains, needs'],
  [/\bof before\b|\bso many\b|\bsuch as it\b|\bfilled up\b/, 'plain words'],
  [/\btwins?\b/, 'objects with the same name'],
  [/\bin words\b|\bno word for\b/, 'plain words'],
  [/\bstands? (in|at|under|there|where)\b/, 'is in, is at'],
  [/\bgood rows?\b/, 'valid rows'],
  [/\b[Ww]hoever\b|\b[Ww]hatever\b/, 'anyone who, any'],
  [/\bany more\b/, 'no longer'],
  [/\bmade (by|of|it|this|or)\b|\b(is|are|was|were|be|been) made\b(?<!changes were made)/, 'created'],
  [/ {2,}[a-z]+[^\n]*\. {2,}/, 'one space after a sentence'],
];

describe('words that no message, comment or test name uses', () => {
  test.each(PLAIN)('%s', (odd, plain) => {
    const found = [...texts, ...comments, ...tests].filter(({ text }) => odd.test(text.replaceAll(/\{[^}]*\}/g, '{}')));
    expect(found, `Say it plainly: ${plain}.`).toEqual([]);
  });
});
