import { expect, test } from 'vitest';
import { BOM_LINE_FIELDS, ITEM_FIELDS, ITEM_SEARCH_FIELDS } from '#core/model/known-fields.js';
import { standardFields } from '#emulator/rules/standard-fields.js';

test.each([
  ['ITEMS', ITEM_FIELDS],
  ['ITEMS', ITEM_SEARCH_FIELDS],
  ['BOM', BOM_LINE_FIELDS],
] as const)('manifests can name every standard field of %s without a warning', (world, known) => {
  expect(standardFields(world).map(({ apiName }) => apiName)).toSatisfy((all: string[]) =>
    all.every((one) => known.includes(one)),
  );
});
