import { describe, expect, test } from 'vitest';
import { proposedFor as proposed } from './proposed.js';

/** A column that numbers the items, too, has only the first of its fields. */
const names = (rows: readonly Record<string, string>[]) => rows.map(({ name, number }) => name ?? number);
const numbersOf = (rows: readonly Record<string, string>[]) => rows.map((row) => row.number);
const lines = (rows: readonly Record<string, string>[]) => rows.map((row) => [row['item.number'], row.quantity]);

describe('names of parts', () => {
  test('are the texts of a full column with an unknown header', async () => {
    const { items, bom, sources } = await proposed(
      'list.csv',
      'Block,Quantity,Preferred_MPN,JLCPCB_LCSC,Reason',
      ...['Flash memory,1,W25Q128,C97521,Tested before', 'Buck regulator,1,TBD,TBD,Not chosen yet'],
      ...['USB receptacle,2,TYPE-C-31,C165948,Stock is fine', 'Battery holder,1,BH-18650,Off-board,Kept apart'],
    );
    expect(names(await items())).toEqual(['Flash memory', 'Buck regulator', 'USB receptacle', 'Battery holder']);
    expect(lines(await bom())).toEqual([
      ['W25Q128', '1'],
      ['Buck regulator', '1'],
      ['TYPE-C-31', '2'],
      ['BH-18650', '1'],
    ]);
    expect((await sources()).map((row) => row['supplieritem.number'])).toEqual(['C97521', 'C165948']);
  });

  test('are those of lists without a header, beside the numbers of a shop', async () => {
    const { items } = await proposed(
      'list.csv',
      ...['www.parts.example,1,Toggle switch for power,EG2403-ND', 'www.parts.example,2,Power jack 5.5 mm,SC1048-ND'],
      ...['www.parts.example,4,Snap socket #22,94838-ND', 'www.parts.example,1,Relay with base,Z112-ND'],
    );
    expect(names(await items())).toEqual([
      'Toggle switch for power',
      'Power jack 5.5 mm',
      'Snap socket #22',
      'Relay with base',
    ]);
  });

  test('are values before their use and technology, and symbols where there is no value', async () => {
    const used = await proposed(
      'list.csv',
      'References,Qty,Value,Function / location,Technology / specification,Package',
      ...['C1,1,10 uF,Main bus of the board,Film,Radial', 'C2,1,1 uF,Gate network of Q1,Ceramic,0805'],
      'R1,1,220 ohm,Input filter of D5,Thick film,1206',
    );
    expect(names(await used.items())).toEqual(['10 uF', '1 uF', '220 ohm']);
    const symbols = await proposed(
      'list.csv',
      'Part,Value,Device,Package',
      ...['R1,10k,R-EU_R1206,R1206', 'R2,10k,R-EU_R1206,R1206', 'R5,NONE,R-EU_R0805,R0805'],
      ...['IC1,,MEGA8-AI,TQFP32', 'C1,1u,C-EUC1206,C1206', 'C2,2u,C-EUC1206,C1206'],
    );
    expect(names(await symbols.items())).toEqual(['10k', '10k', 'MEGA8-AI', '1u', '2u']);
    expect(lines(await symbols.bom())).toEqual([
      ['10k R1206', '2'],
      ['MEGA8-AI TQFP32', '1'],
      ['1u C1206', '1'],
      ['2u C1206', '1'],
    ]);
    expect(symbols.said).toContain('1 row that is marked as not fitted (NONE in "Value")');
  });

  test('are the devices of gEDA, which writes "unknown" for what a schematic does not say', async () => {
    const { items, bom } = await proposed(
      'list.txt',
      ...[
        '..device\tvalue\tfootprint\tquantity\trefdes',
        'LM317\tunknown\tTO220\t1\tU1',
        'LM337\tunknown\tTO220\t2\tU2 U3',
      ],
      ...['RESISTOR\t10k\t0603\t2\tR1 R2', 'RESISTOR\t1k\t0603\t1\tR3', 'RESISTOR\t2k\t0603\t1\tR4', '.END'],
    );
    expect(lines(await bom()).map(([, quantity]) => quantity)).toEqual(['1', '2', '2', '1', '1']);
    expect(names(await items())).toEqual(['LM317', 'LM337', 'RESISTOR 10k', 'RESISTOR 1k', 'RESISTOR 2k']);
  });
});

describe('what would falsify data is asked or said', () => {
  test('generic parts have no number, and prices of lines are no costs', async () => {
    const { items, bom, said } = await proposed(
      'list.csv',
      'Ref,Value,Package,Qty,Description,MPN,Est.Price(CNY)',
      ...['U1,NE555,SOP-8,1,Timer,NE555DR,0.30', 'C1-C4,100nF,0402,4,Decoupling capacitors,Generic X7R,0.08'],
      ...['C5,100nF,0402,1,Filter capacitor,Generic X7R,0.02', 'SW1,Tactile,SMD,1,Main button,Generic,0.10'],
      ...['Q1,AO3400,SOT-23,1,Transistor,AO3400A,0.35', 'D1,SS34,SMA,1,Diode,SS34,0.30'],
    );
    expect((await bom()).map(({ quantity }) => quantity)).toEqual(['1', '4', '1', '1', '1', '1']);
    expect((await items()).some((row) => 'standardcost' in row)).toBe(false);
    expect(said).toContain('the header "Est.Price(CNY)" is one of costs of lines');
  });

  test('lines in several versions are not added up', async () => {
    const { problems, bom } = await proposed(
      'list.csv',
      'Production BOM No.,Version Code,Type,No.,Description,Quantity per',
      ...[
        '1060,,Item,1061,Wheel,2',
        '1060,,,,Tighten with 25 Nm,',
        '1061,V01,Item,2101,Rim,1',
        '1061,V02,Item,2101,Rim,1',
      ],
      ...['1061,V01,Item,2102,Spoke,20', '1060,,Item,3011,Frame,1'],
    );
    expect(await bom()).toHaveLength(4);
    expect(problems.join('\n')).toContain(
      'row 5: the same parent and part as a row above, but in another "Version Code", and their quantities would be added.',
    );
  });

  test('numbers without a supplier, columns without a header and repeated headers', async () => {
    const single = await proposed(
      'list.csv',
      'Part Number,Name,Qty,Supplier,Order No,',
      ...['P-1,Frame,1,Farnell,2827824,welded', 'P-2,Plate,2,Farnell,1234567,', 'P-3,Screw,8,,7654321,'],
    );
    expect(single.said).toContain('1 number in "Order No" gives no source, since "Supplier" is empty there.');
    expect(single.said).toContain('a column without a header has 1 cell, such as "welded", and is not imported');
    const text = await proposed(
      'list.txt',
      ...['# Belts', '2 x timing pulley (ID: 5mm, material: plastic)', '3 x idler pulley (ID: 3mm, material: plastic)'],
      ...['1 x timing belt, closed', '5 x linear bearing, long', '2 x linear shaft (length: 187mm, tap: none)'],
    );
    expect(text.problems.join('\n')).toContain('have a quantity in front of a name, and no column divides them');
  });
});

test('a header above a blank row is that of the list below it', async () => {
  const { items, bom, said } = await proposed(
    'list.csv',
    ...[
      'Bezeichnung;Laden;Preis;Anzahl;',
      ';;;;',
      'Arduino Uno;shop.example;28.90;1;',
      'Stepper Treiber;shop.example;8.90;2;bei anderen teurer',
    ],
    ...[';;;;', 'Spindel M5;Labor;;1;', 'Buchse aus Bronze;Labor;;4;'],
  );
  expect(names(await items())).toEqual(['Arduino Uno', 'Stepper Treiber', 'Spindel M5', 'Buchse aus Bronze']);
  expect((await bom()).map(({ quantity }) => quantity)).toEqual(['1', '2', '1', '4']);
  expect(said).toContain('a column without a header has 1 cell');
});

test('rows that are left out, headers in Japanese, and columns without a header', async () => {
  const marked = await proposed(
    'list.csv',
    'Reference,Value,Footprint,Qty,dkpn',
    ...[
      'R1,10k,0603,1,311-10K-ND',
      'R14,10K NS,0603,1,311-1K-ND',
      'U1,LM358,SO-8,1,296-ND',
      'X1,PAD,MECH,1,NOT A PART',
    ],
  );
  expect(lines(await marked.bom())).toEqual([
    ['10k 0603', '1'],
    ['LM358 SO-8', '1'],
  ]);
  expect(marked.said).toContain('2 rows that are marked as not fitted');
  const japanese = await proposed(
    'list.csv',
    '指定子,名称,フットプリント,数量',
    ...['R1,10kΩ,R_0603,1', 'RV1,10kΩ,Potentiometer,1', 'C1,1u,C_0402,2'],
  );
  expect(lines(await japanese.bom()).map(([number]) => number)).toEqual([
    '10kΩ R_0603',
    '10kΩ Potentiometer',
    '1u C_0402',
  ]);
  const nameless = await proposed('list.csv', ',aantal,', 'Schroef M3,8,link', 'Plaat,1,link', 'Motor,2,link');
  expect(lines(await nameless.bom())).toEqual([
    ['Schroef M3', '8'],
    ['Plaat', '1'],
    ['Motor', '2'],
  ]);
  expect(nameless.said).toContain('Columns without a header go by their letters: "A", "C".');
});

test('a list with a row for each pair of a product and an ingredient has the products as parents', async () => {
  const { items, bom, said } = await proposed(
    'recipes.csv',
    'Product variant code / SKU,Product name,Ingredient variant code / SKU,Ingredient name,Quantity',
    ...['LB-200,Lamp,SA-HEAD,Head,1', 'LB-200,Lamp,M-BASE,Base,1', 'LB-200,Lamp,M-SCREW,Screw,4'],
    ...['SA-HEAD,Head,M-LED,LED,3', 'SA-HEAD,Head,M-SCREW,Screw,2'],
  );
  expect(new Set(names(await items()))).toEqual(new Set(['Head', 'Base', 'Screw', 'LED']));
  expect((await bom()).map((row) => [row.number, row['item.number'], row.quantity])).toEqual([
    ['LB-200', 'SA-HEAD', '1'],
    ['LB-200', 'M-BASE', '1'],
    ['LB-200', 'M-SCREW', '4'],
    ['SA-HEAD', 'M-LED', '3'],
    ['SA-HEAD', 'M-SCREW', '2'],
  ]);
  expect(said).toContain('Parents of the BOM that are no rows of the list, such as "LB-200"');
});

test('a model is the number of its maker, and a shop before a number is its supplier', async () => {
  const models = await proposed(
    'plant.csv',
    'Family,Type,Manufacturer,Model,Count',
    ...['Pump,MAGNA3 50,Grundfos,97924288,2', 'Valve,Threaded,Giacomini,R250D,4', 'Valve,Threaded,Giacomini,R254,1'],
    'Sheet,Standard,<varies>,<varies>,3',
  );
  expect((await models.sources()).map((row) => [row['supplier.name'], row.number])).toEqual([
    ['Grundfos', '97924288'],
    ['Giacomini', 'R250D'],
    ['Giacomini', 'R254'],
  ]);
  const codes = await proposed(
    'board.csv',
    'Quantity,References,Value,Stock Code',
    ...['2,"C1,C2",100nF,Farnell 1759122', '1,R1,10k,Farnell 9339060', '1,R2,1k,RS 707-7745', '1,X1,Socket,'],
  );
  expect((await codes.sources()).map((row) => [row['supplier.name'], row['supplieritem.number']])).toEqual([
    ['Farnell', '1759122'],
    ['Farnell', '9339060'],
    ['RS', '707-7745'],
  ]);
  expect(await codes.bom()).toHaveLength(4);
});

test('columns of a text are divided where their words begin below one space', async () => {
  const { bom } = await proposed(
    'partlist.txt',
    ...[
      'Qty Value   Device    Parts',
      '1   100u    CPOL-EUC  C8',
      '1   220u    CPOL-EUC  C2',
      '8   4K7     R-EU      R1, R2',
    ],
  );
  expect((await bom()).map((row) => [row.quantity, row.refdes])).toEqual([
    ['1', 'C8'],
    ['1', 'C2'],
    ['8', 'R1, R2'],
  ]);
});

test('a list of designators and values alone numbers its parts by the values, and says which kinds share one', async () => {
  const { bom, said } = await proposed('board.csv', ...['C1,10', 'C2,10n', 'R1,10', 'R2,1k', 'R3,1k', 'U1,LM358']);
  expect(lines(await bom()).map(([number]) => number)).toEqual(
    ['10', '10n', '1k', 'LM358'].map((value) => `board-${value}`),
  );
  expect(said).toContain('row 3 has the number of row 1 ("board-10") but another kind of "A"');
});

test('words name all parts if nothing else does, and ways of mounting leave none out', async () => {
  const { items, bom } = await proposed(
    'list.csv',
    'Reference,Value,Qty,Mount',
    ...[
      'C1,10uF axial electrolytic capacitor,1,SMT',
      'C2,22nF ceramic capacitor,2,THT',
      'U1,Timer circuit of Fairchild,1,by hand',
    ],
  );
  expect(names(await items())).toEqual([
    '10uF axial electrolytic capacitor',
    '22nF ceramic capacitor',
    'Timer circuit of Fairchild',
  ]);
  expect(await bom()).toHaveLength(3);
});

describe('columns of other programs and languages', () => {
  test('a part beside the material that it needs is its parent, in one revision', async () => {
    const { bom, problems } = await proposed(
      'dmt.csv',
      'PartNum,RevisionNum,MtlSeq,MtlPartNum,QtyPer,UOMCode',
      ...[
        'HPU-40,A,10,TANK,1,EA',
        'HPU-40,A,20,MOTOR,1,EA',
        'HPU-40,B,10,TANK,1,EA',
        'TANK,C,10,PLATE,2.5,FT',
        'TANK,C,20,CAP,1,EA',
      ],
    );
    expect((await bom()).map((row) => [row.number, row['item.number'], row.linenumber])).toContainEqual([
      'TANK',
      'PLATE',
      '10',
    ]);
    expect(problems.join('\n')).toContain(
      'row 4: the same parent and part as a row above, but in another "RevisionNum"',
    );
  });

  test('columns of vendors say nothing about the quantity and the number of an item', async () => {
    const { items, sources, manifests } = await proposed(
      'products.csv',
      'Internal Reference,Name,Vendors/Vendor,Vendors/Vendor Product Code,Vendors/Quantity',
      ...['MCE-1,Pump,Bonomi,BN.44,1', 'GRP-2,Group,ECM,E61-CR,10', 'CAL-3,Boiler,ECM,CR200,1'],
    );
    expect(numbersOf(await items())).toEqual(['MCE-1', 'GRP-2', 'CAL-3']);
    expect((await sources()).map((row) => row['supplieritem.number'])).toEqual(['BN.44', 'E61-CR', 'CR200']);
    expect(manifests.some(({ spec }) => (spec as { resource?: string }).resource === 'ITEM_BOM')).toBe(false);
  });

  test('prices beside the number of pieces in a pack are no costs, and the only lot with numbers is the quantity', async () => {
    const packs = await proposed(
      'packs.csv',
      'Item name,Qty needed,Qty per pack,Price',
      'Bearing,2,50,$11',
      'Pin,9,9,$2.88',
    );
    expect(packs.said).toContain('the prices in "Price" are for different amounts ("Qty per pack")');
    const lots = await proposed('lots.csv', 'Name,Quantity 1,Quantity 2', 'Screw,8,0', 'Plate,1,0', 'Hinge,2,0');
    expect(lines(await lots.bom()).map(([, quantity]) => quantity)).toEqual(['8', '1', '2']);
  });

  test.each([
    ['adet,parca,ozellik', '2,Pil yuvası,AA', '1,Sigorta,1 A'],
    ['antal,benämning,anmärkning', '2,Hållare,AA', '1,Säkring,1 A'],
    ['množství,název,poznámka', '2,Držák,AA', '1,Pojistka,1 A'],
    ['수량,품명,비고', '2,홀더,AA', '1,퓨즈,1 A'],
  ])('%s', async (...rows) => {
    const { bom } = await proposed('list.csv', ...rows);
    expect(lines(await bom()).map(([, quantity]) => quantity)).toEqual(['2', '1']);
  });

  test('designators that end with a comma, that are words, or that are missing', async () => {
    const { bom } = await proposed(
      'list.csv',
      '名称,说明,焊盘,封装,数量',
      ...['10uF,desc,"C3,C2,C1,",0603,3', '470,desc,"R4,R3,",0603,2', 'KEY,desc,"Flash,",SW,1', 'LED,desc,-,0805,1'],
    );
    expect((await bom()).map((row) => row.refdes)).toEqual(['C3,C2,C1', 'R4,R3', 'Flash', '']);
  });

  test('contacts of a relay are not marked as not fitted', async () => {
    const { bom } = await proposed(
      'list.csv',
      'Referenz,Wert,Footprint,Anzahl',
      'J9,Relais 1 NO/COM/NC,Conn,1',
      'R1,10k,0603,1',
    );
    expect(await bom()).toHaveLength(2);
  });

  test('designators that say what a part is for, and further sources in brackets', async () => {
    const { bom, sources } = await proposed(
      'list.csv',
      'Reference,Value,Footprint,Qty,MPN,Manufacturer,MPN[2],Manufacturer[2]',
      ...[
        '"C_EN, C_IN2",100nF,0603,2,CL10B,Samsung,CC0603,Yageo',
        'R_PUMP,10k,0603,1,RC0603,Yageo,,',
        'D_V1,1N4007,DO-41,1,1N4007,onsemi,,',
      ],
    );
    expect((await bom()).map((row) => row.refdes)).toEqual(['C_EN, C_IN2', 'R_PUMP', 'D_V1']);
    expect((await sources()).map((row) => row['supplier.name'])).toEqual(['Samsung', 'Yageo', 'onsemi', 'Yageo']);
  });

  test('quotes with a backslash, as some programs write them', async () => {
    const { items, manifests } = await proposed(
      'list.tsv',
      'Name\tQuantity\tDescription',
      ...['"Washer"\t8\t"ISO 7089, \\"200 HV\\""', '"Screw"\t4\t"ISO 4762"'],
    );
    expect((await items()).map(({ description }) => description)).toEqual(['ISO 7089, "200 HV"', 'ISO 4762']);
    expect(JSON.stringify(manifests)).toContain('"quotes":"backslash"');
  });

  test('lines in brackets below the first row of their BOM belong to its item', async () => {
    const { bom, problems } = await proposed(
      'boms.csv',
      'ID,Item,Quantity,Item Code (Items),Item Name (Items),Qty (Items)',
      ...['BOM-1,TB200,1,TB210,Frame,1', ',,,BELT,Belt,4.35', 'BOM-2,TB210,10,PRF,Profile,5', ',,,BOLT,Bolt,36'],
    );
    expect((await bom()).map((row) => [row.number, row['item.number'], row.quantity])).toEqual([
      ['TB200', 'TB210', '1'],
      ['TB200', 'BELT', '4.35'],
      ['TB210', 'PRF', '5'],
      ['TB210', 'BOLT', '36'],
    ]);
    expect(problems.join('')).toContain('"Quantity" says that some lines are those of 10 pieces');
  });

  test('costs of which some have a decimal point and others a comma', async () => {
    const { items } = await proposed(
      'list.csv',
      'Reference,Value,Footprint,PRIX,Qté',
      ...['"R1, R2",10k,0805,0.2,2', 'U1,SHT40,DFN-4,"3,5",1', 'U2,ESP32,Module,20,1', 'C1,100nF,0603,0.1,1'],
    );
    expect((await items()).map((row) => row.standardcost)).toEqual(['0.2', '3.5', '20', '0.1']);
  });

  test.each(['Prix unitaire', 'Prix Unit. HT', 'PU', 'P.U. HT'])('costs below "%s"', async (header) => {
    const { items } = await proposed(
      'list.csv',
      `Référence article,Désignation,Qté,${header}`,
      'A-1,Vis,4,0.5',
      'A-2,Clé,1,12',
    );
    expect((await items()).map((row) => row.standardcost)).toEqual(['0.5', '12']);
  });

  test('names in Russian, which together with the values number the parts', async () => {
    const { items, bom } = await proposed(
      'list.csv',
      '#,Имя,Количество,Значение',
      ...['1,RES_0805,2,10k', '2,RES_0805,4,1k', '3,KM-6,1,22u', '4,PLS-2,1,'],
    );
    expect((await items()).map((row) => row.name)).toEqual(['RES_0805 10k', 'RES_0805 1k', 'KM-6 22u', 'PLS-2']);
    expect((await bom()).map((row) => row.quantity)).toEqual(['2', '4', '1', '1']);
  });
});
