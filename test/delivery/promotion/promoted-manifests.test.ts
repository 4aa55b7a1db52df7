import { expect, test } from 'vitest';
import { environmentOrigin } from '#base/diagnostics.js';
import { builtIn } from '#core/catalog.js';
import { interpolate } from '#core/manifest/interpolate.js';
import { parseYaml } from '#core/manifest/parse.js';
import { addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import { promotedManifests } from '#delivery/promotion/promoted-manifests.js';

const VALUES = {
  site: 'Vienna',
  lead: 'ben@example.com',
  area: 'CHANGES',
  action: 'EDIT',
  all: { matchDuplicates: 'ERROR' },
};

/** One object as the manifest of prod. */
function promoted(kind: string, spec: JsonObject, written = '', overlay = '') {
  const layers = {
    environment: 'prod',
    manifests: interpolate(parseYaml(written, 'm.yaml').documents, VALUES).documents,
    overlay: parseYaml(overlay, 'o.yaml', 'overlay of prod').documents,
  };
  const address = addressOf(kind, 'A');
  return promotedManifests([{ address, spec }], layers, environmentOrigin('dev'), builtIn);
}

const group = (spec: string, metadata = '{ name: A }'): string =>
  `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: ${metadata}\nspec: ${spec}\n`;

test('an object without a manifest is promoted as the source environment has it', () => {
  const { manifests, diagnostics } = promoted('UserGroup', { description: 'live' }, group('{}', '{ name: Other }'));
  expect(diagnostics).toEqual([]);
  expect(manifests).toMatchObject([{ address: 'UserGroup/A', metadata: { name: 'A' }, spec: { description: 'live' } }]);
  expect(manifests[0]?.origins.value('/spec/description').layer).toBe('environment');
});

test.each<[what: string, live: JsonObject, written: string, spec: JsonObject]>([
  [
    'a plain value of the manifest does not win',
    { description: 'live' },
    '{ description: m }',
    { description: 'live' },
  ],
  ['a variable wins', { description: 'live' }, '{ description: "At ${var.site}" }', { description: 'At Vienna' }],
  ['also where the object has no such field', {}, '{ description: "${var.site}" }', { description: 'Vienna' }],
  ['a field of the manifest that the object lacks does not come back', {}, '{ description: m, members: [x] }', {}],
  [
    'a list with a variable in one entry comes whole from the manifest',
    { members: ['ann', 'by hand'] },
    '{ members: ["${var.lead}", ann] }',
    { members: ['ben@example.com', 'ann'] },
  ],
])('variables: %s', (_, live, written, spec) => {
  const { manifests } = promoted('UserGroup', live, group(written));
  expect(manifests[0]?.spec).toEqual(spec);
});

test('the environment decides which entries a keyed list has, and a variable decides inside an entry', () => {
  const entry = (apiName: string, sourceName: string): JsonObject => ({ resource: 'ITEM_SPECS', apiName, sourceName });
  const spec = {
    ...{ resource: 'ITEM_SPECS', mode: 'OVERWRITE' },
    options: { mapping: [entry('name', 'Title'), entry('number', 'No')], timeZone: 'UTC' },
  };
  const written = `apiVersion: dexsync/v1
kind: ImportDefinition
metadata: { name: A }
spec:
  resource: ITEM_SPECS
  mode: EDIT
  options:
    mapping:
      - { resource: ITEM_SPECS, apiName: Number, sourceName: "No \${var.site}" }
      - { resource: ITEM_SPECS, apiName: description, sourceName: "\${var.site}" }
`;
  const { manifests } = promoted('ImportDefinition', spec, written);
  expect(manifests[0]?.spec).toEqual({
    ...spec,
    options: {
      ...spec.options,
      mapping: [entry('name', 'Title'), { ...entry('number', 'No Vienna'), apiName: 'number' }],
    },
  });
  const origins = manifests[0]?.origins;
  expect(origins?.value('/spec/options/mapping/1/sourceName')).toMatchObject({ file: 'm.yaml', line: 9 });
  expect(origins?.value('/spec/options/mapping/0/sourceName').layer).toBe('environment');
  const cleared = promoted('ImportDefinition', { ...spec, options: { timeZone: 'UTC' } }, written);
  expect(cleared.manifests[0]?.spec.options).toEqual({ timeZone: 'UTC' });
  const whole = promoted('ImportDefinition', spec, written.replace(/ {2}options:[\s\S]*/, '  options: ${var.all}\n'));
  expect(whole.manifests[0]?.spec.options).toEqual({ matchDuplicates: 'ERROR' });
});

test('a keyed list comes whole from the manifest where the key of an entry has a variable, since no live entry matches it', () => {
  const rule = (resource: string): JsonObject => ({ resource, actions: ['READ'] });
  const written = (resource: string, actions: string): string =>
    `apiVersion: dexsync/v1\nkind: Policy\nmetadata: { name: A }\nspec: { rules: [{ resource: ${resource}, actions: ${actions} }] }\n`;
  const live = { rules: [rule('ITEMS'), rule('BY_HAND')] };
  expect(promoted('Policy', live, written('"${var.area}"', '[READ]')).manifests[0]?.spec).toEqual({
    rules: [rule('CHANGES')],
  });
  expect(promoted('Policy', live, written('ITEMS', '["${var.action}"]')).manifests[0]?.spec).toEqual({
    rules: [{ resource: 'ITEMS', actions: ['EDIT'] }, rule('BY_HAND')],
  });
});

test('the overlay comes last, may delete, and ignores objects that are not promoted; metadata comes from the manifests', () => {
  const overlay = `kind: UserGroup
metadata: { name: A, protect: true }
spec: { members: { $add: [prod@example.com], $remove: [not.there@example.com] } }
---
kind: UserGroup
metadata: { name: Elsewhere }
spec: { description: x }
`;
  const { manifests, diagnostics } = promoted(
    'UserGroup',
    { description: 'live', members: ['ann'] },
    group('{}', '{ name: A, labels: { team: q } }'),
    overlay,
  );
  expect(diagnostics).toEqual([]);
  expect(manifests).toMatchObject([
    {
      metadata: { name: 'A', protect: true, labels: { team: 'q' } },
      spec: { description: 'live', members: ['ann', 'prod@example.com'] },
    },
  ]);
  const deleted = promoted('UserGroup', {}, group('{}'), 'kind: UserGroup\nmetadata: { name: A }\n$patch: delete\n');
  expect(deleted).toMatchObject({ manifests: [], diagnostics: [] });
  const field = promoted(
    'UserGroup',
    { description: 'live', members: ['ann'] },
    group('{}'),
    'kind: UserGroup\nmetadata: { name: A }\nspec: { description: { $patch: delete } }\n',
  );
  expect(field.manifests[0]?.spec).toEqual({ members: ['ann'] });
  expect([...field.released]).toEqual([['UserGroup/A', ['description']]]);
  const inner = promoted(
    'ImportDefinition',
    { resource: 'ITEM_SPECS', mode: 'EDIT', options: { timeZone: 'UTC', checkRefDes: 'CHECK' } },
    '',
    'kind: ImportDefinition\nmetadata: { name: A }\nspec: { options: { timeZone: { $patch: delete } } }\n',
  );
  expect([...inner.released]).toEqual([['ImportDefinition/A', ['options.timeZone']]]);
});

test('a value that no manifest may have is an error; a value unknown to this version is not', () => {
  expect(promoted('UserGroup', { assignability: ['NEW_PLACE'] }).diagnostics).toEqual([]);
  expect(promoted('UserGroup', { enabled: 'maybe' }).diagnostics).toMatchObject([{ severity: 'error' }]);
});

test('a value close to a known one is intended in the other environment, and a typo in a file', () => {
  const live = { assignability: ['CHANGSE'] };
  const told = promoted('UserGroup', live);
  expect(told.manifests).toMatchObject([{ metadata: { name: 'A', known: 'any' } }]);
  expect(told.manifests[0]).not.toHaveProperty('doubts');
  const laid = promoted('UserGroup', live, '', group('{ assignability: [QUALTIY] }'));
  const doubts = laid.manifests.flatMap((one) => one.doubts ?? []);
  expect(doubts.map(({ finding }) => finding.message)).toEqual([
    'UserGroup/A has the value "QUALTIY", which is probably a typo of "QUALITY".',
  ]);
});
