import { describe, expect, test } from 'vitest';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { Meaning } from '#data/bulk/inspect/meanings.js';
import { fileOf } from '../support.js';

/** The proposal for a text, as one file of manifests. */
async function proposed(name: string, content: string): Promise<string> {
  const path = await fileOf(name, content);
  const { inspection } = await inspectTable({ path, file: name }, { file: name }, new AbortController().signal);
  return inspection.proposal.text;
}

test('dotted numbers become parents, and the one row on top is the assembly', async () => {
  const text = await proposed(
    'b.csv',
    'Item,Part Number,Name,Qty\n1,PUMP,Pump,1\n1.1,HEAD,Head,1\n1.1.1,SEAL,Seal,2\n1.2,BASE,Base,1\n',
  );
  expect(text).toContain('hierarchy: { path: Item, number: Part Number }');
  expect(text).toContain('apiName: number, sourceName: Parent Number');
  expect(text).not.toContain('which must exist');
});

test('without part numbers the values number the items, behind the name of the assembly', async () => {
  const text = await proposed('pump_bom.csv', '# from a CAD program\nR1 R2;10k;2\nR3;22k;1\nC1;1u;1\n');
  expect(text).toContain('header: none');
  expect(text).toContain('comment: "#"');
  expect(text).toContain('columns: { Item Number: "pump-{B}" }');
  expect(text).toContain('{ resource: ITEM_BOM, apiName: refDes, sourceName: A }');
});

test('a column that cannot be mapped directly becomes a comment or a setting', async () => {
  const rows = ['A,red,1,"1,50 €",R1', 'B,,2,"2,00 €","R2,R3"', 'A,blue,3,"1,50 €",R4', ',,1,,R5'];
  const text = await proposed('p.csv', `Part Number,Description,Qty,Price,RefDes\n${rows.join('\n')}\n`);
  expect(text).toContain('numbers: { Price: { decimal: comma, unit: € } }');
  expect(text).toContain('where: { Part Number: { not: "" } }');
  expect(text).toContain('# Open: left out, since without "Part Number": row 5.');
  expect(text).toMatch(/# Open: items have several names, and the first one counts, without "A: blue" in row 4\./);
  // Quantities are added up where nothing else differs; a line for each otherwise.
  expect(text).toContain('repeated: sum');
  const differing = await proposed('q.csv', 'Part Number,Qty,RefDes,Notes\nA,1,R1,left\nB,2,"R2,R3",\nA,3,R4,right\n');
  expect(differing).toContain('createDuplicates: ALLOW');
  expect(differing).not.toContain('repeated: sum');
  expect(text).toContain('checkRefDes: DO_NOT_CHECK');
});

test('columns mean what people say they mean, and those without a meaning are not proposed', async () => {
  const content = 'Article,Code,Part No,Qty,DNP,Junk\nA,x-1,1,2,,j\nB,x-2,2,1,y,k\n';
  const path = await fileOf('p.csv', content);
  const inspect = (meanings: Readonly<Record<string, Meaning | 'none'>>) =>
    inspectTable({ path, file: 'p.csv' }, { file: 'p.csv' }, new AbortController().signal, { meanings });
  const { inspection } = await inspect({ Code: 'number', 'Part No': 'lineNumber', DNP: 'none', Junk: 'unfitted' });
  const { text } = inspection.proposal;
  expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Code }');
  expect(text).toContain('where: { Junk: { not: [ j, k ] } }');
  expect(text).not.toContain('DNP');
  const meanings = Object.fromEntries(inspection.columns.map(({ name, meaning }) => [name, meaning]));
  expect(meanings).toMatchObject({ Code: 'number', 'Part No': 'lineNumber', Qty: 'quantity', Junk: 'unfitted' });
  await expect(inspect({ Cod: 'number' })).rejects.toThrow('The table has no column "Cod".');
});

test('irregular quotes and short rows get settings; empty columns are in no line', async () => {
  const text = await proposed('q.csv', 'Part Number,Name,Qty,Empty,Colour\nA,5" wheel,1,,red\nB,x,2\n');
  expect(text).toContain('quotes: lenient');
  expect(text).not.toContain('Empty');
  const short = await proposed('s.csv', 'Part Number,Name,Qty\nA,x,1\nB,y\n');
  expect(short).toContain('shortRows: allow');
});

test('a cell cannot end the comment that contains it', async () => {
  const text = await proposed('c.csv', 'Part Number,Name,Odd\nA,x,"one\n- { resource: EVIL }"\nB,y,z\n');
  expect(text.split('\n').filter((line) => line.includes('EVIL') && !line.trimStart().startsWith('#'))).toEqual([]);
});

test('a quantity with values of any kind is mapped, and never left out in silence', async () => {
  const text = await proposed('a.csv', 'Part Number,Name,Qty\nA,Sub,2\nB,Leaf,30\nC,Grease,AR\n');
  expect(text).toContain('{ resource: ITEM_BOM, apiName: quantity, sourceName: Qty }');
  expect(text).toMatch(/# Open: row 4: "AR" .*`values: \{ Qty: \{ AR: … \} \}`.*`where: \{ Qty: \{ not: AR \} \}`/);
  const grouped = await proposed('us.csv', 'Part Number,Name,Qty\nA,Sub,"1,200"\nB,Leaf,"2,400"\n');
  expect(grouped).toContain('numbers: { Qty: { decimal: point } }');
  const dots = await proposed('it.csv', 'Codice;Nome;Quantità;Prezzo\nA;Vite;1.200;0,05\nB;Dado;2;0,02\n');
  expect(dots).toContain('numbers: { Quantità: { decimal: comma } }');
  const unsure = await proposed('it.csv', 'Codice;Nome;Quantità\nA;Vite;1.200\nB;Dado;2\n');
  expect(unsure).toMatch(/# Open: "1\.200" in "Quantità" is read as 1\.2/);
});

test.each([
  [
    'a number beside a position',
    'Pos,Artikelnummer,Bezeichnung,Menge\n10,A-1,T,1\n20,A-2,B,2\n30,A-3,R,2\n',
    'Artikelnummer',
  ],
  [
    'a number with a total below it',
    'Part Number,Description,Qty\nD-1,Lamp,1\nD-2,Bulb,3\nD-3,Socket,5\n,,9\n',
    'Part Number',
  ],
  ['a repeated item number', 'Item Number,Title\nA-1,Bolt\nA-2,Nut\nA-1,Bolt\n', 'Item Number'],
  ['a number in German', 'Stufe;Nummer;Bezeichnung;Menge\n0;N-1;Pumpe;1\n1;N-2;Welle;2\n1;N-3;Rad;3\n', 'Nummer'],
  [
    'a reference in French',
    'Niveau;Référence;Désignation;Quantité\n0;F-1;Pompe;1\n1;F-2;Corps;1\n2;F-3;Vis;4\n',
    'Référence',
  ],
])('%s is the item number', async (_, content, column) => {
  const text = await proposed('list.csv', content);
  expect(text).toContain(`{ resource: ITEM_SPECS, apiName: number, sourceName: ${column} }`);
  expect(text).not.toContain('apiName: refDes');
});

test('columns of other codes do not become designators, and decimals do not become a tree', async () => {
  const text = await proposed(
    'codes.csv',
    'Part Number,Description,Torque,Drawing,Size,Scrap,Qty\nP-1,Bolt,T10,D100,M6,0.05,4\nP-2,Nut,T20,D200,M8,0.025,8\nP-3,Washer,T30,D300,M10,0,2\n',
  );
  expect(text).not.toContain('refDes');
  expect(text).not.toContain('hierarchy');
});

test('levels that skip one are named, and not used', async () => {
  const text = await proposed('lev.csv', 'Level,Part Number,Qty\n0,A,1\n1,B,1\n3,C,2\n2,D,1\n');
  expect(text).not.toContain('hierarchy');
  expect(text).toMatch(/# Open: the levels in "Level" are not used.*row 4 \("3"\)/);
});

test('the manifests also name the parts of a file that are not read', async () => {
  const text = await proposed(
    'two.csv',
    'Part Number,Name,Qty\nA,x,1\nB,y,2\n,,\nRevision,Notes,Count\nA,Ann,3\nB,Ben,4\n',
  );
  expect(text).toMatch(/# Open: .*not read/);
});

test('parents without rows become a list; numbers of rows are not parents, and rows without one are named', async () => {
  const parents = await proposed(
    'p.csv',
    'Assembly,Part Number,Name,Qty\nASM-1,P-1,Bolt,4\nASM-1,P-2,Nut,4\nASM-2,P-1,Bolt,2\n',
  );
  expect(parents).toContain('Parents of the BOM that are no rows of the list, such as "ASM-1", must exist');
  const rows = await proposed('r.csv', 'ID,Parent ID,Part Number,Qty\n1,,P-1,1\n2,1,P-2,2\n3,2,P-3,3\n4,1,P-4,1\n');
  expect(rows).toContain('# Open: no BOM is proposed, since "Parent ID" has values of "ID"');
  expect(rows).not.toContain('ITEM_BOM');
  const groups = await proposed('g.csv', 'Assembly,Part Number,Qty\nA,P-1,1\n,P-2,2\n,P-3,1\nP-1,P-4,1\n');
  expect(groups).toMatch(/# Open: 2 rows without "Assembly" are left out\..*`fillDown: \["Assembly"\]`/);
});

test('substitutes are no item numbers and no attributes, and nobody expects that they are imported', async () => {
  const rows = ['R1,A-1,1,B-1,,', 'R2,A-2,1,,Vishay,V-2', 'C1,A-3,2,"B-3, B-4",,'];
  const text = await proposed(
    's.csv',
    `RefDes,IPN,Qty,Alternate Part Number,Alternate Manufacturer,Alt. MPN\n${rows.join('\n')}\n`,
  );
  expect(text).toMatch(
    /# Open: "Alternate Part Number" has substitutes of parts, such as "B-1", which no import writes\./,
  );
  expect(text).not.toContain('sourceName: Alternate Part Number');
  expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: IPN }');
  expect(text).toContain('{ resource: ITEM_SOURCING, apiName: supplierItem.number, sourceName: Alt. MPN }');
  const alone = await proposed('s.csv', 'Alternates,Name,Qty\nB-1,Bolt,1\nB-2,Nut,2\n');
  expect(alone).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Name }');
});

test('units in quantities become those of new items, unless a column has them; no quantity is converted', async () => {
  const rows = ['A;Rohr;2,5 m', 'B;Schraube;12 Stk', 'C;Mutter;4'];
  const text = await proposed('u.csv', `Artikelnummer;Bezeichnung;Menge\n${rows.join('\n')}\n`);
  expect(text).toContain('columns: { Unit: { unit: Menge } }');
  expect(text).toContain('{ resource: ITEM_SPECS, apiName: uom, sourceName: Unit }');
  expect(text).toContain('numbers: { Menge: { decimal: comma, unit: [ m, Stk ] } }');
  expect(text).toMatch(
    /# Open: "Menge" has units, such as "m"\. New parts get them as uom, parts that exist keep theirs/,
  );
  const own = await proposed('u.csv', 'Artikelnummer;Menge;Einheit\nA;2,5 m;m\nB;12;Stk\n');
  expect(own).toContain('{ resource: ITEM_SPECS, apiName: uom, sourceName: Einheit }');
  expect(own).not.toContain('{ unit: Menge }');
  const several = await proposed('u.csv', 'Part Number,Name,Qty\nA,Tube,1.8 m\nB,Nut,2pcs\nA,Tube,50 cm\n');
  expect(several).toContain('createDuplicates: ALLOW');
  expect(several).not.toContain('repeated: sum');
  expect(several).toMatch(/# - \{ resource: ITEM_SPECS, apiName: uom.* # Rows of one number differ in it/);
});

describe('rows that are not fitted are left out of the BOM, and counted', () => {
  const KICAD = 'Reference,Value,Footprint,Qty,Part Number';
  test.each([
    // KiCad writes "DNP" in a column of that name; other programs write a flag.
    [
      'a column of marks',
      `${KICAD},DNP`,
      ['R1,10k,0603,2,A,', 'R2,10k,0603,1,A,DNP', 'R3,1k,0603,1,B,'],
      'DNP: { not: DNP }',
      '1 row that is',
      'DNP in "DNP"',
    ],
    [
      'a column of flags',
      `${KICAD},Do not populate`,
      ['R1,10k,0603,2,A,0', 'R2,10k,0603,1,A,1', 'R3,1k,0603,1,B,1'],
      'Do not populate: { not: "1" }',
      '2 rows that are',
      '"1" in "Do not populate"',
    ],
    [
      'a column of what is fitted',
      `${KICAD},Fitted`,
      ['R1,10k,0603,2,A,Fitted', 'R2,10k,0603,1,A,Not Fitted', 'R3,1k,0603,1,B,Fitted'],
      'Fitted: { not: Not Fitted }',
      '1 row that is',
      'Not Fitted in "Fitted"',
    ],
    [
      'a column of codes',
      `${KICAD},Fitted`,
      ['R1,10k,0603,2,A,F', 'R2,10k,0603,1,A,NF', 'R3,1k,0603,1,B,F'],
      'Fitted: { not: NF }',
      '1 row that is',
      'NF in "Fitted"',
    ],
    [
      'a column that says NI',
      `${KICAD},DNP`,
      ['R1,10k,0603,2,A,F', 'R2,10k,0603,1,A,NI', 'R3,1k,0603,1,B,'],
      'DNP: { not: NI }',
      '1 row that is',
      'NI in "DNP"',
    ],
    [
      'values',
      KICAD,
      ['R1,10k,0603,2,A', 'R2,10k DNP,0603,1,A', 'R3,DNI,0603,1,B'],
      'Value: { not: [ 10k DNP, DNI ] }',
      '2 rows that are',
      '10k DNP" in "Value"',
    ],
    [
      'remarks',
      `${KICAD},Remarks`,
      ['R1,10k,0603,2,A,', 'R2,10k,0603,1,A,(do not populate)', 'R3,1k,0603,1,B,'],
      'Remarks: { not: (do not populate) }',
      '1 row that is',
      '"(do not populate)" in "Remarks"',
    ],
    [
      'a column of crosses in French',
      `${KICAD},Non monté`,
      ['R1,10k,0603,2,A,', 'R2,10k,0603,1,A,x', 'R3,1k,0603,1,B,'],
      'Non monté: { not: x }',
      '1 row that is',
      'x in "Non monté"',
    ],
    [
      'what is fitted in German',
      `${KICAD},Bestückung`,
      ['R1,10k,0603,2,A,ja', 'R2,10k,0603,1,A,nein', 'R3,1k,0603,1,B,ja'],
      'Bestückung: { not: nein }',
      '1 row that is',
      'nein in "Bestückung"',
    ],
    [
      'abbreviations in values',
      KICAD,
      ['R1,10k,0603,2,A', 'R2,100n/NF,0603,1,A', 'R3,n.b.,0603,1,B'],
      'Value: { not: [ 100n/NF, n.b. ] }',
      '2 rows that are',
      '100n/NF" in "Value"',
    ],
    [
      'quantities of 0',
      KICAD,
      [
        ...Array.from({ length: 20 }, (_, n) => `R${n},10k,0603,${n + 1},A${n}`),
        'R30,10k,0603,0,A',
        'R31,1k,0603,0.0,B',
      ],
      'Qty: { not: [ "0", "0.0" ] }',
      '2 rows that are',
      '"0" in "Qty"',
    ],
    [
      'quantities',
      KICAD,
      ['R1,10k,0603,2,A', 'R2,10k,0603,DNP,A', 'R3,1k,0603,1,B'],
      'Qty: { not: DNP }',
      '1 row that is',
      'DNP in "Qty"',
    ],
  ])('by %s', async (_, header, rows, where, count, shown) => {
    const text = await proposed('board.csv', `${[header, ...rows].join('\n')}\n`);
    const conditions = text.split('\n').filter((line) => line.includes('where:') && !line.includes('Number and Name'));
    expect(conditions).toEqual([expect.stringContaining(where)]);
    expect(text).toContain(`# Left out: ${count} marked as not fitted`);
    expect(text).toContain(shown);
  });

  test('and can be kept with an attribute, since the service takes no quantity of 0', async () => {
    const text = await proposed('board.csv', `${KICAD},DNP\nR1,10k,0603,2,A,\nR2,10k,0603,1,A,DNP\n`);
    expect(text).toContain('remove these conditions from `where` and map "DNP" to an attribute of the lines;');
    expect(text).toContain('# - { resource: ITEM_BOM, attribute: DNP, sourceName: DNP } # Marks lines that are not');
    const marked = await proposed('board.csv', `${KICAD}\nR1,10k,0603,2,A\nR2,10k,0603,DNP,A\n`);
    expect(marked).toContain('remove these conditions from `where` and give them a number by `values`;');
  });

  test.each([
    ['names and makers', 'Part Number,Manufacturer,Description,Qty\nDNP,DNI,x,1\nB,Bolts,y,2\n'],
    ['flags that say no', 'Part Number,Description,Qty,DNP\nA,x,1,No\nB,y,2,false\nC,z,3,Fitted\n'],
    ['how parts are mounted', 'Part Number,Description,Qty,Mount\nA,x,1,SMD\nB,y,2,THT\n'],
    ['materials', 'Part Number,Description,Qty,Material\nA,x,1,Ni\nB,y,2,NC steel\n'],
  ])('but not by %s', async (_, content) => {
    const text = await proposed('board.csv', content);
    expect(text).not.toContain('where:');
    expect(text).not.toContain('not fitted');
  });

  test('in a tree they stay, since rows below them would belong to others', async () => {
    const rows = ['1,PUMP,Pump,1,', '2,HEAD,Head,1,DNP', '3,SEAL,Seal,2,', '2,BASE,Base,1,'];
    const text = await proposed('b.csv', `Level,Part Number,Name,Qty,DNP\n${rows.join('\n')}\n`);
    expect(text).toContain(
      'Open: 1 row that is marked as not fitted (DNP in "DNP") would be in the BOM: other rows are below.',
    );
    expect(text).not.toContain('where:');
  });
});

describe('titles of sections do not become records', () => {
  const HEAD = 'Part Number,Description,Qty\n';
  test.each([
    [
      'by a column that all other rows fill',
      `${HEAD}MECHANICAL,,\nA,Bolt,2\nB,Nut,\nELECTRICAL,,\nC,Wire,4\n`,
      'where: { Description: { not: "" } }',
      'Left out: 2 rows with a title alone, such as "MECHANICAL" in "Part Number".',
    ],
    [
      'by their texts, where there is no such column',
      `${HEAD}MECHANICAL,,\nA,Bolt,2\nB,,1\nC,Wire,\nD,Rod,4\n`,
      'where: { Part Number: { not: MECHANICAL } }',
      'Left out: 1 row with a title alone, such as "MECHANICAL" in "Part Number".',
    ],
    [
      'by all other cells, where a title may be a record, too',
      `${HEAD}Frame,,\nA,Bolt,2\nB,,1\nC,Wire,\nFrame,Rod,4\n`,
      'where: { Rest of Row: { not: "" } }',
      'Left out: 1 row with a title alone, such as "Frame" in "Part Number".',
    ],
    ['and not what may be a record', 'Part Number,Description\nA,\nB,x\nC,y\n', undefined, undefined],
    ['nor rows of which little is known', `${HEAD}A,,\nB,,\nC,,\nD,x,1\nE,y,2\n`, undefined, undefined],
  ])('%s', async (_, content, where, remark) => {
    const text = await proposed('list.csv', content);
    const found = text.split('\n').filter((line) => /^\s*where: (?!\{ Number and Name)/.test(line));
    expect(found.map((line) => line.trim())).toEqual(found.map(() => where));
    expect(found.length > 0).toBe(where !== undefined);
    if (remark === undefined) expect(text).not.toContain('title');
    else expect(text).toContain(`# ${remark}`);
  });
});

describe('a line without a quantity is named', () => {
  test('by its row', async () => {
    const text = await proposed('q.csv', 'Part Number,Description,Qty\nA,Bolt,2\nB,Nut,\nC,Wire,4\n');
    expect(text).toContain('# Open: row 3 has no quantity in "Qty", and the service decides about it.');
  });

  test.each([
    ['and none where all have one', 'Part Number,Description,Qty\nA,Bolt,2\nB,Nut,1\n'],
    ['not the top of a tree, which is no line', 'Level,Part Number,Name,Qty\n0,A,Pump,\n1,B,Nut,1\n1,C,Rod,2\n'],
    ['nor rows that are left out', 'Part Number,Description,Qty,Price\nA,Bolt,2,1\nB,Nut,1,1\n,Prices in euros,,x\n'],
  ])('%s', async (_, content) => {
    const text = await proposed('q.csv', content);
    expect(text).toContain('apiName: quantity');
    expect(text).not.toContain('no quantity');
  });

  test('with the designators that are missing, where these are counted', async () => {
    const text = await proposed('q.csv', 'Part Number,Description,Ref Des\nA,Res,"R1,R2"\nB,Cap,C1\nC,Board,\n');
    expect(text).toContain('# Open: row 4 has no designators in "Ref Des", so the service decides about the quantity.');
    expect(text).not.toContain('Fill the cells');
  });
});

test('a BOM creates the parts that are missing, and changes none; a list of parts changes them', async () => {
  const bom = await proposed('b.csv', 'Part Number,Qty\nA,2\nB,1\n');
  expect(bom.split('\n').filter((line) => line.trim() === 'send: new')).toHaveLength(1);
  expect(bom.indexOf('send: new')).toBeLessThan(bom.indexOf('resource: ITEM_BOM'));
  expect(bom).toContain('# Parts that exist are not changed (`send: new`);');
  expect(await proposed('p.csv', 'Part Number,Name\nA,Bolt\nB,Nut\n')).not.toContain('send');
});

describe('a list as programs for circuits export it', () => {
  const KICAD = [
    '"Reference","Value","Footprint","Qty","DNP"',
    '"C1,C2","100n","C_0402","2",""',
    '"R1","10k","R_0402","1",""',
  ];

  test('without part numbers is numbered by value and package, so that a designator more changes no number', async () => {
    const first = await proposed('board.csv', `${KICAD.join('\n')}\n`);
    expect(first).toContain('columns: { Item Number: "{Value} {Footprint}" }');
    expect(first).toContain('they stay when designators are added');
    const second = await proposed('board.csv', `${KICAD.join('\n').replace('"C1,C2"', '"C1,C2,C3"')}\n`);
    expect(second).toContain('columns: { Item Number: "{Value} {Footprint}" }');
  });

  test('without quantities counts the designators, and adds rows of one part up', async () => {
    const text = await proposed(
      'places.csv',
      'Designator,Val,Package,Mid X,Mid Y,Rotation,Layer\nC1,100n,0402,10.5,20.1,90,top\nC2,100n,0402,11.5,20.1,90,top\nR1,10k,0402,12.5,20.1,180,bottom\n',
    );
    expect(text).toContain('columns: { Item Number: "{Val} {Package}", Quantity: { count: Designator } }');
    expect(text).toContain('repeated: sum');
    expect(text).toContain('{ resource: ITEM_BOM, apiName: quantity, sourceName: Quantity }');
    for (const place of ['Mid X', 'Mid Y', 'Rotation', 'Layer']) expect(text).not.toContain(place);
  });

  test('has its value in a comment', async () => {
    const text = await proposed(
      'order.csv',
      'Comment,Designator,Footprint,JLCPCB Part #\n100nF,"C1,C2",C_0402,C1525\n10k,R1,R_0402,C25744\n',
    );
    expect(text).toContain('columns: { Item Number: "{Comment} {Footprint}" }');
    expect(text).toContain('{ resource: ITEM_SOURCING, apiName: supplierItem.number, sourceName: "JLCPCB Part #" }');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: name, sourceName: Comment }');
    expect(text).not.toContain('apiName: notes');
  });
});

test('several makers of a row become sources each, without those that are not known yet', async () => {
  const text = await proposed(
    'parts.csv',
    'Part Number,Part Name,Rev,Lifecycle,Qty,UoM,Manufacturer 1,MPN 1,Manufacturer 2,MPN 2\n1-1,R,A,Production,2,EA,Yageo,RC0402,Vishay,CRCW\n1-2,C,B,Prototype,3,EA,Murata,GRM,TBD,n/a\n',
  );
  expect(text).toContain('{ resource: ITEM_SOURCING, apiName: supplierItem.number, sourceName: MPN 1 }');
  expect(text).toContain('{ resource: ITEM_SOURCING, apiName: supplierItem.number, sourceName: MPN 2 }');
  expect(text).toContain('# Left out: sources of rows with "TBD" (1) in "Manufacturer 2"; "n/a" (1) in "MPN 2".');
  expect(text).toContain('where: { Manufacturer 2: { not: [ "", TBD ] }, MPN 2: { not: [ "", n/a ] } }');
  expect(text).toContain('{ resource: ITEM_SPECS, apiName: uom, sourceName: UoM }');
  expect(text).toMatch(/# - .*apiName: revisionNumber, sourceName: Rev .*The service sets it/);
  expect(text).toMatch(/# - .*apiName: lifecyclePhase\.name, sourceName: Lifecycle .*must be lifecycle phases/);
});

test.each([
  ['Maker / MPN', 'Murata: GRM155', 'Yageo: RC0402', ': ', ['Maker', 'Maker Part Number']],
  ['MPN / Manufacturer', 'GRM155 / Murata', 'RC0402 / Yageo', ' / ', ['Maker Part Number', 'Maker']],
])('two values of a cell under "%s" are divided', async (header, one, other, at, [first, second]) => {
  const text = await proposed('b.csv', `Item,${header},Qty\n1,${one},3\n2,${other},2\n3,,1\n`);
  const parts = [first, second].map(
    (name, index) => `${name}: { split: ${header}, at: "${at}", part: ${index === 0 ? 'first' : 'second'} }`,
  );
  expect(text).toContain(`columns: { ${parts.join(', ')} }`);
  expect(text).toContain('{ resource: ITEM_SOURCING, apiName: supplier.name, sourceName: Maker }');
  expect(text).toContain('where: { Maker: { not: "" }, Maker Part Number: { not: "" } }');
});

test('placeholders are sent as empty cells, each with its count, and prices stay numbers', async () => {
  const text = await proposed('p.csv', 'Part,Name,Price\nP-1,Bolt,"1,50"\nP-2,Nut,-\nP-3,Ring,TBD\nP-4,Pin,-\n');
  expect(text).toContain('{ resource: ITEM_SPECS, apiName: standardCost, sourceName: Price }');
  expect(text).toContain('numbers: { Price: { decimal: comma } }');
  expect(text).toContain('values: { Price: { "-": "", TBD: "" } }');
  expect(text).toContain('# Cells that stand for no value are sent empty: "-" (2), "TBD" (1) in "Price".');
});

test('rows that repeat the header of a list in blocks are left out', async () => {
  const text = await proposed(
    'blocks.csv',
    'Part No,Description,Qty\nM-1,Plate,1\nPart No,Description,Qty\nE-1,Cable,2\nE-2,Fuse,1\n',
  );
  expect(text).toContain('# Left out: 1 row that repeats the header.');
  expect(text).toContain('Part No: { not: Part No }');
  const titled = await proposed(
    'blocks.csv',
    'Part No,Description,Qty\nM-1,Plate,1\nElectrical,,\nPart No,Description,Qty\nE-1,Cable,2\nE-2,Fuse,1\n',
  );
  expect(titled).toContain('columns: { Section: { is: title } }');
});
