import { describe, expect, test } from 'vitest';
import { proposedFor } from './proposed.js';

const proposed = (...lines: readonly string[]) => proposedFor('list.csv', ...lines);

const numbers = (rows: readonly Record<string, string>[]) => rows.map((row) => row.number);
const suppliers = (rows: readonly Record<string, string>[]) =>
  rows.map((row) => [row['supplier.name'], row['supplieritem.number']]);

describe('what numbers the items', () => {
  test('differs from their positions, even if some are left out', async () => {
    const { bom } = await proposed(
      'Item,Qty,Value,Package,Ref',
      ...['1,1,10k,0603,R1', '2,2,100n,0402,"C1,C2"', '5,1,LM358,SO-8,U1', '9,1,1N4148,SOD-123,D1'],
    );
    expect(await bom()).toMatchObject([
      { 'item.number': '10k 0603', linenumber: '1' },
      { 'item.number': '100n 0402', linenumber: '2' },
      { 'item.number': 'LM358 SO-8', linenumber: '5' },
      { 'item.number': '1N4148 SOD-123', linenumber: '9' },
    ]);
  });

  test('is the maker of a few parts, and what describes the others', async () => {
    const { items } = await proposed(
      'Name,Designator,Footprint,Quantity,Manufacturer Part,Manufacturer',
      ...['LM5146,U1,QFN-20,1,LM5146RGYR,TI', '12u,L1,,1,?,', '10k,R1,0603,1,?,', '1k,R2,0603,1,?,'],
    );
    expect(numbers(await items())).toEqual(['LM5146 QFN-20', '12u', '10k 0603', '1k 0603']);
  });

  test('is completed by names, of which equal ones are of one part', async () => {
    const { bom } = await proposed(
      'Item,Part number,Name,Quantity',
      ...['1,LA-100,Base,1', '2,LA-101,Rail,2', '3,,Hex bolt M6,8', '4,LA-102,Slide,1', '5,,Hex bolt M6,4'],
      ...['6,LA-103,Plate,1', '7,LA-104,Motor,1'],
    );
    expect((await bom()).map((row) => [row['item.number'], row.quantity])).toEqual([
      ...[
        ['LA-100', '1'],
        ['LA-101', '2'],
        ['Hex bolt M6', '8'],
        ['LA-102', '1'],
        ['Hex bolt M6', '4'],
        ['LA-103', '1'],
        ['LA-104', '1'],
      ],
    ]);
  });

  test('has a value where parts of one name have several', async () => {
    const { items } = await proposed('Name,Value,Quantity', 'Resistor,10k,4', 'Resistor,1k,2', 'Socket,,1', 'Fuse,,1');
    expect(numbers(await items())).toEqual(['Resistor 10k', 'Resistor 1k', 'Socket', 'Fuse']);
  });

  test('is that of the assembly with the designators, for parts with nothing else', async () => {
    const { items } = await proposed(
      'Designator,Qty,MPN',
      ...['U1,1,LM358', 'U2,1,NE555', 'J1,1,', 'R1,1,RC0603', 'R2,1,RC0402'],
    );
    const made = numbers(await items());
    expect(made.map((number) => number?.replace(/^dexsync-bulk-.*-(?=J1$)/, 'ASSEMBLY-'))).toEqual([
      ...['LM358', 'NE555', 'ASSEMBLY-J1', 'RC0603', 'RC0402'],
    ]);
  });

  test('has neither totals nor prices nor links', async () => {
    const { items } = await proposed(
      'Item,Qty,Total,Link',
      ...['Screw,4,$9.04,shop/1', 'Screw,8,$18.08,shop/2', 'Nut,2,$1.10,shop/3', 'Frame,1,$7.00,shop/4'],
    );
    expect(numbers(await items())).toEqual(['Screw', 'Screw', 'Nut', 'Frame']);
  });

  test('distinguishes what has one name and several colours', async () => {
    const { items, bom } = await proposed(
      'Part Name,Color Name,Quantity',
      ...['Tile,White,3', 'Tile,Gray,2', 'Axle,Gray,1', 'Plate,Gray,1', 'Pin,Gray,6', 'Beam,White,2', 'Gear,White,1'],
    );
    expect(numbers(await items()).slice(0, 2)).toEqual(['Tile White', 'Tile Gray']);
    expect((await bom()).map(({ quantity }) => quantity)).toEqual(['3', '2', '1', '1', '6', '2', '1']);
  });

  test('is a description with its package, or one that differs in all rows', async () => {
    const withPackage = await proposed(
      'RefDes,Qty,Description,Package',
      ...['IC1,1,Voltage regulator,SOT-223', 'IC2,1,Voltage regulator,TO-92', '"C1,C2",2,Capacitor 1u,0603'],
    );
    expect(numbers(await withPackage.items())).toEqual([
      ...['Voltage regulator SOT-223', 'Voltage regulator TO-92', 'Capacitor 1u 0603'],
    ]);
    const alone = await proposed(
      'RefDes,Qty,Description',
      ...['IC1,1,Regulator', 'IC2,1,Controller', '"C1,C2",2,Capacitor', 'R1,1,Resistor', 'X1,1,'],
    );
    expect(numbers(await alone.items()).slice(0, 4)).toEqual(['Regulator', 'Controller', 'Capacitor', 'Resistor']);
  });

  test('is a name that several rows have, where nothing else describes them', async () => {
    const { bom } = await proposed(
      'RefDes,Quantity,Name',
      '"BT1,BT2",2,KeyStone1087',
      'BT3,1,KeyStone1087',
      'U1,1,LM358',
    );
    expect(await bom()).toMatchObject([
      { 'item.number': 'KeyStone1087', quantity: '3' },
      { 'item.number': 'LM358', quantity: '1' },
    ]);
  });
});

describe('what columns mean', () => {
  test('quantities of variants are asked about', async () => {
    const { bom, remarks } = await proposed(
      'Part Number,Part Name,Qty (S),Qty (M),Qty (L)',
      ...['P-1,Rail,4,4,6', 'P-2,Panel,1,2,2', 'P-3,Screw,16,20,24'],
    );
    expect(await bom()).toEqual([]);
    expect(remarks.join('\n')).toContain('Open: "Qty (S)", "Qty (M)", "Qty (L)" look like quantities of variants');
  });

  test('what customers write at a shop numbers nothing', async () => {
    const { bom } = await proposed(
      'Mouser #,Mfr. #,Customer #,Description,Order Qty.,Ext.',
      ...['584-AD8232,AD8232ACPZ,"U2, U3",IC,2,9.80', '575-110,110-44-628,"U2, U3 socket",Socket,2,3.10'],
    );
    for (const { number } of await bom()) expect(number).not.toContain('U2');
  });

  test.each([
    ['numbers of Digi-Key, whatever their header', 'Qty,Name,Spec', 'Digi-Key', '311-1.0KHRCT-ND', '490-1519-1-ND'],
    ['numbers of a shop in the header', 'Qty,Name,McMaster Part Number', 'McMaster-Carr', '90298A546', '91290A115'],
  ])('%s', async (_, header, shop, one, other) => {
    const { sources } = await proposed(header, `1,First part,${one}`, `2,Second part,${other}`);
    expect(suppliers(await sources())).toEqual([
      [shop, one],
      [shop, other],
    ]);
  });

  test('vendors that make parts are their manufacturers', async () => {
    const { sources } = await proposed(
      'RefDes,Quantity,Value,Package,Vendor,MPN',
      ...[
        'R1,1,1k,0603,Bourns,CR0603',
        'U1,1,LDO,SOT-23,TI,TLV755',
        'U2,1,MCU,QFN,Microchip,ATSAMD21',
        'C1,1,1u,0402,Murata,GRM155',
      ],
    );
    expect(suppliers(await sources()).map(([vendor]) => vendor)).toEqual(['Bourns', 'TI', 'Microchip', 'Murata']);
  });

  test('packages are known by their texts and as patterns', async () => {
    for (const header of ['Pattern', 'Size']) {
      const { items } = await proposed(
        `RefDes,Value,Quantity,${header}`,
        ...['C1,100nF,1,0603', 'C2,100nF,1,0805', 'R1,10k,1,0603'],
      );
      expect(numbers(await items())).toEqual(['100nF 0603', '100nF 0805', '10k 0603']);
    }
  });

  test('references are designators beside numbers of makers, and names if they are words', async () => {
    const beside = await proposed(
      'Reference,Quantity,Mfr Part #',
      'M1,1,93600A440',
      'M2,1,92095A182',
      'M3,1,91290A111',
    );
    expect(await beside.bom()).toMatchObject([{ 'item.number': '93600A440', refdes: 'M1' }, {}, {}]);
    const words = await proposed('References,Qty', 'Battery socket PP3,1', 'Toggle switch DPDT,1', 'Knob for pots,3');
    expect((await words.bom()).map((row) => [row['item.number'], row.quantity])).toEqual([
      ['Battery socket PP3', '1'],
      ['Toggle switch DPDT', '1'],
      ['Knob for pots', '3'],
    ]);
  });

  test('a name says more than the kind that parts have in common', async () => {
    const { items } = await proposed(
      'Description,Value,Package,Designator',
      ...['Resistor,10k,0603,R1', 'Resistor,1k,0603,R2', 'Resistor,2k,0603,R3', 'Resistor,4k7,0603,R4'],
    );
    expect((await items()).map(({ name }) => name)).toEqual([
      ...['Resistor 10k', 'Resistor 1k', 'Resistor 2k', 'Resistor 4k7'],
    ]);
  });

  test('two columns of one shop become two imports', async () => {
    const { manifests } = await proposed(
      'Name,Qty,Digikey,DIGI-KEY_PART_NUMBER',
      'First part,1,311-1.0KHRCT-ND,311-1.0KHRCT-ND',
      'Second part,1,490-1519-1-ND,',
    );
    const names = manifests.map(({ kind, metadata }) => `${kind} ${(metadata as { name: string }).name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each([
    ['for different amounts ("Per")', 'Per', '100', '1'],
    ['in several currencies ("Currency")', 'Currency', 'USD', 'GBP'],
  ])('prices are no costs if they are %s', async (why, header, one, other) => {
    const { items, remarks } = await proposed(
      `Part Number,Description,Price,${header}`,
      `P-1,Screw,4.35,${one}`,
      `P-2,Nut,0.50,${other}`,
    );
    expect(Object.keys((await items())[0] ?? {})).not.toContain('standardcost');
    expect(remarks).toContain(`Open: the prices in "Price" are ${why}, so they are no standard costs.`);
  });

  test('a row of data with numbers completes no header', async () => {
    const { items } = await proposed(
      'No.,Description,Type,Inventory,Base Unit of Measure,Blocked',
      ...['1896-S,Desk,Inventory,4,PCS,No', '1900-S,Chair,Inventory,8,PCS,No', '1908-S,Lamp,Inventory,2,PCS,No'],
    );
    expect(numbers(await items())).toEqual(['1896-S', '1900-S', '1908-S']);
  });
});

describe('what is left out is said', () => {
  test('a maker that is none, and a text among the numbers of a shop', async () => {
    const { sources, remarks } = await proposed(
      'Designator,Value,Package,Manufacturer,MPN,Digi-Key Part Number',
      ...['J1,SMA,SMA-J,null,SMA-J-P,SAM8857-ND', 'U1,ESP32,WROOM,Espressif,ESP32-WROOM,"GPIO, I2C, SPI, UART"'],
      'R1,10k,0603,Yageo,RC0603,311-10.0KHRCT-ND',
    );
    expect((await sources()).map((row) => row['supplier.name'])).toEqual([
      ...['Espressif', 'Yageo', 'Digi-Key', 'Digi-Key'],
    ]);
    expect(remarks).toContain('Left out: sources of rows with "null" (1) in "Manufacturer".');
    expect(remarks).toContain('Left out: sources of rows with "GPIO, I2C, SPI, UART" (1) in "Digi-Key Part Number".');
  });

  test('a quantity that is about right has no unit, and is read', async () => {
    const { text, problems, remarks } = await proposed('Name,Qty', 'Screw,4', 'Washer,~20', 'Nut,4');
    expect(text).not.toContain('apiName: uom');
    expect(problems).toEqual([]);
    expect(remarks.join()).toContain('"~20" as 20 (row 3)');
  });

  test('a part that is marked in its package, and one that is marked twice is counted once', async () => {
    const { bom, text } = await proposed(
      'Ref,Qty,Value,Package,Notes',
      ...['U1,1,Mini360,DNP,DNP: only without U2', 'U2,1,LM2596,TO-263,', 'R1,1,10k,0603,', 'R2,1,1k,0603,'],
    );
    expect(await bom()).toHaveLength(3);
    expect(text).toContain('Left out: 1 row that is marked as not fitted');
  });

  test('numbers without a supplier, where one is named for several rows', async () => {
    const { remarks } = await proposed(
      'Description,Vendor,Vendor Part Number,Qty',
      ...['Chassis,RobotShop,RB-454,1', 'Wheels,,RB-11,2', 'Motor,,RB-12,4', 'Battery,,RB-7,1'],
    );
    expect(remarks.join('\n')).toContain(
      'Open: 3 numbers in "Vendor Part Number" give no source, since "Vendor" is empty there. If a name is that of the rows below it, too, inspect the file again with `--fill-down Vendor`.',
    );
  });

  test('documents of an SAP list, in its items too', async () => {
    const { items, bom } = await proposed(
      'Level,Item,Item category,Component number,Object description,Quantity',
      ...['1,10,L,P-1,Frame,1', '1,20,D,D-7,Drawing,1', '1,30,L,P-2,Plate,2'],
    );
    expect(numbers(await items())).toEqual(['P-1', 'P-2']);
    expect(await bom()).toHaveLength(2);
  });

  test('rows that are no lines are further sources of the part above them, and 0 pieces in a pack are no mark', async () => {
    const { items, bom, remarks } = await proposed(
      'Item,Qty,Ref,Value,Footprint,RS-Components,Pieces',
      ...[
        '1,7,C1-C7,10u,0603,103-4121,100',
        '2,1,U1,LM358,SO-8,711-0001,0',
        ',,,,,B00I97P5NI,5',
        '3,2,R1 R2,10k,0603,125-1163,50',
        '4,1,D1,LED,0805,466-3526,25',
      ],
    );
    expect(await items()).toHaveLength(4);
    expect((await bom()).map(({ quantity }) => quantity)).toEqual(['7', '1', '2', '1']);
    expect(remarks.join('\n')).toContain('left out, since without quantity, designator and position: row 4');
  });

  test('sections of a list go on below blank rows and their titles', async () => {
    const { items, text } = await proposed(
      'Item Name,Description,Link,Quantity,Cost',
      ...[
        'Mechanics,,,,',
        'Tube,Steel tube,https://a.example/1,3,$22.99',
        'Spindle,500 W,https://a.example/2,1,$80.00',
      ],
      ...[',,,,', 'Enclosure,,,,', ',,,,', 'Electronics,,,,', 'Supply,12 V,https://a.example/3,1,$20.00'],
      ...[
        'Switch,Main switch,https://a.example/4,2,$5.00',
        ',,,,',
        'Tools,,,,',
        'Endmill,3 mm,https://a.example/5,4,$9.00',
      ],
    );
    expect((await items()).map(({ number }) => number)).toEqual(['Tube', 'Spindle', 'Supply', 'Switch', 'Endmill']);
    expect(text).toContain('Left out: 4 rows with a title alone');
  });

  test('what is paid besides the parts, and remarks in place of a maker', async () => {
    const { items, sources, remarks } = await proposed(
      'Name,Quantity,Manufacturer,MPN,Price',
      ...[
        'Motor,2,Maxon,M-1,10.00',
        'Rail,1,None,R-7,5.00',
        'Screw,8,Link to a shop,S-3,0.10',
        'Nut,4,Bossard,N-9,0.20',
      ],
      'Shipping,,,,12.00',
    );
    expect((await items()).map(({ number }) => number)).toEqual(['M-1', 'R-7', 'S-3', 'N-9']);
    expect((await sources()).map((row) => row['supplier.name'])).toEqual(['Maxon', 'Bossard']);
    expect(remarks.join('\n')).toContain('"Shipping" in "Name", without a quantity');
  });
});

describe('what has to be decided', () => {
  test('parts of one number that are cut to different lengths', async () => {
    const { problems } = await proposed(
      'Part Number,Description,Length,Qty',
      ...['T-1,Tube,1180,4', 'T-1,Tube,620,6', 'P-2,Plate,,1', 'P-3,Foot,,4'],
    );
    expect(problems.join()).toContain('row 3 has the number of row 2 ("T-1") but another "Length"');
  });

  test('which column names the parts, or where the list is', async () => {
    const one = await proposed('Link,Qty', 'https://a.example/1,2', 'https://a.example/2,1');
    expect(one.problems.join()).toContain('No column can be the item number');
    expect(one.problems.join()).toContain('--column "Link=name"');
    const { problems } = await proposed('Name,Qty');
    expect(problems.join()).toContain('`--range` says which part');
  });
});

describe('how lists are written', () => {
  test('parts of EAGLE with spaces and slashes between them, and named as people like', async () => {
    const { bom } = await proposed(
      'Qty,Value,Package,Parts',
      ...['3,LED,0805,CHRG / RDY / STAT', '2,10k,0603,R1 /  R2', '1,1u,0603,C1', '1,100n,0402,C2', '1,CLK,X4,CLOCK'],
    );
    const cells = (await bom()).flatMap((row) => Object.values(row));
    expect(cells).toEqual(expect.arrayContaining(['CHRG,RDY,STAT', 'R1,R2', 'C1', 'C2', 'CLOCK']));
  });

  test('a header that names several shops says nothing of the one', async () => {
    const { sources } = await proposed(
      'Ref,Value,Package,Qty,Digikey/Mouser/Manufacturer Part',
      ...['R1,10k,0603,1,652-TC33X', 'U1,STM,QFP,1,STM32F411RCT6', 'C1,1u,0402,1,511-LD3985'],
    );
    expect(await sources()).toEqual([]);
  });

  test('a ruled line below the header ends no table', async () => {
    const rule = '-'.repeat(40);
    const { items, bom } = await proposed(
      ...['List of parts', '', rule, '|Pos.|T|Komponente|Bezeichnung|Menge|', rule],
      ...['|0010|L|P-1|Frame|1|', '|0020|L|P-2|Plate|2|', '|0030|D|Z-1|Drawing|1|', rule, '', 'Positions: 3'],
    );
    expect(numbers(await items())).toEqual(['P-1', 'P-2']);
    expect((await bom()).map(({ quantity }) => quantity)).toEqual(['1', '2']);
  });

  test('part lists of EAGLE, with words and apart numbers among the designators', async () => {
    const { bom, text } = await proposed(
      'Part,Value,Package,Note',
      ...[
        'R1,10k,0603,',
        'C 2,1u,0603,',
        'Front panel,FP,MECH,',
        'BAT+,PAD,1X01,',
        'D1,LED,0805,alternative to the first one',
      ],
    );
    const lines = await bom();
    expect(lines).toHaveLength(5);
    expect(text).toContain('the number of designators in "Part" is used');
    expect(lines.flatMap((row) => Object.values(row))).toEqual(expect.arrayContaining(['C2', 'Front_panel', 'BAT+']));
    expect(text).toContain('The service does not read designators such as "C 2"');
  });

  test('names that are designators, and the stock of a shop', async () => {
    const { items, sources } = await proposed(
      'Nombre,Cantidad,Componente,LCSC stock',
      ...['U1,1,Timer,26979', '"R1, R2",2,Resistor,101', 'C1,1,Condensador,25', 'Q1,1,Transistor,7'],
    );
    expect(numbers(await items())).toEqual(['Timer', 'Resistor', 'Condensador', 'Transistor']);
    expect(await sources()).toEqual([]);
  });

  test('what is missing, and what may be a sum, is said', async () => {
    const catalogue = await proposed('Number,Name', 'P-1,Frame', 'P-2,Plate', 'P-3,Screw');
    expect(catalogue.remarks.join('\n')).toContain('No BOM is proposed');
    const tree = await proposed(
      'Level,Number,Name,Qty,Cost',
      ...['0,A-1,Assembly,1,30.00', '1,P-1,Frame,1,20.00', '1,P-2,Plate,2', 'TOTAL (without shipping),,,,'],
    );
    expect(tree.remarks.join('\n')).toContain('costs in "Cost" of assemblies may be the sums');
    expect(tree.remarks.join('\n')).toContain('row 4: fewer cells than the header has');
    expect(await tree.items()).toHaveLength(3);
  });
});

describe('a column of the numbers of one shop', () => {
  const list = [
    'Item,Qty,Reference(s),Value,Footprint,RS-Components',
    ...['1,2,C1 C2,100n,C_0603,111-2222', '2,1,R1,10k,R_0603,111-3333', '3,1,J1,Jack,Jack_3.5,77-AB12 (Mouser)'],
    ...['4,1,U1,LM358,SO-8,111-4444', '5,1,D1,1N4148,SOD-123,111-5555', '6,1,Printed board,,,boardhouse'],
    ...['7,1,Cable,,,B00XY12345 (Amazon)', '8,1,Q1,BC847,SOT-23,111-6666', ',,,,,111-7777'],
  ];

  test('gives a number to the shop that its brackets name, and none for a name', async () => {
    const { sources, said, items } = await proposed(...list);
    expect((await sources()).map((row) => [row['supplier.name'], row['item.number'] ?? row.number])).toEqual([
      ...[
        ['RS', '111-2222'],
        ['RS', '111-3333'],
        ['RS', '111-4444'],
        ['RS', '111-5555'],
        ['RS', '111-6666'],
        ['Mouser', '77-AB12'],
        ['Amazon', 'B00XY12345'],
      ],
    ]);
    expect(said).toContain('Left out: sources of rows with "boardhouse" (1) in "RS-Components".');
    expect(said).not.toContain('is empty there');
    expect(numbers(await items()).slice(2, 3)).toEqual(['77-AB12']);
  });

  test('has words beside designators that name parts, and values that name the others', async () => {
    const { items, bom, said } = await proposed(...list);
    const names = (await items()).map(({ name }) => name);
    expect(names).toEqual(['100n', '10k', 'Jack', 'LM358', '1N4148', 'Printed board', 'Cable', 'BC847']);
    expect((await bom()).map(({ refdes }) => refdes)).toEqual(['C1,C2', 'R1', 'J1', 'U1', 'D1', '', '', 'Q1']);
    expect(said).toContain('Cells of "Reference(s)" that name a part are no designators: "Printed board", "Cable".');
  });
});

describe('numbers in a column of makers', () => {
  test('that have the form of a shop are those of the shop', async () => {
    const { sources, said } = await proposed(
      'Reference,Value,Footprint,Qty,MPN',
      ...['C1,100n,0603,1,311-1344-1-ND', 'R1,10k,0603,1,311-10KCT-ND', 'J1,Jack,Jack_3.5,1,'],
    );
    expect(suppliers(await sources())).toEqual([
      ['Digi-Key', '311-1344-1-ND'],
      ['Digi-Key', '311-10KCT-ND'],
    ]);
    expect(said).toContain('Open: "MPN" has numbers of Digi-Key by their form, not those of makers.');
  });

  test('give no source of a maker, if a single one has the form of a shop', async () => {
    const { sources, said } = await proposed(
      'Reference,Qty,Manufacturer,MPN',
      ...['U1,1,TI,LM358DR', 'U2,1,NXP,PCA9535', 'U3,1,onsemi,NCP1117', 'X1,1,Abracon,535-9544-1-ND'],
    );
    expect((await sources()).map((row) => row['supplier.name'])).toEqual(['TI', 'NXP', 'onsemi']);
    expect(said).toContain('Left out: sources of rows with "535-9544-1-ND" (1) in "MPN".');
  });
});

describe('parts of a circuit by their values', () => {
  const list = [
    'Part,Value,Device,Package',
    ...['C1,100nF,C-EU,C1206', 'C2,100nF,C-EU,C1206', 'R1,10k,R-EU,R1206', 'R2,NONE,R-EU,R1206', 'IC1,,MEGA8,TQFP32'],
    ...['IC2,,MEGA16,TQFP32', 'R3,1k,R-EU,R1206', 'R4,2k,R-EU,R1206', 'R5,3k,R-EU,R1206', 'R6,5k,R-EU,R1206'],
  ];

  test('are no items where the value says that there is no part, and no package alone is a number', async () => {
    const { items, bom } = await proposed(...list);
    const made = numbers(await items());
    expect(made).not.toContain('NONE R-EU R1206');
    expect(made).toEqual(expect.arrayContaining(['100nF C-EU C1206', 'MEGA8 TQFP32', 'MEGA16 TQFP32']));
    expect(new Set((await bom()).map((row) => row['item.number']))).toEqual(new Set(made));
  });
});

describe('sources', () => {
  test('come from no row that has no item', async () => {
    const { items, sources, said } = await proposed(
      'Mfg_PN,Mfg,Part References',
      ...['C0805,KEMET,"C1, C2"', 'RC0805,Yageo,R1', 'LM358,TI,U1', '1N4148,onsemi,"D1, D2"', 'BC847,NXP,Q1'],
      ...['*** ERROR - NOT FOUND,"X1, X2",', 'BC857,NXP,Q2', '0705,Molex,J1'],
    );
    const made = numbers(await items());
    expect(made).not.toContain('*** ERROR - NOT FOUND');
    expect(await sources()).toHaveLength(made.length);
    expect(said).toContain('Left out: sources of rows with "*** ERROR - NOT FOUND" (1) in "Mfg_PN".');
  });
});
