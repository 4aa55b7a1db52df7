import { describe, expect, test } from 'vitest';
import { fileOf, workbookOf } from '../support.js';
import { linesOf, proposalOf } from './proposed.js';

describe('several makers of a part are its sources, and its quantity counts once', () => {
  const HEAD = 'Part Number,Description,Qty,Ref Des,Manufacturer,MPN';
  const SOURCES = ['A-1 Yageo Y-1', 'A-1 Vishay V-1', 'A-2 Murata M-1', 'A-2 TDK T-1'];
  test.each([
    [
      'where the row is repeated for each maker',
      [
        'A-1,Res,2,"R1,R2",Yageo,Y-1',
        'A-1,Res,2,"R1,R2",Vishay,V-1',
        'A-2,Cap,1,C1,Murata,M-1',
        'A-2,Cap,1,C1,TDK,T-1',
      ],
      ['A-1 2 R1,R2', 'A-2 1 C1'],
    ],
    [
      'also without designators, and beside rows that are added up',
      [
        'A-1,Res,4,,Yageo,Y-1',
        'A-1,Res,4,,Vishay,V-1',
        'A-2,Cap,1,C1,Murata,M-1',
        'A-2,Cap,1,C1,TDK,T-1',
        'A-2,Cap,1,C2,,',
      ],
      ['A-1 4 ', 'A-2 2 C1,C2'],
    ],
    [
      'where rows below a part have nothing but a maker',
      ['A-1,Res,2,"R1,R2",Yageo,Y-1', ',,,,Vishay,V-1', 'A-2,Cap,1,C1,Murata,M-1', ',,,,TDK,T-1'],
      ['A-1 2 R1,R2', 'A-2 1 C1'],
    ],
    [
      'where rows below a part repeat its number alone',
      ['A-1,Res,2,"R1,R2",Yageo,Y-1', 'A-1,,,,Vishay,V-1', 'A-2,Cap,1,C1,Murata,M-1', 'A-2,,,,TDK,T-1'],
      ['A-1 2 R1,R2', 'A-2 1 C1'],
    ],
  ])('%s', async (_, rows, lines) => {
    const path = await fileOf('b.csv', `${[HEAD, ...rows].join('\n')}\n`);
    const { problems, manifests } = await proposalOf(path);
    expect(problems).toEqual([]);
    const of = await linesOf(path, manifests, 'ITEM_BOM');
    expect(of.map((one) => `${one['item.number']} ${one.quantity} ${one.refdes}`)).toEqual(lines);
    const sources = await linesOf(path, manifests, 'ITEM_SOURCING');
    expect(sources.map((one) => `${one.number} ${one['supplier.name']} ${one['supplieritem.number']}`)).toEqual(
      SOURCES,
    );
    const items = await linesOf(path, manifests, 'ITEM_SPECS');
    expect(new Set(items.map(({ number }) => number))).toEqual(new Set(['A-1', 'A-2']));
  });

  test('and may have a status; rows with line numbers of their own are named', async () => {
    const rows = ['A-1,Res,2,Yageo,Y-1,Approved', ',,,Vishay,V-1,Obsolete', 'A-2,Cap,1,TDK,T-1,'];
    const path = await fileOf('b.csv', `Part Number,Description,Qty,Manufacturer,MPN,Status\n${rows.join('\n')}\n`);
    const lines = await linesOf(path, (await proposalOf(path)).manifests, 'ITEM_BOM');
    expect(lines.map((one) => `${one['item.number']} ${one.quantity}`)).toEqual(['A-1 2', 'A-2 1']);
    const numbered = ['1,A-1,Bolt,4,Yageo,Y-1', '2,A-1,Bolt,4,Vishay,V-1', '3,A-2,Nut,4,TDK,T-1'];
    const other = await fileOf('b.csv', `Pos,Part Number,Description,Qty,Manufacturer,MPN\n${numbered.join('\n')}\n`);
    expect((await proposalOf(other)).remarks).toContainEqual(expect.stringMatching(/^Open: row 3 repeat/));
  });

  test('also in a tree by levels', async () => {
    const rows = [
      '0,P,Pump,1,,',
      '1,A-1,Body,1,Yageo,Y-1',
      ',,,,Vishay,V-1',
      '2,A-2,Seal,3,TDK,T-1',
      ',,,,Murata,M-1',
      '1,A-3,Lid,1,,',
    ];
    const path = await fileOf('b.csv', `Level,Part Number,Description,Qty,Manufacturer,MPN\n${rows.join('\n')}\n`);
    const { manifests, problems } = await proposalOf(path);
    expect(problems).toEqual([]);
    const lines = await linesOf(path, manifests, 'ITEM_BOM');
    expect(lines.map((one) => `${one.number} ${one['item.number']} ${one.quantity}`)).toEqual([
      'P A-1 1',
      'A-1 A-2 3',
      'P A-3 1',
    ]);
    const sources = await linesOf(path, manifests, 'ITEM_SOURCING');
    expect(sources.map((one) => `${one.number} ${one['supplieritem.number']}`)).toEqual([
      'A-1 Y-1',
      'A-1 V-1',
      'A-2 T-1',
      'A-2 M-1',
    ]);
  });

  test('but a row without a number that is a part has no maker of another one', async () => {
    const rows = ['A-1,Res,2,"R1,R2",Yageo,Y-1', ',Diode,1,D1,Vishay,V-1', ',,,,TDK,T-1', 'A-2,Cap,1,C1,Murata,M-1'];
    const path = await fileOf('b.csv', `${[HEAD, ...rows].join('\n')}\n`);
    const { manifests } = await proposalOf(path);
    const sources = await linesOf(path, manifests, 'ITEM_SOURCING');
    expect(sources.map((one) => `${one.number} ${one['supplieritem.number']}`)).not.toContain('A-1 T-1');
  });
});

describe('a part without a number is never lost in silence', () => {
  test.each([
    [
      'its maker numbers it',
      ['1,A-1,Res,2,Yageo,Y-1', '2,,Diode,1,Vishay,V-1', '3,A-3,Cap,1,Murata,M-1'],
      ['A-1', 'V-1', 'A-3'],
    ],
    [
      'what it is numbers it',
      ['1,A-1,Res,2,,', '2,N/A,Diode,1,,', '3,N/A,Cap,1,,', '4,A-3,IC,1,,'],
      ['A-1', 'Diode', 'Cap', 'A-3'],
    ],
  ])('%s', async (_, rows, numbers) => {
    const path = await fileOf('b.csv', `Item,Part Number,Description,Qty,Manufacturer,MPN\n${rows.join('\n')}\n`);
    const { problems, manifests, remarks } = await proposalOf(path);
    expect(problems).toEqual([]);
    expect((await linesOf(path, manifests, 'ITEM_SPECS')).map(({ number }) => number)).toEqual(numbers);
    expect((await linesOf(path, manifests, 'ITEM_BOM')).map((one) => one['item.number'])).toEqual(numbers);
    expect(remarks).toContainEqual(expect.stringMatching(/^Open: rows? 3.* no number in "Part Number"/));
  });

  test('or is named as left out', async () => {
    const rows = ['A-1,Res,2', 'TBD,,4', 'TBD,Screw,6', 'A-2,Cap,1', 'A-3,IC,1'];
    const path = await fileOf('b.csv', `Part Number,Description,Qty\n${rows.join('\n')}\n`);
    const { problems, manifests, remarks } = await proposalOf(path);
    expect(problems).toEqual([]);
    expect((await linesOf(path, manifests, 'ITEM_BOM')).map((one) => one['item.number'])).toEqual([
      'A-1',
      'A-2',
      'A-3',
    ]);
    expect(remarks).toContainEqual(expect.stringMatching(/^Open: rows 3, 4: left out/));
  });

  test('a number that became a date is named', async () => {
    const path = await workbookOf({
      Parts: [
        ['Part No', 'Description', 'Qty'],
        ['A-1', 'x', 1],
        [new Date('2026-03-10'), 'y', 1],
        ['A-3', 'z', 1],
      ],
    });
    const { remarks } = await proposalOf(path);
    expect(remarks).toContainEqual(expect.stringMatching(/^Open: row 3: "2026-03-10" in "Part No" looks like/));
  });
});

describe('one bad name does not make numbers of all names', () => {
  const named = async (content: string) => {
    const path = await fileOf('b.csv', content);
    const { manifests, remarks, problems } = await proposalOf(path);
    expect(problems).toEqual([]);
    const items = await linesOf(path, manifests, 'ITEM_SPECS');
    return {
      names: items.map(({ number, name }) => `${number} ${name}`),
      open: remarks.filter((one) => one.startsWith('Open:')),
    };
  };

  test('the first one counts, and other rows may have the same text', async () => {
    const rows = ['A-1,Res,2', 'A-2,Cap,1', 'A-3,Cap 1%,1', 'A-2,Cap 1%,1', 'A-4,IC,1'];
    const { names, open } = await named(`Part Number,Description,Qty\n${rows.join('\n')}\n`);
    expect(names).toEqual(['A-1 Res', 'A-2 Cap', 'A-3 Cap 1%', 'A-4 IC']);
    expect(open).toEqual([expect.stringContaining('"A-2: Cap 1%" in row 5')]);
  });

  test('an item without a name in one row has that of another, or its number', async () => {
    const { names, open } = await named(
      'Part Number,Description,Qty\nA-1,,2\nA-1,Res,1\nA-2,,1\nA-3,IC,1\nA-4,Cap,1\n',
    );
    expect(new Set(names)).toEqual(new Set(['A-1 Res', 'A-2 A-2', 'A-3 IC', 'A-4 Cap']));
    expect(open).toContainEqual(expect.stringContaining('2 rows have no name in "Description"'));
  });

  test('line breaks become spaces', async () => {
    const { names } = await named('Part Number,Description,Qty\nA-1,"Angle\nleft",2\nA-2,Nut,1\n');
    expect(names).toEqual(['A-1 Angle left', 'A-2 Nut']);
  });
});

describe('substitutes are no lines', () => {
  test.each([
    ['Find No', ['10,A-1,Res,2,"R1,R2",', '10 ALT,A-2,Res 1%,2,"R1,R2",', '20,A-3,Cap,1,C1,', '30,A-4,Plate,1,,']],
    [
      'Pos',
      [
        '10,A-1,Res,2,"R1,R2",',
        '20,A-2,Res 1%,2,"R1,R2",Alternate for A-1',
        '30,A-3,Cap,1,C1,',
        '40,A-4,Plate,1,,Sub-plate',
      ],
    ],
  ])('as marked in the list with "%s"', async (first, rows) => {
    const path = await fileOf('b.csv', `${first},Part Number,Description,Qty,Ref Des,Remarks\n${rows.join('\n')}\n`);
    const { manifests, remarks, problems } = await proposalOf(path);
    expect(problems).toEqual([]);
    const lines = await linesOf(path, manifests, 'ITEM_BOM');
    expect(lines.map((one) => one['item.number'])).toEqual(['A-1', 'A-3', 'A-4']);
    expect((await linesOf(path, manifests, 'ITEM_SPECS')).map(({ number }) => number)).toContain('A-2');
    expect(remarks).toContainEqual(expect.stringMatching(/^Open: row 3 is a substitute of another part/));
  });

  test('and parts in one place are named', async () => {
    const path = await fileOf(
      'b.csv',
      'Part Number,Description,Qty,Ref Des\nA-1,Res,1,R1\nA-2,Res,1,R1\nA-3,Cap,1,C1\n',
    );
    const { remarks } = await proposalOf(path);
    expect(remarks).toContainEqual(expect.stringMatching(/^Open: .*"R1" is already in row 2/));
  });
});

test('of two blocks with the same designators the one with quantities counts', async () => {
  const head = 'Item,Qty,Reference,Value,Footprint';
  const single = ['Individual Components:', head, ',,C1,1u,0603', ',,C2,1u,0603', ',,R1,1k,0603', ',,U1,IC,SO8'];
  const grouped = ['Collated Components:', head, '1,2,"C1, C2",1u,0603', '2,1,R1,1k,0603', '3,1,U1,IC,SO8'];
  const path = await fileOf('board.csv', `${[...single, '', ...grouped].join('\n')}\n`);
  const { manifests, remarks } = await proposalOf(path);
  const lines = await linesOf(path, manifests, 'ITEM_BOM');
  expect(lines.map((one) => `${one['item.number']} ${one.quantity}`)).toEqual(['1u 0603 2', '1k 0603 1', 'IC SO8 1']);
  expect(remarks).toContainEqual(expect.stringContaining('Left out: the block "Individual Components:"'));
});

test('a header in two rows numbers the items by its column of part numbers, and asks which variant is meant', async () => {
  const head = ['QTY REQD,,PART OR,NOMENCLATURE OR,ITEM', '-02,-01,IDENTIFYING NO.,DESCRIPTION,NO.'];
  const rows = ['1,1,D-100,BODY,1', ',1,D-200,LEVER,2', '4,6,D-300,SCREW,3', 'AR,AR,D-400,GLUE,4'];
  const path = await fileOf('parts.csv', `${[...head, ...rows].join('\n')}\n`);
  const { manifests, remarks } = await proposalOf(path);
  const items = await linesOf(path, manifests, 'ITEM_SPECS');
  expect(items.map(({ number, name }) => `${number} ${name}`)).toEqual([
    'D-100 BODY',
    'D-200 LEVER',
    'D-300 SCREW',
    'D-400 GLUE',
  ]);
  expect(remarks).toContainEqual(
    expect.stringMatching(/^Open: "QTY REQD -02", "QTY REQD -01" look like quantities of variants/),
  );
});

describe('rows of designators alone continue the part above them', () => {
  const lines = async (content: string) => {
    const path = await fileOf('b.csv', content);
    const { problems, manifests } = await proposalOf(path);
    expect(problems).toEqual([]);
    const of = await linesOf(path, manifests, 'ITEM_BOM');
    return of.map((one) => `${one['item.number']} ${one.quantity} ${one.refdes}`);
  };

  test('with commas at the ends of the rows, and without', async () => {
    const head = 'Item\tQuantity\tReference\tPart\n';
    const rows = '1\t7\tC1,C2,C3,C4,\t100n\n\t\tC5,C6\t\n\t\tC7\t\n2\t2\tR1 R2\t10k\n3\t1\tU1\tSTM32\n';
    expect(await lines(head + rows)).toEqual(['100n 7 C1,C2,C3,C4,C5,C6,C7', '10k 2 R1 R2', 'STM32 1 U1']);
  });

  test('but titles between the rows are left out', async () => {
    expect(
      await lines('Part Number,Name,Qty,RefDes\nA-1,Res,2,"R1,R2"\n,,,Top side\nA-2,Cap,1,C1\nA-3,Fuse,1,F1\n'),
    ).toEqual(['A-1 2 R1,R2', 'A-2 1 C1', 'A-3 1 F1']);
  });
});

describe('rows that are not fitted and have no number', () => {
  const HEAD = 'Part Number,Value,Qty,RefDes,DNP\n';
  test('do not become items, and do not change how the others are numbered', async () => {
    const path = await fileOf('b.csv', `${HEAD}R-1,10k,2,"R1,R2",\n,100n,1,C9,DNP\nC-1,1u,1,C1,\nC-2,2u,1,C2,DNP\n`);
    const { manifests, remarks } = await proposalOf(path);
    const items = await linesOf(path, manifests, 'ITEM_SPECS');
    expect(items.map(({ number }) => number)).toEqual(['R-1', 'C-1', 'C-2']);
    const lines = await linesOf(path, manifests, 'ITEM_BOM');
    expect(lines.map((one) => `${one['item.number']} ${one.quantity}`)).toEqual(['R-1 2', 'C-1 1']);
    expect(remarks).toContain('Left out: row 3: not fitted, and without an item number.');
  });

  test('stay where a fitted part has none either', async () => {
    const path = await fileOf('b.csv', `${HEAD}R-1,10k,2,"R1,R2",\n,100n,1,C9,DNP\n,1u,1,C1,\nC-2,2u,1,C2,DNP\n`);
    const { manifests } = await proposalOf(path);
    expect(await linesOf(path, manifests, 'ITEM_SPECS')).toHaveLength(4);
  });
});

describe('subtotals between rows end no table', () => {
  const numbers = async (content: string) => {
    const path = await fileOf('b.csv', content);
    const { manifests, remarks } = await proposalOf(path);
    const items = await linesOf(path, manifests, 'ITEM_SPECS');
    return { numbers: items.map(({ number }) => number), remarks };
  };

  test('with one total after each group', async () => {
    const found = await numbers(
      'Part Number,Description,Qty\nA-100,Bolt,5\nA-110,Nut,5\nSubtotal,,10\nA-200,Plate,7\nSubtotal,,7\n',
    );
    expect(found.numbers).toEqual(['A-100', 'A-110', 'A-200']);
  });

  test('and a total before notes ends it, which is said', async () => {
    const found = await numbers(
      'Part Number,Description,Qty\nA-100,Bolt,5\nA-200,Plate,7\nTotal,,12\nPrepared by Ann,,\nChecked by Bob,,\n',
    );
    expect(found.numbers).toEqual(['A-100', 'A-200']);
    expect(found.remarks).toContainEqual(expect.stringMatching(/^Left out: all rows from row 4 on/));
  });
});

test.each(['不贴', '未実装', '実装しない'])('a part that is marked %s is left out of a BOM', async (mark) => {
  const path = await fileOf(
    'b.csv',
    `Part Number,Name,Qty,Ref Des,備考\nR-1,Res,2,"R1,R2",\nR-2,Res,1,R6,${mark}\nC-1,Cap,1,C1,\n`,
  );
  const { manifests } = await proposalOf(path);
  const lines = await linesOf(path, manifests, 'ITEM_BOM');
  expect(lines.map((line) => line['item.number'])).toEqual(['R-1', 'C-1']);
});

describe('lists that are no BOM of an assembly', () => {
  test('a report of where an item is used is not turned upside down', async () => {
    const path = await fileOf(
      'w.csv',
      'Where Used Report\nItem:,210-00044,Screw\n\nLevel,Item Number,Description,Quantity\n1,920-00110,Airframe,48\n2,910-00021,Drone,1\n',
    );
    const { manifests, problems } = await proposalOf(path);
    expect([manifests, problems]).toEqual([
      [],
      [expect.stringContaining('"Where Used Report" says that the levels lead upward')],
    ]);
  });

  test('an order with our numbers and theirs has no lines', async () => {
    const path = await fileOf(
      'PO_4500018834.csv',
      'Pos.,Our Item No.,Your Part No.,Description,Qty,Unit Price EUR\n10,400-20011,RB-6205,Bearing,200,3.85\n20,400-20012,RB-6206,Bearing 6206,120,4.40\n',
    );
    const { manifests } = await proposalOf(path);
    expect((await linesOf(path, manifests, 'ITEM_SPECS')).map(({ number }) => number)).toEqual([
      '400-20011',
      '400-20012',
    ]);
    expect(await linesOf(path, manifests, 'ITEM_BOM')).toEqual([]);
  });

  test('a column of assemblies beside one of components has the parents', async () => {
    const path = await fileOf(
      'ns.csv',
      'Assembly Item,Component,Qty Per Assembly\nASY-5000,ASY-5100,1\nASY-5000,HDW-0040,12\nASY-5100,HDW-0040,4\n',
    );
    const lines = await linesOf(path, (await proposalOf(path)).manifests, 'ITEM_BOM');
    expect(lines.map((one) => `${one.number} ${one['item.number']} ${one.quantity}`)).toEqual([
      'ASY-5000 ASY-5100 1',
      'ASY-5000 HDW-0040 12',
      'ASY-5100 HDW-0040 4',
    ]);
  });
});
