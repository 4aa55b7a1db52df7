import { expect, test } from 'vitest';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import { fileOf } from '../support.js';
import { proposedFor as proposed } from './proposed.js';

const lines = (rows: readonly Record<string, string>[]) => rows.map((row) => [row['item.number'], row.quantity]);

test('rows whose cells belong to the columns beside theirs give nothing that these columns say', async () => {
  const { items, bom, sources, said } = await proposed(
    'orders.csv',
    'Description,Qty,Currency,Supplier,Supplier Part No,State,Ordered on',
    ...['Rod M6,4,EUR,Norddraht,ND-1001,Ordered,01/06/25', 'Washer M6,8,Norddraht,ND-1002,Ordered,10/06/25,'],
    ...['Gland,2,EUR,Kabelhof,88211,Ordered,11/06/25', 'Switch,1,EUR,Kabelhof,88212,Ordered,11/06/25'],
    ...['Sheet,1,EUR,Norddraht,ND-1003,Ordered,01/06/25', 'Board,1,EUR,Kabelhof,88213,Ordered,11/06/25'],
    ...['Cable,1,EUR,Kabelhof,88214,Ordered,11/06/25', 'Nut M6,8,EUR,Norddraht,ND-1004,Ordered,01/06/25'],
    ...['Hose,2,EUR,Norddraht,ND-1005,Ordered,01/06/25', 'Clip,2,EUR,Norddraht,ND-1006,Ordered,01/06/25'],
  );
  expect(await items()).toHaveLength(10);
  expect(await bom()).toHaveLength(10);
  expect(new Set((await sources()).map((row) => row['supplier.name']))).toEqual(new Set(['Norddraht', 'Kabelhof']));
  expect(await sources()).toHaveLength(9);
  expect(said).toContain('the cells of row 3 seem to be in wrong columns: "Norddraht" in "Currency" belongs to');
});

test('rows with an odd quantity, and with one number in two columns, are in no wrong columns', async () => {
  const rows = [
    'R1,10k,R0603,1,1,5',
    'R2,22k,R0603,1,1,5',
    'R3,47k,R0603,2,1,5',
    'C1,1u,C0603,2,1,5',
    'C2,2u,C0805,1,1,5',
  ];
  const { bom, said } = await proposed(
    'board.csv',
    ...['Part,Value,Device,Qty,Spare,Total', ...rows, 'D1,1296.1004,1296.1004,5,2,1', 'D2,red,LED,5,1,5'],
    ...['C3,3u,C0805,2,1,5', 'C4,4u,C0805,2,1,5', 'C5,5u,C0805,2,1,5'],
  );
  expect(said).not.toContain('wrong columns');
  expect(await bom()).toHaveLength(10);
});

test('a row with a price in place of its number is left out', async () => {
  const parts = ['1N4148,1,', '2N3904,2.5,', '2N3906,2.5,', 'BC107,22.7,', 'BC108,18.5,', 'TIP31A,25.3,', 'BC547,5,'];
  const { items, said, problems } = await proposed(
    { file: 'prices.csv', meanings: {}, where: { Model: { not: 'BC547' } } },
    ...['Kind,Model,UnitPrice,notes', 'R,,0.25,1/4 W', 'R,0.24,1/4 W,', ...parts.map((part) => `T,${part}`)],
    ...['D,1N4001,1.1,50 V', 'D,1N4002,3.3,100 V', 'D,1N4003,1.3,200 V'],
  );
  expect((await items()).map(({ number }) => number).slice(0, 3)).toEqual(['1N4148', '2N3904', '2N3906']);
  expect(problems).toEqual([]);
  expect(said).toContain('"0.24" in "Model" belongs to "UnitPrice", "1/4 W" in "UnitPrice" belongs to "notes"');
});

test('parts are not fitted by "NC" in place of a value, and by marks that a hyphen joins to one', async () => {
  const { bom, said } = await proposed(
    'board.csv',
    'Designator,Footprint,Quantity,Value',
    ...[
      '"C1, C2",0805,2,22u',
      'C3,0805,1,NC',
      'R1,0603,1,0R-DNP',
      'R2,0603,1,10k_DNP',
      'R3,0603,1,10k',
      'R4,0603,1,1k NC',
    ],
    ...['J1,USB_A,1,USB_A', 'U1,SOIC-8,1,LM358-DNA'],
  );
  expect((await bom()).map(({ refdes }) => refdes)).toEqual(['C1, C2', 'R3', 'J1', 'U1']);
  expect(said).toContain('4 rows that are marked as not fitted (NC in "Value")');
});

test('"NC" is a part where it may be a contact that is normally closed', async () => {
  const { bom } = await proposed(
    ...['board.csv', 'Designator,Footprint,Quantity,Value', 'C1,0805,1,22u', 'SW1,SW_PUSH,1,NC', 'SW2,SW_PUSH,1,NO'],
  );
  expect((await bom()).map(({ refdes }) => refdes)).toEqual(['C1', 'SW1', 'SW2']);
});

test('a part in one row with a test point is kept, and asked about', async () => {
  const { bom, said } = await proposed(
    'board.csv',
    'Reference,Value,Footprint,Qty',
    ...['"D7,TP2",24V,"LED_SMD:LED_0603,TestPoint:TestPoint_Pad_1.0x1.0mm",2', 'D1,LED,LED_SMD:LED_0603,1'],
    ...[
      'TP1,5V,TestPoint:TestPoint_Pad_1.0x1.0mm,1',
      'TP3,GND,"TestPoint:TestPoint_Pad_1.0x1.0mm,TestPoint:TestPoint_THT",2',
    ],
  );
  expect(lines(await bom())).toHaveLength(2);
  expect(said).toContain('2 rows that are no part to buy');
  expect(said).toContain('parts are in one row with what nobody buys, and both are counted: row 2, such as "D7,TP2".');
});

test('a long number of which a spreadsheet lost digits is named, with what it probably was', async () => {
  const path = await fileOf(
    'psu.csv',
    [
      'Name,Description,Designator,Quantity',
      '8.6002E+11,860020472003 capacitor,C5,1',
      'LM317T,Regulator,U1,1',
      '',
    ].join('\n'),
  );
  const { inspection } = await inspectTable(
    { path, file: 'psu.csv' },
    { file: 'psu.csv' },
    new AbortController().signal,
  );
  expect(inspection.notes.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'digits-lost: 1 cell is a number of which a spreadsheet has lost digits in "Name": "8.6002E+11" in row 2 (probably "860020472003").',
  ]);
});

test('a message that several imports share is given once', async () => {
  const { remarks } = await proposed(
    'list.csv',
    ...[
      'Part,Qty,Supplier,Supplier Part No,Notes',
      'Rod,1,Norddraht,ND-1,long',
      'Pin,2,Norddraht,ND-2',
      'Nut,2,Norddraht,ND-3,M6',
    ],
  );
  expect(new Set(remarks).size).toBe(remarks.length);
  expect(remarks.filter((remark) => remark.includes('fewer cells'))).toHaveLength(1);
});

test('pages in place of names of makers give no source, and a shop by a German header does', async () => {
  const makers = await proposed(
    'robot.csv',
    ...['Part name,Qty,Manufacturer,MPN', 'Radio,1,https://shop.example/maker/semtech/,SX1280IMLTRT'],
    ...['Sensor,2,Adafruit,2168', 'Driver,2,Infineon,IR2104'],
  );
  expect((await makers.sources()).map((row) => row['supplier.name'])).toEqual(['Adafruit', 'Infineon']);
  expect(makers.said).toContain('sources of rows with "https://shop.example/maker/semtech/" (1) in "Manufacturer"');
  const shops = await proposed(
    'liste.csv',
    ...['Bezeichnung;Laden;Art.-Nr.;Preis;Anzahl', 'Relais;www.relaishof.example;137-10-935;3.51;1'],
    ...['Kabel;www.relaishof.example;300-38-891;8.37;1', 'Motor;Lehrlabor;;25.00;1', 'Buchse;Lehrlabor;;;1'],
  );
  expect((await shops.sources()).map((row) => row['supplieritem.number'])).toEqual(['137-10-935', '300-38-891']);
});
