import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { fold } from '#app/views/human/fold-lines.js';
import { promptText } from '#app/views/human/prompt-text.js';
import { tableText } from '#app/views/human/table.js';
import { columnTime, timeText } from '#app/views/human/time-text.js';

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => stringWidth(line)));

describe('a text on a terminal', () => {
  test('is broken between words and indented by two more columns; without a terminal it stays', () => {
    const text = '  + members: one two three four five six seven\nshort\n';
    expect(fold(text, 24)).toBe('  + members: one two\n    three four five six\n    seven\nshort\n');
    expect(fold(text, undefined)).toBe(text);
  });

  test.each([
    ['commands', 'Run it again later, with `dexsync apply --yes`.', '`dexsync apply --yes`'],
    ['times', 'The daily quota is reset at 2026-11-23 08:00:00 UTC.', '2026-11-23 08:00:00 UTC'],
    ['words that are longer than a line', `See ${'x'.repeat(50)}.`, 'x'.repeat(50)],
  ])('keeps %s whole', (_, text, whole) => {
    expect(fold(text, 40)).toContain(whole);
  });

  test('colours and wide characters take the columns that they show', () => {
    const wide = '  部品番号 部品番号 部品番号 部品番号 部品番号';
    expect(widest(fold(wide, 32))).toBeLessThanOrEqual(32);
    const red = `\u001b[31m${'red '.repeat(7)}\u001b[39m`;
    expect(fold(red, 40)).toBe(red);
  });
});

describe('a table on a terminal', () => {
  const head = ['RUN', 'WHEN (UTC)', 'IMPORT', 'FILE', 'NOTE'];
  const row = ['#2', '2026-11-22 10:16:08', 'Lamp BOM', 'quickstart/data/bom.csv', 'six of seven rows are committed'];

  test.each([80, 60, 140])('of %i columns shows every value whole: words and times are not broken', (width) => {
    const text = tableText(head, [row], width);
    expect(widest(text)).toBeLessThanOrEqual(width);
    expect(text).not.toContain('…');
    for (const word of row.flatMap((cell) => (/^\d{4}-/.test(cell) ? [cell] : cell.split(/ |(?<=\/)/)))) {
      expect(text).toContain(word);
    }
  });

  test('a name that no terminal has room for is broken, not cut', () => {
    const name = 'N'.repeat(100);
    const text = tableText(head, [['#2', '2026-11-22 10:16:08', name, '', '']], 60);
    expect(text).not.toContain('…');
    expect(text.match(/N{3,}/g)?.join('')).toHaveLength(100);
  });

  test('a cell of very many words is cut after eight lines, and shows that it is', () => {
    const lines = tableText(['NAME', 'VALUES'], [['a', 'value '.repeat(200)]], 40)
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(9);
    expect(lines.at(-1)).toMatch(/…$/);
  });

  test('of many rows takes time in proportion to its rows, not to their square', { timeout: 15_000 }, () => {
    const rows = Array.from({ length: 50_000 }, (_, number) => [`files/${number}`, '0 B']);
    expect(tableText(['FILE', 'SIZE'], rows, 80).match(/^files/gm)).toHaveLength(50_000);
  });

  test('nothing is folded without a terminal', () => {
    const [, line] = tableText(head, [row], undefined).split('\n');
    expect(line?.split(/ {2,}/)).toEqual(row);
  });
});

test('the answer to a question is on its line where there is room, else below it', () => {
  expect(promptText('Apply to dev?', 'Only "yes" is accepted:', 80)).toBe('Apply to dev? Only "yes" is accepted: ');
  expect(promptText('Apply to a place with a long name?', 'Only "yes" is accepted:', 50)).toBe(
    'Apply to a place with a long name?\nOnly "yes" is accepted: ',
  );
});

test('times are shown to the second, with their zone; other text stays as it is', () => {
  expect(timeText('2026-11-22T10:16:08.123Z')).toBe('2026-11-22 10:16:08 UTC');
  expect(columnTime('2026-11-22T10:16:08Z')).toBe('2026-11-22 10:16:08');
  expect(timeText('yesterday')).toBe('yesterday');
});
