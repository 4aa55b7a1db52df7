import { describe, expect, test } from 'vitest';
import { definitionOf, refusal } from '../support.js';
import { imageOf, type Live, undone } from './three-sides.js';

const ITEMS = { number: 'Part', name: 'Name', description: 'Text', standardCost: 'Cost' };
const items = (mode: string, options = {}) => definitionOf('ITEM_SPECS', mode, ITEMS, options);
const LINES = { number: 'Assembly', 'item.number': 'Part', quantity: 'Qty', refDes: 'Ref' };
const lines = (mode: string, options = {}) => definitionOf('ITEM_BOM', mode, LINES, options);
const item = (number: string, name: string, description = '', standardcost = '', more = {}): Live => [
  [number],
  { name, description, standardcost, ...more },
];
const line = (parent: string, child: string, quantity: string, refdes = '', more = {}): Live => [
  [parent, child],
  { quantity, refdes, ...more },
];

const CHANGED = 'Changed since the import, so it stays as it is.';

describe('cells', () => {
  test('are put back where they still have the value of the import, and only those that it wrote', async () => {
    const { rows, left } = await undone({
      definition: items('OVERWRITE'),
      sent: 'Part,Name,Text,Cost\nA,new,,2\nB,new,filled,\nC,same,[Remove Value],\nD,new,,5.0\n',
      before: [item('A', 'old', 'text', '1'), item('B', 'new'), item('C', 'same', 'was'), item('D', 'new', '', '5')],
      // What a cell means counts, not how it is written; what the row did not fill is not looked at.
      now: [
        item('A', 'new', 'other', '2.00'),
        item('B', 'new', 'filled'),
        item('C', 'same'),
        item('D', 'new', '', '5'),
      ],
    });
    expect(rows).toEqual({
      edit: [
        ['A', 'old', '', '1'],
        ['B', '', '[Remove Value]', ''],
        ['C', '', 'was', ''],
      ],
    });
    expect(left).toEqual([]);
  });

  test('that somebody changed since stay, and are named beside those that are put back', async () => {
    const { rows, left, leftFile } = await undone({
      definition: items('EDIT'),
      sent: 'Part,Name,Text,Cost\nA,new,text,2\nB,new,,\n',
      before: [item('A', 'old', 'before', '1'), item('B', 'old')],
      now: [item('A', 'hers', 'text', '3'), item('B', 'old')],
    });
    expect(rows).toEqual({ edit: [['A', '', 'before', '']] });
    expect(left).toEqual([{ where: 'A in row 2', why: CHANGED, cells: ['Name: hers -> old', 'Cost: 3 -> 1'] }]);
    expect(leftFile).toEqual([
      ['2', 'A', 'Name', 'hers', 'old', CHANGED],
      ['2', 'A', 'Cost', '3', '1', CHANGED],
    ]);
  });

  test('that the workspace does not show, or that cannot be emptied, are named', async () => {
    const owned = definitionOf('ITEM_SPECS', 'EDIT', { number: 'Part', 'owner.fullName': 'Owner', uom: 'Unit' });
    const { rows, left } = await undone({
      definition: owned,
      sent: 'Part,Owner,Unit\nA,Ann,each\nB,,each\n',
      before: [
        [['A'], { 'owner.fullname': '', uom: 'm' }],
        [['B'], { uom: null }],
      ],
      now: [
        [['A'], { 'owner.fullname': 'Ann', uom: 'each' }],
        [['B'], { uom: 'each' }],
      ],
    });
    expect(rows).toEqual({ edit: [['A', '', 'm']] });
    expect(left.map(({ where, why }) => `${where}: ${why}`)).toEqual([
      'A in row 2: It was empty before, and an import cannot empty it.',
      'B in row 3: The before image does not have the value.',
    ]);
    const unshown = await undone({
      definition: owned,
      sent: 'Part,Owner,Unit\nA,Ann,\n',
      before: [[['A'], { 'owner.fullname': 'Ben' }]],
      now: [[['A'], { 'owner.fullname': null }]],
    });
    expect(unshown.left.map(({ why }) => why)).toEqual(['The workspace does not show the value.']);
  });

  test('count by the last row that fills them where several rows have one record', async () => {
    const { rows, left } = await undone({
      definition: items('OVERWRITE'),
      sent: 'Part,Name,Text,Cost\nA,first,,\nA,second,,\n',
      before: [item('A', 'old')],
      now: [item('A', 'second')],
    });
    expect([rows, left]).toEqual([{ edit: [['A', 'old', '', '']] }, []]);
  });

  test('of records that share a key are put back only where all had the same value', async () => {
    const sides = {
      definition: items('OVERWRITE', { matchDuplicates: 'APPLY_TO_ALL' }),
      sent: 'Part,Name,Text,Cost\nA,new,,\n',
      now: [item('A', 'new'), item('A', 'new')],
    };
    const same = await undone({ ...sides, before: [item('A', 'old'), item('A', 'old')] });
    expect(same.rows).toEqual({ edit: [['A', 'old', '', '']] });
    const other = await undone({ ...sides, before: [item('A', 'old'), item('A', 'older')] });
    expect([other.rows, other.left.map(({ why }) => why)]).toEqual([
      {},
      ['2 records had this key, and an import cannot distinguish them.'],
    ]);
  });

  test('are found by GUID, also where the import gave the record another number', async () => {
    const byGuid = definitionOf('ITEM_SPECS', 'EDIT', { guid: 'Id', number: 'Part', name: 'Name' });
    const { rows, left } = await undone({
      definition: byGuid,
      sent: 'Id,Part,Name\nG1,NEW,\n',
      before: [[['OLD'], { number: 'OLD', name: 'x' }, 'G1']],
      now: [[['NEW'], { number: 'NEW', name: 'x' }, 'G1']],
    });
    expect([rows, left]).toEqual([{ edit: [['G1', 'OLD', '']] }, []]);
  });
});

describe('records', () => {
  test('that the import created are removed, unless they were changed or are in a BOM', async () => {
    const { rows, left } = await undone({
      definition: items('OVERWRITE'),
      sent: 'Part,Name,Text,Cost\nA,a,,\nB,b,,\nC,c,,\nD,d,,\nE,e,,\n',
      before: [],
      now: [
        item('A', 'a', '', '', { uom: 'each' }),
        item('B', 'hers'),
        item('C', 'c', '', '', { inassembly: 'true' }),
        // D is gone already; somebody has described E since.
        item('E', 'e', 'more'),
      ],
    });
    expect(rows).toEqual({ delete: [['A', '', '', '']] });
    expect(left).toEqual([
      { where: 'B in row 3', why: `The import created it. ${CHANGED}`, cells: ['Name: hers -> b'] },
      {
        where: 'C in row 4',
        why: 'The import created this item, and it is in a BOM by now. Undo the import of that BOM first.',
        cells: [],
      },
      { where: 'E in row 6', why: `The import created it. ${CHANGED}`, cells: ['Text: more -> '] },
    ]);
  });

  test('that an EDIT did not find are ignored, no matter who created them since', async () => {
    const sides = { definition: items('EDIT'), sent: 'Part,Name,Text,Cost\nA,a,,\n', before: [] };
    expect(await undone({ ...sides, now: [item('A', 'a')] })).toMatchObject({ rows: {}, left: [] });
  });

  test('that are gone, or that now exist several times, are named', async () => {
    const { rows, left } = await undone({
      definition: items('OVERWRITE'),
      sent: 'Part,Name,Text,Cost\nA,a,,\nB,b,,\n',
      before: [item('A', 'old')],
      now: [item('B', 'b'), item('B', 'b')],
    });
    expect([rows, left.map(({ why }) => why)]).toEqual([
      {},
      ['The record is no longer in the workspace.', "2 records have this key by now, of which one is the import's."],
    ]);
  });

  test('that the import deleted come back, with what they lost beyond its columns', async () => {
    const gone = await undone({
      definition: items('DELETE'),
      sent: 'Part,Name,Text,Cost\nA,,,\nB,,,\n',
      before: [item('A', 'a', '', '', { uom: 'm', 'owner.fullname': 'Ada' }), item('B', 'b')],
      now: [item('B', 'b')],
    });
    const [columns, row = []] = [gone.header.create ?? [], gone.rows.create?.[0] ?? []];
    const filled = columns.flatMap((column, index) => (row[index] === '' ? [] : [`${column}: ${row[index]}`]));
    expect([filled, gone.left]).toEqual([['Part: A', 'Name: a', 'owner.fullName: Ada', 'uom: m'], []]);
    const bom = await undone({
      definition: lines('DELETE'),
      sent: 'Assembly,Part,Qty,Ref\nA,B,,\nA,C,,\n',
      before: [line('A', 'B', '2', 'R1,R2', { linenumber: '10', notes: 'by hand' }), line('A', 'C', '1')],
      now: [line('A', 'C', '1')],
    });
    expect([bom.rows, bom.left, bom.lines]).toEqual([
      { create: [['A', 'B', '2', 'R1,R2', '10', 'by hand']] },
      [],
      'whole',
    ]);
  });
});

describe('BOMs that were replaced', () => {
  const before = [line('A', 'B', '2', 'R1,R2'), line('A', 'C', '1')];
  const sent = 'Assembly,Part,Qty,Ref\nA,C,3,"R5-R7"\nA,D,1,\nN,B,4,\n';
  const asSent = [line('A', 'D', '1'), line('A', 'C', '3', 'R5,R6,R7'), line('N', 'B', '4')];

  test('are put back whole; lines of parents that had none are removed', async () => {
    const { rows, left, lines: filled } = await undone({ definition: lines('REPLACE'), sent, before, now: asSent });
    expect([rows, left, filled]).toEqual([
      {
        delete: [['N', 'B', '', '', '', '']],
        replace: [
          ['A', 'B', '2', 'R1,R2', '', ''],
          ['A', 'C', '1', '', '', ''],
        ],
      },
      [],
      'as mapped',
    ]);
  });

  test('are left alone where they are unchanged, and where somebody changed a line since', async () => {
    const changed = [line('A', 'D', '9'), line('A', 'C', '3', 'R5,R6,R7')];
    const { rows, left } = await undone({ definition: lines('REPLACE'), sent, before, now: changed });
    expect([rows, left]).toEqual([
      {},
      [
        {
          where: 'A in row 2',
          why: 'The BOM is not as the import left it (D), so all of it stays as it is.',
          cells: [],
        },
      ],
    ]);
    const back = await undone({ definition: lines('REPLACE'), sent, before, now: [...before].reverse() });
    expect([back.rows, back.left]).toEqual([{}, []]);
  });

  test('get the columns back that the import does not have', async () => {
    const plain = definitionOf('ITEM_BOM', 'REPLACE', { number: 'Assembly', 'item.number': 'Part', refDes: 'Notes' });
    const had = [line('A', 'B', '2', 'R1,R2', { notes: 'by hand', linenumber: '10' })];
    const { rows, lines: filled } = await undone({
      definition: plain,
      sent: 'Assembly,Part,Notes\nA,B,\n',
      before: had,
      now: [line('A', 'B', '1')],
    });
    expect([rows, filled]).toEqual([{ replace: [['A', 'B', 'R1,R2', '10', '2', 'by hand']] }, 'whole']);
    const { before: image } = await imageOf({ definition: plain, sent: 'Assembly,Part,Notes\nA,B,\n', before: had });
    expect(image).toEqual([
      ['Assembly', 'Part', 'Notes', 'lineNumber', 'quantity', 'notes of the line'],
      ['A', 'B', 'R1,R2', '10', '2', 'by hand'],
    ]);
  });
});

test('a before image has the values of records, names the absent ones, and has nothing twice', async () => {
  const { before, absent } = await imageOf({
    definition: items('OVERWRITE'),
    sent: 'Part,Name,Text,Cost\nA,new,filled,\nN,new,,\nA,again,,\n,nameless,,\nN,again,,\n',
    before: [item('A', 'old "quoted", and\nmore', '', '3')],
  });
  expect(before).toEqual([
    ['Part', 'Name', 'Text', 'Cost'],
    ['A', 'old "quoted", and\nmore', '[Remove Value]', '3'],
  ]);
  expect(absent).toEqual([
    ['Part', 'Name', 'Text', 'Cost'],
    ['N', 'new', '', ''],
  ]);
});

test('a file other than the before image of the import is refused', async () => {
  const { folder } = await imageOf({ definition: lines('EDIT'), sent: 'Assembly,Part,Qty,Ref\nA,B,1,\n', before: [] });
  const { prepared: sent } = await imageOf({
    definition: items('EDIT'),
    sent: 'Part,Name,Text,Cost\nA,a,,\n',
    before: [],
  });
  const { keepSides } = await import('#data/bulk/undo/keep-rows.js');
  const { temporaryFolder } = await import('../support.js');
  const keeping = {
    ...{ sent, definition: items('EDIT'), failed: new Set<number>() },
    ...{ image: folder, folder: await temporaryFolder() },
  };
  expect(await refusal(keepSides(keeping))).toMatch(
    /before\.csv is not the before image of this import: its columns are others\./,
  );
});
