import { describe, expect, test } from 'vitest';
import { definitionOf } from '../support.js';
import { imageOf, type Live, undone } from './three-sides.js';

const CHANGED = 'Changed since the import, so it stays as it is.';

describe('sourcing', () => {
  const fields = { number: 'Part', 'supplier.name': 'By', 'supplierItem.number': 'No', priority: 'Rank' };
  const sources = (mode: string) =>
    definitionOf('ITEM_SOURCING', mode, { ...fields, 'supplierItem.name': 'Name', Finish: 'Finish' });
  const source = (part: string, by: string, no: string, priority = '', name = '', finish = ''): Live => [
    [part, by, no],
    { priority, 'supplieritem.name': name, finish },
  ];
  const head = 'Part,By,No,Rank,Name,Finish\n';

  test('the last of several rows that fill one supplier item counts, at any item', async () => {
    const { rows, left } = await undone({
      definition: sources('EDIT'),
      sent: `${head}P,Acme,1,,Bolt,\nQ,Acme,1,,Nut,\nP,Acme,2,,Nut,\n`,
      before: [source('P', 'Acme', '1', '', 'old'), source('Q', 'Acme', '1', '', 'old'), source('P', 'Acme', '2')],
      now: [
        source('P', 'Acme', '1', '', 'Nut'),
        source('Q', 'Acme', '1', '', 'Nut'),
        source('P', 'Acme', '2', '', 'hers'),
      ],
    });
    expect(rows).toEqual({
      edit: [
        ['P', 'Acme', '1', '', 'old', ''],
        ['Q', 'Acme', '1', '', 'old', ''],
      ],
    });
    expect(left).toEqual([{ where: 'P/Acme/2 in row 4', why: CHANGED, cells: ['Name: hers -> '] }]);
  });

  test('a new source is deleted and its supplier item stays, as the report says', async () => {
    const { rows, left } = await undone({
      definition: sources('CREATE'),
      sent: `${head}P,Acme,1,,,\nP,Acme,2,2,,\n`,
      before: [],
      now: [source('P', 'Acme', '1', '', 'named', 'green'), source('P', 'Acme', '2', '3', 'named')],
    });
    expect(rows).toEqual({ delete: [['P', 'Acme', '1', '', '', '']] });
    expect(left.map(({ where, why }) => `${where}: ${why}`)).toEqual([
      expect.stringContaining(
        'P/Acme/1 in row 2: The supplier item of this source stays, even if the import created it',
      ),
      `P/Acme/2 in row 3: The import created it. ${CHANGED}`,
    ]);
  });

  test('a deleted source comes back with its values, and its supplier item is left alone', async () => {
    const { rows, left, lines } = await undone({
      definition: sources('DELETE'),
      sent: `${head}P,Acme,1,9,x,\n`,
      before: [[['P', 'Acme', '1'], { priority: '', notes: 'why', 'supplieritem.name': 'Bolt' }]],
      now: [],
    });
    expect([rows, left, lines]).toEqual([{ create: [['P', 'Acme', '1', '', '', '', '', 'why']] }, [], 'whole']);
  });
});

describe('files of items', () => {
  const fields = { number: 'Part', 'file.number': 'File', 'file.title': 'Title' };
  const links = (mode: string) => definitionOf('ITEM_FILES', mode, fields);
  const link = (part: string, file: string, title = '', primary = 'false'): Live => [
    [part, file],
    { primary, latesteditionassociation: 'true', 'file.title': title },
  ];
  const replaced = (now: readonly Live[]) =>
    undone({
      definition: links('REPLACE'),
      sent: 'Part,File,Title\nP,F-2,\nP,F-3,not read\nP,,made\nP,,made too\nQ,F-1,\n',
      before: [link('P', 'F-1', 'one', 'true'), link('P', 'F-2', 'two', 'true')],
      now,
    });
  const asSent = [link('P', 'F-2', 'two', 'true'), link('P', 'F-3', 'three'), link('Q', 'F-1', 'one')];
  const made = [link('P', 'N-1', 'made too'), link('P', 'N-2', 'made')];

  test('that were replaced are put back with their values; files that rows created are named', async () => {
    const { rows, left, lines } = await replaced([...asSent, ...made]);
    expect([rows, lines]).toEqual([
      {
        delete: [['Q', 'F-1', '', '', '']],
        replace: [
          ['P', 'F-1', 'one', 'true', 'true'],
          ['P', 'F-2', 'two', 'true', 'true'],
        ],
      },
      'whole',
    ]);
    expect(left).toEqual([
      {
        where: 'P in row 2',
        why: 'The import made 2 files (N-2, N-1), which leave the item and stay in the workspace.',
        cells: [],
      },
    ]);
  });

  test.each([
    ['a file more', [...asSent, ...made, link('P', 'F-9')], ' (F-9)'],
    ['a file less', [...asSent.slice(1), ...made], ' (F-2)'],
    ['another flag', [link('P', 'F-2', 'two'), ...asSent.slice(1), ...made], ' (F-2)'],
    [
      'another file in place of a created one',
      [...asSent, link('P', 'N-2', 'made'), link('P', 'F-9', 'hers')],
      ' (F-9)',
    ],
    ['a created one less', [...asSent, link('P', 'N-2', 'made')], ''],
  ])('that differ from the result of the import stay: %s', async (_, now, named) => {
    const { rows, left } = await replaced(now);
    expect(rows).toEqual({ delete: [['Q', 'F-1', '', '', '']] });
    expect(left.map(({ why }) => why)).toEqual([
      `The files of the item are not as the import left them${named}, so all of them stay as they are.`,
    ]);
  });

  test('that did not change are left alone, in any order', async () => {
    const before = [link('P', 'F-2', 'two', 'true'), link('P', 'F-1', 'one', 'true')];
    expect(await replaced(before)).toMatchObject({ rows: {}, left: [] });
  });

  test('are read whole for items whose rows have no file name', async () => {
    const { before, absent } = await imageOf({
      definition: links('REPLACE'),
      sent: 'Part,File,Title\nP,,made\nQ,,made\n',
      before: [link('P', 'F-1', 'one')],
    });
    expect([before.slice(1), absent.slice(1)]).toEqual([[['P', 'F-1', 'one', 'false', 'true']], [['Q', '', 'made']]]);
  });

  test('that an OVERWRITE row names are somebody else’s; a file that the row created is named', async () => {
    const { rows, left } = await undone({
      definition: links('OVERWRITE'),
      sent: 'Part,File,Title\nP,F-1,\nP,,made\n',
      before: [],
      now: [link('P', 'F-1'), link('P', 'N-1', 'made')],
    });
    expect(rows).toEqual({});
    expect(left).toEqual([
      {
        where: 'P in row 3',
        why: expect.stringContaining('The row has no file number, so it created a file'),
        cells: [],
      },
    ]);
  });
});

describe('files', () => {
  const fields = { number: 'File', title: 'Title', name: 'Path', edition: 'Ed', storageMethodName: 'How' };
  const files = (mode: string) => definitionOf('FILE_SUMMARY', mode, fields);
  const file = (number: string, title: string, more = {}): Live => [
    [number],
    { title, edition: '1', storagemethodname: 'FILE', creationdatetime: '2026-01-01T00:00:00Z', ...more },
  ];
  const sent = 'File,Title,Path,Ed,How\nA,new,a.pdf,2,\nB,new,,,\nC,new,c.pdf,,WEB\n';

  test('with sent content keep the cells that describe it, and are named; the other cells are put back', async () => {
    const sides = {
      definition: files('EDIT'),
      sent,
      before: [file('A', 'old', { name: 'old.pdf' }), file('B', 'old'), file('C', 'old')],
      now: [
        file('A', 'new', { name: 'a.pdf', edition: '2' }),
        file('B', 'new'),
        file('C', 'new', { name: 'c.pdf', storagemethodname: 'WEB' }),
      ],
    };
    const { rows, left } = await undone({ ...sides, content: 'sent' });
    expect(rows).toEqual({
      edit: [
        ['A', 'old', '', '', ''],
        ['B', 'old', '', '', ''],
        ['C', 'old', '[Remove Value]', '', ''],
      ],
    });
    expect(left.map(({ where, why }) => `${where}: ${why}`)).toEqual([
      'A in row 2: The import sent the content of this file, and no import can put earlier content back. Send the earlier file again if you need it.',
      'C in row 4: An import cannot make it a stored file again without its content.',
    ]);
    const without = await undone(sides);
    expect(without.rows.edit?.[0]).toEqual(['A', 'old', 'old.pdf', '1', '']);
  });

  test('that the import created are removed, unless somebody edited them; deleted ones with content are named', async () => {
    const { rows, left } = await undone({
      definition: files('CREATE'),
      sent,
      content: 'sent',
      before: [],
      now: [
        file('A', 'new', { name: null, edition: '2', lastmodifieddatetime: '2026-01-01T00:00:00Z' }),
        file('B', 'new', { lastmodifieddatetime: '2026-02-01T00:00:00Z' }),
        file('C', 'hers', { name: null, storagemethodname: 'WEB' }),
      ],
    });
    expect(rows).toEqual({ delete: [['A', '', '', '', '']] });
    expect(left.map(({ where, why }) => `${where}: ${why}`)).toEqual([
      'B in row 3: The import created this file, and it was edited since, so it stays as it is.',
      `C in row 4: The import created it. ${CHANGED}`,
    ]);
    const gone = await undone({ definition: files('DELETE'), sent, before: [file('A', 'a')], now: [] });
    expect([gone.rows, gone.left.map(({ why }) => why)]).toEqual([
      {},
      [
        'The import deleted this file, and no import can bring back its content and editions. Send the file again if you need it.',
      ],
    ]);
    const placeHolder = file('A', 'a', { storagemethodname: 'PLACE_HOLDER' });
    const back = await undone({ definition: files('DELETE'), sent, before: [placeHolder], now: [] });
    expect([back.rows.create?.map((cells) => cells.slice(0, 5)), back.left]).toEqual([
      [['A', 'a', '', '1', 'PLACE_HOLDER']],
      [],
    ]);
  });
});
