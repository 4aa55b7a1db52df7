import { describe, expect, test } from 'vitest';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import { fileOf } from '../support.js';

/** The proposal for a list. */
async function proposed(content: string, meanings: GivenMeanings = {}) {
  const path = await fileOf('list.csv', content);
  const { inspection } = await inspectTable(
    { path, file: 'list.csv' },
    { file: 'list.csv' },
    new AbortController().signal,
    {
      meanings,
    },
  );
  return inspection.proposal;
}

describe('a column of numbers that may have the quantities is asked about, and no line is one piece by a guess', () => {
  test('in a tree under any header', async () => {
    const list = 'Level,Part Number,Name,Blorb\n0,A,Pump,1\n1,B,Screw,12\n1,C,Cover,2\n';
    const { problems, text } = await proposed(list);
    expect(problems).toEqual([
      'No column is recognised as the quantity, and each line would be one piece. "Blorb" may be it: inspect the file again with `--column "Blorb=quantity"`, or with `--column "Blorb=none"` if it is not.',
    ]);
    expect(text).toContain('# Open: No column is recognised as the quantity');
    const given = await proposed(list, { Blorb: 'quantity' });
    expect(given.problems).toEqual([]);
    expect(given.text).toContain('{ resource: ITEM_BOM, apiName: quantity, sourceName: Blorb }');
    const none = await proposed(list, { Blorb: 'none' });
    expect(none.problems).toEqual([]);
    expect(none.text).toContain('# No column has quantities: each line is one piece.');
  });

  test('beside designators and in a flat list, if its header is like that of quantities', async () => {
    const placed = await proposed('Part Number,Name,RefDes,Qty needed now\nB-1,Screw,X1,12\nB-2,Cover,X2,2\n');
    expect(placed.problems).toEqual([
      expect.stringMatching(/designators are counted instead\. "Qty needed now" may be/),
    ]);
    const flat = await proposed('Part Number,Name,Baumenge je Satz\nB-1,Screw,12\nB-2,Cover,2\n');
    expect(flat.problems).toEqual([expect.stringMatching(/no BOM is proposed\. "Baumenge je Satz" may be it/)]);
  });

  test.each([
    'Level,Part Number,Name,Weight (kg)\n0,A,Pump,1.5\n1,B,Screw,12\n1,C,Cover,2\n',
    'Part Number,Name,Lead time (days)\nB-1,Screw,12\nB-2,Cover,2\n',
    'Part Number,Name,Qty on hand,MOQ\nB-1,Screw,12,100\nB-2,Cover,2,10\n',
    'Part Number,Name,RefDes,Plant\nB-1,Screw,X1,1000\nB-2,Cover,X2,1000\n',
    'Part Number,Name,Qty,Pieces somewhere\nB-1,Screw,4,12\nB-2,Cover,1,2\n',
  ])('and others are not: %j', async (list) => {
    const { problems, text } = await proposed(list);
    expect(problems).toEqual([]);
    expect(text).not.toContain('apiName: quantity, sourceName: Plant');
  });
});

describe('cells that are no quantities are named alone, and the others are read', () => {
  test('where a quantity is as required', async () => {
    const { problems, text } = await proposed(
      'Teilenummer;Benennung;Menge\nA;Rahmen;1 Stk\nB;Band;0,35 m\nC;Schraube;1.200 Stk\nD;Fett;nach Bedarf\n',
    );
    expect(text).toContain('numbers: { Menge: { decimal: comma, unit: [ Stk, m ] } }');
    expect(problems).toEqual([expect.stringMatching(/^row 5: "nach Bedarf" is not a quantity\. Without it/)]);
  });

  test.each([
    ['a sign behind it', '1,000-'],
    ['brackets', '(4)'],
  ])('where a number is negative by %s', async (_, cell) => {
    const { problems, text } = await proposed(
      `Teilenummer;Benennung;Menge;ME\nA;Rad;2,000;ST\nB;Pfand;${cell};ST\nC;Schnur;0,500;M\n`,
    );
    expect(problems).toEqual([expect.stringContaining(`row 3: "${cell}" is not a quantity. Without it`)]);
    expect(text).toContain('numbers: { Menge: { decimal: comma } }');
  });
});

test('a zero before a comma says that the comma is the decimal mark', async () => {
  const { text } = await proposed('Part Number;Name;Qty\nA;Wheel;2,000\nB;Cord;0,500\n');
  expect(text).toContain('numbers: { Qty: { decimal: comma } }');
  expect(text).not.toContain('is read as');
});

test('a column of counts without a header is not a field', async () => {
  const { problems, text } = await proposed(
    ',Part Number,Description,Qty\n1,X-1,Bolt,4\n2,X-2,Nut,8\n3,X-3,Washer,8\n',
  );
  expect(problems).toEqual([]);
  expect(text).not.toContain('sourceName: ""');
});

test('levels are levels by any usual name', async () => {
  const { text } = await proposed('Structure Level,Part Number,Name,Qty\n0,A,Pump,1\n1,B,Body,1\n2,C,Screw,8\n');
  expect(text).toContain('hierarchy: { level: Structure Level, number: Part Number }');
});

test('lines that a change deletes are left out, and the new quantities count', async () => {
  const { text, problems } = await proposed(
    'Action,Part Number,Name,Old Qty,Qty (new)\nADD,P-1,Res,,2\nDELETE,P-2,Cap,1,\nCHANGE,P-3,Screw,4,6\n',
  );
  expect(problems).toEqual([]);
  expect(text).toContain('{ resource: ITEM_BOM, apiName: quantity, sourceName: Qty (new) }');
  expect(text).toContain('where: { Action: { not: DELETE } }');
  expect(text).toContain(
    '# Left out: 1 line that is deleted (DELETE in "Action"). The import removes no lines that exist:',
  );
  expect(text).not.toContain('no quantity');
});
