import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical, canonicalParts, type Json, jsonParts } from '#core/model/json.js';
import { chainRecord, firstLines, followChain } from '#ledger/chain.js';

test('a value in parts equals its JSON text, with content of any kind', () => {
  const values = fc.oneof(fc.object({ maxDepth: 5, withNullPrototype: false }), fc.array(fc.anything({ maxDepth: 3 })));
  const plain = values.map((value): Json & object => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(plain, fc.integer({ min: 1, max: 4 }), (value, levels) => {
      expect([...jsonParts(value, levels)].join('')).toBe(JSON.stringify(value));
      expect([...canonicalParts(value, levels)].join('')).toBe(canonical(value));
    }),
    { seed: 1, numRuns: 300 },
  );
  const members = { gone: undefined, list: [undefined, 1, { gone: undefined }], none: {}, empty: [] };
  expect([...jsonParts(members, 3)].join('')).toBe(JSON.stringify(members));
  expect([...canonicalParts(members, 3)].join('')).toBe(canonical(JSON.parse(JSON.stringify(members))));
});

test('a plan in parts is one line with its hash, and the next record continues from the last one', () => {
  const steps = Array.from({ length: 3000 }, (_, number) => ({
    address: `UserGroup/Ä ${number}`,
    text: 'x'.repeat(900),
  }));
  const [plan, claim, outcome] = [
    { type: 'plan', previous: undefined, plan: { steps } },
    { type: 'object', object: null },
    { type: 'outcome', write: 0 },
  ];
  const end = { chain: '', size: 0 };
  const parts = [...firstLines([plan, claim], end)];
  expect(parts.length).toBeGreaterThan(2);
  const text = parts.join('');
  expect(end.size).toBe(text.length);
  const lines = [...text.split('\n').slice(0, -1), chainRecord(outcome, end.chain).line.trimEnd()];
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ plan: { steps } }, claim, outcome]);
  expect(followChain(lines)).toMatchObject({ links: [expect.any(String), end.chain, expect.any(String)] });
  expect(followChain(lines).broken).toBeUndefined();
});
