import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import type { Decision } from '#core/engine/decision.js';
import { directNeeds } from '#core/engine/graph.js';
import { stepEdges } from '#core/engine/order.js';
import { LEDGER } from '#core/engine/prune.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { Kind } from '#core/model/kind.js';
import type { Write } from '#core/model/plan.js';

const A = (text: string): Address => {
  const { kind, name } = splitAddress(text as Address);
  return addressOf(kind, name);
};
const decision = (address: string, writes: readonly Write[], over: Partial<Decision> = {}): Decision => ({
  address: A(address),
  action: 'update',
  reason: 'differs',
  message: '',
  fields: [],
  writes,
  fingerprint: 'absent',
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
  ...over,
});
/** What the step of the integration waits for. */
const waits = (decisions: readonly Decision[]): readonly string[] =>
  directNeeds(
    A('OutboundIntegration/I'),
    stepEdges(decisions, new Map(), (name) => builtIn.kindNamed(name) as Kind),
  );
const update = (fields: object): Write => ({ verb: 'update', name: 'I', fields: fields as never, readFirst: 'no' });
const create: Write = { verb: 'create', spec: {} };

test.each<[string, readonly Decision[], readonly string[]]>([
  [
    'a created object that a spec refers to',
    [
      decision('Trigger/T', [create]),
      decision('OutboundIntegration/I', [{ verb: 'create', spec: { triggers: ['T'] } }]),
    ],
    ['Trigger/T'],
  ],
  [
    'a created object that an update refers to',
    [decision('Trigger/T', [create]), decision('OutboundIntegration/I', [update({ triggers: ['T'] })])],
    ['Trigger/T'],
  ],
  [
    'a renamed object, by its new name',
    [decision('Trigger/T', [], { liveName: 'Old' }), decision('OutboundIntegration/I', [update({ triggers: ['T'] })])],
    ['Trigger/T'],
  ],
  [
    'an object that is renamed away, by that name',
    [
      decision('Trigger/T', [{ verb: 'retire', to: 'T ~retired', fields: {} }]),
      decision('OutboundIntegration/I', [update({ triggers: ['T ~retired'] })]),
    ],
    ['Trigger/T'],
  ],
  [
    'a member to add',
    [
      decision('Trigger/T', [create]),
      decision('OutboundIntegration/I', [{ verb: 'addChild', field: 'triggers', name: 'T' }]),
    ],
    ['Trigger/T'],
  ],
  [
    'nothing: values are no objects',
    [
      decision('Trigger/T', [create]),
      decision('Supplier/S', [
        { verb: 'removeChild', field: 'phoneNumbers', name: 'T' },
        { verb: 'addChild', field: 'phoneNumbers', name: 'T', entry: { number: 'T' } },
      ]),
    ],
    [],
  ],
  [
    'a member to remove',
    [
      decision('Trigger/T', [create]),
      decision('OutboundIntegration/I', [{ verb: 'removeChild', field: 'triggers', name: 'T' }]),
    ],
    ['Trigger/T'],
  ],
  [
    'nothing: its reference keeps its name',
    [decision('Trigger/T', [update({})]), decision('OutboundIntegration/I', [update({ triggers: ['T'] })])],
    [],
  ],
  [
    'nothing: a deletion gives no name',
    [
      decision('Trigger/T', [{ verb: 'delete', name: 'T' }]),
      decision('OutboundIntegration/I', [update({ triggers: ['T'] })]),
    ],
    [],
  ],
  [
    'nothing: an object removed under another name gives none',
    [
      decision('Trigger/T', [{ verb: 'delete', name: 'Old' }], { liveName: 'Old', origin: LEDGER }),
      decision('OutboundIntegration/I', [update({ triggers: ['T'] })]),
    ],
    [],
  ],
  [
    'nothing: it refers to others',
    [
      decision('Trigger/T', [create]),
      decision('OutboundIntegration/I', [update({ triggers: ['U'] }), { verb: 'record' }]),
    ],
    [],
  ],
])('a step waits for %s', (_, decisions, needed) => {
  expect(waits(decisions)).toEqual(needed);
});

test('no step waits for itself', () => {
  expect(waits([decision('OutboundIntegration/I', [create, update({ triggers: ['T'] })])])).toEqual([]);
});
