import { describe, expect, test } from 'vitest';
import { type Address, addressOf } from '#core/model/address.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Step, Write } from '#core/model/plan.js';
import { factsAfter, withdrawn, writeClaims } from '#delivery/apply/object-records.js';

const clock = (): Date => new Date(0);
const guidOf = (): undefined => undefined;
const at = clock().toISOString();
const address = addressOf('UserGroup', 'Quality');
const fact: ObjectFact = { stack: 's', how: 'created', applied: { description: 'a' }, protect: false };
const known: ObjectFact = { ...fact, identity: 'q' };

const create: Write = { verb: 'create', spec: {} };
const update: Write = { verb: 'update', name: 'Quality', fields: {}, readFirst: 'no' };
const retire: Write = { verb: 'retire', to: 'Quality ~retired #1', fields: {} };
const member: Write = { verb: 'addChild', field: 'members', name: 'ann@example.com' };

const step = (over: Partial<Step>): Step => ({
  address,
  action: 'create',
  reason: 'absent',
  message: '',
  fields: [],
  writes: [create],
  dependsOn: [],
  fingerprint: 'absent',
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
  ...over,
});

describe('before a write the ledger records', () => {
  const cases: [what: string, step: Step, write: Write, claimed: ObjectFact | 'nothing'][] = [
    ['a creation, whose object has no identity yet', step({ fact }), create, fact],
    ['a rename, by the identity', step({ fact: known, liveName: 'QA' }), update, known],
    ['nothing of an update that keeps the name', step({ fact: known }), update, 'nothing'],
    [
      'nothing of a name that is given back: the ledger knows the object by its address',
      step({ fact: known, liveName: 'QA', reason: 'renamed-outside' }),
      update,
      'nothing',
    ],
    ['nothing of an object that is renamed away', step({ fact, writes: [retire, create] }), retire, 'nothing'],
    ['nothing of a creation whose object it knows', step({ fact: known }), create, 'nothing'],
    ['nothing where it keeps no facts', step({}), create, 'nothing'],
    ['nothing where the object is given up', step({ fact: null }), create, 'nothing'],
  ];
  test.each(cases)('%s', (_, one, write, claimed) => {
    const expected = claimed === 'nothing' ? [] : [{ type: 'object', at, address, object: claimed }];
    expect(writeClaims(one, write, { clock, guidOf })).toEqual(expected);
  });
});

describe('before an update the ledger records the sent and the former values', () => {
  const sent = { ...known, applied: { description: 'b' } };
  const one = step({ action: 'update', fact: sent, writes: [update, member] });
  const before = { ...known, refused: {} };
  const claims = (write: Write, facts: ReadonlyMap<Address, ObjectFact>) =>
    writeClaims(one, write, { clock, guidOf, known: facts });

  test('with its first write', () => {
    const object = { ...sent, former: known };
    expect(claims(update, new Map([[address, before]]))).toEqual([{ type: 'object', at, address, object }]);
    expect(claims(member, new Map([[address, before]]))).toEqual([]);
  });

  test('unless it has another object there, or none', () => {
    expect(claims(update, new Map([[address, { ...before, identity: 'other' }]]))).toEqual([]);
    expect(claims(update, new Map())).toEqual([]);
  });

  test('and keeps the former values where the update failed', () => {
    const facts = new Map([[address, before]]);
    const [withdrawal] = withdrawn(claims(update, facts), 'failed', { known: facts });
    expect(withdrawal).toMatchObject({ address, object: known });
  });

  test('and stays open where an earlier update had no answer', () => {
    const facts = new Map([[address, { ...before, former: known }]]);
    expect(withdrawn(claims(update, facts), 'failed', { known: facts })).toEqual([]);
  });
});

test.each([
  ['failed', 'withdrawn'],
  ['manual', 'withdrawn'],
  ['not sent', 'withdrawn'],
  ['unknown', 'kept'],
])('a claim on a write that is %s is %s', (outcome, becomes) => {
  const claims = writeClaims(step({ fact }), create, { clock, guidOf });
  expect(withdrawn(claims, outcome, {})).toEqual(
    becomes === 'kept' ? [] : [{ type: 'object', at, address, object: null }],
  );
});

test('an object to be replaced stays ours where its successor was not created', () => {
  const claims = writeClaims(step({ fact: { ...fact, former: known } }), create, { clock, guidOf });
  expect(withdrawn(claims, 'failed', {})).toEqual([{ type: 'object', at, address, object: known }]);
});

describe('after a write', () => {
  const recording = { clock, guidOf, identityOf: () => 'new' };
  const own = (object: ObjectFact | null) => ({ type: 'object', at, address, object });

  test('a creation is recorded at once, and its children may follow', () => {
    const made = step({ fact, writes: [create, member] });
    expect(factsAfter(made, 0, recording)).toEqual([own({ ...fact, identity: 'new' })]);
    expect(factsAfter(made, 1, recording)).toEqual([]);
  });

  test('what a release asks counts once the last write of its step is done', () => {
    const base = (release: string) => ({ source: 'dev', release, lineage: 'l', spec: { description: 'a' } });
    const promoted: ObjectFact = { ...fact, promoted: base('dev/r2') };
    const begun: ObjectFact = { ...fact, promoted: { ...base('dev/r2'), spec: {} } };
    const made = step({ fact: promoted, writes: [create, member] });
    expect(writeClaims(made, create, recording)).toEqual([own(begun)]);
    expect(factsAfter(made, 0, recording)).toEqual([own({ ...begun, identity: 'new' })]);
    expect(factsAfter(made, 1, recording)).toEqual([own({ ...promoted, identity: 'new' })]);
    const before = { ...known, promoted: base('dev/r1') };
    const changed = { ...promoted, identity: 'q' };
    const facts = { ...recording, known: new Map([[address, before]]) };
    const updated = step({ action: 'update', fact: changed, writes: [update, member] });
    expect(writeClaims(updated, update, facts)).toEqual([own({ ...before, former: before })]);
    expect(writeClaims(step({ fact: changed, liveName: 'QA' }), update, facts)).toEqual([own(before)]);
  });

  test('a replacement is recorded once the new object exists, not when the old one is renamed away', () => {
    const replaced = step({ action: 'replace', fact: { ...fact, former: known }, writes: [retire, create] });
    expect(factsAfter(replaced, 0, recording)).toEqual([]);
    expect(factsAfter(replaced, 1, recording)).toEqual([own({ ...fact, identity: 'new' })]);
  });

  test('any other step is recorded after its last write, with its former identity', () => {
    const updated = step({ action: 'update', fact: known, writes: [update, member] });
    expect(factsAfter(updated, 0, recording)).toEqual([]);
    expect(factsAfter(updated, 1, recording)).toEqual([own(known)]);
  });

  test('an object without a unique match keeps its fact without an identity', () => {
    expect(factsAfter(step({ fact }), 0, { clock, guidOf, identityOf: () => undefined })).toEqual([own(fact)]);
  });

  test('an object that is given up belongs to nobody, and a renamed one is recorded only under its new address', () => {
    expect(factsAfter(step({ fact: null, writes: [retire] }), 0, recording)).toEqual([own(null)]);
    const formerly = addressOf('UserGroup', 'QA');
    expect(factsAfter(step({ fact: known, formerly, writes: [update] }), 0, recording)).toEqual([
      { type: 'object', at, address: formerly, object: null },
      own(known),
    ]);
  });

  test('nothing is recorded where the ledger keeps no facts', () => {
    expect(factsAfter(step({}), 0, recording)).toEqual([]);
  });
});

test('a record has the GUID that its object, or the replaced one, is read by', () => {
  const located = { clock, guidOf: (of: string, identity: string) => `${of} ${identity}`, identityOf: () => 'new' };
  const guids = (records: readonly object[]) => records.map((one) => ('guid' in one ? one.guid : undefined));
  expect(guids(writeClaims(step({ fact: { ...fact, former: known } }), create, located))).toEqual([`${address} q`]);
  expect(guids(factsAfter(step({ fact }), 0, located))).toEqual([`${address} new`]);
  expect(guids(factsAfter(step({ fact: null }), 0, located))).toEqual([undefined]);
  const formerly = addressOf('UserGroup', 'QA');
  const renamed = step({ fact: known, formerly, writes: [update] });
  expect(guids(factsAfter(renamed, 0, located))).toEqual([undefined, `${address} q`]);
  const removed = step({ fact: null, identity: 'q', writes: [{ verb: 'delete', name: 'Quality' }] });
  expect(guids(factsAfter(removed, 0, located))).toEqual([`${address} q`]);
});
