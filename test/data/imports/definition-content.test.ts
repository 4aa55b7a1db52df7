import { expect, test } from 'vitest';
import type { JsonObject } from '#core/model/json.js';
import { definitionContent } from '#data/imports/definition.js';

const live = { resource: 'ITEM_SPECS', mode: 'EDIT', options: { removeValue: '-', numberingFreeTextHeader: 'Free' } };
const same = { resource: 'ITEM_SPECS', mode: 'EDIT', options: { removeValue: '-' } };
const other = { resource: 'ITEM_SPECS', mode: 'EDIT', options: { removeValue: '+' } };

test.each<[what: string, asked: (JsonObject | undefined)[], content: JsonObject]>([
  ['nothing is known of it: all of its content', [undefined, undefined], live],
  ['it is as its manifest says', [same, undefined], same],
  ['its manifest changed, and it is still as it was applied', [other, same], same],
  ['somebody changed it', [other, other], live],
])('the ledger gives the definition of an import where the plan leaves its manifest out: %s', (_, asked, content) => {
  expect(definitionContent(live, asked)).toEqual(content);
});

test('the content of a definition does not depend on lookups of attributes', () => {
  const mapped = (field: JsonObject): JsonObject => ({
    ...same,
    options: { mapping: [{ resource: 'ITEM_SPECS', ...field }] },
  });
  const [known, text] = [mapped({ attribute: 'RoHS Status' }), mapped({ apiName: 'RoHS Status' })];
  expect(definitionContent(text, [known])).toEqual(known);
  expect(definitionContent(known, [])).toEqual(definitionContent(text, []));
});
