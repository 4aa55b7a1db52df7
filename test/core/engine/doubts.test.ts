import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { bind } from '#core/engine/bind.js';
import type { JsonObject } from '#core/model/json.js';
import type { Observed } from '#core/model/observation.js';
import { manifestsOf } from './planning-world.js';

const map = (...fields: readonly string[]): JsonObject => ({
  mapping: fields.map((apiName) => ({ resource: 'ITEM_SPECS', apiName, sourceName: `Column ${apiName}` })),
});

/** Severity of what is probably a typo in the manifest of a definition, beside the live ones of its name. */
function severities(spec: JsonObject, ...live: readonly JsonObject[]): string[] {
  const { manifests } = manifestsOf([
    { kind: 'ImportDefinition', metadata: { name: 'Parts' }, spec: { resource: 'ITEM_SPECS', ...spec } },
  ]);
  const objects = live.map((one, index): Observed => ({ name: 'Parts', spec: one, identity: `i${index}` }));
  const observation = {
    objects: new Map([['ImportDefinition', objects]]),
    lookups: new Map(),
    unlisted: new Set<string>(),
  };
  return bind(manifests, observation, builtIn.schemaOf, 'dev').diagnostics.map(({ severity }) => severity);
}

test.each<[what: string, spec: JsonObject, live: JsonObject[], expected: string[]]>([
  ['nothing lives', { mode: 'EDTI' }, [], ['error']],
  ['the live object has another value', { mode: 'EDTI' }, [{ mode: 'EDIT' }], ['error']],
  ['the live object has the very value', { mode: 'EDTI' }, [{ mode: 'EDTI' }], ['warning']],
  ['several live objects have it', { mode: 'EDTI' }, [{ mode: 'EDTI' }, { mode: 'EDTI' }], ['error']],
  [
    'an entry at another place of the live list has it',
    { mode: 'EDIT', options: map('number', 'nmae') },
    [{ mode: 'EDIT', options: map('nmae') }],
    ['warning'],
  ],
  ['the live object has no list', { mode: 'EDIT', options: map('nmae') }, [{ mode: 'EDIT' }], ['error']],
  [
    'the live list has others',
    { mode: 'EDIT', options: map('nmae') },
    [{ mode: 'EDIT', options: map('name') }],
    ['error'],
  ],
])('a value is probably a typo: %s', (_, spec, live, expected) => {
  expect(severities(spec, ...live)).toEqual(expected);
});
