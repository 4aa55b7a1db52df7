import { describe, expect, test } from 'vitest';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import { fileOf, workbookOf } from '../support.js';
import { linesOf } from './proposed.js';

interface Field {
  readonly apiName: string;
  readonly sourceName: string;
}

async function inspected(path: string, meanings: GivenMeanings = {}) {
  const file = path.split('/').at(-1) ?? '';
  const { inspection } = await inspectTable({ path, file }, { file }, new AbortController().signal, { meanings });
  return { path, worksheet: inspection.worksheet, ...inspection.proposal };
}

const ofText = async (lines: readonly string[], meanings: GivenMeanings = {}) =>
  inspected(await fileOf('list.csv', `${lines.join('\n')}\n`), meanings);

describe('what a list does not say is asked, not assumed', () => {
  test('dotted numbers that form no tree do not make a flat BOM', async () => {
    const list = [
      'ITEM NO.,PART NUMBER,DESCRIPTION,QTY.',
      ...['1,A,Frame,1', '2,B,Drive,1', '2.1,C,Motor,1', '2.1.1,D,Rotor,1', '2.1,E,Gear,2', '2.10.1,F,Wheel,8'],
    ];
    const { problems } = await ofText(list);
    expect(problems).toEqual([
      expect.stringMatching(
        /^"ITEM NO\." has dotted numbers of a tree, but row 7 \("2\.10\.1"\) has no row above it that is its parent, .* inspect it again with `--column "ITEM NO\.=none"` if the list is flat\.$/,
      ),
    ]);
    expect((await ofText(list, { 'ITEM NO.': 'none' })).problems).toEqual([]);
  });

  test('fiducials, holes and pads of a board are left out, unless somebody sells them', async () => {
    const rows = [
      ['C1', '100n', 'C_0603', 'CL10B104KB8NNNC'],
      ['"H1,H2"', 'MountingHole', 'MountingHole:MountingHole_3.2mm_M3', ''],
      ['FID1', 'Fiducial', 'Fiducial:Fiducial_1mm_Mask2mm', ''],
      ['TP1', 'TestPoint', 'TestPoint:TestPoint_Pad_D1.5mm', ''],
      ['TP2', 'TestPoint', 'TestPoint:TestPoint_Keystone_5000', '5000'],
      ['NT1', 'NetTie_2', 'NetTie:NetTie-2_SMD', ''],
      ['H3', 'M3', 'MountingHole:MountingHole_M3', '9774030360R'],
    ];
    const found = await ofText(['Reference,Value,Footprint,MPN', ...rows.map((cells) => cells.join(','))]);
    expect(found.remarks).toContain(
      'Left out: 4 rows that are no part to buy (MountingHole in "Value", "TestPoint:TestPoint_Pad_D1.5mm" in "Footprint"). To import them, remove these conditions from `where`.',
    );
    const lines = await linesOf(found.path, found.manifests, 'ITEM_BOM');
    expect(lines.map((line) => line['item.number'])).toEqual(['CL10B104KB8NNNC', '5000', '9774030360R']);
  });

  test('one odd cell of a column of quantities is asked about alone', async () => {
    const quantities = ['1 St.', '"2,5 m"', '1.200 St.', '3 St.', '4 St.', '5 St.', '6 St.', '7 St.', '8 St.', '9 St.'];
    const rows = [...quantities, '1 VE (100 St.)'].map((quantity, index) => `A-${index},Teil ${index},${quantity}`);
    const { text, problems } = await ofText(['Artikelnummer,Bezeichnung,Menge', ...rows]);
    expect(text).toContain('numbers: { Menge: { decimal: comma, unit: [ St., m ] } }');
    expect(problems).toEqual([
      expect.stringMatching(
        /^row 12: "1 VE \(100 St\.\)" is not a quantity\. Without it .* give such values a number \(`values: \{ Menge: \{ "1 VE \(100 St\.\)": … \} \}`\), or leave their lines out/,
      ),
    ]);
  });

  test('nothing is proposed for text that is aligned by spaces without a header', async () => {
    const { problems } = await ofText([
      'Assembly PUMP contains:',
      ...['  1 Part          PLATE.PRT', '  2 Sub-Assembly  FILTER.ASM', ' 12 Part          DIN933.PRT'],
    ]);
    expect(problems).toEqual([expect.stringContaining('The columns of the text are aligned by spaces')]);
  });

  test('marks for the value above are no values', async () => {
    const { problems } = await ofText([
      'Part Number,Name,Qty,Supplier,Supplier Part Number',
      ...['A,Bolt,1,Acme,1', 'B,Nut,2,idem,2'],
    ]);
    expect(problems).toEqual([
      '"idem" in "Supplier" stands for the value above it. Write these values out in the file, and inspect it again.',
    ]);
  });
});

describe('lines that are none', () => {
  test('are left out of a BOM where remarks say so; an amount as required is asked about', async () => {
    const { path, manifests, problems } = await ofText([
      'Artikelnummer,Bezeichnung,Menge,Bemerkung',
      ...[
        'A,Rahmen,1,',
        'B,Deckel,2,entfällt ab Rev. 2',
        'C,Fett,n. B.,',
        'D,Stecker,1,不插',
        'E,R,1,10k/NC',
        'F,Scheibe,1,D',
      ],
    ]);
    expect(problems).toEqual([expect.stringContaining('row 4: "n. B." is not a quantity.')]);
    const lines = await linesOf(path, manifests, 'ITEM_BOM');
    expect(lines.map((line) => line['item.number'])).toEqual(['A', 'C', 'F']);
  });
});

test('columns of makers that fill different rows are one, and others are sources of their own', async () => {
  const head = 'Part Number,Name,Qty,MF,MPN,MANUFACTURER_NAME,MANUFACTURER_PART_NUMBER';
  const sources = async (...rows: string[]): Promise<string[]> => {
    const { path, manifests, unmapped } = await ofText([head, ...rows]);
    const found = await linesOf(path, manifests, 'ITEM_SOURCING');
    const lines = found.map((one) => `${one.number} ${one['supplier.name']} ${one['supplieritem.number']}`);
    return [...lines, ...unmapped];
  };
  const rows = ['A,Res,1,Yageo,Y-1,,', 'B,Cap,1,,,Murata,M-1', 'C,Coil,2,,,,'];
  expect(await sources(...rows)).toEqual(['A Yageo Y-1', 'B Murata M-1']);
  expect(await sources(...rows, 'D,Diode,1,ST,S-1,NXP,N-1')).toEqual([
    ...['A Yageo Y-1', 'D ST S-1', 'MANUFACTURER_NAME', 'MANUFACTURER_PART_NUMBER'],
  ]);
});

describe('lines of a tree that are none', () => {
  const HEAD = 'Level,Item Number,Name,Quantity,Item Type,BOM Notes';
  const TREE = ['0,A,Pump,1,Part,', '1,B,Motor,1,Part,', '2,C,Rotor,1,Part,', '1,D,Drawing,1,Document,'];

  test('are left out if nothing is below them', async () => {
    const { path, manifests } = await ofText([HEAD, ...TREE, '1,E,Resistor,2,Part,Do not stuff', '1,F,Nut,4,Part,']);
    const lines = await linesOf(path, manifests, 'ITEM_BOM');
    expect(lines.map((line) => `${line.number} ${line['item.number']}`)).toEqual(['A B', 'B C', 'A F']);
  });

  test('and stay otherwise, with a word', async () => {
    const { path, manifests, remarks } = await ofText([HEAD, ...TREE, '2,E,Frame,1,Part,', '1,F,Nut,4,Part,']);
    expect(await linesOf(path, manifests, 'ITEM_BOM')).toHaveLength(5);
    expect(remarks).toContain(
      'Open: 1 line that is of a document or a text (Document in "Item Type") would be in the BOM: other rows are below.',
    );
  });
});

describe('numbers of items', () => {
  test('may be those of drawings, even if a few parts have none or share one', async () => {
    const rows = ['44-01,Frame', '44-02,Roller', '12-05-03,Bolt', '44-03,Cover', '44-04,Belt', ',Grease'];
    const { path, manifests } = await ofText([
      'Item,Document Number,Title,Quantity',
      ...rows.map((row, index) => `${index + 1},${row},1`),
    ]);
    expect((await linesOf(path, manifests, 'ITEM_SPECS')).map(({ number }) => number)).toEqual([
      ...['44-01', '44-02', '12-05-03', '44-03', '44-04', 'Grease'],
    ]);
  });

  test('that a person takes from those of makers leave the makers as sources', async () => {
    const { manifests } = await ofText(
      ['Designator,Manufacturer,MPN,Qty', 'C1,Murata,GRM1,1', 'C2,TDK,C16,1', 'H1,,,1', 'H2,,,1'],
      { MPN: 'number' },
    );
    const definitions = manifests as unknown as readonly {
      spec: { resource?: string; options: { mapping: readonly Field[] } };
    }[];
    const mapping = definitions.find(({ spec }) => spec.resource === 'ITEM_SOURCING')?.spec.options.mapping ?? [];
    expect(mapping.map(({ apiName, sourceName }) => `${apiName} ${sourceName}`)).toEqual([
      ...['number MPN', 'supplier.name Manufacturer', 'supplierItem.number MPN'],
    ]);
  });
});

describe('tables beside the main one', () => {
  const MAIN = [
    'Assembly: BT-20',
    '',
    'Part Number,Name,Qty',
    'P-1,Frame,1',
    'P-2,Plate,2',
    'P-3,Angle,4',
    'P-4,Foot,4',
    '',
  ];

  test('have its assembly', async () => {
    const { path, manifests, remarks } = await ofText([
      ...MAIN,
      ...['Bought parts', 'Name,Qty,Part Number,Supplier', 'Screw,8,S-1,Acme', 'Nut,8,S-2,Acme', 'Washer,16,S-3,Acme'],
    ]);
    const lines = await linesOf(path, manifests, 'ITEM_BOM');
    expect(lines.map((line) => `${line.number} ${line['item.number']}`).sort()).toEqual([
      ...['P-1', 'P-2', 'P-3', 'P-4', 'S-1', 'S-2', 'S-3'].map((number) => `BT-20 ${number}`),
    ]);
    expect(remarks).toContainEqual(expect.stringContaining('Open: the lines of this table are those of "BT-20"'));
  });

  test('are not read if they list the same parts once more', async () => {
    const { path, manifests, remarks } = await ofText([
      ...MAIN,
      ...['Recapitulation', 'Quantity,Part Number,Remark', '1,P-1,a', '2,P-2,b', '4,P-3,c'],
    ]);
    expect(await linesOf(path, manifests, 'ITEM_BOM')).toHaveLength(4);
    expect(remarks).toContainEqual(
      expect.stringMatching(/^Open: the table in A9:C13 lists only parts of the one before/),
    );
  });

  test('of coordinates are not preferred to those of parts', async () => {
    const places = Array.from({ length: 9 }, (_, index) => [`C${index}`, `${index}.5`, '2.5', 'Top', '90']);
    const path = await workbookOf({
      CPL: [['Designator', 'Mid X', 'Mid Y', 'Layer', 'Rotation'], ...places],
      BOM: [
        ['Comment', 'Designator', 'Footprint'],
        ['10k', 'R1,R2', '0402'],
        ['1u', 'C1', '0603'],
      ],
    });
    expect((await inspected(path)).worksheet).toBe('BOM');
  });
});
