import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { traitFindings } from '#core/manifest/trait-findings.js';
import { type SchemaNode, traitsOf } from '#core/model/fields.js';
import { IMPORT_RESOURCES } from '#core/model/import-resources.js';
import type { Json, JsonObject } from '#core/model/json.js';
import type { Kind, SpecFinding } from '#core/model/kind.js';
import { BOM_LINE_FIELDS, ITEM_FIELDS, ITEM_SEARCH_FIELDS } from '#core/model/known-fields.js';

/** What fingers make of a word: a letter too few, too many, another one, two in the wrong order. */
function typosOf(word: string): string[] {
  const between = Array.from({ length: word.length - 1 }, (_, index) => index + 1);
  return between.flatMap((at) => [
    word.slice(0, at) + word.slice(at + 1),
    `${word.slice(0, at)}X${word.slice(at)}`,
    `${word.slice(0, at)}X${word.slice(at + 1)}`,
    ...(word[at] === word[at + 1] || at + 1 >= word.length
      ? []
      : [word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)]),
  ]);
}

interface Enumeration {
  readonly path: readonly (string | number)[];
  readonly known: readonly string[];
}

function enumerationsIn(node: SchemaNode | undefined, path: Enumeration['path'] = []): Enumeration[] {
  const { known } = traitsOf(node);
  return [
    ...(known === undefined ? [] : [{ path, known }]),
    ...Object.entries(node?.properties ?? {}).flatMap(([field, inner]) => enumerationsIn(inner, [...path, field])),
    ...(node?.items === undefined ? [] : enumerationsIn(node.items, [...path, 0])),
  ];
}

const valueAt = (path: Enumeration['path'], value: Json): Json =>
  path.reduceRight<Json>((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value);

const CASES = [...builtIn.kinds, ...builtIn.jobs].flatMap(({ name, schema }) =>
  enumerationsIn(schema as SchemaNode).map(
    ({ path, known }) => [`${name} ${path.join('.')}`, schema, path, known] as const,
  ),
);

test('the test covers every kind with enumerations', () => {
  expect([...new Set(CASES.map(([name]) => name.split(' ')[0]))]).toEqual([
    'ImportDefinition',
    'ExportDefinition',
    'ExtractDefinition',
    'Trigger',
    'UserGroup',
    'Policy',
  ]);
});

test.each(CASES)(
  'a typo of any known value of %s is an error; an unlike value is a warning',
  (_, schema, path, known) => {
    const found = (word: string): SpecFinding[] => traitFindings(valueAt(path, word), schema);
    for (const word of known) {
      for (const typo of typosOf(word).filter((one) => !known.includes(one))) {
        const [finding, ...others] = found(typo);
        expect([typo, finding?.code, finding?.severity, others]).toEqual([typo, 'value-mistyped', undefined, []]);
      }
      expect(found(word)).toEqual([]);
    }
    expect(found('QQ_LIKE_NOTHING_ELSE_77')).toMatchObject([{ code: 'value-unknown', severity: 'warning' }]);
  },
);

const findingsOf = (kind: string, spec: JsonObject): readonly SpecFinding[] =>
  (builtIn.kindNamed(kind) as Kind).check?.(spec) ?? [];

const KEYS = ['number', 'file.number', 'supplier.name', 'supplierItem.number', 'title', 'storageMethodName'];

/** Where a manifest names fields of records, and which of them the sources document there. */
const PLACES: [
  what: string,
  fields: readonly string[],
  isListed: boolean,
  found: (apiName: string) => readonly SpecFinding[],
][] = [
  ...IMPORT_RESOURCES.map(({ name, fields }): (typeof PLACES)[number] => [
    `a mapping of ${name}`,
    { ITEM_SPECS: ITEM_FIELDS, ITEM_BOM: BOM_LINE_FIELDS }[name] ?? KEYS,
    fields !== undefined,
    (apiName) =>
      findingsOf('ImportDefinition', {
        resource: name,
        mode: 'EDIT',
        options: { mapping: [{ resource: name, apiName, sourceName: 'A' }] },
      }),
  ]),
  [
    'the criteria of an export',
    ITEM_SEARCH_FIELDS,
    true,
    (apiName) => findingsOf('ExportDefinition', { criteria: [[{ apiName, operator: 'CONTAINS', value: 'a' }]] }),
  ],
  ...['ITEM', 'CHANGE', 'REQUEST', 'QUALITY'].flatMap((resource): typeof PLACES => [
    [
      `the attributes of a trigger on ${resource}`,
      ['name', 'description', 'lifecyclePhase', 'category', 'title', 'lifecycleStatus.type', 'currentStep'],
      resource === 'ITEM',
      (apiName) => findingsOf('Trigger', { resource, action: 'EDIT', attributes: [{ apiName }] }),
    ],
    [
      `the conditions of a trigger on ${resource}`,
      ITEM_SEARCH_FIELDS,
      resource === 'ITEM',
      (apiName) =>
        findingsOf('Trigger', {
          resource,
          action: 'EDIT',
          conditions: [{ apiName, operator: 'CONTAINS', value: 'a' }],
        }),
    ],
  ]),
];

/** Documented of records that no mapping fills, or of answers only (interface 2.4; wire-facts 3, 4, 6.1, 8). */
const DOCUMENTED = [
  ...['url', 'newRevisionNumber', 'note', 'notes', 'isLocked', 'materialEffectivityDate', 'newLifecyclePhase'],
  ...['categoryName', 'categoryPath', 'items.guid', 'items.number', 'assemblyType', 'inAssembly', 'retraining'],
];

describe.each(PLACES)('%s', (_, fields, isListed, found) => {
  test('a typo of any documented field is an error', () => {
    for (const field of fields) {
      for (const typo of typosOf(field)) {
        const codes = found(typo).map(({ code, severity = 'error' }) => `${severity} ${code}`);
        const isAnother = [...DOCUMENTED, ...fields].some((one) => one.toLowerCase() === typo.toLowerCase());
        expect([typo, codes]).toEqual([typo, isAnother ? [] : ['error value-mistyped']]);
      }
    }
  });

  test('a documented field has no finding, in any letter case', () => {
    for (const field of [...fields, ...DOCUMENTED]) {
      expect([field, found(field), found(field.toLowerCase())]).toEqual([field, [], []]);
    }
  });

  test('a field unlike all documented ones is a warning where its record is listed', () => {
    expect(found('qqLikeNothingElse').map(({ severity }) => severity)).toEqual(isListed ? ['warning'] : []);
  });
});
