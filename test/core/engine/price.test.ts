import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { priceOfLists, pricePlan } from '#core/engine/price.js';
import { addressOf } from '#core/model/address.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { Kind } from '#core/model/kind.js';
import type { Capability, Observed } from '#core/model/observation.js';
import type { Step, Write } from '#core/model/plan.js';
import { reference } from '#service/profiles/reference.js';

const step = (name: string, ...writes: readonly Write[]): Step =>
  ({ address: addressOf('Import', name), writes }) as Step;
const job = (name: string, min: number, max: number): JobFacts =>
  ({ address: addressOf('Import', name), requests: { min, max } }) as JobFacts;
const update = (readFirst: 'yes' | 'no'): Write => ({ verb: 'update', name: 'x', fields: {}, readFirst });
const create: Write = { verb: 'create', spec: {} };
const sent = { verb: 'import' } as Write;

test.each<[string, readonly Step[], readonly JobFacts[], readonly [number, number]]>([
  ['nothing', [], [], [0, 0]],
  ['a write is one request', [step('a', create)], [], [1, 1]],
  ['an update that reads first is two', [step('a', update('yes'))], [], [2, 2]],
  ['an update that does not is one', [step('a', update('no'))], [], [1, 1]],
  ['the ledger costs nothing', [step('a', { verb: 'record' })], [], [0, 0]],
  ['an import costs the price of its job', [step('a', sent)], [job('a', 3, 9), job('b', 5, 5)], [3, 9]],
  [
    'an import that the ledger only learns of costs nothing',
    [step('a', { ...sent, done: 'before' } as Write)],
    [job('a', 3, 9)],
    [0, 0],
  ],
  ['a blocked import costs nothing', [step('a')], [job('a', 3, 9)], [0, 0]],
  ['all together', [step('a', sent), step('b', create, update('yes'))], [job('a', 3, 9)], [6, 12]],
])('%s', (_, steps, jobs, [min, max]) => {
  expect(pricePlan(steps, jobs)).toEqual({ min, max });
});

test('the final reads take each list once that shares names and gains an object', () => {
  const made = (address: string, verb: 'create' | 'update' = 'create'): Step =>
    ({ address: addressOf(...(address.split('/') as [string, string])), writes: [{ verb }] }) as unknown as Step;
  const lists = {
    kindNamed: (name: string) => builtIn.kindNamed(name) as Kind,
    capabilityOf: ({ collection }: Kind) => reference.collections[collection]?.can as Capability,
    observation: {
      objects: new Map<string, Observed[]>([
        ['ImportDefinition', [{ name: 'A', spec: {}, identity: 'a' }]],
        ['ExportDefinition', []],
        ['UserGroup', []],
      ]),
      lookups: new Map(),
      unlisted: new Set<string>(),
    },
  };
  const seen: [string, number][] = [];
  const requestsOfList = ({ name }: Kind, objects: number): number => {
    seen.push([name, objects]);
    return 10;
  };
  const steps = [
    made('ImportDefinition/B'),
    made('ImportDefinition/C'),
    made('ExportDefinition/D'),
    made('UserGroup/E'),
    made('OutboundIntegration/F', 'update'),
  ];
  const atEnd = priceOfLists({ ...lists, requestsOfList });
  expect([atEnd(steps), seen]).toEqual([
    20,
    [
      ['ImportDefinition', 3],
      ['ExportDefinition', 1],
    ],
  ]);
  expect(pricePlan(steps.slice(3), [], atEnd)).toEqual({ min: 2, max: 2 });
  expect(pricePlan(steps.slice(0, 1), [], atEnd)).toEqual({ min: 11, max: 11 });
  expect(pricePlan(steps.slice(0, 1), [], priceOfLists(lists))).toEqual({ min: 1, max: 1 });
});
