import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import type { Origin } from '#base/diagnostics.js';
import { builtIn } from '#core/catalog.js';
import { assemble } from '#core/manifest/assemble.js';
import { parseYaml } from '#core/manifest/parse.js';
import { checkSchema } from '#core/manifest/schema-check.js';
import { traitFindings } from '#core/manifest/trait-findings.js';
import { validateManifests } from '#core/manifest/validate.js';
import type { Document } from '#core/model/document.js';
import { openEnum } from '#core/model/fields.js';

/** Findings of a file `m.yaml` as `line:column severity code | message | hint`. */
function findings(text: string): string[] {
  const { documents, diagnostics } = parseYaml(text, 'm.yaml');
  const validated = validateManifests(documents, builtIn);
  const assembled = assemble(validated.manifests);
  const doubts = validated.manifests.flatMap((one) => one.doubts ?? []).map(({ finding }) => finding);
  return [...diagnostics, ...validated.diagnostics, ...assembled.diagnostics, ...doubts].map(
    ({ origin, severity, code, message, hint }) =>
      [`${origin?.line}:${origin?.column} ${severity} ${code}`, message, ...(hint === undefined ? [] : [hint])].join(
        ' | ',
      ),
  );
}

const group = (spec: string, metadata = 'name: Quality'): string =>
  `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { ${metadata} }\nspec:\n${spec.replaceAll(/^/gm, '  ')}\n`;

const definition = (spec: string): string =>
  `apiVersion: dexsync/v1\nkind: ImportDefinition\nmetadata: { name: Specs }\nspec:\n${spec.replaceAll(/^/gm, '  ')}\n`;

const exported = (spec: string): string => definition(spec).replace('Import', 'Export').replace('Specs', 'Parts');

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e'].map((name, i) => {
    const previous = 'abcd'[i];
    return `${name}: &${name} [${Array(9).fill(`*${previous}`).join(', ')}]`;
  }),
].join('\n');

describe('an error in a manifest is reported with its place', () => {
  const cases: [what: string, text: string, expected: string[]][] = [
    ['nothing', group('description: a'), []],
    ['an empty document', '---\n---\n', []],
    ['a manifest without a spec', 'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: Quality }\n', []],
    [
      'YAML syntax',
      'kind: UserGroup\n  metadata: x\n',
      [
        '1:7 error yaml-syntax | This is not valid YAML: Nested mappings are not allowed in compact mappings. | Check the indentation of this line and the next: use spaces, and start the fields of one map in the same column.',
      ],
    ],
    [
      'a repeated key',
      'kind: UserGroup\nkind: UserGroup\n',
      ['2:1 error yaml-syntax | This is not valid YAML: Map keys must be unique.'],
    ],
    [
      'a list instead of a map',
      '- a\n',
      ['1:1 error manifest-shape | A manifest must be a map with apiVersion, kind, metadata and spec.'],
    ],
    [
      'an unknown kind',
      'apiVersion: dexsync/v1\nkind: Usergruop\nmetadata: { name: x }\nspec: {}\n',
      ['2:7 error kind-unknown | There is no kind "Usergruop". | Did you mean "UserGroup"?'],
    ],
    [
      'a kind that is far from all',
      'apiVersion: dexsync/v1\nkind: Deployment\nmetadata: { name: x }\n',
      ['2:7 error kind-unknown | There is no kind "Deployment". | `dexsync kinds` lists them all.'],
    ],
    [
      'a lookup as kind',
      'apiVersion: dexsync/v1\nkind: User\nmetadata: { name: x }\n',
      [
        '2:7 error kind-unknown | There is no kind "User". | Remove this manifest: User objects are looked up in the workspace and never managed.',
      ],
    ],
    [
      'neither apiVersion nor kind, as in a configuration',
      'stack: s\n',
      [
        '1:1 error manifest-shape | This is not a manifest: it has neither apiVersion nor kind. | A manifest has apiVersion, kind, metadata and spec; sync.config.yaml and files of variables are not manifests.',
      ],
    ],
    [
      'a missing envelope',
      'kind: UserGroup\nspec: {}\n',
      [
        '1:1 error field-missing | This manifest needs the field "apiVersion".',
        '1:1 error field-missing | This manifest needs the field "metadata".',
      ],
    ],
    [
      'a missing kind',
      'apiVersion: dexsync/v1\nmetadata: { name: A }\n',
      ['1:1 error field-missing | This manifest needs the field "kind".'],
    ],
    [
      'another version',
      group('{}').replace('dexsync/v1', 'dexsync/v2'),
      [
        '1:13 error value-invalid | UserGroup/Quality has an invalid value in "apiVersion": expected "dexsync/v1", got "dexsync/v2".',
      ],
    ],
    [
      'a name with white space at its end',
      group('{}', 'name: "Quality "'),
      [
        '3:19 error value-invalid | UserGroup/Quality  has an invalid value in "metadata.name": expected a name without leading or trailing white space and without control characters, got "Quality ".',
      ],
    ],
    [
      'an unknown field',
      group('descripton: a'),
      ['5:3 error field-unknown | UserGroup/Quality has no field "descripton". | Did you mean "description"?'],
    ],
    [
      'a value of another type',
      group('enabled: sometimes'),
      [
        '5:12 error value-invalid | UserGroup/Quality has an invalid value in "enabled": expected true or false, got "sometimes".',
      ],
    ],
    ...(
      [
        ['no', 'false'],
        ['off', 'false'],
        ['Yes', 'true'],
        ['on', 'true'],
      ] as const
    ).map(([given, meant]): [string, string, string[]] => [
      `${given} for true or false`,
      group(`enabled: ${given}`),
      [
        `5:12 error value-invalid | UserGroup/Quality has an invalid value in "enabled": expected true or false, got "${given}". | In YAML 1.2, \`${given}\` is text: write \`${meant}\`.`,
      ],
    ]),
    [
      'a number for true or false',
      group('enabled: 1'),
      [
        '5:12 error value-invalid | UserGroup/Quality has an invalid value in "enabled": expected true or false, got 1.',
      ],
    ],
    [
      'a backslash in a wrong value',
      group('enabled: Item\\Resistor'),
      [
        '5:12 error value-invalid | UserGroup/Quality has an invalid value in "enabled": expected true or false, got "Item\\Resistor".',
      ],
    ],
    [
      'a field that no list of fields has',
      definition(
        'mode: CREATE\nresource: ITEM_SPECS\noptions:\n  mapping:\n    - { resource: ITEM_SPECS, apiName: nm, sourceName: A }',
      ),
      [
        '9:33 warning value-unknown | ImportDefinition/Specs uses the field "nm" of ITEM_SPECS, which dexsync does not know; the service decides whether it is valid. | Did you mean "name"?',
      ],
    ],
    [
      'a field far from all of a long list',
      definition(
        'mode: CREATE\nresource: ITEM_SPECS\noptions:\n  mapping:\n    - { resource: ITEM_SPECS, apiName: supersededByQuantity, sourceName: A }',
      ),
      [
        '9:33 warning value-unknown | ImportDefinition/Specs uses the field "supersededByQuantity" of ITEM_SPECS, which dexsync does not know; the service decides whether it is valid.',
      ],
    ],
    [
      'fields in another letter case, of the report, and of resources without a list',
      definition(
        'mode: CREATE\nresource: ITEM_SPECS\noptions:\n  mapping:\n    - { resource: ITEM_SPECS, apiName: NUMBER, sourceName: A }\n    - { resource: IMPORT, apiName: errormessage, sourceName: B }\n    - { resource: ITEM_FILES, apiName: anything, sourceName: C }\n    - { resource: ITEM_SPECS, attribute: RoHS, sourceName: D }',
      ),
      [],
    ],
    [
      'an entry twice in a set',
      group('members:\n  - ann@example.com\n  - ann@example.com'),
      ['6:5 error value-invalid | UserGroup/Quality has an invalid value in "members": entries 1 and 2 are the same.'],
    ],
    [
      'an empty reference',
      group('members: [""]'),
      ['5:13 error value-invalid | UserGroup/Quality has an invalid value in "members[0]": it must not be empty.'],
    ],
    [
      'words instead of a list',
      group('assignability: CHANGES, QUALITY'),
      [
        '5:18 error value-invalid | UserGroup/Quality has an invalid value in "assignability": expected a list, got "CHANGES, QUALITY". | Write a list: [CHANGES, QUALITY].',
      ],
    ],
    [
      'other text instead of a list',
      group('assignability: "*"'),
      [
        '5:18 error value-invalid | UserGroup/Quality has an invalid value in "assignability": expected a list, got "*".',
      ],
    ],
    [
      'a missing field',
      definition('mode: CREATE'),
      ['5:3 error field-missing | ImportDefinition/Specs needs the field "resource".'],
    ],
    [
      'null for a required field',
      definition('mode: CREATE\nresource: null'),
      [
        '6:13 error field-required | ImportDefinition/Specs cannot clear "resource": the field is required. | Give it a value. If the value is on the lines below, indent them.',
      ],
    ],
    ['null for an optional field', group('description: null'), []],
    [
      'a value outside the known ones',
      definition('mode: OVERRIDE\nresource: ITEM_SPECS'),
      [
        '5:9 warning value-unknown | ImportDefinition/Specs has the value "OVERRIDE", which dexsync does not know; the service decides whether it is valid. | Did you mean "OVERWRITE"?',
      ],
    ],
    [
      'a typo of a known value, and one of a known field',
      definition(
        'mode: OVERWRIET\nresource: ITEM_SPECS\noptions:\n  mapping:\n    - { resource: ITEM_SPECS, apiName: nmae, sourceName: A }',
      ),
      [
        '5:9 error value-mistyped | ImportDefinition/Specs has the value "OVERWRIET", which is probably a typo of "OVERWRITE". | Write "OVERWRITE". If "OVERWRIET" is right, add `known: any` to the metadata.',
        '9:33 error value-mistyped | ImportDefinition/Specs uses the field "nmae" of ITEM_SPECS, which is probably a typo of "name". | Write "name". If "nmae" is right, add `known: any` to the metadata.',
      ],
    ],
    [
      'an intended value that looks like a typo',
      definition('mode: OVERWRIET\nresource: ITEM_SPECS').replace('{ name: Specs }', '{ name: Specs, known: any }'),
      [
        '5:9 warning value-mistyped | ImportDefinition/Specs has the value "OVERWRIET", which is probably a typo of "OVERWRITE". | Write "OVERWRITE". If "OVERWRIET" is right, add `known: any` to the metadata.',
      ],
    ],
    [
      'a typo beside another error',
      definition(
        'mode: EDTI\nresource: ITEM_SPECS\noptions: { createDuplicates: ALLOW, matchDuplicates: ERRRO }',
      ).replace('{ name: Specs }', '{ name: Specs, ignore: [x] }'),
      [
        '3:35 error ignore-unknown | ImportDefinition/Specs ignores "x", which is not a field. | Known: "description", "resource", "mode", "options".',
        '5:9 error value-mistyped | ImportDefinition/Specs has the value "EDTI", which is probably a typo of "EDIT". | Write "EDIT". If "EDTI" is right, add `known: any` to the metadata.',
        '7:56 error value-mistyped | ImportDefinition/Specs has the value "ERRRO", which is probably a typo of "ERROR". | Write "ERROR". If "ERRRO" is right, add `known: any` to the metadata.',
      ],
    ],
    [
      'a known value in lower case',
      definition('mode: overwrite\nresource: ITEM_SPECS'),
      [
        '5:9 error value-invalid | ImportDefinition/Specs has an invalid value in "mode": expected a value in upper case such as CREATE, EDIT or OVERWRITE, got "overwrite". | Did you mean "OVERWRITE"?',
      ],
    ],
    [
      'a target by two names',
      definition(
        'mode: EDIT\nresource: ITEM_SPECS\noptions:\n  mapping:\n    - { resource: ITEM_SPECS, apiName: a, attribute: b, sourceName: c }',
      ),
      [
        '9:9 error value-invalid | ImportDefinition/Specs has an invalid value in "options.mapping[0]": expected exactly one of "apiName" and "attribute".',
      ],
    ],
    [
      'two columns for one target',
      definition(
        'mode: EDIT\nresource: ITEM_SPECS\noptions:\n  mapping:\n    - { resource: ITEM_SPECS, apiName: number, sourceName: A }\n    - { resource: ITEM_SPECS, apiName: number, sourceName: B }',
      ),
      ['10:9 error entry-repeated | ImportDefinition/Specs has two entries for ITEM_SPECS number: entries 1 and 2.'],
    ],
    [
      'an option that the mode does not have',
      definition('mode: DELETE\nresource: ITEM_SPECS\noptions: { removeValue: X, stripWhiteSpace: STRIP }'),
      [
        '7:14 error option-dropped | ImportDefinition/Specs has the option "removeValue", which the service ignores in mode DELETE. | It applies to EDIT, OVERWRITE, REPLACE.',
      ],
    ],
    [
      'an invalid commit rule',
      'apiVersion: dexsync/v1\nkind: Import\nmetadata: { name: I }\nspec:\n  definition: Specs\n  source: { file: a.csv, headerRow: 0, range: x }\n  commit: sometimes\n',
      [
        '6:37 error value-invalid | Import/I has an invalid value in "source.headerRow": expected at least 1, got 0.',
        '6:47 error value-invalid | Import/I has an invalid value in "source.range": expected a range such as B5:H200, B5:H (to the end) or B:H, got "x".',
        '7:11 error value-invalid | Import/I has an invalid value in "commit": expected never, clean, always, or { maxErrors: 20 } or { maxErrors: 1% } of the rows, got "sometimes".',
      ],
    ],
    [
      'a search that compares in lower case, with something other than a value',
      exported('criteria: [[{ apiName: number, operator: is_equal_to, value: [12, { a: 1 }] }]]'),
      [
        '5:44 error value-invalid | ExportDefinition/Parts has an invalid value in "criteria[0][0].operator": expected a value in upper case such as IS_EQUAL_TO, IS_NOT_EQUAL_TO or CONTAINS, got "is_equal_to". | Did you mean "IS_EQUAL_TO"?',
        '5:64 error value-invalid | ExportDefinition/Parts has an invalid value in "criteria[0][0].value": expected text, a number, true or false, or a list of these, got [12,{"a":1}].',
      ],
    ],
    [
      'a choice of two',
      exported('options: { format: xml }'),
      [
        '5:22 error value-invalid | ExportDefinition/Parts has an invalid value in "options.format": expected csv or json, got "xml".',
      ],
    ],
    [
      'a search without groups',
      exported('criteria: []'),
      ['5:13 error value-invalid | ExportDefinition/Parts has an invalid value in "criteria": it must not be empty.'],
    ],
    [
      'a search with an empty group, of no tables',
      exported('criteria: [[]]\noptions: { exportViews: [] }'),
      [
        '6:27 error value-invalid | ExportDefinition/Parts has an invalid value in "options.exportViews": it must not be empty.',
        '5:14 error value-invalid | ExportDefinition/Parts has an invalid value in "criteria[0]": it must not be empty.',
      ],
    ],
    [
      'a comparison with null',
      exported('criteria: [[{ apiName: number, operator: IS_EQUAL_TO, value: null }]]'),
      ['5:15 error value-missing | ExportDefinition/Parts has no value to compare with. | Add `value:`.'],
    ],
    [
      'a delimiter of two characters',
      'apiVersion: dexsync/v1\nkind: Import\nmetadata: { name: I }\nspec:\n  definition: Specs\n  source: { file: a.csv, delimiter: "::" }\n',
      [
        '6:37 error value-invalid | Import/I has an invalid value in "source.delimiter": expected one character between the cells of a text file, or aligned, got "::".',
      ],
    ],
    [
      'one address twice',
      `${group('{}')}---\n${group('{}')}`,
      [
        '9:19 error address-duplicate | UserGroup/Quality is described twice; first at m.yaml:1. | Remove one of them, or rename it.',
      ],
    ],
    [
      'a __proto__ key',
      group('__proto__: { a: 1 }'),
      ['5:3 error key-forbidden | The key "__proto__" is not allowed in a manifest.'],
    ],
    [
      'aliases that explode',
      bomb,
      ["1:1 error alias-bomb | This document's aliases expand to more than 100 times their anchors; it is not read."],
    ],
    [
      'an anchor that contains itself',
      'a: &a\n  b: *a\n',
      ['1:1 error alias-circle | An anchor in this document contains an alias of itself; the document is not read.'],
    ],
    ...[
      ['Quality', 'quality', 'letter case'],
      ['Qualit\u00e4t', 'Qualita\u0308t', 'how accents are encoded'],
    ].map(([one, other, differs]): [string, string, string[]] => [
      `names that differ in ${differs}`,
      `${group('enabled: true', `name: ${one}`)}---\n${group('enabled: true', `name: ${other}`)}`,
      [
        `9:19 warning address-similar | UserGroup/${other} differs from UserGroup/${one} at m.yaml:1 only in ${differs}; the service may treat them as the same object. | Rename or remove one of them.`,
      ],
    ]),
    [
      'a merge key',
      'a: &a { x: 1 }\nb:\n  <<: *a\n',
      ['3:3 error merge-key | YAML merge keys ("<<") are not supported. | Write the fields out.'],
    ],
    [
      'nesting that no manifest needs',
      `a: ${'['.repeat(120)}${']'.repeat(120)}\n`,
      ['1:1 error nesting | This document is nested more than 100 levels deep; it is not read.'],
    ],
    [
      'nesting that would end the process',
      `a: ${'['.repeat(200_000)}${']'.repeat(200_000)}\n`,
      ['1:4 error nesting | This document is nested more than 100 levels deep; it is not read.'],
    ],
    [
      'nesting that ends the stack of the parser',
      `a: ${'{ a: '.repeat(5000)}${'}'.repeat(5000)}\n`,
      ['1:1 error nesting | This document is nested more than 100 levels deep; it is not read.'],
    ],
    [
      'a number where a name is expected',
      'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: 0123, protect: 1 }\n',
      [
        '3:19 error value-invalid | This manifest has an invalid value in "metadata.name": expected text, got 123. | YAML reads this as a number; put it in quotes to make it text.',
        '3:34 error value-invalid | This manifest has an invalid value in "metadata.protect": expected true or false, got 1.',
      ],
    ],
    [
      'true where a name is expected',
      'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: true }\n',
      [
        '3:19 error value-invalid | This manifest has an invalid value in "metadata.name": expected text, got true. | YAML reads this as true or false; put it in quotes to make it text.',
      ],
    ],
    [
      'an alias before its anchor',
      'a: *b\nb: &b 1\n',
      ['1:4 error yaml-syntax | This is not valid YAML: there is no anchor "b".'],
    ],
    ['an alias without anchor', 'a: *b\n', ['1:4 error yaml-syntax | This is not valid YAML: there is no anchor "b".']],
    [
      'a value behind an alias, at its anchor',
      group('members: &m [""]\nassignability: [POLICIES]'),
      ['5:16 error value-invalid | UserGroup/Quality has an invalid value in "members[0]": it must not be empty.'],
    ],
  ];
  test.each(cases)('%s', (_, text, expected) => {
    expect(findings(text)).toEqual(expected);
  });
});

test('a schema without descriptions and suggestions still says what it expects', () => {
  const [document] = parseYaml('count: 3\nkind: "Z"\nlist: [1]\n', 'm.yaml').documents as [Document];
  const many = Array.from({ length: 13 }, (_, index) => `VALUE_NUMBER_${index}`);
  const schema = Type.Object({
    count: Type.Integer({ multipleOf: 2 }),
    kind: openEnum(many),
    list: Type.Array(Type.Union([Type.Null(), Type.String()], { description: 'text or nothing.' })),
  });
  const subject = { schema, base: '', origins: document.origins, name: 'It' };
  expect(checkSchema(document.value, subject).map(({ message }) => message)).toEqual([
    'It has an invalid value in "count": expected multipleOf, got 3.',
    'It has an invalid value in "list[0]": expected nothing or text, got 1.',
  ]);
  expect(traitFindings(document.value, schema)).toEqual([
    {
      severity: 'warning',
      code: 'value-unknown',
      pointer: '/kind',
      message: 'has the value "Z", which dexsync does not know; the service decides whether it is valid.',
    },
  ]);
});

test('a number, and a text of some form, are asked for with all that their schema says', () => {
  const text = 'least: 0\nmost: 9\nboth: 9\nword: x\ntime: 30\ncode: 30\nplain: 30\nlist: 3\n';
  const [document] = parseYaml(text, 'm.yaml').documents as [Document];
  const schema = Type.Object({
    least: Type.Integer({ minimum: 1 }),
    most: Type.Integer({ maximum: 5 }),
    both: Type.Integer({ minimum: 1, maximum: 5 }),
    word: Type.Number({ minimum: 0, maximum: 1 }),
    time: Type.String({ pattern: 'm$', description: 'A time such as 30m. None by default.' }),
    code: Type.String({ pattern: '^\\d+$', description: 'A code.' }),
    plain: Type.String({ pattern: 'm$' }),
    list: Type.Array(Type.Integer()),
  });
  const found = checkSchema(document.value, { schema, base: '', origins: document.origins, name: 'It' });
  const quotes = 'YAML reads this as a number; put it in quotes to make it text.';
  expect(found.map(({ message, hint }) => [message.replace(/.* in /, ''), hint])).toEqual([
    ['"least": expected at least 1, got 0.', undefined],
    ['"most": expected at most 5, got 9.', undefined],
    ['"both": expected a whole number from 1 to 5, got 9.', undefined],
    ['"word": expected a number from 0 to 1, got "x".', undefined],
    ['"time": expected a time such as 30m, got 30.', undefined],
    ['"code": expected text, got 30.', quotes],
    ['"plain": expected text, got 30.', undefined],
    ['"list": expected a list, got 3.', 'Write a list: [3].'],
  ]);
});

test('a document that is not a map is reported', () => {
  const [document] = parseYaml('- a\n', 'm.yaml').documents as [Document];
  const subject = { schema: Type.Object({}), base: '', origins: document.origins, name: 'm.yaml' };
  expect(checkSchema(document.value, subject).map(({ message }) => message)).toEqual([
    'm.yaml has an invalid value: expected a map, got ["a"].',
  ]);
});

test('a position is that of the value, of its key, or of the nearest existing node', () => {
  const text = 'base: &b { inner: 1 }\nalias: *b\nempty:\nlist: [x, [y]]\n? [k]\n: z\n';
  const [{ origins }] = parseYaml(text, 'm.yaml').documents as [Document];
  const at = ({ line, column }: Origin): string => `${line}:${column}`;
  expect(
    [
      '',
      '/base/inner',
      '/alias/inner',
      '/empty',
      '/list/1/0',
      '/list/7',
      '/list/x/y',
      '/base/inner/deep',
      '/missing',
    ].map((pointer) => [pointer, at(origins.value(pointer)), at(origins.key(pointer))]),
  ).toEqual([
    ['', '1:1', '1:1'],
    ['/base/inner', '1:19', '1:12'],
    ['/alias/inner', '1:19', '1:12'],
    ['/empty', '3:7', '3:1'],
    ['/list/1/0', '4:12', '4:12'],
    ['/list/7', '4:7', '4:1'],
    ['/list/x/y', '4:7', '4:1'],
    ['/base/inner/deep', '1:19', '1:12'],
    ['/missing', '1:1', '1:1'],
  ]);
});

test('an import may name constant columns freely', () => {
  const text =
    'apiVersion: dexsync/v1\nkind: Import\nmetadata: { name: I }\nspec: { definition: D, source: { file: a.csv, constants: { Any Name: x } } }\n';
  expect(findings(text)).toEqual([]);
});

test('long values are cut in messages', () => {
  const [finding] = findings(group(`enabled: "${'x'.repeat(100)}"`));
  expect(finding).toContain(`got "${'x'.repeat(56)}....`);
});

test('the order of documents does not change the set of manifests', () => {
  const texts = [group('{}', 'name: B'), group('{}', 'name: A')];
  const addresses = (text: string): string[] =>
    assemble(validateManifests(parseYaml(text, 'm.yaml').documents, builtIn).manifests).manifests.map(
      ({ address }) => address,
    );
  expect(addresses(texts.join('---\n'))).toEqual(addresses([...texts].reverse().join('---\n')));
});
