import { expect, test } from 'vitest';
import { isDecided, type KnownPart, matchParts } from '#data/bulk/inspect/match-parts.js';

const part = (maker: string, number: string, ...items: string[]): KnownPart => ({ maker, number, items });
const row = (at: number, key: string, ...parts: readonly (readonly [string, string])[]) => ({
  ...{ row: at, key, parts: parts.map(([maker, number]) => ({ maker, number })) },
});

test('a row is an item only if maker and number are the same; all else is near', () => {
  const known = [part('Yageo', 'RC-1', 'R-1'), part('Murata', 'GRM 1', 'C-1'), part('TDK', 'X1')];
  const rows = [
    row(2, 'a', ['Yageo', 'RC-1']),
    row(3, 'b', ['YAGEO', 'RC-1']),
    row(4, 'c', ['Vishay', 'rc1']),
    row(5, 'd', ['', 'RC-1']),
    row(6, 'e', ['Kemet', 'T-1'], ['Murata', 'GRM 1']),
    row(7, 'f', ['TDK', 'X1']),
    row(8, 'g', ['Kemet', 'T-1']),
    row(9, 'h', ['YAGEO', 'RC-1']),
  ];
  const { found, near } = matchParts(rows, known);
  expect([...found]).toEqual([
    [2, ['R-1']],
    [6, ['C-1']],
  ]);
  expect(near.map(({ part: { maker }, known: { items }, rows: at }) => [maker, items, at])).toEqual([
    ['YAGEO', ['R-1'], [3, 9]],
    ['Vishay', ['R-1'], [4]],
    ['', ['R-1'], [5]],
  ]);
});

test('of several items with the part, a row keeps the one that it would have anyway', () => {
  const known = [part('Yageo', 'RC-1', 'R-1', 'R-2')];
  const rows = [row(2, 'R-2', ['Yageo', 'RC-1']), row(3, 'R-3', ['Yageo', 'RC-1'])];
  expect([...matchParts(rows, known).found]).toEqual([
    [2, ['R-2']],
    [3, ['R-1', 'R-2']],
  ]);
});

test('a proposed number is decided if all its rows are one item', () => {
  const known = [part('Yageo', 'RC-1', 'R-1'), part('Vishay', 'CR-1', 'R-1', 'R-2')];
  const [yageo, vishay, kemet] = [
    row(2, '10k', ['Yageo', 'RC-1']),
    row(3, '10k', ['Vishay', 'CR-1']),
    row(4, '10k', ['Kemet', 'K']),
  ] as const;
  const decided = (...rows: (typeof yageo)[]): boolean => isDecided(rows, matchParts(rows, known));
  expect([decided(yageo, vishay), decided(yageo, kemet), decided(kemet)]).toEqual([true, false, true]);
});
