import { expect, test } from 'vitest';
import { definitionOf, fileOf, findingLines, prepare, readAll, refusal, workbookOf } from '../support.js';

const LIST = [
  ['Part', 'Maker', 'MPN'],
  ['A-1', 'Murata\nTDK\n', 'GRM1\nC16'],
  ['A-2', 'TI', 'LM358\nLM358A'],
  ['A-3', 'Yageo', 'RC0402'],
];

test('a row with several values in a cell becomes one for each, with the number of its row', async () => {
  const { rows } = await readAll(await workbookOf({ Parts: LIST }), { splitRows: { columns: ['Maker', 'MPN'] } });
  expect(rows.map(({ row, cells }) => [row, ...cells])).toEqual([
    [2, 'A-1', 'Murata', 'GRM1'],
    [2, 'A-1', 'TDK', 'C16'],
    [3, 'A-2', 'TI', 'LM358'],
    [3, 'A-2', 'TI', 'LM358A'],
    [4, 'A-3', 'Yageo', 'RC0402'],
  ]);
});

test('of values that another text divides, those with another number are an error at their cell', async () => {
  const path = await fileOf('list.csv', 'Part,Maker,MPN\nA-1,Murata;TDK;AVX,GRM1;C16\nA-2,TI,LM358\n');
  const splitRows = { columns: ['Maker', 'MPN'], at: ';' };
  const prepared = await prepare(path, definitionOf('ITEM_SPECS', 'OVERWRITE', { number: 'Part', name: 'MPN' }), {
    splitRows,
  });
  expect(findingLines(prepared).join('\n')).toContain('The cell in column "MPN" has 2 values, but another has 3.');
  expect(await refusal(readAll(path, { splitRows: { columns: ['Makers'] } }))).toContain('"Makers"');
});
