import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { unsettledSteps } from '#core/engine/unsettled-steps.js';
import type { Address } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Observed } from '#core/model/observation.js';
import type { Step, Write } from '#core/model/plan.js';

const GROUP = 'UserGroup/Quality' as Address;

const step = (write: Write, address = GROUP): Step => ({
  ...{ address, action: 'update', reason: 'differs', message: '', fields: [], dependsOn: [] },
  ...{
    writes: [write],
    fingerprint: 'absent',
    identity: 'one',
    origin: { file: 'm', line: 1, column: 1, layer: 'base' },
  },
});

const group = (spec: JsonObject, identity = 'one'): Observed => ({ name: 'Quality', spec, identity });

/** What is unsettled, given the live groups and what the ledger recorded of the object. */
function found(made: Step, live: readonly Observed[], applied?: JsonObject): string[] {
  const fact: ObjectFact = { stack: 's', how: 'created', applied: applied ?? {}, protect: false, identity: 'one' };
  const facts = new Map(applied === undefined ? [] : [[GROUP, fact] as const]);
  const observation = { objects: new Map([['UserGroup', live]]), lookups: new Map(), unread: new Map() } as never;
  return unsettledSteps({ steps: [made] }, { observation, facts, kindNamed: builtIn.kindNamed }).map(
    ({ message }) => message,
  );
}

const update = step({ verb: 'update', readFirst: 'no', name: 'Quality', fields: { description: 'New' } });

test('an object that is as the ledger recorded it is settled; fields that the service does not show do not count', () => {
  expect(found(update, [group({ description: 'New' })], { description: 'New', hidden: 1 })).toEqual([]);
});

test('an object with other values, or that is not there, is unsettled', () => {
  expect(found(update, [group({ description: 'Old' })], { description: 'New' })).toEqual([
    'has other values of description',
  ]);
  expect(found(update, [group({ description: 'New' }, 'two')], { description: 'New' })).toEqual(['is not there']);
});

test('a deleted object that is still there is unsettled; one that only the ledger gave up is not', () => {
  const deleted = step({ verb: 'delete', name: 'Quality' });
  expect(found(deleted, [group({})])).toEqual(['is still there']);
  expect(found(deleted, [group({}, 'two')])).toEqual([]);
  expect(found(update, [group({})])).toEqual([]);
});

test('records of the ledger, and objects of kinds that are not known, are left out', () => {
  expect(found(step({ verb: 'record' }), [])).toEqual([]);
  expect(found(step({ verb: 'delete', name: 'x' }, 'Nothing/x' as Address), [])).toEqual([]);
});
