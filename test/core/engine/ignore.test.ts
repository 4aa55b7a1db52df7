import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { diffSpec } from '#core/engine/diff.js';
import { withoutIgnored } from '#core/engine/ignored-fields.js';
import { overlay } from '#core/engine/spec-after.js';
import { exportDefinition } from '#core/kinds/export-definition.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import type { JsonObject } from '#core/model/json.js';
import { scaled } from '../../harness/sample.js';

const { schema } = exportDefinition;

describe('the requests of a manifest about an existing object', () => {
  test.each<[what: string, ignore: string[], desired: JsonObject, observed: JsonObject, expected: JsonObject]>([
    ['nothing ignored', [], { description: 'a' }, { description: 'b' }, { description: 'a' }],
    [
      'a field: as if it were not named',
      ['description'],
      { description: 'a', world: 'ITEMS' },
      { description: 'b' },
      { world: 'ITEMS' },
    ],
    ['a field that it clears', ['description'], { description: null }, { description: 'b' }, {}],
    ['a field that it does not name', ['description'], { world: 'ITEMS' }, { description: 'b' }, { world: 'ITEMS' }],
    ['a whole object', ['options'], { options: { format: 'csv' } }, { options: { format: 'json' } }, {}],
    [
      'a field of an object: as it was observed',
      ['options.format'],
      { options: { format: 'csv', header: 'name' } },
      { options: { format: 'json', header: 'apiName' } },
      { options: { format: 'json', header: 'name' } },
    ],
    [
      'such a field that the manifest does not name: it travels with its object',
      ['options.format'],
      { options: { header: 'name' } },
      { options: { format: 'json' } },
      { options: { header: 'name', format: 'json' } },
    ],
    [
      'such a field where nothing is observed',
      ['options.format'],
      { options: { format: 'csv', header: 'name' } },
      {},
      { options: { header: 'name' } },
    ],
    [
      'such a field where the object is not named',
      ['options.format'],
      { world: 'ITEMS' },
      { options: { format: 'json' } },
      { world: 'ITEMS' },
    ],
    [
      'such a field where the object is cleared: everything else is',
      ['options.format'],
      { options: null },
      { options: { format: 'json', header: 'name' } },
      {
        options: {
          exportViews: null,
          bomLevels: null,
          fileContent: null,
          header: null,
          revisionStatus: null,
          format: 'json',
        },
      },
    ],
    [
      'such a field where the object is cleared and nothing is observed',
      ['options.format'],
      { options: null },
      {},
      { options: null },
    ],
    [
      'a field further in',
      ['options.fileContent.item'],
      { options: { fileContent: { item: 'ALL', supplierItem: 'ALL' } } },
      { options: { fileContent: { item: 'NONE', supplierItem: 'NONE' } } },
      { options: { fileContent: { item: 'NONE', supplierItem: 'ALL' } } },
    ],
    [
      'several, one within the other',
      ['options.fileContent.item', 'options.fileContent', 'description'],
      { description: 'a', options: { fileContent: { item: 'ALL' } } },
      { options: { fileContent: { item: 'PRIMARY' } } },
      { options: { fileContent: { item: 'PRIMARY' } } },
    ],
  ])('%s', (_, ignore, desired, observed, expected) => {
    const before = structuredClone([desired, observed]);
    expect(withoutIgnored(schema, desired, observed, ignore)).toEqual(expected);
    expect([desired, observed]).toEqual(before);
  });

  test('a list is ignored as a whole', () => {
    const entry = { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' };
    const desired = { resource: 'ITEM_SPECS', mode: 'EDIT', options: { removeValue: '-', mapping: [entry] } };
    const observed = { ...desired, options: { removeValue: '+', mapping: [{ ...entry, sourceName: 'Number' }] } };
    const asked = withoutIgnored(importDefinition.schema, desired, observed, ['options.mapping']);
    expect(diffSpec(importDefinition.schema, asked, observed)).toEqual([
      { path: 'options.removeValue', before: '+', after: '-' },
    ]);
  });
});

/** Values for the fields of an export definition, each possibly absent or cleared. */
const maybe = (value: fc.Arbitrary<JsonObject[string]>) => fc.option(value, { nil: undefined });
const specs = (cleared: JsonObject[string] | undefined) =>
  fc
    .record({
      description: maybe(fc.constantFrom('a', 'b', cleared ?? 'c')),
      options: maybe(
        fc.oneof(
          fc.constant(cleared ?? {}),
          fc
            .record({
              format: maybe(fc.constantFrom('csv', 'json', cleared ?? 'csv')),
              header: maybe(fc.constantFrom('name', 'apiName')),
              fileContent: maybe(
                fc
                  .record({ item: maybe(fc.constantFrom('ALL', 'PRIMARY')), supplierItem: maybe(fc.constant('ALL')) })
                  .map((spec) => JSON.parse(JSON.stringify(spec)) as JsonObject),
              ),
            })
            .map((spec) => JSON.parse(JSON.stringify(spec)) as JsonObject),
        ),
      ),
    })
    .map((spec) => JSON.parse(JSON.stringify(spec)) as JsonObject);

test('an ignored field never differs, the others differ as before, and the object keeps the ignored one', () => {
  const paths = ['description', 'options', 'options.format', 'options.fileContent', 'options.fileContent.item'];
  const isAt = (path: string) => (changed: string) => changed === path || changed.startsWith(`${path}.`);
  fc.assert(
    fc.property(specs(null), specs(undefined), fc.constantFrom(...paths), (desired, observed, path) => {
      const asked = withoutIgnored(schema, desired, observed, [path]);
      const changed = diffSpec(schema, asked, observed).map((change) => change.path);
      const all = diffSpec(schema, desired, observed).map((change) => change.path);
      expect(changed.filter(isAt(path))).toEqual([]);
      expect([...changed].sort()).toEqual(all.filter((one) => !isAt(path)(one)).sort());
      const made = overlay(schema, asked, observed);
      expect(at(made, path)).toEqual(at(observed, path));
    }),
    { numRuns: scaled(5000, 200) },
  );
});

const at = (spec: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, field) => (value as JsonObject | undefined)?.[field], spec);

test('no field of any kind has a dot in its name: dots separate the parts of paths', () => {
  const names = builtIn.kinds.flatMap((kind) => fieldsOf(kind.schema));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => name.includes('.'))).toEqual([]);
});

const fieldsOf = (node: { properties?: object }): string[] =>
  Object.entries(node.properties ?? {}).flatMap(([name, inner]) => [name, ...fieldsOf(inner as object)]);
