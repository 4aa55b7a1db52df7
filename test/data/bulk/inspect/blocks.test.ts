import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import { fileOf, workbookOf } from '../support.js';
import { linesOf, proposalOf } from './proposed.js';

interface Proposed {
  readonly names: readonly string[];
  readonly sources: ReadonlyMap<string, Record<string, unknown>>;
  readonly text: string;
  readonly rows: number;
  readonly others: readonly string[];
}

async function proposed(path: string, file: string): Promise<Proposed> {
  const { inspection } = await inspectTable({ path, file }, { file }, new AbortController().signal);
  const { text } = inspection.proposal;
  const jobs = parseAllDocuments(text).flatMap((document) => {
    const { kind, metadata, spec } = document.toJS();
    return kind === 'Import' ? [[metadata.name, spec.source] as const] : [];
  });
  return {
    names: jobs.map(([name]) => name),
    sources: new Map(jobs),
    text,
    rows: inspection.rows,
    others: inspection.others.map(({ range, worksheet = '' }) => `${worksheet}${range}`),
  };
}

const HEADER = ['Part Number', 'Description', 'Qty'];
const block = (mark: string) => [HEADER, [`${mark}-1`, 'Frame', '1'], [`${mark}-2`, 'Screw', '8']];
const csv = (rows: readonly (readonly string[])[]) => rows.map((cells) => `${cells.join(',')}\n`).join('');

const blocksOf = (between: readonly string[][], belowTitle: readonly string[][]) => [
  ...[['Mechanical', '', ''], ...belowTitle, ...block('M'), ...between],
  ...[['Electronics', '', ''], ...belowTitle, ...block('E'), ...between],
  ...[['Packaging', '', ''], ...belowTitle, ...block('P')],
];

describe('blocks with one header and titles', () => {
  test.each([
    ['nothing', [], []],
    ['blank rows between the blocks', [['', '', '']], []],
    ['blank rows between the blocks and below the titles', [['', '', '']], [['', '', '']]],
    [
      'several blank rows',
      [
        ['', '', ''],
        ['', '', ''],
      ],
      [],
    ],
  ])('are one list, with the titles as a column: %s', async (_, between, belowTitle) => {
    const path = await fileOf('lamp.csv', csv(blocksOf(between, belowTitle)));
    const { names, sources, text, rows } = await proposed(path, 'lamp.csv');
    expect([names, rows]).toEqual([['lamp items', 'lamp BOM'], 6]);
    expect(sources.get('lamp items')).toEqual({
      file: 'lamp.csv',
      headerRow: 2 + belowTitle.length,
      columns: { Section: { is: 'title' } },
    });
    expect(text).toContain(
      'Blocks with one header are one list; "Section" has their titles ("Mechanical", "Electronics", "Packaging").',
    );
    expect(text).not.toMatch(/Open:|Left out:/);
  });

  test('are the BOMs of their titles where these look like item numbers', async () => {
    const rows = [['ASM-100', '', ''], ...block('M'), ['', '', ''], ['ASM-200', '', ''], ...block('E')];
    const { text, sources } = await proposed(await fileOf('lamp.csv', csv(rows)), 'lamp.csv');
    expect(sources.get('lamp BOM')).toMatchObject({ columns: { Assembly: { is: 'title' } } });
    expect(text).toContain('{ resource: ITEM_BOM, apiName: number, sourceName: Assembly }');
    expect(text).toContain('Parents of the BOM that are no rows of the list, such as "ASM-100", must exist');
  });

  test('end before another table, which is proposed as a further import; one without item numbers is left open', async () => {
    const suppliers = [
      ['Spare parts', '', ''],
      ['Item Number', 'Item Name', ''],
      ['S-1', 'Lamp', ''],
      ['S-2', 'Fuse', ''],
    ];
    const history = [
      ['Rev', 'Date', 'Author', 'Remark'],
      ['A', '2026-01-02', 'Ann', 'first'],
      ['B', '2026-02-03', 'Ben', 'second'],
    ];
    const blank = [['', '', '']];
    const rows = [...blocksOf(blank, []), ...blank, ...suppliers, ...blank, ...history];
    const { names, sources, text, others } = await proposed(await fileOf('lamp.csv', csv(rows)), 'lamp.csv');
    expect(names).toEqual(['lamp items', 'lamp BOM', 'lamp Spare parts items']);
    expect(sources.get('lamp BOM')).toMatchObject({
      headerRow: 2,
      stopAt: 'blank',
      columns: { Section: { is: 'title' } },
    });
    expect(sources.get('lamp Spare parts items')).toMatchObject({ headerRow: 17, stopAt: 'blank' });
    expect(text).toContain('# From A16:B19.');
    expect(others).toEqual(['A21:D23']);
    expect(text).toContain('# Open: the table in A21:D23 is not read.');
  });
});

describe('a range without its header', () => {
  const inspected = async (content: string, range: string) => {
    const path = await fileOf('a.csv', content);
    const given = { file: 'a.csv', range };
    const { inspection } = await inspectTable({ path, file: 'a.csv' }, given, new AbortController().signal);
    return inspection;
  };

  test.each([
    ['A3:C4', 'Part Number,Name,Qty\nA,x,1\nB,y,2\nC,z,3\n', 1, 2],
    ['A2:B3', 'Ding,Sache\n100,20\n200,30\n', 1, 2],
  ])('%s is read with the header above it, and the proposal says so', async (range, content, row, rows) => {
    const { proposal, headerRow, ...found } = await inspected(content, range);
    expect([headerRow, found.rows]).toEqual([row, rows]);
    expect(proposal.remarks).toContain(
      `Open: the range ${range} has no header; row ${row} above it looks like the header and is read as one. Write \`--header-row ${row}\`, or \`--no-header\` if the table has none.`,
    );
  });

  test('has letters for names where nothing above it looks like a header', async () => {
    const { proposal, header, rows } = await inspected('RC0402-1,3\nRC0402-2,4\nRC0402-3,5\n', 'A1:B3');
    expect([header, rows]).toEqual(['none', 3]);
    expect(proposal.text).toContain(
      '# Open: the range A1:B3 has no header; its first row is read as data, and the columns have letters for names. Write `--no-header`, or `--header-row N` if a row has the headers.',
    );
  });

  test('one with a header is taken as it is', async () => {
    const { proposal, headerRow } = await inspected('Old,Table\nPart Number,Name\nA,x\nB,y\n', 'A2:B4');
    expect([headerRow, proposal.text]).toEqual([2, expect.not.stringContaining('Open:')]);
  });
});

const saidOf = async (path: string) => ({ said: (await proposalOf(path)).remarks.join('\n') });

describe('worksheets with one header', () => {
  test('are one list with their names as a column; others are proposed, or left', async () => {
    const all = await workbookOf({ Frame: block('F'), Drive: [['Drive of the lamp'], [], ...block('D')] });
    const whole = await proposed(all, 'lamp.xlsx');
    expect(whole.names).toEqual(['lamp items', 'lamp BOM']);
    expect([whole.sources.get('lamp items'), whole.rows]).toEqual([
      { file: 'lamp.xlsx', worksheet: '*', columns: { Worksheet: { is: 'worksheet' } } },
      4,
    ]);
    const some = await workbookOf({
      Frame: block('F'),
      Notes: [
        ['Who', 'When'],
        ['Ann', 'today'],
        ['Ben', 'later'],
      ],
      Drive: block('D'),
      Spares: [
        ['Item Number', 'Item Name'],
        ['S-1', 'Lamp'],
        ['S-2', 'Fuse'],
      ],
    });
    const { names, sources, others, text } = await proposed(some, 'lamp.xlsx');
    expect(names).toEqual(['lamp items', 'lamp BOM', 'lamp Spares items']);
    expect(sources.get('lamp BOM')).toMatchObject({ worksheet: ['Frame', 'Drive'] });
    expect(sources.get('lamp Spares items')).toEqual({ file: 'lamp.xlsx', worksheet: 'Spares' });
    expect(others).toEqual(['NotesA1:B3']);
    expect(text).toContain('inspect the file with `--worksheet "Notes" --range A1:B3`');
  });

  describe('are an assembly each', () => {
    const header = ['Part Number', 'Value', 'Designator', 'Qty'];
    const board = (...rows: readonly string[][]) => [header, ...rows];
    const parentsOf = async (path: string) => {
      const proposal = await proposalOf(path);
      const lines = await linesOf(path, proposal.manifests, 'ITEM_BOM');
      return { ...proposal, lines: lines.map((row) => [row.number, row['item.number'], row.quantity]) };
    };

    test('if their designators begin again, which is said', async () => {
      const path = await workbookOf({
        Driver: board(['P-1', '10k', 'R1', '1'], ['P-2', '1u', 'C1', '1']),
        Panel: board(['P-1', '10k', 'R1, R2', '2'], ['P-2', '1u', 'C1', '1'], ['P-3', 'Socket', 'J0, J2-1, J2-2', '3']),
      });
      const { lines, remarks, text, assembly, problems } = await parentsOf(path);
      expect([lines, assembly, problems]).toEqual([
        [
          ['Driver', 'P-1', '1'],
          ['Driver', 'P-2', '1'],
          ['Panel', 'P-1', '2'],
          ['Panel', 'P-2', '1'],
          ['Panel', 'P-3', '3'],
        ],
        undefined,
        [],
      ]);
      expect(remarks).toContain(
        'Open: each worksheet is taken for an assembly, since "R1" is on "Driver" and on "Panel" (1 more). If their lines belong to one assembly, inspect the file again with `--column "Worksheet=none"`.',
      );
      expect(text).toContain('"J2-1" is not a range of reference designators.');
      expect(text).toContain('checkRefDes: DO_NOT_CHECK');
    });

    test('if their positions begin with 1 again', async () => {
      const sheet = (mark: string) => [
        ['Pos', 'Part Number', 'Description', 'Qty'],
        ...[1, 2, 3].map((at) => [`${at}`, `${mark}-${at}`, 'Plate', `${at}`]),
      ];
      const { lines } = await parentsOf(await workbookOf({ Frame: sheet('F'), Drive: sheet('D') }));
      expect(lines.map(([parent]) => parent)).toEqual(['Frame', 'Frame', 'Frame', 'Drive', 'Drive', 'Drive']);
    });

    test('but not if they are parts of one board', async () => {
      const path = await workbookOf({
        Resistors: board(['P-1', '10k', 'R1', '1'], ['P-2', '1k', 'R2', '1']),
        Capacitors: board(['P-3', '1u', 'C1', '1'], ['P-4', '10u', 'C2', '1']),
      });
      const { lines, assembly } = await parentsOf(path);
      expect(new Set(lines.map(([parent]) => parent))).toEqual(new Set([assembly]));
    });
  });

  test('rows are named as each of them counts them', async () => {
    const rows = (mark: string) => [
      ['Part Number', 'Description', 'Value', 'Qty'],
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => [
        mark === 'B' && at === 4 ? '' : `${mark}-${at}`,
        `Part ${at}`,
        'x',
        '1',
      ]),
    ];
    const { said } = await saidOf(await workbookOf({ One: rows('A'), Two: rows('B') }));
    expect(said).toContain('row 5 of worksheet "Two" has no number');
  });

  test('a title of a section on one of them does not become a record', async () => {
    const path = await workbookOf({ Frame: [...block('F'), ['Screws'], ['F-3', 'M4', '2']], Drive: block('D') });
    const { text, rows } = await proposed(path, 'lamp.xlsx');
    expect(rows).toBe(5);
    expect(text).toContain('# Left out: 1 row with a title alone, such as "Screws" in "Part Number".');
  });
});

test('titles with a label name the parents of their blocks', async () => {
  const path = await fileOf(
    'cat.csv',
    'Bill of Material: V-9000,,\nQuantity,Part Number,Nomenclature\n4,BOLT-1,BOLT\n1,V-9100,WING\n,,\nBill of Material: V-9100,,\nQuantity,Part Number,Nomenclature\n6,BOLT-1,BOLT\n2,PLATE-2,PLATE\n',
  );
  const { manifests, problems } = await proposalOf(path);
  expect(problems).toEqual([]);
  const lines = await linesOf(path, manifests, 'ITEM_BOM');
  expect(lines.map((one) => `${one.number} ${one['item.number']} ${one.quantity}`)).toEqual([
    'V-9000 BOLT-1 4',
    'V-9000 V-9100 1',
    'V-9100 BOLT-1 6',
    'V-9100 PLATE-2 2',
  ]);
});

test('blocks with other titles may be assemblies, which a remark says', async () => {
  const path = await fileOf(
    'b.csv',
    'Frame,,\nPart Number,Name,Qty\nA-1,Bolt,4\nA-2,Nut,1\n,,\nDrive,,\nPart Number,Name,Qty\nA-3,Belt,6\nA-4,Pin,2\n',
  );
  expect((await proposalOf(path)).remarks).toContainEqual(
    expect.stringMatching(/^Blocks with one header .*--column "Section=parent"/),
  );
});
