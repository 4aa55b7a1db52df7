import { describe, expect, test } from 'vitest';
import { parseDialogue, writeDialogue } from './dialogue.js';
import { anchors, parsePage } from './page.js';

const rewritten = (page: string, ...outputs: readonly string[]): string => writeDialogue(parseDialogue(page), outputs);

describe('a dialogue is updated', () => {
  test('with no change, where only times, GUIDs and the order of steps differ', () => {
    const page = '$ dexsync apply\n✓ A/a  created\n✓ B/b  created\nAt 2026-11-22T10:00:00Z by ABCDEFGHIJKLMNOPQRST\n';
    const now = '✓ B/b  created\n✓ A/a  created\nAt 2027-01-01T00:00:00Z by TSRQPONMLKJIHGFEDCBA\n';
    expect(rewritten(page, now)).toBe(page);
  });

  test('with the present output of a command, where that differs', () => {
    expect(rewritten('$ a\nold\n\n$ b \\\n  c\nsame\n', 'new\n', 'same\n')).toBe('$ a\nnew\n\n$ b \\\n  c\nsame\n');
  });

  test('with a number that differs', () => {
    expect(rewritten('$ a\n4 rows\n', '5 rows\n')).toBe('$ a\n5 rows\n');
  });

  test('cut where the page cuts it, even if lines came and went', () => {
    const page = '$ a\nfirst line\n...\nResult: 3 done.\nlast\n';
    const now = 'first line\nx\ny\nResult: 4 done.\nnew\nlast\n';
    expect(rewritten(page, now)).toBe('$ a\nfirst line\n...\nResult: 4 done.\nnew\nlast\n');
  });

  test('whole, where nothing is left to leave out', () => {
    expect(rewritten('$ a\none\n...\ntwo\n', 'one\ntwo\n')).toBe('$ a\none\ntwo\n');
  });
});

test('a page gives its blocks with the commands that are not shown, and its prose line for line', () => {
  const page = parsePage('a.md', '# One\n<!--\n$ set up\n-->\n```console\n$ a\n# no heading\n```\n## One\n');
  expect(page.blocks).toMatchObject([
    { language: 'console', text: '$ a\n# no heading\n', line: 5, hidden: ['set up'] },
  ]);
  expect(anchors(page)).toEqual(['one', 'one-1']);
});
