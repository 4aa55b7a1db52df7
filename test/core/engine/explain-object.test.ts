import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import type { Bound } from '#core/engine/bind.js';
import { explainObject } from '#core/engine/explain-object.js';
import type { Live } from '#core/engine/live-under.js';
import { addressOf } from '#core/model/address.js';
import { type Metadata, originsAt } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Capability } from '#core/model/observation.js';
import type { FieldChange, Step } from '#core/model/plan.js';
import { reference } from '#service/profiles/reference.js';

const kind = builtIn.kindNamed('UserGroup') as Kind;
const can = reference.collections.userGroups?.can as Capability;
const origin = { file: 'g.yaml', line: 1, column: 1, layer: 'base' };
/** A position that shows which pointer was asked for. */
const origins = { ...originsAt(origin), value: (pointer: string) => ({ ...origin, layer: pointer }) };

interface Case {
  readonly desired?: JsonObject;
  readonly observed?: JsonObject;
  readonly fact?: Partial<ObjectFact>;
  readonly metadata?: Partial<Metadata>;
  readonly fields?: readonly FieldChange[];
  readonly can?: Partial<Capability>;
  readonly acknowledged?: string;
}

function explained({ desired = {}, observed, fact, metadata = {}, fields, can: over = {}, acknowledged }: Case) {
  const object = { name: 'Q', spec: observed ?? {}, identity: 'one' };
  const live: Live =
    observed === undefined ? { match: 'none' } : { match: 'name', object, raw: object, among: [object] };
  const known: ObjectFact = { stack: 's', how: 'created', applied: {}, protect: false, identity: 'one', ...fact };
  const bound: Bound = {
    manifest: {
      address: addressOf('UserGroup', 'Q'),
      kind: 'UserGroup',
      metadata: { name: 'Q', ...metadata },
      spec: desired,
      origins,
    },
    desired,
    live,
    fact: fact === undefined ? undefined : known,
  };
  const step =
    fields === undefined ? undefined : ({ action: 'update', message: 'Differs.', fields } as unknown as Step);
  return explainObject({ bound, kind, can: { ...can, ...over }, stack: 's', step, acknowledged });
}

/** Each field as `path rule desired|applied|observed @pointer`. */
const told = (one: Case): string[] =>
  explained(one).fields.map(({ path, rule, desired, applied, observed, origin: place }) => {
    const sides = [desired, applied, observed]
      .map((side) => (side === undefined ? '' : JSON.stringify(side)))
      .join('|');
    return `${path} ${rule} ${sides}${place === undefined ? '' : ` @${place.layer}`}`;
  });

describe('the owner of an object is explained', () => {
  test.each<[string, Case, string]>([
    ['it does not exist', { desired: {} }, 'absent unchanged It matches the manifest.'],
    ['it cannot be seen', { acknowledged: 'Ann did it.' }, 'absent unchanged Ann did it.'],
    ['of nobody', { observed: {} }, 'nobody unchanged It matches the manifest.'],
    ['of this stack', { observed: {}, fact: {}, fields: [] }, 'this stack update Differs.'],
    ['of another one', { observed: {}, fact: { stack: 't' } }, 'another stack unchanged It matches the manifest.'],
  ])('%s', (_, one, expected) => {
    const { owner, action, reason } = explained(one);
    expect(`${owner} ${action} ${reason}`).toBe(expected);
  });
});

describe('the rule that decided about a field is explained', () => {
  test.each<[string, Case, string[]]>([
    [
      'as the manifest says',
      { desired: { description: 'a' }, observed: { description: 'a' } },
      ['description equal "a"||"a" @/spec/description'],
    ],
    ['named by no manifest', { observed: { enabled: true } }, ['enabled unnamed ||true']],
    [
      'named when last applied, no more now',
      { observed: { enabled: true }, fact: { applied: { enabled: true } } },
      ['enabled released |true|true'],
    ],
    [
      'ignored',
      { desired: { description: 'a' }, observed: { description: 'b' }, metadata: { ignore: ['description'] } },
      ['description ignored "a"||"b" @/spec/description'],
    ],
    [
      'hidden',
      { desired: { enabled: true }, observed: {}, can: { hidden: ['enabled'] } },
      ['enabled hidden true|| @/spec/enabled'],
    ],
    [
      'given on creation',
      { desired: { description: 'a' }, fields: [{ path: 'description', after: 'a' }] },
      ['description initial "a"|| @/spec/description'],
    ],
    [
      'given on creation as the service would',
      { desired: { enabled: true }, fields: [] },
      ['enabled initial true|| @/spec/enabled'],
    ],
    [
      'differs, with nothing recorded',
      {
        desired: { description: 'a' },
        observed: { description: 'b' },
        fields: [{ path: 'description', before: 'b', after: 'a' }],
      },
      ['description differs "a"||"b" @/spec/description'],
    ],
    [
      'drifted',
      {
        desired: { description: 'a' },
        observed: { description: 'b' },
        fields: [{ path: 'description', before: 'b', after: 'a', cause: 'drift' }],
      },
      ['description drift "a"|"a"|"b" @/spec/description'],
    ],
    [
      'changed by both',
      {
        desired: { description: 'a' },
        observed: { description: 'b' },
        fields: [{ path: 'description', before: 'b', after: 'a', cause: 'both', applied: 'c' }],
      },
      ['description both "a"|"c"|"b" @/spec/description'],
    ],
    [
      'an entry of a list',
      {
        desired: { members: [] },
        observed: { members: ['x'] },
        fields: [{ path: 'members[x]', before: 'x', cause: 'asked' }],
      },
      ['members[x] asked ||"x" @/spec/members'],
    ],
    [
      'its name',
      { observed: {}, fields: [{ path: 'name', before: 'R', after: 'Q' }] },
      ['name differs "Q"||"R" @/metadata/name'],
    ],
    [
      'its protection',
      { observed: {}, fields: [{ path: 'metadata.protect', before: true, after: false, cause: 'asked' }] },
      ['metadata.protect asked false||true @/metadata/protect'],
    ],
    [
      'a field that no manifest names and a step changes',
      { observed: { quantity: 1 }, fields: [{ path: 'quantity', before: 1 }] },
      ['quantity differs ||1'],
    ],
  ])('%s', (_, one, expected) => {
    expect(told(one)).toEqual(expected);
  });
});
