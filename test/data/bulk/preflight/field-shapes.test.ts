import { describe, expect, test } from 'vitest';
import { attribute } from '#core/lookups/attribute.js';
import type { JsonObject } from '#core/model/json.js';
import { lookupKey, type Observation } from '#core/model/observation.js';
import type { AllowedValues } from '#data/bulk/preflight/row-check.js';
import { allowedValues } from '#data/imports/allowed-values.js';
import { lookupsOfMapping } from '#data/imports/standard-fields.js';
import { definitionOf, fileOf, findingLines, prepare } from '../support.js';

/** Codes and rows of the findings of one column. */
async function found(values: readonly string[], allowed: Omit<AllowedValues, 'noun'>): Promise<string[]> {
  const cells = values.map((value) => `"${value}"`);
  const path = await fileOf('a.csv', `Number,Value\n${cells.map((cell, index) => `N-${index},${cell}\n`).join('')}`);
  const definition = definitionOf('ITEM_SPECS', 'EDIT', { number: 'Number', uom: 'Value' });
  const given = { allowed: new Map([['uom', { noun: 'value of the field "uom"', ...allowed }]]) };
  return findingLines(await prepare(path, definition, {}, given));
}

const codes = (lines: readonly string[]): string[] => lines.map((line) => line.split(' ')[1] ?? '');

describe('a cell must fit its field', () => {
  test('numbers have a sign, decimals and a size', async () => {
    expect(await found(['-1', '0', '-0.5', '1e3'], { type: 'number', negative: false })).toEqual([
      'error value-out-of-range row 2 "Value": "-1" is not a value of the field "uom": it must not be negative. Correct the number.',
      expect.stringContaining('row 4'),
    ]);
    expect(await found(['1.25', '1.50', '12e-2', '1.234', '1e-3'], { type: 'number', decimals: 2 })).toEqual([
      expect.stringMatching(/value-out-of-range row 5 .*it may have 2 decimals\./),
      expect.stringContaining('row 6'),
    ]);
    expect(await found(['2', '2.0', '2.5'], { type: 'number', decimals: 0 })).toEqual([
      expect.stringMatching(/row 4 .*it must be a whole number\./),
    ]);
    expect(await found(['99', '100.5'], { type: 'number', maxValue: 100 })).toEqual([
      expect.stringMatching(/row 3 .*the largest is 100\./),
    ]);
    expect(codes(await found(['1,5', 'two', '[Remove Value]', ''], { type: 'number' }))).toEqual([
      'value-not-number',
      'value-not-number',
    ]);
  });

  test('dates are days that exist, in one of the forms that the service reads', async () => {
    const right = [
      '2026-11-23',
      '20261123',
      '2024-02-29',
      '2026-11-23T10:15:00Z',
      '2026-11-23 10:15',
      '[Remove Value]',
    ];
    expect(await found(right, { type: 'date' })).toEqual([]);
    const wrong = ['23.11.2026', '2026-13-01', '2026-02-30', '11/23/2026', '45000', 'soon', '2026-00-10'];
    expect(codes(await found(wrong, { type: 'date' }))).toEqual(wrong.map(() => 'value-not-date'));
  });

  test('truth values are words', async () => {
    expect(await found(['true', 'FALSE', 'Yes', 'no', ''], { type: 'truth' })).toEqual([]);
    expect(codes(await found(['1', 'X', 'ja'], { type: 'truth' }))).toEqual(Array(3).fill('value-not-boolean'));
  });

  test('a text of one line has no line breaks', async () => {
    expect(await found(['one\ntwo', 'one two'], { lines: 'one' })).toEqual([
      'error value-multiline row 2 "Value": This value of the field "uom" has several lines; it must have one. Remove the line breaks.',
    ]);
  });
});

/** An observation as reading the list of attributes leaves it (wire-facts 7; shapes.json, GET /settings/items/attributes). */
function observed(
  world: string,
  bodies: readonly JsonObject[],
  lookups: Observation['lookups'] = new Map(),
): Observation {
  const facts = bodies.map((body): [string, JsonObject] => [
    attribute.namesOf(body)[0]?.toLowerCase() ?? attribute.unnamedKey?.(body) ?? '',
    body,
  ]);
  return {
    ...{ objects: new Map(), lookups, unlisted: new Set() },
    lookupFacts: new Map([[lookupKey('Attribute', world), new Map(facts)]]),
  };
}

describe('the values that a field accepts', () => {
  test('come from the list of attributes, for custom attributes and standard fields alike', () => {
    const list = [
      { apiName: 'description', custom: false, fieldType: 'MULTI_LINE_TEXT', maxLength: 4000 },
      { apiName: 'procurementType', custom: false, fieldType: 'FIXED_DROP_DOWN', possibleValues: ['OTS', 'MTS'] },
      { apiName: 'uom', custom: false, fieldType: 'FIXED_DROP_DOWN', possibleValues: ['each', 'm'] },
      { apiName: 'standardCost', custom: false, fieldType: 'COST', decimalPlaces: 4, allowNegatives: false },
      { apiName: 'GUID1', name: 'description', custom: true, fieldType: 'DATE' },
      { apiName: 'GUID2', name: 'Pins', custom: true, fieldType: 'INTEGER', maxValue: 1000 },
    ];
    const definition = {
      ...definitionOf('ITEM_SPECS', 'EDIT', {
        ...{
          number: 'A',
          Description: 'B',
          procurementType: 'C',
          standardCost: 'D',
          shared: 'E',
          owner: 'F',
          uom: 'U',
        },
      }),
    };
    const mapping = [
      ...(definition.options?.mapping ?? []),
      { resource: 'ITEM_SPECS', attribute: 'Pins', sourceName: 'P' },
    ];
    const allowed = allowedValues(
      observed('ITEMS', list),
      { ...definition, options: { ...definition.options, mapping } },
      'dev',
    );
    expect(allowed.get('description')).toEqual({ noun: 'value of the field "Description"', maxLength: 4000 });
    expect(allowed.get('procurementtype')).toMatchObject({ values: ['OTS', 'MTS'] });
    expect(allowed.get('uom')).toEqual({ noun: 'value of the field "uom"', values: ['each', 'm'] });
    expect(allowed.get('standardcost')).toMatchObject({ type: 'number', decimals: 4, negative: false });
    expect(allowed.get('shared')).toMatchObject({ type: 'truth' });
    expect(allowed.get('pins')).toEqual({
      ...{ noun: 'value of the attribute "Pins"', type: 'number', decimals: 0, maxValue: 1000 },
    });
  });

  test('follow the sources for a BOM line, or are fewer where the service says so', () => {
    const definition = definitionOf('ITEM_BOM', 'OVERWRITE', { number: 'A', refDes: 'R', lineNumber: 'L' });
    const refDes = (maxLength?: number) =>
      allowedValues(
        observed(
          'BOM',
          maxLength === undefined ? [] : [{ apiName: 'refDes', fieldType: 'MULTI_LINE_TEXT', maxLength }],
        ),
        definition,
        'dev',
      ).get('refdes')?.maxLength;
    expect([refDes(), refDes(40_000), refDes(100)]).toEqual([32_000, 32_000, 100]);
    expect(allowedValues(observed('BOM', []), definition, 'dev').get('linenumber')).toMatchObject({ type: 'number' });
  });

  test('include the names of other records that the workspace has', () => {
    const phases = new Map([[lookupKey('LifecyclePhase'), [['Unreleased'], ['In Design']]]]);
    const definition = definitionOf('ITEM_SPECS', 'EDIT', { number: 'A', 'lifecyclePhase.name': 'B' });
    expect(allowedValues(observed('ITEMS', [], phases), definition, 'dev').get('lifecyclephase.name')).toEqual({
      ...{ noun: 'lifecycle phase in workspace "dev"', values: ['Unreleased', 'In Design'] },
    });
    const files = definitionOf('FILE_SUMMARY', 'EDIT', { number: 'A', 'category.name': 'B' });
    expect(allowedValues(observed('FILES', []), files, 'dev').get('category.name')).not.toHaveProperty('values');
  });
});

describe('a mapping decides which lists are read', () => {
  const read = (resource: string, mode: string, ...fields: readonly string[]): string[] => [
    ...new Set(
      lookupsOfMapping(definitionOf(resource, mode, Object.fromEntries(fields.map((field) => [field, field])))).map(
        ({ lookup, partition }) => lookupKey(lookup.name, partition),
      ),
    ),
  ];
  const cases: [promise: string, ...given: Parameters<typeof read>, string[]][] = [
    ['none for keys and names', 'ITEM_SPECS', 'OVERWRITE', 'number', 'name', 'guid', []],
    ['none for attributes of the sources', 'ITEM_SPECS', 'EDIT', 'standardCost', 'Shared', 'owner.fullName', []],
    ['none for BOM lines without notes', 'ITEM_BOM', 'REPLACE', 'number', 'item.number', 'quantity', 'refDes', []],
    ['that of BOM lines for their notes', 'ITEM_BOM', 'REPLACE', 'item.number', 'notes', ['Attribute:BOM']],
    ['one for all listed fields', 'ITEM_SPECS', 'EDIT', 'UOM', 'procurementType', 'description', ['Attribute:ITEMS']],
    [
      'those of categories and phases',
      'item_specs',
      'EDIT',
      'category.path',
      'lifecyclePhase.name',
      ['Category:ITEMS', 'LifecyclePhase'],
    ],
    ['none for fields that nobody knows', 'ITEM_SPECS', 'EDIT', 'colour', []],
    ['that of files', 'FILE_SUMMARY', 'EDIT', 'number', 'storageMethodName', ['Attribute:FILES']],
    ['none where rows only delete', 'ITEM_SPECS', 'DELETE', 'number', 'uom', []],
  ] as never;
  test.each(cases)('%s', (_, ...given) => {
    const [resource, mode, ...rest] = given as unknown as [string, string, ...string[]];
    const expected = rest.pop() as unknown as string[];
    expect(read(resource, mode, ...rest)).toEqual(expected);
  });
});
