import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { holdsReferences } from '#core/manifest/fill-references.js';
import { checkVariables, interpolate, withoutReferences } from '#core/manifest/interpolate.js';
import { parseYaml } from '#core/manifest/parse.js';
import type { Document } from '#core/model/document.js';

const VALUES = { site: 'Vienna', count: 3, on: true, none: null, list: ['a', 'b'], map: { x: 1 } };

/** The values that come out, and the findings as `line:column code | message | hint`. */
function filled(text: string, values: Readonly<Record<string, unknown>> = VALUES) {
  const { documents } = parseYaml(text, 'm.yaml');
  const { diagnostics, used, ...result } = interpolate(documents, values);
  return {
    values: result.documents.map(({ value }) => value),
    said: diagnostics.map(({ origin, severity, code, message, hint }) =>
      [`${origin?.line}:${origin?.column} ${severity} ${code}`, message, hint].join(' | '),
    ),
    used: [...used],
  };
}

test('a value escaped against references comes back unchanged with text of any kind', () => {
  const piece = fc.constantFrom('$', '{', '}', '${', '$${', 'var.site', 'env.HOME', ' ', 'a');
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const value = fc.record({ a: text, b: fc.array(text), c: fc.record({ d: text, e: fc.constantFrom(null, 3, true) }) });
  fc.assert(
    fc.property(value, (one) => {
      expect(filled(stringify(withoutReferences(one)))).toEqual({ values: [one], said: [], used: [] });
    }),
  );
});

describe('a variable replaces its reference', () => {
  const cases: [text: string, value: unknown][] = [
    ['a: ${var.site}', { a: 'Vienna' }],
    ['a: x-${var.site}-${var.count}-${var.on}', { a: 'x-Vienna-3-true' }],
    ['a: ${var.count}', { a: 3 }],
    ['a: ${var.on}', { a: true }],
    ['a: ${var.none}', { a: null }],
    ['a: ${var.list}', { a: ['a', 'b'] }],
    ['a: ${var.map}', { a: { x: 1 } }],
    ['a: [{ b: "${var.site}" }]', { a: [{ b: 'Vienna' }] }],
    ['a: $${var.site}', { a: '${var.site}' }],
    ['a: $${x} ${var.site}', { a: '${x} Vienna' }],
    ['a: costs $5 or {5}', { a: 'costs $5 or {5}' }],
    ['a: 1', { a: 1 }],
    ['"${var.list}"', ['a', 'b']],
    ['a: ${var.map.x}', { a: 1 }],
    ['a: x-${var.map.x}', { a: 'x-1' }],
  ];
  test.each(cases)('%s', (text, value) => {
    expect(filled(text)).toMatchObject({ values: [value], said: [] });
  });

  test('the value of a variable is not interpolated again', () => {
    expect(filled('a: ${var.x}', { x: '${var.y}' })).toMatchObject({ values: [{ a: '${var.y}' }], said: [] });
  });

  test('the used variables are reported', () => {
    expect(filled('a: ${var.site}\nb: x${var.count}').used).toEqual(['site', 'count']);
  });
});

describe('an error is reported at its place, and ends the document', () => {
  const cases: [text: string, said: string[]][] = [
    ['a:\n  - ${var.sit}', ['2:5 error variable-unknown | There is no variable "sit". | Did you mean "site"?']],
    [
      'a: x ${var.list}',
      [
        '1:4 error variable-value | "${var.list}" is a list, which cannot be part of a longer text. | Only text, numbers, true and false can. Write `${var.list}` alone to keep the value\'s type.',
      ],
    ],
    ['a: x ${var.map}', [expect.stringContaining('"${var.map}" is a map,')]],
    ['a: x ${var.none}', [expect.stringContaining('"${var.none}" is empty,')]],
    ['a: x ${var.sit}', [expect.stringContaining('variable-unknown | There is no variable "sit".')]],
    [
      'a: ${env.HOME}',
      [
        '1:4 error variable-environment | ${env.HOME} is not allowed in a manifest: environment values must not enter a plan. | Write `${var.NAME}`, and give the value with `--var NAME="$HOME"`.',
      ],
    ],
    [
      'a: ${site}',
      [
        '1:4 error variable-syntax | "${site}" is not a valid variable reference. | Write `${var.NAME}`, or `$${` for a literal `${`.',
      ],
    ],
    [
      'a: ${var.site',
      [
        '1:4 error variable-syntax | "${" is not a valid variable reference. | Write `${var.NAME}`, or `$${` for a literal `${`.',
      ],
    ],
    [
      'b: 1\n"${var.site}": 1',
      [
        '2:1 error variable-key | Keys cannot contain variables: "${var.site}". | Write the key in full, or make the whole map a variable.',
      ],
    ],
    [
      'a: ${var.map.y}\nb: ${var.sit}',
      [
        '1:4 error variable-member | "${var.map}" has no member "y". | Did you mean "x"?',
        '2:4 error variable-unknown | There is no variable "sit". | Did you mean "site"?',
      ],
    ],
    ['a: ${var.map.x.z}', ['1:4 error variable-member | "${var.map.x}" is a number and has no members. | ']],
    ['a: ${var.map.constructor}', [expect.stringContaining('has no member "constructor".')]],
    ['a: ${each.value}', [expect.stringContaining('has a value only in a manifest with `forEach`.')]],
    ['a: ${var.constructor}', [expect.stringContaining('There is no variable "constructor".')]],
  ];
  test.each(cases)('%s', (text, said) => {
    expect(filled(text)).toMatchObject({ values: [], said });
  });

  test('the hint says where variables come from where none exist', () => {
    expect(filled('a: ${var.a}', {}).said).toEqual([
      '1:4 error variable-unknown | There is no variable "a". | Set it under `variables` in sync.config.yaml, or with `--var NAME=VALUE` or `--var-file FILE`.',
    ]);
  });
});

test('a filled value names its variables, and so does everything inside it', () => {
  const text =
    'kind: A\nforEach: [x]\nmetadata: { name: "${each.value}" }\nspec: { a: "${var.site} ${var.count}", b: ${var.map}, c: 1 }\n';
  const { documents } = interpolate(
    parseYaml(text.replace('${var.map}', '"${var.map}"'), 'm.yaml').documents,
    VALUES,
    (name) => (name === 'site' ? 'environment prod' : 'the configuration'),
  );
  const by = (pointer: string) => {
    const { value, filledBy } = (documents[0] as Document).origins;
    expect(value(pointer).filledBy).toBe(filledBy(pointer));
    return filledBy(pointer);
  };
  expect(by('/metadata/name')).toBe('${each.value} of item x of `forEach`');
  expect(by('/spec/a')).toBe('${var.site} of environment prod, ${var.count} of the configuration');
  expect(by('/spec/b/x')).toBe('${var.map} of the configuration');
  expect(by('/spec/c')).toBeUndefined();
  expect(documents[0]?.origins.key('/spec/a')).toMatchObject({ line: 4 });
});

describe('forEach creates a document for each item', () => {
  const plants = [
    { code: 'vie', city: 'Vienna' },
    { code: 'gra', city: 'Graz' },
  ];
  test.each<[list: string, name: string, names: unknown[]]>([
    ['[a, b]', 'G ${each.key} ${each.value}', ['G a a', 'G b b']],
    ['{ vie: Vienna, gra: Graz }', '${each.key} ${each.value}', ['vie Vienna', 'gra Graz']],
    ['${var.plants}', '${each.key} ${each.value.code}', ['0 vie', '1 gra']],
    ['[]', 'fixed', []],
    ['[a]', 'fixed', ['fixed']],
  ])('%s', (list, name, names) => {
    const { values, said } = filled(`kind: A\nforEach: ${list}\nmetadata: { name: "${name}" }\n`, { plants });
    expect(said).toEqual([]);
    expect(values).toEqual(names.map((one) => ({ kind: 'A', metadata: { name: one } })));
  });

  test('an item that is a map can be a value', () => {
    const { values } = filled('forEach: ${var.plants}\nmetadata: { name: "${each.value.code}" }\nspec: ${each.value}', {
      plants,
    });
    expect(values).toMatchObject([{ spec: { city: 'Vienna' } }, { spec: { city: 'Graz' } }]);
  });

  test.each<[text: string, said: string]>([
    ['forEach: 3', '1:10 error for-each | `forEach` must be a list or a map; here it is a number. | Give a list,'],
    ['forEach:', 'error for-each | `forEach` must be a list or a map; here it is empty. | Give a list,'],
    ['forEach: ${var.plant}', '1:10 error variable-unknown | There is no variable "plant". | Did you mean "plants"?'],
    ['forEach: [a, b]\nmetadata: { name: x }', '1:10 error for-each-name | Every item of `forEach` would describe'],
    ['forEach: ${var.many}\nmetadata: { name: "${each.key}" }', '1:10 error for-each | `forEach` has 10001 items;'],
    ['forEach: [a, b]\nmetadata: { name: "${each.valu}" }', '2:19 error variable-syntax | There is no "${each.valu}".'],
    ['forEach: [a, b]\nmetadata: { name: "${each.value.x}" }', '2:19 error variable-member | "${each.value}" is text'],
  ])('%s is reported once', (text, expected) => {
    const { values, said } = filled(text, { plants, many: Array.from({ length: 10_001 }, (_, index) => index) });
    expect(values).toEqual([]);
    expect(said).toEqual([expect.stringContaining(expected)]);
  });
});

test('variables have names that can be referenced, and values without references', () => {
  const [document] = parseYaml('good: $5\n"a b": 1\nc: { d: ["${env.X}"] }\ne: ${var.good}\n', 'v.yaml').documents;
  const { value, origins } = document as NonNullable<typeof document>;
  const said = checkVariables(value as Record<string, unknown>, { base: '', origins });
  expect(said.map(({ origin, code, message }) => `${origin?.line}:${origin?.column} ${code} ${message}`)).toEqual([
    '2:1 variable-name "a b" is not a valid variable name.',
    '3:10 variable-nested The variable "c" contains a reference, but variable values are used literally.',
    '4:4 variable-nested The variable "e" contains a reference, but variable values are used literally.',
  ]);
});

test('text without "${" is not scanned', () => {
  expect([holdsReferences('a: $5 {x}'), holdsReferences('a: ${var.x}')]).toEqual([false, true]);
});
