import { expect, test } from 'vitest';
import { inspectTable } from '../../../src/bulk/inspect/inspect-table.js';
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

test('without part numbers the designators number the items, behind the name of the assembly', async () => {
  const text = await proposed('pump_bom.csv', '# from a CAD program\nR1 R2;10k;2\nR3;22k;1\nC1;1u;1\n');
  expect(text).toContain('header: none');
  expect(text).toContain('comment: "#"');
  expect(text).toContain('columns: { Item Number: "pump-{A}" }');
  expect(text).toContain('{ resource: ITEM_BOM, apiName: refDes, sourceName: A }');
});

test('what cannot be mapped as it is becomes a comment or a setting', async () => {
  const rows = ['A,red,1,"1,50 €",R1', 'B,,2,"2,00 €","R2,R3"', 'A,blue,3,"1,50 €",R4', ',x,1,,'];
  const text = await proposed('p.csv', `Part Number,Description,Qty,Price,RefDes\n${rows.join('\n')}\n`);
  expect(text).toContain('numbers: { Price: { decimal: comma, unit: € } }');
  expect(text).toContain('where: { Part Number: { not: "" } }');
  expect(text).toContain('# Rows without "Part Number" are left out: row 5.');
  expect(text).toMatch(
    /# - \{ resource: ITEM_SPECS, apiName: description.* # Rows of one number differ in it \(row 4\)/,
  );
  // Quantities are added up where nothing else differs; a line for each otherwise.
  expect(text).toContain('repeated: sum');
  const differing = await proposed('q.csv', 'Part Number,Qty,RefDes,Notes\nA,1,R1,left\nB,2,"R2,R3",\nA,3,R4,right\n');
  expect(differing).toContain('createDuplicates: ALLOW');
  expect(differing).not.toContain('repeated: sum');
  expect(text).toContain('checkRefDes: DO_NOT_CHECK');
});

test('quotes and short rows that are not by the rules get the settings for them; empty columns are in no line', async () => {
  const text = await proposed('q.csv', 'Part Number,Name,Qty,Empty,Colour\nA,5" wheel,1,,red\nB,x,2\n');
  expect(text).toContain('quotes: lenient');
  expect(text).not.toContain('Empty');
  const short = await proposed('s.csv', 'Part Number,Name,Qty\nA,x,1\nB,y\n');
  expect(short).toContain('shortRows: allow');
});

test('a cell cannot end the comment that it is in', async () => {
  const text = await proposed('c.csv', 'Part Number,Name,Odd\nA,x,"one\n- { resource: EVIL }"\nB,y,z\n');
  expect(text.split('\n').filter((line) => line.includes('EVIL') && !line.trimStart().startsWith('#'))).toEqual([]);
});
