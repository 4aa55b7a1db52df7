import { describe, expect, test } from 'vitest';
import { collectCauses, mergeCauses, type Occurrence } from '#data/bulk/errors/cause-groups.js';
import { messagePattern } from '#data/bulk/errors/quotes.js';
import { definitionOf, fileOf, findingLines, prepare } from '../support.js';

const grouped = (caused: readonly Occurrence[], names: readonly string[] = []) => {
  const causes = collectCauses((text) => names.includes(text));
  for (const one of caused) causes.add(one);
  return causes.groups();
};

const failed = (row: number, code: number, message: string, value = ''): Occurrence => ({ row, code, message, value });

describe('causes of failed rows', () => {
  test('are equal where only quoted values and counts differ, with the first rows as samples', () => {
    const groups = grouped([
      failed(2, 3012, 'There is no item with the number "R-100".', 'R-100'),
      failed(3, 3012, 'There is no item with the number "R-101".', 'R-101'),
      failed(4, 3230, 'The quantity is 5, but there are 3 reference designators.', '5'),
      failed(5, 3012, 'There is no item with the number "R-102".', 'R-102'),
      failed(6, 3012, 'There is no item with the number "R-103".', 'R-103'),
    ]);
    expect(
      groups.map(({ code, message, count, samples }) => [code, message, count, samples.map(({ row }) => row)]),
    ).toEqual([
      [3012, 'There is no item with the number "…".', 4, [2, 3, 5]],
      [3230, 'The quantity is …, but there are … reference designators.', 1, [4]],
    ]);
    expect(groups[0]?.samples[0]).toEqual({ row: 2, value: 'R-100' });
  });

  test.each([
    ['The attribute "name" is required.', 'The attribute "name" is required.'],
    ['"blue" is not an option of the attribute "Colour".', '"…" is not an option of the attribute "Colour".'],
    ['"Qty" is not valid: "abc" is not a number.', '"Qty" is not valid: "…" is not a number.'],
    ['"Due" is not valid: "x" is not an ISO-8601 date.', '"…" is not valid: "…" is not an ISO-8601 date.'],
    ["Column 'Descrptn' ignored.", "Column 'Descrptn' ignored."],
    ["The item's category is not valid.", "The item's category is not valid."],
    ['It takes 1,000 characters at most, not 1200.', 'It takes … characters at most, not ….'],
    ['“A” is no item.', '"…" is no item.'],
    ['one " alone', 'one " alone'],
  ])('keep the names of columns: %s', (message, pattern) => {
    expect(messagePattern(message, (text) => text === 'Qty')).toBe(pattern);
  });

  test('are equal too where the quoted value contains quotes itself', () => {
    const pattern = (size: string) =>
      messagePattern(`There is no item "${size}" pipe".`, () => false, ['P1', `${size}" pipe`]);
    expect([pattern('5'), pattern('6')]).toEqual(['There is no item "…".', 'There is no item "…".']);
  });

  test('say in plain words the meaning of known codes and the next step', () => {
    const known = [
      3001, 3003, 3006, 3011, 3012, 3024, 3025, 3229, 3230, 3234, 3605, 3606, 3103, 2001, 2002, 2008, 2029,
    ];
    for (const group of grouped(known.map((code) => failed(1, code, 'x')))) {
      expect([group.code, group.explanation, group.advice]).toEqual([
        group.code,
        expect.stringMatching(/\w{3}.*\.$/),
        expect.stringMatching(/\w{3}.*\.$/),
      ]);
    }
    expect(grouped([failed(1, 77, 'x')])[0]).toEqual({
      code: 77,
      message: 'x',
      count: 1,
      samples: [{ row: 1, value: '' }],
    });
  });

  test('name the option that turns off the check of designators where many rows need it', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, n) => failed(n, 3230, `The quantity is ${n}, but there are 3.`));
    expect(grouped(rows(9))[0]?.advice).not.toContain('DO_NOT_CHECK');
    expect(grouped(rows(10))[0]?.advice).toContain('`checkRefDes: DO_NOT_CHECK`');
  });

  test('of several runs form one list', () => {
    const one = grouped([failed(2, 3012, 'No "A".'), failed(3, 3001, 'No name.')]);
    const two = grouped([failed(12, 3001, 'No name.'), failed(13, 3001, 'No name.')]);
    expect(
      mergeCauses([one, two]).map(({ code, count, samples }) => [code, count, samples.map(({ row }) => row)]),
    ).toEqual([
      [3001, 3, [3, 12, 13]],
      [3012, 1, [2]],
    ]);
  });

  test('include the findings of a file as well', async () => {
    const definition = definitionOf('ITEM_SPECS', 'CREATE', { number: 'Part', name: 'Name' });
    const prepared = await prepare(await fileOf('a.csv', 'Part,Name\nA,x\nA,y\nB,z\nB,z\n'), definition);
    const causes = grouped(prepared.findings.kept.map((finding) => ({ ...finding, row: finding.row })));
    expect(causes.map(({ code, count }) => [code, count])).toEqual([['key-repeated', 2]]);
    expect(findingLines(prepared)).toHaveLength(2);
  });
});
