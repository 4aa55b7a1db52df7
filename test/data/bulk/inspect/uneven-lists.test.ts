import { describe, expect, test } from 'vitest';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import { proposedFor } from './proposed.js';

const proposed = (...lines: readonly string[]) => proposedFor('list.csv', ...lines);
const proposedWith = (meanings: GivenMeanings, ...lines: readonly string[]) =>
  proposedFor({ file: 'list.csv', meanings }, ...lines);
const numbers = (rows: readonly Record<string, string>[]) => rows.map(({ number }) => number);
const names = (rows: readonly Record<string, string>[]) => rows.map(({ name }) => name);

describe('designators', () => {
  test('that no editor has counted are those of no part', async () => {
    const { items, said } = await proposed(
      'Ref,Value,Footprint,Qty',
      ...['R1,10k,0603,1', 'C1,1u,0603,1', 'U1,LM358,SO-8,1', 'D1,1N4148,SOD,1', 'Q1,BC847,SOT23,1'],
      ...['FR?,Frame,Frame_big,1', 'REF**,Badge,Badge_10mm,1'],
    );
    expect(numbers(await items())).toEqual(['10k 0603', '1u 0603', 'LM358 SO-8', '1N4148 SOD', 'BC847 SOT23']);
    expect(said).toContain('Left out: 2 rows that are no part to buy ("FR?" in "Ref").');
  });

  test('are kept if none is counted, as in a draft', async () => {
    const { items } = await proposed('Ref,Value,Footprint,Qty', 'R?,10k,0603,1', 'C?,1u,0603,1', 'U?,LM358,SO-8,1');
    expect(numbers(await items())).toHaveLength(3);
  });

  test('of letters alone are names where others count on', async () => {
    const { bom } = await proposed('Part No,Name,Ref,Qty', 'P-1,Nut,XXX,1', 'P-2,Disc,XXX1,1', 'P-3,Case,n/a,1');
    expect((await bom()).map(({ refdes }) => refdes)).toEqual(['XXX', 'XXX1', '']);
  });
});

test('specifications describe the parts of a list without descriptions', async () => {
  const { items } = await proposed(
    'Part No,Name,Specifications',
    'P-1,Nut,M3 A2',
    'P-2,Disc,6 x 2 mm',
    'P-3,Case,IP54',
  );
  expect((await items()).map(({ description }) => description)).toEqual(['M3 A2', '6 x 2 mm', 'IP54']);
  const both = await proposed('Part No,Name,Specification,Description', 'P-1,Nut,M3 A2,Hexagon', 'P-2,Disc,6 x 2,Flat');
  expect((await both.items()).map(({ description }) => description)).toEqual(['Hexagon', 'Flat']);
});

test('a column that people call the description does not keep the descriptions from naming the parts', async () => {
  const lines = ['Description,Value,SKU,Quantity', 'Bolt,M3,,4', 'Nut,M4,,4', 'Lamp,red,2375,1', 'Lamp,blue,2376,1'];
  const { items } = await proposedWith({ Value: 'description' }, ...lines);
  expect(names(await items())).toEqual(['Bolt', 'Nut', 'Lamp', 'Lamp']);
});

describe('suppliers', () => {
  test('by the form of their numbers have none of other forms', async () => {
    const { sources, said } = await proposed(
      'P/N,Qty,Ref',
      ...Array.from({ length: 11 }, (_, index) => `12${index}-45-ND,1,R${index}`),
      'Tube_9pin,1,V1',
    );
    expect(numbers(await sources())).not.toContain('Tube_9pin');
    expect(said).toContain('rows with "Tube_9pin" (1) in "P/N"');
  });

  test('are sources that are a few short names', async () => {
    const lines = [
      'Q,Source,Part,Unit',
      '2,Acme,B-20,$9.00',
      '1,Acme,B-30,$3.00',
      '4,Bolts4U,M3 x 8,$1.00',
      '1,Bolts4U,M4 x 8,$1.20',
    ];
    const { said } = await proposed(...lines);
    expect(said).toContain('Open: the suppliers in "Source" give no sources, since no column has their numbers.');
    expect(said).toContain('`--column "Source=supplier"`');
    const given = await proposedWith({ Source: 'supplier' }, ...lines);
    expect((await given.sources()).map((row) => [row['supplier.name'], row.number])).toEqual([
      ...[
        ['Acme', 'B-20'],
        ['Acme', 'B-30'],
        ['Bolts4U', 'M3 x 8'],
        ['Bolts4U', 'M4 x 8'],
      ],
    ]);
  });
});

test('a sentence in place of a number is a remark', async () => {
  const { items, said } = await proposed(
    'Order No,Manufacturer Part Number,Description,Unit Price',
    ...['4711-1,CL21A106,Capacitor 10u,$0.07', '4711-2,CL10A105,Capacitor 1u,$0.01', '4711-3,RC0603,Resistor,$0.02'],
    '"For the second variant you will need:",A capacitor,A resistor,A diode',
  );
  expect(numbers(await items())).toEqual(['CL21A106', 'CL10A105', 'RC0603']);
  expect(said).toContain(
    'Left out: 1 row that is a remark, with "For the second variant you will need:" in "Order No".',
  );
});

describe('a second table of a file', () => {
  const lines = [
    'Order Qty.,LCSC Part Number,Manufacturer Part Number,Manufacturer,Unit Price',
    ...['3,C47111,LESD5D,Acme,0.015', '1,C47112,1N5819,Bolt Ltd,0.021', '5,C47113,CS1005,Acme,0.002'],
    ',,,,',
    ',Digi-Key Part #,Manufacturer Part Number,Backorder,Unit Price',
    ...['4,1276-64-1-ND,CL21A106,0,$0.07', '1,1276-10-1-ND,CL10A105,0,$0.01', '1,311-10-1-ND,RC0603,2,$0.02'],
  ];
  const quantities = (rows: readonly Record<string, string>[]) => rows.map(({ quantity }) => quantity);

  test('has the conditions and meanings of its own columns, also where the first table has no such column', async () => {
    const { bom, items } = await proposedFor(
      {
        ...{ file: 'list.csv', where: { Backorder: { not: '2' } } },
        meanings: { 'Order Qty.': 'quantity', 'Unit Price': 'cost', A: 'quantity' },
      },
      ...lines,
    );
    expect(quantities(await bom())).toEqual(['3', '1', '5', '4', '1']);
    expect((await items()).map(({ standardcost }) => standardcost)).toEqual([
      '0.015',
      '0.021',
      '0.002',
      '0.07',
      '0.01',
    ]);
  });

  test('is the cart of a shop, whose quantities are those of a BOM if people say so of another table', async () => {
    const cart = await proposed(...lines);
    expect(await cart.bom()).toEqual([]);
    const { bom } = await proposedFor({ file: 'list.csv', meanings: { 'Order Qty.': 'quantity' } }, ...lines);
    expect(quantities(await bom())).toEqual(['3', '1', '5', '4', '1', '1']);
  });
});

test('a header that spaces divide names the filled columns of rows that tabs divide', async () => {
  const { items, bom, said } = await proposedFor(
    'list.txt',
    ...['Pos.    Menge   Benennung', '1\t2\t\tPlatform', '2\t1\t\tDriven Gear', '3\t44\t\tScrew M5 x 25'],
  );
  expect(numbers(await items())).toEqual(['Platform', 'Driven Gear', 'Screw M5 x 25']);
  expect((await bom()).map(({ quantity }) => quantity)).toEqual(['2', '1', '44']);
  expect(said).not.toContain('Pos. Menge');
});

describe('in a text that spaces align', () => {
  const rows = [
    'Ref     Part                      SKU',
    '-----------------------------------------',
    'C1-C4   0.1uF capacitor           J 2471',
    'R1,R2   10k resistor              M 7-10K',
    'U1      74HC139 line decoder      J 6382',
    ...Array.from({ length: 9 }, (_, index) => `U1${index}     74HC14${index} inverter           J 7${index}00`),
  ];

  test('sentences and titles below the table are not read', async () => {
    const { items, said } = await proposedFor(
      'list.txt',
      ...[...rows, '', 'Optional extras', '-----------------------------------------'],
      ...['Low profile sockets for U5/U7 - J 102745', 'Small adapter to 44 pins - see http://shop.example/44'],
    );
    expect(numbers(await items())).toHaveLength(12);
    expect(said).toContain('Open: the table in A16:B19 is not read.');
  });

  test('a sentence between rows is left out and said', async () => {
    const [header = '', line = '', ...others] = rows;
    const { items, said } = await proposedFor(
      'list.txt',
      ...[
        header,
        line,
        'These parts are soldered first, from below',
        ...others,
        'J2      12-pin header             J 1212',
      ],
    );
    expect(numbers(await items())).toHaveLength(13);
    expect(said).toContain('"These parts are soldered first, from below" in "Ref"');
  });
});

test('titles that are names of parts, too, are left out, and the parts without a number go by their names', async () => {
  const { items, said } = await proposed(
    'Part,Supplier,Part No.,Number,Total,Notes',
    ...['Lamp,,,,,', 'Diode,Acme,AC-280,6,$9.00,', 'Mount,3D print,,1,$0.00,', 'Screws,Bolts,92395A,1,$8.50,'],
    ...[
      'Socket,,,,$0.00,from a supply',
      'Resistor 10k,,,2,,',
      'Pump,,,,,',
      'Pump,Acme,MM-31,1,$34.00,',
      'Jack,Acme,CP-6,2,$4.66,',
    ],
    ...['Hose,,,,$0.00,'],
  );
  expect(numbers(await items())).toEqual([
    ...['AC-280', 'Mount', '92395A', 'Socket', 'Resistor 10k', 'MM-31', 'CP-6', 'Hose'],
  ]);
  expect(said).toContain('Left out: 2 rows with a title alone, such as "Lamp" in "Part".');
  expect(said).toContain('rows 4, 6, 7, 11 have no number in "Part No.", so "Part" is used instead.');
  expect(said).toContain('Open: rows 6, 11 have no quantity in "Number"');
});

describe('what numbers the parts', () => {
  test('is not the name of their maker', async () => {
    const { items, said } = await proposed(
      'Ref,Description,Value,Manufacturer,MPN,Qty',
      ...['C1,Capacitor,47u,Nichi Ltd,UWX1V470,1', 'D1,Diode,3 A,Yu Tai Elec,Yu Tai Elec,1', 'J1,Header,1x4,Acme,,1'],
      ...[
        'J2,Header,1x6,,,1',
        'R1,Resistor,100R,Acme,AC0805,1',
        'R2,Resistor,210k,Acme,AC0806,1',
        'U1,Supply,,Acme,MP15,1',
      ],
    );
    expect(numbers(await items())).toEqual([
      ...['UWX1V470', 'Diode 3 A', 'Header 1x4', 'Header 1x6', 'AC0805', 'AC0806', 'MP15'],
    ]);
    expect(said).toContain('rows 3, 4, 5 have no number in "MPN", so "Description", "Value" is used instead.');
  });

  test('is in a column of parts beside their designators', async () => {
    const { items } = await proposed(
      '#,package,parts,',
      ...['U1,SO6,TLP2368,Photo coupler', 'R1,0603,220,Resistor', 'R2,0603,1k,Resistor', 'C1,0603,0.1uF,Capacitor'],
    );
    expect(numbers(await items())).toEqual(['TLP2368 SO6', '220 0603', '1k 0603', '0.1uF 0603']);
  });
});

test('a part list of an editor has its quantities one space before the values, and designators of any form', async () => {
  const line = (...cells: readonly string[]) =>
    cells.map((cell, at) => cell.padEnd([4, 12, 14, 10, 24][at] ?? 0)).join('');
  const { bom, items } = await proposedFor(
    'list.txt',
    line('Qty', 'Value', 'Device', 'Package', 'Parts', 'Description'),
    line('2', '', 'DIODE-SOD', 'SOD123', 'D1, D2', 'Diode'),
    line('1', '', 'PIN-1X10', '1X10', 'GPIO', 'Pin header'),
    line('4', '10k', 'R-EU_0805', 'R0805', 'R8, R10, R_GND, RFB+', 'Resistor'),
    line('1', '100n', 'C-EU_0603', 'C0603', 'CIN', 'Capacitor'),
  );
  expect(numbers(await items())).toEqual(['DIODE-SOD SOD123', 'PIN-1X10 1X10', '10k R0805', '100n C0603']);
  expect((await bom()).map(({ quantity, refdes }) => `${quantity} ${refdes}`)).toEqual([
    ...['2 D1, D2', '1 GPIO', '4 R8, R10, R_GND, RFB+', '1 CIN'],
  ]);
});

test('a price with its currency is a cost in other languages, too', async () => {
  const { items } = await proposed('Komponent,Ilosc,Cena jednostkowa [PLN]', 'Motor,2,44.99', 'Rama,1,8.12');
  expect((await items()).map(({ standardcost }) => standardcost)).toEqual(['44.99', '8.12']);
});

test('numbers in a column of a shop that have not its form give no source', async () => {
  const { sources, said } = await proposed(
    'Quantity,Digikey pn,Desc',
    ...['1,445-6389-1-ND,Inductor', '1,475-1278-1-ND,LED red', '1,RC0805JR-07220RL,Resistor 220', '3,311-13-1-ND,Cap'],
  );
  expect(await sources()).toHaveLength(3);
  expect(said).toContain('Left out: sources of rows with "RC0805JR-07220RL" (1) in "Digikey pn".');
});

test('a fiducial is not a part, even if each of its cells says so', async () => {
  const { items } = await proposed(
    'Ref,Qty,Value,Manufacturer,MPN',
    ...['R1,1,10k,Acme,AC-10', 'C1,1,1u,Acme,AC-11', 'FID1,1,FIDUCIAL,FIDUCIAL,FIDUCIAL'],
  );
  expect(numbers(await items())).toEqual(['AC-10', 'AC-11']);
});

test('of parts that are not fitted, it is said whether they are items', async () => {
  const rows = ['1,Lamp white,B-1,4', '2,Lamp warm,B-2,0', '3,Socket,B-3,1'];
  const { said } = await proposed('Pos,Name,Part No,Qty', ...rows);
  expect(said).toContain('Left out: 1 row that is marked as not fitted ("0" in "Qty"). Its part is an item.');
});

test('parts that a composed number joins are named if a column has another code for each', async () => {
  const { said } = await proposed(
    'Comment,Designator,Footprint,LibRef,Quantity',
    ...[
      '10k,"R4,R7",R0402,RK73H1002F,2',
      '10k,R9,R0402,RK73H1003F,1',
      '1uF,C1,C0402,GRM155A105,1',
      'LED,D1,L1006,SML-P13PT,1',
    ],
  );
  expect(said).toContain('Open: row 3 has the number of row 2 ("10k R0402") but another "LibRef"');
});

test('designators number no item, even in a column of identifiers', async () => {
  const { items, bom, sources } = await proposed(
    'COMPONENT ID,QUANTITY,PART NUMBER,DESCRIPTION',
    ...[
      '"A_7, D_4, R_8",3,Digikey 296-1668-5-ND,Flip-flop',
      'A_8,1,Digikey 296-1634-5-ND,Gate',
      'CR5,1,Digikey 732-5-ND,LED',
    ],
    ...[
      '"C1, C2",2,Jameco 40002,Capacitor',
      '"R1, R2",2,Digikey CF14JT3K3-ND,Resistor',
      'U1,1,Jameco 50796,Multiplier',
    ],
  );
  expect(numbers(await items())[0]).toBe('Flip-flop');
  expect((await bom()).map(({ refdes }) => refdes)).toEqual(['A_7, D_4, R_8', 'A_8', 'CR5', 'C1, C2', 'R1, R2', 'U1']);
  expect((await sources()).map((row) => row['supplier.name'])).toContain('Jameco');
});

test('rows of one number of a shop and one description are one part', async () => {
  const { bom } = await proposed(
    'Part,Description,Digi-Key Part Number',
    ...['C1,Capacitor 0.1u,587-1227-1-ND', 'C2,Capacitor 4.7u,445-7482-1-ND', 'C3,Capacitor 4.7u,445-7482-1-ND'],
    ...['R1,Resistor 2k,311-2.0KJRCT-ND', 'U1,Charger,296-23904-1-ND'],
  );
  expect((await bom()).map((row) => [row['item.number'], row.refdes])).toContainEqual(['445-7482-1-ND', 'C2,C3']);
});

test('rows with nothing but a sign are left out', async () => {
  const { bom, said } = await proposedFor(
    'list.txt',
    '* Name\tValue',
    '*',
    'C1\t220p',
    'C2\t47p',
    'Q1\tTL431',
    'U1\tLS244',
  );
  expect(await bom()).toHaveLength(4);
  expect(said).toContain('Left out: rows with nothing but "*" in "* Name".');
});

test('suppliers of which no part has one give no sources', async () => {
  const { manifests } = await proposed(
    'Part No,Name,Distributor,Distributor Number',
    ...['P-1,Lamp,N/A,N/A', 'P-2,Socket,N/A,N/A', 'P-3,Fuse,N/A,N/A'],
  );
  expect(manifests).toHaveLength(2);
});

describe('lists of design programs and of workshops, by their headers', () => {
  test.each([
    ['SolidWorks in Portuguese', 'Nº DO ITEM;Nº DA PEÇA;DESCRIÇÃO;QTD.'],
    ['SolidWorks in Spanish', 'N.º DE ELEMENTO;N.º DE PIEZA;DESCRIPCIÓN;CANTIDAD'],
    ['SolidWorks in French', 'No. ARTICLE;NUMERO DE PIECE;DESCRIPTION;QTE'],
    ['SolidWorks in Italian', 'N. ARTICOLO;NUMERO PARTE;DESCRIZIONE;QTÀ'],
    ['SolidWorks in Polish', 'NR POZYCJI;NUMER CZĘŚCI;OPIS;ILOŚĆ'],
    ['SolidWorks in Czech', 'ČÍSLO POLOŽKY;ČÍSLO DÍLU;POPIS;MNOŽSTVÍ'],
    ['SolidWorks in Dutch', 'ITEMNR.;STUKNUMMER;OMSCHRIJVING;AANTAL'],
    ['SolidWorks in Chinese', '项目号;零件号;说明;数量'],
    ['SolidWorks in Japanese', 'アイテム番号;部品番号;説明;個数'],
    ['a Russian specification', 'Поз.;Обозначение;Наименование;Кол.'],
    ['a Turkish list', 'Sıra No;Parça No;Açıklama;Adet'],
  ])('%s', async (_, header) => {
    const { bom, items } = await proposedFor(
      'list.csv',
      header,
      '1;RA-001;Frame;1',
      '2;RA-014;Cover;2',
      '3;RA-020;Bush;4',
    );
    expect((await bom()).map((row) => [row.linenumber, row['item.number'], row.quantity])).toEqual([
      ...[
        ['1', 'RA-001', '1'],
        ['2', 'RA-014', '2'],
        ['3', 'RA-020', '4'],
      ],
    ]);
    expect(names(await items())).toEqual(['Frame', 'Cover', 'Bush']);
  });

  test('a Japanese list of a shop', async () => {
    const { items, bom } = await proposed(
      '部品番号,定数,個数,価格',
      '"R1,R2",10k,2,5',
      'U1,NJM4580,1,60',
      'C1,0.1uF,1,10',
    );
    expect((await bom()).map(({ refdes }) => refdes)).toEqual(['R1,R2', 'U1', 'C1']);
    expect((await items()).map(({ standardcost }) => standardcost)).toEqual(['5', '60', '10']);
  });
});

test('a specification numbers parts together with their names', async () => {
  const { items } = await proposed(
    'Qty,Component,Specification,Notes',
    ...[
      '12,Bearing,1.25 mm,G10',
      '12,Screw,M2x12,Mount',
      '6,Screw,M3x4,Grub',
      '1,Board,Pico 2,',
      '2,Header,2 mm pitch,',
    ],
  );
  expect(numbers(await items())).toEqual([
    ...['Bearing 1.25 mm', 'Screw M2x12', 'Screw M3x4', 'Board Pico 2', 'Header 2 mm pitch'],
  ]);
});

test('amounts may stick out to the left of the header that spaces align', async () => {
  const { bom, items } = await proposedFor(
    'list.txt',
    ...['Item                     Qty       Unit$     Total$', 'Hot End Kit               2       $19.99     $39.98'],
    ...['Stepper Motor             1       $22.99     $22.99', 'Drive Frame               2       $14.95     $29.90'],
  );
  expect((await bom()).map((row) => [row['item.number'], row.quantity])).toEqual([
    ...[
      ['Hot End Kit', '2'],
      ['Stepper Motor', '1'],
      ['Drive Frame', '2'],
    ],
  ]);
  expect((await items()).map(({ standardcost }) => standardcost)).toEqual(['19.99', '22.99', '14.95']);
});

test('the rule below the header of a table in Markdown is not a row', async () => {
  const { items } = await proposedFor(
    'list.txt',
    ...['| Item | Part Number | Quantity |', '| :--- | :---: | ---: |', '| Lamp | C008 | 1 |', '| Motor | U083 | 2 |'],
  );
  expect(numbers(await items()).map((number) => number?.trim())).toEqual(['C008', 'U083']);
});

test('parts that are indented like those of a tree are asked about, unlike stray spaces', async () => {
  const { said } = await proposed(
    'Part,Qty',
    'Frame,1',
    '  Side plate,2',
    '  Bar,4',
    'Drive,1',
    '  Gearbox,1',
    '    Gear,3',
  );
  expect(said).toContain('Open: the parts in "Part" are indented like those of a tree, which is not read');
  expect((await proposed('Part,Qty', ' Frame,1', 'Bar,4', ' Drive,1', '  Gear,3')).said).not.toContain('indented');
});

test('references that count up are positions', async () => {
  const { bom } = await proposedFor(
    'liste.csv',
    'Repère;Désignation;Nb',
    '1;Corps;1',
    '2;Vis CHC M5x16;4',
    '3;Joint;1',
  );
  expect((await bom()).map(({ linenumber, refdes }) => [linenumber, refdes])).toEqual([
    ...[
      ['1', undefined],
      ['2', undefined],
      ['3', undefined],
    ],
  ]);
});

test('parts that are not fitted and have no number keep those of the makers from numbering nothing', async () => {
  const { items, said } = await proposed(
    'Designator,Quantity,Value,Footprint,MPN,Fitted',
    ...[
      '"R1,R2",2,10k,0402,RC0402,Y',
      'R3,1,22k,0402,,N',
      'C1,1,1u,0402,GRM155,Y',
      'C2,1,4u,0402,,N',
      'U1,1,OPA,SO8,LM358DR,Y',
    ],
  );
  expect(numbers(await items())).toEqual(['RC0402', 'GRM155', 'LM358DR']);
  expect(said).toContain('Left out: rows 3, 5: not fitted, and without an item number.');
});

test('a net price of a piece is a cost', async () => {
  const { items } = await proposedFor(
    'liste.csv',
    'Artikelnr;Bezeichnung;EP netto;GP netto',
    'P-1;Leiste;0,12 €;0,48 €',
    'P-2;Kabel;1,35 €;1,35 €',
  );
  expect((await items()).map(({ standardcost }) => standardcost)).toEqual(['0.12', '1.35']);
});
