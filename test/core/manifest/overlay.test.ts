import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { builtIn } from '#core/catalog.js';
import { applyOverlay } from '#core/manifest/overlay.js';
import { parseYaml } from '#core/manifest/parse.js';
import { validateManifests } from '#core/manifest/validate.js';

/** What comes out of manifests and an overlay of `prod`, and findings as `file:line:column layer code | message`. */
function laid(base: string, overlay: string, missing: 'refused' | 'ignored' = 'refused') {
  const manifests = parseYaml(base, 'm.yaml');
  const over = parseYaml(overlay, 'o.yaml', 'overlay of prod');
  const result = applyOverlay(manifests.documents, {
    environment: 'prod',
    documents: over.documents,
    missing,
    catalog: builtIn,
  });
  return {
    documents: result.documents,
    values: result.documents.map(({ value }) => value),
    said: result.diagnostics.map(({ origin, code, message }) =>
      [`${origin?.file}:${origin?.line}:${origin?.column} ${origin?.layer}`, code, message].join(' | '),
    ),
  };
}

const manifest = (kind: string, name: string, spec: string): string =>
  `apiVersion: dexsync/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
const part = (kind: string, name: string, rest: string): string =>
  `kind: ${kind}\nmetadata: { name: ${name} }\n${rest}\n`;

describe('an overlay changes the fields that it names and nothing else', () => {
  test.each<[what: string, spec: string, overlay: string, expected: object]>([
    ['a field', '{ description: a }', 'spec: { description: b }', { description: 'b' }],
    ['a field that is new', '{ members: [a] }', 'spec: { description: b }', { members: ['a'], description: 'b' }],
    ['null is a value', '{ description: a }', 'spec: { description: null }', { description: null }],
    [
      'a field is removed',
      '{ description: a, members: [b] }',
      'spec: { description: { $patch: delete } }',
      { members: ['b'] },
    ],
    ['a list without keys is replaced', '{ members: [a, b] }', 'spec: { members: [c] }', { members: ['c'] }],
    [
      'entries are added and removed',
      '{ members: [a, b] }',
      'spec: { members: { $add: [c, b], $remove: [a] } }',
      { members: ['b', 'c'] },
    ],
    [
      'a map is replaced',
      '{ description: a, members: [b] }',
      'spec: { $patch: replace, description: c }',
      { description: 'c' },
    ],
    ['entries are added to a list that is not there', '{}', 'spec: { members: { $add: [c] } }', { members: ['c'] }],
  ])('%s', (_, spec, overlay, expected) => {
    const { values, said } = laid(manifest('UserGroup', 'A', spec), part('UserGroup', 'A', overlay));
    expect(said).toEqual([]);
    expect(values).toEqual([{ apiVersion: 'dexsync/v1', kind: 'UserGroup', metadata: { name: 'A' }, spec: expected }]);
  });

  const MAPPING = [
    { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Number' },
    { resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' },
    { resource: 'ITEM_SPECS', attribute: 'RoHS', sourceName: 'RoHS' },
  ];
  const definition = manifest(
    'ImportDefinition',
    'D',
    stringify({ options: { mapping: MAPPING } }, { indent: 1 })
      .replaceAll(/^/gm, ' ')
      .replace(/^ /, '\n ')
      .trimEnd(),
  );

  test('entries of a list with keys are merged one by one, in any order and letter case', () => {
    const overlay = part(
      'ImportDefinition',
      'D',
      `spec:
  options:
    mapping:
      - { apiName: NAME, sourceName: Title }
      - { attribute: RoHS, $patch: delete }
      - { resource: ITEM_SPECS, attribute: Plant, sourceName: Plant }`,
    );
    const { values, said } = laid(definition, overlay);
    expect(said).toEqual([]);
    expect(values).toMatchObject([
      {
        spec: {
          options: {
            mapping: [
              MAPPING[0],
              { resource: 'ITEM_SPECS', apiName: 'NAME', sourceName: 'Title' },
              { resource: 'ITEM_SPECS', attribute: 'Plant', sourceName: 'Plant' },
            ],
          },
        },
      },
    ]);
  });

  test('an entry that matches several is an error', () => {
    const { said } = laid(
      definition,
      part('ImportDefinition', 'D', 'spec: { options: { mapping: [{ resource: ITEM_SPECS }] } }'),
    );
    expect(said).toEqual([
      'o.yaml:3:30 overlay of prod | overlay-ambiguous | 3 entries of the manifest have "ITEM_SPECS".',
    ]);
  });

  test('several parts of one manifest are merged in their order, and a manifest can be deleted', () => {
    const base = `${manifest('UserGroup', 'A', '{ description: a }')}---\n${manifest('UserGroup', 'B', '{}')}`;
    const overlay = [
      part('UserGroup', 'A', 'spec: { description: b, members: [x] }'),
      part('UserGroup', 'A', 'spec: { members: { $add: [y] } }'),
      part('UserGroup', 'B', '$patch: delete'),
    ].join('---\n');
    expect(laid(base, overlay)).toMatchObject({
      values: [{ metadata: { name: 'A' }, spec: { description: 'b', members: ['x', 'y'] } }],
      said: [],
    });
  });

  test('the next part cannot change what one part deletes, and `$patch: merge` is the default', () => {
    const base = `${manifest('UserGroup', 'A', '{ description: a }')}---\n${manifest('UserGroup', 'B', '{ members: [a] }')}`;
    const overlay = [
      part('UserGroup', 'A', '$patch: delete'),
      part('UserGroup', 'A', 'spec: { description: b }'),
      part('UserGroup', 'B', 'spec: { $patch: merge, description: b }'),
    ].join('---\n');
    expect(laid(base, overlay)).toMatchObject({ values: [{ spec: { description: 'b', members: ['a'] } }], said: [] });
  });

  test('without a schema lists are replaced', () => {
    const overlay = part('Unknown', 'A', 'spec: { list: [{ name: b }] }');
    expect(laid(manifest('Unknown', 'A', '{ list: [{ name: a }] }'), overlay)).toMatchObject({
      values: [{ spec: { list: [{ name: 'b' }] } }],
      said: [],
    });
  });

  test('metadata is merged as well', () => {
    const base = 'kind: UserGroup\nmetadata: { name: A, labels: { team: a, site: v } }\nspec: {}\n';
    const overlay =
      'kind: UserGroup\nmetadata: { name: A, protect: true, labels: { team: b, site: { $patch: delete } } }\n';
    expect(laid(base, overlay).values).toMatchObject([
      { metadata: { name: 'A', protect: true, labels: { team: 'b' } } },
    ]);
  });
});

describe('each part of a merged manifest knows where it was written', () => {
  test('by overlay, by manifest, and also for entries that moved', () => {
    const base = `apiVersion: dexsync/v1
kind: ImportDefinition
metadata: { name: D }
spec:
  resource: ITEM_SPECS
  options:
    mapping:
      - { apiName: one }
      - { apiName: two }
      - { apiName: three, sourceName: Three }
`;
    const overlay = `kind: ImportDefinition
metadata: { name: D }
spec:
  mode: CREATE
  options:
    mapping:
      - { apiName: one, $patch: delete }
      - { apiName: three, sourceName: Drei }
      - { apiName: four }
`;
    const [document] = laid(base, overlay).documents;
    const at = (pointer: string): string => {
      const { file, line, column, layer } = document?.origins.value(pointer) ?? {};
      return `${file}:${line}:${column} ${layer}`;
    };
    expect(document?.origins.start).toMatchObject({ file: 'm.yaml', line: 1 });
    expect(at('/spec/resource')).toBe('m.yaml:5:13 base');
    expect(at('/spec/mode')).toBe('o.yaml:4:9 overlay of prod');
    expect(at('/spec/options/mapping/0/apiName')).toBe('m.yaml:9:20 base');
    expect(at('/spec/options/mapping/1/apiName')).toBe('o.yaml:8:20 overlay of prod');
    expect(at('/spec/options/mapping/1/sourceName')).toBe('o.yaml:8:39 overlay of prod');
    expect(at('/spec/options/mapping/2/apiName')).toBe('o.yaml:9:20 overlay of prod');
    expect(document?.origins.key('/spec/mode')).toMatchObject({ file: 'o.yaml', line: 4, column: 3 });
    expect(document?.origins.filledBy('/spec/mode')).toBeUndefined();
  });

  test('a finding about a value of the overlay is shown there', () => {
    const { documents } = laid(
      manifest('UserGroup', 'A', '{ description: a }'),
      part('UserGroup', 'A', 'spec:\n  descripton: b'),
    );
    const [found] = validateManifests(documents, builtIn).diagnostics;
    expect(found).toMatchObject({
      code: 'field-unknown',
      origin: { file: 'o.yaml', line: 4, column: 3, layer: 'overlay of prod' },
    });
  });
});

describe('an overlay that matches no manifest is an error', () => {
  const base = manifest('UserGroup', 'Quality', '{ description: a, members: [b] }');
  test.each<[overlay: string, said: string]>([
    [
      part('UserGroup', 'Qality', 'spec: {}'),
      'o.yaml:2:19 overlay of prod | overlay-target | The overlay of environment "prod" changes UserGroup/Qality, which no manifest describes.',
    ],
    [
      'spec: {}\n',
      'overlay-shape | An overlay must say which manifest it changes: it needs `kind` and `metadata.name`.',
    ],
    ['- 1\n', 'overlay-shape |'],
    [
      part('UserGroup', 'Quality', 'spec: { x: { $patch: delete } }'),
      'o.yaml:3:22 overlay of prod | overlay-missing |',
    ],
    [
      part('UserGroup', 'Quality', 'spec: { $patch: remove }'),
      'overlay-marker | `$patch` is `delete`, `replace` or `merge`.',
    ],
    [
      part('UserGroup', 'Quality', 'spec: { members: { $remove: [c] } }'),
      'overlay-missing | The list has no entry "c"',
    ],
    [part('UserGroup', 'Quality', 'spec: { members: { $add: c } }'), 'overlay-marker | `$add` and `$remove` are lists'],
    [part('UserGroup', 'Quality', 'spec: { members: { $add: [c], x: 1 } }'), 'overlay-marker |'],
    [part('UserGroup', 'Quality', 'spec: { description: { $add: [c] } }'), 'overlay-marker |'],
    [
      part('UserGroup', 'Quality', 'spec: { new: { a: { $patch: delete } } }'),
      'overlay-missing | There is nothing here',
    ],
    [part('UserGroup', 'Quality', 'spec: { new: [{ $patch: delete }] }'), 'overlay-missing | There is nothing here'],
  ])('%s', (overlay, expected) => {
    expect(laid(base, overlay).said).toEqual([expect.stringContaining(expected)]);
  });

  test('the hint names near matches, and says how to add an object', () => {
    const over = parseYaml(part('UserGroup', 'Qality', 'spec: {}'), 'o.yaml').documents;
    const { diagnostics } = applyOverlay(parseYaml(base, 'm.yaml').documents, {
      environment: 'prod',
      documents: over,
      missing: 'refused',
      catalog: builtIn,
    });
    expect(diagnostics[0]?.hint).toBe(
      'Did you mean "UserGroup/Quality"? To add an object in this environment only, put its manifest below `environments.prod.manifests`.',
    );
  });

  test('the hint says how to add an object where no manifests exist', () => {
    const documents = parseYaml(part('UserGroup', 'A', 'spec: {}'), 'o.yaml').documents;
    const { diagnostics } = applyOverlay([], { environment: 'prod', documents, missing: 'refused', catalog: builtIn });
    expect(diagnostics[0]?.hint).toMatch(/^To add an object in this environment only,/);
  });

  test('manifests that are not looked at are not reported as missing', () => {
    expect(laid(base, part('UserGroup', 'Other', 'spec: {}'), 'ignored')).toMatchObject({ said: [], values: [{}] });
    const gone = 'spec: { members: { $remove: [c] }, new: { a: { $patch: delete } }, old: { $patch: delete } }';
    expect(laid(base, part('UserGroup', 'Quality', gone), 'ignored')).toMatchObject({
      said: [],
      values: [{ spec: { description: 'a', members: ['b'], new: {} } }],
    });
  });

  test('a document that is not a manifest is left to validation', () => {
    expect(laid('- 1\n', '').values).toEqual([[1]]);
  });
});
