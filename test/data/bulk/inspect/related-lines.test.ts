import { describe, expect, test } from 'vitest';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import { fileOf } from '../support.js';
import { linesOf } from './proposed.js';

const HEAD =
  'Reference,Product,Quantity,Unit of Measure,BoM Type,BoM Lines/Component,BoM Lines/Quantity,BoM Lines/Product Unit of Measure';
const TABLE = 'T-1,[FURN_7800] Table,1,Units,Kit,[0012] Top,1,Units';

async function inspected(lines: readonly string[], meanings: GivenMeanings = {}) {
  const path = await fileOf('boms.csv', `${[HEAD, ...lines].join('\n')}\n`);
  const file = { path, file: 'boms.csv' };
  const { inspection } = await inspectTable(file, { file: 'boms.csv' }, new AbortController().signal, { meanings });
  return { path, ...inspection.proposal };
}

describe('a list of BOMs as Odoo exports it', () => {
  test('gives each line the product above it, and divides numbers from names', async () => {
    const { path, manifests, problems, unmapped } = await inspected([
      TABLE,
      ',,,,,[BOLT] Bolt M8,16,Units',
      ',[FURN_8855] Drawer,1,Units,Kit,Saddle,2.5,m',
    ]);
    expect([problems, unmapped]).toEqual([[], []]);
    expect(await linesOf(path, manifests, 'ITEM_BOM')).toEqual([
      { number: 'FURN_7800', 'item.number': '0012', quantity: '1' },
      { number: 'FURN_7800', 'item.number': 'BOLT', quantity: '16' },
      { number: 'FURN_8855', 'item.number': 'Saddle', quantity: '2.5' },
    ]);
    expect(await linesOf(path, manifests, 'ITEM_SPECS')).toEqual([
      { number: '0012', name: 'Top', uom: 'Units' },
      { number: 'BOLT', name: 'Bolt M8', uom: 'Units' },
      { number: 'Saddle', name: 'Saddle', uom: 'm' },
    ]);
  });

  test('asks about BOMs of several pieces, and about several BOMs of one product', async () => {
    const lines = [TABLE, ',,,,,[BOLT] Bolt,16,Units', ',[BAT] Pack,10,Units,Kit,[CELL] Cell,400,Units', TABLE];
    const { problems } = await inspected(lines);
    expect(problems).toEqual([
      '"Quantity" says that some lines are those of 10 pieces, and nothing divides them; ' +
        '"[FURN_7800] Table" has more than one BOM, and their lines would be those of one. ' +
        'Correct the file, or take the lines as they are with `--column "BoM Lines/Quantity=quantity"`.',
    ]);
    expect((await inspected(lines, { 'BoM Lines/Quantity': 'quantity' })).problems).toEqual([]);
  });
});

describe('a list of BOMs as ERPNext exports it in the language of its user', () => {
  const lines = [
    'ID,Artikel,Menge,Firma,Artikelname,Item Description,ID (Artikel),Artikel-Code (Artikel),Menge (Artikel),Einheit (Artikel)',
    'BOM-LAMP-001,LAMP-1,1.0,Werk,Desk lamp,For desks,0a1b2,P-10,2.0,Nos',
    ',,,,,,0a1b3,P-20,1.0,Nos',
    ',,,,,,,P-30,4.0,Nos',
    'BOM-LAMP-002,LAMP-2,1.0,Werk,Floor lamp,For floors,0c1d2,P-20,3.0,Nos',
    ',,,,,,0c1d3,P-40,1.0,Nos',
    ',,,,,,,P-50,5.0,Nos',
  ];

  test('gives each line the assembly above it, and no part what describes an assembly', async () => {
    const path = await fileOf('boms.csv', `${lines.join('\n')}\n`);
    const file = { path, file: 'boms.csv' };
    const { inspection, proposed } = await inspectTable(file, { file: 'boms.csv' }, new AbortController().signal);
    const { manifests, problems, remarks } = inspection.proposal;
    expect(problems).toEqual([]);
    expect((await linesOf(path, manifests, 'ITEM_BOM')).map((row) => Object.values(row))).toEqual([
      ...[
        ['LAMP-1', 'P-10', '2.0'],
        ['LAMP-1', 'P-20', '1.0'],
        ['LAMP-1', 'P-30', '4.0'],
        ['LAMP-2', 'P-20', '3.0'],
        ['LAMP-2', 'P-40', '1.0'],
        ['LAMP-2', 'P-50', '5.0'],
      ],
    ]);
    const items = await linesOf(path, manifests, 'ITEM_SPECS');
    expect(items[0]).toEqual({ number: 'P-10', uom: 'Nos' });
    expect(proposed.parents).toEqual(
      new Map([
        ['LAMP-1', 'Desk lamp'],
        ['LAMP-2', 'Floor lamp'],
      ]),
    );
    expect(remarks).toContain(
      'What describes the assemblies in "Artikel" is not imported: "ID", "Menge", "Firma", "Item Description".',
    );
  });
});
