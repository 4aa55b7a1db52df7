import { describe, expect, test } from 'vitest';
import { proposedFor } from './proposed.js';

const proposed = (...lines: readonly string[]) => proposedFor('list.csv', ...lines);

const numbers = (rows: readonly Record<string, string>[]) => rows.map((row) => row['item.number']);

describe('parts without a number get one that stays when designators are added', () => {
  test.each([
    ['of name and footprint', 'Refs,Qty,Part,Footprint', 'R1,1,Resistor,R_0402', '"R2,R3",2,Resistor,R_0805'],
    ['of kind and value', 'References,Quantity,Component,Value', 'R1,1,Resistor,R_0402', '"R2,R3",2,Resistor,R_0805'],
    [
      'of value and package in a cell each',
      'Метка,Кол-во,Значение,Корпус',
      'R1,1,Resistor,R_0402',
      '"R2,R3",2,Resistor,R_0805',
    ],
  ])('%s', async (_, ...lines) => {
    const { bom } = await proposed(...lines);
    expect(numbers(await bom())).toEqual(['Resistor R_0402', 'Resistor R_0805']);
  });

  test('which is that of the assembly with their value, if each has another', async () => {
    const { bom } = await proposed('Reference,Value,Qty', 'U1,LM358,1', '"C1,C2",100n,2');
    expect(numbers(await bom()).map((number) => number?.split('-').at(-1))).toEqual(['LM358', '100n']);
  });

  test('and not the number of their line, though its header says it', async () => {
    const { bom } = await proposed(
      '部品番号,部品名,メーカー,型番,個数',
      ...['1,Plate,misumi,JTAB-A,1', '2,Frame,misumi,HFS5-A,2', '4,Hub,misumi,SHTE-A,3'],
    );
    expect(await bom()).toMatchObject([
      { 'item.number': 'JTAB-A', linenumber: '1' },
      { 'item.number': 'HFS5-A', linenumber: '2' },
      { 'item.number': 'SHTE-A', linenumber: '4' },
    ]);
  });
});

describe('rows of different parts do not become one in silence', () => {
  test('a name that parts share is composed with what distinguishes them', async () => {
    const { items, remarks } = await proposed(
      'Name,Specification,Qty',
      ...['Screw,M2x4 steel,8', 'Screw,M2x6 steel,4', 'Cover,ABS black,1', 'Screw,M2x4 steel,3'],
    );
    expect((await items()).map(({ number }) => number)).toEqual([
      ...['Screw M2x4 steel', 'Screw M2x6 steel', 'Cover ABS black', 'Screw M2x4 steel'],
    ]);
    expect(remarks).toContain(
      'Different parts have one "Name", so item numbers are composed of it and "Specification".',
    );
  });

  test('a value and footprint that parts share give way to what distinguishes them', async () => {
    const { items, bom } = await proposed(
      'Reference,Value,Footprint,Description',
      ...['D1,LED,0603,LED red', 'D2,LED,0603,LED green', 'C1,1u,0603,Capacitor 1u', 'C2,1u,0603,Capacitor 1u'],
    );
    expect((await items()).map(({ number }) => number)).toEqual([
      'LED red',
      'LED green',
      'Capacitor 1u',
      'Capacitor 1u',
    ]);
    expect((await bom()).map(({ quantity }) => quantity)).toEqual(['1', '1', '2']);
  });

  test('a description that says less is added to them', async () => {
    const { items } = await proposed(
      'Designator,Value,Footprint,Tolerance',
      ...['R1,10k,0603,1%', 'R2,10k,0603,5%', 'R3,1k,0603,1%'],
    );
    expect((await items()).map(({ number }) => number)).toEqual(['10k 0603 1%', '10k 0603 5%', '1k 0603 1%']);
  });

  test('numbers that bought parts share are those of their suppliers', async () => {
    const { items, sources } = await proposed(
      'Qty,Vendor,Part number,Name',
      ...['8,Amazon,B07H4,Screw', '4,Amazon,B07H4,Nut', '1,Misumi,HFS5,Rail'],
    );
    expect((await items()).map(({ number }) => number)).toEqual(['Screw', 'Nut', 'Rail']);
    expect((await sources()).map((row) => row['supplieritem.number'])).toEqual(['B07H4', 'B07H4', 'HFS5']);
  });

  test('rows of one number that differ are named', async () => {
    const { remarks } = await proposed(
      'Part Number,Description,Rev',
      ...['003200,Plate,A', '003201,Cover,A', '003200,Plate,B'],
    );
    expect(remarks).toContain(
      'Open: row 4 has the number of row 2 ("003200") but another "Rev", and they become one item. Give different parts different numbers.',
    );
  });
});

describe('columns are read by what is in them', () => {
  test.each([
    ['Digi-Key', '160-1447-1-ND', 'RHM10KADCT-ND', '311-1.2KDTR-ND'],
    ['LCSC', 'C2961978', 'C1525', 'C52923'],
  ])('part numbers of %s are no numbers of items', async (shop, ...numbers) => {
    const { items, sources } = await proposed(
      'Designator,Value,Package,Part Number',
      ...numbers.map((number, index) => `R${index + 1},${index + 1}k,0603,${number}`),
    );
    expect((await items()).map(({ number }) => number)).toEqual(['1k 0603', '2k 0603', '3k 0603']);
    expect((await sources()).map((row) => [row['supplier.name'], row['supplieritem.number']])).toEqual(
      numbers.map((number) => [shop, number]),
    );
  });

  test('the quantity of Inventor is the one that has units', async () => {
    const { bom } = await proposed(
      'Item,Part Number,Unit QTY,Item QTY,QTY',
      ...['1,P-1,Each,4,4', '2,P-2,1250.000 mm,2,2500.000 mm', '3,P-3,0.250 l,1,0.250 l'],
    );
    expect((await bom()).map(({ quantity }) => quantity)).toEqual(['4', '2500.000', '0.250']);
  });

  test('numbers that only some parts have are completed by names', async () => {
    const { items } = await proposed(
      'Component ID,Component Name,In stock',
      ...['SEN-1,Sensor,5', ',Headphones,2', 'SEN-2,Range finder,1', ',SD card,4', 'SEN-3,Switch,9'],
    );
    expect((await items()).map(({ number }) => number)).toEqual(['SEN-1', 'Headphones', 'SEN-2', 'SD card', 'SEN-3']);
  });

  test('numbers of many forms beside makers are those of the makers, and say so', async () => {
    const { sources, remarks } = await proposed(
      'Name,Manufacturer,Part Number,Qty',
      ...['Mirror,Thorlabs,PF10-03-P01,1', 'Cube,Thorlabs,KCB1,2', 'Lens,Nikon,MRD00105,1', 'Post,Newport,9807,1'],
    );
    expect((await sources()).map(({ number }) => number)).toEqual(['PF10-03-P01', 'KCB1', 'MRD00105', '9807']);
    expect(remarks.join('\n')).toContain('Remove this import if they are numbers of your company.');
  });

  test('numbers of one form beside makers are those of the company', async () => {
    const { sources, remarks } = await proposed(
      'Name,Manufacturer,Part Number,Qty',
      ...['Mirror,Thorlabs,10-0001,1', 'Cube,Thorlabs,10-0002,2', 'Lens,Nikon,20-0001,1', 'Post,Newport,30-0001,1'],
    );
    expect(await sources()).toEqual([]);
    expect(remarks.join('\n')).toContain('inspect the file again with `--column "Part Number=mpn"`');
  });

  test('a column with numbers of items is their parent, and one of units is their unit', async () => {
    const { bom, items } = await proposed(
      'Block,Block Description,Item No,Item Description,Menge,KME',
      ...['F-1,Frame,P-1,Paint,1,KG', 'F-1,Frame,F-2,Plate,2,ST', 'F-2,Plate,P-1,Paint,1,KG', 'F-2,Plate,F-3,Rib,4,ST'],
      ...['F-3,Rib,P-2,Sheet,1,ST', 'F-3,Rib,P-3,Pin,1,ST'],
    );
    expect((await bom()).map((line) => [line.number, line['item.number']])).toEqual([
      ...[
        ['F-1', 'P-1'],
        ['F-1', 'F-2'],
        ['F-2', 'P-1'],
        ['F-2', 'F-3'],
        ['F-3', 'P-2'],
        ['F-3', 'P-3'],
      ],
    ]);
    expect(await items()).toMatchObject([{ uom: 'KG' }, { uom: 'ST' }, {}, {}, {}, {}]);
  });

  test('pages of a list are one table, and their heads name its assembly', async () => {
    const { bom, assembly } = await proposed(
      ...[
        '17.03.2025   List   1',
        '-----------',
        '',
        'Material         10048217',
        'Bezeichnung      Belt conveyor',
        '',
      ],
      ...['-----------', '|Stufe|Komponentennummer|Objektkurztext|Menge|', '-----------'],
      ...['|.1   |10048301         |Rahmen        |1    |', '|..2  |10048302         |Traeger       |2    |'],
      ...['-----------', '', '17.03.2025   List   2', '-----------'],
      ...['|Stufe|Komponentennummer|Objektkurztext|Menge|', '-----------'],
      ...['|.1   |10048303         |Schraube      |4    |', '-----------'],
    );
    expect(assembly).toBe('10048217');
    expect(
      (await bom()).map((line) => [line.number, line['item.number'], line.quantity].map((cell) => cell?.trim())),
    ).toEqual([
      ['10048217', '10048301', '1'],
      ['10048301', '10048302', '2'],
      ['10048217', '10048303', '4'],
    ]);
  });

  test('a number of pieces is a quantity, and places of parts are no designators', async () => {
    const { bom } = await proposed(
      'Designator,Component,Number,Cost per unit (€)',
      ...[
        'Frame,Profile,4,10',
        'Frame,Bracket,8,1',
        'Drive,Motor,1,30',
        'Drive,Belt,1,5',
        'Drive,Pulley,1,7',
        'Drive,Nut,8,1',
      ],
    );
    expect(await bom()).toEqual(
      ['Profile 4', 'Bracket 8', 'Motor 1', 'Belt 1', 'Pulley 1', 'Nut 8'].map((line) => {
        const [item = '', quantity = ''] = line.split(' ');
        return expect.objectContaining({ 'item.number': item, quantity });
      }),
    );
    expect((await bom()).some((line) => 'refdes' in line)).toBe(false);
  });

  test('neither prices nor lengths are read as units', async () => {
    const priced = await proposed('Q,Part,Unit,Sum', '2,R24-2RS,$19.95,$39.90', '1,LM67048,$13.80,$13.80');
    expect(await priced.items()).toMatchObject([{ standardcost: '19.95' }, { standardcost: '13.80' }]);
    const lines = await proposed(
      'Part Number,Name,Qty,Cost,Cost Per Item',
      'A-1,Bolt,10,5.00,0.50',
      'A-2,Nut,4,1.00,0.25',
    );
    expect(await lines.items()).toMatchObject([{ standardcost: '0.50' }, { standardcost: '0.25' }]);
    const cut = await proposed('Component,Units,Price', 'Profile,3582mm,10', 'Rod,881mm,2', 'Board,1,21');
    expect(await cut.bom()).toMatchObject([{ quantity: '3582' }, { quantity: '881' }, { quantity: '1' }]);
  });

  test('quantities of an order are not those of a board', async () => {
    const { remarks, bom } = await proposed(
      'Reference,Value,Footprint,Qty',
      ...['"C1,C2,C3",100n,C_0603,100', '"R1,R2",10k,R_0603,100', 'U1,LM358,SO8,5'],
    );
    expect((await bom()).map(({ quantity }) => quantity)).toEqual(['3', '2', '1']);
    expect(remarks).toContain(
      'Open: "Qty" agrees with the designators in none of the 2 rows that have several, so the designators are counted instead. Map "Qty" to the quantity if it is the one of the BOM.',
    );
  });

  test('designators with slashes are several, and a dash is none', async () => {
    const { bom } = await proposed(
      'Ref,Qty,Part Number',
      ...['D5/D6,2,A-1', 'F1,1,A-2', 'Q1/Q2,2,A-3', 'R1,1,A-4', '-,3,A-5'],
    );
    expect((await bom()).map(({ refdes }) => refdes)).toEqual(['D5,D6', 'F1', 'Q1,Q2', 'R1', '']);
  });

  test('names of footprints that a board has besides are no parts', async () => {
    const { items } = await proposed(
      'Id,Designator,Designation,Footprint,Quantity',
      ...['1,",,,,",,,5', '2,"D1,D2",1N4148,DO-35,2', '3,IC1,4040,DIP-16,1', '4,T5,BC309B,TO-92,1'],
    );
    expect((await items()).map(({ number }) => number)).toEqual(['1N4148 DO-35', '4040 DIP-16', 'BC309B TO-92']);
  });
});

describe('numbers of shops are sources', () => {
  test('of the shop in their header', async () => {
    const { sources } = await proposed(
      'MPN,Digi-Key Part Number,Description',
      'ECA-1,P5193-ND,Cap',
      'K104,BC2665-ND,Cap 2',
    );
    expect(await sources()).toMatchObject([
      { number: 'ECA-1', 'supplier.name': 'Digi-Key', 'supplieritem.number': 'P5193-ND' },
      { number: 'K104', 'supplier.name': 'Digi-Key', 'supplieritem.number': 'BC2665-ND' },
    ]);
  });

  test.each([
    ['by its header', 'LCSC#,Supplier', 'C98192,Digikey', 'C30926,Digikey', 'LCSC', 'C98192'],
    ['by their form', 'Order Code,X', '277-8599-ND,1', '296-43024-1-ND,2', 'Digi-Key', '277-8599-ND'],
    [
      'by the pages beside them',
      'Bestellnr,Link',
      '2356154,http://de.farnell.com/a',
      '7992033,http://de.farnell.com/b',
      'Farnell',
      '2356154',
    ],
  ])('of a shop that is known %s', async (_, headers, one, two, shop, number) => {
    const { sources } = await proposed(`MPN,Name,${headers}`, `M-1,Cap,${one}`, `M-2,Chip,${two}`);
    expect(await sources()).toContainEqual({ number: 'M-1', 'supplier.name': shop, 'supplieritem.number': number });
  });

  test('unless a column of states refuses them', async () => {
    const { sources, remarks } = await proposed(
      'CPN,Description,Manufacturer,MPN,AML Status',
      ...[
        '110-1,Cap,Murata,GRM1,Approved',
        '110-1,Cap,AVX,0603,Obsolete',
        '120-1,Chip,TI,LM358,Approved',
        '130-1,Pin,(any),x1,Approved',
      ],
    );
    expect((await sources()).map((one) => [one.number, one['supplier.name']])).toEqual([
      ['110-1', 'Murata'],
      ['120-1', 'TI'],
    ]);
    expect(remarks).toContain('Left out: sources of rows with "Obsolete" (1) in "AML Status".');
  });

  test('of the supplier in their row, if parts have names alone', async () => {
    const { sources } = await proposed(
      'Qty,Part No.,Supplier,Description',
      ...['1,378251,DX,Board', '1,,Local,Card', '2,,Local,Cable', '1,,Local,Case'],
    );
    expect(await sources()).toMatchObject([
      { number: 'Board', 'supplier.name': 'DX', 'supplieritem.number': '378251' },
    ]);
  });
});

describe('several makers in a cell, with as many numbers, are a source each', () => {
  test.each([
    ['lines', '\n'],
    ['semicolons', ';'],
    ['commas', ', '],
  ])('divided by %s', async (_, at) => {
    const { sources, problems } = await proposed(
      'Part Number,Name,Manufacturer,MPN',
      ...[`A-1,Cap,"Murata${at}TDK","GRM1${at}C16"`, 'A-2,Chip,TI,LM358', 'A-3,Bolt,,'],
    );
    expect(problems).toEqual([]);
    expect(await sources()).toEqual([
      { number: 'A-1', 'supplier.name': 'Murata', 'supplieritem.number': 'GRM1' },
      { number: 'A-1', 'supplier.name': 'TDK', 'supplieritem.number': 'C16' },
      { number: 'A-2', 'supplier.name': 'TI', 'supplieritem.number': 'LM358' },
    ]);
  });

  test('and stay whole if a name has the mark, too', async () => {
    const { sources } = await proposed(
      'Part Number,Name,Manufacturer,MPN',
      ...['A-1,Cap,"Murata, TDK","GRM1, C16"', 'A-2,Chip,"Texas Instruments, Inc.",LM358'],
    );
    expect((await sources()).map((one) => one['supplier.name'])).toEqual(['Murata, TDK', 'Texas Instruments, Inc.']);
  });
});

test('nothing is proposed for a text without columns', async () => {
  const { manifests, problems } = await proposed('Bill of Materials: Drive', '====', '- 3x 608 bearing', '- 4x M4 nut');
  expect(manifests).toEqual([]);
  expect(problems).toEqual([expect.stringMatching(/^The text has no columns: nothing is proposed\. /)]);
});
