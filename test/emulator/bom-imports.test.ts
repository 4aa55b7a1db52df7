import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { csv, Session } from '../harness/session.js';

let workspace: HostedWorkspace;
let session: Session;
let counter = 0;

/** A fresh parent for each test, under which the shared parts can go. */
let top: string;

beforeAll(async () => {
  workspace = await openHosted();
  session = await Session.open(workspace);
  await items('R1', 'R2', 'R3', 'SUB');
});

afterAll(() => workspace.stop());

beforeEach(async () => {
  counter += 1;
  top = `TOP-${counter}`;
  await items(top);
});

async function items(...numbers: string[]): Promise<void> {
  const definition = await session.define('ITEM_SPECS', 'CREATE', { createDuplicates: 'ALLOW' });
  const { errors } = await session.importNow(
    definition,
    csv('number,name', ...numbers.map((number) => `${number},Item`)),
  );
  expect(errors).toEqual([]);
}

async function importLines(mode: string, header: string, ...rows: string[]): Promise<string[]> {
  return importWith({}, mode, header, ...rows);
}

async function importWith(options: object, mode: string, header: string, ...rows: string[]): Promise<string[]> {
  const definition = await session.define('ITEM_BOM', mode, options);
  return (await session.importNow(definition, csv(header, ...rows))).errors;
}

const codeOf = (line: string) => Number(line.split(',')[3]);

const linesOf = async (number: string) =>
  (await session.bom(number)).map(({ item, quantity, refDes }) => `${item.number} x${quantity} ${refDes ?? ''}`.trim());

const HEADER = 'number,item.number,quantity,refDes';

describe('modes of BOMs (wire-facts 4)', () => {
  test('CREATE adds lines and fails where the parent has the child', async () => {
    const errors = await importLines('CREATE', HEADER, `${top},R1,2,"C1, C2"`, `${top},R2,,`, `${top},R1,1,`);
    expect(errors.map((line) => line.split(',').slice(0, 4).join(','))).toEqual([`4,${top},Error,3234`]);
    expect(await linesOf(top)).toEqual(['R1 x2 C1, C2', 'R2 x1']);
    const [item] = await session.items(top);
    expect(item).toMatchObject({ isAssembly: true, inAssembly: false, assemblyType: 'TOP_LEVEL_ASSEMBLY' });
  });

  test('EDIT changes lines that are there; empty cells change nothing; removeValue empties', async () => {
    await importLines('CREATE', `${HEADER},notes`, `${top},R1,2,"C1, C2",a note`);
    const errors = await importLines('EDIT', 'number,item.number,notes', `${top},R1,[Remove Value]`, `${top},R2,x`);
    expect(errors.map(codeOf)).toEqual([3012]);
    const [line] = await session.bom(top);
    expect(line).toMatchObject({ quantity: 2, refDes: 'C1, C2', notes: null });
  });

  test('OVERWRITE edits or creates', async () => {
    await importLines('CREATE', HEADER, `${top},R1,2,`);
    expect(await importLines('OVERWRITE', HEADER, `${top},R1,5,`, `${top},R2,1,`)).toEqual([]);
    expect(await linesOf(top)).toEqual(['R1 x5', 'R2 x1']);
  });

  test('REPLACE gives parents exactly the lines of its rows, and changes no other parent', async () => {
    await importLines('CREATE', HEADER, `${top},R1,1,`, `${top},R2,1,`, `SUB,R3,1,`);
    expect(await importLines('REPLACE', HEADER, `${top},R2,4,`, `${top},R3,1,`)).toEqual([]);
    expect(await linesOf(top)).toEqual(['R2 x4', 'R3 x1']);
    expect(await linesOf('SUB')).toEqual(['R3 x1']);
  });

  test('REPLACE leaves a parent alone whose rows all fail', async () => {
    await importLines('CREATE', HEADER, `${top},R1,1,C9`);
    const errors = await importLines('REPLACE', HEADER, `${top},ABSENT,1,`, `${top},R2,many,`);
    expect(errors.map(codeOf)).toEqual([3012, 3003]);
    expect(await linesOf(top)).toEqual(['R1 x1 C9']);
  });

  test('DELETE removes lines, not items', async () => {
    await importLines('CREATE', HEADER, `${top},R1,1,`, `${top},R2,1,`);
    expect((await importLines('DELETE', 'number,item.number', `${top},R1`, `${top},R3`)).map(codeOf)).toEqual([3012]);
    expect(await linesOf(top)).toEqual(['R2 x1']);
    expect(await session.items('R1')).toHaveLength(1);
  });
});

describe('a line', () => {
  test('needs a parent and a child that exist, and are named', async () => {
    const errors = await importLines('CREATE', HEADER, `ABSENT,R1,1,`, `${top},ABSENT,1,`, `,R1,1,`, `${top},,1,`);
    expect(errors.map(codeOf)).toEqual([3012, 3012, 3001, 3001]);
    expect(errors[0]).toMatch(/^2,ABSENT,/);
  });

  test('finds them by guid and item.guid before the numbers', async () => {
    const [[parent], [child]] = [await session.items(top), await session.items('R1')];
    expect(await importLines('CREATE', 'guid,item.guid,quantity', `${parent.guid},${child.guid},3`)).toEqual([]);
    expect(await linesOf(top)).toEqual(['R1 x3']);
    const [error] = await importLines('CREATE', 'guid,item.guid', `${parent.guid},${child.guid}`);
    expect(error).toMatch(new RegExp(`^2,${top},Error,3234,`));
  });

  test('cannot put an item into itself, directly or through others, in one file either', async () => {
    await items(`${top}-A`, `${top}-B`);
    const rows = [`${top},${top},1,`, `${top},${top}-A,1,`, `${top}-A,${top}-B,1,`, `${top}-B,${top},1,`];
    const errors = await importLines('CREATE', HEADER, ...rows);
    expect(errors.map((line) => line.split(',')[0])).toEqual(['2', '5']);
    expect(errors.map(codeOf)).toEqual([3003, 3003]);
  });

  test('keeps an item from being deleted (3016), unless its parent is deleted first', async () => {
    await items(`${top}-C`);
    await importLines('CREATE', HEADER, `${top},${top}-C,1,`);
    const remove = async (...numbers: string[]) => {
      const definition = await session.define('ITEM_SPECS', 'DELETE');
      return (await session.importNow(definition, csv('number', ...numbers))).errors.map(codeOf);
    };
    expect(await remove(`${top}-C`)).toEqual([3016]);
    expect(await remove(top, `${top}-C`)).toEqual([]);
    expect(await session.items(`${top}*`)).toEqual([]);
  });

  test('applies to every parent of the number with matchDuplicateParents ALLOW, and is refused with ERROR', async () => {
    await items(top);
    await importLines('CREATE', HEADER, `SUB,R2,1,`);
    expect((await importLines('REPLACE', HEADER, `${top},R1,1,`)).map(codeOf)).toEqual([3025]);
    expect(await importWith({ matchDuplicateParents: 'ALLOW' }, 'REPLACE', HEADER, `${top},R1,7,`)).toEqual([]);
    for (const { guid } of await session.items(top)) {
      const { results } = await session.get(`/items/${guid}/bom`);
      expect(results.map(({ quantity }: { quantity: number }) => quantity)).toEqual([7]);
    }
  });

  test('can repeat a child with createDuplicates ALLOW, and matchDuplicates decides about both', async () => {
    const allow = { createDuplicates: 'ALLOW' };
    expect(await importWith(allow, 'CREATE', HEADER, `${top},R1,1,`, `${top},R1,2,`)).toEqual([]);
    expect((await importLines('EDIT', HEADER, `${top},R1,3,`)).map(codeOf)).toEqual([3234]);
    expect(await importWith({ matchDuplicates: 'APPLY_TO_ALL' }, 'EDIT', HEADER, `${top},R1,3,`)).toEqual([]);
    expect(await linesOf(top)).toEqual(['R1 x3', 'R1 x3']);
  });
});

describe('checkRefDes (wire-facts 2.1, 4)', () => {
  test.each([
    ['as many as the quantity, ranges counted', 'R3-R5', 3, undefined],
    ['separated by spaces or commas', 'C1 C2,C3; C4', 4, undefined],
    ['ranges with one prefix', 'R1-3, R7', 4, undefined],
    ['fewer than the quantity', 'R1', 2, 3230],
    ['more than the quantity', 'R1-R3', 2, 3230],
    ['one twice', 'R1,R1', 2, 3605],
    ['a range backwards', 'R5-R3', 3, 3606],
    ['a range of two prefixes', 'R1-C3', 3, 3606],
  ])('%s', async (_, refDes, quantity, code) => {
    const errors = await importLines('CREATE', HEADER, `${top},R1,${quantity},"${refDes}"`);
    expect(errors.map(codeOf)).toEqual(code === undefined ? [] : [code]);
  });

  test('a designator belongs to one line of a BOM (3229), but may be in another BOM', async () => {
    await items(`${top}-A`);
    const rows = [`${top},R1,2,R1-R2`, `${top},R2,1,R2`, `${top}-A,R2,1,R2`];
    expect((await importLines('CREATE', HEADER, ...rows)).map(codeOf)).toEqual([3229]);
    expect((await importLines('CREATE', HEADER, `${top},R3,1,R1`)).map(codeOf)).toEqual([3229]);
  });

  test('a failed row, or a removed line, frees its designators', async () => {
    const rows = [`${top},ABSENT,1,R1`, `${top},R1,1,R1`];
    expect((await importLines('CREATE', HEADER, ...rows)).map(codeOf)).toEqual([3012]);
    expect(await importLines('REPLACE', HEADER, `${top},R2,1,R1`)).toEqual([]);
    expect(await linesOf(top)).toEqual(['R2 x1 R1']);
  });

  test('DO_NOT_CHECK accepts any designators', async () => {
    const rows = [`${top},R1,9,R1`, `${top},R2,1,R1`];
    expect(await importWith({ checkRefDes: 'DO_NOT_CHECK' }, 'CREATE', HEADER, ...rows)).toEqual([]);
  });
});

describe('BOMs read back (interface 2.4, 4.6)', () => {
  test('lines have line number, notes and, if asked for, their custom attributes', async () => {
    const header = `${HEADER},lineNumber,notes,Designators,Placement Side,Do Not Place`;
    expect(await importLines('CREATE', header, `${top},R1,1.5,,10,note,"C1, C2",top,no`)).toEqual([]);
    const [item] = await session.items(top);
    const { results } = await session.get(`/items/${item.guid}/bom`);
    expect(results[0]).not.toHaveProperty('additionalAttributes');
    const [line] = await session.bom(top);
    expect(line).toMatchObject({ quantity: 1.5, lineNumber: 10, notes: 'note', item: { number: 'R1', name: 'Item' } });
    const values = line.additionalAttributes.map(({ name, value }: { name: string; value: unknown }) => [name, value]);
    expect(Object.fromEntries(values)).toEqual({
      Designators: 'C1, C2',
      'Find Number': null,
      'Placement Side': 'Top',
      'Do Not Place': false,
    });
  });

  test('a line number that is not a whole number is refused (wire-facts 8.2: 3231)', async () => {
    const rows = [`${top},R1,1,,1.5`, `${top},R2,1,,2`];
    expect((await importLines('CREATE', `${HEADER},lineNumber`, ...rows)).map(codeOf)).toEqual([3231]);
    expect((await session.bom(top)).map(({ lineNumber }) => lineNumber)).toEqual([2]);
  });

  test('whereused lists the assemblies of an item', async () => {
    await items(`${top}-W`);
    await importLines('CREATE', HEADER, `${top},${top}-W,4,`);
    const [item] = await session.items(`${top}-W`);
    const { count, results } = await session.get(`/items/${item.guid}/whereused`);
    expect([count, results[0]]).toMatchObject([1, { quantity: 4, item: { number: top } }]);
  });

  test('line numbers that are generated automatically are null', async () => {
    await importLines('CREATE', HEADER, `${top},R1,1,`);
    expect((await session.bom(top))[0].lineNumber).toBeNull();
  });
});
