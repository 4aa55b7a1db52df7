import { expect, test } from 'vitest';
import { diffSpec, withCauses } from '#core/engine/diff.js';
import { object } from '#core/model/fields.js';
import type { JsonObject } from '#core/model/json.js';
import { Type } from '#core/model/schema.js';

const text = Type.Optional(Type.String());
const schema = object({ a: text, ab: text, o: Type.Optional(object({ x: text, y: text })) });

const causes = (desired: JsonObject, applied: JsonObject, observed: JsonObject) =>
  withCauses(schema, diffSpec(schema, desired, observed), { desired, applied, observed }).map(
    ({ path, cause, applied: was }) => [path, cause, ...(was === undefined ? [] : [was])],
  );

test.each<[string, JsonObject, JsonObject, JsonObject, readonly (readonly unknown[])[]]>([
  ['the manifest asks for something else', { a: 'new' }, { a: 'old' }, { a: 'old' }, [['a', 'asked']]],
  ['somebody changed it', { a: 'x' }, { a: 'x' }, { a: 'y' }, [['a', 'drift']]],
  ['both, with the applied value', { a: 'new' }, { a: 'old' }, { a: 'mine' }, [['a', 'both', 'old']]],
  [
    'a field whose name only begins alike',
    { a: 'new', ab: 'x' },
    { a: 'old', ab: 'x' },
    { a: 'old', ab: 'y' },
    [
      ['a', 'asked'],
      ['ab', 'drift'],
    ],
  ],
  [
    'one field of an object asked, another changed',
    { o: { x: '2', y: '1' } },
    { o: { x: '1', y: '1' } },
    { o: { x: '1', y: '9' } },
    [
      ['o.x', 'asked'],
      ['o.y', 'drift'],
    ],
  ],
  ['a field that was applied as cleared and is requested', { a: 'new' }, { a: null }, {}, [['a', 'asked']]],
  ['a field that was never applied and that somebody filled', { a: 'new' }, {}, { a: 'mine' }, [['a', 'asked']]],
])('%s', (_, desired, applied, observed, expected) => {
  expect(causes(desired, applied, observed)).toEqual(expected);
});

test('a field that was cleared, and then changed outside and by the manifest, was last applied empty', () => {
  const schema = Type.Object({ description: Type.Optional(Type.String()) });
  const field = { path: 'description', before: 'outside', after: 'asked' };
  const three = {
    desired: { description: 'asked' },
    applied: { description: null },
    observed: { description: 'outside' },
  };
  expect(withCauses(schema, [field], three)).toEqual([{ ...field, cause: 'both' }]);
});
