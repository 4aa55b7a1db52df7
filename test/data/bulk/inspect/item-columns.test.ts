import { describe, expect, test } from 'vitest';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import { projectFiles } from '#data/bulk/inspect/project-files.js';
import { fileOf, temporaryFolder, workbookOf } from '../support.js';
import { linesOf } from './proposed.js';

const inspect = (path: string, file: string) =>
  inspectTable({ path, file }, { file }, new AbortController().signal).then(({ inspection }) => inspection.proposal);

const proposed = async (content: string) => inspect(await fileOf('list.csv', content), 'list.csv');

describe('a list without names of parts changes the names of none', () => {
  test.each([
    ['of makers', 'Part Number,Manufacturer,MPN\nA-1,Yageo,RC0402\nA-1,Vishay,CRCW\nB-1,Murata,GRM\n'],
    ['of makers, one each', 'Part Number,Manufacturer,MPN\nA-1,Yageo,RC0402\nB-1,Murata,GRM\n'],
    [
      'with several names for one part',
      'Part Number,Name,Colour\nA-1,Bolt,red\nA-1,Nut,blue\nA-1,Pin,red\nB-1,Rod,red\n',
    ],
  ])('%s', async (_, content) => {
    const { text, problems } = await proposed(content);
    expect(problems).toEqual([]);
    expect(text.match(/send: new/g)).toHaveLength(2);
    expect(text).toContain('# No column has the names of parts, so parts that exist keep theirs and are not changed');
  });

  test('on another worksheet, too', async () => {
    const path = await workbookOf({
      BOM: [['Part Number', 'Name', 'Qty'], ...['A-1', 'A-2', 'A-3'].map((number) => [number, `Part ${number}`, 2])],
      Makers: [
        ['Part Number', 'Manufacturer', 'MPN'],
        ['A-1', 'Yageo', 'RC0402'],
        ['A-2', 'Murata', 'GRM'],
      ],
    });
    const { text } = await inspect(path, 'list.xlsx');
    const items = text.split('---\n').filter((one) => one.includes('kind: Import\n') && one.includes('items'));
    expect(items).toHaveLength(2);
    for (const one of items) expect(one).toContain('send: new');
  });

  test('and one with names changes them', async () => {
    expect((await proposed('Part Number,Description\nA,Bolt\nB,Nut\n')).text).not.toContain('send');
  });
});

describe('neither prices nor stocks number items', () => {
  test('below a list with prices, where taxes and sums are no rows', async () => {
    const { text, problems } = await proposed(
      'Part Number,Description,Qty,Unit Price,Total\nP-1,Relay,50,2.35,117.50\nP-2,Socket,50,1.10,55.00\n,,,Net,172.50\n,,,VAT 19%,32.78\n,,,Total,205.28\n',
    );
    expect(problems).toEqual([]);
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Part Number }');
    expect(text).toContain('stopAt: { column: Unit Price, value: Net }');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: standardCost, sourceName: Unit Price }');
  });

  test('above the total of an order', async () => {
    const { text } = await proposed(
      'Part Number,Description,Unit Price,Ext\nP-1,Relay,2.35 €,4.70 €\nP-2,Socket,1.10 €,2.20 €\nP-3,Fuse,1.00 €,1.00 €\n,,Merchandise Total:,7.90 €\n',
    );
    expect(text).toContain('stopAt: { column: Unit Price, value: "Merchandise Total:" }');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: name, sourceName: Description }');
  });

  test('where a part is named like a total', async () => {
    const rows = ['P-1,Pole,2,1', 'P-2,Total station,1,9', 'P-3,Rope,1,2', ',Total,4,'];
    const { text } = await proposed(`Part Number,Description,Qty,Price\n${rows.join('\n')}\n`);
    expect(text).toContain('stopAt: { column: Description, value: Total }');
  });

  test('where a word for a tax is a part', async () => {
    const { text } = await proposed('Part Number,Description,Qty\nP-1,Pole,2\nP-2,Net,1\nP-3,Rope,1\n');
    expect(text).not.toContain('stopAt');
  });

  test('where rows without a number have prices', async () => {
    const { text } = await proposed(
      'Part Number,Description,Unit Price,Unit\nP-1,Relay,2.35,EA\nP-2,Socket,1.10,EA\n,,on request,h\n,,later,h\n',
    );
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Part Number }');
    expect(text).toContain('# Open: left out, since without "Part Number": rows 4, 5.');
  });

  test('where a thing is numbered and described', async () => {
    const { text } = await proposed(
      'Material,Material Description,Plant,Unrestricted,Base Unit\n100-1,Resistor,1000,"1,200",PC\n100-1,Resistor,1000,300,PC\n100-2,Cable,1000,"1,050.500",M\n',
    );
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Material }');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: name, sourceName: Material Description }');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: uom, sourceName: Base Unit }');
    expect(text).not.toContain('ITEM_BOM');
  });

  test('where a thing is described in French', async () => {
    const { text } = await proposed(
      'Niveau;Article;Désignation article;Qté\n0;A-1;Pompe;1\n1;A-2;Vis;12\n1;A-3;Corps;1\n',
    );
    expect(text).toContain('hierarchy: { level: Niveau, number: Article }');
  });

  test('where the parents of a component are listed', async () => {
    const { text } = await proposed(
      'Component;Component Description;Used In;Qty per\nP-1;Seal;A-1;2\nP-1;Seal;A-2;4\nA-1;Pump;S-1;1\n',
    );
    expect(text).toContain('{ resource: ITEM_BOM, apiName: number, sourceName: Used In }');
    expect(text).toContain('{ resource: ITEM_BOM, apiName: item.number, sourceName: Component }');
    expect(text).toContain('{ resource: ITEM_BOM, apiName: quantity, sourceName: Qty per }');
  });

  test('and a material is a number only where it is described', async () => {
    const { text } = await proposed('Material,Part Number,Name,Qty\nS235,P-1,Rod,1\n42CrMo4,P-2,Bolt,2\n');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Part Number }');
  });
});

describe('an order at a supplier is no BOM', () => {
  const HEAD =
    'LCSC Part Number,Manufacture Part Number,Manufacturer,Customer NO.,Description,Order Qty.,Min\\Mult Order Qty.,Unit Price($),Order Price($)';
  const order = (customer: readonly [string, string]): string =>
    `${HEAD}\nC1,RC0402,Yageo,${customer[0]},10k,100,50\\50,0.01,1.00\nC2,GRM155,Murata,${customer[1]},100n,50,50\\50,0.02,1.00\n`;

  test('but has parts with their makers', async () => {
    const { text, problems } = await proposed(order(['', '']));
    expect(problems).toEqual([]);
    expect(text).not.toContain('ITEM_BOM');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: standardCost, sourceName: Unit Price($) }');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Manufacture Part Number }');
    expect(text).toContain(
      '{ resource: ITEM_SOURCING, apiName: supplierItem.number, sourceName: Manufacture Part Number }',
    );
    expect(text).toContain('send: new');
    expect(text).toContain('# Open: the list is an order: its quantities are not those of a BOM. If');
  });

  test('and its designators are counted, if it has some', async () => {
    const { text } = await proposed(order(['R1 R2', 'C1']));
    expect(text).toContain('{ resource: ITEM_BOM, apiName: refDes, sourceName: Customer NO. }');
    expect(text).toContain('{ count: Customer NO. }');
    expect(text).toContain('not those of a BOM (designators are counted). If');
  });

  test('and numbers of the customer number its items', async () => {
    const { text } = await proposed(order(['P-1001', 'P-1002']));
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Customer NO. }');
    expect(text).toContain('# The numbers of the customer ("Customer NO.") are used as item numbers.');
  });

  test('unless somebody says so', async () => {
    const path = await fileOf('list.csv', order(['', '']));
    const meanings = { 'Order Qty.': 'quantity', 'Unit Price($)': 'cost' } as const;
    const { signal } = new AbortController();
    const { inspection } = await inspectTable({ path, file: 'list.csv' }, { file: 'list.csv' }, signal, { meanings });
    expect(inspection.proposal.text).toContain('{ resource: ITEM_BOM, apiName: quantity, sourceName: Order Qty. }');
    expect(inspection.proposal.text).toContain('apiName: standardCost');
  });
});

describe('the number of the company wins over other numbers and names', () => {
  test.each([
    ['a part of a circuit', 'Item,Reference,Part,Part Number\n1,"R1,R2",10k,R-0001\n2,C1,1u,C-0001\n', 'Part Number'],
    ['a code', 'Code,Qty,Manufacturer,MPN\nE-1001,2,Yageo,RC0402\nE-1002,1,Murata,GRM\n', 'Code'],
    ['a name of a system', 'Qty,Maker,MPN,SAP-Nr.\n2,Yageo,RC0402,4711001\n1,Murata,GRM,4711002\n', 'SAP-Nr.'],
  ])('%s', async (_, content, column) => {
    const { text, problems } = await proposed(content);
    expect(problems).toEqual([]);
    expect(text).toContain(`{ resource: ITEM_SPECS, apiName: number, sourceName: ${column} }`);
  });

  test.each([
    [
      'of a distributor',
      'Reference,Value,Footprint,Qty,Manufacturer_Name,Manufacturer_Part_Number,Mouser Part Number\n"C1,C2",100n,C,2,KEMET,C0603C104K5,80-C0603C104K5\nR1,4k7,R,1,Vishay,CRCW06034K7,71-CRCW0603\n',
      'Manufacturer_Part_Number',
    ],
    [
      'beside names that are codes',
      'Name,Description,Quantity\nCMP-00112-1,Capacitor,2\nCMP-00340-2,Resistor,1\n',
      'Name',
    ],
    [
      'of a library',
      'Comment,Description,Designator,Footprint,LibRef,Quantity\n100nF,Cap,"C1,C3",C,CAP-0603-100N,2\n10k,Res,R1,R,RES-0603-10K,1\n',
      'LibRef',
    ],
    [
      'of a drawing',
      'Item Number,Document Number,Title,Quantity\n1,77-0501-0,Drum,1\n2,77-0502-0,Frame,2\n3,77-0503-0,Bolt,2\n',
      'Document Number',
    ],
  ])('also %s', async (_, content, column) => {
    expect((await proposed(content)).text).toContain(
      `{ resource: ITEM_SPECS, apiName: number, sourceName: ${column} }`,
    );
  });

  test("also of drawings that only some parts have: others get the maker's, with their sources", async () => {
    const path = await fileOf(
      'pl.csv',
      'Lp.;Nr rysunku;Nazwa;Ilość;Producent;Nr katalogowy\n1;PT-300.01;Płyta;1;;\n2;PT-300.02;Wałek;2;;\n3;;Motoreduktor;1;SEW;R37DRN80\n4;;Łożysko;2;SKF;6205-2RS1\n',
    );
    const { manifests } = await inspect(path, 'pl.csv');
    const items = await linesOf(path, manifests, 'ITEM_SPECS');
    expect(items.map(({ number }) => number)).toEqual(['PT-300.01', 'PT-300.02', 'R37DRN80', '6205-2RS1']);
    const sources = await linesOf(path, manifests, 'ITEM_SOURCING');
    expect(sources.map((one) => one['supplieritem.number'])).toEqual(['R37DRN80', '6205-2RS1']);
  });

  test('a number that a person names counts, though rows below the list have none', async () => {
    const path = await fileOf(
      'list.csv',
      'No,物料编码,物料名称,位号,用量\n1,10101,贴片电容,"C1,C2",2\n2,10102,贴片电容,"C3,C4",2\n,,,合计：,4\n编制：张三,,,审核：李四,\n',
    );
    const [place, { signal }] = [{ path, file: 'list.csv' }, new AbortController()];
    const given = { meanings: { 物料编码: 'number', 物料名称: 'name' } } as const;
    const { inspection } = await inspectTable(place, { file: 'list.csv' }, signal, given);
    expect(inspection.proposal.text).toContain('apiName: number, sourceName: 物料编码 }');
  });

  test('a part of a circuit is the name of its item', async () => {
    const { text } = await proposed('Item,Reference,Part,Part Number\n1,"R1,R2",10k,R-0001\n2,C1,1u,C-0001\n');
    expect(text).toContain('{ resource: ITEM_SPECS, apiName: name, sourceName: Part }');
  });

  test('of a column that may be either, a person is asked', async () => {
    const { problems } = await proposed('Acme,Qty,Manufacturer,MPN\nE-1001,2,Yageo,RC0402\nE-1002,1,Murata,GRM\n');
    expect(problems).toEqual([
      'No column is recognised as the item number, and the numbers of the manufacturers ("MPN") would be taken. "Acme" may be it: inspect the file again with `--column "Acme=number"`, or with `--column "Acme=none"` if it is not.',
    ]);
  });

  test.each(['LCSC Part', 'Barcode', 'Device', 'Drawing'])(
    '%s does not number the items of the company',
    async (header) => {
      const { text, problems } = await proposed(
        `${header},Qty,Manufacturer,MPN\nC25804,2,Yageo,RC0402\nC15525,1,Murata,GRM\n`,
      );
      expect(problems).toEqual([]);
      expect(text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: MPN }');
    },
  );
});

test.each([
  ['Source 1 Manufacturer,Source 1 Mfr Part No,Source 2 Manufacturer,Source 2 Mfr Part No'],
  ['Manufacturer 1,Manufacturer 1 Part Number,Manufacturer 2,Manufacturer 2 Part Number'],
  ['1st Manufacturer,1st MPN,2nd Manufacturer,2nd MPN'],
  ['Approved source 1 Manufacturer,Approved source 1 MPN,Approved source 2 Manufacturer,Approved source 2 MPN'],
])('each source of a row becomes one: %s', async (headers) => {
  const { manifests } = await proposed(
    `Part Number,Name,${headers}\nP-1,Resistor,Yageo,RC0402,Vishay,CRCW\nP-2,Cap,Murata,GRM,,\n`,
  );
  const makers = manifests.flatMap(({ kind, spec }) => {
    const { resource, options } = spec as unknown as ImportDefinitionSpec;
    if (kind !== 'ImportDefinition' || resource !== 'ITEM_SOURCING') return [];
    return [options?.mapping?.flatMap(({ apiName, sourceName }) => (apiName === 'number' ? [] : sourceName))];
  });
  const [one, oneNumber, two, twoNumber] = headers.split(',');
  expect(makers).toEqual([
    [one, oneNumber],
    [two, twoNumber],
  ]);
});

test('a column for make or buy does not name manufacturers', async () => {
  const { text } = await proposed('Part Number,Name,Make/Buy,Qty\nP-1,Frame,M,1\nP-2,Bolt,B,4\n');
  expect(text).toContain('attribute: Make/Buy');
});

test('two columns cannot both be given one meaning', async () => {
  const path = await fileOf('list.csv', 'Part Number,A,B,C\nP-1,2,3,x\nP-2,4,1,y\n');
  const given = (meanings: GivenMeanings) =>
    inspectTable({ path, file: 'list.csv' }, { file: 'list.csv' }, new AbortController().signal, { meanings });
  await expect(given({ A: 'quantity', B: 'quantity' })).rejects.toThrow(
    '"A" and "B" cannot both have the meaning "quantity".',
  );
  await given({ A: 'placement', B: 'placement', C: 'none' });
});

test('wires of a harness do not become items, unless a person says so', async () => {
  const content = 'Wire No,From,To,Colour\nW001,J1-1,J2-1,red\nW002,J1-2,J2-2,black\n';
  const { manifests, problems } = await proposed(content);
  expect([manifests, problems]).toEqual([
    [],
    [
      'Each row joins "From" and "To", like the wires of a harness, for which a workspace has no place: nothing is proposed. If the rows are items, inspect the file again with `--column "Wire No=number"`.',
    ],
  ]);
  const path = await fileOf('list.csv', content);
  const given = { meanings: { 'Wire No': 'number' } } as const;
  const [place, { signal }] = [{ path, file: 'list.csv' }, new AbortController()];
  const { inspection } = await inspectTable(place, { file: 'list.csv' }, signal, given);
  expect(inspection.proposal.text).toContain('{ resource: ITEM_SPECS, apiName: number, sourceName: Wire No }');
});

test('parents that have no row get the names that the list has for them', async () => {
  const path = await fileOf(
    'used.csv',
    'Part Number,Assembly No.,Assembly Description,Qty\nP-1,A-1,Pump,2\nP-1,A-2,,1\nP-2,A-1,Pump,3\n',
  );
  const given = { path, file: 'used.csv' };
  const { inspection, proposed: drafts } = await inspectTable(
    given,
    { file: given.file },
    new AbortController().signal,
  );
  const files = projectFiles(drafts, { folder: await temporaryFolder(), path, shown: 'used.csv' });
  expect(files).toContainEqual({
    file: 'data/used-assembly.csv',
    content: 'Item Number,Item Name\r\nA-1,Pump\r\nA-2,A-2\r\n',
  });
  expect(inspection.proposal.text).not.toContain('attribute: Assembly Description');
});
