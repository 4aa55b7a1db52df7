import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { mdCode, mdText } from '#app/views/markdown/escape.js';
import { MOST_CHARACTERS } from '#app/views/markdown/fit-comment.js';
import { markdownReport } from '#app/views/markdown.js';
import { renderReport } from '#app/views/report/render-report.js';
import { printableText } from '#base/printable.js';
import { scaled } from '../../../harness/sample.js';
import { emptyReport, HOSTILE, hostileReport, planReport, SETTING } from './hostile.js';
import { type Element, elementsIn, readXml, textIn } from './read-xml.js';

/** As an independent parser of GitHub's Markdown has it. */
const parsed = (markdown: string): Element =>
  readXml(
    `<page>${wellFormed(micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }))}</page>`,
  );

const OURS = [
  ...['page', 'h2', 'h3', 'p', 'ul', 'li', 'strong', 'b', 'code', 'pre', 'span', 'details', 'summary'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

/** Pieces of text that are not code, in which GitHub and GitLab look for mentions, references and addresses. */
const plainTexts = ({ name, children }: Element): string[] =>
  name === 'code' || name === 'pre'
    ? []
    : children.flatMap((child) => (typeof child === 'string' ? [child] : plainTexts(child)));

const LINKED = /@\w|[#!$%&~^]["\w]|:\/\/|\bwww\.|:[\w+-]+:|GH-\d/i;

describe('data of any kind stays text in Markdown', () => {
  test.each(HOSTILE)('%s', (_, text) => {
    const markdown = renderReport('md', hostileReport(text));
    const page = parsed(markdown);
    const elements = elementsIn(page);
    expect(elements.map(({ name }) => name).filter((name) => !OURS.includes(name))).toEqual([]);
    expect(elements.flatMap(({ attributes }) => Object.keys(attributes))).not.toContain('href');
    expect(plainTexts(page).filter((piece) => LINKED.test(piece))).toEqual([]);
    expect(elements.filter(({ name }) => name === 'h2')).toHaveLength(1);
    expect(elements.filter(({ name }) => name === 'h3').map(textIn)).toEqual(TITLES);
    expect(elements.filter(({ name }) => name === 'tr').map(({ children }) => children.length)).toEqual(
      elements.filter(({ name }) => name === 'tr').map(() => 9),
    );
    expect(elements.filter(({ name }) => name === 'details')).toHaveLength(4);
  });

  test.each(HOSTILE.filter(([what]) => what !== 'many characters'))('%s stays readable', (_, text) => {
    const shown = printableText(text).replaceAll(/\s*\n\s*/g, ' ');
    const page = parsed(`- ${mdText(printableText(text))}\n\n| a |\n|---|\n| ${mdCode(printableText(text))} |\n`);
    const [item, cell] = elementsIn(page).filter(({ name }) => name === 'li' || name === 'td');
    const squeezed = (value: string | undefined) => value?.replaceAll(/\s+/g, ' ').trim();
    expect(item && squeezed(textIn(item))).toBe(squeezed(wellFormed(shown)));
    expect(cell && squeezed(textIn(cell))).toBe(squeezed(wellFormed(shown)));
  });

  test('any mixture of special characters', () => {
    const parts = [
      '`',
      '```',
      '|',
      '<',
      '>',
      '[',
      ']',
      '(',
      '!',
      '*',
      '_',
      '~',
      '#',
      '@a',
      '\n',
      '\\',
      '&',
      ':',
      '-',
      ' ',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts, 'x', '1.', '2)', '+', '=', '://', 'www.', '$'), { maxLength: 12 }),
        (some) => {
          const page = parsed(renderReport('md', hostileReport(some.join(''))));
          const names = elementsIn(page).map(({ name }) => name);
          expect(names.filter((name) => !OURS.includes(name))).toEqual([]);
          expect(plainTexts(page).filter((piece) => LINKED.test(piece))).toEqual([]);
          expect(names.filter((name) => name === 'details')).toHaveLength(4);
        },
      ),
      { numRuns: scaled(2000, 20) },
    );
  });

  test.each(['1.', '23) x', '- x', '+ x', '---', '==='])('%s, which is special at the beginning of a line', (text) => {
    const names = elementsIn(parsed(renderReport('md', hostileReport(text)))).map(({ name }) => name);
    expect(names.filter((name) => !OURS.includes(name))).toEqual([]);
  });
});

const TITLES = [
  ...[
    'Blocked, manual and failed steps',
    'Guards and rules',
    'Problems in manifests and files',
    'Failed rows',
    'Notes',
  ],
  ...['Changes', 'Changed outside dexsync', 'Differences'],
];

/** Without the characters that the reader of XML refuses. */
const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd');

test('a comment begins with the marker that a pipeline looks for, and no name of an environment can end the marker', () => {
  expect(markdownReport(emptyReport())).toMatch(/^<!-- dexsync plan prod -->\n## dexsync plan: /);
  const odd = markdownReport(emptyReport({ setting: { ...SETTING, environment: 'a--> <b>' } }));
  expect(odd.split('\n')[0]).toBe('<!-- dexsync plan a-%2D%3E%20%3Cb%3E -->');
});

const updates = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    address: `UserGroup/Group ${index + 1}`,
    action: 'update',
    fields: [{ path: 'description', before: `Old text ${index}`, after: `New text ${index}` }],
  }));

const BLOCKED = { address: 'Policy/Last', action: 'blocked', reason: 'protected', message: 'It is protected.' };

describe('a comment of at most 65,536 characters', () => {
  const shownIn = (markdown: string) => ({
    full: markdown.match(/<details>/g)?.length ?? 0,
    lines: markdown.match(/^- &#126; /gm)?.length ?? 0,
  });

  test('shows of 2,000 updates problems first, then changes in full, then in a line each, then their number', () => {
    const markdown = markdownReport(planReport([...updates(2000), BLOCKED]));
    expect(markdown.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(markdown.length).toBeGreaterThan(MOST_CHARACTERS - 1200);
    expect(markdown.indexOf('Policy/Last')).toBeLessThan(markdown.indexOf('UserGroup/Group 1<'));
    expect(markdown).toContain('| UserGroup | 2000 |  |');
    const { full, lines } = shownIn(markdown);
    expect(full).toBeGreaterThan(100);
    expect(lines).toBeGreaterThan(200);
    expect(markdown).toContain(
      `\n**Left out** to stay within 65,536 characters: the details of ${lines} lines, ${2000 - full - lines} changes. ` +
        '<code>dexsync plan --env prod</code> shows all of it.\n',
    );
    expect(parsed(markdown).children.length).toBeGreaterThan(0);
  });

  test('misses none where a line for each fits', () => {
    const markdown = markdownReport(planReport(updates(600)));
    const { full, lines } = shownIn(markdown);
    expect([full + lines, lines > 0]).toEqual([600, true]);
    expect(markdown).toContain(`characters: the details of ${lines} lines. <code>`);
  });

  test('does not mention the limit where everything fits', () => {
    expect(markdownReport(planReport(updates(100)))).not.toContain('Left out');
  });

  test.each([700, 2000, 9000])('cuts problems last where they alone are too many: %i characters', (most) => {
    const blocked = Array.from({ length: 300 }, (_, index) => ({ ...BLOCKED, address: `Policy/P${index}` }));
    const markdown = markdownReport(planReport([...updates(5), ...blocked]), most + 1000);
    expect(markdown.length).toBeLessThanOrEqual(most + 1000);
    expect(markdown).toMatch(/\d+ problems, \d changes/);
  });

  test.each(HOSTILE)('keeps the limit with data of any kind: %s', (_, text) => {
    expect(renderReport('md', hostileReport(text.repeat(20))).length).toBeLessThanOrEqual(MOST_CHARACTERS);
  });
});
